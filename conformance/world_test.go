//go:build views

package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/ui/host"
	"github.com/playwright-community/playwright-go"
)

// world is what one test has: a server, the host in front of it, and a page of
// that host in a browser context of its own. Whatever goes wrong in any frame
// fails the test.
type world struct {
	testing.TB
	fake     *fakebb.Server // nil when the test brought its own server
	site     *host.Site
	context  playwright.BrowserContext
	page     playwright.Page
	problems *problems
	mutant   string          // worldOptions.Page
	seen     map[string]bool // addresses of views that were mounted
}

// worldOptions say how a world differs from the usual one.
type worldOptions struct {
	// User is the person bb acts for. Default: fakebb.DefaultUser.
	User string
	// MCP is the server behind the host. [newWorld] sets it.
	MCP http.Handler
	// Now is the time in the browser. Zero: the world's, or in [newWorld] the
	// fake's.
	Now time.Time
	// Stopped stands the browser's clock still: no timer fires until the test
	// runs it. Otherwise only the date stands still and timers run.
	Stopped bool
	// RealClock leaves the browser its own clock, to measure with.
	RealClock bool
	// Width and Height are the viewport. Default: 1280 × 900.
	Width, Height int
	// Allow holds parts of problems that this test provokes.
	Allow []string
	// Init is a script run in every frame before its own.
	Init string
	// Page is a page to mount instead of the one the server serves.
	Page string

	host *host.Options // the preview page of this host instead of the bare one
}

// patience is how long a browser may take for anything, on a slow and busy
// machine.
const patience = 20 * time.Second

// watch runs first in every frame. It makes console errors of what a browser
// would only say quietly, and counts the messages that arrived.
const watch = `
globalThis.messagesHeard = 0;
addEventListener('message', () => { globalThis.messagesHeard++; });
addEventListener('securitypolicyviolation', (e) => console.error('policy violation: ' + e.effectiveDirective + ' ' + e.blockedURI + ' ' + e.sample));
addEventListener('unhandledrejection', (e) => console.error('unhandled rejection: ' + (e.reason && e.reason.stack || e.reason)));
`

