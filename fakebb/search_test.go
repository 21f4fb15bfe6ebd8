package fakebb_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// searched is a scenario with something to find.
const searched = `Something to find.
-- clock.yaml --
start: 2026-01-02T03:04:05Z
-- people.yaml --
- {name: ada, displayName: Ada}
- {name: eve, displayName: Eve}
-- projects.yaml --
- key: P
  repositories:
    - slug: apples
      branches:
        - {name: main, commit: one}
        - {name: topic, commit: two}
    - slug: apples-of-eve
      forkOf: P/apples
      branches: [{name: main, commit: one}]
    - slug: old-apples
      archived: true
      branches: [{name: main, commit: old}]
    - slug: empty
- key: Q
  readers: [eve]
  repositories:
    - slug: secrets
      branches: [{name: main, commit: begin}]
-- P/apples/commits.yaml --
- name: one
  author: ada
  at: 2026-01-01T09:00:00Z
  message: one
  changes:
    - {path: logo.png, base64: AGdhbGEAAQI=}
    - {path: link, text: gala, mode: symlink}
    - {path: lib, submodule: 1111111111111111111111111111111111111111}
- {name: two, author: ada, at: 2026-01-01T10:00:00Z, message: two, parents: [one], changes: [{path: later.go, text: gala}]}
-- P/apples/files/one/src/gala.go --
package apples

// Gala says "red & <sweet>"; it's from a/b.
func Gala() string {
	return apple.Gala.Name
}

var x = 1

func rest() {}
-- P/apples/files/one/docs/gala.md --
GALA
-- P/apples/files/one/README.md --
No such apple, but a late_frost and a late frost.
-- P/old-apples/commits.yaml --
- {name: old, author: ada, at: 2026-01-01T09:00:00Z, message: old}
-- P/old-apples/files/old/old.txt --
gala
-- Q/secrets/commits.yaml --
- {name: begin, author: eve, at: 2026-01-01T09:00:00Z, message: begin}
-- Q/secrets/files/begin/secret.txt --
gala gala gala gala
`

// search posts a search as a person.
func search(t *testing.T, s *fakebb.Server, user, body string) reply {
	t.Helper()
	return ask(t, s, "POST", "/rest/search/latest/search", func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+fakebb.Token(user))
		r.Header.Set("Content-Type", "application/json")
		r.Body = io.NopCloser(strings.NewReader(body))
	})
}

// searchBody asks for code.
func searchBody(query string) string {
	text, _ := json.Marshal(query)
	return fmt.Sprintf(`{"query":%s,"entities":{"code":{}}}`, text)
}

type found struct {
	Code struct {
		Category                string
		IsLastPage              bool
		Count, Start, NextStart int
		Values                  []struct {
			Repository  struct{ Slug string }
			File        string
			HitContexts [][]struct {
				Line int
				Text string
			}
			PathMatches []struct {
				Text  string
				Match bool
			}
			HitCount int
		}
	}
	Repositories struct {
		Category   string
		IsLastPage bool
		Values     []struct{ Slug string }
	}
	Query struct{ Substituted bool }
}

func (f found) files() []string {
	files := []string{}
	for _, v := range f.Code.Values {
		files = append(files, v.Repository.Slug+":"+v.File)
	}
	return files
}

// H1: bitbucket-rest.md 17.
func TestSearchFindsFilesOfDefaultBranchesThatTheCallerMayRead(t *testing.T) {
	s := serveText(t, searched)
	for _, test := range []struct {
		user, query string
		want        []string
	}{
		{"ada", "gala fork:false", []string{"apples:src/gala.go", "apples:docs/gala.md", "apples:link"}},
		{"eve", "gala fork:false", []string{"secrets:secret.txt", "apples:src/gala.go", "apples:docs/gala.md", "apples:link"}},
		{"eve", "gala project:q", []string{"secrets:secret.txt"}},
		{"ada", "gala project:q", []string{}},
		{"ada", "gala ext:md", []string{"apples:docs/gala.md", "apples-of-eve:docs/gala.md"}},
		{"ada", "gala repo:apples-of-eve ext:.MD", []string{"apples-of-eve:docs/gala.md"}},
		{"ada", "gala repo:p/apples ext:md", []string{"apples:docs/gala.md"}},
		{"ada", "gala fork:true lang:go", []string{"apples-of-eve:src/gala.go"}},
		{"ada", "gala lang:cobol", []string{}},
		{"ada", "gala repo:apples path:docs", []string{"apples:docs/gala.md"}},
		{"ada", "gala repo:apples path:/docs/gala.md", []string{"apples:docs/gala.md"}},
		{"ada", "gala repo:apples path:*.md", []string{"apples:docs/gala.md"}},
		{"ada", "gala repo:apples path:doc", []string{}},
		{"ada", "gala repo:apples -ext:go -path:link", []string{"apples:docs/gala.md"}},
		{"ada", "gala archived:true", []string{"old-apples:old.txt"}},
		{"ada", "gala AND func repo:apples", []string{"apples:src/gala.go"}},
		{"ada", "(func OR frost) repo:apples", []string{"apples:src/gala.go", "apples:README.md"}},
		{"ada", "gala NOT func repo:apples", []string{"apples:docs/gala.md", "apples:link"}},
		{"ada", `"late frost" repo:apples`, []string{"apples:README.md"}},
		{"ada", `"frost late" repo:apples`, []string{}},
		{"ada", "late_frost repo:apples", []string{"apples:README.md"}},
		{"ada", "apple.gala repo:apples", []string{"apples:src/gala.go"}},
		{"ada", "gal repo:apples", []string{}},
		{"ada", "readme repo:apples", []string{"apples:README.md"}},
	} {
		var got found
		search(t, s, test.user, searchBody(test.query)).into(t, &got)
		if diff := cmp.Diff(test.want, got.files()); diff != "" {
			t.Errorf("%s searches %s (-want +got):\n%s", test.user, test.query, diff)
		}
	}
}

