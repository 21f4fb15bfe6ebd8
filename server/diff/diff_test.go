package diff

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// file reads a diff from signs and lines, one hunk per @@ line. It numbers the
// lines as Bitbucket does: of an added line the source is the next source line
// (bitbucket-rest.md 13).
func file(t testing.TB, text string) bitbucket.FileDiff {
	t.Helper()
	f := bitbucket.FileDiff{}
	var h *bitbucket.Hunk
	var source, destination int
	for line := range strings.SplitSeq(text, "\n") {
		if rest, ok := strings.CutPrefix(line, "@@ "); ok {
			f.Hunks = append(f.Hunks, bitbucket.Hunk{})
			h = &f.Hunks[len(f.Hunks)-1]
			if _, err := fmt.Sscanf(rest, "%d %d", &source, &destination); err != nil {
				t.Fatal(err)
			}
			h.SourceLine, h.DestinationLine = source, destination
			continue
		}
		types := map[byte]string{' ': "CONTEXT", '+': "ADDED", '-': "REMOVED"}
		kind := types[line[0]]
		if n := len(h.Segments); n == 0 || h.Segments[n-1].Type != kind {
			h.Segments = append(h.Segments, bitbucket.Segment{Type: kind})
		}
		s := &h.Segments[len(h.Segments)-1]
		s.Lines = append(s.Lines, bitbucket.DiffLine{Source: source, Destination: destination, Line: line[1:]})
		if kind != "ADDED" {
			source++
		}
		if kind != "REMOVED" {
			destination++
		}
	}
	return f
}

// all is room for anything.
func all() Limits {
	return Limits{Units: 1 << 20, More: func(left, next int) string { return fmt.Sprintf("%d left, next %d", left, next) }}
}

func TestADiffIsWrittenAsUnifiedText(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"a change":                      {"@@ 4 4\n a\n-b\n+c\n d", "@@ -4,3 +4,3 @@\n a\n-b\n+c\n d"},
		"an insertion alone":            {"@@ 4 4\n+c", "@@ -3,0 +4,1 @@\n+c"},
		"a removal alone":               {"@@ 4 4\n-c", "@@ -4,1 +3,0 @@\n-c"},
		"a new file":                    {"@@ 0 1\n+c", "@@ -0,0 +1,1 @@\n+c"},
		"two hunks":                     {"@@ 1 1\n-a\n+b\n@@ 9 9\n-a\n+b", "@@ -1,1 +1,1 @@\n-a\n+b\n@@ -9,1 +9,1 @@\n-a\n+b"},
		"tabs stay":                     {"@@ 1 1\n+\ta\tb", "@@ -0,0 +1,1 @@\n+\ta\tb"},
		"an empty line":                 {"@@ 1 1\n a\n+\n b", "@@ -1,2 +1,3 @@\n a\n+\n b"},
		"what hides is seen (T11)":      {"@@ 1 1\n+a\u202Eb\u200Bc\uFEFF\x00\x1b[1m", "@@ -0,0 +1,1 @@\n+a<U+202E>b<U+200B>c<U+FEFF><U+0000><U+001B>[1m"},
		"CR on one line of two":         {"@@ 1 1\n a\n+b\r", "@@ -1,1 +1,2 @@\n a\n+b<U+000D>"},
		"CR on every line":              {"@@ 1 1\n a\r\n+b\r", "@@ -1,1 +1,2 @@\n a\n+b\n" + allCRLF},
		"what looks like heads is none": {"@@ 1 1\n--- a/x\n+++ b/x\n @@ -1 +1 @@\n diff --git a/x b/x\n \\ Cut here", "@@ -1,4 +1,4 @@\n--- a/x\n+++ b/x\n @@ -1 +1 @@\n diff --git a/x b/x\n \\ Cut here"}, // DIFF-10
		"bytes that are no text":        {"@@ 1 1\n+a\uFFFDb\n+\uFFFD", "@@ -0,0 +1,2 @@\n+a\uFFFDb\n+\uFFFD\n" + undecoded},                                                                                 // DIFF-06
		"lines that look the same":      {"@@ 1 1\n a\n-b\n-c\n+b\n+c", "@@ -1,3 +1,3 @@\n a\n-b\n-c\n+b\n+c\n" + sameLines},                                                                                 // DIFF-12
		"... before others":             {"@@ 1 1\n-b\n+b\n c", "@@ -1,2 +1,2 @@\n-b\n+b\n" + sameLines + "\n c"},
		"a last line with others":       {"@@ 1 1\n a\n-b\n+b\n+c", "@@ -1,2 +1,3 @@\n a\n-b\n+b\n+c\n" + sameEnd},
		"a moved line is no such":       {"@@ 1 1\n-b\n-a\n+a\n c", "@@ -1,3 +1,2 @@\n-b\n-a\n+a\n c"},
	} {
		got := Write(file(t, test.file), all())
		if diff := cmp.Diff(test.want, got.Text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if !got.Whole() {
			t.Errorf("%s: %+v is not whole", name, got)
		}
	}
}

