package content_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb/content"
)

func TestMergesTellWhatEachSideDid(t *testing.T) {
	ten := numbered("line", 10)
	edit := func(line, text string) string { return strings.Replace(ten, "line "+line+"\n", text+"\n", 1) }
	binary := "\x00" + ten
	for _, c := range []struct {
		name               string
		base, ours, theirs map[string]content.File
		want               []string
	}{
		{"edits apart", files("a", ten), files("a", edit("2", "ours")), files("a", edit("8", "theirs")), nil},
		{"edits that touch", files("a", ten), files("a", edit("2", "ours")), files("a", edit("3", "theirs")), []string{"content a: MODIFY a, MODIFY a"}},
		{"the same edit", files("a", ten), files("a", edit("2", "both")), files("a", edit("2", "both")), nil},
		{"modified and deleted", files("a", ten), files("a", edit("2", "ours")), nil, []string{"modify/delete a: MODIFY a, DELETE a"}},
		{"deleted on both sides", files("a", ten), nil, nil, nil},
		{"added twice", nil, files("a", "ours\n"), files("a", "theirs\n"), []string{"add/add a: ADD a, ADD a"}},
		{"added twice alike", nil, files("a", "both\n"), files("a", "both\n"), nil},
		{"renamed and edited", files("a", ten), files("b", ten), files("a", edit("8", "theirs")), nil},
		{"renamed twice", files("a", ten), files("b", ten), files("c", ten), []string{"rename/rename a: RENAME b, RENAME c"}},
		{"renamed and deleted", files("a", ten), files("b", ten), nil, []string{"rename/delete b: RENAME b, DELETE a"}},
		{"binary", files("a", binary), files("a", binary+"1"), files("a", binary+"2"), []string{"binary a: MODIFY a, MODIFY a"}},
		{"file and directory", files("x", "x\n"), files("x", "x\n", "a", "file\n"), files("x", "x\n", "a/b", "below\n"), []string{"file/directory a: ADD a, ADD a/b"}},
		{
			"file and link", nil, files("a", "x\n"), map[string]content.File{"a": {Data: []byte("b"), Mode: content.Symlink}},
			[]string{"distinct types a: ADD a, ADD a"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMade(t)
			m.add(c.base)
			m.add(c.ours, 0)
			m.add(c.theirs, 0)
			got, err := m.Merge(m.ids[1], m.ids[2])
			if err != nil {
				t.Fatal(err)
			}
			var conflicts []string
			for _, x := range got.Conflicts {
				conflicts = append(conflicts, fmt.Sprintf("%s %s: %s %s, %s %s", x.Kind, x.Path, x.Ours.Type, x.Ours.Path, x.Theirs.Type, x.Theirs.Path))
			}
			if diff := cmp.Diff(c.want, conflicts); diff != "" {
				t.Errorf("conflicts (-want +got):\n%s", diff)
			}
			if (got.TreeID == "") != (len(c.want) > 0) || got.Base != m.ids[0] || got.Bases != 1 {
				t.Errorf("merge is %+v", got)
			}
		})
	}
}

func TestAMergedTreeCanBeCommitted(t *testing.T) {
	ten := numbered("line", 10)
	m := newMade(t)
	m.add(files("a", ten))
	m.add(files("b", ten), 0)
	m.add(files("a", strings.Replace(ten, "line 9", "line nine", 1)), 0)
	merged, err := m.Merge(m.ids[1], m.ids[2])
	if err != nil {
		t.Fatal(err)
	}
	id, err := m.Commit(content.CommitSpec{TreeID: merged.TreeID, Parents: m.ids[1:3], Author: who("Bo", 9), Message: "Merge"})
	if err != nil {
		t.Fatal(err)
	}
	if f, err := m.File(id, "b"); err != nil || !strings.Contains(string(f.Data), "line nine") {
		t.Errorf("merged file is %q, %v", f.Data, err)
	}
	again, err := m.Merge(id, m.ids[2])
	if err != nil || again.TreeID != merged.TreeID {
		t.Errorf("merging what is merged gives %+v, %v, want tree %s", again, err, merged.TreeID)
	}
}

