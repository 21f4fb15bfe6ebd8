package host

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// site starts a host whose MCP endpoint says that it was reached.
func site(t *testing.T, o Options) *Site {
	t.Helper()
	if o.MCP == nil {
		o.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "reached") })
	}
	s, err := Start(t.Context(), "127.0.0.1:0", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// ask makes one request. A header Host replaces the request's host.
func ask(t *testing.T, method, address, body string, header http.Header) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	if host := header.Get("Host"); host != "" {
		r.Host = host
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

// from are the headers of a post by a page of that origin.
func from(origin string) http.Header {
	return http.Header{"Origin": {strings.TrimSuffix(origin, "/")}, "Content-Type": {"application/json"}}
}

func TestOnlyThisHostsPagesReachItsServer(t *testing.T) {
	s := site(t, Options{})
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	rebound := from(s.URL)
	rebound.Set("Host", "evil.example.com:"+u.Port())
	bare := from(s.URL)
	bare.Del("Origin")
	for _, c := range []struct {
		name   string
		header http.Header
		status int
	}{
		{"its own page", from(s.URL), http.StatusOK},
		{"the sandbox, where views are", from(s.SandboxURL), http.StatusForbidden},
		{"another site", from("https://evil.example.com"), http.StatusForbidden},
		{"an opaque view", from("null"), http.StatusForbidden},
		{"nobody", bare, http.StatusForbidden},
		{"a rebound name", rebound, http.StatusMisdirectedRequest},
	} {
		response, body := ask(t, http.MethodPost, s.URL+"mcp", "{}", c.header)
		if response.StatusCode != c.status {
			t.Errorf("a post from %s was answered %d %s, want %d", c.name, response.StatusCode, body, c.status)
		}
	}
	if response, _ := ask(t, http.MethodGet, s.URL, "", http.Header{"Host": {"localhost:" + u.Port()}}); response.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("the host's page is served under another name: %d", response.StatusCode)
	}
}

func TestAViewIsLoadedOnceAndUnderItsOwnPolicy(t *testing.T) {
	s := site(t, Options{})
	response, body := ask(t, http.MethodPost, s.SandboxURL+"views", `{"html": "<p>view", "csp": {"connectDomains": ["https://a.example.com", "https://b.example.com; script-src *"]}}`, from(s.SandboxURL))
	if response.StatusCode != http.StatusOK {
		t.Fatalf("the post was answered %d %s", response.StatusCode, body)
	}
	var answer struct{ URL, Policy string }
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSuffix(s.SandboxURL, "/") + answer.URL
	response, body = ask(t, http.MethodGet, address, "", http.Header{})
	if body != "<p>view" {
		t.Errorf("the view is %q", body)
	}
	want := []string{
		"default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; connect-src 'self' https://a.example.com; img-src 'self' data:; font-src 'self'; media-src 'self' data:; frame-src 'none'; object-src 'none'; base-uri 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
		"frame-ancestors " + strings.TrimSuffix(s.SandboxURL, "/") + " " + strings.TrimSuffix(s.URL, "/"),
	}
	if diff := cmp.Diff(want, response.Header.Values("Content-Security-Policy")); diff != "" {
		t.Errorf("policies (-want +got):\n%s", diff)
	}
	if response, _ := ask(t, http.MethodGet, address, "", http.Header{}); response.StatusCode != http.StatusNotFound {
		t.Errorf("the view was loaded again: %d", response.StatusCode)
	}
}

func TestSandboxTakesViewsFromItsOwnOriginOnly(t *testing.T) {
	s := site(t, Options{})
	view := `{"html": "x"}`
	plain := from(s.SandboxURL)
	plain.Set("Content-Type", "text/plain")
	for _, c := range []struct {
		name   string
		header http.Header
		body   string
		status int
	}{
		{"the host", from(s.URL), view, http.StatusForbidden},
		{"an opaque view", from("null"), view, http.StatusForbidden},
		{"a form", plain, view, http.StatusUnsupportedMediaType},
		{"no view", from(s.SandboxURL), `{}`, http.StatusBadRequest},
		{"too much", from(s.SandboxURL), `{"html": "` + strings.Repeat("x", maxViewBytes) + `"}`, http.StatusRequestEntityTooLarge},
	} {
		if response, body := ask(t, http.MethodPost, s.SandboxURL+"views", c.body, c.header); response.StatusCode != c.status {
			t.Errorf("%s: %d %s, want %d", c.name, response.StatusCode, body, c.status)
		}
	}
}

func TestNoPathLeadsOutOfThePages(t *testing.T) {
	s := site(t, Options{})
	for _, base := range []string{s.URL, s.SandboxURL} {
		for _, path := range []string{"host.go", "../go.mod", "..%2fgo.mod", "views/", "views/..%2f..%2fgo.mod", "sandbox.go", "%2e%2e/host.go"} {
			response, body := ask(t, http.MethodGet, base+path, "", http.Header{})
			if response.StatusCode == http.StatusOK && !strings.Contains(body, "<!doctype html>") || strings.Contains(body, "package host") {
				t.Errorf("%s%s was answered %d %.60q", base, path, response.StatusCode, body)
			}
		}
	}
}

func TestOnlyTheHostFramesTheSandboxAndNobodyTheHost(t *testing.T) {
	s := site(t, Options{})
	response, body := ask(t, http.MethodGet, s.SandboxURL+"sandbox.html", "", http.Header{})
	if policy := response.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors "+strings.TrimSuffix(s.URL, "/")+";") {
		t.Errorf("the sandbox's policy is %s", policy)
	}
	if !strings.Contains(body, `data-host="`+strings.TrimSuffix(s.URL, "/")+`"`) {
		t.Errorf("the sandbox does not know its host:\n%s", body)
	}
	response, _ = ask(t, http.MethodGet, s.URL, "", http.Header{})
	if policy := response.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("the host's policy is %s", policy)
	}
}

