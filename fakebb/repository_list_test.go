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

// Pending replies and comments are their author's alone, wherever they are.
func TestAPendingReplyIsItsAuthorsAlone(t *testing.T) {
	text := strings.Replace(small, "action: OPENED}\n", "action: OPENED}\n"+
		"  - {by: ada, at: 2026-01-01T12:00:00Z, text: root, replies: [{by: ada, at: 2026-01-01T12:30:00Z, text: a pending reply, pending: true}]}\n"+
		"  - {by: ada, at: 2026-01-01T13:00:00Z, text: a pending root, pending: true}\n", 1)
	text = strings.Replace(text, "- {name: ada, displayName: Ada}", "- {name: ada, displayName: Ada}\n- {name: bob, displayName: Bob}", 1)
	s := fakebb.New(fakebb.Options{Scenario: parse(t, text)})
	const pull = rest + "/projects/P/repos/r/pull-requests/1"
	type item struct{ Comment *struct{ ID int } }
	own := values[item](t, get(t, s, "ada", pull+"/activities"))
	for _, path := range []string{"/activities", "/review"} {
		if r := get(t, s, "bob", pull+path); strings.Contains(r.body, "a pending") {
			t.Errorf("%s shows bob what is pending: %s", path, r.body)
		}
		if r := get(t, s, "ada", pull+path); !strings.Contains(r.body, "a pending reply") {
			t.Errorf("%s does not show ada her own reply: %s", path, r.body)
		}
	}
	pending := "/activities?fromType=COMMENT&fromId=" + number(own[0].Comment.ID)
	if r := get(t, s, "bob", pull+pending); r.status != 404 {
		t.Errorf("a page that begins with a pending comment: %d", r.status)
	}
	if r := get(t, s, "ada", pull+pending); r.status != 200 {
		t.Errorf("for its author: %d", r.status)
	}
}

// bitbucket-rest.md 2, 14.2; bitbucket-probed.md 3.
func TestEveryListHasItsCap(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for path, limit := range map[string]int{
		first + "/activities": 500, first + "/commits": 100, first + "/changes": 1000, catalogue + "/files": 100000, catalogue + "/commits": 100,
		catalogue + "/branches": 1000, "/rest/build-status/latest/commits/" + tip: 100, catalogue + "/compare/changes": 1000,
	} {
		var page struct{ Limit int }
		if get(t, s, "bo", path+"?limit=2000000").into(t, &page); page.Limit != limit {
			t.Errorf("%s: limit %d, want %d", path, page.Limit, limit)
		}
	}
	var ui struct{ Page struct{ Limit int } }
	if get(t, s, "bo", "/rest/ui/latest/projects/ORCH/repos/catalogue/pull-requests/1/builds?limit=2000000").into(t, &ui); ui.Page.Limit != 2000 {
		t.Errorf("builds of a pull request: limit %d, want 2000", ui.Page.Limit)
	}
	if got := get(t, s, "bo", "/users/bo/avatar.png?v=1").header.Get("Cache-Control"); got != "private, max-age=31536000" {
		t.Errorf("Cache-Control of a picture with v: %q", got)
	}
}

func TestAQueryIsReadAsAServletReadsIt(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	if r := get(t, s, "bo", catalogue+"/branches?filterText=a;b&limit=3"); r.status != 200 || !strings.Contains(r.body, `"size":0,"limit":3`) {
		t.Errorf("a semicolon is part of a value: %s", r.body)
	}
	r := get(t, s, "bo", catalogue+"/branches?filterText=50%-off&limit=1")
	if r.status != 200 || !strings.Contains(r.body, `"size":1`) || !strings.Contains(r.header.Get("X-Fakebb-Note"), "filterText=50%-off") {
		t.Errorf("what is wrongly encoded is left out and said: %d %v %s", r.status, r.header, r.body)
	}
}

