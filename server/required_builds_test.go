package server_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
)

// V17: what bb reads of the rules is what the merge check decides by, for every
// open pull request of the catalogue.
func TestRequiredBuildsAreReadAsTheMergeCheckDecidesThem(t *testing.T) {
	type key struct {
		Key, State string
		Perhaps    bool
	}
	for _, user := range []string{"amara", "bo", "chen"} {
		p := newWorld(t, user).connect(t, "modern", uiCapability)
		for id, want := range map[int]struct {
			met  string
			keys []key
		}{
			1:  {"NO", []key{{"catalogue-ci", "FAILED", false}}},
			4:  {"NO", []key{{"catalogue-ci", "INPROGRESS", false}}},
			6:  {"YES", []key{{"catalogue-ci", "SUCCESSFUL", false}}},
			7:  {"YES", []key{{"catalogue-ci", "SUCCESSFUL", false}}},
			11: {"YES", []key{{"catalogue-ci", "SUCCESSFUL", false}}},
			12: {"NO", []key{{"catalogue-ci", "INPROGRESS", false}}},
		} {
			r := p.tool("list_required_builds", fmt.Sprintf(`{"project":"ORCH","repo":"catalogue","id":%d}`, id))
			if r.IsError {
				t.Errorf("%s #%d: %s", user, id, r.text())
				continue
			}
			fits(t, p, "list_required_builds", r.StructuredContent)
			a := decode[server.RequiredBuildsAnswer](t, r.StructuredContent)
			var keys []key
			for _, k := range a.PullRequest.Keys {
				keys = append(keys, key(k))
			}
			if diff := cmp.Diff(want.keys, keys); diff != "" || a.PullRequest.AllSuccessful != want.met {
				t.Errorf("%s #%d: %s, want %s; keys (-want +got):\n%s", user, id, a.PullRequest.AllSuccessful, want.met, diff)
			}
			if !strings.Contains(r.text(), `"catalogue-ci"`) || !strings.Contains(r.text(), "merge check of get_pull_request") {
				t.Errorf("%s #%d: the text says less:\n%s", user, id, r.text())
			}
		}
	}
}

// V17: bb's reading says "no" exactly where the merge check has a veto over
// builds.
func TestNotAllSuccessfulIsWhatTheMergeCheckVetoes(t *testing.T) {
	w := newWorld(t, "bo")
	p, client := w.connect(t, "modern", uiCapability), newClient(t, w.fake.Transport())
	open := 0
	for id := range 13 {
		m, err := client.MergeCheck(t.Context(), "ORCH", "catalogue", id)
		if err != nil {
			continue // closed, or there is none
		}
		open++
		vetoed := slices.ContainsFunc(m.Vetoes, func(v bitbucket.Veto) bool { return strings.Contains(v.SummaryMessage, "required builds") })
		a := decode[server.RequiredBuildsAnswer](t, p.tool("list_required_builds", fmt.Sprintf(`{"project":"ORCH","repo":"catalogue","id":%d}`, id)).StructuredContent)
		if met := a.PullRequest.AllSuccessful; (met == "NO") != vetoed || met == "CANNOT_TELL" {
			t.Errorf("#%d: %s, and the merge check says %+v", id, met, m.Vetoes)
		}
	}
	if open < 10 {
		t.Errorf("%d open pull requests, want at least 10", open)
	}
}

// V17: a branch of a fork is not in the categories of the repository it goes
// into, as far as anybody knows.
func TestAForksBranchOfAnExemptCategoryCannotBeTold(t *testing.T) {
	const exempt = `,"exemptRefMatcher":{"id":"FEATURE","type":{"id":"MODEL_CATEGORY"},"active":true}`
	p, _ := listen(t, "amara", answers(map[string]string{
		"/conditions":  page(`{"id":1,"buildParentKeys":["other"],"refMatcher":{"id":"*","type":{"id":"ANY_REF"}}` + exempt + `}`),
		"/branchmodel": `{"types":[{"id":"FEATURE","displayName":"Feature","prefix":"wasp"}]}`,
	}))
	for id, want := range map[int]string{11: "CANNOT_TELL", 1: "NO"} { // 11 comes from wasp-warning of a fork, 1 from feature/prune
		a := decode[server.RequiredBuildsAnswer](t, p.tool("list_required_builds", fmt.Sprintf(`{"project":"ORCH","repo":"catalogue","id":%d}`, id)).StructuredContent)
		if a.PullRequest.AllSuccessful != want {
			t.Errorf("#%d: %s, want %s: %+v", id, a.PullRequest.AllSuccessful, want, a.Conditions)
		}
	}
}

