//go:build views

package conformance

import (
	"context"
	_ "embed"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed testdata/probe.html
var probePage string

// probeServer is a small real server whose view is the probe. It keeps what it
// was called with.
type probeServer struct {
	mu    sync.Mutex
	calls []*mcp.CallToolRequest
}

func (s *probeServer) handler(csp map[string]any) http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "probe", Version: "1"}, nil)
	add := func(name string, meta mcp.Meta) {
		tool := &mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}, Meta: meta}
		server.AddTool(tool, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.mu.Lock()
			s.calls = append(s.calls, r)
			s.mu.Unlock()
			return &mcp.CallToolResult{
				Content:           []mcp.Content{&mcp.TextContent{Text: "text of " + name}},
				StructuredContent: map[string]any{"of": name},
				Meta:              mcp.Meta{"probe": name},
			}, nil
		})
	}
	add("show", mcp.Meta{"ui": map[string]any{"resourceUri": "ui://probe/view", "visibility": []any{"model"}}})
	add("for_views", mcp.Meta{"ui": map[string]any{"visibility": []any{"app"}}})
	add("for_both", nil)
	ui := map[string]any{}
	if csp != nil {
		ui["csp"] = csp
	}
	server.AddResource(&mcp.Resource{URI: "ui://probe/view", Name: "view", MIMEType: "text/html;profile=mcp-app"},
		func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: "ui://probe/view", MIMEType: "text/html;profile=mcp-app", Text: probePage, Meta: mcp.Meta{"ui": ui},
			}}}, nil
		})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
}

func (s *probeServer) called() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, r := range s.calls {
		names = append(names, r.Params.Name)
	}
	return names
}

// empty is the csp of a resource that uses nothing from elsewhere.
func empty() map[string]any {
	return map[string]any{"connectDomains": []any{}, "resourceDomains": []any{}, "frameDomains": []any{}, "baseUriDomains": []any{}}
}

// probed mounts a probe that has not begun its handshake yet.
func probed(t *testing.T, o hostOptions, w worldOptions) (*shown, *probeServer) {
	t.Helper()
	s := &probeServer{}
	if w.MCP == nil {
		w.MCP = s.handler(empty())
	}
	world := startWorld(t, w)
	world.startHost(o)
	world.eval(`() => { globalThis.showing = host.show({kind: 'x'}); showing.catch(() => {}); }`)
	return world.mounted(), s
}

// started is a probe that has its result.
func started(t *testing.T, o hostOptions, w worldOptions) (*shown, *probeServer) {
	t.Helper()
	p, s := probed(t, o, w)
	p.in(`() => probe.start()`)
	p.eval(`() => showing`)
	return p, s
}

// H-25, H-30, H-31, H-34
func TestHostIsSilentUntilInitializedThenSendsInputAndTheWholeResult(t *testing.T) {
	p, s := probed(t, nil, worldOptions{})
	p.waitFor("the server to have answered show", func() bool { return len(s.called()) == 1 })
	p.eval(`() => { host.ping(); host.change({theme: 'dark'}); }`)
	if got := p.methods(toView); got != nil {
		t.Errorf("before the handshake the host sent %v", got)
	}
	p.in(`() => probe.start()`)
	p.eval(`() => showing`)
	p.waitFor("four messages at the view", func() bool { return p.in(`() => probe.heard.length`) == 4 })
	want := []string{"answer", "ping", "ui/notifications/host-context-changed", "ui/notifications/tool-input", "ui/notifications/tool-result"}
	if diff := cmp.Diff(want, p.methods(toView)); diff != "" {
		t.Errorf("messages to the view (-want +got):\n%s", diff)
	}
	got := p.in(`() => { const r = probe.heard[3].params; return {of: r.structuredContent.of, meta: r._meta.probe, text: r.content[0].text, input: probe.heard[2].params.arguments.kind}; }`)
	if diff := cmp.Diff(map[string]any{"of": "show", "meta": "show", "text": "text of show", "input": "x"}, got); diff != "" {
		t.Errorf("what the view got (-want +got):\n%s", diff)
	}
	if faults := p.eval(`() => host.faults.length`); faults != 0 {
		t.Errorf("the host found fault with the probe: %v", p.eval(`() => JSON.stringify(host.faults)`))
	}
}

