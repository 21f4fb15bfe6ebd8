package fakebb

import (
	"strings"
	"testing"
)

// V17: bitbucket-probed.md 2, bitbucket-rest.md 15.
func TestPatternsMatchAsSpringDoes(t *testing.T) {
	for _, test := range []struct {
		pattern     string
		matches     string // branches
		matchesNone string
	}{
		{"release/*", "release/1 RELEASE/1 old/release/1", "release/1/2 release release-1 main"},
		{"release/", "release/1 release/1/2 release", "releases/1"},
		{"*", "main a/b", ""},
		{"**", "main a/b", ""},
		{"PROJECT-*", "PROJECT-1 project-1 x/PROJECT-1", "PROJECT-1/x MY-PROJECT-1"},
		{"refs/heads/*", "main", "a/b"},
		{"refs/heads/**", "main a/b", ""},
		{"heads/*", "main x/heads/y", "a/b"},
		{"feature/**/x", "feature/x feature/a/b/x", "feature/a/b"},
		{"v?.?", "v1.2 V1.2", "v1 v10.2 v1.23"},
		{"/main", "main a/main", "main/a"},
		{"release//*", "release/1", "release/1/2"},
		// ** is only a whole segment.
		{"a**", "ab a", "a/b"},
		{"**a", "", "a ba"},
		// Variables.
		{"{name}", "main a/b", ""},
		{"v{major:[0-9]+}.{minor:\\d+}", "v1.2 v10.20", "v1.x v1.2.3"},
		{"feature/{key:[A-Z]+-[0-9]+}*", "feature/ORCH-1-prune feature/orch-1", "feature/prune"},
		{"{", "{", "main"},
		{"a{}", "a{}", "a"},
		// Java folds ASCII only once there is a wildcard.
		{"RÖD", "röd", "rod"},
		{"RÖD-*", "rÖd-1", "röd-1"},
		{"a.c", "a.c", "abc"},
		{"a+(b)", "A+(B)", "aab"},
	} {
		g, err := springPattern(test.pattern)
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		for want, names := range map[bool]string{true: test.matches, false: test.matchesNone} {
			for name := range strings.FieldsSeq(names) {
				if got := g.matches(strings.Split(headsPrefix+name, "/")); got != want {
					t.Errorf("%s and the branch %s: %v, want %v", test.pattern, name, got, want)
				}
			}
		}
	}
}

// Spring throws for what cannot be a variable, and so does loading.
func TestPatternsThatCannotBeReadAreRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		"{key:[}":         "the regular expression of {key} is none",
		"{key:a)(?:b}":    "the regular expression of {key} is none",
		"{key:(a|b)}":     "the regular expression of {key} must not have groups",
		"x/{key:a{9999}}": "the regular expression of {key} is none",
	} {
		if _, err := springPattern(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", pattern, err, want)
		}
	}
}

// A pattern is read and matched in reasonable time, whatever it is.
func FuzzSpringPattern(f *testing.F) {
	for _, pattern := range []string{"release/*", "**/**/**/x", "{a:[a-z]+}-?", "*a*a*a*a*b", "{", "/", "", "{a:(?i)x}"} {
		f.Add(pattern, "refs/heads/release/1")
	}
	f.Fuzz(func(t *testing.T, pattern, ref string) {
		if g, err := springPattern(pattern); err == nil {
			g.matches(strings.Split(ref, "/"))
		}
	})
}