// newWorld starts the fake, the real server on it and a host in front of both,
// with the browser's date at the fake's.
func newWorld(t testing.TB, o worldOptions) *world {
	t.Helper()
	fake := fakebb.New(fakebb.Options{})
	user := cmp.Or(o.User, fakebb.DefaultUser)
	client, err := bitbucket.New(bitbucket.Options{URL: fakebb.DefaultBaseURL, Token: fakebb.Token(user), Transport: fake.Transport()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{Bitbucket: client, Demo: true, Now: fake.Now, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	o.MCP = s.HTTPHandler()
	if o.Now.IsZero() && !o.RealClock {
		o.Now = fake.Now()
	}
	w := startWorld(t, o)
	w.fake = fake
	return w
}

// bitbucket reads what Bitbucket answers this person, to hold a view against.
func (w *world) bitbucket(user, path string, into any) {
	w.Helper()
	r, err := http.NewRequest(http.MethodGet, fakebb.DefaultBaseURL+path, nil)
	w.must(err)
	r.Header.Set("Authorization", "Bearer "+fakebb.Token(user))
	response, err := w.fake.Transport().RoundTrip(r)
	w.must(err)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		w.Fatalf("%s: %s", path, response.Status)
	}
	w.must(json.NewDecoder(response.Body).Decode(into))
}

// card are the arguments of the show call for a pull request of ORCH/catalogue.
func card(id int) map[string]any {
	return map[string]any{"kind": "pull_request", "project": "ORCH", "repo": "catalogue", "id": id}
}

// startWorld serves a host in front of o.MCP and opens one of its pages.
func startWorld(t testing.TB, o worldOptions) *world {
	t.Helper()
	page := ""
	if o.host == nil {
		o.host, page = &host.Options{MCP: o.MCP}, "bare.html"
	}
	site, err := host.Start(context.Background(), "127.0.0.1:0", *o.host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { site.Close() })
	w := &world{TB: t, site: site, mutant: o.Page, seen: map[string]bool{}, problems: &problems{allow: o.Allow}}
	size := &playwright.Size{Width: 1280, Height: 900}
	if o.Width != 0 {
		size = &playwright.Size{Width: o.Width, Height: o.Height}
	}
	w.context, err = browser.NewContext(playwright.BrowserNewContextOptions{Viewport: size, TimezoneId: playwright.String("UTC"), Locale: playwright.String("en-US")})
	w.must(err)
	t.Cleanup(func() { w.context.Close() })
	w.context.SetDefaultTimeout(float64(patience.Milliseconds()))
	w.must(w.context.AddInitScript(playwright.Script{Content: playwright.String(watch + o.Init)}))
	w.context.OnConsole(func(m playwright.ConsoleMessage) {
		if m.Type() == "error" {
			w.problems.add("console: " + m.Text())
		}
	})
	w.context.OnWebError(func(e playwright.WebError) { w.problems.add("page error: " + e.Error().Error()) })
	w.context.OnRequestFailed(func(r playwright.Request) { w.problems.add("request failed: " + r.URL() + ": " + r.Failure().Error()) })
	switch {
	case o.Stopped:
		w.must(w.context.Clock().Install(playwright.ClockInstallOptions{Time: o.Now}))
		w.must(w.context.Clock().PauseAt(o.Now.Add(time.Second)))
	case !o.Now.IsZero():
		w.must(w.context.Clock().SetFixedTime(o.Now))
	}
	w.open(site.URL + page)
	t.Cleanup(w.end)
	return w
}

// open opens an address in a new page, which is the world's from now on.
func (w *world) open(address string) {
	w.Helper()
	var err error
	w.page, err = w.context.NewPage()
	w.must(err)
	_, err = w.page.Goto(address)
	w.must(err)
}

// end keeps a picture of what failed and says what went wrong in the browser.
func (w *world) end() {
	for _, problem := range w.problems.unexpected() {
		w.Errorf("in the browser: %s", problem)
	}
	if dir := os.Getenv("BB_REPORT"); dir != "" && w.Failed() {
		w.screenshot(filepath.Join(dir, "screenshots", fileName(w.Name())+".png"))
	}
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// screenshot writes a picture of the viewport.
func (w *world) screenshot(path string) {
	w.Helper()
	w.must(os.MkdirAll(filepath.Dir(path), 0o755))
	if _, err := w.page.Screenshot(playwright.PageScreenshotOptions{Path: playwright.String(path)}); err != nil {
		w.Errorf("screenshot: %v", err)
	}
}

// eval evaluates a function in the host's page.
func (w *world) eval(function string, args ...any) any {
	w.Helper()
	return w.evaluate(w.page.MainFrame(), function, args...)
}

// evaluate evaluates a function in a frame. What the browser never answers ends
// the test and not the run.
func (w *world) evaluate(frame playwright.Frame, function string, args ...any) any {
	w.Helper()
	type answer struct {
		value any
		err   error
	}
	answered := make(chan answer, 1)
	go func() {
		value, err := frame.Evaluate(function, args...)
		answered <- answer{value, err}
	}()
	select {
	case a := <-answered:
		w.must(a.err)
		return a.value
	case <-time.After(patience):
		w.Fatalf("the browser did not answer for %s: %s", patience, function)
		return nil
	}
}

// runClock lets a stopped clock run for d, in steps smaller than any time-out
// of the page's, and after each waits until what the view asked was answered:
// one long run would let time-outs pass before a real answer can arrive.
func (w *world) runClock(d time.Duration) {
	w.Helper()
	const step = 5 * time.Second
	for ; d > 0; d -= step {
		w.must(w.context.Clock().RunFor(int(min(step, d).Milliseconds())))
		w.settle()
	}
}

// settle waits until no request of the view's is in flight. It polls from
// outside, because timers inside may stand still.
func (w *world) settle() {
	w.Helper()
	w.waitFor("no request of the view's in flight", func() bool { return w.eval(`() => globalThis.host?.inFlight ?? 0`) == 0 })
}

// waitFor polls until something holds.
func (w *world) waitFor(what string, holds func() bool) {
	w.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			w.Fatalf("waited %s in vain for: %s", patience, what)
		case <-tick.C:
		}
	}
}

// problems collects what went wrong in the browser.
type problems struct {
	mu    sync.Mutex
	found []string
	allow []string
}

func (p *problems) add(problem string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.found = append(p.found, problem)
}

// unexpected gives the problems no test allowed.
func (p *problems) unexpected() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var found []string
next:
	for _, problem := range p.found {
		for _, allowed := range p.allow {
			if strings.Contains(problem, allowed) {
				continue next
			}
		}
		found = append(found, problem)
	}
	return found
}

// fileName makes a test's name a file's name.
func fileName(name string) string {
	return strings.NewReplacer("/", "-", "%", "").Replace(url.PathEscape(strings.ReplaceAll(name, "/", "-")))
}

// allowAll is for a test that was to provoke what was found.
func (p *problems) allowAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allow = []string{""}
}
