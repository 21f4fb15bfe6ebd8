package content

import (
	"fmt"
	"strings"
)

// quotePath writes a path as git does where a line break, a quote or a byte
// outside ASCII would be misread (core.quotePath is on).
func quotePath(path string) string {
	const short = "\a\b\t\n\v\f\r\"\\"
	const letters = `abtnvfr"\`
	var b strings.Builder
	plain := true
	for i := range len(path) {
		c := path[i]
		switch k := strings.IndexByte(short, c); {
		case k >= 0:
			b.WriteByte('\\')
			b.WriteByte(letters[k])
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
			continue
		}
		plain = false
	}
	if plain {
		return path
	}
	return `"` + b.String() + `"`
}
