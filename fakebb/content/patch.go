package content

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// PatchOptions say how the text of a diff is written; the zero value is git diff
// with no context.
type PatchOptions struct {
	ChangeOptions
	// Context is how many unchanged lines stand around changed ones.
	Context int
	// OldPrefix and NewPrefix stand before the paths: "a/" and "b/" when empty.
	// Bitbucket has src:// and dst://.
	OldPrefix, NewPrefix string
	// FullIndex writes whole ids in index lines, else the shortest beginning
	// that is an object's own, of 7 characters at least.
	FullIndex bool
}

// Patch writes the unified text of what changed between two commits, as git
// diff does. An empty from is the empty tree.
func (s *Store) Patch(w io.Writer, from, to string, opt PatchOptions) error {
	s.mu.RLock()
	text, err := s.patch(from, to, opt)
	s.mu.RUnlock()
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// PatchOf writes the text of changes that [Store.Changes] gave out, in their
// order. Of the options only what concerns the text counts.
func (s *Store) PatchOf(w io.Writer, changes []Change, opt PatchOptions) error {
	deltas := make([]delta, len(changes))
	for i, c := range changes {
		deltas[i] = c.delta()
	}
	s.mu.RLock()
	text := s.write(deltas, opt)
	s.mu.RUnlock()
	_, err := w.Write(text)
	return err
}

func (s *Store) patch(from, to string, opt PatchOptions) ([]byte, error) {
	deltas, err := s.compare(from, to, opt.ChangeOptions)
	if err != nil {
		return nil, err
	}
	return s.write(deltas, opt), nil
}

// write writes the text of deltas.
func (s *Store) write(deltas []delta, opt PatchOptions) []byte {
	if opt.OldPrefix == "" {
		opt.OldPrefix = "a/"
	}
	if opt.NewPrefix == "" {
		opt.NewPrefix = "b/"
	}
	p := patchWriter{store: s, opt: opt}
	for _, d := range deltas {
		if d.change().Type == TypeChange {
			// Git writes these as two.
			p.file(delta{old: d.old})
			p.file(delta{new: d.new})
			continue
		}
		p.file(d)
	}
	return p.out.Bytes()
}

type patchWriter struct {
	store *Store
	opt   PatchOptions
	out   bytes.Buffer
}

func (p *patchWriter) printf(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

// file writes the diff of one file.
func (p *patchWriter) file(d delta) {
	diff := p.store.diff(d, DiffOptions{Context: p.opt.Context, IgnoreWhitespace: p.opt.IgnoreWhitespace})
	oldPath, newPath := d.old.path, d.new.path
	if d.old.missing() {
		oldPath = newPath
	}
	if d.new.missing() {
		newPath = oldPath
	}
	oldName, newName := quotePath(p.opt.OldPrefix+oldPath), quotePath(p.opt.NewPrefix+newPath)
	p.printf("diff --git %s %s\n", oldName, newName)
	p.meta(d)
	if d.old.missing() {
		oldName = "/dev/null"
	}
	if d.new.missing() {
		newName = "/dev/null"
	}
	if diff.Binary {
		p.printf("Binary files %s and %s differ\n", oldName, newName)
		return
	}
	if len(diff.Hunks) > 0 {
		p.printf("--- %s%s\n+++ %s%s\n", oldName, nameEnd(oldName), newName, nameEnd(newName))
	}
	for _, h := range diff.Hunks {
		p.hunk(h)
	}
}

// nameEnd is the tab that git puts after a name with a space, which a reader
// would otherwise take for the end of the name.
func nameEnd(name string) string {
	if strings.Contains(name, " ") {
		return "\t"
	}
	return ""
}

func (p *patchWriter) meta(d delta) {
	c := d.change()
	mode := ""
	switch {
	case d.old.missing():
		p.printf("new file mode %s\n", d.new.mode)
	case d.new.missing():
		p.printf("deleted file mode %s\n", d.old.mode)
	case d.old.mode != d.new.mode:
		p.printf("old mode %s\nnew mode %s\n", d.old.mode, d.new.mode)
	default:
		mode = " " + d.new.mode.String()
	}
	if c.Type == Rename || c.Type == Copy {
		word := strings.ToLower(string(c.Type))
		p.printf("similarity index %d%%\n%s from %s\n%s to %s\n", c.Similarity, word, quotePath(d.old.path), word, quotePath(d.new.path))
	}
	if d.old.id != d.new.id {
		p.printf("index %s..%s%s\n", p.id(d.old.id), p.id(d.new.id), mode)
	}
}

func (p *patchWriter) id(h hash) string {
	if p.opt.FullIndex {
		return h.String()
	}
	return p.store.abbreviate(h)
}

// minAbbreviation is how much of an id git shows of a repository of usual size.
const minAbbreviation = 7

// abbreviate cuts an id to the shortest beginning that no other object has.
func (s *Store) abbreviate(h hash) string {
	id := h.String()
	if h.isZero() {
		return id[:minAbbreviation]
	}
	n := minAbbreviation
	for _, other := range s.near[h.short()] {
		if other != h {
			for o := other.String(); n < len(id) && o[:n] == id[:n]; n++ {
			}
		}
	}
	return id[:n]
}

func (p *patchWriter) hunk(h Hunk) {
	section := ""
	if h.Section != "" {
		section = " " + h.Section
	}
	p.printf("@@ -%s +%s @@%s\n", lineRange(h.OldStart, h.OldLines), lineRange(h.NewStart, h.NewLines), section)
	for _, l := range h.Lines {
		p.out.WriteByte(l.Kind)
		p.out.WriteString(l.Text)
		if l.CR {
			p.out.WriteByte('\r')
		}
		p.out.WriteByte('\n')
		if l.NoNewline {
			p.out.WriteString("\\ No newline at end of file\n")
		}
	}
}

func lineRange(start, lines int) string {
	if lines == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}
