package fakebb

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// encode returns v as Bitbucket's serialiser writes it: HTML characters and
// the line separators U+2028 and U+2029 as they are, and no line break at the
// end (bitbucket-rest.md 18.11, 18.12).
func encode(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		// Every answer is made of the types of this package.
		panic(fmt.Sprintf("fakebb: %T cannot be written as JSON: %v", v, err))
	}
	return rawSeparators(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// rawSeparators undoes what encoding/json insists on: the escapes of U+2028
// and U+2029. A backslash that is itself escaped begins nothing.
func rawSeparators(b []byte) []byte {
	if !bytes.Contains(b, []byte(`\u202`)) {
		return b
	}
	raw := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] != '\\':
			raw = append(raw, b[i])
		case bytes.HasPrefix(b[i:], []byte(`\u2028`)):
			raw = append(raw, "\u2028"...)
			i += len(`\u2028`) - 1
		case bytes.HasPrefix(b[i:], []byte(`\u2029`)):
			raw = append(raw, "\u2029"...)
			i += len(`\u2029`) - 1
		default:
			raw = append(raw, b[i], b[i+1])
			i++
		}
	}
	return raw
}

// member is one key of an object whose keys are data.
type member struct {
	key   string
	value any
}

// object is such an object. Its keys keep their order, which a map's do not.
type object []member

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(m.key))
		b.WriteByte(':')
		b.Write(encode(m.value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
