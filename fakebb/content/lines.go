package content

import "bytes"

// splitLines cuts a text after each line feed; the line keeps it.
func splitLines(data []byte) [][]byte {
	lines := make([][]byte, 0, bytes.Count(data, []byte{'\n'})+1)
	for len(data) > 0 {
		end := bytes.IndexByte(data, '\n') + 1
		if end == 0 {
			end = len(data)
		}
		lines = append(lines, data[:end:end])
		data = data[end:]
	}
	return lines
}

// isSpace is what git calls white space, in every locale.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// classifier numbers lines so that equal ones have the same number.
type classifier struct {
	ignoreSpace bool
	numbers     map[string]int
	key         []byte
}

func newClassifier(ignoreSpace bool) *classifier {
	return &classifier{ignoreSpace: ignoreSpace, numbers: map[string]int{}}
}

func (c *classifier) classes(lines [][]byte) []int {
	classes := make([]int, len(lines))
	for i, line := range lines {
		if c.ignoreSpace {
			c.key = c.key[:0]
			for _, b := range line {
				if !isSpace(b) {
					c.key = append(c.key, b)
				}
			}
			line = c.key
		}
		n, known := c.numbers[string(line)]
		if !known {
			n = len(c.numbers)
			c.numbers[string(line)] = n
		}
		classes[i] = n
	}
	return classes
}

// binaryWindow is how far git looks for a NUL before it calls content text.
const binaryWindow = 8000

func isBinary(data []byte) bool { return IsBinary(data) }

// IsBinary says whether git takes a content for binary: there is a NUL near its
// beginning.
func IsBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), binaryWindow)], 0) >= 0
}

// edit is a run of old lines that a run of new lines takes the place of.
type edit struct{ old, oldLen, new, newLen int }

// algorithm is one of git's ways of pairing lines.
type algorithm int

const (
	// myers is what git diff and git blame do.
	myers algorithm = iota
	// histogram is what git merge pairs lines by.
	histogram
)

// lineDiff compares two texts. Its edits are git's: same algorithm, same
// short cuts where a shortest answer costs too much, and groups of changed
// lines moved to where git moves them (by indentation only when told to).
func lineDiff(old, new [][]byte, how algorithm, ignoreSpace, byIndent bool) []edit {
	c := newClassifier(ignoreSpace)
	a := side{lines: old, class: c.classes(old), changed: make([]bool, len(old))}
	b := side{lines: new, class: c.classes(new), changed: make([]bool, len(new))}
	work := workLimit
	switch how {
	case histogram:
		compareHistogram(a.class, b.class, a.changed, b.changed, &work)
	default:
		compareMyers(a.class, b.class, a.changed, b.changed, &work)
	}
	compact(&a, &b, byIndent)
	compact(&b, &a, byIndent)
	return editsOf(a.changed, b.changed)
}

// workLimit bounds the steps of one comparison of two files. Git has no such
// limit; only texts for which it takes seconds reach it, and what is left then
// counts as changed as a whole, so that the diff is longer and still right.
const workLimit = 100_000_000

func editsOf(oldChanged, newChanged []bool) []edit {
	var edits []edit
	i, j := 0, 0
	for i < len(oldChanged) || j < len(newChanged) {
		e := edit{old: i, new: j}
		for i < len(oldChanged) && oldChanged[i] {
			i++
		}
		for j < len(newChanged) && newChanged[j] {
			j++
		}
		e.oldLen, e.newLen = i-e.old, j-e.new
		if e.oldLen > 0 || e.newLen > 0 {
			edits = append(edits, e)
			continue
		}
		i++
		j++
	}
	return edits
}
