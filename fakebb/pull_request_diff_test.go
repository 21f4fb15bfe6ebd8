package fakebb_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// drifting is a pull request whose source and target move after comments were
// made; PUSHES stands for what is pushed then.
const drifting = `Comments that drift.
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
        - {name: main, commit: base}
-- P/r/commits.yaml --
- {name: base, author: ada, at: 2026-01-01T09:00:00Z, message: base}
- name: work
  author: ada
  at: 2026-01-01T10:00:00Z
  message: work
  parents: [base]
  changes:
    - {path: poem.txt, replace: "four\n", with: "FOUR\n"}
    - {path: poem.txt, replace: "eight\n", with: "eight\nnew\n"}
    - {path: gone.txt, delete: true}
- name: above # three lines above everything
  author: ada
  at: 2026-01-01T11:00:00Z
  message: above
  parents: [work]
  changes: [{path: poem.txt, replace: "one\n", with: "a\nb\nc\none\n"}]
- name: changed # the commented lines themselves
  author: ada
  at: 2026-01-01T11:00:00Z
  message: changed
  parents: [work]
  changes:
    - {path: poem.txt, replace: "FOUR\n", with: "4\n"}
    - {path: poem.txt, replace: "new\n", with: "newer\n"}
    - {path: poem.txt, replace: "two\n", with: "2\n"}
- name: renamed
  author: ada
  at: 2026-01-01T11:00:00Z
  message: renamed
  parents: [work]
  changes: [{path: poems/first.txt, movedFrom: poem.txt}]
- name: reverted
  author: ada
  at: 2026-01-01T11:00:00Z
  message: reverted
  parents: [work]
  changes:
    - {path: poem.txt, replace: "FOUR\n", with: "four\n"}
    - {path: poem.txt, replace: "new\n", with: ""}
- name: target # of which the source knows nothing
  author: bob
  at: 2026-01-01T11:30:00Z
  message: target
  parents: [base]
  changes: [{path: poem.txt, replace: "ten\n", with: "ten\neleven\n"}]
- name: merged
  author: ada
  at: 2026-01-01T12:00:00Z
  message: merged
  parents: [work, target]
-- P/r/files/base/poem.txt --
one
two
three
four
five
six
seven
eight
nine
ten
-- P/r/files/base/gone.txt --
here
-- P/r/pull-requests/1.yaml --
title: Poem
author: ada
source: {branch: topic, commit: TIP}
target: {branch: main, commit: TARGET}
activity:
  - {by: ada, at: 2026-01-01T10:01:00Z, action: OPENED, from: work, to: base}
  - {by: bob, at: 2026-01-01T10:02:00Z, text: on the old four, on: {path: poem.txt, line: 4, side: old}}
  - {by: bob, at: 2026-01-01T10:03:00Z, text: on the new line, on: {path: poem.txt, line: 9, side: new}}
  - {by: bob, at: 2026-01-01T10:04:00Z, text: on two from the left, on: {path: poem.txt, line: 2, side: old}}
  - {by: bob, at: 2026-01-01T10:05:00Z, text: on ten from the right, on: {path: poem.txt, line: 11, side: new}}
  - {by: bob, at: 2026-01-01T10:06:00Z, text: on the file, on: {path: poem.txt}}
  - {by: bob, at: 2026-01-01T10:07:00Z, text: on what is gone, on: {path: gone.txt, line: 1, side: old}}
  - {by: bob, at: 2026-01-01T10:07:30Z, text: on the gone file, on: {path: gone.txt}}
  - {by: bob, at: 2026-01-01T10:08:00Z, text: on several, on: {path: poem.txt, from: 4, line: 9, side: new}}
  - {by: bob, at: 2026-01-01T10:09:00Z, text: on the commit, on: {path: poem.txt, line: 4, side: new, commit: work}}
PUSHES`

// place is where a comment is said to be.
type place struct {
	Text   string
	Anchor struct {
		Line            int
		LineType        string
		FileType        string
		Path            string
		SrcPath         string
		DiffType        string
		Orphaned        bool
		MultilineMarker *struct{ StartLine int }
	}
}

