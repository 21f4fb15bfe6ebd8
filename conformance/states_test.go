//go:build views

package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// state is one of the ways in which a view has no data to draw.
type state struct {
	name string
	// options of the host, beside those a caller gives
	options hostOptions
	// waits is how long the clock runs before the state is there
	waits time.Duration
	// then is the body of a function in the host's page
	then string
	says []string
}

// states are all of them. V7, V-23, V-24, V-35
var states = []state{
	{name: "waiting", options: hostOptions{"withholdResult": true}, says: []string{"Reading the pull request #1 in ORCH / catalogue"}},
	{name: "waiting for input", options: hostOptions{"withholdResult": true, "withholdInput": true}, says: []string{"Reading from Bitbucket"}},
	{name: "late", options: hostOptions{"withholdResult": true}, waits: 21 * time.Second, says: []string{"No answer has come for 20 seconds", "#1"}},
	{name: "without its data", options: hostOptions{"dropMeta": true}, says: []string{"The answer came without what this view draws", title}},
	{name: "empty", options: hostOptions{"withholdResult": true}, then: `host.deliver({content: []})`, says: []string{"The answer came without what this view draws", "Ask for it again"}},
	{name: "nothing at all", options: hostOptions{"withholdResult": true}, then: `host.deliver({})`, says: []string{"The answer came without what this view draws"}},
	{name: "error", options: hostOptions{"withholdResult": true}, then: `host.deliver({isError: true, content: [{type: 'text', text: 'pull request ORCH/catalogue #1: not found'}]})`, says: []string{"This could not be read", "pull request ORCH/catalogue #1: not found"}},
	{name: "error without a text", options: hostOptions{"withholdResult": true}, then: `host.deliver({isError: true, content: []})`, says: []string{"This could not be read", "an error without a text"}},
	{name: "cancelled", options: hostOptions{"withholdResult": true}, then: `host.cancel('stopped by the person')`, says: []string{"The call was cancelled", "stopped by the person"}},
	{name: "cancelled without a word", options: hostOptions{"withholdResult": true}, then: `host.cancel()`, says: []string{"The call was cancelled"}},
	{name: "newer data", options: hostOptions{"withholdResult": true}, then: `const r = structuredClone(host.result); r._meta['bb/view'].version = 2; host.deliver(r)`, says: []string{"This page is older than the data"}},
	{name: "older data", options: hostOptions{"withholdResult": true}, then: `const r = structuredClone(host.result); r._meta['bb/view'].version = 0; host.deliver(r)`, says: []string{"This page is newer than the data"}},
	{name: "unknown kind", options: hostOptions{"withholdResult": true}, then: `const r = structuredClone(host.result); r._meta['bb/view'].kind = 'garden'; host.deliver(r)`, says: []string{"This page does not know this kind of view", "garden"}},
	{name: "misshapen", options: hostOptions{"withholdResult": true}, then: `host.deliver({content: [], _meta: {'bb/view': {version: 1, kind: 'pull_request'}}})`, says: []string{"This could not be drawn"}},
}

// show brings a view into the state. A state that waits needs a stopped clock.
func (state state) show(w *world, more hostOptions) *shown {
	w.Helper()
	o := hostOptions{}
	for _, some := range []hostOptions{state.options, more} {
		for name, value := range some {
			o[name] = value
		}
	}
	s := w.show(card(1), o)
	if state.waits > 0 {
		w.runClock(state.waits)
	}
	if state.then != "" {
		s.eval(`() => { ` + state.then + `; }`)
		s.caughtUp()
	}
	return s
}

func TestEachStateSaysWhatItIs(t *testing.T) {
	for _, state := range states {
		t.Run(state.name, func(t *testing.T) {
			s := state.show(newWorld(t, worldOptions{Stopped: state.waits > 0}), nil)
			text := s.visibleText()
			for _, want := range state.says {
				if !strings.Contains(text, want) {
					t.Errorf("want %q in:\n%s", want, text)
				}
			}
			if state.name != "without its data" && strings.Contains(text, title) {
				t.Errorf("something is drawn:\n%s", text)
			}
			// Collapsed frames look like no view at all (host-quirks 2.4).
			if height := s.in(`() => document.body.getBoundingClientRect().height`); number(height) < 40 {
				t.Errorf("the view is %v px high", height)
			}
		})
	}
}

// number is a JavaScript number as Playwright gives it.
func number(v any) float64 {
	switch n := v.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return -1
}

