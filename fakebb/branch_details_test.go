package fakebb_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// attic is a repository with a merge, pull requests of every state, builds, a
// submodule and a hidden neighbour.
const attic = `An attic.
-- clock.yaml --
start: 2026-01-02T03:04:05Z
-- people.yaml --
- {name: ada, displayName: Ada, email: ada@example.com}
- {name: bob, displayName: Bob, email: bob@example.com}
-- projects.yaml --
- key: P
  repositories:
    - slug: r
      branches:
        - {name: main, commit: merge}
        - {name: topic, commit: topic-2}
        - {name: twice, commit: twice}
        - {name: apart, commit: apart}
      tags:
        - {name: old, commit: base}
        - {name: late, commit: base, by: bob, at: 2026-01-01T20:00:00Z, message: late}
        - {name: rel/1, commit: topic-1}
- key: ~bob
  readers: [ada, bob]
  repositories:
    - slug: fork
      forkOf: P/r
      branches: [{name: main, commit: forked}]
- key: HID
  readers: [bob]
  repositories:
    - slug: hidden
      forkOf: P/r
      branches: [{name: main, commit: base}]
-- P/r/commits.yaml --
- {name: base, author: ada, at: 2026-01-01T09:00:00Z, message: base, changes: [{path: a.txt, text: "a\n"}, {path: dir/b.txt, text: "b\n"}]}
- {name: topic-1, author: ada, at: 2026-01-01T10:00:00Z, message: "PP-7 first", parents: [base], changes: [{path: a.txt, text: "A\n"}]}
- {name: side, author: bob, at: 2026-01-01T11:00:00Z, message: side, parents: [base], changes: [{path: c.txt, text: "c\n"}]}
- {name: merge, author: ada, at: 2026-01-01T12:00:00Z, message: merge, parents: [topic-1, side]}
- {name: topic-2, author: bob, at: 2026-01-01T13:00:00Z, message: "PP-8 and PP-7 second", parents: [topic-1], changes: [{path: d.txt, text: "d\n"}]}
- {name: twice, author: bob, at: 2026-01-01T08:59:00Z, message: twice, changes: [{path: other.txt, text: "o\n"}]}
- {name: apart, author: "Eve <eve@example.org>", at: 2026-01-01T07:00:00Z, message: apart, changes: [{path: e.txt, text: "e\n"}]}
- {name: forked, author: bob, at: 2026-01-01T14:00:00Z, message: forked, parents: [base], changes: [{path: f.txt, text: "f\n"}]}
-- P/r/pull-requests/1.yaml --
title: One
description: long
author: bob
source: {branch: topic}
target: {branch: main}
reviewers: [{user: ada}]
activity: [{by: bob, at: 2026-01-01T15:00:00Z, action: OPENED}]
builds:
  - {key: unit, state: SUCCESSFUL, url: "https://ci.example.com/1", created: 2026-01-01T15:10:00Z}
  - {key: lint, state: FAILED, url: "https://ci.example.com/2", created: 2026-01-01T15:10:00Z}
-- P/r/pull-requests/2.yaml --
title: Two
author: bob
source: {branch: twice}
target: {branch: main}
activity:
  - {by: bob, at: 2026-01-01T15:00:00Z, action: OPENED}
  - {by: bob, at: 2026-01-01T15:01:00Z, action: DECLINED}
-- P/r/pull-requests/3.yaml --
title: Three
author: bob
source: {branch: twice}
target: {branch: main}
activity: [{by: bob, at: 2026-01-01T15:02:00Z, action: OPENED}]
`

const plugins = "com.atlassian.bitbucket.server."

// H1: what details=true adds, plugin by plugin.
func TestBranchDetailsHaveTheMetadataOfEveryPlugin(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, attic)})
	metadata := func(query string) map[string]map[string]json.RawMessage {
		t.Helper()
		of := map[string]map[string]json.RawMessage{}
		for _, b := range values[struct {
			DisplayID string
			Metadata  map[string]json.RawMessage
		}](t, get(t, s, "ada", shelfRepository+"/branches?details=true"+query)) {
			of[b.DisplayID] = b.Metadata
		}
		return of
	}
	const (
		issues   = plugins + "bitbucket-jira:branch-list-jira-issues"
		ahead    = plugins + "bitbucket-branch:ahead-behind-metadata-provider"
		latest   = plugins + "bitbucket-branch:latest-commit-metadata"
		builds   = plugins + "bitbucket-build:build-status-metadata"
		outgoing = plugins + "bitbucket-ref-metadata:outgoing-pull-request-metadata"
	)
	got := metadata("")
	for _, c := range []struct{ branch, key, want string }{
		{"main", issues, `[]`}, // what it is ahead of itself by
		{"topic", issues, `[{"key":"PP-7","url":"https://bitbucket.example.com/plugins/servlet/jira-integration/issues/PP-7"},{"key":"PP-8","url":"https://bitbucket.example.com/plugins/servlet/jira-integration/issues/PP-8"}]`},
		{"main", ahead, ``},
		{"topic", ahead, `{"ahead":1,"behind":2}`},
		{"apart", ahead, `{"ahead":1,"behind":4}`},
		{"topic", builds, `{"cancelled":0,"successful":1,"inProgress":0,"failed":1,"unknown":0}`},
		{"main", builds, ``},
		{"main", outgoing, ``},
		{"twice", outgoing, `{"open":1,"merged":0,"declined":1}`},
	} {
		if diff := cmp.Diff(c.want, string(got[c.branch][c.key])); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", c.branch, c.key, diff)
		}
	}
	commit := string(got["topic"][latest])
	if !strings.Contains(commit, `"avatarUrl":"/users/bob/avatar.png?s=64&v=`) || !strings.Contains(commit, `"message":"PP-8 and PP-7 second"`) {
		t.Errorf("the latest commit of topic is %s", commit)
	}
	pull := string(got["topic"][outgoing])
	if !strings.HasPrefix(pull, `{"pullRequest":{"id":1,"version":0,"title":"One","state":"OPEN",`) ||
		strings.Contains(pull, `"links"`) || strings.Contains(pull, `"description":"long"`) || !strings.Contains(pull, `"reviewers":[{"user":{"name":"ada"`) {
		t.Errorf("the pull request from topic is %s", pull)
	}

	// A tag is a base like a branch, and no branch is the same as it.
	got = metadata("&base=rel/1")
	for branch, want := range map[string]string{"main": `{"ahead":2,"behind":0}`, "topic": `{"ahead":1,"behind":0}`} {
		if diff := cmp.Diff(want, string(got[branch][ahead])); diff != "" {
			t.Errorf("%s from the tag rel/1 (-want +got):\n%s", branch, diff)
		}
	}
}

// H1
func TestTagsAreOrderedByTheTimeTheyWereMade(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, attic)})
	for query, want := range map[string]string{
		"":                          "late old rel/1",
		"?orderBy=MODIFICATION":     "late rel/1 old",
		"?filterText=EL/":           "rel/1",
		"?limit=1&start=1":          "old",
		"?orderBy=alphabetical":     "late old rel/1",
		"?filterText=there+is+none": "",
	} {
		var got []string
		for _, tag := range values[struct{ DisplayID string }](t, get(t, s, "ada", shelfRepository+"/tags"+query)) {
			got = append(got, tag.DisplayID)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("tags%s (-want +got):\n%s", query, diff)
		}
	}
	if r := get(t, s, "ada", shelfRepository+"/tags/refs/tags/rel/1"); r.status != http.StatusOK || !strings.Contains(r.body, `"displayId":"rel/1"`) {
		t.Errorf("by its whole name: %d %s", r.status, r.body)
	}
}
