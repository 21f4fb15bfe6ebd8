package requiredbuilds

import (
	"strings"
	"testing"
	"time"
)

var orchard = Repository{
	DefaultBranch: "refs/heads/main",
	Model: &Model{Development: "refs/heads/main", Production: "refs/heads/release/2026.11",
		Prefixes: map[string]string{"FEATURE": "feature/", "RELEASE": "release/", "HOTFIX": ""}},
}

// refs/heads/ is put before what names no namespace.
func full(ref string) string {
	if strings.HasPrefix(ref, "refs/") {
		return ref
	}
	return heads + ref
}

// V17: every kind of matcher, by letter case.
func TestAMatcherPicksItsRefs(t *testing.T) {
	for _, c := range []struct {
		kind    Kind
		id, ref string
		want    verdict
	}{
		{AnyRef, "ANY_REF_MATCHER_ID", "main", yes},
		{AnyRef, "", "refs/tags/v1", yes},

		{Branch, "main", "main", yes},
		{Branch, "heads/main", "main", yes},
		{Branch, "refs/heads/main", "main", yes},
		{Branch, "MAIN", "main", yes},
		{Branch, "refs/heads/Main", "mAIN", yes},
		{Branch, "REFS/HEADS/main", "main", yes},
		{Branch, "HEADS/main", "main", yes},
		{Branch, "main", "maintenance", no},
		{Branch, "main", "feature/main", no},
		{Branch, "main", "refs/tags/main", no},
		{Branch, "refs/tags/main", "refs/tags/main", yes},
		{Branch, "feature/x", "feature/x", yes},
		{Branch, "mai*", "main", no},
		{Branch, "heads/main", "heads/main", unknown},
		{Branch, "größe", "größe", yes},
		{Branch, "GRÖẞE", "größe", unknown},
		{Branch, "GRÖSSE", "größe", no},
		{Branch, "", "main", unknown},

		{ModelBranch, "development", "main", yes},
		{ModelBranch, "development", "Main", no},
		{ModelBranch, "production", "release/2026.11", yes},
		{ModelBranch, "production", "main", no},
		{ModelBranch, "Development", "main", unknown},
		{ModelBranch, "staging", "main", unknown},

		{ModelCategory, "FEATURE", "feature/x", yes},
		{ModelCategory, "FEATURE", "feature/x/y", yes},
		{ModelCategory, "FEATURE", "Feature/x", no},
		{ModelCategory, "FEATURE", "a/feature/x", no},
		{ModelCategory, "FEATURE", "refs/tags/feature/x", no},
		{ModelCategory, "BUGFIX", "bugfix/x", no}, // not enabled
		{ModelCategory, "HOTFIX", "hotfix/x", unknown},

		{DefaultBranch, "#", "main", yes},
		{DefaultBranch, "", "main", yes},
		{DefaultBranch, "#", "Main", no},
		{DefaultBranch, "#", "feature/main", no},

		{"REGEX", "main", "main", unknown},
		{"any_ref", "main", "main", unknown},
		{"", "main", "main", unknown},
	} {
		got := match(Matcher{Kind: c.kind, ID: c.id}, full(c.ref), orchard)
		if got.is != c.want {
			t.Errorf("%s %q on %q: %v (%s), want %v", c.kind, c.id, c.ref, got.is, got.why, c.want)
		}
		if (got.why == "") == (got.is == unknown) {
			t.Errorf("%s %q on %q: %v with reason %q", c.kind, c.id, c.ref, got.is, got.why)
		}
	}
}

