package content

import (
	"fmt"
	"slices"
)

// BlameRange says where lines of a file come from.
type BlameRange struct {
	// Line is the first line of the range in the file that was asked for,
	// Lines how many there are.
	Line, Lines int
	// Commit is the id of the commit that brought the lines in.
	Commit string
	// Path and OldLine are where the lines were in that commit.
	Path    string
	OldLine int
}

// Blame says for every line of a file which commit it comes from, as git blame
// does: a line goes to the first parent that has it, under the file's own name
// or the one it was renamed from.
func (s *Store) Blame(id, path string) ([]BlameRange, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c, err := s.commitAt(id)
	if err != nil {
		return nil, err
	}
	n, ok := s.find(c.tree, path)
	if !ok || n.mode == Directory || n.mode == Submodule {
		return nil, fmt.Errorf("file %q at commit %s: %w", path, id, ErrNotFound)
	}
	total := len(splitLines(s.blobs[n.id]))
	b := blamer{store: s, lines: make([]BlameRange, total), open: map[*commit][]suspected{}}
	all := make([]blamed, total)
	for i := range all {
		all[i] = blamed{i, i}
	}
	b.suspect(c, path, all)
	b.run()
	return joinRanges(b.lines), nil
}

// blamed is a line that is looked for: its number in the file asked for, and in
// the version that is suspected.
type blamed struct{ line, here int }

// suspected is a version of the file with the lines that may come from it.
type suspected struct {
	path  string
	lines []blamed
}

type blamer struct {
	store *Store
	lines []BlameRange
	queue dateQueue
	open  map[*commit][]suspected
}

func (b *blamer) suspect(c *commit, path string, lines []blamed) {
	if len(b.open[c]) == 0 {
		b.queue.push(c)
	}
	i := slices.IndexFunc(b.open[c], func(s suspected) bool { return s.path == path })
	if i < 0 {
		b.open[c] = append(b.open[c], suspected{path, slices.Clone(lines)})
		return
	}
	b.open[c][i].lines = append(b.open[c][i].lines, lines...)
}

func (b *blamer) run() {
	for b.queue.len() > 0 {
		c := b.queue.pop()
		versions := b.open[c]
		delete(b.open, c)
		for _, v := range versions {
			b.pass(c, v.path, v.lines)
		}
	}
}

// pass hands lines on to the parents that have them and takes the rest as
// brought in by this commit.
func (b *blamer) pass(c *commit, path string, lines []blamed) {
	here, _ := b.store.find(c.tree, path)
	from := make([]place, len(c.parents))
	for _, find := range []func(*commit) place{
		func(p *commit) place { return b.samePath(p, path, here) },
		func(p *commit) place { return b.renamed(p, c, path) },
	} {
		for i, p := range c.parents {
			if !from[i].missing() {
				continue
			}
			old := find(p)
			if !old.missing() && old.id == here.id {
				b.suspect(p, old.path, lines)
				return
			}
			// A parent whose content another one has already gets nothing.
			if !slices.ContainsFunc(from[:i], func(q place) bool { return !q.missing() && q.id == old.id }) {
				from[i] = old
			}
		}
	}
	text := b.store.blobs[here.id]
	for i, old := range from {
		if old.missing() || len(lines) == 0 {
			continue
		}
		passed, kept := passThrough(editsWithoutContext(b.store.blobs[old.id], text, false), lines)
		if len(passed) > 0 {
			b.suspect(c.parents[i], old.path, passed)
		}
		lines = kept
	}
	for _, l := range lines {
		b.lines[l.line] = BlameRange{Line: l.line + 1, Lines: 1, Commit: c.info.ID, Path: path, OldLine: l.here + 1}
	}
}

func (b *blamer) samePath(p *commit, path string, here node) place {
	n, ok := b.store.find(p.tree, path)
	if !ok || n.mode.kind() != here.mode.kind() {
		return place{}
	}
	return place{path, n.mode, n.id}
}

func (b *blamer) renamed(p, c *commit, path string) place {
	if n, there := b.store.find(p.tree, path); there && n.mode != Directory {
		return place{}
	}
	for _, d := range b.store.detectRenames(b.store.treeDiff(p.tree, c.tree), renameOptions{only: path}) {
		if d.new.path == path && !d.old.missing() {
			return d.old
		}
	}
	return place{}
}

// passThrough splits lines into those that an older version has, with their
// numbers there, and those that the edits brought.
func passThrough(edits []edit, lines []blamed) (passed, kept []blamed) {
	slices.SortFunc(lines, func(x, y blamed) int { return x.here - y.here })
	e, offset := 0, 0
	for _, l := range lines {
		for e < len(edits) && edits[e].new+edits[e].newLen <= l.here {
			offset += edits[e].oldLen - edits[e].newLen
			e++
		}
		if e < len(edits) && edits[e].new <= l.here {
			kept = append(kept, l)
			continue
		}
		passed = append(passed, blamed{l.line, l.here + offset})
	}
	return passed, kept
}

// joinRanges joins lines that were neighbours in the commit they come from.
func joinRanges(lines []BlameRange) []BlameRange {
	ranges := []BlameRange{}
	for _, l := range lines {
		if last := len(ranges) - 1; last >= 0 {
			r := &ranges[last]
			if r.Commit == l.Commit && r.Path == l.Path && r.OldLine+r.Lines == l.OldLine {
				r.Lines++
				continue
			}
		}
		ranges = append(ranges, l)
	}
	return ranges
}