func TestUnrelatedHistoriesHaveNoMergeBase(t *testing.T) {
	m := newMade(t)
	m.add(files("a", "a\n"))
	m.add(files("b", "b\n"))
	if id, err := m.MergeBase(m.ids[0], m.ids[1]); !errors.Is(err, content.ErrNotFound) {
		t.Errorf("merge base is %s, %v, want not found", id, err)
	}
	got, err := m.Merge(m.ids[0], m.ids[1])
	if err != nil || got.TreeID == "" || got.Bases != 0 {
		t.Errorf("merge is %+v, %v, want both files", got, err)
	}
}

func TestAHistoryFollowsAFileThroughARename(t *testing.T) {
	text := numbered("line", 20)
	m := newMade(t)
	m.add(files("old", text))
	m.add(files("old", text+"more\n"), 0)
	m.add(files("new", text+"more\nand more\n"), 1)
	m.add(files("new", text+"more\nand more\n", "x", "x\n"), 2)
	for _, c := range []struct {
		follow bool
		want   []string
	}{
		{false, []string{m.ids[2]}},
		{true, []string{m.ids[2], m.ids[1], m.ids[0]}},
	} {
		commits, err := m.Log(content.LogOptions{From: []string{m.ids[3]}, Path: "new", FollowRenames: c.follow})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, commit := range commits {
			got = append(got, commit.ID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("follow %v (-want +got):\n%s", c.follow, diff)
		}
	}
	blame, err := m.Blame(m.ids[3], "new")
	want := []content.BlameRange{
		{Line: 1, Lines: 20, Commit: m.ids[0], Path: "old", OldLine: 1},
		{Line: 21, Lines: 1, Commit: m.ids[1], Path: "old", OldLine: 21},
		{Line: 22, Lines: 1, Commit: m.ids[2], Path: "new", OldLine: 22},
	}
	if diff := cmp.Diff(want, blame); err != nil || diff != "" {
		t.Errorf("blame (-want +got): %v\n%s", err, diff)
	}
}

// The race detector is the judge.
func TestReadersAndWritersMayRunAtTheSameTime(t *testing.T) {
	m := newMade(t)
	newRandom(5).history(m, 10)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			tip := m.ids[9]
			m.Store.Commit(content.CommitSpec{Tree: files("new", fmt.Sprint(i)), Parents: []string{tip}, Author: who("Bo", 100+i)})
			m.Merge(tip, m.ids[i])
			m.Log(content.LogOptions{From: []string{tip}})
			m.Patch(io.Discard, m.ids[i], tip, content.PatchOptions{})
			m.LastModified(tip, "")
			m.Archive(io.Discard, tip, content.ArchiveOptions{Format: content.Zip})
			for _, path := range places {
				m.Blame(tip, path)
			}
		})
	}
	wg.Wait()
}

func TestIDsOfNothingAreErrorsEverywhere(t *testing.T) {
	m := newMade(t)
	m.add(files("a", "a\n"))
	for _, bad := range []string{"nothing", strings.Repeat("0", 40), "0000000"} {
		calls := map[string]error{}
		_, calls["Changes"] = m.Changes(m.ids[0], bad, content.ChangeOptions{})
		_, calls["Log"] = m.Log(content.LogOptions{From: []string{bad}})
		_, calls["Log, exclude"] = m.Log(content.LogOptions{From: m.ids, Exclude: []string{bad}})
		_, calls["Merge"] = m.Merge(m.ids[0], bad)
		_, calls["MergeBase"] = m.MergeBase(bad, m.ids[0])
		_, calls["IsAncestor"] = m.IsAncestor(bad, m.ids[0])
		_, calls["Blame"] = m.Blame(bad, "a")
		_, calls["Parents"] = m.Parents(bad)
		_, calls["Paths"] = m.Paths(bad, "")
		_, _, calls["LastModified"] = m.LastModified(bad, "")
		_, calls["Diff"] = m.Diff(content.Change{NewMode: content.Regular, NewID: bad}, content.DiffOptions{})
		calls["Patch"] = m.Patch(io.Discard, m.ids[0], bad, content.PatchOptions{})
		calls["MailPatch"] = m.MailPatch(io.Discard, bad, m.ids[0], content.PatchOptions{})
		calls["Archive"] = m.Archive(io.Discard, bad, content.ArchiveOptions{})
		for call, err := range calls {
			if !errors.Is(err, content.ErrNotFound) {
				t.Errorf("%s of %q: error %v, want not found", call, bad, err)
			}
		}
	}
}
