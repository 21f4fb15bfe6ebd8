package diff

import "unicode/utf8"

// Units is how many UTF-16 units text takes in the JSON that goes over the
// wire, without the quotation marks around it: encoding/json escapes <, > and &
// as six each.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += width(r)
	}
	return n
}

func width(r rune) int {
	switch {
	case r == '"' || r == '\\' || r == '\n' || r == '\r' || r == '\t' || r == '\b' || r == '\f':
		return 2
	case r < 0x20 || r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029' || r == utf8.RuneError:
		return 6 // invalid bytes are written as \ufffd; U+FFFD itself is one, and counted too high
	case r > 0xFFFF:
		return 2
	}
	return 1
}
