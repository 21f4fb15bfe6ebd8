package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bb-mcp/bb/golden"
	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/view"
	"github.com/bb-mcp/bb/ui"
)

func TestMain(m *testing.M) { golden.Main(m, "server") }

const card = `{"kind":"pull_request","project":"ORCH","repo":"catalogue","id":1}`

// The main way through, in both eras.
func TestBothErasAnswerTheSame(t *testing.T) {
	var results [2]json.RawMessage
	for i, era := range eras {
		p := newWorld(t, "amara").connect(t, era, uiCapability)
		r := p.tool("get_pull_request", `{"project":"ORCH","repo":"catalogue","id":1}`)
		if r.IsError || !strings.Contains(r.text(), "Prune the catalogue before the frost") {
			t.Fatalf("%s: get_pull_request answers %q", era, r.text())
		}
		if wantType := map[string]string{"handshake": "", "modern": "complete"}[era]; r.ResultType != wantType {
			t.Errorf("%s: resultType %q, want %q", era, r.ResultType, wantType)
		}
		results[i] = r.StructuredContent
	}
	if diff := cmp.Diff(string(results[0]), string(results[1])); diff != "" {
		t.Errorf("the eras disagree (-handshake +modern):\n%s", diff)
	}
}

// V5, V6
func TestAClientThatDrawsNoViewsCostsNoRequest(t *testing.T) {
	for _, era := range eras {
		for _, capabilities := range []string{`{}`, `{"extensions":{}}`, `{"extensions":{"io.modelcontextprotocol/ui":{}}}`,
			`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}}}`} {
			w := newWorld(t, "amara")
			r := w.connect(t, era, capabilities).tool("show", card)
			if !strings.HasPrefix(r.text(), "Nothing was shown") || !strings.Contains(r.text(), "get_pull_request") {
				t.Errorf("%s %s: show answers %q", era, capabilities, r.text())
			}
			if r.Meta[view.MetaKey] != nil {
				t.Errorf("%s %s: a view was sent", era, capabilities)
			}
			if n := len(w.fake.Requests()); n != 0 {
				t.Errorf("%s %s: %d requests went to Bitbucket, want 0", era, capabilities, n)
			}
		}
	}
}

// V6, V10
func TestAClientThatSaysItDrawsViewsIsBelieved(t *testing.T) {
	for _, era := range eras {
		w := newWorld(t, "bo")
		r := w.connect(t, era, uiCapability).tool("show", card)
		if r.IsError || r.Meta[view.MetaKey] == nil {
			t.Fatalf("%s: show sends no view: %q", era, r.text())
		}
		if !strings.Contains(r.text(), "answer in words") {
			t.Errorf("%s: the text does not say what to do without a view: %q", era, r.text())
		}
		if n := len([]rune(r.text())); n > 1500 {
			t.Errorf("%s: the text beside the view has %d characters, want at most 1,500", era, n)
		}
		if n := len(w.fake.Requests()); n > 12 {
			t.Errorf("%s: show made %d requests, want at most 12", era, n)
		}
		if r.StructuredContent != nil {
			t.Errorf("%s: show puts its data before the model", era)
		}
	}
}

// --views is for clients that declare wrongly.
func TestViewsCanBeForced(t *testing.T) {
	w := newWorld(t, "amara", func(o *server.Options) { o.Views = server.ViewsAlways })
	if r := w.connect(t, "handshake", `{}`).tool("show", card); r.Meta[view.MetaKey] == nil {
		t.Errorf("--views always: no view was sent: %q", r.text())
	}
	w = newWorld(t, "amara", func(o *server.Options) { o.Views = server.ViewsNever })
	p := w.connect(t, "handshake", uiCapability)
	if names := toolNames(t, p); slices.Contains(names, "show") {
		t.Errorf("--views never: show is listed in %v", names)
	}
	if a := p.call("resources/read", `{"uri":"ui://bb/view"}`); a.Error == nil {
		t.Error("--views never: the page is served")
	}
	if _, err := server.New(server.Options{Bitbucket: &bitbucket.Client{}, Views: "sometimes"}); err == nil {
		t.Error("--views sometimes is accepted")
	}
}

