package server

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// T6, DIFF-06, DIFF-07
func TestAWindowSaysWhatIsUnusual(t *testing.T) {
	for name, test := range map[string]struct {
		data         string
		start, limit int
		want         string // of the numbered lines
		notes        []string
		total        int
	}{
		"plain":          {"a\nb\n", 1, 400, "1\ta\n2\tb\n", nil, 2},
		"from the third": {"a\nb\nc\nd\n", 3, 1, "3\tc\n", nil, 4},
		"beyond the end": {"a\n", 5, 400, "", nil, 1},
		"empty":          {"", 1, 400, "", nil, 0},
		"one empty line": {"\n", 1, 400, "1\t\n", nil, 1},
		"no line break":  {"a\nb", 1, 400, "1\ta\n2\tb\n", []string{"its last line does not end in a line break"}, 2},
		"CR LF":          {"a\r\nb\r\n", 1, 400, "1\ta\n2\tb\n", []string{"its lines end in CR LF"}, 2},
		"CR LF, the last without": {"a\r\nb", 1, 400, "1\ta\n2\tb\n",
			[]string{"its lines end in CR LF", "its last line does not end in a line break"}, 2},
		"mixed":             {"a\r\nb\nc\n", 1, 400, "1\ta\n2\tb\n3\tc\n", []string{"1 of its 3 lines end in CR LF, the others in LF"}, 3},
		"CR alone stays":    {"a\rb\n", 1, 400, "1\ta\rb\n", nil, 1},
		"CR at the end":     {"a\r", 1, 400, "1\ta\r\n", []string{"its last line does not end in a line break"}, 1},
		"byte order mark":   {"\xef\xbb\xbfpack\n", 1, 400, "1\tpack\n", []string{"it begins with a byte order mark (U+FEFF), left out here"}, 1},
		"CP1252":            {"\xe4 \xf6\n\xfc\n", 1, 400, "1\t\uFFFD \uFFFD\n2\t\uFFFD\n", []string{"it is not UTF-8; U+FFFD stands for bytes that could not be read"}, 2},
		"a real U+FFFD":     {"\uFFFD\n", 1, 400, "1\t\uFFFD\n", nil, 1},
		"another separator": {"a\u2028b\vc\n", 1, 400, "1\ta\u2028b\vc\n", nil, 1},
	} {
		w := windowOf([]byte(test.data), true, test.start, test.limit)
		if w.raw != test.want || w.total != test.total {
			t.Errorf("%s: lines %q of %d, want %q of %d", name, w.raw, w.total, test.want, test.total)
		}
		if diff := cmp.Diff(test.notes, w.notes); diff != "" {
			t.Errorf("%s: notes (-want +got):\n%s", name, diff)
		}
	}
	for data, want := range map[string]string{"\xff\xfea\x00": "UTF-16LE", "\xfe\xff\x00a": "UTF-16BE", "\xff\xfe\x00\x00a\x00\x00\x00": "UTF-32LE", "a": "", "": ""} {
		if got := encodingOf([]byte(data)); got != want || isText([]byte(data)) != (want == "") {
			t.Errorf("%q begins as %q, text %v; want %q", data, got, isText([]byte(data)), want)
		}
	}
}

// T6. However the lines are, each form of a window keeps to its bound, and
// windows one after the other give every line.
func TestWindowsKeepToTheBoundAndLoseNoLine(t *testing.T) {
	for name, line := range map[string]string{
		"short": "x", "markup": strings.Repeat("<&>", 300), "hidden": strings.Repeat("\u202e", 900), "pears": strings.Repeat("🍐", 499),
		"quotes": strings.Repeat(`"\`, 450), "controls": strings.Repeat("\x01", 900),
	} {
		const lines = 1000
		data := []byte(strings.Repeat(line+"\n", lines))
		seen := 0
		for start := 1; ; {
			w := windowOf(data, true, start, maxWindow)
			if units(w.raw) > maxWindowSize+2 || units(w.shown) > maxWindowSize+2 {
				t.Fatalf("%s: from %d: %d and %d units", name, start, units(w.raw), units(w.shown))
			}
			if w.first != seen+1 || w.last < w.first || w.last-w.first >= maxWindow {
				t.Fatalf("%s: from %d come lines %d to %d", name, start, w.first, w.last)
			}
			for n := w.first; n <= w.last; n++ {
				if want := fmt.Sprintf("%d\t%s\n", n, line); !strings.Contains(w.raw, want) {
					t.Fatalf("%s: line %d is not as it is", name, n)
				}
			}
			if seen = w.last; !w.more() {
				break
			}
			start = w.last + 1
		}
		if seen != lines {
			t.Errorf("%s: %d lines were seen", name, seen)
		}
	}
}

// T6. A long line is cut, and says by how much; alone it may fill the window.
func TestALongLineIsCutAndAloneBringsMore(t *testing.T) {
	for _, c := range []string{"x", "<", "🍐", "\u202e"} {
		data := []byte(strings.Repeat(c, 50_000) + "\nnext\n")
		all := len([]rune(c)) * 50_000
		if c == "🍐" {
			all *= 2
		}
		w := windowOf(data, true, 1, maxWindow)
		if w.last != 2 || w.cuts[1] != all-maxLine || w.cuts[2] != 0 || !strings.Contains(w.raw, fmt.Sprintf("[%d characters left out]", all-maxLine)) {
			t.Errorf("%q: lines to %d, cuts %v", c, w.last, w.cuts)
		}
		alone := windowOf(data, true, 1, 1)
		size := max(units(alone.raw), units(alone.shown)) - 2
		if alone.last != 1 || size > maxWindowSize || size < maxWindowSize-100 || alone.cuts[1] >= w.cuts[1] {
			t.Errorf("%q alone: lines to %d, %d units, cuts %v", c, alone.last, size, alone.cuts)
		}
	}
}

// Of a text that was not read to its end, the line that broke off is not shown.
func TestALineThatBrokeOffIsNotShown(t *testing.T) {
	w := windowOf([]byte("one\ntwo\nthr"), false, 1, 400)
	if w.raw != "1\tone\n2\ttwo\n" || !w.more() || w.total != 2 || len(w.notes) > 0 {
		t.Errorf("%+v", w)
	}
}

func FuzzAWindowIsValidAndBounded(f *testing.F) {
	f.Add("a\r\nb", true, 1, 400)
	f.Add("\xef\xbb\xbf\xff\n", false, 1, 1)
	f.Add("🍐\u202e<&>\x00\n\n", true, 2, 3)
	f.Fuzz(func(t *testing.T, data string, whole bool, start, limit int) {
		start, limit = max(start, 1), min(max(limit, 1), maxWindow)
		w := windowOf([]byte(data), whole, start, limit)
		if !utf8.ValidString(w.raw) || !utf8.ValidString(w.shown) {
			t.Error("no valid UTF-8")
		}
		if units(w.raw) > maxWindowSize+2 || units(w.shown) > maxWindowSize+2 {
			t.Error("too large")
		}
		if n := strings.Count(w.shown, "\n"); n != w.last-w.first+1 || n > limit || n != strings.Count(w.raw, "\n") {
			t.Errorf("%d lines for %d to %d", n, w.first, w.last)
		}
		if start <= w.total && w.last < w.first {
			t.Error("no line though there is one")
		}
	})
}
