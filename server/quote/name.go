package quote

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// Name gives a name that a next call may need, such as a path or a branch, as a
// JSON string: nothing of it is lost, spaces at its ends and line breaks in it
// included, and what is invisible or changes direction is written as \uXXXX.
func Name(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range name {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case hidden(r), presentation(r):
			for _, unit := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
