//go:build views

package conformance

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/playwright-community/playwright-go"
)

// hostOptions are the options of bbhost.Host, in ui/host/host.js.
type hostOptions map[string]any

// shown is a view in its frame.
type shown struct {
	*world
	frame playwright.Frame
}

// startHost makes a new host in the page, as globalThis.host. A second one gets a
// page of its own: Playwright loses track of frames of another origin that come
// after one that went.
func (w *world) startHost(o hostOptions) {
	w.Helper()
	if w.eval(`() => 'host' in globalThis`) == true {
		address := w.page.URL()
		w.must(w.page.Close())
		w.open(address)
	}
	w.eval(`(options) => { globalThis.host = new bbhost.Host(options ?? {}); }`, map[string]any(o))
}

// begin starts a show call and mounts its view, whatever comes of it.
func (w *world) begin(arguments map[string]any, o hostOptions) *shown {
	w.Helper()
	w.startHost(o)
	if w.mutant != "" {
		w.eval(`(html) => { const read = host.readView; host.readView = async (uri) => ({...await read.call(host, uri), html}); }`, w.mutant)
	}
	w.eval(`(args) => { globalThis.showing = host.show(args); showing.catch(() => {}); }`, arguments)
	return w.mounted()
}

// show makes a show call and mounts its view. It comes back when the view has
// heard the result.
func (w *world) show(arguments map[string]any, o hostOptions) *shown {
	w.Helper()
	s := w.begin(arguments, o)
	s.eval(`() => showing`)
	s.caughtUp()
	return s
}

// showDrawing is show with a payload changed on its way: change is the body of a
// function of the payload p.
func (w *world) showDrawing(arguments map[string]any, change string, o hostOptions) *shown {
	w.Helper()
	options := hostOptions{"withholdResult": true}
	for name, value := range o {
		options[name] = value
	}
	s := w.show(arguments, options)
	s.deliver(`const p = result._meta['bb/view']; ` + change)
	return s
}

// deliver hands the view the show call's result once more, changed by the body
// of a function of result.
func (s *shown) deliver(change string) {
	s.Helper()
	s.eval(`() => { const result = structuredClone(host.result); ` + change + `; host.deliver(result); }`)
	s.caughtUp()
}

// caughtUp waits until the view has heard all that the host said.
func (s *shown) caughtUp() {
	s.Helper()
	s.waitFor("the view to hear the host out", func() bool {
		sent := s.eval(`() => host.log.filter((entry) => entry.direction === 'host→view').length`)
		return s.in(`() => messagesHeard`) == sent
	})
}

// press clicks what has this accessible name.
func (s *shown) press(role, name string) {
	s.Helper()
	s.must(s.frame.GetByRole(playwright.AriaRole(role), playwright.FrameGetByRoleOptions{Name: name, Exact: playwright.Bool(true)}).First().Click())
}

// mounted finds the view's frame.
func (w *world) mounted() *shown {
	w.Helper()
	s := &shown{world: w}
	w.waitFor("a view in the page", func() bool {
		for _, frame := range w.page.Frames() {
			// Addresses of views are given once; a frame that is being taken
			// away still has its own.
			if strings.Contains(frame.URL(), "/views/") && !w.seen[frame.URL()] {
				s.frame = frame
			}
		}
		return s.frame != nil
	})
	w.must(s.frame.WaitForLoadState())
	return s
}

// in evaluates a function in the view's frame.
func (s *shown) in(function string, args ...any) any {
	s.Helper()
	return s.evaluate(s.frame, function, args...)
}

//go:embed testdata/visible_text.js
var visibleTextScript string

// visibleText is what a person sees in the view: its text line by line, with the
// names of icons in brackets.
func (s *shown) visibleText() string {
	s.Helper()
	return s.in(visibleTextScript).(string)
}

// waitForText waits until the view says something.
func (s *shown) waitForText(part string) {
	s.Helper()
	var text string
	s.waitFor(fmt.Sprintf("the view to say %q", part), func() bool {
		text = s.visibleText()
		return strings.Contains(text, part)
	})
}

// message is an entry of the host's log.
type message struct {
	At        float64 `json:"at"`
	Direction string  `json:"direction"`
	Message   struct {
		ID     any            `json:"id"`
		Method string         `json:"method"`
		Params map[string]any `json:"params"`
		Result any            `json:"result"`
		Error  map[string]any `json:"error"`
	} `json:"message"`
}

const (
	fromView = "view→host"
	toView   = "host→view"
)

// messages is the host's log, without what was not even an object.
func (w *world) messages() []message {
	w.Helper()
	var all []message
	w.read(`host.log.filter((entry) => entry.message instanceof Object && !Array.isArray(entry.message))`, &all)
	return all
}

// methods lists the methods of one direction in their order; an answer stands
// as "answer".
func (w *world) methods(direction string) []string {
	w.Helper()
	var found []string
	for _, m := range w.messages() {
		switch {
		case m.Direction != direction:
		case m.Message.Method == "":
			found = append(found, "answer")
		default:
			found = append(found, m.Message.Method)
		}
	}
	return found
}

// read evaluates an expression in the host's page and decodes its JSON.
func (w *world) read(expression string, into any) {
	w.Helper()
	text := w.eval(`() => JSON.stringify(` + expression + `)`)
	if text == nil {
		return
	}
	w.must(json.Unmarshal([]byte(text.(string)), into))
}