// H-01, H-02
func TestHostDeclaresThatItDrawsViewsInEveryRequest(t *testing.T) {
	p, s := started(t, nil, worldOptions{})
	p.in(`() => probe.request('tools/call', {name: 'for_views', arguments: {}})`)
	for _, r := range s.calls {
		ext, _ := r.ClientCapabilities().Extensions["io.modelcontextprotocol/ui"].(map[string]any)
		if diff := cmp.Diff([]any{"text/html;profile=mcp-app"}, ext["mimeTypes"]); diff != "" {
			t.Errorf("%s: mimeTypes (-want +got):\n%s", r.Params.Name, diff)
		}
	}
	if diff := cmp.Diff([]string{"show", "for_views"}, s.called()); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

// H-08, H-58
func TestHostRefusesAViewsCallOfAToolForTheModel(t *testing.T) {
	p, s := started(t, nil, worldOptions{})
	refused := p.in(`async () => (await probe.request('tools/call', {name: 'show', arguments: {}})).error?.message`)
	if refused != "the tool show is for the model, not for views" {
		t.Errorf("a view's call of show was answered %v", refused)
	}
	if got := p.in(`async () => (await probe.request('tools/call', {name: 'for_both', arguments: {}}))._meta.probe`); got != "for_both" {
		t.Errorf("a view's call of for_both was answered %v", got)
	}
	if diff := cmp.Diff([]string{"show", "for_both"}, s.called()); diff != "" {
		t.Errorf("calls at the server (-want +got):\n%s", diff)
	}
}

// H-10, H-11, H-14, V33
func TestHostServesAViewUnderThePolicyOfItsResource(t *testing.T) {
	for _, c := range []struct {
		name string
		csp  map[string]any
		want string
	}{
		{"empty lists", empty(), "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self' data:; frame-src 'none'; object-src 'none'; base-uri 'self'; require-trusted-types-for 'script'; trusted-types 'none'"},
		{"nothing declared", nil, "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'; require-trusted-types-for 'script'; trusted-types 'none'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &probeServer{}
			p, _ := probed(t, nil, worldOptions{MCP: s.handler(c.csp), Allow: []string{"policy violation", "Refused", "violates", "requires 'Trusted", "request failed"}})
			if diff := cmp.Diff(c.want, p.eval(`() => host.policy`)); diff != "" {
				t.Errorf("policy (-want +got):\n%s", diff)
			}
			refused := p.in(`async () => {
				const seen = [];
				addEventListener('securitypolicyviolation', (e) => seen.push(e.effectiveDirective));
				try { document.body.innerHTML = '<b>x</b>'; seen.push('innerHTML worked'); } catch {}
				await fetch('https://bitbucket.example.com/').catch(() => {});
				// What an evaluation from outside runs may eval; what the page runs may not.
				await new Promise((done) => setTimeout(() => { try { eval('1'); seen.push('eval worked'); } catch {} done(); }));
				const image = new Image(); image.src = 'https://bitbucket.example.com/x.png';
				const frame = document.createElement('iframe'); frame.src = 'https://bitbucket.example.com/'; document.body.append(frame);
				await new Promise((done) => setTimeout(done, 100));
				return seen.sort().join(' ');
			}`)
			if got := refused.(string); got != "connect-src frame-src img-src require-trusted-types-for require-trusted-types-for" &&
				got != "connect-src frame-src img-src require-trusted-types-for script-src" {
				t.Errorf("the view was refused: %s", got)
			}
		})
	}
}

// H-19, H-21, H-22, V-22
func TestSandboxKeepsTheViewAwayFromTheHost(t *testing.T) {
	for _, c := range []struct{ sandbox, origin string }{
		{"allow-scripts allow-same-origin", "http://localhost"},
		{"allow-scripts", "null"},
	} {
		t.Run(c.sandbox, func(t *testing.T) {
			p, _ := started(t, hostOptions{"sandbox": c.sandbox}, worldOptions{Allow: []string{"Blocked", "blocked", "sandboxed"}})
			if got := p.in(`() => window.origin`).(string); !strings.HasPrefix(got, c.origin) {
				t.Errorf("the view's origin is %s", got)
			}
			got := p.in(`() => {
				const reached = [];
				try { top.document; reached.push('the host'); } catch {}
				if (window.open('about:blank')) reached.push('a window');
				if (confirm('?')) reached.push('a dialog');
				return reached.join();
			}`)
			if got != "" {
				t.Errorf("the view reached %v", got)
			}
		})
	}
}

// H-24
func TestSandboxForwardsEverythingButItsOwnMessages(t *testing.T) {
	p, _ := started(t, nil, worldOptions{})
	p.in(`async () => {
		probe.notify('ui/notifications/sandbox-proxy-ready', {});
		probe.post('junk');
		probe.post({jsonrpc: '1.0', method: 'ping', id: 1});
		await probe.request('ping');
	}`)
	if heard := p.in(`() => probe.heard.map((m) => m.method).filter((m) => m.includes('sandbox')).join()`); heard != "" {
		t.Errorf("the view heard %v", heard)
	}
	for _, m := range p.messages() {
		if strings.Contains(m.Message.Method, "sandbox") {
			t.Errorf("the host took %s from the view", m.Message.Method)
		}
	}
	var faults []struct{ What string }
	p.read(`host.faults`, &faults)
	if len(faults) != 2 {
		t.Errorf("two messages were junk, the host counted %v", faults)
	}
}

