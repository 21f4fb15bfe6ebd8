package content

import (
	"path"
	"slices"
	"strings"
)

// place is a file at a path; its mode is 0 where there is none.
type place struct {
	path string
	mode Mode
	id   hash
}

func (p place) missing() bool { return p.mode == 0 }

// delta is what became of a file from one tree to another. A copy and a rename
// have both places, at different paths, and a score.
type delta struct {
	old, new place
	score    int
	copied   bool
}

func (d delta) path() string {
	if d.new.missing() {
		return d.old.path
	}
	return d.new.path
}

// renameOptions say what to look for; the zero value is git diff -M.
type renameOptions struct {
	// copies are looked for too, from changed files, as git diff -C does.
	copies bool
	// unchanged are files that copies may be from as well (git diff -C -C).
	unchanged []place
	// only, when not empty, is the one path whose origin is wanted.
	only string
	// relevant, when not nil, says which deleted files matter: a merge asks only
	// for those that the other side changed.
	relevant func(path string) bool
	// skipEmpty takes no file without content for anything's rename, as a merge
	// does not; git diff does.
	skipEmpty bool
}

// renameLimit is git's: no more than this many files squared are compared by
// their content (diff.renameLimit; git has it at 7000 for merges, here it is
// the same for them). Exact renames and those by a unique name are found in any
// case.
const renameLimit = 1000

// renameSource is a file that others may come from.
type renameSource struct {
	place
	// used counts what came from it, itself included when it is still there.
	used int
	// unchanged sources are those of renameOptions.unchanged.
	unchanged bool
}

// renameTarget is a file that is new.
type renameTarget struct {
	place
	from  *renameSource
	score int
}

// detection is one search for renames.
type detection struct {
	renameOptions
	*comparer
	sources []*renameSource
	targets []*renameTarget
}

// detectRenames joins deletions and additions that are one file, by the rules of
// git. The deltas are in the order of their paths, and stay so.
func (s *Store) detectRenames(deltas []delta, opt renameOptions) []delta {
	d := detection{renameOptions: opt, comparer: s.newComparer()}
	for _, c := range deltas {
		switch {
		case c.old.missing():
			if (opt.only == "" || opt.only == c.new.path) && !(opt.skipEmpty && s.isEmpty(c.new)) {
				d.targets = append(d.targets, &renameTarget{place: c.new})
			}
		case c.new.missing():
			if !(opt.skipEmpty && s.isEmpty(c.old)) {
				d.sources = append(d.sources, &renameSource{place: c.old})
			}
		case opt.copies:
			d.sources = append(d.sources, &renameSource{place: c.old, used: 1})
		}
	}
	for _, p := range opt.unchanged {
		d.sources = append(d.sources, &renameSource{place: p, used: 1, unchanged: true})
	}
	if len(opt.unchanged) > 0 {
		slices.SortFunc(d.sources, func(a, b *renameSource) int { return strings.Compare(a.path, b.path) })
	}
	if len(d.targets) == 0 || len(d.sources) == 0 {
		return deltas
	}
	d.exact()
	if !opt.copies {
		d.dropSources(func(src *renameSource) bool { return src.used > 0 })
		d.byName()
		d.dropSources(func(src *renameSource) bool {
			return src.used > 0 || opt.relevant != nil && !opt.relevant(src.path)
		})
	}
	d.byContent()
	return d.apply(deltas)
}

func (s *Store) isEmpty(p place) bool { return p.mode != Submodule && len(s.blobs[p.id]) == 0 }

func (d *detection) dropSources(drop func(*renameSource) bool) {
	kept := make([]*renameSource, 0, len(d.sources))
	for _, src := range d.sources {
		if !drop(src) {
			kept = append(kept, src)
		}
	}
	d.sources = kept
}

func (t *renameTarget) comeFrom(src *renameSource, score int) {
	t.from, t.score = src, score
	src.used++
}