// V17: the conditions that apply are those the scenario means.
func TestTheConditionsThatApplyComeFirst(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	a := decode[server.RequiredBuildsAnswer](t, p.tool("list_required_builds", `{"project":"ORCH","repo":"catalogue","id":1}`).StructuredContent)
	got := map[string][]int{}
	for _, c := range a.Conditions {
		got[c.Applies] = append(got[c.Applies], c.ID-110100)
	}
	// #1 comes from feature/prune: the fifth exempts its category, the last any.
	if diff := cmp.Diff(map[string][]int{"YES": {1, 2, 3, 4, 6}, "NO": {5, 7, 8, 9, 10}}, got); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	if a.Conditions[0].Applies != "YES" || a.Conditions[9].Applies != "NO" || a.Conditions[9].Why == "" || total(a.Count) != 10 {
		t.Errorf("order, reasons or count: %+v", a)
	}
}

// PAGING-01, PAGING-03: every argument changes the answer.
func TestConditionsAreListedByParts(t *testing.T) {
	p := newWorld(t, "bo").connect(t, "modern", uiCapability)
	whole := decode[server.RequiredBuildsAnswer](t, p.tool("list_required_builds", `{"project":"ORCH","repo":"catalogue"}`).StructuredContent)
	if whole.PullRequest != nil || whole.LimitReached || len(whole.Conditions) != 10 {
		t.Errorf("the whole: %+v", whole)
	}
	if got := whole.Conditions[6]; got.Target != "PATTERN RELEASE/*" || got.Exempt != "MODEL_CATEGORY HOTFIX" || !slices.Equal(got.Keys, []string{"catalogue-release", "catalogue-licences"}) {
		t.Errorf("the seventh: %+v", got)
	}
	if got := whole.Conditions[5]; got.Target != "ANY_REF" {
		t.Errorf("the sixth: %+v", got)
	}
	part := decode[server.RequiredBuildsAnswer](t, p.tool("list_required_builds", `{"project":"ORCH","repo":"catalogue","limit":4,"start":4}`).StructuredContent)
	if len(part.Conditions) != 4 || part.Conditions[0].ID != whole.Conditions[4].ID || !part.LimitReached || part.NextStart != 8 || total(part.Count) != 10 {
		t.Errorf("a part: %+v", part)
	}
	beyond := decode[server.RequiredBuildsAnswer](t, p.tool("list_required_builds", `{"project":"ORCH","repo":"catalogue","start":100}`).StructuredContent)
	if len(beyond.Conditions) != 0 || beyond.LimitReached || total(beyond.Count) != 10 {
		t.Errorf("beyond the end: %+v", beyond)
	}
	if r := p.tool("list_required_builds", `{"project":"NURS","repo":"seedlings"}`); !strings.Contains(r.text(), "requires no builds") {
		t.Errorf("none: %s", r.text())
	}
}

// page is a last page of entries.
func page(entries ...string) string {
	return fmt.Sprintf(`{"size":%d,"limit":1000,"isLastPage":true,"start":0,"values":[%s]}`, len(entries), strings.Join(entries, ","))
}

// more is a page after which there are more.
func more(entries ...string) string {
	return strings.Replace(page(entries...), `"isLastPage":true`, fmt.Sprintf(`"isLastPage":false,"nextPageStart":%d`, len(entries)), 1)
}

// What seldom changes is read once a minute.
func TestRulesAreKeptPerRepository(t *testing.T) {
	p, l := listen(t, "amara", nil)
	for _, arguments := range []string{`{"project":"ORCH","repo":"catalogue","id":1}`, `{"project":"orch","repo":"Catalogue","id":7}`, `{"project":"ORCH","repo":"catalogue"}`} {
		if r := p.tool("list_required_builds", arguments); r.IsError {
			t.Fatal(r.text())
		}
	}
	for word, want := range map[string]int{"/conditions": 1, "/branchmodel": 1, "/default-branch": 1, "/builds": 2} {
		if got := len(l.of(word)); got != want {
			t.Errorf("%s was asked for %d times, want %d: %q", word, got, want, l.asked)
		}
	}
	p.tool("list_required_builds", `{"project":"ORCH","repo":"paths"}`)
	if got := len(l.of("/conditions")); got != 2 {
		t.Errorf("another repository: %d requests for conditions", got)
	}
}

