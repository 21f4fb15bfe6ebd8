package fakebb

import (
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/bb-mcp/bb/fakebb/content"
)

// comparison is what is compared: two commits of a repository and, with a path,
// one file of them or what is below a directory.
type comparison struct {
	repository *repository
	from, to   string // full ids; an empty from is a commit without parents' tree
	// fromHash is what the answer calls the old side: of a pull request it is
	// the target's tip, while the merge base is what is compared.
	fromHash         string
	path, srcPath    string
	follow           bool // finds the path before a rename when none is given
	ignoreWhitespace bool
	context          int
}

// defaultContext is how many unchanged lines stand around a change.
const defaultContext = 10

// wholeFile is a context that shows every line.
const wholeFile = math.MaxInt32

// effective is the comparison of a pull request: what merging it would bring.
func (p *pullRequest) effective() comparison {
	return effectiveOf(p, tips{p.source.tip, p.target.tip})
}

func effectiveOf(p *pullRequest, at tips) comparison {
	return comparison{
		repository: p.repository, from: mergeBase(p.git(), at.to, at.from), to: at.from,
		fromHash: at.to, context: defaultContext,
	}
}

// ofCommit is the comparison of a commit with a parent of it.
func ofCommit(r *repository, c content.CommitInfo) comparison {
	k := comparison{repository: r, to: c.ID, context: defaultContext}
	if len(c.Parents) > 0 {
		k.from, k.fromHash = c.Parents[0], c.Parents[0]
	}
	return k
}

// changesKey is what a memory of changes is kept by.
type changesKey struct {
	from, to, path string
	whitespace     bool
}

// changes are what was compared to have changed, in the order of their paths.
// Copies are looked for, as the web interface shows them.
func (k comparison) changes() []content.Change {
	all := func(path string) []content.Change {
		key := changesKey{k.from, k.to, path, k.ignoreWhitespace}
		return remember(&k.repository.memory, key, func() []content.Change {
			changes, err := k.repository.git.Changes(k.from, k.to,
				content.ChangeOptions{Copies: true, Path: path, IgnoreWhitespace: k.ignoreWhitespace})
			if err != nil {
				panic(err) // both are commits of the store
			}
			return changes
		})
	}
	if k.path == "" {
		return all("")
	}
	if k.srcPath != "" || k.follow {
		// Git is asked for both paths and so sees the rename.
		for _, c := range all("") {
			if c.Path == k.path && (k.follow || c.OldPath == k.srcPath) {
				return []content.Change{c}
			}
		}
	}
	// Git is asked for this path alone: what was renamed to it is an addition.
	return all(k.path)
}

// diff is the diff of one change.
func (k comparison) diff(c content.Change) content.FileDiff {
	d, err := k.repository.git.Diff(c, content.DiffOptions{Context: k.context, IgnoreWhitespace: k.ignoreWhitespace})
	if err != nil {
		panic(err) // the change is one of this store
	}
	return d
}

// remember returns what make makes, and the next time what it made the first
// time for this key.
func remember[K comparable, V any](memory *sync.Map, key K, make func() V) V {
	if known, ok := memory.Load(key); ok {
		return known.(V)
	}
	known, _ := memory.LoadOrStore(key, make())
	return known.(V)
}

// changeOf returns the change whose new path, or with old whose old path, it is.
func changeOf(changes []content.Change, path string, old bool) (content.Change, bool) {
	i := slices.IndexFunc(changes, func(c content.Change) bool {
		if old {
			// The source of a copy is still where it was.
			return c.OldPath == path && c.Type != content.Copy
		}
		return c.Path == path && c.Type != content.Delete
	})
	if i < 0 {
		return content.Change{}, false
	}
	return changes[i], true
}

// text is what Bitbucket shows of bytes: UTF-8, or what it takes for the older
// encoding of western Europe when they are none (belief: it guesses better).
func text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}
