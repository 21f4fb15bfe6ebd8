package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
)

func namesOf(a server.RepositoriesAnswer) (projects, repositories []string) {
	for _, p := range a.Projects {
		projects = append(projects, p.Key)
	}
	for _, r := range a.Repositories {
		repositories = append(repositories, r.Project+"/"+r.Repo)
	}
	return projects, repositories
}

// T3, BUILDS-03. What is searched depends on the arguments, and on the scope.
func TestRepositoriesAreSearchedAndNarrowed(t *testing.T) {
	for _, test := range []struct {
		user      string
		scope     []string
		arguments string
		projects  string
		found     string
		requests  int
	}{
		{"amara", nil, `{}`, "ORCH NURS", "ORCH/catalogue ~ZOE/catalogue NURS/greenhouse ORCH/paths ~AMARA/scratch NURS/seedlings ORCH/weather-station", 2},
		{"bo", nil, `{"text":"KEYS"}`, "", "VAULT/keys", 2},
		{"amara", nil, `{"text":"KEYS"}`, "", "", 2},
		{"amara", nil, `{"text":"orch"}`, "ORCH", "", 2},
		{"amara", nil, `{"project":"orch"}`, "ORCH", "ORCH/catalogue ORCH/paths ORCH/weather-station", 2},
		{"amara", nil, `{"project":"~zoe"}`, "~ZOE", "~ZOE/catalogue", 2},
		{"amara", nil, `{"project":"ORCH","text":"a"}`, "ORCH", "ORCH/catalogue ORCH/paths ORCH/weather-station", 2},
		{"amara", nil, `{"project":"ORCH","text":"pat"}`, "ORCH", "ORCH/paths", 2},
		{"amara", nil, `{"start":6}`, "", "NURS/seedlings ORCH/weather-station", 1},
		{"amara", []string{"ORCH"}, `{}`, "ORCH", "ORCH/catalogue ORCH/paths ORCH/weather-station", 2},
		{"amara", []string{"orch/PATHS"}, `{}`, "ORCH", "ORCH/paths", 2},
		{"amara", []string{"ORCH/paths", "~zoe"}, `{}`, "ORCH", "~ZOE/catalogue ORCH/paths", 2},
		{"amara", []string{"ORCH/paths", "NURS"}, `{"project":"ORCH"}`, "ORCH", "ORCH/paths", 2},
		{"bo", []string{"ORCH"}, `{"text":"keys"}`, "ORCH", "", 2},
	} {
		var adjust []func(*server.Options)
		if test.scope != nil {
			adjust = append(adjust, within(test.scope...))
		}
		w := newWorld(t, test.user, adjust...)
		p := w.connect(t, "modern", `{}`)
		r := p.tool("search_repositories", test.arguments)
		if r.IsError {
			t.Errorf("%s %s: %s", test.arguments, test.scope, r.text())
			continue
		}
		fits(t, p, "search_repositories", r.StructuredContent)
		a := decode[server.RepositoriesAnswer](t, r.StructuredContent)
		projects, found := namesOf(a)
		if strings.Join(projects, " ") != test.projects || strings.Join(found, " ") != test.found {
			t.Errorf("%s under %v as %s: %v, %v", test.arguments, test.scope, test.user, projects, found)
		}
		if test.scope != nil && a.Count.Total != nil {
			t.Errorf("%s under %v claims a total", test.arguments, test.scope)
		}
		if n := len(w.fake.Requests()); n != test.requests {
			t.Errorf("%s under %v makes %d requests, want %d", test.arguments, test.scope, n, test.requests)
		}
		for _, name := range slices.Concat(projects, found) {
			if !strings.Contains(r.text(), name) {
				t.Errorf("%s: the text does not name %s: %s", test.arguments, name, r.text())
			}
		}
	}
	for arguments, want := range map[string]string{
		`{"project":"NOPE"}`: "NOPE does not exist", `{"project":"NOPE","text":"a"}`: "NOPE does not exist", `{"project":"VAULT"}`: "amara",
	} {
		if r := newWorld(t, "amara").connect(t, "modern", `{}`).tool("search_repositories", arguments); !r.IsError || !strings.Contains(r.text(), want) {
			t.Errorf("%s: %s", arguments, r.text())
		}
	}
	for _, project := range []string{"VAULT", "../VAULT", "~orch"} {
		w := newWorld(t, "bo", within("ORCH"))
		r := w.connect(t, "modern", `{}`).tool("search_repositories", fmt.Sprintf(`{"project":%q}`, project))
		if !r.IsError || len(w.fake.Requests()) > 0 {
			t.Errorf("%s outside: %d requests, %s", project, len(w.fake.Requests()), r.text())
		}
	}
}

