package content

import (
	"os/exec"
	"strings"
	"testing"
)

func TestBranchesHaveTheNamesGitAllows(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed: its rules cannot be compared with")
	}
	for _, name := range []string{
		"main", "feature/x", "a#b%c+d", "größe", "", "@", "-x", "x.", "a..b", "a@{b", "a b", "a~1", "a^", "a:b", "a?", "a*", "a[b", `a\b`,
		"/a", "a/", "a//b", ".a", "a/.b", "x.lock", "x.lock/y", "lock", "a\x7fb", "a\tb", "@a", "a.b", "HEAD",
	} {
		want := exec.Command(git, "check-ref-format", "refs/heads/"+name).Run() == nil && !strings.HasPrefix(name, "-")
		if got := ValidBranch(name); got != want {
			t.Errorf("%q: %v, git says %v", name, got, want)
		}
	}
}
