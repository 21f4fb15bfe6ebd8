package content

// side is one of the two files of a comparison.
type side struct {
	lines   [][]byte
	class   []int
	changed []bool
}

func (s *side) isChanged(i int) bool { return i >= 0 && i < len(s.changed) && s.changed[i] }

// group is a run of changed lines start..end, possibly empty: between any two
// unchanged lines, before the first and after the last there is exactly one, so
// that the groups of the two files correspond.
type group struct {
	side       *side
	start, end int
}

func firstGroup(s *side) group {
	g := group{side: s}
	for s.isChanged(g.end) {
		g.end++
	}
	return g
}

func (g *group) next() bool {
	if g.end == len(g.side.changed) {
		return false
	}
	g.start = g.end + 1
	for g.end = g.start; g.side.isChanged(g.end); g.end++ {
	}
	return true
}

func (g *group) previous() bool {
	if g.start == 0 {
		return false
	}
	g.end = g.start - 1
	for g.start = g.end; g.side.isChanged(g.start - 1); g.start-- {
	}
	return true
}

// slideUp moves the group one line up, which keeps the meaning of the diff when
// the line above equals the group's last one. Groups that touch become one.
func (g *group) slideUp() bool {
	s := g.side
	if g.start == 0 || s.class[g.start-1] != s.class[g.end-1] {
		return false
	}
	g.start--
	g.end--
	s.changed[g.start], s.changed[g.end] = true, false
	for s.isChanged(g.start - 1) {
		g.start--
	}
	return true
}

func (g *group) slideDown() bool {
	s := g.side
	if g.end == len(s.changed) || s.class[g.start] != s.class[g.end] {
		return false
	}
	s.changed[g.start], s.changed[g.end] = false, true
	g.start++
	g.end++
	for s.isChanged(g.end) {
		g.end++
	}
	return true
}

// compact moves the groups of changed lines of one file to where a reader
// expects them: beside a change of the other file when one can be reached, else
// (when byIndent) to where the indentation says that a block begins and ends,
// else as far down as they go. It is git's rule.
func compact(s, other *side, byIndent bool) {
	g, o := firstGroup(s), firstGroup(other)
	for {
		if g.start < g.end {
			settle(&g, &o, byIndent)
		}
		if !g.next() {
			return
		}
		o.next()
	}
}

func settle(g, o *group, byIndent bool) {
	var size, earliest int
	var beside bool
	for {
		size, beside = g.end-g.start, false
		for g.slideUp() {
			o.previous()
		}
		earliest = g.end
		beside = o.end > o.start
		for g.slideDown() {
			o.next()
			beside = beside || o.end > o.start
		}
		// Sliding may have joined the group with another; then both move on
		// together.
		if g.end-g.start == size {
			break
		}
	}
	switch {
	case g.end == earliest:
	case beside:
		for o.end == o.start && g.slideUp() {
			o.previous()
		}
	case byIndent:
		for best := bestEnd(g, earliest, size); g.end > best && g.slideUp(); {
			o.previous()
		}
	}
}

// maxSliding bounds how many places git considers for one group.
const maxSliding = 100

// bestEnd picks the end of a group that can stand anywhere between earliest and
// where it is now. Of equally good places the last is taken.
func bestEnd(g *group, earliest, size int) int {
	best, bestScore := -1, splitScore{}
	for end := max(earliest, g.end-size-1, g.end-maxSliding); end <= g.end; end++ {
		var score splitScore
		score.add(measureSplit(g.side.lines, end))
		score.add(measureSplit(g.side.lines, end-size))
		if best == -1 || !bestScore.betterThan(score) {
			best, bestScore = end, score
		}
	}
	return best
}

// splitPlace is what is around a cut before a line.
type splitPlace struct {
	atEnd bool
	// indent is that of the line after the cut, -1 when it is blank or missing.
	indent int
	// blanksBefore counts the blank lines right before the cut, indentBefore is
	// the indentation of the line before them, -1 when there is none; the same
	// after the line that follows the cut.
	blanksBefore, indentBefore int
	blanksAfter, indentAfter   int
}

// maxBlanks bounds how far git looks over blank lines.
const maxBlanks = 20

func measureSplit(lines [][]byte, at int) splitPlace {
	p := splitPlace{indent: -1, atEnd: at >= len(lines)}
	if !p.atEnd {
		p.indent = indentOf(lines[at])
	}
	look := func(i, step int) (blanks, indent int) {
		for ; i >= 0 && i < len(lines); i += step {
			if indent := indentOf(lines[i]); indent != -1 {
				return blanks, indent
			}
			if blanks++; blanks == maxBlanks {
				return blanks, 0
			}
		}
		return blanks, -1
	}
	p.blanksBefore, p.indentBefore = look(at-1, -1)
	p.blanksAfter, p.indentAfter = look(at+1, 1)
	return p
}

// maxIndent is where git stops to count.
const maxIndent = 200

// indentOf is how far a line is indented, tabs to columns of 8; -1 for a blank
// line.
func indentOf(line []byte) int {
	indent := 0
	for _, c := range line {
		switch {
		case !isSpace(c):
			return indent
		case c == ' ':
			indent++
		case c == '\t':
			indent += 8 - indent%8
		}
		if indent >= maxIndent {
			return maxIndent
		}
	}
	return -1
}

// splitScore is how bad the two ends of a group are where they are; less is
// better. The weights are git's, found by people who judged many diffs.
type splitScore struct{ indent, penalty int }

func (s *splitScore) add(p splitPlace) {
	if p.indentBefore == -1 && p.blanksBefore == 0 {
		s.penalty++ // the start of the file
	}
	if p.atEnd {
		s.penalty += 21
	}
	after, indent := 0, p.indent
	if indent == -1 {
		after, indent = 1+p.blanksAfter, p.indentAfter
	}
	blanks := p.blanksBefore + after
	s.penalty += -30*blanks + 6*after
	s.indent += indent
	weigh := func(amongBlanks, otherwise int) {
		if blanks != 0 {
			s.penalty += amongBlanks
		} else {
			s.penalty += otherwise
		}
	}
	switch {
	case indent == -1 || p.indentBefore == -1 || indent == p.indentBefore:
	case indent > p.indentBefore:
		weigh(10, -4)
	case p.indentAfter != -1 && p.indentAfter > indent:
		weigh(17, 24) // less than before and than after: an outdent
	default:
		weigh(17, 23) // a dedent
	}
}

func (s splitScore) betterThan(t splitScore) bool {
	const perIndent = 60
	sign := 0
	switch {
	case s.indent > t.indent:
		sign = 1
	case s.indent < t.indent:
		sign = -1
	}
	return perIndent*sign+s.penalty-t.penalty < 0
}
