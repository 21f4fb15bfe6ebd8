package content_test

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb/content"
)

func TestMergeBasesAreThoseOfGit(t *testing.T) {
	m, git, r := randomHistories(t, 4)
	for _, pair := range somePairs(r, m, 2) {
		a, b := m.ids[pair[0]], m.ids[pair[1]]
		got, err := m.MergeBases(a, b)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := git.try(nil, "merge-base", "--all", a, b)
		if diff := cmp.Diff(strings.Fields(out), append([]string(nil), got...)); diff != "" {
			t.Errorf("merge bases of commits %d and %d (-git +content):\n%s", pair[0], pair[1], diff)
		}
		_, code := git.try(nil, "merge-base", "--is-ancestor", a, b)
		if is, err := m.IsAncestor(a, b); err != nil || is != (code == 0) {
			t.Errorf("IsAncestor(%d, %d) = %v, %v; git exits with %d", pair[0], pair[1], is, err, code)
		}
	}
}

func TestLogsAreThoseOfGit(t *testing.T) {
	m, git, r := randomHistories(t, 5)
	for i, pair := range somePairs(r, m, 2) {
		opt := content.LogOptions{From: []string{m.ids[pair[0]]}}
		args := []string{"log", "--format=%H"}
		switch i % 3 {
		case 1:
			opt.Merges = content.ExcludeMerges
			args = append(args, "--no-merges")
		case 2:
			opt.Exclude = []string{m.ids[pair[1]]}
			args = append(args, "^"+m.ids[pair[1]])
		}
		paths := append([]string{""}, places[r.IntN(len(places))], "dir")
		opt.Path = paths[r.IntN(len(paths))]
		if opt.Path != "" && opt.Path != "dir" && i%3 == 0 && i%2 == 0 {
			opt.FollowRenames = true
			args = append(args, "--follow")
		}
		args = append(args, m.ids[pair[0]])
		if opt.Path != "" {
			args = append(args, "--", opt.Path)
		}
		commits, err := m.Log(opt)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range commits {
			got = append(got, c.ID)
		}
		if diff := cmp.Diff(strings.Fields(git.run(nil, args...)), append([]string{}, got...)); diff != "" {
			t.Errorf("git %s (-git +content):\n%s", strings.Join(args, " "), diff)
		}
	}
}

