package content_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb/content"
)

func TestHunksNumberBothSidesOfEveryLine(t *testing.T) {
	old := "func a() {\n\tone\n\ttwo\n}\n"
	new := "func a() {\n\tone\n\tzwei\r\n\tdrei"
	got := content.DiffTexts([]byte(old), []byte(new), content.DiffOptions{Context: 1})
	want := content.FileDiff{Hunks: []content.Hunk{{
		OldStart: 2, OldLines: 3, NewStart: 2, NewLines: 3, Section: "func a() {",
		Lines: []content.Line{
			{Kind: ' ', Text: "\tone", Old: 2, New: 2},
			{Kind: '-', Text: "\ttwo", Old: 3, New: 3},
			{Kind: '-', Text: "}", Old: 4, New: 3},
			{Kind: '+', Text: "\tzwei", CR: true, Old: 5, New: 3},
			{Kind: '+', Text: "\tdrei", NoNewline: true, Old: 5, New: 4},
		},
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("diff (-want +got):\n%s", diff)
	}
}

func TestDiffsOfSpecialFiles(t *testing.T) {
	many := numbered("line", 3000) // its NUL is past what git looks at
	for _, c := range []struct {
		name     string
		old, new string
		opt      content.DiffOptions
		want     string
	}{
		{"equal", "a\n", "a\n", content.DiffOptions{}, ""},
		{"added", "", "a\nb\n", content.DiffOptions{}, "@@ -0,0 +1,2 @@\n"},
		{"emptied", "a\n", "", content.DiffOptions{Context: 3}, "@@ -1,1 +0,0 @@\n"},
		{"only the last line end", "a", "a\n", content.DiffOptions{}, "@@ -1,1 +1,1 @@\n"},
		{"only the last line end, ignoring space", "a", "a\n", content.DiffOptions{IgnoreWhitespace: true}, ""},
		{"only CR", "a\n", "a\r\n", content.DiffOptions{}, "@@ -1,1 +1,1 @@\n"},
		{"binary", "a\x00b", "a", content.DiffOptions{}, "binary"},
		{"binary and equal", "a\x00b", "a\x00b", content.DiffOptions{}, ""},
		{"NUL far in", many + "\x00", many, content.DiffOptions{}, "@@ -3001,1 +3000,0 @@\n"},
		{"context beyond the file", "a\nb\n", "a\nc\n", content.DiffOptions{Context: 1 << 60}, "@@ -1,2 +1,2 @@\n"},
		{"context below zero", "a\nb\n", "a\nc\n", content.DiffOptions{Context: -5}, "@@ -2,1 +2,1 @@\n"},
	} {
		d := content.DiffTexts([]byte(c.old), []byte(c.new), c.opt)
		got := ""
		if d.Binary {
			got = "binary"
		}
		for _, h := range d.Hunks {
			got += fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestADirectoryThatTakesAFilesPlaceAndALinkThatTakesAFilesPlace(t *testing.T) {
	m := newMade(t)
	m.add(files("a", "one\n", "b", "two\n"))
	m.add(map[string]content.File{
		"a/x": {Data: []byte("other\n")},
		"b":   {Data: []byte("a/x"), Mode: content.Symlink},
	}, 0)
	changes, err := m.Changes(m.ids[0], m.ids[1], content.ChangeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, fmt.Sprintf("%s %s", c.Type, c.Path))
	}
	if diff := cmp.Diff([]string{"DELETE a", "ADD a/x", "TYPE_CHANGE b"}, got); diff != "" {
		t.Fatalf("changes (-want +got):\n%s", diff)
	}
	d, err := m.Diff(changes[2], content.DiffOptions{Context: 3})
	if err != nil || len(d.Hunks) != 2 || d.Hunks[0].Lines[0].Text != "two" || d.Hunks[1].Lines[0].Text != "a/x" {
		t.Errorf("diff of the link is %+v, %v, want the file gone and the link there", d, err)
	}
}

// apply makes the new text out of the old one and a diff, and fails where the
// diff does not fit.
func apply(old string, d content.FileDiff) (string, error) {
	lines := strings.SplitAfter(old, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var out strings.Builder
	at, newLine := 0, 1
	for _, h := range d.Hunks {
		start := h.OldStart - 1
		if h.OldLines == 0 {
			start = h.OldStart
		}
		if start < at || start > len(lines) {
			return "", fmt.Errorf("hunk at %d after line %d of %d", h.OldStart, at, len(lines))
		}
		newLine += start - at
		out.WriteString(strings.Join(lines[at:start], ""))
		at = start
		oldLines, newLines := 0, 0
		for _, l := range h.Lines {
			text := l.Text
			if l.CR {
				text += "\r"
			}
			if !l.NoNewline {
				text += "\n"
			}
			if l.Old != at+1 || l.New != newLine {
				return "", fmt.Errorf("line %+v has the wrong numbers, want %d and %d", l, at+1, newLine)
			}
			if l.Kind != '+' {
				if at >= len(lines) || lines[at] != text {
					return "", fmt.Errorf("line %+v is not line %d", l, at+1)
				}
				at++
				oldLines++
			}
			if l.Kind != '-' {
				out.WriteString(text)
				newLine++
				newLines++
			}
		}
		if oldLines != h.OldLines || newLines != h.NewLines {
			return "", fmt.Errorf("hunk says %d and %d lines, has %d and %d", h.OldLines, h.NewLines, oldLines, newLines)
		}
	}
	return out.String() + strings.Join(lines[at:], ""), nil
}

func FuzzDiffAppliesToTheOldText(f *testing.F) {
	f.Add("", "a\n", 3)
	f.Add("a\nb\nc\n", "a\nc\nb", 0)
	f.Add("x\r\ny\n", "x\ny\r\n", 1)
	f.Add("{\n}\n\n{\n}\n", "{\n}\n\n{\n}\n\n{\n}\n", 2)
	f.Fuzz(func(t *testing.T, old, new string, context int) {
		d := content.DiffTexts([]byte(old), []byte(new), content.DiffOptions{Context: context})
		if d.Binary {
			return
		}
		got, err := apply(old, d)
		if err != nil || got != new {
			t.Errorf("the diff of %q and %q gives %q, %v", old, new, got, err)
		}
	})
}

// What costs git most, and here reaches workLimit: long files without order, of
// lines that all have a match. The diff still applies.
func TestTheSearchInLongDisorderedFilesIsGivenUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 100_000
	forward, backward := make([]string, n), make([]string, n)
	for i := range n {
		forward[i] = fmt.Sprintf("%06d\n", r.IntN(n))
		backward[n-1-i] = forward[i]
	}
	old, new := strings.Join(forward, ""), strings.Join(backward, "")
	got, err := apply(old, content.DiffTexts([]byte(old), []byte(new), content.DiffOptions{}))
	if err != nil || got != new {
		t.Errorf("the diff of the long files does not apply: %v", err)
	}
}

func TestThousandsOfRenamedFilesAreFoundByContent(t *testing.T) {
	before, after := map[string]content.File{}, map[string]content.File{}
	for i := range 10_000 {
		before[fmt.Sprintf("old/%d/file%d", i%100, i)] = content.File{Data: fmt.Appendf(nil, "content %d\n", i)}
		after[fmt.Sprintf("new/%d/other%d", i%70, i)] = content.File{Data: fmt.Appendf(nil, "content %d\n", i)}
	}
	m := newMade(t)
	m.add(before)
	m.add(after, 0)
	for path := range after {
		after[path] = content.File{Data: bytes.Repeat([]byte(path+"\n"), 3)}
	}
	m.add(after, 0)
	changes, err := m.Changes(m.ids[0], m.ids[1], content.ChangeOptions{})
	if err != nil || len(changes) != 10_000 || changes[0].Type != content.Rename || changes[0].Similarity != 100 {
		t.Errorf("%d changes, %v, want 10000 renames", len(changes), err)
	}
	// More than the limit that are not exact are left alone.
	changes, err = m.Changes(m.ids[0], m.ids[2], content.ChangeOptions{Copies: true})
	if err != nil || len(changes) != 20_000 {
		t.Errorf("%d changes, %v, want 20000", len(changes), err)
	}
}

// large is a commit with 312 changed files, the size of a large pull request.
func large(b *testing.B) *made {
	r := newRandom(3)
	before, after := map[string]content.File{}, map[string]content.File{}
	for i := range 1000 {
		path := fmt.Sprintf("src/module%d/part%d/File%d.java", i%7, i%31, i)
		file := content.File{Data: r.text(60 + r.IntN(100))}
		before[path] = file
		if i < 312 {
			file.Data = r.edited(file.Data)
			if i%10 == 0 {
				path = strings.Replace(path, "File", "Moved", 1)
			}
		}
		after[path] = file
	}
	m := newMade(b)
	m.add(before)
	m.add(after, 0)
	return m
}

func BenchmarkChangesOf312Files(b *testing.B) {
	m := large(b)
	for b.Loop() {
		if _, err := m.Changes(m.ids[0], m.ids[1], content.ChangeOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDiffOf312Files(b *testing.B) {
	m := large(b)
	changes, err := m.Changes(m.ids[0], m.ids[1], content.ChangeOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, c := range changes {
			if _, err := m.Diff(c, content.DiffOptions{Context: 10}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
