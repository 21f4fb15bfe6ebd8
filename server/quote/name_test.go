package quote_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bb-mcp/bb/server/quote"
)

// T11, DIFF-13. A model can send back the name it read.
func FuzzANameIsReadBackAsItWasAndHidesNothing(f *testing.F) {
	for _, name := range []string{"", "README.md", " a b ", "two\nlines.md", "a\tb", `quotes/"double".txt`, `back\slash`, "\u202egnp.exe", "\x1b[31mred", "tag\U000e0041", "ㅤ", "梨/🍐", "\u2028"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !utf8.ValidString(name) {
			return
		}
		quoted := quote.Name(name)
		var back string
		if err := json.Unmarshal([]byte(quoted), &back); err != nil || back != name {
			t.Errorf("Name(%q) = %s, which is read as %q (%v)", name, quoted, back, err)
		}
		if quote.Visible(quoted) != quoted || strings.ContainsAny(quoted, "\n\t") {
			t.Errorf("Name(%q) = %s hides something", name, quoted)
		}
	})
}

func TestOnlyAWordStandsBare(t *testing.T) {
	for word, want := range map[string]string{
		"IN_PROGRESS": "IN_PROGRESS", "dalia+ops@example.com": "dalia+ops@example.com", "~bo/scratch": "~bo/scratch", "Jørgen": "Jørgen",
		"": "", "a b": `"a b"`, "a). Merge": `"a). Merge"`, "a\nb": `"a\nb"`, "a\u202e": `"a\u202e"`, strings.Repeat("e", 101): `"` + strings.Repeat("e", 101) + `"`,
	} {
		if got := quote.Word(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}
