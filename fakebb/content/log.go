package content

import "slices"

// Merges says what a history does with commits of several parents.
type Merges int

// What a history does with merge commits; the zero value shows them.
const (
	IncludeMerges Merges = iota
	ExcludeMerges
	OnlyMerges
)

// LogOptions choose commits, as the arguments of git log do.
type LogOptions struct {
	// From are the commits to start at, Exclude those that are left out with
	// all their ancestors.
	From, Exclude []string
	// Path keeps to commits that changed a file or anything below a directory,
	// with git's simplification: at a merge that has the path as one of its
	// parents does, only that parent's history counts.
	Path string
	// FollowRenames follows the file at Path to where it came from, as git log
	// --follow does: without the simplification, and without merges.
	FollowRenames bool
	Merges        Merges
	// Limit is how many commits are wanted at most; 0 is all.
	Limit int
}

// Log lists commits in the order of git log: of those whose children were
// listed the youngest by the committer's date.
func (s *Store) Log(opt LogOptions) ([]CommitInfo, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	from, err := s.commitsAt(opt.From)
	if err != nil {
		return nil, err
	}
	exclude, err := s.commitsAt(opt.Exclude)
	if err != nil {
		return nil, err
	}
	h := history{store: s, path: opt.Path, excluded: reachable(exclude...), bottom: exclude}
	visit := func(c *commit) ([]*commit, bool) { return c.parents, true }
	switch {
	case opt.Path == "":
	case opt.FollowRenames:
		visit = h.follow
	default:
		visit = h.simplify
	}
	list := []CommitInfo{}
	walkByDate(from, func(c *commit) ([]*commit, bool) {
		if h.excluded[c] {
			return nil, true
		}
		parents, shown := visit(c)
		isMerge := len(c.parents) > 1
		if shown && (opt.Merges == IncludeMerges || isMerge == (opt.Merges == OnlyMerges)) {
			list = append(list, c.copyInfo())
		}
		return parents, opt.Limit <= 0 || len(list) < opt.Limit
	})
	return list, nil
}

func (s *Store) commitsAt(ids []string) ([]*commit, error) {
	commits := make([]*commit, 0, len(ids))
	for _, id := range ids {
		c, err := s.commitAt(id)
		if err != nil {
			return nil, err
		}
		commits = append(commits, c)
	}
	return commits, nil
}

// history decides for each commit whether it belongs to the history of a path,
// and where that goes on.
type history struct {
	store    *Store
	path     string
	excluded map[*commit]bool
	bottom   []*commit
}

// simplify compares the path with that of every parent. A parent that has the
// same takes over alone, unless its history is left out.
func (h *history) simplify(c *commit) (parents []*commit, shown bool) {
	here, exists := h.store.find(c.tree, h.path)
	if len(c.parents) == 0 {
		return nil, exists
	}
	relevant, relevantChange, otherChange := false, false, false
	for _, p := range c.parents {
		counts := !h.excluded[p] || slices.Contains(h.bottom, p)
		relevant = relevant || counts
		there, existed := h.store.find(p.tree, h.path)
		same := exists == existed && here.mode == there.mode && here.id == there.id
		switch {
		case same && counts:
			return []*commit{p}, false
		case same:
		case counts:
			relevantChange = true
		default:
			otherChange = true
		}
	}
	if relevant {
		return c.parents, relevantChange
	}
	return c.parents, otherChange
}

// follow shows commits that changed the file under the name it has by then, and
// takes on the older name where the file was renamed or copied.
func (h *history) follow(c *commit) (parents []*commit, shown bool) {
	if len(c.parents) > 1 {
		return c.parents, false
	}
	here, exists := h.store.find(c.tree, h.path)
	if len(c.parents) == 0 {
		return nil, exists
	}
	there, existed := h.store.find(c.parents[0].tree, h.path)
	if here.id == there.id && here.mode == there.mode {
		return c.parents, false
	}
	if !existed {
		if old, ok := h.store.originOf(c.parents[0].tree, c.tree, h.path); ok {
			h.path = old
		}
	}
	return c.parents, true
}

// originOf finds the file of an older tree that a new file came from, copies of
// files that did not change included.
func (s *Store) originOf(old, new hash, path string) (string, bool) {
	var unchanged []place
	s.eachFile(old, "", func(path string, n node) {
		if now, ok := s.find(new, path); ok && now.mode == n.mode && now.id == n.id {
			unchanged = append(unchanged, place{path, n.mode, n.id})
		}
	})
	opt := renameOptions{copies: true, unchanged: unchanged, only: path}
	for _, d := range s.detectRenames(s.treeDiff(old, new), opt) {
		if d.new.path == path && !d.old.missing() && d.old.path != path {
			return d.old.path, true
		}
	}
	return "", false
}

// LastModified returns for each direct child of a directory of a commit the
// newest commit that changed it, by name, and the newest that changed the
// directory itself: the first of git log -- PATH for each, so that a merge or a
// commit without changes is never one.
func (s *Store) LastModified(commit, dir string) (children map[string]CommitInfo, latest CommitInfo, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	tree, err := s.directory(commit, dir)
	if err != nil {
		return nil, CommitInfo{}, err
	}
	from, err := s.commitAt(commit)
	if err != nil {
		return nil, CommitInfo{}, err
	}
	children = map[string]CommitInfo{}
	for _, n := range s.trees[tree] {
		children[n.name] = s.newest(from, join(dir, n.name))
	}
	return children, s.newest(from, dir), nil
}

func (s *Store) newest(from *commit, path string) CommitInfo {
	var found CommitInfo
	h := history{store: s, path: path}
	walkByDate([]*commit{from}, func(c *commit) ([]*commit, bool) {
		parents, shown := h.simplify(c)
		if shown {
			found = c.copyInfo()
		}
		return parents, !shown
	})
	return found
}
