package requiredbuilds

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// matchPattern reads a pattern as Bitbucket has Spring's AntPathMatcher read
// it, on the ref's full id (bitbucket-probed.md 2): "**/" is put in front
// unless the pattern begins with "**" or "refs/", and a "/" at its end stands
// for "/**". Empty segments count for nothing. Within a segment * is any text
// and ? one character; a segment ** is any number of segments; {name} is any
// text and {name:regex} what the expression matches.
func matchPattern(pattern, ref string) matched {
	if pattern == "" {
		return cannot("the pattern is empty")
	}
	if !utf8.ValidString(pattern) || !utf8.ValidString(ref) {
		return cannot("the pattern or the branch is no Unicode text")
	}
	if !strings.HasPrefix(pattern, "**") && !strings.HasPrefix(pattern, "refs/") {
		pattern = "**/" + pattern
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	path := segments(ref)
	var parts []segment
	for _, text := range segments(pattern) {
		s, why := parseSegment(text)
		if why != "" {
			return cannot(why)
		}
		if s.expression != nil && !isASCII(ref) {
			return cannot(letterCase)
		}
		parts = append(parts, s)
	}
	switch {
	case matchSegments(parts, path, func(a, b rune) bool { return lower(a) == lower(b) }):
		return matched{is: yes}
	case matchSegments(parts, path, sameFolded):
		return cannot(letterCase)
	}
	return matched{is: no}
}

// segments splits at slashes and drops what is empty.
func segments(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '/' })
}

// segment is one part of a pattern between slashes.
type segment struct {
	many bool // **: any number of segments
	// glob is the segment without expressions: literal characters, anyOne and
	// anyText.
	glob []rune
	// expression is set instead of glob where the segment has one.
	expression *regexp.Regexp
}

// What stands in a glob for ? and *; no text holds them.
const (
	anyOne  rune = -1
	anyText rune = -2
)

// placeholder finds what is special within a segment, as Spring does
// (AntPathStringMatcher). What it does not find is literal, a lone brace too.
var placeholder = regexp.MustCompile(`\?|\*|\{((?:\{[^/]+?\}|[^/{}]|\\[{}])+?)\}`)

// parseSegment reads one segment, or says why it cannot.
func parseSegment(text string) (s segment, why string) {
	if text == "**" {
		return segment{many: true}, ""
	}
	var source strings.Builder // the segment as an expression
	literal := func(t string) {
		s.glob = append(s.glob, []rune(t)...)
		source.WriteString(regexp.QuoteMeta(t))
	}
	end, expressions := 0, false
	for _, at := range placeholder.FindAllStringIndex(text, -1) {
		literal(text[end:at[0]])
		end = at[1]
		switch found := text[at[0]:at[1]]; found {
		case "?":
			s.glob = append(s.glob, anyOne)
			source.WriteString(".")
		case "*":
			s.glob = append(s.glob, anyText)
			source.WriteString(".*")
		default:
			_, expression, has := strings.Cut(found[1:len(found)-1], ":")
			if !has {
				s.glob = append(s.glob, anyText)
				source.WriteString(".*")
				continue
			}
			if !plainExpression(expression) {
				return s, "the pattern holds an expression bb does not read as Bitbucket does"
			}
			expressions = true
			source.WriteString("(?:" + expression + ")")
		}
	}
	literal(text[end:])
	if !expressions {
		return s, ""
	}
	if !isASCII(source.String()) {
		return s, letterCase
	}
	e, err := regexp.Compile(`(?is)\A(?:` + source.String() + `)\z`)
	if err != nil {
		return s, "the pattern holds an expression that cannot be read"
	}
	return segment{expression: e}, ""
}

// plainExpression says whether Java and Go read an expression alike: letters,
// digits, alternatives, classes, repetition and the simplest escapes. Left out
// is what only one of them has or what they read differently: repetition in
// braces, look-around, flags, back references, nested classes, possessive
// repetition (which Go refuses by itself). Groups are left out too: Spring
// counts them to find its variables, and may refuse the pattern.
func plainExpression(e string) bool {
	inClass := false
	for i := 0; i < len(e); i++ {
		switch c := e[i]; {
		case c == '\\':
			i++
			if i == len(e) || !strings.ContainsRune("dDwW.-", rune(e[i])) {
				return false
			}
		case c == '[':
			if inClass || strings.HasPrefix(e[i+1:], "]") || strings.HasPrefix(e[i+1:], "^]") {
				return false
			}
			inClass = true
		case c == ']':
			if !inClass {
				return false // a literal to one of them at most
			}
			inClass = false
		case c >= utf8.RuneSelf || !strings.ContainsRune("_.|*+?^-", rune(c)) && !isAlphanumeric(c):
			return false
		}
	}
	return !inClass
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// sameFolded compares two characters without regard to case.
func sameFolded(a, b rune) bool {
	if a == b {
		return true
	}
	for r := unicode.SimpleFold(a); r != a; r = unicode.SimpleFold(r) {
		if r == b {
			return true
		}
	}
	return false
}

// matchSegments matches a path. Going back only to the last ** is enough, and
// keeps it from taking time that doubles with each of them.
func matchSegments(pattern []segment, path []string, same func(a, b rune) bool) bool {
	return wild(len(pattern), len(path), func(i int) bool { return pattern[i].many }, func(i, j int) bool {
		p := pattern[i]
		if p.expression != nil {
			return p.expression.MatchString(path[j])
		}
		text := []rune(path[j])
		return wild(len(p.glob), len(text), func(i int) bool { return p.glob[i] == anyText }, func(i, j int) bool {
			return p.glob[i] == anyOne || same(p.glob[i], text[j])
		})
	})
}

// wild matches n parts of a pattern against the m parts of a text: star says
// whether a part stands for any number of the text's, one whether it matches a
// single one. It takes at most n*m steps.
func wild(n, m int, star func(i int) bool, one func(i, j int) bool) bool {
	i, j := 0, 0
	lastStar, from := -1, 0 // the last star and where the text goes on after it
	for j < m {
		switch {
		case i < n && star(i):
			lastStar, from = i, j
			i++
		case i < n && one(i, j):
			i, j = i+1, j+1
		case lastStar >= 0:
			from++
			i, j = lastStar+1, from
		default:
			return false
		}
	}
	for i < n && star(i) {
		i++
	}
	return i == n
}
