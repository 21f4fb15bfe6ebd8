package content_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb/content"
)

// The tests of this file make the same random histories with the git program.

// histories is how many there are, and historyLength how many commits each has.
const (
	histories     = 16
	historyLength = 12
)

// randomHistories makes histories in one store, and the same in git.
func randomHistories(t *testing.T, seed uint64) (*made, *program, *random) {
	t.Helper()
	git := newProgram(t)
	r := newRandom(seed)
	r.wholeLines = git.countsLastLine()
	m := newMade(t)
	for range histories {
		r.history(m, historyLength)
	}
	if diff := cmp.Diff(git.load(m.specs, m.ids), m.ids); diff != "" {
		t.Fatalf("ids of commits (-git +content):\n%s", diff)
	}
	return m, git, r
}

// countsLastLine says whether this git counts a last line without an end when
// it estimates similarity (from 2.44 on); the store does as older ones do.
func (p *program) countsLastLine() bool {
	var major, minor int
	fmt.Sscanf(p.run(nil, "version"), "git version %d.%d", &major, &minor)
	return major > 2 || major == 2 && minor >= 44
}

// pairs are pairs of commits of the same history.
func somePairs(r *random, m *made, perHistory int) [][2]int {
	var list [][2]int
	for h := range histories {
		for range perHistory {
			a, b := h*historyLength+r.IntN(historyLength), h*historyLength+r.IntN(historyLength)
			if a != b {
				list = append(list, [2]int{a, b})
			}
		}
	}
	return list
}

// diffTrees runs git diff-tree once for many pairs and returns what it prints
// for each.
func (p *program) diffTrees(m *made, pairs [][2]int, args ...string) []string {
	p.t.Helper()
	var in strings.Builder
	for i, pair := range pairs {
		fmt.Fprintf(&in, "%s %s\n", treeOf(p.t, m, pair[0]), treeOf(p.t, m, pair[1]))
		_ = i
	}
	out := p.run([]byte(in.String()), append([]string{"diff-tree", "--stdin", "-r"}, args...)...)
	parts := make([]string, len(pairs))
	for i, pair := range pairs {
		head := fmt.Sprintf("%s %s\n", treeOf(p.t, m, pair[0]), treeOf(p.t, m, pair[1]))
		if !strings.HasPrefix(out, head) {
			continue // no difference, or the same pair again
		}
		out = out[len(head):]
		end := len(out)
		for j := i + 1; j < len(pairs); j++ {
			next := fmt.Sprintf("%s %s\n", treeOf(p.t, m, pairs[j][0]), treeOf(p.t, m, pairs[j][1]))
			if k := strings.Index(out, next); k >= 0 {
				end = k
				break
			}
		}
		parts[i], out = out[:end], out[end:]
	}
	return parts
}

func treeOf(t testing.TB, m *made, n int) string {
	t.Helper()
	info, err := m.CommitInfo(m.ids[n])
	if err != nil {
		t.Fatal(err)
	}
	return info.TreeID
}

func TestIDsAreThoseOfGit(t *testing.T) {
	randomHistories(t, 1)
}

func TestChangesAreThoseOfGit(t *testing.T) {
	m, git, r := randomHistories(t, 2)
	pairs := somePairs(r, m, 12)
	for _, mode := range []struct {
		flag   string
		copies bool
	}{{"-M", false}, {"-C", true}} {
		want := git.diffTrees(m, pairs, "--raw", "--no-abbrev", "-l1000", mode.flag)
		for i, pair := range pairs {
			changes, err := m.Changes(treeOf(t, m, pair[0]), treeOf(t, m, pair[1]), content.ChangeOptions{Copies: mode.copies})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want[i], rawText(changes)); diff != "" {
				t.Errorf("changes from commit %d to %d with %s (-git +content):\n%s", pair[0], pair[1], mode.flag, diff)
			}
		}
	}
}

// rawText writes changes as git diff --raw does.
func rawText(changes []content.Change) string {
	letters := map[content.ChangeType]string{
		content.Add: "A", content.Modify: "M", content.Delete: "D", content.Rename: "R", content.Copy: "C", content.TypeChange: "T",
	}
	quote := func(path string) string {
		plain := !strings.ContainsAny(path, "\t\"\\ü")
		plain = plain && strings.IndexFunc(path, func(r rune) bool { return r > 126 }) < 0
		if plain {
			return path
		}
		var b strings.Builder
		for i := range len(path) {
			switch c := path[i]; {
			case c == '\t':
				b.WriteString(`\t`)
			case c == '"':
				b.WriteString(`\"`)
			case c > 126:
				fmt.Fprintf(&b, `\%o`, c)
			default:
				b.WriteByte(c)
			}
		}
		return `"` + b.String() + `"`
	}
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, ":%s %s %s %s %s", c.OldMode, c.NewMode, c.OldID, c.NewID, letters[c.Type])
		if c.Similarity >= 0 {
			fmt.Fprintf(&b, "%03d\t%s", c.Similarity, quote(c.OldPath))
		}
		fmt.Fprintf(&b, "\t%s\n", quote(c.Path))
	}
	return b.String()
}

func TestPatchesAreThoseOfGit(t *testing.T) {
	m, git, r := randomHistories(t, 3)
	for _, mode := range []struct {
		args []string
		opt  content.PatchOptions
	}{
		{[]string{"-U3", "-M"}, content.PatchOptions{Context: 3}},
		{[]string{"-U10", "-C", "--full-index"}, content.PatchOptions{Context: 10, FullIndex: true, ChangeOptions: content.ChangeOptions{Copies: true}}},
		{[]string{"-U0", "-M"}, content.PatchOptions{}},
		{[]string{"-U3", "-M", "-w"}, content.PatchOptions{Context: 3, ChangeOptions: content.ChangeOptions{IgnoreWhitespace: true}}},
		{[]string{"-U1", "-M", "--src-prefix=src://", "--dst-prefix=dst://"}, content.PatchOptions{Context: 1, OldPrefix: "src://", NewPrefix: "dst://"}},
	} {
		pairs := somePairs(r, m, 8)
		want := git.diffTrees(m, pairs, append([]string{"-p"}, mode.args...)...)
		for i, pair := range pairs {
			var got bytes.Buffer
			if err := m.Patch(&got, treeOf(t, m, pair[0]), treeOf(t, m, pair[1]), mode.opt); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimPrefix(want[i], "\n"), got.String()); diff != "" {
				t.Errorf("patch %v from commit %d to %d (-git +content):\n%s", mode.args, pair[0], pair[1], diff)
			}
		}
	}
}
