package quote

import (
	"fmt"
	"strings"
	"unicode"
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

// maxWord is how many bytes of a word stand without quotation marks.
const maxWord = 100

// Word gives what is one word everywhere but on a server that means no good: a
// state, a key, a login, a commit. It stands as it is, and as a Name where it
// is more than that.
func Word(word string) string {
	ordinary := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.@+~/:", r)
	}
	if len(word) <= maxWord && strings.TrimFunc(word, ordinary) == "" {
		return word
	}
	return Name(word)
}
