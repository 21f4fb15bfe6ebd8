package server

import (
	"strings"
	"testing"
	"unicode/utf16"
)

// REST-12, T3
func TestAQueryIsKeptToItsPlace(t *testing.T) {
	place := Place{"ORCH", "catalogue"}
	for _, test := range []struct {
		query  string
		within Place
		want   string
	}{
		{"prune", Place{}, "prune"},
		{"  prune  ", Place{"ORCH", ""}, "prune project:ORCH"},
		{"prune frost", place, "prune frost project:ORCH repo:catalogue"},
		{"prune OR frost", place, "(prune OR frost) project:ORCH repo:catalogue"},
		{"x OR project:VAULT", place, "(x OR project:VAULT) project:ORCH repo:catalogue"},
		{`"a OR b"`, place, `"a OR b" project:ORCH repo:catalogue`},
		{`"main("`, Place{"~zoe", ""}, `"main(" project:~zoe`},
		{"(a OR b) NOT c lang:go", Place{}, "(a OR b) NOT c lang:go"},
		{`path:"a b" x`, Place{}, `path:"a b" x`},
	} {
		if got, err := codeQuery(test.query, test.within); err != nil || got != test.want {
			t.Errorf("codeQuery(%q, %v) = %q, %v; want %q", test.query, test.within, got, err, test.want)
		}
	}
}

// REST-12
func TestAQueryThatBitbucketWouldRefuseIsNamed(t *testing.T) {
	for _, test := range []struct{ query, want string }{
		{"", "needs a word"},
		{"== != //", "needs a word"},
		{"lang:go ext:md", "needs a word"},
		{"NOT AND OR", "needs a word"},
		{"main(", "parenthesis"},
		{"x) OR (y", "parenthesis"},
		{"x )(", "parenthesis"},
		{`say "hello`, "quotation mark"},
		{"a b c d e f g h i j", `drop "j"`},
		{"a b c d e f g h AND i OR j k", `drop "j" and "k"`},
		{strings.Repeat("x", 251), "251 characters long, and Bitbucket takes 250: shorten it"},
		{strings.Repeat("w ", 30) + "end", `drop "w" and "w" and "w" and "w" and "w" and 17 after them`},
		{strings.Repeat("x", 240) + " yyyyyyyyyy zzz", `drop "yyyyyyyyyy" and "zzz"`},
		{strings.Repeat("🍐", 124) + " pear", `253 characters long, and Bitbucket takes 250: drop "pear"`},
	} {
		got, err := codeQuery(test.query, Place{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("codeQuery(%q) = %q, %v; want an error with %q", test.query, got, err, test.want)
		}
	}
	if _, err := codeQuery("a b c d e f g h", Place{"ORCH", "catalogue"}); err == nil || !strings.Contains(err.Error(), "with project:ORCH repo:catalogue added") {
		t.Errorf("what is added counts: %v", err)
	}
	if got, err := codeQuery("a b c d e f g h i", Place{}); err != nil {
		t.Errorf("nine expressions: %q, %v", got, err)
	}
	if got, err := codeQuery(strings.Repeat("x", 250), Place{}); err != nil {
		t.Errorf("250 characters: %q, %v", got, err)
	}
}

// REST-12, T3. What goes out is never longer than Bitbucket takes, and what is
// within its parentheses stays there.
func FuzzAQueryStaysWithinItsParentheses(f *testing.F) {
	f.Add("a OR b", true)
	f.Add(`) OR (x "a ( b" -c`, true)
	f.Add(`a"b"c OR d)`, false)
	f.Fuzz(func(t *testing.T, query string, repo bool) {
		within := Place{Project: "ORCH"}
		if repo {
			within.Repo = "catalogue"
		}
		got, err := codeQuery(query, within)
		if err != nil {
			return
		}
		if n := len(utf16.Encode([]rune(got))); n > maxQuery {
			t.Errorf("%d characters", n)
		}
		depth := 0
		for i, c := range clausesOf(got) {
			switch c.text {
			case "(":
				depth++
			case ")":
				depth--
			case "OR":
				if depth == 0 {
					t.Errorf("clause %d of %q is an OR outside of parentheses", i, got)
				}
			}
		}
		if depth != 0 {
			t.Errorf("%q does not close", got)
		}
	})
}

// REST-11
func TestMarksAndEntitiesOfAHitAreDecoded(t *testing.T) {
	for marked, want := range map[string]struct {
		line string
		hit  bool
	}{
		"plain":                         {"plain", false},
		"a <em>tree</em>":               {"a tree", true},
		"&lt;em&gt;x&lt;&#x2F;em&gt;":   {"<em>x</em>", false},
		"&quot;<em>a</em>&#x2F;&#x27;":  {`"a/'`, true},
		"&amp;lt; <em>b</em> &amp;amp;": {"&lt; b &amp;", true},
	} {
		if line, hit := unmarked(marked); line != want.line || hit != want.hit {
			t.Errorf("unmarked(%q) = %q, %v", marked, line, hit)
		}
	}
}
