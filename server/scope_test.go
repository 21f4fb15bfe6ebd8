package server_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/server"
)

// within makes a server that is limited to places.
func within(places ...string) func(*server.Options) {
	return func(o *server.Options) {
		for _, p := range places {
			if place, err := server.ParsePlace(p); err == nil {
				o.Repos = append(o.Repos, place)
			} else {
				o.Projects = append(o.Projects, p)
			}
		}
	}
}

// T3. Every tool, and every kind of show, times every way to name a place.
func TestTheScopeHoldsForEveryToolHoweverAPlaceIsNamed(t *testing.T) {
	calls := callsWithoutPlace(t)
	for _, test := range []struct {
		name         string
		scope        []string
		place        string // members of the arguments
		inside       bool   // otherwise it is refused, and nothing is asked
		asked        string // what every request names when inside
		onlyRequired bool   // only where the place is required
	}{
		{"a repository inside", []string{"ORCH/catalogue"}, `"project":"ORCH","repo":"catalogue"`, true, "/projects/ORCH/repos/catalogue", false},
		{"in another letter case", []string{"ORCH/catalogue"}, `"project":"orch","repo":"Catalogue"`, true, "/projects/ORCH/repos/catalogue", false},
		{"with a letter that folds to one of the key", []string{"KELVIN/keys", "ORCH/catalogue"}, "\"project\":\"\u212AELVIN\",\"repo\":\"\u212Aeys\"", true, "/projects/KELVIN/repos/keys", false},
		{"a project inside", []string{"ORCH"}, `"project":"orch","repo":"catalogue"`, true, "/projects/ORCH/repos/catalogue", false},
		{"one of two", []string{"NURS", "ORCH/catalogue"}, `"project":"ORCH","repo":"catalogue"`, true, "/projects/ORCH/repos/catalogue", false},
		{"a person's own", []string{"~amara/scratch"}, `"project":"~AMARA","repo":"scratch"`, true, "/projects/~amara/repos/scratch", false},
		{"left out", []string{"ORCH/catalogue"}, ``, true, "/projects/ORCH/repos/catalogue", true},
		{"null", []string{"ORCH/catalogue"}, `"project":null,"repo":null`, true, "/projects/ORCH/repos/catalogue", true},
		{"only the project left out", []string{"ORCH"}, `"repo":"catalogue"`, true, "/projects/ORCH/repos/catalogue", true},

		{"another repository", []string{"ORCH/catalogue"}, `"project":"ORCH","repo":"paths"`, false, "", false},
		{"another project", []string{"ORCH"}, `"project":"VAULT","repo":"keys"`, false, "", false},
		{"the same slug in another project", []string{"ORCH/catalogue"}, `"project":"~zoe","repo":"catalogue"`, false, "", false},
		{"a person's own without the tilde", []string{"~amara"}, `"project":"amara","repo":"scratch"`, false, "", false},
		{"a key that begins like one inside", []string{"ORCH"}, `"project":"ORCHARD","repo":"catalogue"`, false, "", false},
		{"climbing by the repository", []string{"ORCH/catalogue"}, `"project":"ORCH","repo":"../../VAULT/repos/keys"`, false, "", false},
		{"climbing by a project inside", []string{"ORCH"}, `"project":"ORCH","repo":"../../VAULT/repos/keys"`, false, "", false},
		{"climbing, encoded", []string{"ORCH"}, `"project":"ORCH","repo":"%2e%2e%2f%2e%2e%2fVAULT%2frepos%2fkeys"`, false, "", false},
		{"climbing, encoded twice", []string{"ORCH"}, `"project":"ORCH","repo":"%252e%252e%252fVAULT"`, false, "", false},
		{"climbing with a backslash", []string{"ORCH"}, `"project":"ORCH","repo":"..\\..\\VAULT"`, false, "", false},
		{"two dots", []string{"ORCH"}, `"project":"ORCH","repo":".."`, false, "", false},
		{"with a query", []string{"ORCH"}, `"project":"ORCH","repo":"catalogue?x=/../"`, false, "", false},
		{"with a line break", []string{"ORCH"}, `"project":"ORCH","repo":"catalogue\n"`, false, "", false},
		{"a number for a name", []string{"ORCH"}, `"project":1,"repo":2`, false, "", false},
		{"left out where two are possible", []string{"ORCH/catalogue", "NURS"}, ``, false, "", true},
		{"only the repository", []string{"ORCH/catalogue", "NURS"}, `"repo":"catalogue"`, false, "", true},
	} {
		w := newWorld(t, "amara", within(test.scope...))
		p := w.connect(t, "modern", uiCapability)
		for _, call := range calls {
			if test.onlyRequired && !call.needsPlace || call.projectOnly {
				continue
			}
			arguments := strings.Trim(call.arguments+","+test.place, ",")
			w.fake.ResetRequests()
			r := p.tool(call.tool, "{"+arguments+"}")
			requests := w.fake.Requests()
			if !test.inside {
				if !r.IsError || len(requests) > 0 {
					t.Errorf("%s: %s {%s} under %v: isError %v, %d requests went out: %s", test.name, call.tool, arguments, test.scope, r.IsError, len(requests), r.text())
				}
				continue
			}
			if len(requests) == 0 {
				t.Errorf("%s: %s {%s} under %v asked for nothing: %s", test.name, call.tool, arguments, test.scope, r.text())
			}
			// What Bitbucket's answer calls the place may be in another letter case,
			// and a repository's reviewer groups are partly its project's.
			project, _, _ := strings.Cut(test.asked, "/repos/")
			for _, request := range requests {
				path := strings.ToLower(request.Path + "/")
				inside := strings.Contains(path, strings.ToLower(test.asked+"/")) || strings.Contains(path, strings.ToLower(project+"/settings/"))
				if strings.Contains(path, "/projects/") && !inside {
					t.Errorf("%s: %s {%s} under %v asked for %s", test.name, call.tool, arguments, test.scope, request.Path)
				}
			}
		}
	}
}

