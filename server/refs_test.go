package server_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
)

// watching passes requests on and keeps their queries.
type watching struct {
	behind http.RoundTripper
	asked  *[]*url.URL
}

func (w watching) RoundTrip(r *http.Request) (*http.Response, error) {
	*w.asked = append(*w.asked, r.URL)
	return w.behind.RoundTrip(r)
}

// watched is a peer, and what it had Bitbucket asked.
func watched(t testing.TB, user string, adjust ...func(*server.Options)) (*peer, *[]*url.URL) {
	t.Helper()
	asked := new([]*url.URL)
	w := newWorld(t, user, append(adjust, func(o *server.Options) {
		fake := fakebb.New(fakebb.Options{})
		o.Bitbucket = newClient(t, watching{fake.Transport(), asked})
	})...)
	return w.connect(t, "modern", `{}`), asked
}

// Every argument of a listing reaches the wire, and one that is left out does
// not.
func TestEveryArgumentOfAListingReachesBitbucket(t *testing.T) {
	for call, want := range map[string]string{
		`list_branches {"project":"ORCH","repo":"paths"}`: "/branches?details=true&limit=25&orderBy=MODIFICATION&start=0",
		`list_branches {"project":"ORCH","repo":"paths","text":"refs/heads/feature/x","order":"alphabetical","base":"v1.0","limit":7,"start":2}`: "/branches?base=v1.0&boostMatches=true&details=true&filterText=feature/x&limit=7&orderBy=ALPHABETICAL&start=2",
		`list_tags {"project":"ORCH","repo":"paths"}`:                                                                       "/tags?limit=25&orderBy=MODIFICATION&start=0",
		`list_tags {"project":"ORCH","repo":"paths","text":"refs/tags/v1","order":"ALPHABETICAL","limit":7,"start":2}`:      "/tags?boostMatches=true&filterText=v1&limit=7&orderBy=ALPHABETICAL&start=2",
		`list_files {"project":"ORCH","repo":"paths"}`:                                                                      "/commits?limit=1 /browse?at=COMMIT&limit=25&start=0",
		`list_files {"project":"ORCH","repo":"paths","path":"url/","at":"feature/x","limit":7,"start":2}`:                   "/commits?limit=1&until=feature/x /browse/url?at=COMMIT&limit=7&start=2",
		`list_files {"project":"ORCH","repo":"paths","path":"/url","recursive":true}`:                                       "/commits?limit=1 /files/url?at=COMMIT&limit=25&start=0",
		`list_files {"project":"ORCH","repo":"paths","at":"98d48a78d41f81b90b4bbc3d69447996a27e71a9"}`:                      "/browse?at=98d48a78d41f81b90b4bbc3d69447996a27e71a9&limit=25&start=0",
		`get_file {"project":"ORCH","repo":"paths","path":"url/row #7.txt","at":"bugfix/ORCH-290/row-#7"}`:                  "/commits?limit=1&until=bugfix/ORCH-290/row-#7 /raw/url/row #7.txt?at=COMMIT",
		`get_file {"project":"ORCH","repo":"paths","path":"README.md","at":"refs/tags/v1.0"}`:                               "/commits?limit=1&until=refs/tags/v1.0 /raw/README.md?at=COMMIT",
		`get_file {"project":"ORCH","repo":"paths","path":"kinds/link"}`:                                                    "/commits?limit=1 /raw/kinds/link?at=COMMIT /archive?at=COMMIT&format=tar&path=kinds/link",
		`get_file {"project":"ORCH","repo":"paths","path":"kinds/module"}`:                                                  "/commits?limit=1 /raw/kinds/module?at=COMMIT /browse/kinds/module?at=COMMIT&limit=1",
		`get_file {"project":"~zoe","repo":"catalogue","path":"README.md","at":"98d48a78d41f81b90b4bbc3d69447996a27e71a9"}`: "/raw/README.md?at=98d48a78d41f81b90b4bbc3d69447996a27e71a9",
	} {
		p, asked := watched(t, "amara")
		tool, arguments, _ := strings.Cut(call, " ")
		r := p.tool(tool, arguments)
		a := decode[struct{ Commit string }](t, append([]byte("{}"), r.StructuredContent...)[2*min(1, len(r.StructuredContent)):])
		var got []string
		for _, u := range *asked {
			query, err := url.QueryUnescape(u.RawQuery)
			if err != nil {
				t.Fatal(err)
			}
			line := u.Path + "?" + query
			line = line[strings.Index(line, "/repos/")+len("/repos/"):]
			line = line[strings.Index(line, "/"):]
			if a.Commit != "" && !strings.Contains(arguments, a.Commit) {
				line = strings.ReplaceAll(line, a.Commit, "COMMIT")
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s%s", call, diff, r.text())
		}
	}
}

// REST-22: the branch of a name is told from those that contain it.
func TestABranchOfThatNameIsToldFromThoseThatContainIt(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", `{}`)
	r := p.tool("list_branches", `{"project":"ORCH","repo":"paths","text":"Feature/X"}`)
	list := decode[server.BranchesAnswer](t, r.StructuredContent)
	var exact []string
	for _, b := range list.Branches {
		if b.Exact {
			exact = append(exact, b.Name)
		}
	}
	if len(list.Branches) != 2 || len(exact) != 1 || exact[0] != "Feature/X" {
		t.Errorf("%d branches, exact %q", len(list.Branches), exact)
	}
	for _, tool := range []string{"list_branches", "list_tags"} {
		if r := p.tool(tool, `{"project":"ORCH","repo":"paths","text":"1"}`); !strings.Contains(r.text(), `None of these is named exactly "1".`) {
			t.Errorf("%s: %s", tool, r.text())
		}
	}
	if r := p.tool("list_tags", `{"project":"ORCH","repo":"paths","text":"v1.0"}`); strings.Contains(r.text(), "None of these") || !strings.Contains(r.text(), "the one of that name") {
		t.Errorf("list_tags: %s", r.text())
	}
}

// answering gives one body to every request.
type answering struct {
	status int
	body   string
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Request: r, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(a.body))}, nil
}