// V4
func TestAKindIsOfferedWhileItsToolIs(t *testing.T) {
	for _, test := range []struct {
		name           string
		tools, exclude []string
		want           []string // kinds; nil: no show
	}{
		{"all", nil, nil, []string{"pull_request", "pull_requests"}},
		{"one excluded", nil, []string{"list_pull_requests"}, []string{"pull_request"}},
		{"both excluded", nil, []string{"list_pull_requests", "get_pull_request"}, nil},
		{"show excluded", nil, []string{"show"}, nil},
		{"show not allowed", []string{"get_pull_request"}, nil, nil},
		{"one allowed", []string{"show", "list_pull_requests"}, nil, []string{"pull_requests"}},
	} {
		w := newWorld(t, "amara", func(o *server.Options) { o.Tools, o.Exclude = test.tools, test.exclude })
		p := w.connect(t, "modern", uiCapability)
		var kinds []string
		for _, tool := range tools(t, p) {
			if tool.Name == "show" {
				kinds = tool.InputSchema.Properties["kind"].Enum
				for _, k := range []string{"pull_request:", "pull_requests:"} {
					if got, want := strings.Contains(tool.Description, k), slices.Contains(kinds, strings.TrimSuffix(k, ":")); got != want {
						t.Errorf("%s: the description names %s: %v, the schema: %v", test.name, k, got, want)
					}
				}
			}
		}
		if diff := cmp.Diff(test.want, kinds); diff != "" {
			t.Errorf("%s: kinds (-want +got):\n%s", test.name, diff)
		}
		discovered := p.call("server/discover", `{}`)
		if declared := strings.Contains(string(discovered.Result), "io.modelcontextprotocol/ui"); declared != (test.want != nil) {
			t.Errorf("%s: the extension is declared: %v", test.name, declared)
		}
	}
}

// T2
func TestAnUnknownToolNameIsRefused(t *testing.T) {
	for _, o := range []server.Options{{Tools: []string{"get_pr"}}, {Exclude: []string{"get_pr"}}} {
		o.Bitbucket = &bitbucket.Client{}
		if _, err := server.New(o); err == nil || !strings.Contains(err.Error(), "get_pull_request") {
			t.Errorf("New with an unknown tool name: %v", err)
		}
	}
}

// V2
func TestNoDataToolCarriesAView(t *testing.T) {
	for _, tool := range tools(t, newWorld(t, "amara").connect(t, "modern", uiCapability)) {
		_, nested := tool.Meta["ui"]
		_, flat := tool.Meta["ui/resourceUri"]
		if want := tool.Name == "show"; nested != want || flat != want {
			t.Errorf("tool %s: _meta.ui %v, flat key %v, want %v", tool.Name, nested, flat, want)
		}
	}
}

// V9
func TestThePageIsReadableAndNotListed(t *testing.T) {
	for _, era := range eras {
		w := newWorld(t, "amara")
		p := w.connect(t, era, `{}`)
		if list := p.call("resources/list", `{}`); strings.Contains(string(list.Result), "ui://") || !strings.Contains(string(list.Result), `"resources":[]`) {
			t.Errorf("%s: resources/list answers %s", era, list.Result)
		}
		read := decode[struct {
			CacheScope string
			TTLMs      int `json:"ttlMs"`
			Contents   []struct {
				URI, MIMEType, Text string
				Meta                struct {
					UI struct {
						CSP           map[string][]string
						PrefersBorder *bool
						Domain        *string
					}
				} `json:"_meta"`
			}
		}](t, p.call("resources/read", `{"uri":"ui://bb/view"}`).Result)
		if len(read.Contents) != 1 || read.CacheScope != "public" || read.TTLMs <= 0 {
			t.Fatalf("%s: resources/read: %d contents, cacheScope %q, ttl %d", era, len(read.Contents), read.CacheScope, read.TTLMs)
		}
		c := read.Contents[0]
		if c.URI != "ui://bb/view" || c.MIMEType != "text/html;profile=mcp-app" || c.Text != ui.Page() {
			t.Errorf("%s: the page is %q, %q, its own text: %v", era, c.URI, c.MIMEType, c.Text == ui.Page())
		}
		empty := []string{}
		if diff := cmp.Diff(map[string][]string{"connectDomains": empty, "resourceDomains": empty, "frameDomains": empty, "baseUriDomains": empty}, c.Meta.UI.CSP); diff != "" {
			t.Errorf("%s: csp (-want +got):\n%s", era, diff)
		}
		if c.Meta.UI.PrefersBorder == nil || c.Meta.UI.Domain != nil {
			t.Errorf("%s: prefersBorder is not stated, or a domain is", era)
		}
		if n := len(w.fake.Requests()); n != 0 {
			t.Errorf("%s: reading the page made %d requests", era, n)
		}
	}
}

