package fakebb_test

import (
	"fmt"
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
