//go:build views

package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// early is a view whose host answers ui/initialize late, and which is handed the
// result before that by a host that keeps no order.
func early(w *world) *shown {
	s := w.begin(card(1), hostOptions{"answers": map[string]any{"ui/initialize": "never"}})
	s.waitFor("ui/initialize", func() bool { return len(s.methods(fromView)) > 0 })
	s.eval(`async () => {
		const result = await host.client.request('tools/call', {name: 'show', arguments: {kind: 'pull_request', project: 'ORCH', repo: 'catalogue', id: 1}});
		host.post({jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: result});
	}`)
	s.caughtUp()
	return s
}

// V-01, V-02, V-03, V-04, V-05
func TestViewSpeaksInTheOrderOfTheHandshake(t *testing.T) {
	s := newWorld(t, worldOptions{User: "bo"}).show(card(1), nil)
	if err := checkHandshake(s); err != nil {
		t.Error(err)
	}
	hello := s.messages()[0].Message.Params
	want := map[string]any{
		"appInfo":         map[string]any{"name": "bb view", "version": "1"},
		"appCapabilities": map[string]any{"availableDisplayModes": []any{"inline", "fullscreen"}},
		"protocolVersion": "2026-01-26",
	}
	if diff := cmp.Diff(want, hello); diff != "" {
		t.Errorf("ui/initialize (-want +got):\n%s", diff)
	}
}

// V-03, V-04: also when the answer takes long.
func TestViewSaysNothingBeforeADelayedAnswer(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo", Stopped: true})
	s := w.begin(card(1), hostOptions{"delays": map[string]any{"ui/initialize": 5000}})
	s.waitFor("ui/initialize", func() bool { return len(s.methods(fromView)) == 1 })
	// Time passes, less than the host takes.
	w.must(w.context.Clock().RunFor(4000))
	if diff := cmp.Diff([]string{"ui/initialize"}, s.methods(fromView)); diff != "" {
		t.Errorf("before the answer (-want +got):\n%s", diff)
	}
	w.must(w.context.Clock().RunFor(2000))
	s.eval(`() => showing`)
	s.caughtUp()
	s.waitForText(title)
	if err := checkHandshake(s); err != nil {
		t.Error(err)
	}
}

// V-03
func TestViewDrawsNothingBeforeTheHandshakeIsOver(t *testing.T) {
	if err := checkNothingDrawnEarly(early(newWorld(t, worldOptions{User: "bo"}))); err != nil {
		t.Error(err)
	}
}

// V14
func TestViewSaysTheTotalAndNeverTheLengthOfAList(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo"})
	if err := checkBuildCounts(w.showDrawing(card(1), countsChange, nil)); err != nil {
		t.Error(err)
	}
}

// V-07, V7: a host that never answers.
func TestViewSaysThatTheHostDidNotAnswer(t *testing.T) {
	w := newWorld(t, worldOptions{Stopped: true})
	s := w.begin(card(1), hostOptions{"answers": map[string]any{"ui/initialize": "never"}})
	s.waitFor("ui/initialize", func() bool { return len(s.methods(fromView)) == 1 })
	w.must(w.context.Clock().RunFor(21_000))
	s.waitForText("The app did not start this view")
	if got := s.methods(fromView); len(got) != 1 {
		t.Errorf("the view went on speaking: %v", got)
	}
}

// A refusal is said with the host's words (host-quirks 2.2).
func TestViewSaysWhyTheHostRefusedIt(t *testing.T) {
	w := newWorld(t, worldOptions{})
	s := w.begin(card(1), hostOptions{"answers": map[string]any{"ui/initialize": map[string]any{"error": map[string]any{"code": -32603, "message": "no views today"}}}})
	s.waitForText("no views today")
	if got := s.methods(fromView); len(got) != 1 {
		t.Errorf("after the refusal the view said %v", got)
	}
}