// V17: Ant patterns.
func TestAPatternIsReadAsSpringDoes(t *testing.T) {
	for _, c := range []struct {
		pattern, ref string
		want         verdict
	}{
		{"*", "main", yes},
		{"*", "feature/deep/x", yes},
		{"**", "main", yes},
		{"**", "refs/tags/v1", yes},
		{"main", "main", yes},
		{"main", "feature/main", yes}, // a suffix of the segments
		{"main", "main/x", no},
		{"heads/main", "main", yes},
		{"refs/heads/main", "main", yes},
		{"refs/heads/main", "feature/main", no},
		{"Refs/heads/main", "main", yes},
		{"refs/heads/*", "main", yes},
		{"refs/heads/*", "feature/x", no},
		{"refs/heads/**", "feature/x", yes},
		{"refs/**/x", "feature/x", yes},
		{"refs/*/main", "main", yes},
		{"refs/tags/*", "main", no},
		{"refs/", "main", yes},
		{"tags/*", "refs/tags/v1", yes},
		{"tags/*", "v1", no},

		{"release/*", "release/1", yes},
		{"release/*", "release/1/2", no},
		{"release/*", "release", no},
		{"release/*", "x/release/1", yes},
		{"RELEASE/*", "release/1", yes},
		{"release/*", "RELEASE/1", yes},
		{"release/**", "release/1", yes},
		{"release/**", "release/1/2", yes},
		{"release/**", "release", yes}, // ** may be no segment at all
		{"release/", "release/1/2", yes},
		{"release/", "release", yes},
		{"release/", "releases/1", no},
		{"/release/*", "release/1", yes},
		{"/release/", "release/1", yes},
		{"//release//*", "release/1", yes},
		{"/", "main", yes},

		{"PROJECT-*", "PROJECT-1", yes},
		{"PROJECT-*", "x/PROJECT-1", yes},
		{"PROJECT-*", "project-1", yes},
		{"PROJECT-*", "PROJECT-1/x", no},
		{"PROJECT-*", "PROJECT", no},
		{"*-PROJECT-*", "a-PROJECT-b", yes},
		{"*/PROJECT-*", "PROJECT-1", yes}, // heads is a segment too
		{"*main*", "main", yes},
		{"m*n", "main", yes},
		{"m**n", "main", yes},
		{"m*m", "main", no},
		{"*a*b*c*", "xaxbxcx", yes},
		{"*a*b*c*", "xaxcxbx", no},

		{"v?", "v1", yes},
		{"v?", "v12", no},
		{"v?", "v", no},
		{"v?", "v/1", no},
		{"????", "main", yes},
		{"v?", "vé", yes},
		{"v?", "v🍎", yes},
		{"?ain", "Main", yes},

		{"a/**/b", "a/b", yes},
		{"a/**/b", "a/x/b", yes},
		{"a/**/b", "a/x/y/b", yes},
		{"a/**/b", "a/x/y/c", no},
		{"a/**/b/**/c", "a/b/x/b/y/c", yes},
		{"a/**/**/c", "a/c", yes},
		{"**/x", "a/b/x", yes},
		{"**x", "ax", no}, // begins with **, so nothing is put in front
		{"**/heads/x", "x", yes},
		{"**/a/*/b", "a/a/c/b", yes},

		{"{name}", "main", yes},
		{"feature/{name}", "feature/x", yes},
		{"feature/{name}", "feature/x/y", no},
		{"{a}-{b}", "x-y", yes},
		{"{a}-{b}", "xy", no},
		{"{kind:Feature|Bugfix}/**", "feature/x", yes},
		{"{kind:Feature|Bugfix}/**", "bugfix/x/y", yes},
		{"{kind:Feature|Bugfix}/**", "hotfix/x", no},
		{"{kind:Feature|Bugfix}/**", "features/x", no},
		{`v{n:[0-9]+}`, "v12", yes},
		{`v{n:[0-9]+}`, "v", no},
		{`v{n:\d+\.\d+}`, "v1.2", yes},
		{`v{n:\d+\.\d+}`, "v1-2", no},
		{"{x:}main", "main", yes},
		{"{}", "{}", yes}, // braces around nothing are themselves
		{"{}", "main", no},
		{"{x", "{x", yes},
		{"x}", "x}", yes},
		{"{x:a/b}", "{x:a/b}", yes}, // a variable does not go beyond its segment
		{"{x:a/b}", "a/b", no},
		{"a.c", "abc", no}, // literal text is no expression
		{"a+", "aa", no},
		{`a\c`, "abc", no},

		{"größe", "größe", yes},
		{"GRÖẞE", "größe", unknown},
		{"GRÖSSE", "größe", no},
		{"É*", "é1", unknown},
		{"e*", "é1", no},
		{"{x:[a-z]+}", "é", unknown},
		{"{x:é}", "e", unknown},

		{"", "main", unknown},
		{"\xff*", "main", unknown},
		{"{x:[}", "main", unknown},
		{"{x:a**}", "main", unknown},
		{"{x:a++}", "main", unknown},
		{"{x:(?i)a}", "main", unknown},
		{"{x:(?=a)a}", "main", unknown},
		{`{x:(a)\1}`, "main", unknown},
		{"{x:a{2}}", "aa", unknown},
		{"{x:[a&&b]}", "main", unknown},
		{"{x:[[a]]}", "main", unknown},
		{"{x:[]a]}", "main", unknown},
		{"{x:a]}", "main", unknown},
		{`{x:a\}`, "main", unknown},
		{`{x:\p{L}}`, "main", unknown},
		{"{x:(a|b)}", "a", unknown},
		{"{x:(}", "main", unknown},
		{"{x:)}", "main", unknown},
		{"other/{x:(}", "main", unknown},
	} {
		got := matchPattern(c.pattern, full(c.ref))
		if got.is != c.want {
			t.Errorf("%q on %q: %v (%s), want %v", c.pattern, c.ref, got.is, got.why, c.want)
		}
	}
}