// H1: --release.
func TestOlderReleasesAnswerInTheirOwnForm(t *testing.T) {
	older := fakebb.New(fakebb.Options{Release: "8.9"})
	if r := get(t, older, "bo", catalogue+"/pull-requests/12/auto-merge"); r.status != 404 {
		t.Errorf("auto-merge before 8.15: %d", r.status)
	}
	if r := get(t, older, "bo", catalogue+"/pull-requests/12/activities"); strings.Contains(r.body, "AUTO_MERGE") {
		t.Error("auto-merge in the activity before 8.15")
	}
	if r := get(t, older, "bo", catalogue+"/pull-requests/4/merge"); strings.Contains(r.body, "draft") {
		t.Errorf("a draft before 8.18: %s", r.body)
	}
	if r := get(t, older, "bo", catalogue+"/pull-requests?draft=true"); !strings.Contains(r.body, `"size":10`) {
		t.Errorf("draft=true before 8.18 filters: %.200s", r.body)
	}
	for release, want := range map[string]struct{ has, lacks []string }{
		"7.21": {
			[]string{`{"name":"bo","emailAddress":"bo@example.com","id":102,`, `"tasks":[]`, `"context":null`},
			[]string{`"draft"`, `"threadResolved"`, `"type":"BRANCH"`},
		},
		"8.9": {
			[]string{`{"name":"bo","emailAddress":"bo@example.com","id":102,`, `"threadResolved":false`, `"type":"BRANCH"`, `"context":null`},
			[]string{`"draft"`, `"tasks":`},
		},
		"8.19":   {[]string{`"draft":false`, `"context":null`, `"openTaskCount"`}, []string{`"tasks":`}},
		"9.4.16": {[]string{`{"name":"bo","emailAddress":"bo@example.com","active":true,`, `"draft":false`, `"openTaskCount"`}, []string{`"context":null`, `"defaultBranch"`}},
		"10.2":   {[]string{`"draft":false`, `"commentCount"`, `"defaultBranch":"refs/heads/main"`}, []string{`"openTaskCount"`, `"context":null`}},
	} {
		s := fakebb.New(fakebb.Options{Release: release})
		text := ""
		for _, path := range []string{first, first + "/activities", catalogue, catalogue + "/pull-requests", catalogue + "/pull-requests/999"} {
			text += get(t, s, "bo", path).body
		}
		for _, has := range want.has {
			if !strings.Contains(text, has) {
				t.Errorf("%s: %s is missing", release, has)
			}
		}
		for _, lacks := range want.lacks {
			if strings.Contains(text, lacks) {
				t.Errorf("%s: has %s", release, lacks)
			}
		}
	}
}

func TestAPageOfTheActivityBeginsWhereItIsAsked(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	type item struct {
		ID      int
		Comment *struct {
			ID       int
			Comments []struct{ ID int }
		}
	}
	all := values[item](t, get(t, s, "bo", first+"/activities?limit=500"))
	for i, a := range all {
		query := "?fromType=ACTIVITY&fromId=" + number(a.ID)
		if a.Comment != nil && len(a.Comment.Comments) > 0 {
			query = "?fromType=COMMENT&fromId=" + number(a.Comment.Comments[0].ID)
		}
		if got := values[item](t, get(t, s, "bo", first+"/activities"+query+"&limit=500")); len(got) != len(all)-i || got[0].ID != a.ID {
			t.Errorf("%s: %d items beginning with %d, want %d beginning with %d", query, len(got), got[0].ID, len(all)-i, a.ID)
		}
	}
	for query, status := range map[string]int{
		"?fromId=1": 400, "?fromType=ACTIVITY&fromId=1": 404, "?fromType=COMMENT&fromId=1": 404, "?fromType=X&fromId=1": 400, "?fromType=ACTIVITY&fromId=x": 404,
	} {
		if r := get(t, s, "bo", first+"/activities"+query); r.status != status {
			t.Errorf("%s: %d, want %d", query, r.status, status)
		}
	}
}

func TestOneCommentIsReadByItsID(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	type comment struct {
		ID     int
		Anchor *struct{ Path string }
	}
	tasks := values[comment](t, get(t, s, "bo", first+"/blocker-comments"))
	for _, c := range tasks {
		for _, path := range []string{"/comments/", "/blocker-comments/"} {
			var one comment
			get(t, s, "bo", first+path+number(c.ID)).into(t, &one)
			if diff := cmp.Diff(c, one); diff != "" {
				t.Errorf("%s%d (-listed +single):\n%s", path, c.ID, diff)
			}
		}
	}
	pending := values[comment](t, get(t, s, "chen", first+"/review"))[0].ID
	for path, status := range map[string]int{
		"/comments/" + number(pending): 404, "/blocker-comments/" + number(pending): 404, "/comments/1": 404, "/comments/x": 404,
		"/comments?path=catalogue/prune.go&anchorState=MAYBE": 400, "/comments?path=catalogue/prune.go&diffType=COMMIT": 400, "/comments": 400,
		"/comments?path=nosuch": 200,
	} {
		if r := get(t, s, "bo", first+path); r.status != status {
			t.Errorf("%s: %d, want %d; %s", path, r.status, status, r.body)
		}
	}
}

func TestMarkupIsDrawnWhenItIsAskedFor(t *testing.T) {
	s := fakebb.New(fakebb.Options{Markdown: func(text string) string { return "<" + text[:4] + ">" }})
	if r := get(t, s, "bo", first+"?markup=true"); !strings.Contains(r.body, `"descriptionAsHtml":"<Remo>"`) {
		t.Errorf("%s", r.body)
	}
	if r := get(t, s, "bo", first+"/blocker-comments?markup=true"); !strings.Contains(r.body, `"deletable":true},"html":"<A tr>"}`) {
		t.Errorf("%s", r.body)
	}
	if r := get(t, s, "bo", first); strings.Contains(r.body, "AsHtml") {
		t.Error("HTML that nobody asked for")
	}
}
