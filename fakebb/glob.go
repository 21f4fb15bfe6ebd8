package fakebb

// glob is a pattern over segments: those of a ref or of a path.
type glob []segment

// segment is one part of a glob.
type segment struct {
	many  bool // **: any number of segments, none included
	takes func(string) bool
}

// everySegment is what ** is; oneSegment is a * alone.
var (
	everySegment = segment{many: true}
	oneSegment   = segment{takes: func(string) bool { return true }}
)

// matches says whether the whole of parts is what the pattern describes. A **
// takes as little as it can, and only the last one is ever tried again, with one
// segment more: the work is at most the product of the two lengths, also for
// patterns made to be slow.
func (g glob) matches(parts []string) bool {
	i, j := 0, 0
	last, taken := -1, 0
	for j < len(parts) {
		switch {
		case i < len(g) && g[i].many:
			last, taken = i, j
			i++
		case i < len(g) && g[i].takes(parts[j]):
			i++
			j++
		case last >= 0:
			taken++
			i, j = last+1, taken
		default:
			return false
		}
	}
	for i < len(g) && g[i].many {
		i++
	}
	return i == len(g)
}
