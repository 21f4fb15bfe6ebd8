package content_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb/content"
)

func TestWhatGitCannotStoreIsRefused(t *testing.T) {
	file := content.File{Data: []byte("x")}
	for _, c := range []struct {
		name string
		tree map[string]content.File
	}{
		{"empty path", map[string]content.File{"": file}},
		{"leading slash", map[string]content.File{"/a": file}},
		{"trailing slash", map[string]content.File{"a/": file}},
		{"two slashes", map[string]content.File{"a//b": file}},
		{"dot", map[string]content.File{"a/./b": file}},
		{"parent", map[string]content.File{"../a": file}},
		{"git's own", map[string]content.File{"a/.git/config": file}},
		{"git's own in other case", map[string]content.File{".GIT": file}},
		{"NUL", map[string]content.File{"a\x00b": file}},
		{"file and directory", map[string]content.File{"a": file, "a/b/c": file}},
		{"unknown mode", map[string]content.File{"a": {Mode: 0o100600}}},
		{"submodule without commit", map[string]content.File{"a": {Mode: content.Submodule}}},
	} {
		s := content.New()
		_, err := s.Commit(content.CommitSpec{Tree: c.tree, Author: who("Amara", 0), Message: "x"})
		if !errors.Is(err, content.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is ErrInvalid", c.name, err)
		}
	}
	for _, spec := range []content.CommitSpec{
		{Author: content.Signature{Name: " <> ", Email: "a@example.com", When: at(0)}},
		{Author: content.Signature{Name: "Bo\x00", When: at(0)}},
		{Author: content.Signature{Name: "Bo"}},
		{Author: who("Bo", 0), Message: "a\x00b"},
		{Author: who("Bo", 0), Parents: []string{strings.Repeat("1", 40)}},
		{Author: who("Bo", 0), TreeID: "nonsense"},
	} {
		if id, err := content.New().Commit(spec); err == nil {
			t.Errorf("commit %+v is stored as %s, want an error", spec, id)
		}
	}
}

func TestTreesAreReadAsTheyWereGiven(t *testing.T) {
	m := newMade(t)
	m.add(map[string]content.File{
		"a":        {Data: []byte("one")},
		"a-b":      {Data: []byte("two"), Mode: content.Executable},
		"a.d/x":    {Data: []byte("three")},
		"a.d/link": {Data: []byte("x"), Mode: content.Symlink},
		"b/c/d":    {},
	})
	paths, err := m.Paths(m.ids[0], "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "a-b", "a.d/link", "a.d/x", "b/c/d"}, paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	entries, err := m.Entries(m.ids[0], "a.d")
	if err != nil {
		t.Fatal(err)
	}
	want := []content.Entry{
		{Name: "link", Path: "a.d/link", Mode: content.Symlink, ID: "c1b0730e0133447badcfd47fd144e254807b06e1", Size: 1},
		{Name: "x", Path: "a.d/x", Mode: content.Regular, ID: "1d19714ffbc272ba0da6eb419d66123c20527174", Size: 5},
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Errorf("entries of a.d (-want +got):\n%s", diff)
	}
	if f, err := m.File(m.ids[0], "a-b"); err != nil || string(f.Data) != "two" || f.Mode != content.Executable {
		t.Errorf("file a-b is %q %s, %v", f.Data, f.Mode, err)
	}
	for _, path := range []string{"", "b", "b/c", "a/b", "../a", "a/", "/a", "nowhere"} {
		if _, err := m.File(m.ids[0], path); !errors.Is(err, content.ErrNotFound) {
			t.Errorf("file %q: error %v, want not found", path, err)
		}
	}
	for _, dir := range []string{"a", "b/x", "b/", ".."} {
		if _, err := m.Entries(m.ids[0], dir); !errors.Is(err, content.ErrNotFound) {
			t.Errorf("directory %q: error %v, want not found", dir, err)
		}
	}
	if e, err := m.Entry(m.ids[0], "b"); err != nil || e.Mode != content.Directory {
		t.Errorf("entry b is %+v, %v, want a directory", e, err)
	}
}

func TestShortIDsResolveWhenTheyAreUnique(t *testing.T) {
	m := newMade(t)
	for i := range 200 {
		m.addAt(i, files("a", numbered("line", i)))
	}
	id := m.ids[0]
	if got, err := m.Resolve(id[:12]); err != nil || got != id {
		t.Errorf("Resolve(%s) = %s, %v, want %s", id[:12], got, err, id)
	}
	if c, err := m.CommitInfo(strings.ToUpper(id[:12])); err != nil || c.ID != id {
		t.Errorf("CommitInfo of a short id in capitals is %s, %v", c.ID, err)
	}
	for _, bad := range []string{"", "abc", "zzzz", id + "0", strings.Repeat("0", 40), "main", "../.."} {
		if got, err := m.Resolve(bad); !errors.Is(err, content.ErrNotFound) {
			t.Errorf("Resolve(%q) = %s, %v, want not found", bad, got, err)
		}
		if _, err := m.CommitInfo(bad); !errors.Is(err, content.ErrNotFound) {
			t.Errorf("CommitInfo(%q): %v, want not found", bad, err)
		}
	}
	// Among enough commits two begin alike.
	seen := map[string]bool{}
	for i := 0; i < 5000; i++ {
		id := m.addAt(1000+i, nil)
		if seen[id[:4]] {
			if _, err := m.Resolve(id[:4]); !errors.Is(err, content.ErrAmbiguous) {
				t.Errorf("Resolve(%s): %v, want ambiguous", id[:4], err)
			}
			return
		}
		seen[id[:4]] = true
	}
	t.Error("no two commits begin alike")
}
