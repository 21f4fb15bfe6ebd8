// Package diff writes the differences of one file, as Bitbucket sends them, as
// a unified diff that a model reads: bounded in the units that go over the
// wire, cut only between lines, with whatever hides in a line written out.
//
// Every line of the text begins with a space, a plus or a minus and is then a
// line of the file, or with @@ and then heads a hunk, or with a backslash and
// then is bb's own word. No line of a file can take the form of another kind.
package diff

import (
	"fmt"
	"strings"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

// Limits bound what is written.
type Limits struct {
	// Units is how many UTF-16 units the text takes at most as JSON, see
	// [Units].
	Units int
	// Skip is how many lines of the diff were read before; they are left out.
	Skip int
	// More says, at the place of a cut, that left lines follow and how they are
	// come by when next lines are skipped. Required.
	More func(left, next int) string
	// Beyond says, where Bitbucket cut the diff, how what follows is come by. It
	// may be empty.
	Beyond string
}

// Text is the diff of a file, or a part of it.
type Text struct {
	// Text is the diff without a line break at its end. It is empty when the
	// diff has no lines after those skipped, or the first does not fit.
	Text string
	// Lines is how many lines the diff has, headers of hunks not counted, and
	// Next how many of them were skipped or written.
	Lines, Next int
	// Added and Removed count lines of the whole diff. They are a beginning
	// only where it is Truncated.
	Added, Removed int
	// Truncated says that Bitbucket cut the diff.
	Truncated bool
}

// Whole says whether the text has the diff to its end.
func (t Text) Whole() bool { return t.Next == t.Lines }

// Bounds on what one line takes, in units of JSON.
const (
	maxLine    = 1000
	maxSection = 200
)

// What bb says at the end of a diff.
const (
	cutByBitbucket = `\ Bitbucket cut the diff here, at its limit of lines.`
	allCRLF        = `\ Every line here ends in CR LF.`
	undecoded      = `\ U+FFFD stands for bytes that are no text in the file's encoding.`
)

// notes is room for all that may be said at the end of a text.
const notes = len(cutByBitbucket) + len(allCRLF) + len(undecoded) + 4*4

// Write writes the diff of a file.
func Write(f bitbucket.FileDiff, l Limits) Text {
	lines := linesOf(f)
	t := Text{Lines: len(lines.all), Next: min(max(l.Skip, 0), len(lines.all)), Truncated: lines.truncated}
	for _, x := range lines.all {
		switch x.sign {
		case '+':
			t.Added++
		case '-':
			t.Removed++
		}
	}

	var b strings.Builder
	room := l.Units - notes - Units(l.Beyond) - 1
	if l.More != nil {
		room -= Units(`\ `+l.More(t.Lines, t.Lines)) + 2
	}
	var hunk run
	unknown := false
	write := func() {
		b.WriteString(hunk.String())
		hunk = run{}
	}
	for _, x := range lines.all[t.Next:] {
		text := x.text(lines.crlf)
		cost := Units(text) + 2
		if hunk.of != x.hunk || hunk.lines == nil {
			cost += headerUnits(x.hunk) + 2
		}
		if cost > room {
			break
		}
		room -= cost
		if hunk.of != x.hunk || hunk.lines == nil {
			write()
			hunk = run{of: x.hunk, source: x.source, destination: x.destination}
		}
		hunk.add(x, text)
		unknown = unknown || strings.ContainsRune(text, '\uFFFD')
		t.Next++
	}
	write()
	if b.Len() == 0 && t.Next < t.Lines {
		return t // there is no room for anything
	}
	say := func(word string) { b.WriteString(word + "\n") }
	if unknown {
		say(undecoded)
	}
	if lines.crlf && b.Len() > 0 {
		say(allCRLF)
	}
	switch {
	case t.Next < t.Lines && l.More != nil:
		say(`\ ` + l.More(t.Lines-t.Next, t.Next))
	case t.Truncated:
		say(strings.TrimSpace(cutByBitbucket + " " + l.Beyond))
	}
	t.Text = strings.TrimSuffix(b.String(), "\n")
	return t
}

// line is one line of a diff.
type line struct {
	hunk                *bitbucket.Hunk
	sign                byte
	source, destination int
	content             string
	cut                 bool // by Bitbucket
	// same is how many bytes at its beginning are those of the line that it is
	// changed from or to.
	same int
	// word is what is said below the line, or "".
	word string
}

// text is the line as it is written, with what is said below it.
func (x line) text(crlf bool) string {
	content := x.content
	if crlf {
		content = strings.TrimSuffix(content, "\r")
	}
	text := string(x.sign) + clip(content, x.same, x.cut)
	if x.word != "" {
		text += "\n" + x.word
	}
	return text
}

// run is a part of a hunk that is written, under a header that counts it.
type run struct {
	of                  *bitbucket.Hunk
	source, destination int // the numbers of its first line
	old, new            int // how many lines it has of either side
	lines               []string
}

func (r *run) add(x line, text string) {
	if x.sign != '+' {
		r.old++
	}
	if x.sign != '-' {
		r.new++
	}
	r.lines = append(r.lines, text)
}

// String is the run with its header. The header's numbers are those of the
// lines that follow, also where they are a part of Bitbucket's hunk.
func (r run) String() string {
	if len(r.lines) == 0 {
		return ""
	}
	start := func(number, span int) int {
		if span == 0 && number > 0 {
			return number - 1 // what is inserted stands after that line
		}
		return number
	}
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@%s\n%s\n", start(r.source, r.old), r.old, start(r.destination, r.new), r.new,
		section(r.of), strings.Join(r.lines, "\n"))
}

// section is the line that names where a hunk is, as a header ends in it.
func section(h *bitbucket.Hunk) string {
	if h.Context == "" {
		return ""
	}
	return " " + head(visible(h.Context), maxSection)
}

// headerUnits is more than a header of h takes.
func headerUnits(h *bitbucket.Hunk) int {
	const numbers = len("@@ -,+, @@ ") + 4*len("-9223372036854775808")
	return numbers + Units(section(h))
}

// visible is the content of a line with what hides in it or would break it
// written out; tabs stay.
func visible(content string) string {
	return strings.ReplaceAll(quote.Visible(content), "\n", "<U+000A>")
}