// H-27, H-29, H-56, H-50
func TestHostAnswersEveryRequest(t *testing.T) {
	p, _ := probed(t, nil, worldOptions{})
	got := p.in(`async () => {
		const of = async (method, params, id) => { const r = await probe.request(method, params, id); return r.error ? String(r.error.code) : 'ok'; };
		const answers = [await of('ui/initialize', {appInfo: {name: 'x'}, appCapabilities: {}, protocolVersion: '2026-01-26'}, 'early')];
		await probe.start();
		answers.push(await of('x/unknown', {}), await of('ping', undefined, 0), await of('ping', undefined, 'a string'));
		for (const url of ['https://example.com/', 'javascript:alert(1)', 'file:///etc/passwd', 'x']) answers.push(await of('ui/open-link', {url}));
		answers.push(await of('ui/message', {role: 'user', content: {type: 'text', text: 'x'}}), await of('ui/update-model-context', {content: [{type: 'text', text: 'x'}]}), await of('ui/request-display-mode', {mode: 'huge'}));
		return answers.join(' ');
	}`)
	if want := "-32602 -32601 ok ok ok -32000 -32000 -32000 -32602 ok -32602"; got != want {
		t.Errorf("answers\n got %s\nwant %s", got, want)
	}
	if got := p.eval(`() => host.links.join()`); got != "https://example.com/" {
		t.Errorf("links asked for: %v", got)
	}
	if got := p.eval(`() => host.modelContext.content[0].text`); got != "x" {
		t.Errorf("the model was told %v", got)
	}
}

// H-42, H-43, H-44, H-46, H-47, H-48
func TestHostGrantsOnlyModesThatBothHaveAndFollowsSizes(t *testing.T) {
	p, _ := started(t, hostOptions{"maxHeight": 400}, worldOptions{Width: 1000, Height: 800})
	height := func() any { return p.in(`() => innerHeight`) }
	p.in(`() => probe.notify('ui/notifications/size-changed', {height: 333})`)
	p.waitFor("the frame to be 333 px high", func() bool { return height() == 333 })
	p.in(`() => probe.notify('ui/notifications/size-changed', {height: 4000})`)
	p.waitFor("the frame to stop at 400 px", func() bool { return height() == 400 })
	if got := p.in(`async () => (await probe.request('ui/request-display-mode', {mode: 'pip'})).mode`); got != "inline" {
		t.Errorf("pip, which the host does not have, was answered with %v", got)
	}
	if got := p.in(`async () => (await probe.request('ui/request-display-mode', {mode: 'fullscreen'})).mode`); got != "fullscreen" {
		t.Errorf("fullscreen was answered with %v", got)
	}
	p.waitFor("a frame of the whole page", func() bool { return p.in(`() => innerWidth + 'x' + innerHeight`) == "1000x800" })
	last := p.in(`() => { const c = probe.heard.at(-1).params; return c.displayMode + ' ' + c.containerDimensions.width + 'x' + c.containerDimensions.height; }`)
	if last != "fullscreen 1000x800" {
		t.Errorf("the context said %v", last)
	}
}

// H-27: what section 16.1 of the protocol reference names as fatal to views.
func TestHostRefusesToSendAContextThatBreaksViews(t *testing.T) {
	p, _ := started(t, nil, worldOptions{})
	got := p.eval(`() => [
		{theme: 'system'}, {displayMode: 'wide'}, {availableDisplayModes: ['x']}, {platform: 'tv'}, {locale: null}, {containerDimensions: null},
		{containerDimensions: {maxHeight: null}}, {safeAreaInsets: {top: 1}}, {styles: {variables: {'--color-bg': '#fff'}}},
		{styles: {variables: {'--font-sans': null}}}, {toolInfo: {}}, {toolInfo: {tool: {name: 'x'}}},
	].filter((c) => !bbhost.contextFaults(c).length).map((c) => JSON.stringify(c)).join()`)
	if got != "" {
		t.Errorf("no fault was found with %v", got)
	}
	if got := p.eval(`() => bbhost.VARIABLES.length + ' ' + bbhost.VARIABLES.filter((v) => !bbhost.standardVariables()[v]).join()`); got != "76 " {
		t.Errorf("standard variables: %v", got)
	}
	thrown := p.eval(`() => { try { host.change({context: {platform: 'tv'}}); return 'sent'; } catch (e) { return e.message; } }`)
	if thrown != "host context: platform is none of web, desktop, mobile" {
		t.Errorf("a faulty context was: %v", thrown)
	}
}