// placelessCall is a call of a tool without the place it is about.
type placelessCall struct {
	tool, arguments string
	needsPlace      bool // without a place there is nothing to answer
	projectOnly     bool // it takes no repository; it has tests of its own
}

// callsWithoutPlace gives one call of every tool and of every kind of show. A
// tool that needs an argument this does not know fails the test: it needs a
// line here.
func callsWithoutPlace(t testing.TB) []placelessCall {
	t.Helper()
	examples := map[string]string{
		"id": `1`, "commit": `"main"`, "path": `"README.md"`, "query": `"tree"`, "source": `"feature/prune"`, "target": `"main"`, "text": `"a"`,
	}
	var calls []placelessCall
	for _, d := range tools(t, newWorld(t, "amara").connect(t, "modern", uiCapability)) {
		if d.Name == "show" {
			for _, kind := range d.InputSchema.Properties["kind"].Enum {
				arguments := fmt.Sprintf(`"kind":%q`, kind)
				if kind != "pull_requests" {
					arguments += `,"id":1`
				}
				calls = append(calls, placelessCall{tool: "show", arguments: arguments, needsPlace: kind != "pull_requests"})
			}
			continue
		}
		call := placelessCall{tool: d.Name, needsPlace: slices.Contains(d.InputSchema.Required, "repo")}
		_, takesRepo := d.InputSchema.Properties["repo"]
		call.projectOnly = !takesRepo
		var arguments []string
		for _, name := range d.InputSchema.Required {
			if name == "project" || name == "repo" {
				continue
			}
			if examples[name] == "" {
				t.Errorf("%s needs %s, for which this test knows no example", d.Name, name)
			}
			arguments = append(arguments, fmt.Sprintf("%q:%s", name, examples[name]))
		}
		// Of what may be left out, what a call of this tool is about.
		for _, name := range []string{"id", "source"} {
			if _, takes := d.InputSchema.Properties[name]; takes && !slices.Contains(d.InputSchema.Required, name) {
				arguments = append(arguments, fmt.Sprintf("%q:%s", name, examples[name]))
				break
			}
		}
		call.arguments = strings.Join(arguments, ",")
		calls = append(calls, call)
	}
	return calls
}

