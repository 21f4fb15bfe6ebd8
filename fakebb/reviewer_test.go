package fakebb_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	ruledReviewers = "/rest/default-reviewers/1.0/projects/P"
	forMain        = "?sourceRepoId=1101&targetRepoId=1101&sourceRefId=refs/heads/feature/Topic&targetRefId=refs/heads/main"
)

var reviewed = rules{
	project: `
reviewerGroups:
  - {name: growers, description: They grow., users: [cyd, bob, eve]}
defaultReviewers:
  - {users: [dan], source: {type: MODEL_CATEGORY, id: BUGFIX}, target: {type: MODEL_CATEGORY, id: HOTFIX}, approvals: 1}
  - {users: [eve]}`,
	repository: `
defaultReviewers:
  - {users: [bob, dan], target: {type: BRANCH, id: main}}
  - {groups: [Growers], source: {type: PATTERN, id: feature/}}`,
}

// names are the user names of an array.
func names(t *testing.T, r reply) []string {
	t.Helper()
	var users []struct{ Name string }
	r.into(t, &users)
	names := []string{}
	for _, u := range users {
		names = append(names, u.Name)
	}
	return names
}

// H1: bitbucket-rest.md 16, default-reviewer-conditions.json.
func TestDefaultReviewerConditionsAreAnArrayWithThoseOfTheProject(t *testing.T) {
	s := reviewed.serve(t, "")
	r := get(t, s, "ada", ruledReviewers+"/repos/r/conditions")
	if got := r.header.Get("Content-Type"); got != "application/json" {
		t.Errorf("the content type is %q, want none with a charset", got)
	}
	var got []struct {
		ID    int
		Scope struct {
			Type       string
			ResourceID int
		}
		SourceRefMatcher, TargetRefMatcher struct{ DisplayID string }
		ReviewerGroups                     []struct{ Name string }
		RequiredApprovals                  int
	}
	r.into(t, &got)
	var lines []string
	for _, c := range got {
		line := c.Scope.Type + " " + c.SourceRefMatcher.DisplayID + " to " + c.TargetRefMatcher.DisplayID
		for _, g := range c.ReviewerGroups {
			line += " " + g.Name
		}
		lines = append(lines, line)
	}
	want := []string{
		"REPOSITORY ANY_REF_MATCHER_ID to main",
		"REPOSITORY feature/ to ANY_REF_MATCHER_ID growers",
		"PROJECT Bugfix to Hotfix",
		"PROJECT ANY_REF_MATCHER_ID to ANY_REF_MATCHER_ID",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("conditions of the repository (-want +got):\n%s", diff)
	}
	const first = `[{"id":110101,"scope":{"type":"REPOSITORY","resourceId":1101},` +
		`"sourceRefMatcher":{"active":true,"id":"ANY_REF_MATCHER_ID","displayId":"ANY_REF_MATCHER_ID","type":{"id":"ANY_REF","name":"Any branch"}},` +
		`"targetRefMatcher":{"active":true,"id":"refs/heads/main","displayId":"main","type":{"id":"BRANCH","name":"Branch"}},` +
		`"reviewers":[{"name":"bob",`
	if !strings.HasPrefix(r.body, first) {
		t.Errorf("the first condition is %.400s, want %s", r.body, first)
	}
	project := get(t, s, "ada", ruledReviewers+"/conditions")
	if !strings.HasPrefix(project.body, `[{"id":1101,"scope":{"type":"PROJECT","resourceId":11},`) || strings.Contains(project.body, "REPOSITORY") {
		t.Errorf("conditions of the project: %s", project.body)
	}
	if r := get(t, rules{}.serve(t, ""), "ada", ruledReviewers+"/conditions"); r.body != "[]" {
		t.Errorf("a project without conditions answers %s", r.body)
	}
}

