package fakebb

import (
	"fmt"
	"regexp"
	"strings"
)

// springPattern reads the pattern of a PATTERN matcher: one of Spring's
// AntPathMatcher on the full ref, with **/ put in front unless it begins with **
// or refs/, and ** put behind a slash at its end (bitbucket-probed.md 2).
//
// In a segment ? is one character, * any number of them, and {name} or
// {name:regular expression} what Spring would capture as a variable. Empty
// segments do not count. A ** means any number of segments only where it is a
// whole one: a** is an a and whatever follows in the segment.
func springPattern(pattern string) (glob, error) {
	if !strings.HasPrefix(pattern, "**") && !strings.HasPrefix(pattern, "refs/") {
		pattern = "**/" + pattern
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	var g glob
	for text := range strings.SplitSeq(pattern, "/") {
		if text == "" {
			continue
		}
		s, err := springSegment(text)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", pattern, err)
		}
		// ** twice is no more than once.
		if s.many && len(g) > 0 && g[len(g)-1].many {
			continue
		}
		g = append(g, s)
	}
	return g, nil
}

// springGlob is what is not itself in a segment.
var springGlob = regexp.MustCompile(`\?|\*|\{((?:\{[^/]+?\}|[^/{}]|\\[{}])+?)\}`)

// springSegment reads one segment. Its letter case does not count: of a segment
// without wildcards in any alphabet, of one with them in ASCII only, which is
// what Java does with a regular expression.
func springSegment(text string) (segment, error) {
	if text == "**" {
		return everySegment, nil
	}
	if text == "*" {
		return oneSegment, nil
	}
	parts := springGlob.FindAllStringSubmatchIndex(text, -1)
	if parts == nil {
		return segment{takes: func(s string) bool { return strings.EqualFold(s, text) }}, nil
	}
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	literal := 0
	for _, p := range parts {
		writeFolded(&b, text[literal:p[0]])
		literal = p[1]
		switch text[p[0]] {
		case '?':
			b.WriteString(`.`)
		case '*':
			b.WriteString(`.*`)
		default:
			name, expression, given := strings.Cut(text[p[2]:p[3]], ":")
			if !given {
				expression = `.*`
			}
			variable, err := regexp.Compile(expression)
			if err != nil {
				return segment{}, fmt.Errorf("the regular expression of {%s} is none: %w", name, err)
			}
			if variable.NumSubexp() > 0 {
				// Spring throws, because it counts groups to find its variables.
				return segment{}, fmt.Errorf("the regular expression of {%s} must not have groups", name)
			}
			b.WriteString(`(?i:` + expression + `)`)
		}
	}
	writeFolded(&b, text[literal:])
	b.WriteString(`\z`)
	whole, err := regexp.Compile(b.String())
	if err != nil {
		return segment{}, err
	}
	return segment{takes: whole.MatchString}, nil
}

// writeFolded writes a text as a regular expression for it, with its ASCII
// letters in either case.
func writeFolded(b *strings.Builder, text string) {
	for _, c := range text {
		lower, upper := c, c
		switch {
		case 'a' <= c && c <= 'z':
			upper = c - 'a' + 'A'
		case 'A' <= c && c <= 'Z':
			lower = c - 'A' + 'a'
		}
		if lower != upper {
			fmt.Fprintf(b, "[%c%c]", lower, upper)
		} else {
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
}
