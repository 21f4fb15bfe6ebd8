// Package quote sets off text by strangers in what a model reads, so that it
// is seen as data: its author is named, it stands in a fence it cannot close,
// and invisible or direction-changing characters are written out (T11).
package quote

import (
	"fmt"
	"strings"
	"unicode"
)

// Line gives text as one line, in quotation marks, with what would break out
// of the line or hide in it escaped.
func Line(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return `"` + escaped.Replace(Visible(text)) + `"`
}

// escaped writes what could end a line in quotation marks before its end.
var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// Block gives text by author as a fenced block.
func Block(author, text string) string {
	text = strings.TrimRight(Visible(strings.ReplaceAll(text, "\r\n", "\n")), "\n")
	return Fence("text written by "+strings.ReplaceAll(Line(author), "`", "'"), text)
}

// Fence sets text, which is not changed, between fences with label on the
// first. They are longer than any run of backticks in the text.
func Fence(label, text string) string {
	longest, run := 2, 0
	for _, r := range text {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	return fence + label + "\n" + text + "\n" + fence
}

// Numbered sets lines that each begin with their number, in which nothing is
// hidden, between fences. No such line can be a fence.
func Numbered(lines string) string { return "```text\n" + lines + "```" }

// Visible writes invisible and direction-changing characters as their code
// points, such as <U+202E>. Line breaks and tabs stay.
func Visible(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return hidden(r) || presentation(r) }) < 0 {
		return text
	}
	var b strings.Builder
	before := ' '
	for _, r := range text {
		if hidden(r) || presentation(r) && (presentation(before) || hidden(before) || unicode.IsSpace(before)) {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

// hidden says whether r is drawn as nothing or changes how its neighbours are
// drawn: controls, format characters (directional marks, zero-width
// characters, tags), separators of lines, fillers and blanks that are not
// drawn. A zero-width joiner inside an emoji is written out as well: seen too
// much is better than too little in what a model reads.
func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Noncharacter_Code_Point):
		return true
	case presentation(r):
		return false
	}
	return unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || r == '\u2800' || r == '\U0001D159'
}

// presentation says whether r chooses text or emoji for the character before
// it: ordinary after one that is drawn, and a way to hide bits elsewhere.
func presentation(r rune) bool { return r == '\uFE0E' || r == '\uFE0F' }
