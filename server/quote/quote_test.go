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
