package content_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bb-mcp/bb/fakebb/content"
)

// zone is a zone with a half hour, which is where formatting goes wrong.
var zone = time.FixedZone("", 5*3600+1800)

// at is a moment some minutes after the beginning of the tests' time.
func at(minutes int) time.Time {
	return time.Date(2026, 3, 4, 9, 0, 0, 0, zone).Add(time.Duration(minutes) * time.Minute)
}

func who(name string, minutes int) content.Signature {
	return content.Signature{Name: name, Email: strings.ToLower(name) + "@example.com", When: at(minutes)}
}

// files is a tree of regular text files.
func files(pairs ...string) map[string]content.File {
	tree := map[string]content.File{}
	for i := 0; i < len(pairs); i += 2 {
		tree[pairs[i]] = content.File{Data: []byte(pairs[i+1])}
	}
	return tree
}

// numbered is a text of lines "PREFIX 1" to "PREFIX n".
func numbered(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", prefix, i+1)
	}
	return b.String()
}

// made is a history in a store, with what it was made of.
type made struct {
	*content.Store
	t     testing.TB
	specs []content.CommitSpec
	ids   []string
}

func newMade(t testing.TB) *made { return &made{Store: content.New(), t: t} }

// add commits a tree on parents, given by their number in the history.
func (m *made) add(tree map[string]content.File, parents ...int) string {
	m.t.Helper()
	n := len(m.ids)
	return m.addAt(n, tree, parents...)
}

func (m *made) addAt(minutes int, tree map[string]content.File, parents ...int) string {
	m.t.Helper()
	spec := content.CommitSpec{
		Tree: tree, Author: who("Amara", minutes), Committer: who("Bo", minutes),
		Message: fmt.Sprintf("Change %d", len(m.ids)),
	}
	for _, p := range parents {
		spec.Parents = append(spec.Parents, m.ids[p])
	}
	return m.commit(spec)
}

func (m *made) commit(spec content.CommitSpec) string {
	m.t.Helper()
	id, err := m.Store.Commit(spec)
	if err != nil {
		m.t.Fatalf("commit %d: %v", len(m.ids), err)
	}
	m.specs = append(m.specs, spec)
	m.ids = append(m.ids, id)
	return id
}

// program runs the git program on a repository of its own.
type program struct {
	t   testing.TB
	dir string
}

// newProgram returns git on an empty repository, or skips the test.
func newProgram(t testing.TB) *program {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing to compare with")
	}
	p := &program{t, t.TempDir()}
	p.run(nil, "init", "-q", "--bare", ".")
	return p
}

func (p *program) run(in []byte, args ...string) string {
	p.t.Helper()
	out, code := p.try(in, args...)
	if code != 0 {
		p.t.Fatalf("git %s: exit %d: %s", strings.Join(args, " "), code, out)
	}
	return out
}