// H1: comments drift with what is pushed to either side.
func TestCommentsDriftWithTheirLines(t *testing.T) {
	const push = "  - {by: ada, at: 2026-01-01T12:30:00Z, action: RESCOPED, from: %s, to: %s}\n"
	for _, test := range []struct {
		name, tip, target string
		anchors           map[string]string
		lines             map[string]string
	}{
		{
			"not pushed", "work", "base",
			map[string]string{
				"on the old four": "FROM 4 REMOVED poem.txt", "on the new line": "TO 9 ADDED poem.txt",
				"on two from the left": "FROM 2 CONTEXT poem.txt", "on ten from the right": "TO 11 CONTEXT poem.txt",
				"on the file": "poem.txt", "on what is gone": "FROM 1 REMOVED gone.txt", "on the gone file": "gone.txt", "on several": "4- TO 9 ADDED poem.txt",
			},
			map[string]string{
				"on the old four": "REMOVED 4:4 four", "on the new line": "ADDED 9:9 new", "on two from the left": "CONTEXT 2:2 two",
				"on ten from the right": "CONTEXT 10:11 ten", "on what is gone": "REMOVED 1:0 here", "on several": "ADDED 9:9 new",
			},
		},
		{
			"three lines above", "above", "base",
			map[string]string{
				"on the old four": "FROM 4 REMOVED poem.txt", "on the new line": "TO 12 ADDED poem.txt",
				"on two from the left": "FROM 2 CONTEXT poem.txt", "on ten from the right": "TO 14 CONTEXT poem.txt",
				"on the file": "poem.txt", "on what is gone": "FROM 1 REMOVED gone.txt", "on the gone file": "gone.txt", "on several": "7- TO 12 ADDED poem.txt",
			},
			map[string]string{
				"on the old four": "REMOVED 4:7 four", "on the new line": "ADDED 9:12 new", "on two from the left": "CONTEXT 2:5 two",
				"on ten from the right": "CONTEXT 10:14 ten", "on what is gone": "REMOVED 1:0 here", "on several": "ADDED 9:12 new",
			},
		},
		{
			"the lines themselves", "changed", "base",
			map[string]string{
				"on the old four": "FROM 4 REMOVED poem.txt", "on the new line": "outdated TO 9 ADDED poem.txt",
				// The line is removed now: what was said of an unchanged one is outdated.
				"on two from the left": "outdated FROM 2 CONTEXT poem.txt", "on ten from the right": "TO 11 CONTEXT poem.txt",
				"on the file": "poem.txt", "on what is gone": "FROM 1 REMOVED gone.txt", "on the gone file": "gone.txt", "on several": "outdated 4- TO 9 ADDED poem.txt",
			},
			map[string]string{
				"on the old four": "REMOVED 4:4 four", "on ten from the right": "CONTEXT 10:11 ten", "on what is gone": "REMOVED 1:0 here",
			},
		},
		{
			"renamed", "renamed", "base",
			map[string]string{
				"on the old four": "FROM 4 REMOVED poems/first.txt poem.txt", "on the new line": "TO 9 ADDED poems/first.txt poem.txt",
				"on two from the left": "FROM 2 CONTEXT poems/first.txt poem.txt", "on ten from the right": "TO 11 CONTEXT poems/first.txt poem.txt",
				"on the file": "poems/first.txt poem.txt", "on what is gone": "FROM 1 REMOVED gone.txt", "on the gone file": "gone.txt", "on several": "4- TO 9 ADDED poems/first.txt poem.txt",
			},
			map[string]string{
				"on the old four": "REMOVED 4:4 four", "on the new line": "ADDED 9:9 new", "on two from the left": "CONTEXT 2:2 two",
				"on ten from the right": "CONTEXT 10:11 ten", "on what is gone": "REMOVED 1:0 here", "on several": "ADDED 9:9 new",
			},
		},
		{
			// The file is no longer in the diff.
			"reverted", "reverted", "base",
			map[string]string{
				"on the old four": "outdated FROM 4 REMOVED poem.txt", "on the new line": "outdated TO 9 ADDED poem.txt",
				"on two from the left": "outdated FROM 2 CONTEXT poem.txt", "on ten from the right": "outdated TO 11 CONTEXT poem.txt",
				"on the file": "outdated poem.txt", "on what is gone": "FROM 1 REMOVED gone.txt", "on the gone file": "gone.txt", "on several": "outdated 4- TO 9 ADDED poem.txt",
			},
			map[string]string{"on what is gone": "REMOVED 1:0 here"},
		},
		{
			"target merged", "merged", "target",
			map[string]string{
				"on the old four": "FROM 4 REMOVED poem.txt", "on the new line": "TO 9 ADDED poem.txt",
				"on two from the left": "FROM 2 CONTEXT poem.txt", "on ten from the right": "TO 11 CONTEXT poem.txt",
				"on the file": "poem.txt", "on what is gone": "FROM 1 REMOVED gone.txt", "on the gone file": "gone.txt", "on several": "4- TO 9 ADDED poem.txt",
			},
			map[string]string{
				"on the old four": "REMOVED 4:4 four", "on the new line": "ADDED 9:9 new", "on two from the left": "CONTEXT 2:2 two",
				"on ten from the right": "CONTEXT 10:11 ten", "on what is gone": "REMOVED 1:0 here", "on several": "ADDED 9:9 new",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			pushes := ""
			if test.tip != "work" || test.target != "base" {
				pushes = fmt.Sprintf(push, test.tip, test.target)
			}
			text := strings.NewReplacer("TIP", test.tip, "TARGET", test.target, "PUSHES", pushes).Replace(drifting)
			s := fakebb.New(fakebb.Options{Scenario: parse(t, text)})
			const pull = rest + "/projects/P/repos/r/pull-requests/1"

			anchors := map[string]string{}
			for _, path := range []string{"poem.txt", "gone.txt", "poems/first.txt"} {
				for _, p := range values[place](t, get(t, s, "ada", pull+"/comments?anchorState=ALL&path="+path)) {
					a := p.Anchor
					words := []string{}
					if a.Orphaned {
						words = append(words, "outdated")
					}
					if a.MultilineMarker != nil {
						words = append(words, fmt.Sprintf("%d-", a.MultilineMarker.StartLine))
					}
					if a.Line > 0 {
						words = append(words, fmt.Sprintf("%s %d %s", a.FileType, a.Line, a.LineType))
					}
					words = append(words, a.Path)
					if a.SrcPath != "" {
						words = append(words, a.SrcPath)
					}
					anchors[p.Text] = strings.Join(words, " ")
				}
			}
			if diff := cmp.Diff(test.anchors, anchors); diff != "" {
				t.Errorf("anchors (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.lines, namedOn(t, s, pull+"/diff")); diff != "" {
				t.Errorf("lines of the diff that name comments (-want +got):\n%s", diff)
			}
			// What was said of one commit stays there.
			work := parse(t, text).Commit("P/r", "work")
			want := map[string]string{"on the commit": "ADDED 5:4 FOUR"}
			if diff := cmp.Diff(want, namedOn(t, s, pull+"/diff?untilId="+work)); diff != "" {
				t.Errorf("lines of the commit's diff that name comments (-want +got):\n%s", diff)
			}
		})
	}
}

// namedOn is, for every comment that a diff names, the line it is named on.
func namedOn(t *testing.T, s *fakebb.Server, path string) map[string]string {
	t.Helper()
	var d struct {
		Diffs []struct {
			Hunks []struct {
				Segments []struct {
					Type  string
					Lines []struct {
						Source, Destination int
						Line                string
						CommentIDs          []int
					}
				}
			}
			LineComments []struct {
				ID   int
				Text string
			}
		}
	}
	get(t, s, "ada", path).into(t, &d)
	found := map[string]string{}
	for _, f := range d.Diffs {
		texts := map[int]string{}
		for _, c := range f.LineComments {
			texts[c.ID] = c.Text
		}
		for _, h := range f.Hunks {
			for _, segment := range h.Segments {
				for _, l := range segment.Lines {
					for _, id := range l.CommentIDs {
						if found[texts[id]] != "" {
							t.Errorf("comment %q is named twice", texts[id])
						}
						found[texts[id]] = fmt.Sprintf("%s %d:%d %s", segment.Type, l.Source, l.Destination, l.Line)
					}
				}
			}
		}
		if len(texts) != len(f.LineComments) {
			t.Error("a comment is there twice")
		}
	}
	return found
}

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
