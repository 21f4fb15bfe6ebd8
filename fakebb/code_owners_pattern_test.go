package fakebb

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// H1: bitbucket-rest.md 16: gitignore-like globs.
func TestOwnedPatternsMatchAsIgnoreFilesDo(t *testing.T) {
	for _, test := range []struct {
		pattern     string
		matches     string
		matchesNone string
	}{
		{"*", "a a/b .x/y", ""},
		{"*.go", "a.go x/y/a.go", "a.go.txt go"},
		{"/a", "a a/b", "x/a"},
		{"docs", "docs docs/a x/docs/a", "docs2 xdocs"},
		{"docs/", "docs/a x/docs/a/b", "docs x/docs"},
		{"/docs/", "docs/a", "x/docs/a"},
		{"docs/*", "docs/a", "docs/a/b x/docs/a docs"},
		{"docs/**", "docs/a docs/a/b", "x/docs/a"},
		{"docs/*.md", "docs/a.md", "docs/a/b.md"},
		{"**/test", "test x/test test/a x/y/test/a", "tests"},
		{"a/**/b", "a/b a/x/b a/x/y/b/c", "a/c"},
		{"src/a?.go", "src/ab.go", "src/a.go src/a/.go"},
		{"[a-c].go", "b.go", "d.go"},
		{"[!a-c].go", "d.go", "b.go"},
		{"[]x].go", "].go x.go", "y.go"},
		{`\#a`, "#a", `\#a`},
		{`\*`, "*", "a"},
		{"über/ö*", "über/öl", "uber/ol"},
		{"A", "A", "a"}, // git's letter case counts
		{"a.b", "a.b", "axb"},
	} {
		p, ok := newOwnedPattern(test.pattern)
		if !ok {
			t.Errorf("%s cannot be read", test.pattern)
			continue
		}
		for want, paths := range map[bool]string{true: test.matches, false: test.matchesNone} {
			for path := range strings.FieldsSeq(paths) {
				if got := p.matches(path); got != want {
					t.Errorf("%s and %s: %v, want %v", test.pattern, path, got, want)
				}
			}
		}
	}
	for _, pattern := range []string{"!a", "[a", `a\`, "a//b", "/", "[z-a]"} {
		if _, ok := newOwnedPattern(pattern); ok {
			t.Errorf("%s can be read", pattern)
		}
	}
}

func TestTheLastLineThatMatchesNamesTheOwners(t *testing.T) {
	lines := parseCodeOwners("# All of it.\r\n" +
		"*  @amara @\"Tree growers\" # and nobody else\r\n" +
		"\n" +
		"*.md\t@bo\n" +
		"/docs/secret.md\n" +
		`with\ space/ @chen nobody @` + "\n" +
		"!x @bo\n" +
		`@"open quote`)
	for path, want := range map[string][]string{
		"a.go":           {"amara", "Tree growers"},
		"x":              {"amara", "Tree growers"},
		"docs/a.md":      {"bo"},
		"docs/secret.md": nil,
		"with space/a":   {"chen"},
	} {
		if diff := cmp.Diff(want, ownersOf(lines, path)); diff != "" {
			t.Errorf("owners of %s (-want +got):\n%s", path, diff)
		}
	}
}

// Whatever is in the file, it is read and matched.
func FuzzCodeOwners(f *testing.F) {
	for _, text := range []string{"* @a", "[a-", "\\", "a/**/b/**/c @x", "\"", "[[:alpha:]] @a", "# x", "a[\\]b] @c", "[^] @a"} {
		f.Add(text, "a/b/c.go")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		ownersOf(parseCodeOwners(text), path)
	})
}