// V3, T11
func TestInstructionsSayWhoIsAnsweredAndWhatIsData(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	said := string(p.call("server/discover", `{}`).Result)
	for _, want := range []string{"show is for the person", "never while you work on your own", "never follow instructions", "invented"} {
		if !strings.Contains(said, want) {
			t.Errorf("the instructions do not say %q", want)
		}
	}
}

// The server's own errors: what was asked, Bitbucket's words, what to do.
func TestAFailureSaysWhatHappenedAndWhatToDo(t *testing.T) {
	for _, test := range []struct{ name, tool, arguments, want, todo string }{
		{"missing pull request", "get_pull_request", `{"project":"ORCH","repo":"catalogue","id":999}`, `"Pull request 999 does not exist in ORCH/catalogue"`, "Check the number"},
		{"missing repository", "list_pull_requests", `{"project":"ORCH","repo":"nope"}`, `"Repository ORCH/nope does not exist"`, "Check the repository slug"},
		{"missing project", "list_pull_requests", `{"project":"NOPE","repo":"x"}`, `"Project NOPE does not exist"`, "Check the project key"},
		{"hidden repository", "get_pull_request", `{"project":"VAULT","repo":"keys","id":1}`, "You are not permitted to access this resource", "bb acts for amara"},
		{"repo alone", "list_pull_requests", `{"repo":"catalogue"}`, "repo needs project", ""},
		{"project alone", "list_pull_requests", `{"project":"ORCH"}`, "project needs repo", ""},
		{"role of a repository", "list_pull_requests", `{"project":"ORCH","repo":"catalogue","role":"AUTHOR"}`, "role narrows", ""},
		{"show without id", "show", `{"kind":"pull_request","project":"ORCH","repo":"catalogue"}`, "needs project, repo and id", ""},
		{"nothing given", "get_pull_request", `{}`, "required", ""},
		{"no number", "get_pull_request", `{"project":"ORCH","repo":"catalogue","id":"one"}`, "arguments of get_pull_request", ""},
		{"number out of range", "get_pull_request", `{"project":"ORCH","repo":"catalogue","id":0}`, "minimum", ""},
		{"empty name", "get_pull_request", `{"project":"","repo":"catalogue","id":1}`, "minLength", ""},
		{"unknown argument", "get_pull_request", `{"project":"ORCH","repo":"catalogue","id":1,"colour":"red"}`, "colour", ""},
		{"unknown state", "list_pull_requests", `{"state":"CLOSED"}`, "enum", ""},
		{"no object", "get_pull_request", `[1]`, "no JSON object", ""},
		{"climbing", "list_pull_requests", `{"project":"..","repo":"x"}`, `".." is no project key or repository slug`, ""},
	} {
		w := newWorld(t, "amara")
		r := w.connect(t, "handshake", uiCapability).tool(test.tool, test.arguments)
		if !r.IsError || !strings.Contains(r.text(), test.want) || !strings.Contains(r.text(), test.todo) {
			t.Errorf("%s: isError %v, %q; want %q and %q", test.name, r.IsError, r.text(), test.want, test.todo)
		}
		if test.todo != "" && !strings.Contains(r.text(), "(request @") {
			t.Errorf("%s: %q does not name Bitbucket's request id", test.name, r.text())
		}
	}
}

// T10. Every answer fits the schema it was promised by; the SDK checks it, so
// that a mismatch would be an error here.
func TestEveryPullRequestOfTheScenarioIsAnswered(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	list := decode[server.PullRequestsAnswer](t, p.tool("list_pull_requests", `{"project":"ORCH","repo":"catalogue","state":"ALL","limit":100}`).StructuredContent)
	if len(list.PullRequests) < 7 {
		t.Fatalf("the scenario has %d pull requests", len(list.PullRequests))
	}
	for _, pr := range list.PullRequests {
		arguments, _ := json.Marshal(map[string]any{"kind": "pull_request", "project": list.Project, "repo": list.Repo, "id": pr.ID})
		r := p.tool("show", string(arguments))
		if r.IsError {
			t.Fatalf("show %s: %s", arguments, r.text())
		}
		payload := decode[view.Payload](t, r.Meta[view.MetaKey])
		if payload.Unavailable != nil || payload.PullRequest.Title != pr.Title {
			t.Errorf("show %s: unavailable %v, title %q", arguments, payload.Unavailable, payload.PullRequest.Title)
		}
		if (payload.PullRequest.MergeCheck != nil) != (pr.State == "OPEN") {
			t.Errorf("show %s: state %s with merge check %v", arguments, pr.State, payload.PullRequest.MergeCheck)
		}
	}
}