// try runs git and returns what it prints and its exit code.
func (p *program) try(in []byte, args ...string) (string, int) {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = p.dir
	cmd.Stdin = bytes.NewReader(in)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_DIR=" + p.dir, "LC_ALL=C", "TZ=UTC", "GIT_CONFIG_NOSYSTEM=1",
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		p.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	if cmd.ProcessState.ExitCode() > 1 {
		return errs.String(), cmd.ProcessState.ExitCode()
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// load makes the same commits with git fast-import, which knows only what the
// specifications say, and returns their ids.
func (p *program) load(specs []content.CommitSpec, ids []string) []string {
	p.t.Helper()
	var in bytes.Buffer
	data := func(b []byte) { fmt.Fprintf(&in, "data %d\n%s\n", len(b), b) }
	sign := func(word string, s content.Signature) {
		fmt.Fprintf(&in, "%s %s <%s> %d %s\n", word, s.Name, s.Email, s.When.Unix(), s.When.Format("-0700"))
	}
	for i, spec := range specs {
		fmt.Fprintf(&in, "reset refs/heads/c%d\ncommit refs/heads/c%d\nmark :%d\n", i, i, i+1)
		sign("author", spec.Author)
		sign("committer", spec.Committer)
		message := spec.Message
		if !strings.HasSuffix(message, "\n") {
			message += "\n"
		}
		data([]byte(message))
		for k, parent := range spec.Parents {
			word := "from"
			if k > 0 {
				word = "merge"
			}
			fmt.Fprintf(&in, "%s :%d\n", word, slices.Index(ids, parent)+1)
		}
		in.WriteString("deleteall\n")
		for path, file := range spec.Tree {
			mode := file.Mode
			if mode == 0 {
				mode = content.Regular
			}
			name := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
			if mode == content.Submodule {
				fmt.Fprintf(&in, "M %s %s %s\n", mode, file.ID, name)
				continue
			}
			fmt.Fprintf(&in, "M %s inline %s\n", mode, name)
			data(file.Data)
		}
		in.WriteString("\n")
	}
	marks := filepath.Join(p.dir, "marks")
	p.run(in.Bytes(), "fast-import", "--quiet", "--force", "--export-marks="+marks)
	text, err := os.ReadFile(marks)
	if err != nil {
		p.t.Fatal(err)
	}
	got := make([]string, len(specs))
	for line := range strings.Lines(string(text)) {
		var mark int
		var id string
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &id); err == nil {
			got[mark-1] = id
		}
	}
	return got
}

// random makes histories. Every choice comes from one seed.
type random struct {
	*rand.Rand
	// wholeLines gives every file a line end at its end.
	wholeLines bool
}

func newRandom(seed uint64) *random { return &random{Rand: rand.New(rand.NewPCG(seed, 7))} }

var words = []string{"apple", "  pear", "\tplum", "", "{", "}", "func fig() {", "    return", "quince x", " ", "end"}

// line is one of few when common is wanted, so that lines repeat as in code.
func (r *random) line() string {
	if r.IntN(3) > 0 {
		return words[r.IntN(len(words))]
	}
	return fmt.Sprintf("%s %d", words[r.IntN(len(words))], r.IntN(40))
}

func (r *random) text(lines int) []byte {
	var b []string
	for range lines {
		b = append(b, r.line())
	}
	return r.ended(b)
}

func (r *random) ended(lines []string) []byte {
	end := "\n"
	if r.IntN(12) == 0 && !r.wholeLines {
		end = ""
	}
	sep := "\n"
	if r.IntN(12) == 0 {
		sep = "\r\n"
	}
	if len(lines) == 0 {
		return nil
	}
	return []byte(strings.Join(lines, sep) + end)
}

// edited changes a few runs of lines of a text.
func (r *random) edited(data []byte) []byte {
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for range 1 + r.IntN(4) {
		i := r.IntN(len(lines) + 1)
		end := min(len(lines), i+r.IntN(4))
		var put []string
		for range r.IntN(4) {
			put = append(put, r.line())
		}
		switch r.IntN(6) {
		case 0: // a block is moved or doubled
			put = slices.Clone(lines[i:end])
			i = r.IntN(len(lines) + 1)
			end = i
		case 1: // white space only
			for _, l := range lines[i:end] {
				put = append(put, " "+l)
			}
		}
		lines = slices.Concat(lines[:i], put, lines[end:])
	}
	return r.ended(lines)
}

var places = []string{
	"a.txt", "b.txt", "dir/a.txt", "dir/b.go", "dir/sub/c", "other/a.txt", "other/deep/er/x", "x y/z \"q\".txt",
	"grüße.md", "dir.txt", "dir-a", "run.sh", "tab\there", "other/b.go",
}

// changed makes the next tree out of one.
func (r *random) changed(tree map[string]content.File) map[string]content.File {
	next := map[string]content.File{}
	for path, file := range tree {
		next[path] = file
	}
	for range 1 + r.IntN(4) {
		paths := sortedPaths(next)
		free := places[r.IntN(len(places))]
		if len(paths) == 0 {
			next[free] = content.File{Data: r.text(r.IntN(30))}
			continue
		}
		path := paths[r.IntN(len(paths))]
		file := next[path]
		switch r.IntN(9) {
		case 0:
			if _, taken := next[free]; !taken {
				next[free] = content.File{Data: r.text(r.IntN(30))}
			}
		case 1:
			delete(next, path)
		case 2, 3: // renamed, perhaps edited
			if _, taken := next[free]; !taken {
				delete(next, path)
				if r.IntN(2) == 0 {
					file.Data = r.edited(file.Data)
				}
				next[free] = file
			}
		case 4: // copied, perhaps edited on either side
			if _, taken := next[free]; !taken {
				next[free] = file
				file.Data = r.edited(file.Data)
				next[path] = file
			}
		case 5:
			if file.Mode == content.Executable {
				file.Mode = content.Regular
			} else if file.Mode != content.Symlink {
				file.Mode = content.Executable
			}
			next[path] = file
		case 6:
			switch r.IntN(8) {
			case 0:
				file = content.File{Data: []byte("a.txt"), Mode: content.Symlink}
			case 1:
				file.Data = append([]byte{0}, file.Data...)
			}
			next[path] = file
		default:
			if file.Mode != content.Symlink {
				file.Data = r.edited(file.Data)
				next[path] = file
			}
		}
	}
	return next
}

func sortedPaths(tree map[string]content.File) []string {
	paths := make([]string, 0, len(tree))
	for path := range tree {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// history adds commits to m: a walk that branches, merges and at times has
// equal or wrong dates.
func (r *random) history(m *made, commits int) {
	first := len(m.ids)
	base := map[string]content.File{}
	for range 5 {
		base[places[r.IntN(len(places))]] = content.File{Data: r.text(5 + r.IntN(40))}
	}
	m.addAt(first*10, base)
	for len(m.ids) < first+commits {
		n := len(m.ids)
		tip := max(first, n-1-r.IntN(4))
		minutes := n*10 - r.IntN(25)
		if r.IntN(4) == 0 && n-first > 2 {
			other := max(first, n-1-r.IntN(4))
			if other != tip {
				tree := m.specs[tip].Tree
				if r.IntN(2) == 0 {
					tree = map[string]content.File{}
					for path, file := range m.specs[other].Tree {
						tree[path] = file
					}
					for _, path := range sortedPaths(m.specs[tip].Tree) {
						if r.IntN(2) == 0 {
							tree[path] = m.specs[tip].Tree[path]
						}
					}
				}
				m.addAt(minutes, tree, tip, other)
				continue
			}
		}
		m.addAt(minutes, r.changed(m.specs[tip].Tree), tip)
	}
}

// pairs are some pairs of commits of a history that are worth comparing.
func (r *random) pairs(m *made, first, n int) [][2]int {
	var list [][2]int
	for range n {
		a, b := first+r.IntN(len(m.ids)-first), first+r.IntN(len(m.ids)-first)
		if a != b {
			list = append(list, [2]int{a, b})
		}
	}
	return list
}
