package server

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/bb-mcp/bb/server/quote"
)

// The bounds of a window of a file.
const (
	maxWindow     = 400    // lines, or entries of an archive
	maxWindowSize = 40_000 // UTF-16 units as JSON, in each form of the answer
	maxLine       = 1_000  // UTF-16 units of a line, when more than one is asked for
)

// encodingOf says how bytes that no text in UTF-8 begins with are encoded, or
// "". UTF-16 is binary for Bitbucket, as for git (bug-log.md DIFF-07).
func encodingOf(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}):
		return "UTF-32LE"
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return "UTF-16LE"
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return "UTF-16BE"
	}
	return ""
}

// gitLooksAt is how many bytes git looks for a null byte in, to tell binary from
// text.
const gitLooksAt = 8000

func isText(data []byte) bool {
	return encodingOf(data) == "" && bytes.IndexByte(data[:min(len(data), gitLooksAt)], 0) < 0
}

// window is a part of a text, as numbered lines.
type window struct {
	first, last int // 1-based; last < first: no line
	total       int // how many lines were counted
	whole       bool
	raw, shown  string      // numbered lines: as they are, and with what hides written out
	cuts        map[int]int // how many UTF-16 units were left out of a line
	notes       []string    // what differs from plain UTF-8 with LF
}

// more says whether there are lines after the window.
func (w window) more() bool { return w.last < w.total || !w.whole }

// windowOf takes at most limit lines of a text, from line start on, and fewer
// where these would be too large. Of a text that was not read whole, the last
// line is left out when it was not either.
func windowOf(data []byte, whole bool, start, limit int) window {
	w := window{first: start, last: start - 1, whole: whole, cuts: map[int]int{}}
	if cutOff, ok := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); ok {
		data = cutOff
		w.notes = append(w.notes, "it begins with a byte order mark (U+FEFF), left out here")
	}
	if !whole {
		if end := bytes.LastIndexByte(data, '\n'); end >= 0 {
			data = data[:end+1]
		}
	}
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
		w.notes = append(w.notes, "it is not UTF-8; U+FFFD stands for bytes that could not be read")
	}
	var raw, shown strings.Builder
	rawLeft, shownLeft, crlf, full := maxWindowSize, maxWindowSize, 0, false
	for bytesOfLine := range bytes.Lines(data) {
		w.total++
		line, ended := bytes.CutSuffix(bytesOfLine, []byte("\n"))
		if returned, ok := bytes.CutSuffix(line, []byte("\r")); ok && ended {
			line = returned
			crlf++
		}
		if full || w.total < start || w.total >= start+limit {
			continue
		}
		r, s, left := numbered(w.total, string(line), limit == 1)
		rn, sn := units(r)-2, units(s)-2 // without the quotation marks
		if rn > rawLeft || sn > shownLeft {
			full = true
			continue
		}
		raw.WriteString(r)
		shown.WriteString(s)
		rawLeft, shownLeft = rawLeft-rn, shownLeft-sn
		w.last = w.total
		if left > 0 {
			w.cuts[w.total] = left
		}
	}
	w.raw, w.shown = raw.String(), shown.String()
	switch ended := w.total - unended(data); {
	case crlf > 0 && crlf == ended:
		w.notes = append(w.notes, "its lines end in CR LF")
	case crlf > 0:
		w.notes = append(w.notes, fmt.Sprintf("%d of its %d lines end in CR LF, the others in LF", crlf, w.total))
	}
	if whole && unended(data) == 1 {
		w.notes = append(w.notes, "its last line does not end in a line break")
	}
	return w
}

// unended is 1 when the last line has no line break, else 0.
func unended(data []byte) int {
	if len(data) > 0 && data[len(data)-1] != '\n' {
		return 1
	}
	return 0
}

// numbered gives a line with its number in both forms, and how many units of it
// were left out. A line that is alone may fill the window.
func numbered(number int, line string, alone bool) (raw, shown string, left int) {
	form := func(n int) (string, string, int) {
		kept, left := cut(line, n)
		mark := ""
		if left > 0 {
			mark = fmt.Sprintf(" … [%s left out]", plural(left, "character", "characters"))
		}
		return fmt.Sprintf("%d\t%s%s\n", number, kept, mark), fmt.Sprintf("%d\t%s%s\n", number, quote.Visible(kept), mark), left
	}
	if !alone {
		return form(maxLine)
	}
	fits := func(n int) bool {
		raw, shown, _ := form(n)
		return units(raw)-2 <= maxWindowSize && units(shown)-2 <= maxWindowSize
	}
	if n := maxWindowSize; !fits(n) {
		return form(sort.Search(n, func(k int) bool { return !fits(k + 1) }))
	}
	return form(maxWindowSize)
}
