package uri_test

import (
	"testing"

	"github.com/bb-mcp/bb/server/uri"
)

// R13
func TestURIsAreBuiltAndReadBack(t *testing.T) {
	for want, n := range map[string]uri.Name{
		"bitbucket://projects/ORCH/repos/catalogue/pull-requests/7":         {Kind: uri.PullRequest, Project: "ORCH", Repo: "catalogue", ID: 7},
		"bitbucket://projects/~amara/repos/scratch/pull-requests/1/diff":    {Kind: uri.Diff, Project: "~amara", Repo: "scratch", ID: 1},
		"bitbucket://projects/ORCH/repos/catalogue/pull-requests/1/threads": {Kind: uri.Threads, Project: "ORCH", Repo: "catalogue", ID: 1},
		"bitbucket://projects/ORCH/repos/catalogue/commits/main":            {Kind: uri.Commit, Project: "ORCH", Repo: "catalogue", Commit: "main"},
		"bitbucket://projects/O/repos/c/commits/feature%2Fprune":            {Kind: uri.Commit, Project: "O", Repo: "c", Commit: "feature/prune"},
		"bitbucket://projects/O/repos/c/files/src/prune.go":                 {Kind: uri.File, Project: "O", Repo: "c", Path: "src/prune.go"},
		"bitbucket://projects/O/repos/c/files/a%20b%23%3F%25/%C3%A9?at=refs%2Fheads%2Fa%2Bb%26c": {
			Kind: uri.File, Project: "O", Repo: "c", Path: "a b#?%/é", At: "refs/heads/a+b&c"},
	} {
		if got := n.String(); got != want {
			t.Errorf("%+v is %s, want %s", n, got, want)
		}
		if got, err := uri.Parse(want); err != nil || got != n {
			t.Errorf("Parse(%s): %+v, %v; want %+v", want, got, err, n)
		}
	}
}

// R13, URI-06: what people and other clients write.
func TestRawNamesAreReadWhereTheyCannotBeMisread(t *testing.T) {
	for text, want := range map[string]uri.Name{
		"bitbucket://projects/O/repos/c/files/app/(group)/page's.tsx?at=feature(x)": {Kind: uri.File, Project: "O", Repo: "c", Path: "app/(group)/page's.tsx", At: "feature(x)"},
		"bitbucket://projects/O/repos/c/files/app%2Fpage.tsx":                       {Kind: uri.File, Project: "O", Repo: "c", Path: "app/page.tsx"},
		"bitbucket://projects/O/repos/c/files/漢 é?at=a/b+c":                         {Kind: uri.File, Project: "O", Repo: "c", Path: "漢 é", At: "a/b+c"},
		"bitbucket://projects/O/repos/c/files/x?at=":                                {Kind: uri.File, Project: "O", Repo: "c", Path: "x"},
		"bitbucket://projects/%7Eamara/repos/c/pull-requests/2":                     {Kind: uri.PullRequest, Project: "~amara", Repo: "c", ID: 2},
	} {
		if got, err := uri.Parse(text); err != nil || got != want {
			t.Errorf("Parse(%s): %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "bitbucket://", "https://projects/O/repos/c/commits/x", "BITBUCKET://projects/O/repos/c/commits/x",
		"bitbucket://projects//repos/c/commits/x", "bitbucket://projects/O/repos//commits/x", "bitbucket://projects/O/repos/c",
		"bitbucket://projects/O/repos/c/commits/", "bitbucket://projects/O/repos/c/commits/a/b", "bitbucket://projects/O/repos/c/files/",
		"bitbucket://projects/O/repos/c/pull-requests/", "bitbucket://projects/O/repos/c/pull-requests/0", "bitbucket://projects/O/repos/c/pull-requests/+1",
		"bitbucket://projects/O/repos/c/pull-requests/x", "bitbucket://projects/O/repos/c/pull-requests/1/", "bitbucket://projects/O/repos/c/pull-requests/1/builds",
		"bitbucket://projects/O/repos/c/pull-requests/1/pull request", "bitbucket://projects/O/repos/c/pull-requests/1/diff/x",
		"bitbucket://projects/O/repos/c/pull-requests/1?at=x", "bitbucket://projects/O/repos/c/branches/x", "bitbucket://projects/O/repos/c/commits/x#y",
		"bitbucket://projects/O/repos/c/files/%zz", "bitbucket://projects/O/repos/c/files/x?AT=y", "bitbucket://projects/O/repos/c/files/x?at=a&at=b",
		"bitbucket://projects/O/repos/c/files/x?at=%z",
	} {
		if got, err := uri.Parse(text); err == nil {
			t.Errorf("Parse(%q) gives %+v", text, got)
		}
	}
}

// R13: parse(build(x)) = x for any strings.
func FuzzWhatIsBuiltIsReadBack(f *testing.F) {
	f.Add("ORCH", "catalogue", "src/a b.go", "feature/é")
	f.Add("~amara", "\xff", "%2F/../%", "a&b=c#d?e+f")
	f.Add("\x00", "漢", "//", "\u202e")
	f.Fuzz(func(t *testing.T, project, repo, path, at string) {
		if project == "" || repo == "" || path == "" {
			t.Skip("an empty name names nothing")
		}
		for _, n := range []uri.Name{
			{Kind: uri.File, Project: project, Repo: repo, Path: path, At: at},
			{Kind: uri.Commit, Project: project, Repo: repo, Commit: path},
			{Kind: uri.Diff, Project: project, Repo: repo, ID: 1 + len(at)},
		} {
			if got, err := uri.Parse(n.String()); err != nil || got != n {
				t.Errorf("Parse(%s): %+v, %v; want %+v", n, got, err, n)
			}
		}
	})
}