// exact finds files whose content is the same. Of several sources one that is
// not used yet is best, then one of the same name.
func (d *detection) exact() {
	const tries = 100 // how many alternatives git weighs
	same := map[hash][]*renameSource{}
	for _, src := range d.sources {
		same[src.id] = append(same[src.id], src)
	}
	for _, t := range d.targets {
		var best *renameSource
		bestScore, left := -1, tries
		for _, src := range same[t.id] {
			if (!src.mode.isRegular() || !t.mode.isRegular()) && src.mode != t.mode {
				continue
			}
			if src.used > 0 && !d.copies {
				continue
			}
			score := 0
			if src.used == 0 {
				score++
			}
			if sameName(src.path, t.path) {
				score++
			}
			if score > bestScore {
				best, bestScore = src, score
			}
			if bestScore == 2 || left == 0 {
				break
			}
			left--
		}
		if best != nil {
			t.comeFrom(best, maxScore)
		}
	}
}

func sameName(a, b string) bool { return path.Base(a) == path.Base(b) }

// byName pairs files whose name exists once among the sources and once among
// the targets, when they are alike enough.
func (d *detection) byName() {
	const enough = minScore + (maxScore-minScore)/2
	sources, targets := map[string]*renameSource{}, map[string]*renameTarget{}
	for _, src := range d.sources {
		name := path.Base(src.path)
		if _, twice := sources[name]; twice {
			sources[name] = nil
		} else {
			sources[name] = src
		}
	}
	for _, t := range d.targets {
		if t.from != nil {
			continue
		}
		name := path.Base(t.path)
		if _, twice := targets[name]; twice {
			targets[name] = nil
		} else {
			targets[name] = t
		}
	}
	for _, src := range d.sources {
		name := path.Base(src.path)
		t := targets[name]
		if sources[name] == nil || t == nil || d.relevant != nil && !d.relevant(src.path) {
			continue
		}
		if score := d.score(src.place, t.place); score >= enough {
			t.comeFrom(src, score)
		}
	}
}

// candidate is a pair that may be a rename.
type candidate struct {
	target *renameTarget
	source *renameSource
	score  int
	name   bool
}

// compare orders candidates, the better first.
func (c candidate) compare(e candidate) int {
	if c.score != e.score {
		return e.score - c.score
	}
	switch {
	case c.name && !e.name:
		return -1
	case e.name && !c.name:
		return 1
	}
	return 0
}

// byContent compares what is left with each other and takes the most alike
// first. For each target the best four are kept, as in git.
func (d *detection) byContent() {
	const perTarget = 4
	open := slices.DeleteFunc(slices.Clone(d.targets), func(t *renameTarget) bool { return t.from != nil })
	sources := d.sources
	if len(open)*len(sources) > renameLimit*renameLimit {
		// Git still compares with what changed when that is few enough.
		sources = slices.DeleteFunc(slices.Clone(sources), func(src *renameSource) bool { return src.unchanged })
		if len(d.unchanged) == 0 || len(open)*len(sources) > renameLimit*renameLimit {
			return
		}
	}
	var all []candidate
	for _, t := range open {
		var best []candidate
		for _, src := range sources {
			c := candidate{t, src, d.score(src.place, t.place), sameName(src.path, t.path)}
			if len(best) < perTarget {
				best = append(best, c)
				continue
			}
			worst := 0
			for i := range best {
				if best[i].compare(best[worst]) > 0 {
					worst = i
				}
			}
			if best[worst].compare(c) > 0 {
				best[worst] = c
			}
		}
		all = append(all, best...)
	}
	slices.SortStableFunc(all, candidate.compare)
	d.take(all, false)
	if d.copies {
		d.take(all, true)
	}
}

func (d *detection) take(candidates []candidate, copies bool) {
	for _, c := range candidates {
		if c.score < minScore {
			return
		}
		if c.target.from == nil && (copies || c.source.used == 0) {
			c.target.comeFrom(c.source, c.score)
		}
	}
}

// apply replaces additions by renames and copies and drops the deletions that
// they explain. What comes from a file that is still there is a copy; of several
// that come from a deleted one the last is the rename.
func (d *detection) apply(deltas []delta) []delta {
	targets := map[string]*renameTarget{}
	moved := map[string]bool{}
	for _, t := range d.targets {
		if t.from != nil {
			targets[t.path] = t
			moved[t.from.path] = true
		}
	}
	var result []delta
	for _, c := range deltas {
		if c.new.missing() && moved[c.old.path] {
			continue
		}
		if t := targets[c.new.path]; c.old.missing() && t != nil {
			t.from.used--
			c = delta{old: t.from.place, new: c.new, score: t.score, copied: t.from.used > 0}
		}
		result = append(result, c)
	}
	return result
}
