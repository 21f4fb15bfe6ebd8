package content

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// DiffOptions say how the diff of a file is drawn.
type DiffOptions struct {
	// Context is how many unchanged lines stand around changed ones.
	Context int
	// IgnoreWhitespace compares lines without their white space, as git diff -w;
	// unchanged lines are then shown as they are in the new file.
	IgnoreWhitespace bool
}

// FileDiff is the diff of one file.
type FileDiff struct {
	// Binary files have no hunks. As for git a file is binary when there is a
	// NUL in its first 8000 bytes.
	Binary bool
	Hunks  []Hunk
}

// Hunk is a part of a diff, with lines numbered from 1 as in git's @@ line: of
// an empty side the start is the line before it.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	// Section is what git writes after the second @@: the last line above that
	// begins with a letter, an underscore or a dollar, cut at 80 bytes.
	Section string
	Lines   []Line
}

// Line is a line of a hunk.
type Line struct {
	// Kind is ' ', '+' or '-'.
	Kind byte
	// Text is the line without its end, as bytes of whatever encoding.
	Text string
	// CR says that the line ends in CR LF.
	CR bool
	// NoNewline says that the file ends with this line and without a line end.
	NoNewline bool
	// Old and New are the line's numbers. Of an added line Old is the number
	// that the next old line has, of a removed one New likewise.
	Old, New int
}

// Diff returns the hunks of a change, which are those of git diff. A type change
// has two, as in git: all of the old file and all of the new one.
func (s *Store) Diff(c Change, opt DiffOptions) (FileDiff, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d := c.delta()
	for _, p := range []place{d.old, d.new} {
		if _, there := s.blobs[p.id]; !p.missing() && p.mode != Submodule && !there {
			return FileDiff{}, fmt.Errorf("content %s of %q: %w", p.id, p.path, ErrNotFound)
		}
	}
	return s.diff(d, opt), nil
}

func (s *Store) diff(d delta, opt DiffOptions) FileDiff {
	if !d.old.missing() && !d.new.missing() && d.old.mode.kind() != d.new.mode.kind() {
		before, after := s.diff(delta{old: d.old}, opt), s.diff(delta{new: d.new}, opt)
		return FileDiff{before.Binary || after.Binary, append(before.Hunks, after.Hunks...)}
	}
	return diffTexts(s.text(d.old), s.text(d.new), opt)
}

// DiffTexts compares two contents as git diff does two versions of a file.
func DiffTexts(old, new []byte, opt DiffOptions) FileDiff { return diffTexts(old, new, opt) }

func diffTexts(old, new []byte, opt DiffOptions) FileDiff {
	if isBinary(old) || isBinary(new) {
		return FileDiff{Binary: !bytes.Equal(old, new)}
	}
	if bytes.Equal(old, new) {
		return FileDiff{}
	}
	if opt.Context <= 0 {
		opt.Context = 0
		return FileDiff{Hunks: hunks(splitLines(old), splitLines(new), editsWithoutContext(old, new, opt.IgnoreWhitespace), opt)}
	}
	a, b := splitLines(old), splitLines(new)
	return FileDiff{Hunks: hunks(a, b, lineDiff(a, b, myers, opt.IgnoreWhitespace, true), opt)}
}

// editsWithoutContext is how git compares where it wants no context (also for
// blame): it drops an equal tail first, by blocks, which can move an edit.
func editsWithoutContext(old, new []byte, ignoreSpace bool) []edit {
	const block = 1024
	trimmed := 0
	for trimmed+block <= min(len(old), len(new)) &&
		bytes.Equal(old[len(old)-trimmed-block:len(old)-trimmed], new[len(new)-trimmed-block:len(new)-trimmed]) {
		trimmed += block
	}
	tail := old[len(old)-trimmed:]
	if end := bytes.IndexByte(tail, '\n'); end >= 0 {
		trimmed -= end + 1
	} else {
		trimmed = 0
	}
	return lineDiff(splitLines(old[:len(old)-trimmed]), splitLines(new[:len(new)-trimmed]), myers, ignoreSpace, true)
}

// hunks gathers edits that are near to each other and puts context around them.
func hunks(old, new [][]byte, edits []edit, opt DiffOptions) []Hunk {
	context := min(opt.Context, max(len(old), len(new)))
	var result []Hunk
	section, searched := "", -1
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].old-(edits[n-1].old+edits[n-1].oldLen) <= 2*context {
			n++
		}
		first, last := edits[0], edits[n-1]
		oldStart, newStart := max(first.old-context, 0), max(first.new-context, 0)
		after := min(context, len(old)-last.old-last.oldLen, len(new)-last.new-last.newLen)
		oldEnd, newEnd := last.old+last.oldLen+after, last.new+last.newLen+after

		for i := oldStart - 1; i > searched; i-- {
			if name, ok := sectionOf(old[i]); ok {
				section = name
				break
			}
		}
		searched = oldStart - 1

		w := hunkWriter{old: old, new: new, i: oldStart, j: newStart}
		for _, e := range edits[:n] {
			w.context(e.new)
			w.changed(e)
		}
		w.context(newEnd)
		result = append(result, Hunk{
			OldStart: startOf(oldStart, oldEnd), OldLines: oldEnd - oldStart,
			NewStart: startOf(newStart, newEnd), NewLines: newEnd - newStart,
			Section: section, Lines: w.lines,
		})
		edits = edits[n:]
	}
	return result
}

func startOf(start, end int) int {
	if start == end {
		return start
	}
	return start + 1
}

// sectionOf says whether git takes a line for the head of a function, and what
// it prints of it.
func sectionOf(line []byte) (string, bool) {
	const width = 80
	c := line[0]
	if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$') {
		return "", false
	}
	text := strings.TrimRight(string(line[:min(len(line), width)]), " \t\n\r")
	// Git prints no further than what is UTF-8.
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size <= 1 {
			return text[:i], true
		}
		i += size
	}
	return text, true
}

// hunkWriter collects the lines of a hunk; i and j are where it is.
type hunkWriter struct {
	old, new [][]byte
	i, j     int
	lines    []Line
}

func (w *hunkWriter) add(kind byte, text []byte) {
	l := Line{Kind: kind, Old: w.i + 1, New: w.j + 1}
	body, hasEnd := strings.CutSuffix(string(text), "\n")
	l.Text, l.NoNewline = body, !hasEnd
	if hasEnd {
		l.Text, l.CR = strings.CutSuffix(body, "\r")
	}
	w.lines = append(w.lines, l)
}

func (w *hunkWriter) context(to int) {
	for ; w.j < to; w.i, w.j = w.i+1, w.j+1 {
		w.add(' ', w.new[w.j])
	}
}

func (w *hunkWriter) changed(e edit) {
	for ; w.i < e.old+e.oldLen; w.i++ {
		w.add('-', w.old[w.i])
	}
	for ; w.j < e.new+e.newLen; w.j++ {
		w.add('+', w.new[w.j])
	}
}
