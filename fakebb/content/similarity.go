package content

import (
	"cmp"
	"slices"
)

// Scores run from 0 to maxScore, as inside git, which rounds only for print.
const (
	maxScore = 60000
	// minScore is the half that git diff -M asks for.
	minScore = maxScore / 2
)

// spans is what git compares files by: the hashes of their lines (of pieces of
// at most 64 bytes of them) and how many bytes of each there are, by hash.
type spans []span64

type span64 struct {
	hash  uint32
	bytes int
}

// newSpans cuts a file. A last piece that neither ends a line nor is full does
// not count: so it is up to git 2.43 (later ones count it).
func newSpans(data []byte) spans {
	text := !isBinary(data)
	var all spans
	var high, low uint32
	n := 0
	for i, c := range data {
		if text && c == '\r' && i+1 < len(data) && data[i+1] == '\n' {
			continue
		}
		high, low = high<<7^low>>25, low<<7^high>>25
		high += uint32(c)
		n++
		if n < 64 && c != '\n' {
			continue
		}
		all = append(all, span64{(high + low*0x61) % 107927, n})
		high, low, n = 0, 0, 0
	}
	slices.SortFunc(all, func(a, b span64) int { return cmp.Compare(a.hash, b.hash) })
	merged := all[:0]
	for _, sp := range all {
		if last := len(merged) - 1; last >= 0 && merged[last].hash == sp.hash {
			merged[last].bytes += sp.bytes
			continue
		}
		merged = append(merged, sp)
	}
	return merged
}

// copied is how many bytes of the one are in the other.
func (s spans) copied(t spans) int {
	total := 0
	for i, j := 0, 0; i < len(s) && j < len(t); {
		switch {
		case s[i].hash < t[j].hash:
			i++
		case s[i].hash > t[j].hash:
			j++
		default:
			total += min(s[i].bytes, t[j].bytes)
			i++
			j++
		}
	}
	return total
}

// comparer estimates how alike files are and remembers their spans.
type comparer struct {
	store *Store
	spans map[hash]spans
	// work bounds the steps of one rename detection.
	work int
}

// renameWork bounds one detection of renames to seconds. Git has no such limit
// beside the one on the number of files (renameLimit); only a thousand large
// files of like size reach it, and then are told apart no further.
const renameWork = 1_000_000_000

func (s *Store) newComparer() *comparer {
	return &comparer{store: s, spans: map[hash]spans{}, work: renameWork}
}

// score is the estimate for two places; 0 when they differ too much in size.
func (c *comparer) score(old, new place) int {
	if !old.mode.isRegular() || !new.mode.isRegular() {
		return 0
	}
	a, b := c.store.blobs[old.id], c.store.blobs[new.id]
	larger, smaller := max(len(a), len(b)), min(len(a), len(b))
	if larger*(maxScore-minScore) < (larger-smaller)*maxScore || len(b) == 0 || c.work < 0 {
		return 0
	}
	s, t := c.of(old.id), c.of(new.id)
	c.work -= len(s) + len(t)
	return s.copied(t) * maxScore / larger
}

func (c *comparer) of(id hash) spans {
	s, known := c.spans[id]
	if !known {
		data := c.store.blobs[id]
		s = newSpans(data)
		c.work -= len(data)
		c.spans[id] = s
	}
	return s
}
