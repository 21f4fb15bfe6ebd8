//go:build views

package conformance

import (
	"strings"
	"testing"

	"github.com/bb-mcp/bb/golden"
)

// H3: what each view shows, as text. A change of it is a difference a person can
// read.
func TestWhatEachViewShows(t *testing.T) {
	for _, d := range drawings {
		// What the strangers of this one write is held by a test of its own.
		if d.name == "card-hostile" {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			s := d.show(newWorld(t, worldOptions{User: d.user}), nil)
			inline := s.visibleText()
			s.eval(`() => host.setMode('fullscreen')`)
			s.waitFor("fullscreen", func() bool { return s.in(`() => document.documentElement.dataset.mode`) == "full" })
			full := s.visibleText()
			golden.Compare(t, "conformance", d.name+".txt", []byte("Inline, 720 px\n\n"+inline+"\n\nFullscreen\n\n"+full+"\n"))
		})
	}
}

// V11, V33, V47, V-27, V-32
func TestTextByOthersIsOnlyText(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo"})
	s := w.showDrawing(card(1), hostileChange, nil)
	s.eval(`() => host.setMode('fullscreen')`)
	s.waitFor("fullscreen", func() bool { return s.in(`() => document.documentElement.dataset.mode`) == "full" })
	text := s.visibleText()
	for _, want := range []string{"<img src=x onerror=alert(1)><script>alert(2)</script>", "U+202E", "U+200B", "U+0000"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in:\n%s", want, text)
		}
	}
	if strings.ContainsAny(text, "\u202e\u200b\x00") {
		t.Errorf("an invisible or direction-changing character is drawn as itself")
	}
	if n := s.in(`() => document.querySelectorAll('main :is(img, script, iframe, object, embed, form, style, link, [href], [src], [style], [onerror])').length`); n != 0 {
		t.Errorf("%v elements were made that no view makes", n)
	}
	if found := s.in(`() => [...document.querySelectorAll('[data-url]')].map((e) => e.dataset.url).filter((u) => !/^https?:/.test(u)).join()`); found != "" {
		t.Errorf("these addresses can be followed: %v", found)
	}
	if err := checkNoViolation(w); err != nil {
		t.Error(err)
	}
}

// V11, V-27
func TestLinksOpenThroughTheHostAlone(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo"})
	s := w.show(card(1), nil)
	s.press("link", "Open in Bitbucket")
	s.waitFor("the address at the host", func() bool {
		return s.eval(`() => host.links.join()`) == "https://bitbucket.example.com/projects/ORCH/repos/catalogue/pull-requests/1"
	})
	s.must(s.frame.Locator("[data-url]").First().Focus())
	s.must(s.page.Keyboard().Press("Enter"))
	s.waitFor("a second address, by keyboard", func() bool { return s.eval(`() => host.links.length`) == 2 })
	if n := s.in(`() => document.querySelectorAll('[href], [target]').length`); n != 0 {
		t.Errorf("%v elements lead somewhere by themselves", n)
	}
	if n := len(w.context.Pages()); n != 1 {
		t.Errorf("%d pages are open", n)
	}
}

// V11, V41, V-27, V-29, host-quirks 6.3: a refused address is there to copy.
func TestRefusedLinkShowsItsAddressSelected(t *testing.T) {
	const address = "https://bitbucket.example.com/projects/ORCH/repos/catalogue/pull-requests/1"
	for name, o := range map[string]hostOptions{
		"an error":      {"answers": map[string]any{"ui/open-link": map[string]any{"error": map[string]any{"code": -32000, "message": "no"}}}},
		"isError":       {"answers": map[string]any{"ui/open-link": map[string]any{"result": map[string]any{"isError": true}}}},
		"no capability": {"capabilities": map[string]any{}},
		"silence":       {"answers": map[string]any{"ui/open-link": "never"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, worldOptions{User: "bo", Stopped: name == "silence"})
			s := w.show(card(1), o)
			s.press("link", "Open in Bitbucket")
			if name == "silence" {
				s.waitFor("the request", func() bool { return s.eval(`() => host.inFlight`) == 1 })
				w.must(w.context.Clock().RunFor(16_000))
			}
			s.waitForText(address)
			if got := s.in(`() => getSelection().toString().trim()`); got != address {
				t.Errorf("selected is %q", got)
			}
			if name == "no capability" && s.eval(`() => host.log.some((e) => e.message.method === 'ui/open-link')`) == true {
				t.Errorf("a host that opens no links was asked to")
			}
		})
	}
}
