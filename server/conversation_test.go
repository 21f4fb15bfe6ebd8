package server

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// A line is found by the comment's id; by its number only where the number
// counts in that diff, and never on the other side.
func TestTheCommentedLineIsTheOneBitbucketNames(t *testing.T) {
	const diff = `{"hunks":[{"segments":[
		{"type":"CONTEXT","lines":[{"source":1,"destination":1,"line":"one"}]},
		{"type":"REMOVED","lines":[{"source":2,"destination":2,"line":"two","commentIds":[7,9]}]},
		{"type":"ADDED","lines":[{"source":3,"destination":2,"line":"zwei"},{"source":3,"destination":3,"line":"drei","commentIds":[8]}]},
		{"type":"CONTEXT","lines":[{"source":3,"destination":4,"line":"` + "\u202e" + `four"}]}]}],
		"properties":{"toHash":"new"}}`
	var d bitbucket.CommentDiff
	if err := json.Unmarshal([]byte(diff), &d); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		id   int
		at   bitbucket.Anchor
		want string
	}{
		{7, bitbucket.Anchor{Line: 2, FileType: "FROM", ToHash: "new"}, "two"},
		{8, bitbucket.Anchor{Line: 1, FileType: "TO", ToHash: "other"}, "drei"}, // the id wins
		{1, bitbucket.Anchor{Line: 2, FileType: "FROM", ToHash: "new"}, "two"},
		{1, bitbucket.Anchor{Line: 2, FileType: "TO", ToHash: "new"}, "zwei"},
		{1, bitbucket.Anchor{Line: 3, FileType: "FROM", ToHash: "new"}, "\u202efour"},
		{1, bitbucket.Anchor{Line: 2, FileType: "TO", ToHash: "other"}, ""},
		{1, bitbucket.Anchor{Line: 99, FileType: "TO", ToHash: "new"}, ""},
		{7, bitbucket.Anchor{FileType: "TO", ToHash: "new"}, ""}, // on the file
	} {
		if got := commentedLine(&d, &c.at, c.id); got != c.want {
			t.Errorf("comment %d at %+v: %q, want %q", c.id, c.at, got, c.want)
		}
	}
	if commentedLine(nil, &bitbucket.Anchor{Line: 1}, 1) != "" || commentedLine(&d, nil, 7) != "" {
		t.Error("a line of nothing")
	}
}

// A server that names a comment's reply as its parent ends no call.
func TestCommentsInACircleAreAllKept(t *testing.T) {
	k := newConversation()
	for _, c := range []struct{ id, parent int }{{1, 2}, {2, 3}, {3, 1}, {4, 1}, {5, 5}} {
		k.addComment(bitbucket.Comment{ID: c.id, Parent: &struct{ ID int }{c.parent}}, 0, nil)
	}
	n := 0
	for _, x := range k.threads() {
		n += len(x.comments)
	}
	if n != 5 {
		t.Errorf("%d comments of 5", n)
	}
}

// Which of a repository's conditions pick a ref is said only where it is
// certain (bitbucket-rest.md 15, 16).
func TestAConditionAppliesOnlyWhereThatIsCertain(t *testing.T) {
	no := false
	matcher := func(kind, id string) (m bitbucket.RefMatcher) {
		m.ID, m.Type.ID = id, kind
		return m
	}
	off := matcher("ANY_REF", "ANY_REF_MATCHER_ID")
	off.Active = &no
	for _, c := range []struct {
		m    bitbucket.RefMatcher
		ref  string
		want int
	}{
		{matcher("ANY_REF", "ANY_REF_MATCHER_ID"), "refs/heads/main", always},
		{off, "refs/heads/main", never},
		{matcher("BRANCH", "refs/heads/main"), "refs/heads/main", always},
		{matcher("BRANCH", "main"), "refs/heads/main", always},
		{matcher("BRANCH", "refs/heads/MAIN"), "refs/heads/main", perhaps},
		{matcher("BRANCH", "refs/heads/other"), "refs/heads/main", never},
		{matcher("PATTERN", "main"), "refs/heads/main", perhaps},
		{matcher("MODEL_BRANCH", "production"), "refs/heads/main", perhaps},
		{matcher("MODEL_CATEGORY", "HOTFIX"), "refs/heads/main", perhaps},
		{matcher("OF_A_LATER_RELEASE", "x"), "refs/heads/main", perhaps},
	} {
		if got := applies(c.m, c.ref); got != c.want {
			t.Errorf("%s %s of %s: %d, want %d", c.m.Type.ID, c.m.ID, c.ref, got, c.want)
		}
	}
}

// T6, T11: whatever is written, a thread keeps within what it may take, loses
// no comment without saying so, and has its first.
func FuzzAThreadKeepsWithinItsBound(f *testing.F) {
	f.Add("plain", "reply", 3)
	f.Add(strings.Repeat("<\u202e\x01&", 9000), "`````\n", 40)
	f.Add(strings.Repeat("\U0001F350", 20000), strings.Repeat("\"\\", 9000), 200)
	f.Fuzz(func(t *testing.T, first, reply string, replies int) {
		if replies < 0 || replies > 300 {
			return
		}
		whole := thread{comments: []ThreadComment{{ID: 1, Author: "a", Text: first, author: Person{Name: "a", DisplayName: "A"}}}}
		for i := range replies {
			whole.comments = append(whole.comments, ThreadComment{ID: i + 2, Parent: 1, Author: "b", Text: reply, author: Person{Name: "b", DisplayName: "B"}})
		}
		for _, l := range []ThreadListing{{Limit: 1}, {Limit: 25}} {
			bound := l.bound()
			x := whole.within(bound)
			total := 0
			for i, c := range x.Comments {
				total += commentWeight(c)
				if c.Text+strings.Repeat("?", c.TextCut) != whole.comments[i].Text && c.TextCut == 0 {
					t.Errorf("comment %d was cut and does not say so", i)
				}
			}
			if total > bound.all || len(x.Comments) == 0 || len(x.Comments)+x.Left != len(whole.comments) {
				t.Errorf("limit %d: %d of %d units, %d comments and %d left out of %d", l.Limit, total, bound.all, len(x.Comments), x.Left, len(whole.comments))
			}
		}
	})
}
