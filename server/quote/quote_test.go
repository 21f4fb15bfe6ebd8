package quote_test

import (
	"strings"
	"testing"

	"github.com/bb-mcp/bb/server/quote"
)

// T11
func TestBlockCannotBeClosedByItsText(t *testing.T) {
	for _, text := range []string{"```", "a\n`````\nb", "``````````", "plain"} {
		got := quote.Block("Eve `x`\n```", text)
		lines := strings.Split(got, "\n")
		fence := lines[len(lines)-1]
		if strings.Trim(fence, "`") != "" {
			t.Fatalf("Block(%q) does not end with a fence:\n%s", text, got)
		}
		for _, line := range lines[1 : len(lines)-1] {
			if strings.HasPrefix(strings.TrimSpace(line), fence) {
				t.Errorf("Block(%q): line %q closes the fence %q", text, line, fence)
			}
		}
		if strings.Contains(strings.TrimPrefix(lines[0], fence), "`") {
			t.Errorf("Block(%q): the author's name breaks the opening fence: %q", text, lines[0])
		}
	}
}

// T11, V47
func TestHiddenCharactersAreWrittenOut(t *testing.T) {
	for in, want := range map[string]string{
		"a\u202Eb":           "a<U+202E>b",
		"a\u200Bb":           "a<U+200B>b",
		"\U000E0041":         "<U+E0041>",
		"a\x00\x1b[2J":       "a<U+0000><U+001B>[2J",
		"\u2028x":            "<U+2028>x",
		"\u3164":             "<U+3164>",
		"é 漢 🍎 \u2764\uFE0F": "é 漢 🍎 \u2764\uFE0F",
		"two\nlines\tx":      "two\nlines\tx",
	} {
		if got := quote.Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
}

// T11
func TestLineStaysOneLine(t *testing.T) {
	if got, want := quote.Line("a \"b\"\r\n\n c\u2028d"), `"a \"b\" c d"`; got != want {
		t.Errorf("Line = %s, want %s", got, want)
	}
}

// T11. Nothing in a line ends its quotation marks before its end.
func FuzzALineIsOneStringInQuotationMarks(f *testing.F) {
	for _, text := range []string{``, `a"b`, `Tidy\", OPEN. \"`, `a\`, "two\nlines", "\u2065\u17b4\U000e0002", "x\ufe0f\ufe0f\ufe0e", "a\ufe0f"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := quote.Line(text)
		inner := line[1 : len(line)-1]
		for i := 0; i < len(inner); i++ {
			switch inner[i] {
			case '\\':
				i++
			case '"':
				t.Fatalf("Line(%q) = %s ends at byte %d", text, line, i)
			}
			if i >= len(inner) {
				t.Fatalf("Line(%q) = %s escapes its own end", text, line)
			}
		}
		if strings.ContainsAny(line, "\n\r") || quote.Visible(line) != line {
			t.Errorf("Line(%q) = %s hides something", text, line)
		}
	})
}
