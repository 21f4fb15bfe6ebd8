package content_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb/content"
)

// Long files with few or no lines in common are where git stops to look for the
// shortest diff: its short cuts have to be the same ones.
func TestHunksOfLongFilesAreThoseOfGit(t *testing.T) {
	git := newProgram(t)
	m := newMade(t)
	r := newRandom(11)
	lines := func(n, of int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("line %d", r.IntN(of))
		}
		return list
	}
	text := func(list []string) map[string]content.File {
		return files("long.txt", strings.Join(list, "\n")+"\n")
	}
	for _, c := range []struct{ lines, different int }{{3000, 4}, {2500, 40}, {3000, 1500}, {2000, 100000}} {
		old := lines(c.lines, c.different)
		m.add(text(old))
		m.add(text(lines(c.lines, c.different)))
		// Half of the old lines with long runs in between that stay.
		mixed := append([]string{}, old[c.lines/2:]...)
		for i := 0; i < len(mixed); i += 1 + r.IntN(60) {
			mixed[i] = fmt.Sprintf("new %d", r.IntN(c.different))
		}
		m.add(text(append(mixed, old[:c.lines/3]...)))
	}
	git.load(m.specs, m.ids)
	for i := 0; i < len(m.ids); i += 3 {
		for _, pair := range [][2]int{{i, i + 1}, {i + 1, i + 2}, {i, i + 2}} {
			for _, context := range []int{0, 3} {
				var got bytes.Buffer
				if err := m.Patch(&got, m.ids[pair[0]], m.ids[pair[1]], content.PatchOptions{Context: context}); err != nil {
					t.Fatal(err)
				}
				want := git.run(nil, "diff", fmt.Sprintf("-U%d", context), m.ids[pair[0]], m.ids[pair[1]])
				if want != got.String() {
					t.Errorf("commits %v, context %d: the diff has %d lines, git's %d; first difference:\n%s", pair, context,
						strings.Count(got.String(), "\n"), strings.Count(want, "\n"), firstDifference(want, got.String()))
				}
			}
		}
	}
}

func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return cmp.Diff(a[max(0, i-3):min(len(a), i+5)], b[min(len(b), max(0, i-3)):min(len(b), i+5)])
		}
	}
	return "the one continues"
}