// H1: bitbucket-rest.md 17, bug-log.md REST-11.
func TestHitsAreEscapedHTML(t *testing.T) {
	r := search(t, serveText(t, searched), "ada", searchBody("gala repo:apples ext:go"))
	const before = `{"scope":{"type":"GLOBAL"},"code":{"category":"primary","isLastPage":true,"count":1,"start":0,"values":[{"repository":{"slug":"apples",`
	const after = `"file":"src/gala.go","hitContexts":[[` +
		`{"line":2,"text":""},` +
		`{"line":3,"text":"&#x2F;&#x2F; <em>Gala</em> says &quot;red &amp; &lt;sweet&gt;&quot;; it&#x27;s from a&#x2F;b."},` +
		`{"line":4,"text":"func <em>Gala</em>() string {"},` +
		"{\"line\":5,\"text\":\"\\treturn apple.<em>Gala</em>.Name\"}," +
		`{"line":6,"text":"}"}]],` +
		`"pathMatches":[{"text":"src/"},{"text":"gala","match":true},{"text":".go"}],"hitCount":3}]},"query":{"substituted":false}}`
	if !strings.HasPrefix(r.body, before) || !strings.HasSuffix(r.body, after) {
		t.Errorf("found %s\nwant %s...%s", r.body, before, after)
	}
}