// What a reader needs to choose a repository is said in both forms.
func TestARepositorySaysWhatItIs(t *testing.T) {
	r := newWorld(t, "amara").connect(t, "modern", `{}`).tool("search_repositories", `{}`)
	want := map[string]server.ListedRepository{
		"~ZOE/catalogue": {Project: "~ZOE", Repo: "catalogue", ForkOf: "ORCH/catalogue"},
		"NURS/seedlings": {Project: "NURS", Repo: "seedlings", Description: "The old list of seedlings, read only", Archived: true},
	}
	for _, x := range decode[server.RepositoriesAnswer](t, r.StructuredContent).Repositories {
		if w, ok := want[x.Project+"/"+x.Repo]; ok {
			if diff := cmp.Diff(w, x); diff != "" {
				t.Errorf("%s (-want +got):\n%s", x.Repo, diff)
			}
		}
	}
	for _, says := range []string{"~ZOE/catalogue, fork of ORCH/catalogue", `NURS/seedlings, archived: "The old list`, "personal projects, whose key is ~user, are not listed"} {
		if !strings.Contains(r.text(), says) {
			t.Errorf("the text does not say %q: %s", says, r.text())
		}
	}
	hidden := newWorld(t, "amara", within("~zoe", "NURS")).connect(t, "modern", `{}`).tool("search_repositories", `{}`)
	if strings.Contains(hidden.text()+string(hidden.StructuredContent), "ORCH/catalogue") {
		t.Errorf("a fork names what is out of the scope: %s", hidden.text())
	}
}

// A part that cannot be read is named.
func TestRepositoriesAreListedWithoutTheirProjects(t *testing.T) {
	fake := fakebb.New(fakebb.Options{})
	a, err := serving(t, broken{fake, "/api/latest/projects"}).Repositories(t.Context(), server.RepositorySearch{})
	if err != nil || len(a.Repositories) == 0 || len(a.Unavailable) != 1 || a.Unavailable[0].Part != "projects" {
		t.Errorf("%d repositories, unavailable %+v, %v", len(a.Repositories), a.Unavailable, err)
	}
}

// T3. A query cannot leave the scope, however it is written.
func TestAQueryCannotLeaveTheScope(t *testing.T) {
	for _, scope := range [][]string{{"ORCH/catalogue"}, {"orch"}, {"ORCH/catalogue", "NURS"}} {
		for _, query := range []string{
			"tree", "gate OR key", "key project:VAULT", "key repo:VAULT/keys", "x OR key", "key OR NOT project:ORCH", `prune OR "key"`,
			"key OR project:VAULT repo:keys", "upper AND", "prune repo:catalogue project:~zoe",
		} {
			w := newWorld(t, "bo", within(scope...))
			body, _ := json.Marshal(map[string]any{"query": query, "limit": 100})
			r := w.connect(t, "modern", `{}`).tool("search_code", string(body))
			if r.IsError {
				t.Errorf("%q under %v: %s", query, scope, r.text())
				continue
			}
			a := decode[server.CodeAnswer](t, r.StructuredContent)
			if a.Count.Total != nil {
				t.Errorf("%q under %v claims a total of %d", query, scope, *a.Count.Total)
			}
			for _, f := range a.Files {
				if f.Project != "ORCH" && f.Project != "NURS" || len(scope) == 1 && f.Project != "ORCH" || scope[0] == "ORCH/catalogue" && f.Project == "ORCH" && f.Repo != "catalogue" {
					t.Errorf("%q under %v finds %s/%s %s", query, scope, f.Project, f.Repo, f.Path)
				}
			}
			for _, word := range []string{"VAULT", "gates.csv", "lower,B-2"} {
				if strings.Contains(r.text(), word) && !strings.Contains(query, word) {
					t.Errorf("%q under %v tells of %s: %s", query, scope, word, r.text())
				}
			}
		}
	}
	for _, arguments := range []string{`{"query":"key","project":"VAULT"}`, `{"query":"key","project":"VAULT","repo":"keys"}`} {
		w := newWorld(t, "bo", within("ORCH"))
		if r := w.connect(t, "modern", `{}`).tool("search_code", arguments); !r.IsError || len(w.fake.Requests()) > 0 {
			t.Errorf("%s: %d requests, %s", arguments, len(w.fake.Requests()), r.text())
		}
	}
}

// A query that Bitbucket reads otherwise than it is written brings nothing from
// outside of the place that was named, and no total.
func TestASubstitutedQueryStaysInItsPlace(t *testing.T) {
	hit := func(project, repo string) string {
		return fmt.Sprintf(`{"repository":{"slug":%q,"project":{"key":%q}},"file":"a","hitCount":1,"hitContexts":[[{"line":1,"text":"<em>a</em>"}]]}`, repo, project)
	}
	body := `{"code":{"isLastPage":true,"count":2,"values":[` + hit("VAULT", "keys") + "," + hit("orch", "catalogue") + `]},"query":{"substituted":true}}`
	a, err := serving(t, answering{200, body}).Code(t.Context(), server.CodeSearch{Query: "a", Project: "ORCH", Repo: "catalogue"})
	if err != nil || len(a.Files) != 1 || a.Files[0].Repo != "catalogue" || a.Count.Total != nil || a.Note == "" {
		t.Errorf("%+v, %v", a, err)
	}
}

