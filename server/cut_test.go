package server

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// T6
func TestCutCountsUTF16UnitsAndLosesNone(t *testing.T) {
	units := func(s string) int { return len(utf16.Encode([]rune(s))) }
	for _, text := range []string{"", "plain", strings.Repeat("a", 100), strings.Repeat("🍎", 100), strings.Repeat("line\n", 50), "é漢🍎" + strings.Repeat("x", 60), strings.Repeat("\n", 70)} {
		for _, n := range []int{0, 1, 2, 7, 50, 1000} {
			kept, left := cut(text, n)
			if !strings.HasPrefix(text, kept) || !utf8.ValidString(kept) {
				t.Fatalf("cut(%q, %d) = %q, not a beginning of it", text, n, kept)
			}
			if units(kept) > n {
				t.Errorf("cut(%q, %d) keeps %d units", text, n, units(kept))
			}
			if units(kept)+left != units(text) {
				t.Errorf("cut(%q, %d) keeps %d and leaves %d of %d units", text, n, units(kept), left, units(text))
			}
		}
	}
}