// V17: what could not be read is named, and nothing is concluded from it.
func TestRequiredBuildsThatCannotBeTold(t *testing.T) {
	const main = `{"id":"refs/heads/main","type":{"id":"BRANCH"},"active":true}`
	condition := func(id int, keys, target, rest string) string {
		return fmt.Sprintf(`{"id":%d,"buildParentKeys":[%s],"refMatcher":%s%s}`, id, keys, target, rest)
	}
	builds := func(list string) string { return `{"page":` + list + `}` }
	green := builds(page(`{"key":"b","parent":"ci","state":"SUCCESSFUL","updatedDate":1}`))
	for name, c := range map[string]struct {
		answers map[string]string
		met     string
		says    string
	}{
		"no listing of builds": {map[string]string{"/builds": "404"}, "CANNOT_TELL", "Could not read the builds"},
		"no branching model": {map[string]string{"/builds": green, "/branchmodel": "404",
			"/conditions": page(condition(1, `"ci"`, main, ""), condition(2, `"x"`, `{"id":"FEATURE","type":{"id":"MODEL_CATEGORY"}}`, ""))},
			"CANNOT_TELL", "Could not read the branching model"},
		"no default branch": {map[string]string{"/builds": green, "/default-branch": "404",
			"/conditions": page(condition(1, `"x"`, `{"id":"#","type":{"id":"DEFAULT_BRANCH"}}`, ""))},
			"CANNOT_TELL", "Could not read the default branch"},
		"an unknown kind": {map[string]string{"/builds": green, "/conditions": page(condition(1, `"x"`, `{"id":"a","type":{"id":"REGEX"}}`, ""))},
			"CANNOT_TELL", "cannot tell whether it applies"},
		"an unknown kind, whose build is there": {map[string]string{"/builds": green, "/conditions": page(condition(1, `"ci"`, `{"id":"a","type":{"id":"REGEX"}}`, ""))},
			"YES", "whether it is required cannot be told"},
		"an inactive rule": {map[string]string{"/builds": green, "/conditions": page(condition(1, `"x"`, `{"id":"HOTFIX","type":{"id":"MODEL_CATEGORY"},"active":false}`, ""))},
			"CANNOT_TELL", "(not active)"},
		"an exemption that is null": {map[string]string{"/builds": green, "/conditions": page(condition(1, `"ci"`, main, `,"exemptRefMatcher":null`))},
			"YES", "applies"},
		"a rule of a merge queue": {map[string]string{"/builds": green, "/conditions": page(condition(1, `"x"`, main, `,"requiredForPullRequest":false,"requiredForMergeQueue":true`))},
			"YES", "none is required"},
		"a rule of 10.2 for both": {map[string]string{"/builds": green, "/conditions": page(condition(1, `"x"`, main, `,"requiredForPullRequest":true`))},
			"NO", "no build reports under it"},
		"a state of a later release": {map[string]string{"/builds": builds(page(`{"key":"b","parent":"ci","state":"PAUSED","updatedDate":1}`)), "/conditions": page(condition(1, `"ci"`, main, ""))},
			"NO", `"ci": PAUSED`},
		"more conditions than are read": {map[string]string{"/builds": green, "/conditions": more(slices.Repeat([]string{condition(1, `"ci"`, main, "")}, 1000)...)},
			"CANNOT_TELL", "1000 conditions"},
		"more builds than are listed": {map[string]string{"/builds": builds(page(slices.Repeat([]string{`{"key":"b","parent":"other","state":"FAILED"}`}, 2000)...)), "/conditions": page(condition(1, `"ci"`, main, ""))},
			"CANNOT_TELL", "cannot be told"},
	} {
		p, _ := listen(t, "amara", answers(c.answers))
		r := p.tool("list_required_builds", `{"project":"ORCH","repo":"catalogue","id":1}`)
		if r.IsError {
			t.Errorf("%s: %s", name, r.text())
			continue
		}
		fits(t, p, "list_required_builds", r.StructuredContent)
		a := decode[server.RequiredBuildsAnswer](t, r.StructuredContent)
		if name == "more conditions than are read" {
			if r = p.tool("list_required_builds", `{"project":"ORCH","repo":"catalogue","start":990}`); !strings.Contains(r.text(), "There are more than bb reads") || total(a.Count) != -1 {
				t.Errorf("%s: %s", name, r.text())
			}
			c.says = "10 required-build conditions (there are more)"
		}
		if a.PullRequest.AllSuccessful != c.met || !strings.Contains(r.text(), c.says) {
			t.Errorf("%s: %s, want %s and %q:\n%s", name, a.PullRequest.AllSuccessful, c.met, c.says, r.text())
		}
	}
}

