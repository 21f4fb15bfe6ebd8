package content

import (
	"slices"
	"strings"
)

// ChangeType is what became of a path, in git's words.
type ChangeType string

// The types of changes. TypeChange is a path that became another kind of thing,
// a symbolic link for instance; git prints it as a deletion and an addition.
const (
	Add        ChangeType = "ADD"
	Modify     ChangeType = "MODIFY"
	Delete     ChangeType = "DELETE"
	Rename     ChangeType = "RENAME"
	Copy       ChangeType = "COPY"
	TypeChange ChangeType = "TYPE_CHANGE"
)

// Change is what became of one path between two commits.
type Change struct {
	Type ChangeType
	// Path is where the file is now, of a deletion where it was.
	Path string
	// OldPath is where it was; of an addition it is empty.
	OldPath string
	// Similarity is the percentage that git gives for a rename or a copy, else -1.
	Similarity int
	// OldMode and NewMode are 0 on the side where there is no file.
	OldMode, NewMode Mode
	// OldID and NewID are the ids of the contents, ZeroID where there is none.
	OldID, NewID string
}

// ChangeOptions say how two commits are compared; the zero value is git diff -M.
type ChangeOptions struct {
	// Copies looks for copies too, from files that changed, as git diff -C.
	Copies bool
	// Path keeps to a file or what is below a directory, on both sides, before
	// renames are looked for, as git diff -- PATH.
	Path string
	// IgnoreWhitespace leaves out text files that stayed where they are and
	// differ in white space only, as the patch of git diff -w does.
	IgnoreWhitespace bool
}

// Changes compares two commits (or trees) and lists what changed by path. An
// empty from is the empty tree: everything is added. Renames are those of git
// diff -M: at least half alike, exact ones first, then those of a unique name.
func (s *Store) Changes(from, to string, opt ChangeOptions) ([]Change, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	deltas, err := s.compare(from, to, opt)
	if err != nil {
		return nil, err
	}
	changes := make([]Change, 0, len(deltas))
	for _, d := range deltas {
		changes = append(changes, d.change())
	}
	return changes, nil
}

func (s *Store) compare(from, to string, opt ChangeOptions) ([]delta, error) {
	a, err := s.treeAt(from)
	if err != nil {
		return nil, err
	}
	b, err := s.treeAt(to)
	if err != nil {
		return nil, err
	}
	deltas := s.treeDiff(a, b)
	if opt.Path != "" {
		deltas = slices.DeleteFunc(deltas, func(d delta) bool { return !isWithin(d.path(), opt.Path) })
	}
	deltas = s.detectRenames(deltas, renameOptions{copies: opt.Copies})
	if opt.IgnoreWhitespace {
		deltas = slices.DeleteFunc(deltas, s.onlySpace)
	}
	return deltas, nil
}

// isWithin says whether a path is another one or below it.
func isWithin(path, dir string) bool {
	dir = strings.TrimSuffix(dir, "/")
	return dir == "" || path == dir || strings.HasPrefix(path, dir+"/")
}

// onlySpace says whether a file differs in white space and in nothing else.
func (s *Store) onlySpace(d delta) bool {
	if d.old.path != d.new.path || d.old.mode != d.new.mode {
		return false
	}
	old, new := s.text(d.old), s.text(d.new)
	if isBinary(old) || isBinary(new) {
		return false
	}
	return len(lineDiff(splitLines(old), splitLines(new), myers, true, false)) == 0
}

// text is what the diff of a place is about.
func (s *Store) text(p place) []byte {
	switch {
	case p.missing():
		return nil
	case p.mode == Submodule:
		return []byte("Subproject commit " + p.id.String() + "\n")
	}
	return s.blobs[p.id]
}

func (d delta) change() Change {
	c := Change{
		Path: d.path(), OldPath: d.old.path, Similarity: -1,
		OldMode: d.old.mode, NewMode: d.new.mode, OldID: d.old.id.String(), NewID: d.new.id.String(),
	}
	switch {
	case d.old.missing():
		c.Type = Add
	case d.new.missing():
		c.Type = Delete
	case d.old.path != d.new.path:
		c.Type, c.Similarity = Rename, d.score*100/maxScore
		if d.copied {
			c.Type = Copy
		}
	case d.old.mode.kind() != d.new.mode.kind():
		c.Type = TypeChange
	default:
		c.Type = Modify
	}
	return c
}

// delta is the inverse of delta.change, for changes that were given out.
func (c Change) delta() delta {
	var d delta
	if c.OldMode != 0 {
		d.old = place{path: c.OldPath, mode: c.OldMode}
		d.old.id, _ = parseHash(c.OldID)
	}
	if c.NewMode != 0 {
		d.new = place{path: c.Path, mode: c.NewMode}
		d.new.id, _ = parseHash(c.NewID)
	}
	d.score, d.copied = c.Similarity*maxScore/100, c.Type == Copy
	return d
}

// treeDiff lists the files that two trees do not have alike, by path.
func (s *Store) treeDiff(a, b hash) []delta {
	var deltas []delta
	s.treeDiffBelow(a, b, "", &deltas)
	slices.SortStableFunc(deltas, func(x, y delta) int { return strings.Compare(x.path(), y.path()) })
	return deltas
}

func (s *Store) treeDiffBelow(a, b hash, dir string, deltas *[]delta) {
	if a == b {
		return
	}
	left, right := s.trees[a], s.trees[b]
	none := hashObject("tree", nil)
	for len(left) > 0 || len(right) > 0 {
		order := 0
		switch {
		case len(right) == 0:
			order = -1
		case len(left) == 0:
			order = 1
		default:
			order = strings.Compare(left[0].sortName(), right[0].sortName())
		}
		var old, new node
		if order <= 0 {
			old, left = left[0], left[1:]
		}
		if order >= 0 {
			new, right = right[0], right[1:]
		}
		path := join(dir, max(old.name, new.name))
		if old.mode == Directory || new.mode == Directory {
			// The two are in one order only when both are directories or one
			// is missing.
			x, y := none, none
			if order <= 0 {
				x = old.id
			}
			if order >= 0 {
				y = new.id
			}
			s.treeDiffBelow(x, y, path, deltas)
			continue
		}
		if old.mode == new.mode && old.id == new.id {
			continue
		}
		var d delta
		if order <= 0 {
			d.old = place{path, old.mode, old.id}
		}
		if order >= 0 {
			d.new = place{path, new.mode, new.id}
		}
		*deltas = append(*deltas, d)
	}
}