// T3. The fork that a source is in is a second place.
func TestTheScopeHoldsForTheForkASourceIsIn(t *testing.T) {
	tried := 0
	for _, d := range tools(t, newWorld(t, "amara").connect(t, "modern", `{}`)) {
		if _, takes := d.InputSchema.Properties["sourceRepo"]; !takes {
			continue
		}
		tried++
		for _, test := range []struct {
			scope  []string
			fork   string
			inside bool
		}{
			{[]string{"ORCH/catalogue", "~zoe"}, `"sourceProject":"~ZOE","sourceRepo":"catalogue"`, true},
			{[]string{"ORCH/catalogue"}, `"sourceProject":"~zoe","sourceRepo":"catalogue"`, false},
			{[]string{"ORCH/catalogue"}, `"sourceProject":"VAULT","sourceRepo":"keys"`, false},
			{[]string{"ORCH/catalogue", "VAULT"}, `"sourceRepo":"keys"`, false},
			{[]string{"ORCH/catalogue"}, `"sourceProject":"ORCH","sourceRepo":"../../VAULT/repos/keys"`, false},
		} {
			w := newWorld(t, "amara", within(test.scope...))
			r := w.connect(t, "modern", `{}`).tool(d.Name, `{"project":"ORCH","repo":"catalogue","source":"main","target":"main",`+test.fork+`}`)
			if asked := len(w.fake.Requests()) > 0; asked != test.inside {
				t.Errorf("%s with %s under %v: Bitbucket was asked: %v; %s", d.Name, test.fork, test.scope, asked, r.text())
			}
		}
	}
	if tried < 2 {
		t.Errorf("%d tools take a fork: the test tries nothing", tried)
	}
}

// T3. Where the scope leaves one answer, the schema does not require it.
func TestTheSchemaDoesNotRequireWhatTheScopeDecides(t *testing.T) {
	for _, test := range []struct {
		scope []string
		want  string
	}{
		{nil, "project repo"},
		{[]string{"ORCH/catalogue"}, ""},
		{[]string{"ORCH"}, "repo"},
		{[]string{"ORCH/catalogue", "ORCH/paths"}, "repo"},
		{[]string{"ORCH", "orch/catalogue"}, "repo"},
		{[]string{"ORCH", "NURS"}, "project repo"},
	} {
		for _, d := range tools(t, newWorld(t, "amara", within(test.scope...)).connect(t, "modern", `{}`)) {
			if d.Name != "get_pull_request" {
				continue
			}
			required := slices.DeleteFunc(slices.Clone(d.InputSchema.Required), func(name string) bool { return name == "id" })
			if got := strings.Join(required, " "); got != test.want {
				t.Errorf("under %v %s requires %q, want %q", test.scope, d.Name, got, test.want)
			}
		}
	}
}

// T3. A list across repositories shows nothing from outside, and claims no
// total.
func TestAListAcrossRepositoriesIsNarrowed(t *testing.T) {
	whole := decode[server.PullRequestsAnswer](t, newWorld(t, "amara").connect(t, "modern", `{}`).tool("list_pull_requests", `{"state":"ALL","limit":100}`).StructuredContent)
	inside, outside := 0, 0
	for _, p := range whole.PullRequests {
		if p.Project == "ORCH" && p.Repo == "catalogue" {
			inside++
		} else {
			outside++
		}
	}
	if inside < 3 || outside == 0 {
		t.Fatalf("amara has %d pull requests inside and %d outside", inside, outside)
	}
	w := newWorld(t, "amara", within("orch/CATALOGUE"))
	p := w.connect(t, "modern", `{}`)
	var ids []int
	for start := 0; ; {
		r := p.tool("list_pull_requests", fmt.Sprintf(`{"state":"ALL","limit":2,"start":%d}`, start))
		list := decode[server.PullRequestsAnswer](t, r.StructuredContent)
		if list.Count.Total != nil {
			t.Errorf("start %d: the list claims a total of %d", start, *list.Count.Total)
		}
		for _, x := range list.PullRequests {
			if x.Project != "ORCH" || x.Repo != "catalogue" {
				t.Errorf("start %d: %s/%s #%d is listed", start, x.Project, x.Repo, x.ID)
			}
			ids = append(ids, x.ID)
		}
		if !list.LimitReached {
			break
		}
		if list.NextStart <= start {
			t.Fatalf("after start %d comes start %d", start, list.NextStart)
		}
		start = list.NextStart
	}
	if slices.Sort(ids); len(slices.Compact(ids)) != inside {
		t.Errorf("read two at a time, %v are listed; want %d", ids, inside)
	}
}