// V17: what could not be read decides nothing, and what does not need it is
// decided all the same.
func TestWhatCouldNotBeReadDecidesNothing(t *testing.T) {
	for _, m := range []Matcher{
		{Kind: ModelBranch, ID: "development"}, {Kind: ModelCategory, ID: "FEATURE"}, {Kind: DefaultBranch, ID: "#"},
	} {
		if got := match(m, "refs/heads/main", Repository{}); got.is != unknown {
			t.Errorf("%+v without model and default branch: %+v", m, got)
		}
		m.Inactive = true
		if got := match(m, "refs/heads/main", orchard); got.is != unknown {
			t.Errorf("%+v: %+v", m, got)
		}
	}
	if got := match(Matcher{Kind: ModelBranch, ID: "production"}, "refs/heads/main", Repository{Model: &Model{}}); got.is != no {
		t.Errorf("a repository without a branching model: %+v", got)
	}
	if got := match(Matcher{Kind: Branch, ID: "main"}, "", orchard); got.is != unknown {
		t.Errorf("an unknown ref: %+v", got)
	}
}

// No pattern takes time that doubles with its length.
func TestAPatternEndsSoon(t *testing.T) {
	start := time.Now()
	for _, c := range [][2]string{
		{strings.Repeat("**/", 400) + "x", strings.Repeat("a/", 400) + "b"},
		{strings.Repeat("*a", 400) + "b", strings.Repeat("a", 2000)},
		{strings.Repeat("**/*a*a*a*/", 60) + "x", strings.Repeat("aaaaaaaa/", 200)},
		{"{x:[a-z]+a+a+b}", strings.Repeat("a", 2000)},
	} {
		if got := matchPattern(c[0], full(c[1])); got.is != no {
			t.Errorf("%.30q…: %+v", c[0], got)
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

// V17: patterns are strangers' text.
func FuzzPattern(f *testing.F) {
	for _, s := range [][2]string{
		{"release/*", "refs/heads/release/1"}, {"**/**/**/**/x", "refs/heads/a/b/c/d"}, {"{kind:Feature|Bugfix}/**", "refs/heads/feature/x"},
		{"{a:{b}}{c", "refs/heads/x"}, {"É?*", "refs/heads/é"}, {"\xff", "\xfe"}, {"/", "/"}, {"{x:[a-z]+b*?|c}-*", "refs/heads/abc-1"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, ref string) {
		if len(pattern) > 500 || len(ref) > 500 {
			return
		}
		start := time.Now()
		got := matchPattern(pattern, ref)
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%q on %q took %v", pattern, ref, took)
		}
		if (got.why == "") == (got.is == unknown) {
			t.Errorf("%q on %q: %+v", pattern, ref, got)
		}
		// A pattern without special characters picks the ref it is, and ** picks
		// every ref that is one.
		if got.is == no && strings.TrimSuffix(pattern, "/") == "**" {
			t.Errorf("%q does not pick %q", pattern, ref)
		}
		if got.is == no && pattern == ref && !strings.ContainsAny(pattern, "*?{}/") {
			t.Errorf("%q does not pick itself", pattern)
		}
	})
}