// V-16, V-18, V-17
func TestViewAnswersTheHostAndNobodyElse(t *testing.T) {
	s := newWorld(t, worldOptions{}).show(card(7), nil)
	got := s.eval(`async () => {
		const said = [];
		for (const id of [0, 1, 'a', '']) said.push(JSON.stringify(await host.request('ping', undefined, id)));
		for (const method of ['x/unknown', 'tools/list', '__proto__', 'toString']) said.push(await host.request(method, {}).then(() => 'ok', (e) => e.code));
		for (const junk of ['text', 7, null, [], {}, {jsonrpc: '1.0', id: 1, method: 'ping'}, {jsonrpc: '2.0'}, {jsonrpc: '2.0', id: 99, result: {}}, {jsonrpc: '2.0', method: 'ui/notifications/new-thing', params: null}, {jsonrpc: '2.0', method: 'ui/notifications/tool-result'}, {jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: {arguments: null}}]) host.post(junk);
		said.push(JSON.stringify(await host.ping()));
		return said.join(' ');
	}`)
	if want := "{} {} {} {} -32601 -32601 -32601 -32601 {}"; got != want {
		t.Errorf("answers\n got %v\nwant %s", got, want)
	}
	s.caughtUp()
	if text := s.visibleText(); !strings.Contains(text, "Show the rootstock") {
		t.Errorf("junk changed the view:\n%s", text)
	}
	// A message that is not from the parent is not from the host.
	before := len(s.messages())
	s.in(`() => window.postMessage({jsonrpc: '2.0', id: 5, method: 'ping'}, '*')`)
	s.eval(`() => host.ping()`)
	if after := len(s.messages()); after != before+2 {
		t.Errorf("the view answered itself: %d messages more, want a ping and its answer", after-before)
	}
}

// V-12, V23
func TestViewIsSilentAfterTeardown(t *testing.T) {
	w := newWorld(t, worldOptions{Stopped: true})
	s := w.show(card(1), nil)
	if answer := s.eval(`async () => JSON.stringify(await host.teardown({keep: true, reason: 'gone'}))`); answer != "{}" {
		t.Errorf("teardown was answered %v", answer)
	}
	before := len(s.messages())
	// In one run: there is nothing left that could be answered.
	w.must(w.context.Clock().RunFor((30 * time.Minute).Milliseconds()))
	s.eval(`() => host.post({jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: {theme: 'dark'}})`)
	w.runClock(4 * time.Second)
	for _, m := range s.messages()[before:] {
		if m.Direction == fromView {
			t.Errorf("after teardown the view said %s %v", m.Message.Method, m.Message.Params)
		}
	}
	if text := s.visibleText(); !strings.Contains(text, "Closed by the app") || !strings.Contains(text, title) {
		t.Errorf("a closed view reads:\n%s", text)
	}
	if n := s.in(`() => [...document.querySelectorAll('button:not([disabled]), [role=link], [data-url]')].length`); n != 0 {
		t.Errorf("%v controls of a closed view can still be pressed", n)
	}
}

// V23, V-30: a view left alone says nothing.
func TestQuietViewSaysNothing(t *testing.T) {
	w := newWorld(t, worldOptions{Stopped: true})
	s := w.show(card(7), nil)
	w.runClock(4 * time.Second)
	before := len(s.messages())
	w.runClock(10 * time.Minute)
	for _, m := range s.messages()[before:] {
		if m.Message.Method == "ui/notifications/size-changed" {
			t.Errorf("a view nobody touched reported a new size: %v", m.Message.Params)
		}
	}
}

// V-22, V-21: without an origin, storage, forms or anything else.
func TestViewWorksWithScriptsAlone(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo"})
	s := w.show(card(1), hostOptions{"sandbox": "allow-scripts"})
	if origin := s.in(`() => window.origin`); origin != "null" {
		t.Fatalf("the view has the origin %v", origin)
	}
	s.checkFold([]string{title, "There are 2 issues"}, 500)
	s.press("button", "Show 3: Builds")
	if text := s.visibleText(); !strings.Contains(text, "Hide") {
		t.Errorf("nothing opened:\n%s", text)
	}
}
