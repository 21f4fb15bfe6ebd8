package content

// maxOccurrences is how often a line may occur before git's histogram algorithm
// does not build on it.
const maxOccurrences = 64

// compareHistogram marks the lines that differ by git's histogram algorithm: it
// cuts both texts at the longest run of equal lines around the rarest of them,
// and goes on on both sides. Where every common line is frequent it leaves the
// region to compareMyers.
func compareHistogram(old, new []int, oldChanged, newChanged []bool, work *int) {
	for {
		if len(old) == 0 || len(new) == 0 {
			mark(oldChanged)
			mark(newChanged)
			return
		}
		h := newOccurrences(old, new, work)
		common, found := h.search()
		switch {
		case !found && h.sawCommon || *work < 0:
			compareMyers(old, new, oldChanged, newChanged, work)
			return
		case !found:
			mark(oldChanged)
			mark(newChanged)
			return
		}
		compareHistogram(old[:common.a0], new[:common.b0], oldChanged[:common.a0], newChanged[:common.b0], work)
		old, oldChanged = old[common.a1:], oldChanged[common.a1:]
		new, newChanged = new[common.b1:], newChanged[common.b1:]
	}
}

func mark(changed []bool) {
	for i := range changed {
		changed[i] = true
	}
}

// occurrences knows where each line of the old region stands.
type occurrences struct {
	old, new []int
	at       map[int][]int
	// rarest is how often the rarest line of the best run so far occurs.
	rarest    int
	sawCommon bool
	work      *int
}

func newOccurrences(old, new []int, work *int) *occurrences {
	h := &occurrences{old: old, new: new, at: map[int][]int{}, rarest: maxOccurrences + 1, work: work}
	for i, class := range old {
		h.at[class] = append(h.at[class], i)
	}
	*work -= len(old) + len(new)
	return h
}

// search finds the run of equal lines to cut at.
func (h *occurrences) search() (box, bool) {
	var best box
	found := false
	for b := 0; b < len(h.new); {
		next := b + 1
		at := h.at[h.new[b]]
		if len(at) > 0 {
			h.sawCommon = true
		}
		if len(at) > h.rarest {
			at = nil
		}
		end := -1 // runs that were seen from an earlier occurrence are skipped
		for _, a := range at {
			if a < end {
				continue
			}
			run, rarity := h.run(a, b, len(at))
			end = run.a1
			next = max(next, run.b1)
			if rarity < h.rarest || found && run.a1-run.a0 > best.a1-best.a0 {
				best, found, h.rarest = run, true, rarity
			}
		}
		b = next
	}
	return best, found
}

// run widens a pair of equal lines as far as the lines around them are equal,
// and says how often the rarest of them occurs.
func (h *occurrences) run(a, b, rarity int) (box, int) {
	bx := box{a, a + 1, b, b + 1}
	for bx.a0 > 0 && bx.b0 > 0 && h.old[bx.a0-1] == h.new[bx.b0-1] {
		bx.a0--
		bx.b0--
		rarity = min(rarity, len(h.at[h.old[bx.a0]]))
	}
	for bx.a1 < len(h.old) && bx.b1 < len(h.new) && h.old[bx.a1] == h.new[bx.b1] {
		rarity = min(rarity, len(h.at[h.old[bx.a1]]))
		bx.a1++
		bx.b1++
	}
	*h.work -= bx.a1 - bx.a0
	return bx, rarity
}
