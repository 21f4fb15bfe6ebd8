package fakebb_test

import (
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// network is a repository with a fork, an archived and an empty one.
const network = `A fork network.
-- clock.yaml --
start: 2026-01-02T03:04:05Z
-- people.yaml --
- {name: ada, displayName: Ada, email: ada@example.com}
- {name: bob, displayName: Bob, email: bob@example.com}
- {name: eve, displayName: Eve, email: eve@example.com}
- {name: ci, displayName: CI, type: SERVICE}
-- projects.yaml --
- key: P
  name: Plums
  readers: [ada, bob]
  writers: [ada]
  admins: [ada]
  repositories:
    - slug: r
      labels: [fruit, stone]
      branches: [{name: main, commit: base}, {name: pushed, commit: pushed}, {name: asked, commit: asked}]
    - {slug: old, archived: true}
- key: Q
  name: Zwetschgen
  repositories: [{slug: open}]
- key: ~bob
  readers: [bob, ada]
  repositories:
    - {slug: hidden, forkOf: Q/open}
    - {slug: r, forkOf: P/r, branches: [{name: main, commit: base}, {name: topic, commit: topic}]}
-- P/r/commits.yaml --
- {name: base, author: ada, at: 2026-01-01T09:00:00Z, message: base}
- {name: pushed, author: ada, at: 2026-01-01T20:00:00Z, message: PLUM-7 pushed, parents: [base]}
- {name: asked, author: ada, at: 2026-01-01T21:00:00Z, message: asked, parents: [base]}
-- P/r/files/base/a.txt --
a
-- ~bob/r/commits.yaml --
- {name: topic, author: bob, at: 2026-01-01T10:00:00Z, message: topic, parents: [base]}
-- ~bob/r/files/topic/b.txt --
b
-- P/r/pull-requests/1.yaml --
title: From a fork, PLUM-8
author: bob
source: {repository: ~bob/r, branch: topic}
target: {branch: main}
reviewers: [{user: ada}]
activity:
  - {by: bob, at: 2026-01-01T11:00:00Z, action: OPENED}
  - {by: ada, at: 2026-01-01T11:30:00Z, action: AUTO_MERGE_REQUESTED, strategy: squash}
builds:
  - {key: k, state: CANCELLED, url: "https://ci.example.com/1", created: 2026-01-01T11:10:00Z}
  - {key: other, state: FAILED, url: "https://ci.example.com/2", ref: refs/heads/other, created: 2026-01-01T11:10:00Z}
-- P/r/pull-requests/2.yaml --
title: Asked
author: ada
source: {branch: asked}
target: {branch: main}
activity:
  - {by: ada, at: 2026-01-01T21:10:00Z, action: OPENED}
  - {by: ada, at: 2026-01-01T21:20:00Z, action: AUTO_MERGE_REQUESTED}
  - {by: ada, at: 2026-01-01T21:30:00Z, action: AUTO_MERGE_CANCELLED, reason: a push}
`

func TestRepositoriesAreFoundAcrossProjects(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, network)})
	type repo struct {
		Slug    string
		Project struct{ Key string }
	}
	for _, test := range []struct {
		user, query string
		want        []string
	}{
		{"ada", "", []string{"~BOB/hidden", "Q/open", "~BOB/r", "P/r"}},
		{"eve", "", []string{"Q/open"}},
		{"ada", "?name=R&projectkey=p", []string{"P/r"}},
		{"ada", "?projectname=plum", []string{"P/r"}},
		{"ada", "?archived=ALL", []string{"~BOB/hidden", "P/old", "Q/open", "~BOB/r", "P/r"}},
		{"ada", "?archived=ARCHIVED", []string{"P/old"}},
		{"bob", "?permission=REPO_WRITE", []string{"~BOB/hidden", "Q/open", "~BOB/r"}},
		{"ada", "?permission=REPO_ADMIN", []string{"P/r"}},
		{"ada", "?visibility=public", nil},
	} {
		var got []string
		for _, r := range values[repo](t, get(t, s, test.user, rest+"/repos"+test.query)) {
			got = append(got, r.Project.Key+"/"+r.Slug)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("repos%s for %s (-want +got):\n%s", test.query, test.user, diff)
		}
	}
	for _, query := range []string{"?permission=REPO_RULE", "?permission=PROJECT_READ", "?archived=SOMETIMES"} {
		if r := get(t, s, "ada", rest+"/repos"+query); r.status != 400 {
			t.Errorf("repos%s: %d %s", query, r.status, r.body)
		}
	}
}