// T3. Nobody takes a part for the whole.
func TestAListUnderAScopeNamesTheScope(t *testing.T) {
	for _, test := range []struct{ place, tool, arguments, want string }{
		{"NURS", "list_pull_requests", `{}`, `No open pull requests that "Amara Oyelaran" (amara) wrote, reviews or takes part in, in NURS, which bb is limited to.`},
		{"ORCH/catalogue", "list_pull_requests", `{"role":"REVIEWER"}`, `open pull requests that "Amara Oyelaran" (amara) reviews, in ORCH/catalogue, which bb is limited to:`},
		{"ORCH/catalogue", "list_pull_requests", `{"repo":"catalogue"}`, "open pull requests of ORCH/catalogue:"},
		{"ORCH", "list_pull_requests", `{"repo":"catalogue"}`, "open pull requests of ORCH/catalogue:"},
		{"NURS", "search_code", `{"query":"frost"}`, "No files on default branches"},
	} {
		r := newWorld(t, "amara", within(test.place)).connect(t, "modern", `{}`).tool(test.tool, test.arguments)
		if r.IsError || !strings.Contains(r.text(), test.want) {
			t.Errorf("%s under %s: %s; want %s", test.tool, test.place, r.text(), test.want)
		}
	}
	a := newWorld(t, "amara", within("NURS")).connect(t, "modern", `{}`).call("server/discover", `{}`)
	if !strings.Contains(string(a.Result), "It is limited to NURS") {
		t.Errorf("the instructions are %s", a.Result)
	}
}

// PAGING-01, PAGING-03: a start beyond the end is no empty list.
func TestAStartBeyondTheEndIsSaid(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", `{}`)
	for tool, arguments := range map[string]string{
		"suggest_reviewers": `"id":1,`, "list_pull_requests": ``, "list_pull_request_activity": `"id":1,`, "list_pull_request_threads": `"id":1,`,
		"list_pull_request_commits": `"id":1,`, "list_tags": ``, "list_branches": ``, "list_files": ``, "list_commits": ``, "get_build_status": `"id":1,`,
		"list_required_builds": ``, "compare_refs": `"source":"feature/prune",`, "get_commit": `"commit":"main",`,
	} {
		r := p.tool(tool, `{"project":"ORCH","repo":"catalogue",`+arguments+`"start":5000}`)
		if r.IsError || !strings.Contains(r.text(), "start 5000") || strings.Contains(r.text(), "the last 0") {
			t.Errorf("%s: %s", tool, r.text())
		}
	}
}

// T3
func TestAScopeThatCannotBeIsRefused(t *testing.T) {
	for _, o := range []server.Options{
		{Projects: []string{""}}, {Projects: []string{".."}}, {Projects: []string{"ORCH/catalogue"}},
		{Repos: []server.Place{{Repo: "catalogue"}}}, {Repos: []server.Place{{Project: "ORCH", Repo: "a/b"}}},
	} {
		o.Bitbucket = newClient(t, http.DefaultTransport)
		if _, err := server.New(o); err == nil {
			t.Errorf("New with projects %q and repos %q is accepted", o.Projects, o.Repos)
		}
	}
	for _, text := range []string{"", "ORCH", "/catalogue", "ORCH/", "ORCH/a/b", "ORCH/..", "../x"} {
		if p, err := server.ParsePlace(text); err == nil {
			t.Errorf("ParsePlace(%q) gives %v", text, p)
		}
	}
}
