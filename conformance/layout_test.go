//go:build views

package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// drawing is something a view draws, for tests that go through all of them.
type drawing struct {
	name      string
	user      string
	arguments map[string]any
	change    string // of the payload, as in showDrawing
}

var drawings = []drawing{
	{name: "card", user: "bo", arguments: card(1)},
	{name: "card-merged", user: "bo", arguments: card(2)},
	{name: "card-declined", user: "bo", arguments: card(3)},
	{name: "card-draft", user: "amara", arguments: card(4)},
	{name: "card-clean", user: "bo", arguments: card(7)},
	{name: "card-conflict", user: "amara", arguments: card(8)},
	{name: "card-waiting-for-review", user: "amara", arguments: card(10)},
	{name: "card-pending", user: "chen", arguments: card(1)},
	{name: "card-large", user: "bo", arguments: card(1), change: largeChange},
	{name: "card-hostile", user: "bo", arguments: card(1), change: hostileChange},
	{name: "card-stale", user: "bo", arguments: card(1), change: `p.demo = false; p.now -= 25 * 3600e3; p.readAt = p.now`},
	{name: "list", user: "amara", arguments: catalogue()},
	{name: "list-own", user: "amara", arguments: map[string]any{"kind": "pull_requests", "state": "ALL"}},
	{name: "list-empty", user: "amara", arguments: map[string]any{"kind": "pull_requests", "project": "ORCH", "repo": "paths"}},
}

// largeChange makes #1 as large as architecture 7 has #5: 150 builds, 40
// reviewers, and more activity than is carried.
const largeChange = `
	const pr = p.pullRequest, build = pr.builds.items[0], reviewer = pr.reviewers.items[1], activity = pr.activity.items;
	pr.builds.items = Array.from({length: 30}, (_, i) => ({...build, name: 'Orchard shard ' + (i + 1) + ' of the nightly integration run', state: i ? 'SUCCESSFUL' : 'FAILED'}));
	Object.assign(pr.builds, {count: {total: 150}, states: {failed: 1, successful: 149}});
	pr.reviewers.items = Array.from({length: 20}, (_, i) => ({person: {name: 'p' + i, displayName: 'Reviewer Number ' + (i + 1)}, status: ['APPROVED', 'NEEDS_WORK', 'UNAPPROVED'][i % 3]}));
	Object.assign(pr.reviewers, {count: {total: 40}, approved: {total: 14}, changesRequested: {total: 13}});
	pr.activity.items = Array.from({length: 5}, () => activity).flat();
	pr.activity.more = true;
`

// hostileChange puts what people can write where people can write.
const hostileChange = `
	const pr = p.pullRequest, long = 'x'.repeat(300), markup = '<img src=x onerror=alert(1)><script>alert(2)</' + 'script>';
	const rtl = '\u202Efdp.exe', zero = 'a\u200Bb\u0000c', evil = 'javascript:alert(3)';
	pr.title = markup + ' ' + rtl + ' ' + zero + ' ' + long;
	pr.description = markup + '\n\n[click](' + evil + ') ![x](https://evil.example.com/x.png) ' + long + '\n\n' + '> '.repeat(50) + 'deep\n\n' + rtl;
	pr.author.displayName = markup; pr.author.url = evil; pr.source.name = long + rtl; pr.source.url = evil; pr.url = evil;
	pr.builds.items[0].name = markup + rtl; pr.builds.items[0].url = 'data:text/html,x';
	for (const reviewer of pr.reviewers.items) reviewer.person.displayName = markup + long;
	for (const veto of pr.mergeCheck.vetoes) { veto.summary = markup + zero; veto.detail = rtl + long; }
	for (const item of pr.activity.items) { item.url = evil; if (item.comment) { item.comment.text = markup + '\n' + rtl; item.comment.url = evil; } if (item.anchor) item.anchor.path = markup + '/' + long; }
`

func (d drawing) show(w *world, o hostOptions) *shown {
	w.Helper()
	if d.change != "" {
		return w.showDrawing(d.arguments, d.change, o)
	}
	return w.show(d.arguments, o)
}

// V20, scenario 1: from 280 px up, no view scrolls sideways, and where it is
// narrow every control is 44 px high.
func TestViewsFitEveryWidth(t *testing.T) {
	for _, d := range drawings {
		t.Run(d.name, func(t *testing.T) {
			w := newWorld(t, worldOptions{User: d.user, Width: 1300, Height: 800})
			s := d.show(w, nil)
			for _, mode := range []string{"inline", "fullscreen"} {
				if mode == "fullscreen" {
					s.eval(`() => host.setMode('fullscreen')`)
					s.waitFor("fullscreen", func() bool { return s.in(`() => document.documentElement.dataset.mode`) == "full" })
				}
				for _, width := range []int{280, 390, 720, 1280} {
					if mode == "fullscreen" {
						w.must(w.page.SetViewportSize(width, 800))
					} else {
						s.eval(`(width) => host.change({width})`, width)
					}
					s.waitFor(fmt.Sprintf("a frame of %d px", width), func() bool { return s.in(`() => innerWidth`) == width })
					for _, fault := range s.layoutFaults() {
						t.Errorf("%s, %d px: %s", mode, width, fault)
					}
				}
			}
		})
	}
}