func TestAForkNamesItsOriginAndIsFoundFromIt(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, network)})
	type repo struct {
		Slug        string
		HierarchyID string
		Project     struct{ Key string }
		Origin      *repo
	}
	var fork, origin repo
	get(t, s, "ada", rest+"/projects/~bob/repos/r").into(t, &fork)
	get(t, s, "ada", rest+"/projects/P/repos/r").into(t, &origin)
	if fork.Origin == nil || fork.Origin.Project.Key != "P" || fork.HierarchyID != origin.HierarchyID || origin.Origin != nil {
		t.Errorf("fork %+v of %+v", fork, origin)
	}
	for path, want := range map[string]string{"P/repos/r/forks": "~BOB", "P/repos/r/related": "~BOB", "~bob/repos/r/related": "P"} {
		if got := values[repo](t, get(t, s, "ada", rest+"/projects/"+path)); len(got) != 1 || got[0].Project.Key != want {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := values[repo](t, get(t, s, "eve", rest+"/projects/Q/repos/open/forks")); len(got) != 0 {
		t.Errorf("who may not see a fork is told of it: %+v", got)
	}
	if got := values[repo](t, get(t, s, "ada", rest+"/projects/Q/repos/open/forks")); len(got) != 1 {
		t.Errorf("forks of Q/open: %+v", got)
	}
	// What a fork changes, and the words of its merge.
	const pull = rest + "/projects/P/repos/r/pull-requests/1"
	if r := get(t, s, "ada", pull+"/changes"); !strings.Contains(r.body, `"toString":"b.txt"`) {
		t.Errorf("changes of the fork's pull request: %s", r.body)
	}
	topic := parse(t, network).Commit("P/r", "topic")
	want := `{"title":"Pull request #1: From a fork, PLUM-8","body":"Merge in P/r from ~BOB/r:topic to main\n\n* commit '` + topic + `':\n  topic"}`
	if got := get(t, s, "ada", pull+"/commit-message-suggestion").body; got != want {
		t.Errorf("message %s, want %s", got, want)
	}
	want = `{"createdDate":1767267000000,"fromHash":"` + topic + `","toRefId":"refs/heads/main","strategyId":"squash","autoSubject":true}`
	if got := get(t, s, "ada", pull+"/auto-merge").body; got != want {
		t.Errorf("auto-merge %s, want %s", got, want)
	}
	if r := get(t, s, "ada", rest+"/projects/P/repos/r/pull-requests/2/auto-merge"); r.status != 404 {
		t.Errorf("cancelled auto-merge: %d %s", r.status, r.body)
	}
	if r := get(t, s, "ada", rest+"/projects/P/repos/r/pull-requests/2/activities"); !strings.Contains(r.body, `"action":"AUTO_MERGE_CANCELLED","cancelledReason":"a push"`) {
		t.Errorf("activity %s", r.body)
	}
	if got := get(t, s, "ada", "/rest/jira/latest/projects/P/repos/r/pull-requests/1/issues").body; !strings.Contains(got, `[{"key":"PLUM-8",`) {
		t.Errorf("issues %s", got)
	}
	for path, want := range map[string]string{
		"/rest/jira/latest/projects/P/repos/r/pull-requests/9/issues":                    `[]`,
		"/rest/git/latest/projects/P/repos/r/pull-requests/1/rebase":                     `{"vetoes":[]}`,
		"/rest/ui/latest/projects/P/repos/r/pull-requests/1/build-summaries":             `{"` + topic + `":{"successful":0,"failed":0,"inProgress":0,"cancelled":1,"unknown":0}}`,
		"/rest/ui/latest/projects/P/repos/r/build-summaries?commitId=" + topic + ",none": `{"` + topic + `":{"successful":0,"failed":1,"inProgress":0,"cancelled":1,"unknown":0}}`,
		"/rest/ui/latest/projects/P/repos/r/pull-requests/2/build-summaries":             `{}`,
		"/plugins/servlet/applinks/whoami":                                               `ada`,
	} {
		if got := get(t, s, "ada", path).body; got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestWhoMayDoWhatIsFiltered(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, network)})
	type user struct{ Name string }
	for query, want := range map[string]string{
		"":                          "ada bob eve",
		"?permission=LICENSED_USER": "ada bob eve",
		"?permission=SYS_ADMIN":     "",
		"?permission.1=REPO_READ&permission.1.projectKey=P&permission.1.repositorySlug=r":                                     "ada bob",
		"?permission=PROJECT_WRITE&permission.projectKey=p":                                                                   "ada",
		"?permission.1=REPO_ADMIN&permission.1.repositoryId=1302":                                                             "bob",
		"?filter=BOB&permission.1=REPO_READ&permission.1.projectKey=P&permission.1.repositorySlug=r&permission=LICENSED_USER": "bob",
	} {
		var got []string
		for _, u := range values[user](t, get(t, s, "ada", rest+"/users"+query)) {
			got = append(got, u.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("users%s: %s, want %s", query, got, want)
		}
	}
	for query, status := range map[string]int{
		"?permission=RULE": 400, "?permission.1=REPO_READ": 400, "?permission.1=REPO_READ&permission.1.projectKey=Q": 404,
		"?permission.1=REPO_READ&permission.1.projectKey=P&permission.1.repositorySlug=q": 404,
	} {
		if r := get(t, s, "ada", rest+"/users"+query); r.status != status {
			t.Errorf("users%s: %d, want %d; %s", query, r.status, status, r.body)
		}
	}
	if r := get(t, s, "eve", rest+"/users?permission.1=REPO_READ&permission.1.projectKey=P&permission.1.repositorySlug=r"); r.status != 401 {
		t.Errorf("about a project one may not see: %d %s", r.status, r.body)
	}
	if r := get(t, s, "bob", rest+"/projects/P/repos/r/permissions/users"); r.status != 401 || !strings.Contains(r.body, "bitbucket.AuthorisationException") {
		t.Errorf("permissions for bob: %d %s", r.status, r.body)
	}
	if r := get(t, s, "ada", rest+"/projects/P/repos/r/permissions/users"); !strings.Contains(r.body, `"permission":"REPO_ADMIN"`) || !strings.Contains(r.body, `"permission":"REPO_READ"`) {
		t.Errorf("permissions for ada: %s", r.body)
	}
	for path, status := range map[string]int{"/users/ada/settings": 200, "/users/bob/settings": 401, "/users/zed/settings": 404} {
		if r := get(t, s, "ada", rest+path); r.status != status {
			t.Errorf("%s: %d, want %d", path, r.status, status)
		}
	}
	if got := values[user](t, get(t, s, "ada", rest+"/projects/P/repos/r/participants?role=REVIEWER")); len(got) != 1 || got[0].Name != "ada" {
		t.Errorf("reviewers in P/r: %+v", got)
	}
	if got := get(t, s, "ada", rest+"/projects/P/repos/r/labels").body; !strings.Contains(got, `[{"name":"fruit"},{"name":"stone"}]`) {
		t.Errorf("labels %s", got)
	}
}

func TestABranchWithoutAPullRequestIsSuggested(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, network)})
	type suggestion struct{ FromRef, ToRef struct{ DisplayID string } }
	got := values[suggestion](t, get(t, s, "ada", rest+"/dashboard/pull-request-suggestions"))
	if len(got) != 1 || got[0].FromRef.DisplayID != "pushed" || got[0].ToRef.DisplayID != "main" {
		t.Errorf("suggestions %+v", got)
	}
	if got := values[suggestion](t, get(t, s, "ada", rest+"/dashboard/pull-request-suggestions?changesSince=60")); len(got) != 0 {
		t.Errorf("suggestions of the last minute: %+v", got)
	}
}