func TestALineBreakInsideALineIsWrittenOut(t *testing.T) {
	f := file(t, "@@ 1 1\n+x")
	f.Hunks[0].Segments[0].Lines[0].Line = "a\n\\ Cut here"
	f.Hunks[0].Context = "func\n+x"
	want := "@@ -0,0 +1,1 @@ func<U+000A>+x\n+a<U+000A>\\ Cut here"
	if got := Write(f, all()).Text; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Both lines were cut at the same text: that is no sign of line endings.
func TestLinesThatBitbucketCutAreNotTakenForTheSame(t *testing.T) {
	f := file(t, "@@ 1 1\n-x\n+x")
	for i := range f.Hunks[0].Segments {
		f.Hunks[0].Segments[i].Lines[0].Truncated = true
	}
	got := Write(f, all()).Text
	if !strings.HasSuffix(got, sameStart) || !strings.Contains(got, "-x… (Bitbucket cut the line here)\n") {
		t.Errorf("got\n%s", got)
	}
}

// DIFF-14: nothing follows a cut but the one notice, and what was cut can be
// read on to the end, every line once.
func TestADiffIsCutBetweenLinesAndReadOn(t *testing.T) {
	var b strings.Builder
	for h := range 20 {
		fmt.Fprintf(&b, "@@ %d %d\n", 100*h+1, 100*h+1)
		for i := range 40 {
			fmt.Fprintf(&b, "%c<line %d of hunk %d>\n", " +-"[i%3], i, h)
		}
	}
	f := file(t, strings.TrimSuffix(b.String(), "\n"))
	whole := Write(f, all())
	if whole.Lines != 800 || whole.Added+whole.Removed != 20*(13+13) {
		t.Fatalf("%d lines, +%d -%d", whole.Lines, whole.Added, whole.Removed)
	}
	lines := func(text string) (lines []string) {
		for line := range strings.SplitSeq(text, "\n") {
			if line[0] != '@' && line[0] != '\\' {
				lines = append(lines, line)
			}
		}
		return lines
	}
	var read []string
	l := all()
	for l.Units = 3000; ; {
		got := Write(f, l)
		if n := Units(got.Text); n > l.Units {
			t.Fatalf("%d units, more than %d", n, l.Units)
		}
		if got.Added != whole.Added || got.Lines != whole.Lines {
			t.Errorf("a part counts %+v, the whole %+v", got, whole)
		}
		read = append(read, lines(got.Text)...)
		countedByHeads(t, got.Text)
		if got.Whole() {
			break
		}
		if notice := fmt.Sprintf(`\ %d left, next %d`, got.Lines-got.Next, got.Next); !strings.HasSuffix(got.Text, "\n"+notice) {
			t.Fatalf("the text does not end in %q:\n%s", notice, got.Text)
		}
		if got.Next <= l.Skip {
			t.Fatalf("skip %d leads to %d", l.Skip, got.Next)
		}
		l.Skip = got.Next
	}
	if diff := cmp.Diff(lines(whole.Text), read); diff != "" {
		t.Errorf("read in parts (-whole +parts):\n%s", diff)
	}
}

// countedByHeads holds the headers of hunks to the lines below them.
func countedByHeads(t testing.TB, text string) {
	t.Helper()
	if text == "" {
		return
	}
	var a, old, b, new int
	check := func() {
		if old != 0 || new != 0 {
			t.Fatalf("a header counts %d old and %d new lines too many:\n%s", old, new, text)
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" {
			t.Fatalf("a line is empty:\n%s", text)
		}
		switch line[0] {
		case '@':
			check()
			if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &a, &old, &b, &new); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		case ' ':
			old, new = old-1, new-1
		case '-':
			old--
		case '+':
			new--
		case '\\':
		default:
			t.Fatalf("%q is no line of a diff:\n%s", line, text)
		}
	}
	check()
}

