package fakebb

import (
	"strings"
	"testing"
)

// V17: a pattern made to be slow costs no more than its length times the ref's.
func TestHostileGlobsCostTheProductOfTheLengths(t *testing.T) {
	const segments, parts = 200, 1000
	calls := 0
	a := segment{takes: func(s string) bool { calls++; return s == "a" }}
	var g glob
	for range segments {
		g = append(g, everySegment, a)
	}
	g = append(g, everySegment, segment{takes: func(string) bool { calls++; return false }})
	ref := strings.Split(strings.Repeat("a/", parts)+"b", "/")
	if g.matches(ref) {
		t.Fatal("the pattern ends with what nothing matches")
	}
	if most := len(g) * len(ref); calls > most {
		t.Errorf("%d comparisons, want at most %d", calls, most)
	}
}

func TestTwoStarsTakeAnyNumberOfSegments(t *testing.T) {
	g := glob{everySegment, {takes: func(s string) bool { return s == "a" }}, everySegment, {takes: func(s string) bool { return s == "b" }}}
	for path, want := range map[string]bool{
		"a/b": true, "x/a/b": true, "a/x/y/b": true, "a/b/b": true, "a/b/a/b": true,
		"a": false, "b": false, "b/a": false, "a/b/c": false, "": false,
	} {
		if got := g.matches(strings.Split(path, "/")); got != want {
			t.Errorf("**/a/**/b and %q: %v, want %v", path, got, want)
		}
	}
}