func TestBlameIsThatOfGit(t *testing.T) {
	m, git, r := randomHistories(t, 6)
	for h := range histories {
		n := h*historyLength + historyLength - 1
		paths := sortedPaths(m.specs[n].Tree)
		if len(paths) == 0 {
			continue
		}
		path := paths[r.IntN(len(paths))]
		ranges, err := m.Blame(m.ids[n], path)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range ranges {
			for i := range b.Lines {
				got = append(got, fmt.Sprintf("%s %d %d %s", b.Commit, b.OldLine+i, b.Line+i, b.Path))
			}
		}
		var want []string
		head := ""
		for line := range strings.Lines(git.run(nil, "-c", "core.quotePath=false", "blame", "--line-porcelain", m.ids[n], "--", path)) {
			if f := strings.Fields(line); len(f) >= 3 && len(f[0]) == 40 && line[0] != '\t' {
				head = strings.Join(f[:3], " ")
			}
			if name, ok := strings.CutPrefix(line, "filename "); ok {
				want = append(want, head+" "+unquote(strings.TrimSuffix(name, "\n")))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("blame of %q at commit %d (-git +content):\n%s", path, n, diff)
		}
	}
}

// unquote reads the names of this test's files as git quotes them.
func unquote(name string) string {
	if !strings.HasPrefix(name, `"`) {
		return name
	}
	return strings.NewReplacer(`\t`, "\t", `\"`, `"`).Replace(name[1 : len(name)-1])
}

var conflictLine = regexp.MustCompile(`(?m)^CONFLICT \(([^)]*)\): (.*)$`)

func TestMergesAreThoseOfGit(t *testing.T) {
	m, git, r := randomHistories(t, 7)
	clean, conflicting := 0, 0
	for _, pair := range somePairs(r, m, 5) {
		a, b := m.ids[pair[0]], m.ids[pair[1]]
		got, err := m.Merge(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if got.Bases != 1 {
			continue // of several bases git merges those first
		}
		out, code := git.try(nil, "-c", "merge.directoryRenames=false", "merge-tree", "--write-tree", a, b)
		name := fmt.Sprintf("merge of commits %d and %d (%s %s)", pair[0], pair[1], a, b)
		if code == 0 {
			clean++
			if diff := cmp.Diff(strings.TrimSpace(out), got.TreeID); diff != "" {
				t.Errorf("%s: tree (-git +content):\n%s%v", name, diff, got.Conflicts)
			}
			continue
		}
		conflicting++
		want, have := map[string]int{}, map[string]int{}
		for _, found := range conflictLine.FindAllStringSubmatch(out, -1) {
			// Of a path with several conflicts git tells each, the store the first.
			path, _, _ := strings.Cut(found[2], " deleted in ")
			path, _, _ = strings.Cut(path, " had different types ")
			path = strings.TrimPrefix(path, "Merge conflict in ")
			if !strings.HasPrefix(found[1], "rename") {
				if strings.Contains(out, "renamed to "+path+" in") || strings.Contains(out, "and to "+path+" in") ||
					strings.Contains(out, " -> "+path+" has") {
					continue
				}
			}
			want[found[1]]++
		}
		for _, c := range got.Conflicts {
			kind := string(c.Kind)
			if c.Kind == content.BinaryConflict { // for which git's message is that of text
				kind = "content"
				if c.Ours.Type == content.Add {
					kind = "add/add"
				}
			}
			have[kind]++
		}
		if diff := cmp.Diff(want, have); diff != "" || got.TreeID != "" {
			t.Errorf("%s: conflicts (-git +content):\n%s%s", name, diff, out)
		}
		// Every path with a conflict is one that git names.
		for _, c := range got.Conflicts {
			if c.Kind != content.FileDirectoryConflict && !strings.Contains(out, c.Path) {
				t.Errorf("%s: git does not mention %q", name, c.Path)
			}
		}
	}
	t.Logf("%d clean, %d conflicting", clean, conflicting)
	if clean < 5 || conflicting < 5 {
		t.Errorf("%d clean and %d conflicting merges are too few to show anything", clean, conflicting)
	}
}

func TestMailPatchesAreThoseOfGit(t *testing.T) {
	m, git, r := randomHistories(t, 8)
	for i, pair := range somePairs(r, m, 1) {
		a, b := m.ids[pair[0]], m.ids[pair[1]]
		var got bytes.Buffer
		opt := content.PatchOptions{Context: 3}
		if err := m.MailPatch(&got, a, b, opt); err != nil {
			t.Fatal(err)
		}
		want := git.run(nil, "format-patch", "--stdout", "--no-stat", "--no-signature", "--no-binary", "-U3", "-M", a+".."+b)
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("pair %d: mails from commit %d to %d (-git +content):\n%s", i, pair[0], pair[1], diff)
		}
	}
}

func TestMailHeadersAreThoseOfGit(t *testing.T) {
	messages := []string{
		"Prune", "Prune the trees\n\nBecause they grow.  \n\n\nA lot.\n\n", "Ångström: prüfen\n\nÄpfel\n",
		"Two lines\nof a subject\n\nbody", strings.Repeat("a rather long subject ", 9),
		strings.Repeat("ein überlanger Betreff ", 9), "body only ASCII\n\nbut here: ü\n", "a =?b", "\n\n  indented\n\nx",
	}
	names := []string{"Amara", "Zoë Åström", "Bo B. Ek", `Ann "A" Lee`, strings.Repeat("Long Name ", 9) + "x", strings.Repeat("Zoë ", 20) + "x"}
	m := newMade(t)
	for i, message := range messages {
		for k, name := range names {
			n := i*len(names) + k
			spec := content.CommitSpec{Tree: files("a", numbered("a", n)), Author: who(name, n), Committer: who("Bo", n), Message: message}
			spec.Author.Email = "someone@example.com"
			if n > 0 {
				spec.Parents = []string{m.ids[n-1]}
			}
			m.commit(spec)
		}
	}
	git := newProgram(t)
	if diff := cmp.Diff(git.load(m.specs, m.ids), m.ids); diff != "" {
		t.Fatalf("ids (-git +content):\n%s", diff)
	}
	last := m.ids[len(m.ids)-1]
	var got bytes.Buffer
	if err := m.MailPatch(&got, m.ids[0], last, content.PatchOptions{Context: 3}); err != nil {
		t.Fatal(err)
	}
	want := git.run(nil, "format-patch", "--stdout", "--no-stat", "--no-signature", "--no-binary", "-U3", m.ids[0]+".."+last)
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("mails (-git +content):\n%s", diff)
	}
}

func TestLastModifiedIsTheFirstOfGitLog(t *testing.T) {
	m, git, _ := randomHistories(t, 9)
	for h := range histories / 4 {
		n := h*historyLength + historyLength - 1
		children, latest, err := m.LastModified(m.ids[n], "")
		if err != nil {
			t.Fatal(err)
		}
		newest := func(path string) string {
			return strings.TrimSpace(git.run(nil, "log", "-1", "--format=%H", m.ids[n], "--", path))
		}
		if want := newest("."); latest.ID != want {
			t.Errorf("commit %d: latest is %s, git has %s", n, latest.ID, want)
		}
		for _, name := range slices.Sorted(maps.Keys(children)) {
			if want := newest(name); children[name].ID != want {
				t.Errorf("commit %d: %q is last modified in %s, git has %s", n, name, children[name].ID, want)
			}
		}
	}
}

func TestTagsAreThoseOfGit(t *testing.T) {
	git := newProgram(t)
	m := newMade(t)
	m.add(files("a", "a\n"))
	git.load(m.specs, m.ids)
	id, err := m.Tag(content.TagSpec{Name: "v1.0", Target: m.ids[0], Tagger: who("Chen", 3), Message: "The first"})
	if err != nil {
		t.Fatal(err)
	}
	tagger := who("Chen", 3)
	want := strings.TrimSpace(git.run(fmt.Appendf(nil, "object %s\ntype commit\ntag v1.0\ntagger %s <%s> %d +0530\n\nThe first\n",
		m.ids[0], tagger.Name, tagger.Email, tagger.When.Unix()), "mktag"))
	if id != want {
		t.Errorf("tag is %s, git has %s", id, want)
	}
	if c, err := m.CommitInfo(id); err != nil || c.ID != m.ids[0] {
		t.Errorf("the tag names %v (%v), want commit %s", c.ID, err, m.ids[0])
	}
}