func TestWhatBitbucketCutIsSaid(t *testing.T) {
	for level, cut := range map[string]func(*bitbucket.FileDiff){
		"file":    func(f *bitbucket.FileDiff) { f.Truncated = true },
		"hunk":    func(f *bitbucket.FileDiff) { f.Hunks[0].Truncated = true },
		"segment": func(f *bitbucket.FileDiff) { f.Hunks[0].Segments[0].Truncated = true },
	} {
		f := file(t, "@@ 1 1\n+a")
		if Write(f, all()).Truncated {
			t.Error("a whole diff is called truncated")
		}
		cut(&f)
		got := Write(f, all())
		if !got.Truncated || !strings.HasSuffix(got.Text, "\n"+cutByBitbucket) {
			t.Errorf("cut at the %s: %+v", level, got)
		}
	}
}

func TestALongLineIsCutWhereItDiffers(t *testing.T) {
	long := strings.Repeat("é<", 1500)
	got := Write(file(t, "@@ 1 1\n-"+long+"one"+long+"\n+"+long+"two"+long), all()).Text
	for _, want := range []string{"-(the same 2960 characters)…é<", "one", "+(the same 2960 characters)…", "two", " more characters)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	got = Write(file(t, "@@ 1 1\n+"+strings.Repeat("a", 3000)), all()).Text
	if want := fmt.Sprintf("(%d more characters)", 3000-strings.Count(got, "a")+strings.Count(" more characters", "a")); !strings.HasSuffix(got, want) {
		t.Errorf("the line ends in %q, want %q", got[len(got)-40:], want)
	}
}

// T6
func TestUnitsAreThoseOfTheWire(t *testing.T) {
	for _, text := range []string{"", "plain", "<a href=\"x\">&</a>", "tab\tand\nbreak\r", "\x00\x1f\b\f\x7f", "é漢🍎", "\u2028\u2029", `\`} {
		data, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := Units(text), len(utf16.Encode([]rune(string(data))))-2; got != want {
			t.Errorf("Units(%q) = %d, want %d", text, got, want)
		}
	}
}

func FuzzWrite(f *testing.F) {
	f.Add([]byte(`{"hunks":[{"context":"f()","sourceLine":1,"sourceSpan":1,"destinationLine":1,"destinationSpan":1,"segments":[{"type":"REMOVED","lines":[{"source":1,"destination":1,"line":"a"}]},{"type":"ADDED","lines":[{"source":2,"destination":1,"line":"a\r","truncated":true}]}]}],"truncated":true}`), 4000, 0)
	f.Add([]byte(`{"hunks":[{"sourceLine":-9223372036854775808,"segments":[{"lines":[{"source":-1,"line":"\u2028\n<>"}]},{"type":"ADDED"},{"type":"REMOVED"}]},{}]}`), 100, 1)
	f.Add([]byte(`{"hunks":null}`), 0, -1)
	f.Fuzz(func(t *testing.T, data []byte, limit, skip int) {
		var d bitbucket.FileDiff
		if json.Unmarshal(data, &d) != nil {
			return
		}
		l := all()
		l.Units, l.Skip = limit, skip
		got := Write(d, l)
		if n := Units(got.Text); n > max(limit, 0) && got.Text != "" {
			t.Errorf("%d units, more than %d:\n%s", n, limit, got.Text)
		}
		if got.Next < 0 || got.Next > got.Lines {
			t.Errorf("next is %d of %d", got.Next, got.Lines)
		}
		if limit >= 2500 && got.Lines > max(skip, 0) && got.Next <= skip {
			t.Errorf("no line in %d units: %+v", limit, got)
		}
		countedByHeads(t, got.Text)
	})
}
