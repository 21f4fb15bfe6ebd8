package fakebb_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

func serveText(t *testing.T, text string) *fakebb.Server {
	t.Helper()
	return fakebb.New(fakebb.Options{Scenario: parse(t, text)})
}

const ruledProject = rest + "/projects/P"

type strategies struct {
	MergeConfig struct {
		CommitSummaries int
		DefaultStrategy struct{ ID, Name string }
		Strategies      []struct {
			Enabled        bool
			ID, Flag, Name string
			Description    string
		}
		Type string
	}
}

func (s strategies) enabled() []string {
	var enabled []string
	for _, m := range s.MergeConfig.Strategies {
		if m.Enabled {
			enabled = append(enabled, m.ID)
		}
	}
	return enabled
}

// H1: bitbucket-rest.md 17, pr-settings-merge-strategies.json.
func TestStrategiesAreThoseOfTheNearestScope(t *testing.T) {
	for _, test := range []struct {
		rules
		enabled   []string
		otherwise string
		kind      string
		project   string
		summaries int
	}{
		{rules{}, []string{"no-ff"}, "no-ff", "DEFAULT", "DEFAULT", 20},
		{rules{project: "settings: {strategies: [squash, no-ff]}"}, []string{"no-ff", "squash"}, "squash", "PROJECT", "PROJECT", 20},
		{rules{project: "settings: {strategies: [squash]}", repository: "settings: {strategies: [ff-only], commitSummaries: 5}"},
			[]string{"ff-only"}, "ff-only", "REPOSITORY", "PROJECT", 5},
		{rules{project: "settings: {strategies: [squash]}", repository: "settings: {requiredApprovers: 1}"}, []string{"squash"}, "squash", "PROJECT", "PROJECT", 20},
	} {
		s := test.serve(t, "")
		var got, project strategies
		get(t, s, "ada", ruledRepository+"/settings/pull-requests").into(t, &got)
		get(t, s, "ada", ruledProject+"/settings/pull-requests/git").into(t, &project)
		if diff := cmp.Diff(test.enabled, got.enabled()); diff != "" {
			t.Errorf("%+v: enabled (-want +got):\n%s", test.rules, diff)
		}
		c := got.MergeConfig
		if c.DefaultStrategy.ID != test.otherwise || c.Type != test.kind || project.MergeConfig.Type != test.project || c.CommitSummaries != test.summaries {
			t.Errorf("%+v: the default is %s, the type %s, of the project %s, with %d summaries", test.rules, c.DefaultStrategy.ID, c.Type, project.MergeConfig.Type, c.CommitSummaries)
		}
		if len(c.Strategies) != 7 {
			t.Errorf("%d strategies, want 7", len(c.Strategies))
		}
	}
	if r := get(t, rules{}.serve(t, ""), "ada", ruledProject+"/settings/pull-requests/hg"); r.status != http.StatusNotFound {
		t.Errorf("another kind of repository answers %d", r.status)
	}
}