// layoutFaults says what does not fit: text or boxes beyond the page's edge that
// no scroll area of their own holds, and small targets where it is narrow.
func (s *shown) layoutFaults() []string {
	s.Helper()
	found := s.in(`() => {
		const faults = [];
		const wide = document.documentElement.scrollWidth;
		if (wide > innerWidth) faults.push('the page is ' + wide + ' px wide');
		const held = (e) => { for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) if (getComputedStyle(p).overflowX !== 'visible') return true; return false; };
		for (const e of document.querySelectorAll('main *')) {
			if (!e.checkVisibility() || held(e)) continue;
			const box = e.getBoundingClientRect();
			if (box.width && (box.right > innerWidth + 1 || box.left < -1)) { faults.push(e.tagName + '.' + e.className + ' reaches from ' + box.left + ' to ' + box.right); break; }
		}
		if (innerWidth < 480) for (const e of document.querySelectorAll('button, .square')) {
			const box = e.getBoundingClientRect();
			if (e.checkVisibility() && (box.height < 44 || box.width < 44)) faults.push('the target "' + (e.ariaLabel ?? e.innerText) + '" is ' + box.width + ' by ' + box.height);
		}
		return faults.join('\n');
	}`).(string)
	if found == "" {
		return nil
	}
	return strings.Split(found, "\n")
}

// V-08, V-15, host-quirks 4: the frame follows the content, never to 0, never in
// a loop, and nothing is reported fullscreen.
func TestSizeIsReportedWhenItChangesAndOnlyThen(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo"})
	s := w.show(card(1), nil)
	fits := func() bool {
		return s.in(`() => innerHeight === Math.ceil(document.body.getBoundingClientRect().height) && document.documentElement.scrollHeight <= innerHeight`) == true
	}
	s.waitFor("the frame to be as high as the card", fits)
	s.press("button", "Show 3: Builds")
	s.waitFor("the frame to follow", fits)
	s.press("button", "Hide: Builds")
	s.waitFor("the frame to shrink again", fits)
	var sizes []struct{ Width, Height float64 }
	// What the host said last is answered in the next frame.
	s.eval(`() => host.ping()`)
	s.in(`() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`)
	s.eval(`() => host.ping()`)
	s.read(`host.sizes`, &sizes)
	// Waiting, drawn, open, closed; a card whose fonts settle may tell once more.
	if len(sizes) < 3 || len(sizes) > 6 {
		t.Errorf("%d sizes were reported: %v", len(sizes), sizes)
	}
	for _, size := range sizes {
		if size.Height < 40 || size.Width != 0 {
			t.Errorf("a size of %v by %v was reported", size.Width, size.Height)
		}
	}
	s.press("button", "Fullscreen")
	s.waitFor("fullscreen", func() bool { return s.in(`() => document.documentElement.dataset.mode`) == "full" })
	before := len(sizes)
	s.eval(`() => host.ping()`)
	if s.read(`host.sizes`, &sizes); len(sizes) != before {
		t.Errorf("fullscreen, sizes were reported: %v", sizes[before:])
	}
}

// host-quirks 4.1, 4.2, 4.6: hosts clip, or pin the frame one pixel short.
func TestSizeDoesNotChaseTheHost(t *testing.T) {
	for name, o := range map[string]hostOptions{
		"a host that clips":          {"maxHeight": 300},
		"a host of a fixed height":   {"height": 695},
		"a host that follows nobody": {"follow": false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, worldOptions{User: "bo", Stopped: true})
			s := w.show(card(1), o)
			w.runClock(10_000_000_000)
			var sizes []struct{ Height float64 }
			if s.read(`host.sizes`, &sizes); len(sizes) > 3 {
				t.Errorf("%d sizes were reported: %v", len(sizes), sizes)
			}
		})
	}
	w := newWorld(t, worldOptions{User: "bo"})
	s := w.show(card(1), hostOptions{"follow": false})
	// A host that gives each report one pixel less, as one was seen doing.
	s.eval(`() => host.addEventListener('size', ({detail}) => { host.frame.style.blockSize = (detail.height - 1) + 'px'; })`)
	s.press("button", "Show 3: Builds")
	for range 20 {
		s.eval(`() => host.ping()`)
	}
	var sizes []struct{ Height float64 }
	if s.read(`host.sizes`, &sizes); len(sizes) > 4 {
		t.Errorf("the view chases its frame: %v", sizes)
	}
}

// TestScreenshots writes a picture of everything, for whoever changes a view.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("BB_SCREENSHOTS")
	if dir == "" {
		t.Skip("set BB_SCREENSHOTS to a folder to get a picture of every state")
	}
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int{280, 390, 720} {
			o := hostOptions{"theme": theme, "width": width}
			name := func(of string) string {
				return filepath.Join(dir, fmt.Sprintf("%s-%s-%d.png", strings.ReplaceAll(of, " ", "-"), theme, width))
			}
			for _, d := range drawings {
				w := newWorld(t, worldOptions{User: d.user, Width: width, Height: 500})
				s := d.show(w, o)
				s.waitFor("the frame to follow", func() bool { return number(s.in(`() => innerHeight`)) > 100 })
				w.screenshot(name(d.name))
			}
			for _, state := range states {
				w := newWorld(t, worldOptions{Width: width, Height: 500, Stopped: state.waits > 0})
				state.show(w, o)
				w.screenshot(name("state-" + state.name))
			}
		}
		for _, variables := range []any{nil, "standard"} {
			for _, d := range drawings {
				w := newWorld(t, worldOptions{User: d.user, Width: 1280, Height: 760})
				s := d.show(w, hostOptions{"theme": theme, "variables": variables})
				s.eval(`() => host.setMode('fullscreen')`)
				s.waitFor("fullscreen", func() bool { return s.in(`() => innerHeight`) == 760 })
				of := d.name + "-fullscreen"
				if variables != nil {
					of += "-variables"
				}
				w.screenshot(filepath.Join(dir, of+"-"+theme+".png"))
			}
		}
	}
}
