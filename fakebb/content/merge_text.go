package content

import (
	"bytes"
	"slices"
)

// mergeTexts merges two texts that grew from one. It is clean when every edit
// of the one side and every edit of the other keep at least an unchanged line
// between them or are the same. The result is git's, which pairs lines by the
// histogram algorithm here.
func mergeTexts(base, ours, theirs []byte) (merged []byte, clean bool) {
	b, o, t := splitLines(base), splitLines(ours), splitLines(theirs)
	left := lineDiff(b, o, histogram, false, false)
	right := lineDiff(b, t, histogram, false, false)
	switch {
	case len(left) == 0:
		return theirs, true
	case len(right) == 0:
		return ours, true
	}
	var out [][]byte
	at := 0
	same := func(l, r edit) bool {
		return l.old == r.old && l.oldLen == r.oldLen && equalLines(o[l.new:l.new+l.newLen], t[r.new:r.new+r.newLen])
	}
	for _, r := range mergeRegions(left, right, len(o)-len(b), len(t)-len(b), same) {
		if r.by == both && !equalLines(o[r.ours:r.ours+r.oursLen], t[r.theirs:r.theirs+r.theirsLen]) {
			return nil, false
		}
		if r.by == onlyTheirs {
			out = append(out, o[at:r.ours]...)
			out = append(out, t[r.theirs:r.theirs+r.theirsLen]...)
			at = r.ours + r.oursLen
		}
	}
	return bytes.Join(append(out, o[at:]...), nil), true
}

func equalLines(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

// mergeRegion is a stretch that one side changed, or both.
type mergeRegion struct {
	by                changer
	base, baseLen     int
	ours, oursLen     int
	theirs, theirsLen int
}

type changer int

const (
	onlyOurs changer = iota
	onlyTheirs
	both
)

// mergeRegions lays the edits of two sides beside each other. Edits that overlap
// or touch become one region of both; the same edit on both sides is none.
// The growths are how many lines the sides are longer than the base.
func mergeRegions(left, right []edit, oursGrowth, theirsGrowth int, same func(l, r edit) bool) []mergeRegion {
	var regions []mergeRegion
	add := func(r mergeRegion) {
		if last := len(regions) - 1; last >= 0 {
			m := &regions[last]
			if r.ours <= m.ours+m.oursLen || r.theirs <= m.theirs+m.theirsLen {
				if r.by != m.by {
					m.by = both
				}
				m.baseLen = r.base + r.baseLen - m.base
				m.oursLen = r.ours + r.oursLen - m.ours
				m.theirsLen = r.theirs + r.theirsLen - m.theirs
				return
			}
		}
		regions = append(regions, r)
	}
	oursShift, theirsShift := 0, 0 // of what comes before the next edit
	for len(left) > 0 || len(right) > 0 {
		switch {
		case len(left) > 0:
			oursShift = left[0].new - left[0].old
		default:
			oursShift = oursGrowth
		}
		switch {
		case len(right) > 0:
			theirsShift = right[0].new - right[0].old
		default:
			theirsShift = theirsGrowth
		}
		if len(right) == 0 || len(left) > 0 && left[0].old+left[0].oldLen < right[0].old {
			e := left[0]
			add(mergeRegion{onlyOurs, e.old, e.oldLen, e.new, e.newLen, e.old + theirsShift, e.oldLen})
			left = left[1:]
			continue
		}
		if len(left) == 0 || right[0].old+right[0].oldLen < left[0].old {
			e := right[0]
			add(mergeRegion{onlyTheirs, e.old, e.oldLen, e.old + oursShift, e.oldLen, e.new, e.newLen})
			right = right[1:]
			continue
		}
		l, r := left[0], right[0]
		start, end := min(l.old, r.old), max(l.old+l.oldLen, r.old+r.oldLen)
		ours, theirs := start+oursShift, start+theirsShift
		if !same(l, r) {
			add(mergeRegion{
				both, start, end - start,
				ours, l.new + l.newLen + end - l.old - l.oldLen - ours,
				theirs, r.new + r.newLen + end - r.old - r.oldLen - theirs,
			})
		}
		if l.old+l.oldLen <= r.old+r.oldLen {
			left = left[1:]
		}
		if r.old+r.oldLen <= l.old+l.oldLen {
			right = right[1:]
		}
	}
	return regions
}