// T6: however much a repository requires, the answer fits, and says what it
// left out.
func TestRequiredBuildsFitTheBound(t *testing.T) {
	long := strings.Repeat("<", 1000)
	var conditions, many []string
	for i := range 100 {
		conditions = append(conditions, fmt.Sprintf(`{"id":%d,"buildParentKeys":["%d%s"],"refMatcher":{"id":"*","type":{"id":"PATTERN"}}}`, i, i, long))
	}
	for i := range 1000 {
		many = append(many, fmt.Sprintf(`{"id":%d,"buildParentKeys":["k"],"refMatcher":{"id":"m*","type":{"id":"PATTERN"}}}`, i))
	}
	for name, list := range map[string][]string{"long keys": conditions, "many conditions": many} {
		p, _ := listen(t, "amara", answers(map[string]string{"/conditions": page(list...)}))
		for _, arguments := range []string{`{"project":"ORCH","repo":"catalogue","limit":100}`, `{"project":"ORCH","repo":"catalogue","id":1,"limit":100}`} {
			r, size := sized(t, p, "list_required_builds", arguments)
			a := decode[server.RequiredBuildsAnswer](t, r.StructuredContent)
			if size > 120_000 || !a.LimitReached || !strings.Contains(r.text(), "go on with start") && !strings.Contains(r.text(), "without id they are listed") {
				t.Errorf("%s, %s: %d units, limit reached %v", name, arguments, size, a.LimitReached)
			}
			if name == "long keys" && a.PullRequest != nil && (a.PullRequest.MoreKeys == 0 || len(a.PullRequest.Keys) == 0 || !strings.Contains(r.text(), "more keys are left out")) {
				t.Errorf("%s: %d keys, %d more", name, len(a.PullRequest.Keys), a.PullRequest.MoreKeys)
			}
		}
	}
}

// sized calls a tool and gives the size of its result in UTF-16 units.
func sized(t *testing.T, p *peer, tool, arguments string) (toolResult, int) {
	t.Helper()
	raw := p.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments)).Result
	r := decode[toolResult](t, json.RawMessage(raw))
	if r.IsError {
		t.Fatalf("%s %s: %s", tool, arguments, r.text())
	}
	fits(t, p, tool, r.StructuredContent)
	return r, len(utf16.Encode([]rune(string(raw))))
}

// T7: bad arguments are named.
func TestRequiredBuildsRefuseWhatCannotBe(t *testing.T) {
	p, l := listen(t, "amara", nil)
	for arguments, says := range map[string]string{
		`{"project":"ORCH"}`:                                    "repo",
		`{"project":"ORCH","repo":"catalogue","id":0}`:          "id",
		`{"project":"ORCH","repo":"catalogue","id":-1}`:         "id",
		`{"project":"ORCH","repo":"catalogue","limit":101}`:     "limit",
		`{"project":"ORCH","repo":"catalogue","start":-1}`:      "start",
		`{"project":"ORCH","repo":"..","id":1}`:                 "repository slug",
		`{"project":"ORCH","repo":"catalogue","commit":"main"}`: "commit",
	} {
		if r := p.tool("list_required_builds", arguments); !r.IsError || !strings.Contains(r.text(), says) {
			t.Errorf("%s: %s", arguments, r.text())
		}
	}
	if len(l.asked) > 0 {
		t.Errorf("asked for %q", l.asked)
	}
	for arguments, says := range map[string]string{
		`{"project":"ORCH","repo":"nope"}`:              "repository slug",
		`{"project":"ORCH","repo":"catalogue","id":99}`: "pull request ORCH/catalogue #99",
		`{"project":"VAULT","repo":"keys"}`:             "amara",
	} {
		if r := p.tool("list_required_builds", arguments); !r.IsError || !strings.Contains(r.text(), says) {
			t.Errorf("%s: %s", arguments, r.text())
		}
	}
}

// total is a count's total, or -1.
func total(c server.Count) int {
	if c.Total == nil {
		return -1
	}
	return *c.Total
}
