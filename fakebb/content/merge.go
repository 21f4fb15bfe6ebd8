package content

import (
	"maps"
	"slices"
	"strings"
)

// ConflictKind is why git cannot merge a path, in the words of its message.
type ConflictKind string

// The kinds of conflicts. Content covers text whose edits overlap or touch,
// symbolic links and modes; RenameAdd that the content of a renamed file cannot
// be merged and its new path is taken by the other side as well.
const (
	ContentConflict       ConflictKind = "content"
	BinaryConflict        ConflictKind = "binary"
	SubmoduleConflict     ConflictKind = "submodule"
	AddAddConflict        ConflictKind = "add/add"
	ModifyDeleteConflict  ConflictKind = "modify/delete"
	RenameRenameConflict  ConflictKind = "rename/rename"
	RenameDeleteConflict  ConflictKind = "rename/delete"
	RenameAddConflict     ConflictKind = "rename involved in collision"
	FileDirectoryConflict ConflictKind = "file/directory"
	DistinctTypesConflict ConflictKind = "distinct types"
)

// Conflict is a path that cannot be merged.
type Conflict struct {
	Kind ConflictKind
	// Path is where the merge would have put the file; where the sides do not
	// agree on that, where it was.
	Path string
	// Ours and Theirs are what became of the file on the two sides since the
	// merge base.
	Ours, Theirs Change
}

// MergeResult is what became of a merge.
type MergeResult struct {
	// TreeID is the merged tree when there are no conflicts, else "".
	TreeID string
	// Conflicts are in the order of their paths.
	Conflicts []Conflict
	// Base is the merge base, "" when the histories are unrelated; Bases says
	// how many there are.
	Base  string
	Bases int
}

// Merge merges two commits without making a commit, as git merge-tree
// --write-tree does with merge.directoryRenames=false: files are not moved
// because their neighbours were. Of several merge bases the best is used, where
// git would merge the bases first. A merged tree is stored, so that
// CommitSpec.TreeID can name it.
func (s *Store) Merge(ours, theirs string) (MergeResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var result MergeResult
	o, err := s.commitAt(ours)
	if err != nil {
		return result, err
	}
	t, err := s.commitAt(theirs)
	if err != nil {
		return result, err
	}
	base := hashObject("tree", nil)
	bases := mergeBases(o, t)
	if result.Bases = len(bases); len(bases) > 0 {
		result.Base, base = bases[0].info.ID, bases[0].tree
	}
	m := merger{store: s, paths: map[string]*threeWay{}}
	m.load(base, o.tree, t.tree)
	m.followRenames(base, o.tree, t.tree)
	merged := m.resolve()
	if result.Conflicts = m.conflicts; len(m.conflicts) == 0 {
		result.TreeID = s.writePaths(merged).String()
	}
	slices.SortStableFunc(result.Conflicts, func(a, b Conflict) int { return strings.Compare(a.Path, b.Path) })
	return result, nil
}

// The three versions of a path.
const (
	inBase = iota
	inOurs
	inTheirs
)

// threeWay is what a path is in the merge base and on the two sides. After
// renames the versions may come from other paths.
type threeWay struct {
	versions [3]place
	// renamed says that the versions are no longer those of one path, settled
	// that the path has a conflict already.
	renamed, settled bool
	// alike says that both sides had the same file here before renames were
	// followed. Git then takes our version whatever a rename brought.
	alike bool
}

type merger struct {
	store     *Store
	paths     map[string]*threeWay
	conflicts []Conflict
}

func (m *merger) load(trees ...hash) {
	for i, tree := range trees {
		m.store.eachFile(tree, "", func(path string, n node) {
			m.at(path).versions[i] = place{path, n.mode, n.id}
		})
	}
	for _, w := range m.paths {
		w.alike = !w.versions[inOurs].missing() && sameFile(w.versions[inOurs], w.versions[inTheirs])
	}
}

func (m *merger) at(path string) *threeWay {
	if m.paths[path] == nil {
		m.paths[path] = &threeWay{}
	}
	return m.paths[path]
}

// followRenames brings the versions of files that a side renamed together at
// their new paths.
func (m *merger) followRenames(base, ours, theirs hash) {
	type sides [3]string // where a side has a file, by side
	moved := map[string]*sides{}
	for side, tree := range map[int]hash{inOurs: ours, inTheirs: theirs} {
		other := inOurs + inTheirs - side
		deltas := m.store.detectRenames(m.store.treeDiff(base, tree), renameOptions{
			skipEmpty: true,
			relevant: func(path string) bool {
				v := m.paths[path].versions
				return v[inBase].mode != v[other].mode || v[inBase].id != v[other].id
			},
		})
		for _, d := range deltas {
			if d.old.missing() || d.new.missing() || d.old.path == d.new.path {
				continue
			}
			if moved[d.old.path] == nil {
				moved[d.old.path] = &sides{}
			}
			moved[d.old.path][side] = d.new.path
		}
	}
	for _, path := range slices.Sorted(maps.Keys(moved)) {
		switch to := moved[path]; {
		case to[inOurs] != "" && to[inTheirs] != "":
			m.renamedTwice(path, to[inOurs], to[inTheirs])
		case to[inOurs] != "":
			m.renamedOnce(path, to[inOurs], inOurs)
		default:
			m.renamedOnce(path, to[inTheirs], inTheirs)
		}
	}
}