func TestThePagesLearnWhatTheyShow(t *testing.T) {
	s := site(t, Options{Examples: []Example{{Title: "A", Arguments: map[string]any{"kind": "x", "id": 1}}}, Real: true, Caption: "behind it"})
	_, body := ask(t, http.MethodGet, s.URL+"config.json", "", http.Header{})
	want := `{"sandbox":"` + s.SandboxURL + `sandbox.html","examples":[{"title":"A","arguments":{"id":1,"kind":"x"}}],"real":true,"caption":"behind it"}`
	if diff := cmp.Diff(want, body); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
}

func TestHostListensOnLoopbackOnly(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "example.com:80", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000"} {
		if s, err := Start(t.Context(), addr, Options{}); err == nil {
			s.Close()
			t.Errorf("started on %s", addr)
		}
	}
	s, err := Start(t.Context(), "localhost:0", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !strings.HasPrefix(s.URL, "http://127.0.0.1:") || !strings.HasPrefix(s.SandboxURL, "http://localhost:") {
		t.Errorf("origins %s and %s: the host must not have the sandbox's name", s.URL, s.SandboxURL)
	}
}

func TestBothFamiliesAnswerForTheSandbox(t *testing.T) {
	s := site(t, Options{})
	u, err := url.Parse(s.SandboxURL)
	if err != nil {
		t.Fatal(err)
	}
	for _, ip := range []string{"127.0.0.1", "::1"} {
		if !available(ip) {
			t.Logf("this machine has no %s", ip)
			continue
		}
		response, _ := ask(t, http.MethodGet, "http://"+net.JoinHostPort(ip, u.Port())+"/sandbox.html", "", http.Header{"Host": {u.Host}})
		if response.StatusCode != http.StatusOK {
			t.Errorf("on %s: %d", ip, response.StatusCode)
		}
	}
}

func TestAPortThatIsTakenIsAnErrorForTheHostAndNoneForTheSandbox(t *testing.T) {
	first := site(t, Options{})
	u, err := url.Parse(first.URL)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := Start(t.Context(), u.Host, Options{}); err == nil {
		s.Close()
		t.Errorf("two hosts on %s", u.Host)
	}
}

func TestASiteEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Start(ctx, "127.0.0.1:0", Options{})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-s.done
	if err := s.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
}

func TestStoreForgetsTheOldestBeyondItsBounds(t *testing.T) {
	var kept store
	first := kept.put(stored{HTML: "first"})
	second := kept.put(stored{HTML: "second"})
	for range maxViews - 1 {
		kept.put(stored{HTML: "more"})
	}
	if _, ok := kept.take(first); ok {
		t.Errorf("more than %d views were kept", maxViews)
	}
	if v, ok := kept.take(second); !ok || v.HTML != "second" {
		t.Errorf("a view within the bounds was lost")
	}
	big := strings.Repeat("x", maxStoredBytes/2)
	third := kept.put(stored{HTML: big})
	kept.put(stored{HTML: big})
	kept.put(stored{HTML: "x"})
	if _, ok := kept.take(third); ok {
		t.Errorf("more than %d bytes were kept", maxStoredBytes)
	}
}

func TestPolicyTakesOriginsAndNothingElse(t *testing.T) {
	p := Policy(&CSP{
		ResourceDomains: []string{"https://*.example.com", "http://localhost:8080", "*", "data:", "'unsafe-eval'", "https://x.example.com/path", "https://x.example.com;object-src *", "https://x.example.com https://y.example.com", ""},
		FrameDomains:    []string{"https://frame.example.com"},
		BaseURIDomains:  []string{"javascript:"},
	})
	for _, want := range []string{
		"script-src 'self' 'unsafe-inline' https://*.example.com http://localhost:8080;",
		"frame-src https://frame.example.com;", "base-uri 'self';", "object-src 'none';",
	} {
		if !strings.Contains(p, want) {
			t.Errorf("the policy lacks %q: %s", want, p)
		}
	}
}