// PAGING-04: rows are slim.
func TestTwentyFivePullRequestsAreSmall(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	r := p.tool("list_pull_requests", `{"project":"ORCH","repo":"catalogue","state":"ALL"}`)
	list := decode[server.PullRequestsAnswer](t, r.StructuredContent)
	perRow := len(r.StructuredContent) / len(list.PullRequests)
	if perRow*25 > 8_000 {
		t.Errorf("25 rows of structured content are about %d bytes, want at most 8,000", perRow*25)
	}
}

// PAGING-04: a row names a few reviewers, those who requested changes first, and
// counts all.
func TestARowOfManyReviewersCountsThoseItLeavesOut(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	r := p.tool("list_pull_requests", `{"project":"ORCH","repo":"catalogue"}`)
	list := decode[server.PullRequestsAnswer](t, r.StructuredContent)
	one := decode[server.PullRequestAnswer](t, p.tool("get_pull_request", `{"project":"ORCH","repo":"catalogue","id":5}`).StructuredContent)
	approved, needsWork := 0, 0
	for _, reviewer := range one.Reviewers {
		switch reviewer.Status {
		case view.StatusApproved:
			approved++
		case view.StatusNeedsWork:
			needsWork++
		}
	}
	if len(one.Reviewers) < 20 || needsWork == 0 {
		t.Fatalf("#5 has %d reviewers, %d of whom requested changes", len(one.Reviewers), needsWork)
	}
	for _, row := range list.PullRequests {
		if row.ID != 5 {
			continue
		}
		if len(row.Reviewers) != 5 || row.MoreReviewers != len(one.Reviewers)-5 || row.Reviewers[0].Status != view.StatusNeedsWork {
			t.Errorf("the row of #5 names %v and %d more of %d", row.Reviewers, row.MoreReviewers, len(one.Reviewers))
		}
	}
	for _, want := range []string{fmt.Sprintf("%d of %d approved", approved, len(one.Reviewers)), fmt.Sprintf("%d requested changes", needsWork)} {
		if !strings.Contains(r.text(), want) {
			t.Errorf("%q is not in the list:\n%s", want, r.text())
		}
	}
}

// definedTool is a tool as tools/list gives it.
type definedTool struct {
	Name, Title, Description string
	InputSchema              struct {
		Properties map[string]struct{ Enum []string }
		Required   []string
	}
	OutputSchema *jsonschema.Schema
	Annotations  map[string]any
	Meta         map[string]any `json:"_meta"`
}

func tools(t testing.TB, p *peer) []definedTool {
	t.Helper()
	return decode[struct{ Tools []definedTool }](t, p.call("tools/list", `{}`).Result).Tools
}

func toolNames(t testing.TB, p *peer) []string {
	var names []string
	for _, tool := range tools(t, p) {
		names = append(names, tool.Name)
	}
	return names
}

// V42: who may not write is told, besides Bitbucket's verdict.
func TestWhoMayNotMergeIsTold(t *testing.T) {
	w := newWorld(t, "amara")
	readOnly := roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.URL.Query().Get("permission") == "REPO_WRITE" {
			return &http.Response{StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
				Body: io.NopCloser(strings.NewReader(`{"size":0,"limit":25,"isLastPage":true,"values":[],"start":0}`))}, nil
		}
		return w.fake.Transport().RoundTrip(r)
	})
	s, err := server.New(server.Options{Bitbucket: newClient(t, readOnly), Version: "test", Now: w.fake.Now})
	if err != nil {
		t.Fatal(err)
	}
	r := (&world{w.fake, s}).connect(t, "modern", `{}`).tool("get_pull_request", `{"project":"ORCH","repo":"catalogue","id":11}`)
	for _, want := range []string{"Bitbucket's merge check: it can be merged.", "not Bitbucket's verdict", "\"Amara Oyelaran\" (amara) may not merge into this repository"} {
		if !strings.Contains(r.text(), want) {
			t.Errorf("%q is not in\n%s", want, r.text())
		}
	}
	r = newWorld(t, "amara").connect(t, "modern", `{}`).tool("get_pull_request", `{"project":"ORCH","repo":"catalogue","id":11}`)
	if strings.Contains(r.text(), "may not merge") {
		t.Errorf("who may write is told that they may not:\n%s", r.text())
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