// H1: bitbucket-rest.md 16, vcr-default-reviewers.json.
func TestDefaultReviewersAreUsersWhoMayReadEachOnce(t *testing.T) {
	s := reviewed.serve(t, "")
	for query, want := range map[string][]string{
		forMain: {"bob", "dan", "cyd"},
		"?sourceRepoId=1102&targetRepoId=1101&sourceRefId=refs/heads/feature/far&targetRefId=refs/heads/other":  {"cyd", "bob"},
		"?sourceRepoId=1101&targetRepoId=1101&sourceRefId=refs/heads/bugfix/a&targetRefId=refs/heads/hotfix/b":  {"dan"},
		"?sourceRepoId=1101&targetRepoId=1101&sourceRefId=refs/heads/x&targetRefId=refs/heads/release/1":        {},
		"?sourceRepoId=1102&targetRepoId=1102&sourceRefId=refs/heads/feature/far&targetRefId=refs/heads/master": {}, // the rules of the target
	} {
		r := get(t, s, "ada", ruledReviewers+"/repos/r/reviewers"+query)
		if diff := cmp.Diff(want, names(t, r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
		if got := r.header.Get("Content-Type"); got != "application/json" {
			t.Errorf("%s: the content type is %q", query, got)
		}
	}
}

// H1: bitbucket-rest.md 16 [L].
func TestDefaultReviewersNeedBothRepositoriesAndRefs(t *testing.T) {
	s := reviewed.serve(t, "")
	for query, want := range map[string]string{
		"": "The source repository with id '0' does not exist",
		"?sourceRepoId=1101&sourceRefId=refs/heads/a&targetRefId=refs/heads/main":                    "The target repository with id '0' does not exist",
		"?sourceRepoId=9&targetRepoId=1101&sourceRefId=refs/heads/a&targetRefId=refs/heads/main":     "The source repository with id '9' does not exist",
		"?sourceRepoId=1101&targetRepoId=1201&sourceRefId=refs/heads/a&targetRefId=refs/heads/main":  "The target repository with id '1201' does not exist", // not for ada to see
		"?sourceRepoId=1101&targetRepoId=1101&targetRefId=refs/heads/main":                           "The source ref must be specified",
		"?sourceRepoId=1101&targetRepoId=1101&sourceRefId=refs/heads/a":                              "The target ref must be specified",
		"?sourceRepoId=-1101&targetRepoId=1101&sourceRefId=refs/heads/a&targetRefId=refs/heads/main": "The source repository with id '-1101' does not exist",
	} {
		r := get(t, s, "ada", ruledReviewers+"/repos/r/reviewers"+query)
		if r.status != http.StatusBadRequest || !strings.Contains(r.body, `"message":"`+want+`"`) {
			t.Errorf("%s: %d %s, want 400 %s", query, r.status, r.body, want)
		}
	}
	if r := get(t, s, "ada", ruledReviewers+"/repos/r/reviewers"+strings.Replace(forMain, "1101", "one", 1)); r.status != http.StatusNotFound {
		t.Errorf("an id that is no number answers %d", r.status)
	}
	if r := get(t, s, "eve", ruledReviewers+"/repos/r/reviewers"+forMain); r.status != http.StatusUnauthorized {
		t.Errorf("who may not read the repository is answered %d", r.status)
	}
}

// V15: the sentences of bitbucket-rest.md 10.7.
func TestDefaultReviewersVetoUntilEnoughApproved(t *testing.T) {
	for _, test := range []struct {
		name, conditions, reviewers string
		want                        []string
	}{
		{"one of one", "{users: [bob], approvals: 1}", "", []string{"Bob must review and approve this pull request before it can be merged."}},
		{"one of three", "{users: [bob, cyd, dan], approvals: 1}", "", []string{"Bob, Cyd or Dan must review and approve this pull request before it can be merged."}},
		{"two of three", "{users: [bob, cyd, dan], approvals: 2}", "", []string{"At least 2 of the following users must review and approve this pull request before it can be merged: Bob, Cyd, Dan."}},
		{"two of two", "{users: [bob, cyd], approvals: 2}", "", []string{"Bob and Cyd must review and approve this pull request before it can be merged."}},
		{"one more", "{users: [bob, cyd, dan], approvals: 2}", "{user: cyd, status: APPROVED}", []string{"Bob or Dan must review and approve this pull request before it can be merged."}},
		{"enough", "{users: [bob, cyd, dan], approvals: 1}", "{user: cyd, status: APPROVED}", nil},
		{"needs work is no approval", "{users: [bob], approvals: 1}", "{user: bob, status: NEEDS_WORK}", []string{"Bob must review and approve this pull request before it can be merged."}},
		{"none asked for", "{users: [bob, cyd, dan]}", "", nil},
		{"the author cannot", "{users: [ada, bob], approvals: 2}", "", []string{"Bob must review and approve this pull request before it can be merged."}},
		{"the author alone", "{users: [ada], approvals: 1}", "", nil},
		{"who may not read cannot", "{users: [eve], approvals: 1}", "", nil},
		{"another target", "{users: [bob], target: {type: BRANCH, id: release/1}, approvals: 1}", "", nil},
		{"two conditions", "{users: [bob], approvals: 1}, {users: [cyd], approvals: 1}", "", []string{
			"Bob must review and approve this pull request before it can be merged. Cyd must review and approve this pull request before it can be merged."}},
	} {
		s := rules{repository: "defaultReviewers: [" + test.conditions + "]", pull: "reviewers: [" + test.reviewers + "]"}.serve(t, "")
		if diff := cmp.Diff(test.want, vetoes(t, s, "1")["Not all required reviewers have approved yet"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// H1: bitbucket-rest.md 16 [O].
func TestReviewerGroupsAreThoseOfTheirScope(t *testing.T) {
	with := reviewed
	with.repository += "\nreviewerGroups:\n  - {name: watchers, users: [dan]}\n  - {name: elders, users: [ada, eve]}"
	s := with.serve(t, "")
	const groups = "/settings/reviewer-groups"
	type group struct {
		ID    int
		Name  string
		Users []struct{ Name string }
	}
	const P = rest + "/projects/P"
	list := func(path string) []string {
		var found []string
		for _, g := range values[group](t, get(t, s, "ada", path)) {
			found = append(found, g.Name)
		}
		return found
	}
	if diff := cmp.Diff([]string{"elders", "watchers"}, list(ruledRepository+groups)); diff != "" {
		t.Errorf("groups of the repository (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"growers"}, list(P+groups)); diff != "" {
		t.Errorf("groups of the project (-want +got):\n%s", diff)
	}
	if got := get(t, s, "ada", P+groups+"/1101").body; !strings.HasPrefix(got,
		`{"id":1101,"name":"growers","description":"They grow.","scope":{"type":"PROJECT","resourceId":11},"users":[{"name":"cyd",`) {
		t.Errorf("the group is %s", got)
	}
	// All users of a group are in it; those of the listing may read.
	var elders group
	get(t, s, "ada", ruledRepository+groups+"/110102").into(t, &elders)
	if len(elders.Users) != 2 {
		t.Errorf("elders are %+v", elders)
	}
	for id, want := range map[string][]string{"110102": {"ada"}, "1101": {"cyd", "bob"}} {
		if diff := cmp.Diff(want, names(t, get(t, s, "ada", ruledRepository+groups+"/"+id+"/users"))); diff != "" {
			t.Errorf("users of group %s (-want +got):\n%s", id, diff)
		}
	}
	for _, path := range []string{ruledRepository + groups + "/1101", ruledRepository + groups + "/7/users", P + groups + "/110102", P + groups + "/seven"} {
		if r := get(t, s, "ada", path); r.status != http.StatusNotFound {
			t.Errorf("GET %s: %d, want 404", path, r.status)
		}
	}
}
