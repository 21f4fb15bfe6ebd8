package content

import "math"

// The facts of git's default algorithm: Myers' linear-space search from both
// ends, after lines that cannot match are set aside, with the short cuts that
// git takes when the search grows long.
const (
	// longSnake is how many equal lines in a row make a diagonal promising.
	longSnake = 20
	// shortCutCost is the edit cost from which promising diagonals are taken
	// without looking for better ones.
	shortCutCost = 256
	// shortCutGain is how much further than its cost such a diagonal must be.
	shortCutGain = 4
	// minMaxCost is the least cost at which the search is given up for the
	// furthest point it reached; for long files it is about the square root
	// of the number of lines.
	minMaxCost = 256
	// maxFrequency bounds from how many matches on a line counts as common.
	maxFrequency = 1024
	// runWindow is how far around a common line others are looked at.
	runWindow = 100
)

// roughRoot is git's estimate of a square root: a power of two.
func roughRoot(n int) int {
	root := 1
	for ; n > 0; n >>= 2 {
		root <<= 1
	}
	return root
}

// compareMyers marks the lines that differ.
func compareMyers(old, new []int, oldChanged, newChanged []bool, work *int) {
	head := 0
	for head < len(old) && head < len(new) && old[head] == new[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(new)-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	inOld, inNew := countClasses(old), countClasses(new)
	s := search{work: work}
	s.a = newSequence(old, head, len(old)-tail, inNew, oldChanged)
	s.b = newSequence(new, head, len(new)-tail, inOld, newChanged)
	n, m := len(s.a.class), len(s.b.class)
	s.maxCost = max(roughRoot(n+m+3), minMaxCost)
	s.origin = m + 1
	s.forward = make([]int, n+m+3)
	s.backward = make([]int, n+m+3)
	s.compare(box{0, n, 0, m}, false)
}

func countClasses(classes []int) map[int]int {
	counts := make(map[int]int, len(classes))
	for _, c := range classes {
		counts[c]++
	}
	return counts
}

// sequence is what of a file takes part in the search.
type sequence struct {
	class []int
	// line is where each class came from.
	line    []int
	changed []bool
}

// newSequence keeps the lines from..to that have matches in the other file, and
// marks the others as changed at once. A line with very many matches is set
// aside too when it stands among lines without any.
func newSequence(classes []int, from, to int, inOther map[int]int, changed []bool) sequence {
	const (
		none = iota
		some
		common
	)
	limit := min(roughRoot(len(classes)), maxFrequency)
	matches := make([]byte, to-from)
	for i := range matches {
		switch n := inOther[classes[from+i]]; {
		case n == 0:
			matches[i] = none
		case n >= limit:
			matches[i] = common
		default:
			matches[i] = some
		}
	}
	// around counts what a run of lines from i in one direction is made of.
	around := func(i, step int) (without, commons int) {
		for r := 1; r <= runWindow; r++ {
			k := i + r*step
			if k < 0 || k >= len(matches) || matches[k] == some {
				break
			}
			if matches[k] == none {
				without++
			} else {
				commons++
			}
		}
		return without, commons
	}
	setAside := func(i int) bool {
		if matches[i] != common {
			return matches[i] == none
		}
		before, commonBefore := around(i, -1)
		if before == 0 {
			return false
		}
		after, commonAfter := around(i, 1)
		if after == 0 {
			return false
		}
		// The line itself counts on both of its sides.
		commons := commonBefore + commonAfter + 2
		return commons*4 < commons+before+after
	}
	s := sequence{changed: changed}
	for i := range matches {
		if setAside(i) {
			changed[from+i] = true
			continue
		}
		s.class = append(s.class, classes[from+i])
		s.line = append(s.line, from+i)
	}
	return s
}

func (s *sequence) markChanged(from, to int) {
	for _, line := range s.line[from:to] {
		s.changed[line] = true
	}
}

// box is a part of the table of the two sequences: a0..a1 against b0..b1.
type box struct{ a0, a1, b0, b1 int }

// search is the state of one comparison. A diagonal d is where a-b equals d;
// forward and backward hold the furthest a reached on it from each corner.
type search struct {
	a, b              sequence
	forward, backward []int
	origin            int
	maxCost           int
	work              *int
}

// meeting is where a box is cut in two, and which halves must be searched
// without short cuts because their cost is known to be small.
type meeting struct {
	a, b                int
	exactLow, exactHigh bool
}

func (s *search) compare(bx box, exact bool) {
	a, b := s.a.class, s.b.class
	for bx.a0 < bx.a1 && bx.b0 < bx.b1 && a[bx.a0] == b[bx.b0] {
		bx.a0++
		bx.b0++
	}
	for bx.a0 < bx.a1 && bx.b0 < bx.b1 && a[bx.a1-1] == b[bx.b1-1] {
		bx.a1--
		bx.b1--
	}
	if bx.a0 == bx.a1 || bx.b0 == bx.b1 || *s.work < 0 {
		s.a.markChanged(bx.a0, bx.a1)
		s.b.markChanged(bx.b0, bx.b1)
		return
	}
	m := s.split(bx, exact)
	s.compare(box{bx.a0, m.a, bx.b0, m.b}, m.exactLow)
	s.compare(box{m.a, bx.a1, m.b, bx.b1}, m.exactHigh)
}

// span is the range of diagonals that a search has reached; it grows by one at
// both ends per step, and at the sides of the box shrinks instead, so that
// diagonals of one step always have the same parity.
type span struct{ low, high int }

func (sp *span) grow(lowest, highest int, reached []int, origin, unreached int) {
	if sp.low > lowest {
		sp.low--
		reached[origin+sp.low-1] = unreached
	} else {
		sp.low++
	}
	if sp.high < highest {
		sp.high++
		reached[origin+sp.high+1] = unreached
	} else {
		sp.high--
	}
}

// split finds where a cheapest path crosses the box, or a good one when the
// cheapest would cost too much to find.
func (s *search) split(bx box, exact bool) meeting {
	lowest, highest := bx.a0-bx.b1, bx.a1-bx.b0
	fromTop, fromEnd := bx.a0-bx.b0, bx.a1-bx.b1
	odd := (fromTop-fromEnd)&1 != 0
	f, r := span{fromTop, fromTop}, span{fromEnd, fromEnd}
	fw, bw, o := s.forward, s.backward, s.origin
	fw[o+fromTop], bw[o+fromEnd] = bx.a0, bx.a1

	for cost := 1; ; cost++ {
		sawSnake := false
		f.grow(lowest, highest, fw, o, -1)
		for d := f.high; d >= f.low; d -= 2 {
			i, snake := s.slideForward(bx, d)
			sawSnake = sawSnake || snake > longSnake
			fw[o+d] = i
			if odd && r.low <= d && d <= r.high && bw[o+d] <= i {
				return meeting{i, i - d, true, true}
			}
		}
		r.grow(lowest, highest, bw, o, math.MaxInt)
		for d := r.high; d >= r.low; d -= 2 {
			i, snake := s.slideBackward(bx, d)
			sawSnake = sawSnake || snake > longSnake
			bw[o+d] = i
			if !odd && f.low <= d && d <= f.high && i <= fw[o+d] {
				return meeting{i, i - d, true, true}
			}
		}
		*s.work -= f.high - f.low + r.high - r.low + 2
		if exact && *s.work >= 0 {
			continue
		}
		if sawSnake && cost > shortCutCost {
			if m, ok := s.promisingForward(bx, f, fromTop, cost); ok {
				return m
			}
			if m, ok := s.promisingBackward(bx, r, fromEnd, cost); ok {
				return m
			}
		}
		if cost >= s.maxCost || *s.work < 0 {
			return s.furthest(bx, f, r)
		}
	}
}

// slideForward goes one edit on to diagonal d and then along equal lines.
func (s *search) slideForward(bx box, d int) (reached, snake int) {
	i := s.forward[s.origin+d+1]
	if left := s.forward[s.origin+d-1]; left >= i {
		i = left + 1
	}
	start := i
	for i < bx.a1 && i-d < bx.b1 && s.a.class[i] == s.b.class[i-d] {
		i++
	}
	*s.work -= i - start
	return i, i - start
}

func (s *search) slideBackward(bx box, d int) (reached, snake int) {
	i := s.backward[s.origin+d+1] - 1
	if left := s.backward[s.origin+d-1]; left <= i {
		i = left
	}
	start := i
	for i > bx.a0 && i-d > bx.b0 && s.a.class[i-1] == s.b.class[i-d-1] {
		i--
	}
	*s.work -= start - i
	return i, start - i
}

// promisingForward looks for a diagonal that got far for its cost and ends in
// a long run of equal lines.
func (s *search) promisingForward(bx box, f span, middle, cost int) (meeting, bool) {
	m, best := meeting{exactLow: true}, 0
	for d := f.high; d >= f.low; d -= 2 {
		i := s.forward[s.origin+d]
		j := i - d
		gain := i - bx.a0 + j - bx.b0 - abs(d-middle)
		if gain <= shortCutGain*cost || gain <= best ||
			i < bx.a0+longSnake || i >= bx.a1 || j < bx.b0+longSnake || j >= bx.b1 {
			continue
		}
		if s.equalRun(i-longSnake, j-longSnake) {
			best, m.a, m.b = gain, i, j
		}
	}
	return m, best > 0
}

func (s *search) promisingBackward(bx box, r span, middle, cost int) (meeting, bool) {
	m, best := meeting{exactHigh: true}, 0
	for d := r.high; d >= r.low; d -= 2 {
		i := s.backward[s.origin+d]
		j := i - d
		gain := bx.a1 - i + bx.b1 - j - abs(d-middle)
		if gain <= shortCutGain*cost || gain <= best ||
			i <= bx.a0 || i > bx.a1-longSnake || j <= bx.b0 || j > bx.b1-longSnake {
			continue
		}
		if s.equalRun(i, j) {
			best, m.a, m.b = gain, i, j
		}
	}
	return m, best > 0
}

func (s *search) equalRun(i, j int) bool {
	for k := range longSnake {
		if s.a.class[i+k] != s.b.class[j+k] {
			return false
		}
	}
	return true
}

// furthest gives up: it cuts at the point that got furthest from its corner.
func (s *search) furthest(bx box, f, r span) meeting {
	top, topA := -1, -1
	for d := f.high; d >= f.low; d -= 2 {
		i := min(s.forward[s.origin+d], bx.a1)
		if bx.b1 < i-d {
			i = bx.b1 + d
		}
		if sum := i + i - d; top < sum {
			top, topA = sum, i
		}
	}
	end, endA := math.MaxInt, math.MaxInt
	for d := r.high; d >= r.low; d -= 2 {
		i := max(s.backward[s.origin+d], bx.a0)
		if i-d < bx.b0 {
			i = bx.b0 + d
		}
		if sum := i + i - d; sum < end {
			end, endA = sum, i
		}
	}
	if bx.a1+bx.b1-end < top-(bx.a0+bx.b0) {
		return meeting{topA, top - topA, true, false}
	}
	return meeting{endA, end - endA, false, true}
}

func abs(n int) int { return max(n, -n) }
