package content

import (
	"fmt"
	"slices"
)

// IsAncestor says whether a commit can be reached from another one through
// parents. A commit is its own ancestor, as for git merge-base --is-ancestor.
func (s *Store) IsAncestor(ancestor, of string) (bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	a, err := s.commitAt(ancestor)
	if err != nil {
		return false, err
	}
	c, err := s.commitAt(of)
	if err != nil {
		return false, err
	}
	return reachable(c)[a], nil
}

// reachable is the set of the commits given and of all their ancestors.
func reachable(from ...*commit) map[*commit]bool {
	seen := map[*commit]bool{}
	todo := slices.Clone(from)
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[c] {
			seen[c] = true
			todo = append(todo, c.parents...)
		}
	}
	return seen
}

// MergeBase returns the best common ancestor of two commits, the one that git
// merge-base prints: of several the youngest. The error wraps ErrNotFound when
// the two have none.
func (s *Store) MergeBase(a, b string) (string, error) {
	all, err := s.MergeBases(a, b)
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", fmt.Errorf("merge base of %s and %s: %w", a, b, ErrNotFound)
	}
	return all[0], nil
}

// MergeBases returns every best common ancestor of two commits, best first, as
// git merge-base --all does; none when their histories are unrelated.
func (s *Store) MergeBases(a, b string) ([]string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	one, err := s.commitAt(a)
	if err != nil {
		return nil, err
	}
	two, err := s.commitAt(b)
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, c := range mergeBases(one, two) {
		ids = append(ids, c.info.ID)
	}
	return ids, nil
}

// mergeBases finds the common ancestors that no other common ancestor reaches,
// youngest first; of the same second in the order in which a walk by date from
// both sides meets them.
func mergeBases(one, two *commit) []*commit {
	ofOne, ofTwo := reachable(one), reachable(two)
	var common []*commit
	walkByDate([]*commit{one, two}, func(c *commit) ([]*commit, bool) {
		if ofOne[c] && ofTwo[c] {
			common = append(common, c)
			return nil, true
		}
		return c.parents, true
	})
	var best []*commit
	for i, c := range common {
		others := slices.Delete(slices.Clone(common), i, i+1)
		if !reachable(others...)[c] {
			best = append(best, c)
		}
	}
	slices.SortStableFunc(best, func(a, b *commit) int { return int(min(1, max(-1, b.date-a.date))) })
	return best
}

// walkByDate visits each commit once, the youngest of those it knows of first
// and of equals the one it met first, which is the order of git log. The visit
// returns the parents to go on with, and whether to go on at all.
func walkByDate(from []*commit, visit func(*commit) (parents []*commit, more bool)) {
	var queue dateQueue
	seen := map[*commit]bool{}
	push := func(commits []*commit) {
		for _, c := range commits {
			if !seen[c] {
				seen[c] = true
				queue.push(c)
			}
		}
	}
	push(from)
	for queue.len() > 0 {
		parents, more := visit(queue.pop())
		if !more {
			return
		}
		push(parents)
	}
}
