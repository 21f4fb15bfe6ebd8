package fakebb_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

func TestAPendingCommentIsInItsAuthorsDiffAlone(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	const pending = "Is a tree that was moved"
	if r := get(t, s, "chen", first+"/diff/catalogue/prune.go"); !strings.Contains(r.body, pending) {
		t.Error("chen does not see chen's own pending comment")
	}
	if r := get(t, s, "bo", first+"/diff/catalogue/prune.go"); strings.Contains(r.body, pending) {
		t.Error("bo sees chen's pending comment")
	}
	if r := get(t, s, "chen", first+"/diff/catalogue/prune.go?withComments=false"); strings.Contains(r.body, "omment") {
		t.Errorf("withComments=false has comments: %s", r.body)
	}
}

// as makes a request that user's, with that Accept.
func as(user, accept string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+fakebb.Token(user))
		r.Header.Set("Accept", accept)
	}
}

// accepting asks as bo with that Accept.
func accepting(t *testing.T, s *fakebb.Server, path, accept string) reply {
	t.Helper()
	return ask(t, s, "GET", path, as("bo", accept))
}

func TestADiffIsTextWhenTextIsAskedFor(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for path, accept := range map[string]string{
		first + "/diff": "text/plain", first + "/diff/catalogue/prune.go": "text/plain, */*;q=0.5", first + ".diff": "*/*",
	} {
		r := accepting(t, s, path, accept)
		if r.status != 200 || r.header.Get("Content-Type") != "text/plain;charset=UTF-8" || !strings.Contains(r.body, "diff --git src://catalogue/prune.go dst://catalogue/prune.go\n") {
			t.Errorf("%s with %s: %d %s %.200s", path, accept, r.status, r.header.Get("Content-Type"), r.body)
		}
	}
	for path, accept := range map[string]string{
		first + "/diff": "application/json, text/plain, */*", first + "/diff/docs": "*/*",
	} {
		if r := accepting(t, s, path, accept); !strings.HasPrefix(r.body, `{"fromHash":"`) {
			t.Errorf("%s with %s: %d %.200s", path, accept, r.status, r.body)
		}
	}
	if r := accepting(t, s, first+".patch", "*/*"); !strings.HasPrefix(r.body, "From ") || strings.Count(r.body, "\nSubject: ") != 5 {
		t.Errorf("patch of #1: %.200s", r.body)
	}
	// bitbucket-rest.md 1
	for _, path := range []string{first + ".diff", first + ".patch"} {
		if r := accepting(t, s, path, "application/json"); r.status != 406 || r.body != "" {
			t.Errorf("%s as JSON: %d %q, want 406 and nothing", path, r.status, r.body)
		}
	}
}

// changeRow is a changed path as the listing has it.
type changeRow struct {
	Type     string
	Path     struct{ ToString string }
	Conflict *struct {
		OurChange, TheirChange struct{ Type string }
	}
	Properties struct{ ActiveComments, OrphanedComments int }
}

func TestTheChangesOfAPullRequest(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	list := func(user, path string) ([]string, string) {
		t.Helper()
		var page struct {
			Values     []changeRow
			Properties struct {
				ChangeScope       string
				UnreviewedCommits *struct{ Total int }
			}
		}
		get(t, s, user, path).into(t, &page)
		var rows []string
		for _, v := range page.Values {
			row := v.Type + " " + v.Path.ToString
			if v.Conflict != nil {
				row += " conflict " + v.Conflict.OurChange.Type + "/" + v.Conflict.TheirChange.Type
			}
			if p := v.Properties; p.ActiveComments+p.OrphanedComments > 0 {
				row += fmt.Sprintf(" comments %d+%d", p.ActiveComments, p.OrphanedComments)
			}
			rows = append(rows, row)
		}
		scope := page.Properties.ChangeScope
		if u := page.Properties.UnreviewedCommits; u != nil {
			scope += fmt.Sprintf(" of %d", u.Total)
		}
		return rows, scope
	}
	for _, test := range []struct {
		user, path, scope string
		rows              []string
	}{
		{"amara", first + "/changes", "ALL", []string{
			"ADD catalogue/lineage_test.go", "MODIFY catalogue/nightly.go", "MODIFY catalogue/prune.go comments 5+2", "MODIFY docs/pruning.md"}},
		{"chen", first + "/changes", "ALL", []string{
			"ADD catalogue/lineage_test.go", "MODIFY catalogue/nightly.go", "MODIFY catalogue/prune.go comments 6+2", "MODIFY docs/pruning.md"}},
		{"amara", first + "/changes?withComments=false&limit=2&start=1", "ALL", []string{"ADD catalogue/lineage_test.go", "MODIFY catalogue/nightly.go"}},
		// bo approved one commit ago.
		{"bo", first + "/changes?changeScope=UNREVIEWED&withComments=false", "UNREVIEWED of 1", []string{"MODIFY catalogue/nightly.go", "MODIFY catalogue/prune.go"}},
		{"zoe", first + "/changes?changeScope=UNREVIEWED&withComments=false&limit=1", "ALL", []string{"ADD catalogue/lineage_test.go"}},
		{"amara", catalogue + "/pull-requests/8/changes", "ALL", []string{
			"MODIFY catalogue/harvest.go conflict MODIFY/MODIFY", "MODIFY catalogue/tree.go", "ADD catalogue/zone.go"}},
		{"amara", first + "/changes?changeScope=RANGE&sinceId=" + fakebb.Orchard().Commit("ORCH/catalogue", "prune-2") + "&untilId=" + fakebb.Orchard().Commit("ORCH/catalogue", "prune-3"), "RANGE", []string{
			"ADD catalogue/lineage_test.go", "MODIFY catalogue/prune.go", "MODIFY docs/pruning.md"}},
	} {
		rows, scope := list(test.user, test.path)
		if diff := cmp.Diff(test.rows, rows); diff != "" || scope != test.scope {
			t.Errorf("%s for %s: scope %s, want %s; changes (-want +got):\n%s", test.path, test.user, scope, test.scope, diff)
		}
	}
	if r := get(t, s, "bo", first+"/changes?changeScope=RANGE"); r.status != 400 {
		t.Errorf("a range without its ends: %d %s", r.status, r.body)
	}
	if r := get(t, s, "bo", first+"/diff?sinceId=nosuch"); r.status != 404 {
		t.Errorf("a range from nowhere: %d %s", r.status, r.body)
	}
}