func serving(t testing.TB, transport http.RoundTripper) *server.Server {
	t.Helper()
	s, err := server.New(server.Options{Bitbucket: newClient(t, transport), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Branches of other releases, as they were recorded, and with plugins that say
// nothing or something else.
func TestBranchesAreReadWhateverTheirPluginsSay(t *testing.T) {
	for _, name := range []string{"shape-9416-branches-details.json", "branches-metadata-5x.json"} {
		payload, err := os.ReadFile(filepath.Join("..", "..", "shared", "reference", "bitbucket-payloads", name))
		if err != nil {
			t.Skip("the recorded payloads are not here")
		}
		a, err := serving(t, answering{200, string(payload)}).Branches(t.Context(), server.BranchListing{Project: "ORCH", Repo: "catalogue", Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range a.Branches {
			if b.Title == "" || b.Author == "" || b.Date == nil {
				t.Errorf("%s: %s has no commit", name, b.Name)
			}
			if b.Default != (b.Ahead == nil) {
				t.Errorf("%s: %s: default %v, ahead %v", name, b.Name, b.Default, b.Ahead)
			}
		}
	}
	for _, metadata := range []string{``, `null`, `{}`, `[]`, `{"a:ahead-behind-metadata-provider":null,"latest-commit-metadata":{},":build-status-metadata":[],"x:outgoing-pull-request-metadata":"no"}`} {
		body := `{"isLastPage":true,"values":[{"id":"refs/heads/main","displayId":"main","latestCommit":"c1","isDefault":true}]}`
		if metadata != "" {
			body = strings.Replace(body, `"isDefault":true`, `"isDefault":true,"metadata":`+metadata, 1)
		}
		a, err := serving(t, answering{200, body}).Branches(t.Context(), server.BranchListing{Project: "ORCH", Repo: "catalogue"})
		if err != nil || len(a.Branches) != 1 {
			t.Errorf("metadata %s: %v", metadata, err)
			continue
		}
		if diff := cmp.Diff(server.ListedBranch{Name: "main", Commit: "c1", Default: true}, a.Branches[0]); diff != "" {
			t.Errorf("metadata %s (-want +got):\n%s", metadata, diff)
		}
	}
	several := `{"isLastPage":true,"values":[{"displayId":"x","latestCommit":"c1","metadata":{"p:outgoing-pull-request-metadata":{"open":2,"merged":1,"declined":0},"p:build-status-metadata":{"successful":1,"inProgress":0,"failed":3}}}]}`
	a, err := serving(t, answering{200, several}).Branches(t.Context(), server.BranchListing{Project: "ORCH", Repo: "catalogue"})
	if err != nil {
		t.Fatal(err)
	}
	want := server.ListedBranch{Name: "x", Commit: "c1", PullRequests: map[string]int{"OPEN": 2, "MERGED": 1}, Builds: map[string]int{"FAILED": 3, "SUCCESSFUL": 1}}
	if diff := cmp.Diff(want, a.Branches[0]); diff != "" {
		t.Errorf("several pull requests (-want +got):\n%s", diff)
	}
}

// REST-26. The top of a repository has many names, and a folder's errors say
// what is missing.
func TestAFolderIsListedOrItsErrorSaysWhatIsMissing(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", `{}`)
	top := p.tool("list_files", `{"project":"ORCH","repo":"paths"}`)
	for _, path := range []string{"", "/", ".", "./", "//"} {
		r := p.tool("list_files", fmt.Sprintf(`{"project":"ORCH","repo":"paths","path":%q}`, path))
		if r.text() != top.text() {
			t.Errorf("path %q gives %s", path, r.text())
		}
	}
	for arguments, want := range map[string]string{
		`"project":"NOPE","repo":"paths"`:                                     "Project NOPE does not exist",
		`"project":"ORCH","repo":"nope"`:                                      "Repository ORCH/nope does not exist",
		`"project":"ORCH","repo":"paths","at":"nope"`:                         "list_branches",
		`"project":"ORCH","repo":"paths","path":"nope"`:                       `The path \"nope\" does not exist`,
		`"project":"ORCH","repo":"paths","path":"nope","recursive":true`:      `The path \"nope\" does not exist`,
		`"project":"ORCH","repo":"paths","path":"README.md"`:                  `"README.md" is a file, not a folder; get_file reads it`,
		`"project":"ORCH","repo":"paths","path":"README.md","recursive":true`: `"README.md" is a file, not a folder; get_file reads it`,
		`"project":"ORCH","repo":"paths","path":"kinds/module"`:               `is a submodule, another repository at commit 5b0d1f6f`,
		`"project":"ORCH","repo":"paths","path":"../.."`:                      `climbs with ".."`,
		`"project":"NURS","repo":"greenhouse","path":"a"`:                     `the repository is empty`,
	} {
		r := p.tool("list_files", "{"+arguments+"}")
		if !r.IsError || !strings.Contains(r.text(), want) {
			t.Errorf("%s: %s, want %q", arguments, r.text(), want)
		}
	}
	if r := p.tool("list_files", `{"project":"NURS","repo":"greenhouse"}`); r.IsError || !strings.Contains(r.text(), "is empty") {
		t.Errorf("an empty repository: %s", r.text())
	}
}

// PAGING-03. Read in pages, a list holds every entry once, and says so.
func TestListsOfContentAreReadInPages(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", `{}`)
	for call, member := range map[string]string{
		`list_files {"project":"ORCH","repo":"catalogue","at":"chore/sort-the-shelf","path":"shelf"`:     "entries",
		`list_files {"project":"ORCH","repo":"catalogue","at":"feature/planting-books","recursive":true`: "entries",
		`list_branches {"project":"ORCH","repo":"paths"`:                                                 "branches",
		`list_tags {"project":"ORCH","repo":"paths"`:                                                     "tags",
		`search_repositories {"text":""`:                                                                 "repositories",
		`search_code {"query":"the OR tree"`:                                                             "files",
	} {
		tool, arguments, _ := strings.Cut(call, " ")
		read := func(more string) (entries []any, page server.Page) {
			r := p.tool(tool, arguments+more+"}")
			if r.IsError {
				t.Fatalf("%s%s: %s", call, more, r.text())
			}
			fits(t, p, tool, r.StructuredContent)
			page = decode[server.Page](t, r.StructuredContent)
			if page.LimitReached != strings.Contains(r.text(), fmt.Sprintf("start %d", page.NextStart)) {
				t.Errorf("%s%s: limit reached %v, and the text says %s", call, more, page.LimitReached, r.text())
			}
			return decode[map[string]any](t, r.StructuredContent)[member].([]any), page
		}
		whole, page := read(`,"limit":100`)
		if page.LimitReached || page.Count.Total == nil || *page.Count.Total != len(whole) {
			t.Logf("%s: %d entries, %+v", call, len(whole), page)
		}
		var parts []any
		for start := 0; len(parts) < len(whole); {
			some, page := read(fmt.Sprintf(`,"limit":3,"start":%d`, start))
			parts = append(parts, some...)
			if start = page.NextStart; start == 0 {
				break
			}
		}
		if diff := cmp.Diff(whole, parts[:min(len(parts), len(whole))]); diff != "" {
			t.Errorf("%s: in pages (-whole +parts):\n%s", call, diff)
		}
	}
}
