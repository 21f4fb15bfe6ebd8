package cassettes_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/cassettes"
	"github.com/bb-mcp/bb/fakebb"
)

// recordings opens every recording in the tree.
func recordings(t *testing.T) map[string]*cassettes.Player {
	t.Helper()
	stories, err := cassettes.Stories(cassettes.Dir())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*cassettes.Player{}
	for _, s := range stories {
		p, err := cassettes.Open(filepath.Join(cassettes.Dir(), s.Name))
		if err != nil {
			t.Fatal(err)
		}
		if p.Head.Story != s.Name || p.Head.About != s.About {
			t.Errorf("%s: its head is of story %q (%s); record again", s.Name, p.Head.Story, p.Head.About)
		}
		all[s.Name] = p
	}
	entries, err := os.ReadDir(cassettes.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && all[e.Name()] == nil {
			t.Errorf("folder %s is of no story; remove it", e.Name())
		}
	}
	return all
}

// H2: what the fake answers today is what it was recorded to answer.
func TestRecordingsOfTheFakeMatchTheFake(t *testing.T) {
	for name, p := range recordings(t) {
		if p.Head.MadeBy != cassettes.FromFake {
			continue
		}
		fake := fakebb.New(fakebb.Options{Release: p.Head.Release})
		for _, i := range p.Interactions() {
			req, err := http.NewRequest(i.Method, i.URL, strings.NewReader(i.Request.Body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Accept", i.Request.Headers.Get("Accept"))
			req.Header.Set("Authorization", "Bearer "+fakebb.Token(p.Head.As))
			if i.Request.Body != "" {
				req.Header.Set("Content-Type", "application/json")
			}
			res, err := fake.Transport().RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != i.Code || res.Header.Get("Content-Type") != i.Response.Headers.Get("Content-Type") {
				t.Errorf("%s: %s %s: recorded %d %s, the fake answers %d %s", name, i.Method, i.URL, i.Code, i.Response.Headers.Get("Content-Type"), res.StatusCode, res.Header.Get("Content-Type"))
			}
			if diff := cmp.Diff(i.Response.Body, string(body)); diff != "" {
				t.Errorf("%s: %s %s: the fake answers otherwise than recorded (-recorded +fake); if that is meant, run: go run ./cmd/bb ai mcp record --fake --out cassettes\n%s", name, i.Method, i.URL, diff)
			}
		}
	}
}

// A recording holds no secret, no real host and no real mail address.
func TestRecordingsAreClean(t *testing.T) {
	address := regexp.MustCompile(`https?://[^/\s"\\)\]]+`)
	mail := regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}`)
	for name := range recordings(t) {
		dir := filepath.Join(cassettes.Dir(), name)
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range dirty(string(data), address, mail) {
				t.Errorf("%s/%s holds %s", name, f.Name(), found)
			}
		}
	}
	// The sweep itself is tried on what it is to find.
	bad := "url: https://git.corp.internal/x\nAuthorization: Bearer fake-amara\nmail: me@corp.com\nX-Arequestid: '@A'\nSet-Cookie: a"
	if got := len(dirty(bad, address, mail)); got != 6 {
		t.Errorf("the sweep finds %d things in what holds six: %q", got, dirty(bad, address, mail))
	}
}

func dirty(text string, address, mail *regexp.Regexp) []string {
	var found []string
	for _, a := range address.FindAllString(text, -1) {
		if a != "https://example.com" && !strings.HasSuffix(a, ".example.com") && !strings.Contains(a, ".example.com:") {
			found = append(found, "the address "+a)
		}
	}
	for _, m := range mail.FindAllString(text, -1) {
		if !strings.HasSuffix(m, "@example.com") && !strings.HasSuffix(m, ".example.com") && !strings.HasSuffix(m, ".example") {
			found = append(found, "the mail address "+m)
		}
	}
	for _, word := range []string{"Authorization", "Bearer ", "Set-Cookie", "X-Arequestid", "X-Asessionid"} {
		if strings.Contains(text, word) {
			found = append(found, word)
		}
	}
	return found
}

// CASSETTE-02: a missing recording is an error that says how to make it, and
// nothing is asked of a network.
func TestAMissingRecordingOrAnswerSaysHowToRecord(t *testing.T) {
	const command = "go run ./cmd/bb ai mcp record --fake --out cassettes"
	if _, err := cassettes.Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), command) {
		t.Errorf("Open of an empty folder: %v", err)
	}
	p, err := cassettes.Open(filepath.Join(cassettes.Dir(), "refused"))
	if err != nil {
		t.Fatal(err)
	}
	one := p.Interactions()[0]
	ask := func() error {
		req, _ := http.NewRequest(one.Method, one.URL, nil)
		_, err := p.RoundTrip(req)
		return err
	}
	all := len(p.Interactions())
	if n := len(p.Unused()); n != all {
		t.Errorf("%d of %d answers are unused at first", n, all)
	}
	if err := ask(); err != nil {
		t.Error(err)
	}
	if n := len(p.Unused()); n != all-1 {
		t.Errorf("%d of %d answers are unused after one was asked for", n, all)
	}
	if err := ask(); err == nil || !strings.Contains(err.Error(), command) {
		t.Errorf("asked twice for what was recorded once: %v", err)
	}
}

// What goes into a recording, and what does not.
func TestARecordingIsScrubbedSortedAndWhole(t *testing.T) {
	const base = "https://git.corp.internal/bitbucket"
	transport := roundTrip(func(r *http.Request) *http.Response {
		return &http.Response{StatusCode: 200, Status: "200 OK", Request: r,
			Header: http.Header{"Date": {"today"}, "X-Arequestid": {"@A"}, "X-Ausername": {"jo"}, "Set-Cookie": {"s=1"}, "Content-Type": {"application/json"}},
			Body:   io.NopCloser(strings.NewReader(`{"self":"` + base + `/x","mail":"jo@corp.com","host":"git.corp.internal","who":"Jo Smith"}`))}
	})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "scrub.yaml"), []byte("- find: Jo Smith\n  replace: A Person\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rules, err := cassettes.Rules(dir, base, cassettes.FromBitbucket)
	if err != nil {
		t.Fatal(err)
	}
	r, err := cassettes.Record(dir, cassettes.Head{Story: "one", MadeBy: cassettes.FromBitbucket, Scrub: rules}, transport)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/b", "/a"} {
		req, _ := http.NewRequest("GET", base+path, nil)
		req.Header.Set("Authorization", "Bearer secret-token")
		res, err := r.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		if body, _ := io.ReadAll(res.Body); !strings.Contains(string(body), base) {
			t.Errorf("the caller gets a scrubbed answer: %s", body)
		}
	}
	if err := r.Save(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "one", "recording.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"corp", "secret-token", "Jo Smith", "@A", "today", "s=1"} {
		if strings.Contains(string(data), gone) {
			t.Errorf("the recording holds %q:\n%s", gone, data)
		}
	}
	if a, b := strings.Index(string(data), cassettes.BaseURL+"/a"), strings.Index(string(data), cassettes.BaseURL+"/b"); a < 0 || b < a {
		t.Errorf("the recording is not sorted by address:\n%s", data)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".recording-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	p, err := cassettes.Open(filepath.Join(dir, "one"))
	if err != nil || len(p.Head.Scrub) != len(rules) {
		t.Errorf("the rules are not in the head: %v, %v", p.Head.Scrub, err)
	}
}

type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

func TestBrokenStoriesAndRulesNameTheirFile(t *testing.T) {
	for file, text := range map[string]string{
		"stories.yaml": "- name: a\n  calls: [{tool: t, tol: x}]\n",
		"scrub.yaml":   "- find: '('\n  replace: x\n",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := cassettes.Stories(dir)
		if file == "scrub.yaml" {
			_, err = cassettes.Rules(dir, cassettes.BaseURL, cassettes.FromFake)
		}
		if err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, text := range []string{
		"- calls: [{tool: t}]\n", "- name: a\n", "- {name: a, calls: [{name: b}]}\n", "- {name: a/b, calls: [{tool: t}]}\n", "- {name: .., calls: [{tool: t}]}\n",
		"- {name: a, calls: [{tool: t, name: b/c}]}\n", "- {name: a, calls: [{tool: t}, {tool: t}]}\n", "- {name: a, calls: [{tool: t}]}\n- {name: a, calls: [{tool: t}]}\n",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "stories.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := cassettes.Stories(dir); err == nil {
			t.Errorf("stories %q are accepted", text)
		}
	}
}