// V7: not before 20 seconds, and a late result is still drawn.
func TestViewWaitsTwentySecondsAndDrawsALateResult(t *testing.T) {
	w := newWorld(t, worldOptions{Stopped: true})
	s := w.show(card(1), hostOptions{"withholdResult": true})
	w.runClock(19 * time.Second)
	if text := s.visibleText(); !strings.Contains(text, "Reading the pull request") {
		t.Errorf("after 19 s:\n%s", text)
	}
	w.runClock(2 * time.Second)
	s.waitForText("No answer has come for 20 seconds")
	s.deliver("")
	s.waitForText(title)
}

// host-quirks 5.10, 5.12, 5.13, V37
func TestResultsComeInAnyOrderAndNumber(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo"})
	s := w.show(card(1), hostOptions{"withholdInput": true})
	s.waitForText(title)
	for _, poorer := range []string{
		`host.deliver({content: []})`,
		`host.deliver({isError: true, content: [{type: 'text', text: 'gone'}]})`,
		`host.notify('ui/notifications/tool-input', {arguments: {kind: 'pull_request', id: 1}})`,
		`host.notify('ui/notifications/tool-input-partial', {arguments: {kind: 'pull'}})`,
		`host.cancel('late')`,
	} {
		s.eval(`() => { ` + poorer + `; }`)
		s.caughtUp()
		if text := s.visibleText(); !strings.Contains(text, title) {
			t.Errorf("%s took away what was drawn:\n%s", poorer, text)
		}
	}
	s.deliver(`result._meta['bb/view'].pullRequest.title = 'A second result'`)
	if text := s.visibleText(); !strings.Contains(text, "A second result") || strings.Contains(text, title) {
		t.Errorf("a second result was not drawn:\n%s", text)
	}
	// A stored result draws with no server at all.
	s.eval(`() => host.client.url = '/nowhere'`)
	s.deliver(`result._meta['bb/view'].pullRequest.title = 'A stored result'`)
	s.waitForText("A stored result")
}

// V-10, V-11
func TestPartialInputIsNeverReliedOn(t *testing.T) {
	s := newWorld(t, worldOptions{}).show(card(1), hostOptions{"withholdResult": true, "withholdInput": true})
	for _, partial := range []string{`{}`, `{kind: 'pull'}`, `{kind: 'pull_request', id: null, project: 7}`, `{kind: {}, id: []}`, `null`} {
		s.eval(`() => host.notify('ui/notifications/tool-input-partial', {arguments: ` + partial + `})`)
	}
	s.caughtUp()
	s.eval(`() => host.cancel('changed my mind')`)
	s.caughtUp()
	if text := s.visibleText(); !strings.Contains(text, "The call was cancelled") {
		t.Errorf("after partial input:\n%s", text)
	}
}

// V-25, V-06: a host that offers nothing gets a view without dead controls.
func TestMinimalHostGetsNoDeadControls(t *testing.T) {
	s := newWorld(t, worldOptions{User: "bo"}).show(card(1), hostOptions{
		"theme": nil, "displayModes": nil, "capabilities": map[string]any{},
		"context": map[string]any{"toolInfo": nil, "displayMode": nil, "containerDimensions": nil, "locale": nil, "timeZone": nil, "userAgent": nil, "platform": nil, "deviceCapabilities": nil},
	})
	s.waitForText(title)
	if n := s.in(`() => document.querySelectorAll('[data-action=mode]').length`); n != 0 {
		t.Errorf("fullscreen is offered to a host that has none")
	}
	if got := s.colours(); got.ratio < 4.5 {
		t.Errorf("%.2f: %s", got.ratio, got.text)
	}
}

// V-06, V-07: whatever a host answers to fullscreen, the view lives on.
func TestRefusedFullscreenLeavesTheViewAsItWas(t *testing.T) {
	for name, answer := range map[string]any{
		"inline":   map[string]any{"result": map[string]any{"mode": "inline"}},
		"no mode":  map[string]any{"result": map[string]any{}},
		"nonsense": map[string]any{"result": map[string]any{"mode": 7}},
		"error":    map[string]any{"error": map[string]any{"code": -32601, "message": "Method not found"}},
		"isError":  map[string]any{"result": map[string]any{"isError": true}},
		"silence":  "never",
	} {
		t.Run(name, func(t *testing.T) {
			s := newWorld(t, worldOptions{User: "bo"}).show(card(1), hostOptions{"answers": map[string]any{"ui/request-display-mode": answer}})
			before := s.visibleText()
			s.press("button", "Fullscreen")
			s.waitFor("the request", func() bool { return len(s.methods(fromView)) > 0 })
			s.eval(`() => host.ping()`)
			s.caughtUp()
			if mode := s.in(`() => document.documentElement.dataset.mode`); mode != "inline" {
				t.Errorf("the view believes to be %v", mode)
			}
			if diff := cmp.Diff(before, s.visibleText()); diff != "" {
				t.Errorf("the view changed (-before +after):\n%s", diff)
			}
		})
	}
}