// long is a pull request whose diff is longer than Bitbucket sends.
const long = `Long.
-- clock.yaml --
start: 2026-01-02T03:04:05Z
-- people.yaml --
- {name: ada, displayName: Ada, email: ada@example.com}
-- projects.yaml --
- key: P
  repositories:
    - slug: r
      branches: [{name: main, commit: base}, {name: topic, commit: work}]
-- P/r/commits.yaml --
- {name: base, author: ada, at: 2026-01-01T09:00:00Z, message: base, changes: [{path: d.txt, text: "a  b\nc\r\nd"}]}
- name: work
  author: ada
  at: 2026-01-01T10:00:00Z
  message: work
  parents: [base]
  changes:
    - {path: a.txt, text: "line {line}\n", lines: 9990}
    - {path: b.txt, text: "line {line}\n", lines: 20}
    - {path: c.txt, text: "never seen\n"}
    - {path: d.txt, text: "a b\nc\nd\n"}
-- P/r/pull-requests/1.yaml --
title: Long
author: ada
source: {branch: topic}
target: {branch: main}
activity:
  - {by: ada, at: 2026-01-01T11:00:00Z, action: OPENED}
`

func TestADiffIsCutAtEveryLevel(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, long)})
	const diff = rest + "/projects/P/repos/r/pull-requests/1/diff"
	type level struct {
		Truncated bool
		Lines     []struct{ Truncated bool }
		Segments  []struct {
			Truncated bool
			Lines     []any
		}
	}
	var d struct {
		Truncated bool
		Diffs     []struct {
			Destination struct{ Name string }
			Truncated   bool
			Hunks       []level
		}
	}
	get(t, s, "ada", diff).into(t, &d)
	if len(d.Diffs) != 2 || !d.Truncated || d.Diffs[0].Truncated || !d.Diffs[1].Truncated {
		t.Fatalf("%d files, truncated %v", len(d.Diffs), d.Truncated)
	}
	h := d.Diffs[1].Hunks[0]
	if !h.Truncated || !h.Segments[0].Truncated || len(h.Segments[0].Lines) != 10 {
		t.Errorf("hunk truncated %v, segment %v with %d lines", h.Truncated, h.Segments[0].Truncated, len(h.Segments[0].Lines))
	}
	// One file of it is whole.
	get(t, s, "ada", diff+"/b.txt").into(t, &d)
	if d.Truncated || d.Diffs[0].Truncated || len(d.Diffs[0].Hunks[0].Segments[0].Lines) != 20 {
		t.Errorf("the file alone: %+v", d)
	}

	// Lines have neither the carriage return nor a mark of the missing end; who
	// ignores white space does not see the file.
	r := get(t, s, "ada", diff+"/d.txt")
	for _, want := range []string{`"line":"a  b"`, `"type":"REMOVED"`, `{"source":2,"destination":1,"line":"c","truncated":false}`} {
		if !strings.Contains(r.body, want) {
			t.Errorf("%s is not in %s", want, r.body)
		}
	}
	if strings.Contains(r.body, `\r`) || strings.Contains(r.body, "No newline") {
		t.Errorf("line ends are shown: %s", r.body)
	}
	if r := get(t, s, "ada", diff+"/d.txt?whitespace=ignore-all"); !strings.Contains(r.body, `"whitespace":"IGNORE_ALL","diffs":[]`) {
		t.Errorf("without white space: %s", r.body)
	}
	if r := get(t, s, "ada", diff+"/d.txt?whitespace=show&contextLines=0"); !strings.Contains(r.body, `"contextLines":0,"whitespace":"SHOW"`) {
		t.Errorf("%s", r.body)
	}
	for _, query := range []string{"?contextLines=x", "?srcPath=../x"} {
		if r := get(t, s, "ada", diff+"/d.txt"+query); r.status != 404 {
			t.Errorf("%s: %d %s", query, r.status, r.body)
		}
	}
}
