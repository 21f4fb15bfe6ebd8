package diff

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// lines are the lines of a file's diff.
type lines struct {
	all []line
	// crlf says that every line ends in CR, so that it need not be said of each.
	crlf bool
	// truncated says that Bitbucket cut the diff at any level above a line.
	truncated bool
}

func linesOf(f bitbucket.FileDiff) lines {
	l := lines{crlf: true, truncated: f.Truncated}
	for i := range f.Hunks {
		h := &f.Hunks[i]
		l.truncated = l.truncated || h.Truncated
		last := i == len(f.Hunks)-1
		removed := 0 // where the block of changes begins
		for j, s := range h.Segments {
			l.truncated = l.truncated || s.Truncated
			sign := signOf(s.Type)
			if sign != '+' || j == 0 || signOf(h.Segments[j-1].Type) != '-' {
				removed = len(l.all)
			}
			added := len(l.all)
			for _, x := range s.Lines {
				l.crlf = l.crlf && strings.HasSuffix(x.Line, "\r")
				l.all = append(l.all, line{hunk: h, sign: sign, source: x.Source, destination: x.Destination, content: x.Line, cut: x.Truncated})
			}
			if sign == '+' && removed < added {
				l.compare(removed, added, last && j == len(h.Segments)-1)
			}
		}
	}
	l.crlf = l.crlf && len(l.all) > 0
	return l
}

func signOf(segment string) byte {
	switch segment {
	case "ADDED":
		return '+'
	case "REMOVED":
		return '-'
	}
	return ' '
}

// What is said of lines that are changed and look the same. Bitbucket's JSON
// has neither line endings nor a mark for a missing newline at the end of a
// file (bitbucket-rest.md 13).
const (
	sameLines = `\ The lines removed and added here have the same text: only their line endings differ, or the newline at the end of the file.`
	sameEnd   = `\ The last line is removed and added with the same text: only its line ending differs, or the newline at the end of the file.`
	sameStart = `\ The lines are the same as far as Bitbucket sends them; they differ further on.`
)

// compare says what differs between the lines removed from l.all[removed] on
// and those added from l.all[added] on, where their text does not show it.
// last says that they end the diff of the file.
func (l *lines) compare(removed, added int, last bool) {
	old, new := l.all[removed:added], l.all[added:]
	if len(new) == 0 {
		return
	}
	end := &new[len(new)-1]
	if len(old) == len(new) {
		same, beyond := true, false
		for i := range old {
			n := common(old[i].content, new[i].content)
			old[i].same, new[i].same = n, n
			equal := n == len(old[i].content) && n == len(new[i].content)
			same = same && equal
			beyond = beyond || equal && (old[i].cut || new[i].cut)
		}
		switch {
		case same && beyond:
			end.word = sameStart
		case same:
			end.word = sameLines
		}
		if same {
			return
		}
	}
	if !last {
		return
	}
	// A file that goes on where it ended before, or the other way round.
	if among(new, old[len(old)-1]) || among(old, *end) {
		end.word = sameEnd
	}
}

func among(lines []line, x line) bool {
	for _, y := range lines {
		if y.content == x.content && !y.cut && !x.cut && x.content != "" {
			return true
		}
	}
	return false
}

// common is how many bytes a and b begin with that are the same, in whole
// characters.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) || n > 0 && n < len(b) && !utf8.RuneStart(b[n]) {
		n--
	}
	return n
}

// clip writes the content of a line. Of one that is too long it leaves out the
// end, and before it what it has in common with the line it was changed from or
// to, so that what differs is seen.
func clip(content string, same int, cut bool) string {
	text := visible(content)
	if Units(text) <= maxLine {
		if cut {
			text += "… (Bitbucket cut the line here)"
		}
		return text
	}
	const before, words = 40, 120 // characters kept before a difference; room for what is said
	prefix := ""
	if skip := back(content, min(same, len(content)), before); skip > 4*before {
		prefix = fmt.Sprintf("(the same %d characters)…", utf8.RuneCountInString(content[:skip]))
		content = content[skip:]
	}
	text = visible(content)
	kept := head(text, maxLine-words)
	if kept == text {
		if cut {
			kept += "… (Bitbucket cut the line here)"
		}
		return prefix + kept
	}
	left := utf8.RuneCountInString(text) - utf8.RuneCountInString(kept) + 1
	if cut {
		return fmt.Sprintf("%s%s (%d more characters, and what Bitbucket cut)", prefix, kept, left)
	}
	return fmt.Sprintf("%s%s (%d more characters)", prefix, kept, left)
}

// back is where the last n characters of text[:end] begin.
func back(text string, end, n int) int {
	for ; n > 0 && end > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:end])
		end -= size
	}
	return end
}

// head is text cut to n units, with a … at its end where it was cut.
func head(text string, n int) string {
	if Units(text) <= n {
		return text
	}
	room := n - 1
	for i, r := range text {
		w := width(r)
		if w > room {
			return text[:i] + "…"
		}
		room -= w
	}
	return text
}
