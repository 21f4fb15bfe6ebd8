package quote

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON is v as JSON in which what is invisible or changes direction is written
// as \uXXXX: the same value to a program, and to who reads the JSON itself
// nothing that hides.
func JSON(v any) (json.RawMessage, error) {
	data, err := json.Marshal(v)
	if err != nil || !bytes.ContainsFunc(data, escapes) {
		return data, err
	}
	out := make([]byte, 0, len(data)+len(data)/8)
	for len(data) > 0 {
		// Outside of strings there is nothing to escape.
		r, n := utf8.DecodeRune(data)
		if escapes(r) {
			for _, unit := range utf16.AppendRune(nil, r) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		} else {
			out = append(out, data[:n]...)
		}
		data = data[n:]
	}
	return out, nil
}

// escapes says whether JSON escapes r; line breaks between members are not in
// what json.Marshal gives.
func escapes(r rune) bool { return r >= 0x7F && (hidden(r) || presentation(r)) }