// REST-11, T11. What is found is read as it is in the file.
func TestHitsAreLinesAsTheyAreInTheFile(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", `{}`)
	r := p.tool("search_code", `{"query":"errors","project":"orch","repo":"Catalogue"}`)
	fits(t, p, "search_code", r.StructuredContent)
	a := decode[server.CodeAnswer](t, r.StructuredContent)
	if len(a.Files) == 0 {
		t.Fatal(r.text())
	}
	for _, f := range a.Files {
		file := decode[server.FileAnswer](t, p.tool("get_file", fmt.Sprintf(`{"project":"ORCH","repo":"catalogue","path":%q}`, f.Path)).StructuredContent)
		for _, l := range f.Lines {
			if want := fmt.Sprintf("%d\t%s\n", l.Line, l.Text); !strings.Contains(file.Content, want) {
				t.Errorf("%s has no line %q", f.Path, want)
			}
		}
	}
	if !strings.Contains(r.text(), "on default branches") || !strings.Contains(r.text(), `"errors"`) {
		t.Errorf("the text: %s", r.text())
	}
	if r := p.tool("search_code", `{"query":"zzzz","project":"ORCH","repo":"nope"}`); !r.IsError || !strings.Contains(r.text(), "ORCH/nope does not exist") {
		t.Errorf("nothing in a repository that does not exist: %s", r.text())
	}
	if r := p.tool("search_code", `{"query":"zzzz"}`); r.IsError {
		t.Errorf("nothing: %s", r.text())
	}
	if r := p.tool("search_code", `{"query":"tree","start":1000}`); !r.IsError || !strings.Contains(r.text(), "first 1000 results") {
		t.Errorf("too far: %s", r.text())
	}
	if r := p.tool("search_code", `{"query":"tree","start":950,"limit":100}`); r.IsError {
		t.Errorf("up to the last: %s", r.text())
	}
}

// silent never answers.
type silent struct{}

func (silent) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// T7. A Bitbucket without a search server is no broken Bitbucket.
func TestAMissingSearchServerIsSaidPlainly(t *testing.T) {
	const says = "The rest of Bitbucket is not concerned"
	for _, status := range []int{404, 500, 503} {
		synctest.Test(t, func(t *testing.T) {
			body := `{"errors":[{"message":"The search server is not available."}]}`
			_, err := serving(t, answering{status, body}).Code(t.Context(), server.CodeSearch{Query: "tree"})
			if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "not available") {
				t.Errorf("%d: %v", status, err)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		_, err := serving(t, silent{}).Code(t.Context(), server.CodeSearch{Query: "tree"})
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "within 25s") {
			t.Errorf("no answer: %v", err)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := serving(t, silent{}).Code(ctx, server.CodeSearch{Query: "tree"}); err == nil || strings.Contains(err.Error(), says) {
		t.Errorf("cancelled: %v", err)
	}
}

// T6. As many long hits as can be stay within the bound of a result.
func TestHitsStayWithinTheBound(t *testing.T) {
	line := fmt.Sprintf(`{"line":1,"text":"<em>x</em>%s"}`, strings.Repeat("&lt;", 500))
	context := "[" + strings.Repeat(line+",", 30) + line + "]"
	hit := `{"repository":{"slug":"catalogue","project":{"key":"ORCH"}},"file":"a","hitCount":99,"hitContexts":[` + context + `]}`
	body := `{"code":{"isLastPage":true,"count":100,"values":[` + strings.Repeat(hit+",", 99) + hit + `]}}`
	p := (&world{server: serving(t, answering{200, body})}).connect(t, "modern", `{}`)
	raw := p.call("tools/call", `{"name":"search_code","arguments":{"query":"x","limit":100}}`).Result
	a := decode[server.CodeAnswer](t, decode[toolResult](t, raw).StructuredContent)
	if len(raw) > 120_000 || len(raw) < 60_000 || !a.LimitReached || a.NextStart != len(a.Files) || a.Files[0].LinesLeft != 21 || a.Files[0].Lines[0].Left != 301 {
		t.Errorf("%d units, %d files, limit reached %v, next %d", len(raw), len(a.Files), a.LimitReached, a.NextStart)
	}
}

// posted is what the search is asked.
type posted struct{ body *[]string }

func (p posted) RoundTrip(r *http.Request) (*http.Response, error) {
	data, _ := io.ReadAll(r.Body)
	*p.body = append(*p.body, r.Method+" "+r.URL.Path+" "+string(data))
	return answering{200, `{"code":{"isLastPage":true,"count":0,"values":[]}}`}.RoundTrip(r)
}

// REST-11
func TestASearchIsPosted(t *testing.T) {
	var sent []string
	if _, err := serving(t, posted{&sent}).Code(t.Context(), server.CodeSearch{Query: "a <b>", Start: 50, Limit: 7}); err != nil {
		t.Fatal(err)
	}
	want := []string{`POST /rest/search/latest/search {"query":"a \u003cb\u003e","entities":{"code":{"start":50,"limit":7}},"limits":{"primary":7,"secondary":7}}`}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