// H-37, H-38
func TestTeardownWaitsForTheViewThenTakesTheFrameAway(t *testing.T) {
	p, _ := started(t, nil, worldOptions{})
	answer := p.eval(`async () => JSON.stringify(await host.teardown({reason: 'done'}))`)
	if answer != "{}" {
		t.Errorf("teardown was answered %v", answer)
	}
	if n := p.eval(`() => document.querySelectorAll('iframe').length`); n != 0 {
		t.Errorf("%v frames are left", n)
	}
	silent, _ := started(t, nil, worldOptions{})
	silent.in(`() => { probe.silent = true; }`)
	if answer := silent.eval(`() => host.teardown({wait: 50})`); answer != nil {
		t.Errorf("a view that did not answer was taken to say %v", answer)
	}
}

// TestHostCanBeAwkward: each switch does what it says, so that tests of a view
// can rely on it.
func TestHostCanBeAwkward(t *testing.T) {
	p, _ := started(t, hostOptions{
		"theme": nil, "variables": "standard", "height": 300, "displayModes": []string{"inline"},
		"context": map[string]any{"locale": nil, "timeZone": "Asia/Tokyo"}, "dropMeta": true, "withholdInput": true,
		"answers":      map[string]any{"ui/open-link": map[string]any{"result": map[string]any{"isError": true}}, "tools/call": "never"},
		"capabilities": map[string]any{"openLinks": map[string]any{}},
	}, worldOptions{})
	got := p.in(`() => { const c = probe.hello.hostContext; return [c.theme, Object.keys(c.styles.variables).length, c.containerDimensions.height, c.availableDisplayModes, c.locale, c.timeZone, Object.keys(probe.hello.hostCapabilities)].join(); }`)
	if got != ",76,300,inline,,Asia/Tokyo,openLinks" {
		t.Errorf("hello: %v", got)
	}
	p.waitFor("the result", func() bool { return p.in(`() => probe.heard.length`) == 1 })
	if got := p.in(`() => probe.heard[0].method + ' ' + ('_meta' in probe.heard[0].params)`); got != "ui/notifications/tool-result false" {
		t.Errorf("heard: %v", got)
	}
	if got := p.in(`async () => (await probe.request('ui/open-link', {url: 'https://example.com'})).isError`); got != true {
		t.Errorf("open-link: %v", got)
	}
	if got := p.in(`async () => (await probe.request('ui/message', {role: 'user', content: []})).error.code`); got != -32601 {
		t.Errorf("a message to a host that takes none: %v", got)
	}
	p.in(`() => { probe.request('tools/call', {name: 'for_views', arguments: {}}); }`)
	p.waitFor("one request in flight", func() bool { return p.eval(`() => host.inFlight`) == 1 })
}

func TestHostCountsBreachesOfTheHandshake(t *testing.T) {
	p, _ := probed(t, hostOptions{"delays": map[string]any{"ui/initialize": 50}}, worldOptions{})
	p.in(`async () => {
		probe.notify('ui/notifications/size-changed', {height: 10});
		const starting = probe.start();
		probe.notify('ui/notifications/initialized', {});
		await starting;
		probe.notify('ui/notifications/initialized', {});
		await probe.request('ping');
	}`)
	var faults []struct{ What string }
	p.read(`host.faults`, &faults)
	want := []struct{ What string }{{"ui/notifications/size-changed before ui/notifications/initialized"}, {"ui/notifications/initialized before the answer to ui/initialize"}, {"a second ui/notifications/initialized"}}
	if diff := cmp.Diff(want, faults); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

// W3C's formula: each colour on its background, in both themes.
func TestStandardVariablesAreReadable(t *testing.T) {
	p, _ := probed(t, nil, worldOptions{})
	got := p.eval(`() => {
		const set = bbhost.standardVariables();
		const light = (hex) => { const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
		const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
		const sides = (name) => set[name].match(/#[0-9a-f]{6}/g);
		const poor = [];
		const check = (text, background, least) => [0, 1].forEach((i) => { const r = ratio(sides(text)[i], sides(background)[i]); if (r < least) poor.push(text + ' on ' + background + ' ' + ['light', 'dark'][i] + ' ' + r.toFixed(2)); });
		for (const ground of ['primary', 'secondary', 'tertiary']) for (const text of ['primary', 'secondary', 'tertiary']) check('--color-text-' + text, '--color-background-' + ground, 4.5);
		for (const state of ['inverse', 'info', 'danger', 'success', 'warning']) check('--color-text-' + state, '--color-background-' + state, 4.5);
		for (const state of ['info', 'danger', 'success', 'warning']) check('--color-text-' + state, '--color-background-primary', 4.5);
		check('--color-border-primary', '--color-background-primary', 3);
		return poor.join('; ');
	}`)
	if got != "" {
		t.Error(got)
	}
}