// H1: the counts are there as numbers and as objects (bitbucket-rest.md 17).
func TestMergeChecksAreInTheSettingsTwice(t *testing.T) {
	s := rules{repository: "settings: {requiredApprovers: 2, requiredAllApprovers: true, requiredAllTasksComplete: true, needsWork: true, requiredSuccessfulBuilds: 3}"}.serve(t, "")
	r := get(t, s, "ada", ruledRepository+"/settings/pull-requests")
	_, got, _ := strings.Cut(r.body, `"type":"DEFAULT"},`)
	want := `"com.atlassian.bitbucket.server.bitbucket-bundled-hooks:requiredApprovers":{"enable":true,"count":2},` +
		`"requiredAllApprovers":true,"needsWork":true,"requiredApprovers":2,"requiredAllTasksComplete":true,` +
		`"com.atlassian.bitbucket.server.bitbucket-build:requiredBuilds":{"enable":true,"count":3},"requiredSuccessfulBuilds":3}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// H1: bitbucket-rest.md 17 [O].
func TestAutomaticSettingsSayWhereTheyComeFrom(t *testing.T) {
	for _, test := range []struct {
		rules
		path, want string
	}{
		{rules{}, ruledRepository + "/settings/auto-merge", `{"enabled":false,"restrictionState":"NONE","scope":{"type":"GLOBAL"}}`},
		{rules{}, ruledProject + "/settings/auto-merge", `{"enabled":false,"restrictionState":"NONE","scope":{"type":"GLOBAL"}}`},
		{rules{repository: "settings: {autoMerge: {enabled: true}}"}, ruledRepository + "/settings/auto-merge",
			`{"enabled":true,"restrictionState":"NONE","scope":{"type":"REPOSITORY","resourceId":1101}}`},
		{rules{project: "settings: {autoMerge: {enabled: true}}"}, ruledRepository + "/settings/auto-merge",
			`{"enabled":true,"restrictionState":"NONE","scope":{"type":"PROJECT","resourceId":11}}`},
		{rules{project: "settings: {autoMerge: {enabled: true, restricted: true}}"}, ruledRepository + "/settings/auto-merge",
			`{"enabled":true,"restrictionState":"RESTRICTED_UNMODIFIABLE","scope":{"type":"PROJECT","resourceId":11}}`},
		{rules{project: "settings: {autoMerge: {enabled: true, restricted: true}}"}, ruledProject + "/settings/auto-merge",
			`{"enabled":true,"restrictionState":"RESTRICTED_MODIFIABLE","scope":{"type":"PROJECT","resourceId":11}}`},
		{rules{}, ruledRepository + "/settings/auto-decline", `{"enabled":false,"inactivityWeeks":4,"scope":{"type":"GLOBAL"}}`},
		{rules{project: "settings: {autoDecline: {enabled: true}}"}, ruledRepository + "/settings/auto-decline",
			`{"enabled":true,"inactivityWeeks":4,"scope":{"type":"PROJECT","resourceId":11}}`},
		{rules{project: "settings: {autoDecline: {enabled: true, inactivityWeeks: 8}}"}, ruledProject + "/settings/auto-decline",
			`{"enabled":true,"inactivityWeeks":8,"scope":{"type":"PROJECT","resourceId":11}}`},
	} {
		if diff := cmp.Diff(test.want, get(t, test.serve(t, ""), "ada", test.path).body); diff != "" {
			t.Errorf("GET %s with %+v (-want +got):\n%s", test.path, test.rules, diff)
		}
	}
	if r := get(t, rules{}.serve(t, "8.9"), "ada", ruledRepository+"/settings/auto-merge"); r.status != http.StatusNotFound {
		t.Errorf("8.9 has auto-merge: %d", r.status)
	}
}

// H1: bitbucket-rest.md 17 [O].
func TestMergeChecksAreHooks(t *testing.T) {
	s := rules{repository: "settings: {requiredApprovers: 2, needsWork: true}"}.serve(t, "")
	type hook struct {
		Details             struct{ Name, Type string }
		Enabled, Configured bool
	}
	got := values[hook](t, get(t, s, "dan", ruledRepository+"/settings/hooks?type=PRE_PULL_REQUEST_MERGE"))
	var enabled []string
	for _, h := range got {
		if h.Details.Type != "PRE_PULL_REQUEST_MERGE" {
			t.Errorf("%s is a %s", h.Details.Name, h.Details.Type)
		}
		if h.Enabled {
			enabled = append(enabled, h.Details.Name)
		}
	}
	if diff := cmp.Diff([]string{"Minimum approvals", "No 'changes requested'"}, enabled); diff != "" {
		t.Errorf("enabled (-want +got):\n%s", diff)
	}
	if all := values[hook](t, get(t, s, "dan", ruledRepository+"/settings/hooks")); len(all) <= len(got) {
		t.Errorf("%d hooks of any type, %d merge checks", len(all), len(got))
	}
	// Hooks of a repository are for who administers it.
	for path, want := range map[string]int{
		ruledRepository + "/settings/hooks":           http.StatusUnauthorized,
		ruledProject + "/settings/hooks":              http.StatusOK,
		ruledProject + "/settings/hooks?type=NO_HOOK": http.StatusBadRequest,
	} {
		if r := get(t, s, "ada", path); r.status != want {
			t.Errorf("GET %s: %d, want %d", path, r.status, want)
		}
	}
}