func TestHitsThatAreApartAreContextsOfTheirOwn(t *testing.T) {
	var got found
	search(t, serveText(t, searched), "ada", searchBody("(package OR func OR rest) repo:apples ext:go")).into(t, &got)
	var lines [][]int
	for _, context := range got.Code.Values[0].HitContexts {
		var numbers []int
		for _, line := range context {
			numbers = append(numbers, line.Line)
		}
		lines = append(lines, numbers)
	}
	// Lines 1 and 2, 3 to 5, and 9 to the end: the first two touch.
	if diff := cmp.Diff([][]int{{1, 2, 3, 4, 5}, {9, 10}}, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// A file has ten contexts at most; its count is of all.
func TestContextsAreBounded(t *testing.T) {
	long := strings.Replace(searched, "GALA\n", strings.Repeat("gala\n.\n.\n.\n", 30), 1)
	var got found
	search(t, serveText(t, long), "ada", searchBody("gala repo:apples ext:md")).into(t, &got)
	v := got.Code.Values[0]
	if len(v.HitContexts) != 10 || v.HitCount != 30 {
		t.Errorf("%d contexts of %d hits, want 10 of 30", len(v.HitContexts), v.HitCount)
	}
}

// H1: paging is inside the entity.
func TestSearchResultsArePaged(t *testing.T) {
	s := serveText(t, searched)
	var all []string
	start := 0
	for range 10 {
		var got found
		r := search(t, s, "eve", fmt.Sprintf(`{"query":"gala","entities":{"code":{"start":%d,"limit":2}}}`, start))
		r.into(t, &got)
		all = append(all, got.files()...)
		if got.Code.Start != start || got.Code.Count != 7 {
			t.Errorf("from %d: start %d, count %d of 7", start, got.Code.Start, got.Code.Count)
		}
		if got.Code.IsLastPage != !strings.Contains(r.body, `"nextStart"`) {
			t.Errorf("from %d: %s", start, r.body)
		}
		if got.Code.IsLastPage {
			break
		}
		start = got.Code.NextStart
	}
	if len(all) != 7 || all[0] != "secrets:secret.txt" {
		t.Errorf("found %q", all)
	}
	// The limits of the request count where the entity has none.
	for body, want := range map[string]int{
		`{"query":"gala","entities":{"code":{}},"limits":{"primary":3}}`:           3,
		`{"query":"gala","entities":{"code":{"limit":1}},"limits":{"primary":3}}`:  1,
		`{"query":"gala","entities":{"code":{"start":5}},"limits":{"primary":3}}`:  2,
		`{"query":"gala","entities":{"code":{"start":90}},"limits":{"primary":3}}`: 0,
	} {
		var got found
		search(t, s, "eve", body).into(t, &got)
		if len(got.Code.Values) != want {
			t.Errorf("%s: %d files, want %d", body, len(got.Code.Values), want)
		}
	}
}

func TestRepositoriesAreFoundByName(t *testing.T) {
	s := serveText(t, searched)
	for query, want := range map[string][]string{
		"apple":                {"apples", "apples-of-eve"},
		"apple project:P":      {"apples", "apples-of-eve"},
		"apple project:Q":      nil,
		"apple fork:true":      {"apples-of-eve"},
		"apples-of":            {"apples-of-eve"},
		"secrets":              nil,
		"apple ext:go":         nil,
		"old archived:true":    {"old-apples"},
		"apple -eve project:p": {"apples"},
	} {
		var got found
		r := search(t, s, "ada", fmt.Sprintf(`{"query":%q,"entities":{"repositories":{}},"limits":{"primary":25}}`, query))
		r.into(t, &got)
		var slugs []string
		for _, v := range got.Repositories.Values {
			slugs = append(slugs, v.Slug)
		}
		if diff := cmp.Diff(want, slugs); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
		if got.Repositories.Category != "primary" || strings.Contains(r.body, `"code"`) {
			t.Errorf("%s: %s", query, r.body)
		}
	}
	var both found
	search(t, s, "ada", `{"query":"apple","entities":{"repositories":{},"code":{}},"limits":{"secondary":1}}`).into(t, &both)
	if both.Code.Category != "primary" || both.Repositories.Category != "secondary" || len(both.Repositories.Values) != 1 || both.Repositories.IsLastPage {
		t.Errorf("both entities: %+v", both)
	}
}

// H1: bug-log.md REST-11, REST-12.
func TestSearchesThatCannotBeMadeAreRefused(t *testing.T) {
	s := serveText(t, searched)
	for body, want := range map[string]int{
		searchBody(strings.Repeat("x", 251)):                                  http.StatusBadRequest,
		searchBody(strings.Repeat("x ", 10)):                                  http.StatusBadRequest,
		searchBody("ext:go"):                                                  http.StatusBadRequest,
		searchBody(" "):                                                       http.StatusBadRequest,
		`{"entities":{"code":{}}}`:                                            http.StatusBadRequest,
		`{"query":7,"entities":{"code":{}}}`:                                  http.StatusBadRequest,
		`{"query":"gala","entities":[]}`:                                      http.StatusBadRequest,
		`{"query":"gala"`:                                                     http.StatusBadRequest,
		`{"query":"gala","entities":{"code":{"start":-1}}}`:                   http.StatusBadRequest,
		`{"query":"gala","entities":{"code":{"limit":-1}}}`:                   http.StatusBadRequest,
		`{"query":"gala","entities":{"code":{"start":999,"limit":1}}}`:        http.StatusOK,
		`{"query":"gala","entities":{"code":{"start":990,"limit":11}}}`:       http.StatusBadRequest,
		`{"query":"gala","entities":{"code":{"start":2000000000}}}`:           http.StatusBadRequest,
		`{"query":"gala","entities":{"issues":{}},"unknown":1}`:               http.StatusOK,
		`{"query":"gala","entities":{"code":{"limit":2147483647}}}`:           http.StatusOK,
		`{"query":"gala","entities":{"code":{"limit":99999999999999999999}}}`: http.StatusBadRequest,
	} {
		if r := search(t, s, "ada", body); r.status != want {
			t.Errorf("%.60s: %d %s, want %d", body, r.status, r.body, want)
		}
	}
	if r := get(t, s, "ada", "/rest/search/latest/search?query=gala"); r.status != http.StatusMethodNotAllowed {
		t.Errorf("GET answers %d, want 405", r.status)
	}
	r := ask(t, s, "POST", "/rest/search/latest/search", func(r *http.Request) {
		r.Header.Set("Content-Type", "application/json")
		r.Body = io.NopCloser(strings.NewReader(searchBody("gala")))
	})
	if r.status != http.StatusUnauthorized {
		t.Errorf("nobody is answered %d", r.status)
	}
}