// renamedTwice is a file that both sides renamed.
func (m *merger) renamedTwice(from, ours, theirs string) {
	old := m.at(from)
	base := old.versions[inBase]
	old.versions = [3]place{}
	if ours == theirs {
		m.at(ours).versions[inBase] = base
		m.at(ours).renamed = true
		return
	}
	m.conflict(RenameRenameConflict, from, [3]place{base, m.at(ours).versions[inOurs], m.at(theirs).versions[inTheirs]})
	m.at(ours).settled = true
	m.at(theirs).settled = true
}

// renamedOnce is a file that one side renamed.
func (m *merger) renamedOnce(from, to string, side int) {
	other := inOurs + inTheirs - side
	old, new := m.at(from), m.at(to)
	deleted := old.versions[other].missing()
	otherKind := !deleted && old.versions[other].mode.isRegular() != new.versions[side].mode.isRegular()
	taken := !new.versions[other].missing() && !otherKind
	versions := old.versions
	versions[side] = new.versions[side]
	new.renamed = true
	switch {
	case taken && deleted:
		m.conflict(RenameDeleteConflict, to, versions)
		new.settled = true
	case taken:
		merged, kind := m.content(versions)
		if kind != "" {
			m.conflict(RenameAddConflict, to, versions)
			new.settled = true
		}
		merged.path = to
		new.versions[side] = merged
	case otherKind:
		new.versions[inBase] = versions[inBase]
		old.versions[inBase], old.versions[side] = place{}, place{}
		return
	case deleted:
		new.versions[inBase] = versions[inBase]
		m.conflict(RenameDeleteConflict, to, versions)
		new.settled = true
	default:
		new.versions = versions
	}
	old.versions = [3]place{}
}

// resolve settles every path and returns what the merged tree holds.
func (m *merger) resolve() map[string]node {
	merged := map[string]node{}
	for path, w := range m.paths {
		p, kind := m.settle(w)
		if kind != "" && !w.settled {
			m.conflict(kind, path, w.versions)
		}
		if !p.missing() {
			merged[path] = node{mode: p.mode, id: p.id}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(merged)) {
		for i := range path {
			if path[i] != '/' {
				continue
			}
			if _, isFile := merged[path[:i]]; isFile && !m.isConflict(path[:i]) {
				v := m.paths[path[:i]].versions
				for side := range v {
					if v[inBase].missing() && v[side].missing() {
						// That side added the directory.
						v[side] = m.paths[path].versions[side]
					}
				}
				m.conflict(FileDirectoryConflict, path[:i], v)
			}
		}
	}
	return merged
}

func (m *merger) isConflict(path string) bool {
	return slices.ContainsFunc(m.conflicts, func(c Conflict) bool {
		return c.Path == path && c.Kind == FileDirectoryConflict
	})
}

// settle merges the versions of a path. With a conflict the place only says
// that something stays there.
func (m *merger) settle(w *threeWay) (place, ConflictKind) {
	base, ours, theirs := w.versions[inBase], w.versions[inOurs], w.versions[inTheirs]
	switch {
	case w.alike:
		return ours, ""
	case ours.missing() && theirs.missing():
		return place{}, ""
	case ours.missing() || theirs.missing():
		there := ours
		if ours.missing() {
			there = theirs
		}
		switch {
		case base.missing():
			return there, ""
		case sameFile(base, there) && !w.renamed:
			return place{}, ""
		}
		return there, ModifyDeleteConflict
	}
	return m.content(w.versions)
}

func sameFile(a, b place) bool { return a.mode == b.mode && a.id == b.id }

// content merges a file that both sides have.
func (m *merger) content(versions [3]place) (place, ConflictKind) {
	base, ours, theirs := versions[inBase], versions[inOurs], versions[inTheirs]
	switch {
	case sameFile(ours, theirs), !base.missing() && sameFile(base, theirs):
		return ours, ""
	case !base.missing() && sameFile(base, ours):
		return theirs, ""
	case ours.mode.kind() != theirs.mode.kind():
		return ours, DistinctTypesConflict
	}
	kind := ContentConflict
	if base.missing() {
		kind = AddAddConflict
	}
	merged := place{path: ours.path, mode: ours.mode}
	clean := true
	if ours.mode == theirs.mode || ours.mode == base.mode {
		merged.mode = theirs.mode
	} else {
		clean = theirs.mode == base.mode
	}
	switch {
	case ours.id == theirs.id, ours.id == base.id:
		merged.id = theirs.id
	case theirs.id == base.id:
		merged.id = ours.id
	case ours.mode == Submodule:
		return ours, SubmoduleConflict
	case ours.mode == Symlink:
		return ours, kind
	default:
		var old []byte
		if base.mode.kind() == ours.mode.kind() {
			old = m.store.blobs[base.id]
		}
		a, b := m.store.blobs[ours.id], m.store.blobs[theirs.id]
		if isBinary(old) || isBinary(a) || isBinary(b) {
			return ours, BinaryConflict
		}
		text, ok := mergeTexts(old, a, b)
		if !ok {
			return ours, kind
		}
		merged.id = m.store.writeBlob(text)
	}
	if !clean {
		return merged, kind
	}
	return merged, ""
}

func (m *merger) conflict(kind ConflictKind, path string, v [3]place) {
	m.conflicts = append(m.conflicts, Conflict{
		Kind: kind, Path: path,
		Ours:   delta{old: v[inBase], new: v[inOurs], score: m.score(v[inBase], v[inOurs])}.change(),
		Theirs: delta{old: v[inBase], new: v[inTheirs], score: m.score(v[inBase], v[inTheirs])}.change(),
	})
}

func (m *merger) score(old, new place) int {
	if old.id == new.id {
		return maxScore
	}
	return m.store.newComparer().score(old, new)
}
