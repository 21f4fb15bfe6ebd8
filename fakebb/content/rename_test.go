package content_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb/content"
)

// changedEnd is a text of twenty lines of which the last n are others.
func changedEnd(n int) string {
	return numbered("line", 20-n) + numbered("quite another", n)
}

func TestAUniqueNameCountsOnlyWhenTheFilesAreAlike(t *testing.T) {
	m := newMade(t)
	m.add(files("old/a.txt", changedEnd(0), "odd\x7f name", "x\n"))
	m.add(files("new/a.txt", changedEnd(3), "new/b.txt", changedEnd(1), "odd\x7f name", "y\n"), 0)
	changes, err := m.Changes(m.ids[0], m.ids[1], content.ChangeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if changes[1].Type != content.Rename || changes[1].Path != "new/b.txt" {
		t.Errorf("changes are %+v, want new/b.txt renamed", changes)
	}
	git := newProgram(t)
	git.load(m.specs, m.ids)
	var got bytes.Buffer
	if err := m.Patch(&got, m.ids[0], m.ids[1], content.PatchOptions{Context: 3}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(git.run(nil, "diff", "-M", m.ids[0], m.ids[1]), got.String()); diff != "" {
		t.Errorf("patch (-git +content):\n%s", diff)
	}
}

func TestBlameFollowsAFileThatAnotherOneIsMoreLike(t *testing.T) {
	m := newMade(t)
	m.add(files("old", changedEnd(0)))
	m.add(files("like", changedEnd(1), "less", changedEnd(5)), 0)
	blame, err := m.Blame(m.ids[1], "less")
	if err != nil || len(blame) != 2 || blame[0].Path != "old" || blame[0].Lines != 15 {
		t.Errorf("blame is %+v, %v, want the first 15 lines from the old file", blame, err)
	}
}

func TestAFileThatBothSidesAddedAlikeStaysAsItIs(t *testing.T) {
	text := numbered("line", 20)
	m := newMade(t)
	m.add(files("a", text))
	m.add(files("a", strings.Replace(text, "line 9", "line nine", 1), "b", text), 0)
	m.add(files("b", text), 0)
	got, err := m.Merge(m.ids[1], m.ids[2])
	if err != nil || len(got.Conflicts) > 0 {
		t.Fatalf("merge is %+v, %v, want none to conflict", got, err)
	}
	git := newProgram(t)
	git.load(m.specs, m.ids)
	if want := strings.TrimSpace(git.run(nil, "merge-tree", "--write-tree", m.ids[1], m.ids[2])); got.TreeID != want {
		t.Errorf("merged tree is %s, git has %s", got.TreeID, want)
	}
}
