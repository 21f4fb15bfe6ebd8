package server_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/server"
)

// answered asks a tool for an answer that must come, and holds it to its schema
// and bound.
func answered[T any](t *testing.T, p *peer, tool, arguments string) (T, string) {
	t.Helper()
	r := p.tool(tool, arguments)
	if r.IsError {
		t.Fatalf("%s %s: %s", tool, arguments, r.text())
	}
	fits(t, p, tool, r.StructuredContent)
	bounded(t, tool+" "+arguments, r)
	return decode[T](t, r.StructuredContent), r.text()
}

// PAGING-01, PAGING-03: the total is Bitbucket's.
func TestCommitsOfAPullRequestHaveBitbucketsTotal(t *testing.T) {
	p, l := listen(t, "bo", nil)
	const tool = "list_pull_request_commits"
	for id, total := range map[int]int{1: 5, 4: 2, 5: 4, 6: 2, 8: 2, 9: 3, 11: 2, 12: 2} {
		a, _ := answered[server.CommitsAnswer](t, p, tool, on(id, ""))
		if a.Count.Total == nil || *a.Count.Total != total || len(a.Commits) != total || a.LimitReached {
			t.Errorf("#%d: %+v and %d commits, want %d", id, a.Page, len(a.Commits), total)
		}
	}
	a, text := answered[server.CommitsAnswer](t, p, tool, on(1, `,"limit":2,"start":1`))
	if *a.Count.Total != 5 || len(a.Commits) != 2 || a.NextStart != 3 || !strings.Contains(text, "2 of 5 commits") || !strings.Contains(text, "go on with start 3") {
		t.Errorf("%+v\n%s", a, text)
	}
	if asked := l.of("start=1"); len(asked) != 1 || !strings.Contains(asked[0], "limit=2") {
		t.Errorf("asked %q", asked)
	}
	if _, text := answered[server.CommitsAnswer](t, p, tool, on(1, `,"start":99`)); !strings.Contains(text, "ends before start 99") {
		t.Error(text)
	}
}

// T11: what strangers wrote is set off.
func TestAMessageIsSetOff(t *testing.T) {
	p := newWorld(t, "bo").connect(t, "modern", uiCapability)
	list, text := answered[server.CommitsAnswer](t, p, "list_pull_request_commits", on(6, ""))
	for _, c := range list.Commits {
		if strings.ContainsAny(text, "\u202E\u200B\x1b") {
			t.Errorf("the text hides something: %q", text)
		}
		a, text := answered[server.CommitAnswer](t, p, "get_commit", `{"project":"ORCH","repo":"catalogue","commit":"`+c.Commit+`"}`)
		if strings.ContainsAny(text, "\u202E\u200B\x1b") || !strings.Contains(text, "text written by") {
			t.Errorf("%q", text)
		}
		if len(a.Files) == 0 || a.Message == "" {
			t.Errorf("%+v", a)
		}
	}
}

// Every argument of list_commits reaches Bitbucket, and what is not given does
// not; REST-14: names go as they are.
func TestWhichCommitsAreListedReachesBitbucket(t *testing.T) {
	for more, want := range map[string]string{
		``:                                     "limit=25&start=0",
		`,"at":"main"`:                         "limit=25&start=0&until=main",
		`,"at":"v2.4.0","since":"v2.3.0"`:      "limit=25&since=v2.3.0&start=0&until=v2.4.0",
		`,"path":"/catalogue/prune.go"`:        "limit=25&path=catalogue%2Fprune.go&start=0",
		`,"merges":"only","limit":3,"start":2`: "limit=3&merges=only&start=2",
	} {
		p, l := listen(t, "bo", nil)
		p.tool("list_commits", `{"project":"ORCH","repo":"catalogue"`+more+`}`)
		if got := l.of("/commits?"); len(got) != 1 || !strings.HasSuffix(got[0], "/repos/catalogue/commits?"+want) {
			t.Errorf("%s: asked %q, want %s", more, got, want)
		}
	}
}

// V14: a history claims a total only when it was read to its end.
func TestAHistoryIsListedWithoutATotal(t *testing.T) {
	p := newWorld(t, "bo").connect(t, "modern", uiCapability)
	a, text := answered[server.CommitsAnswer](t, p, "list_commits", `{"project":"ORCH","repo":"catalogue","limit":3}`)
	if a.Count.Total != nil || !a.LimitReached || !strings.Contains(text, "3 commits (there are more) of ORCH/catalogue") {
		t.Errorf("%+v\n%s", a.Page, text)
	}
	a, _ = answered[server.CommitsAnswer](t, p, "list_commits", `{"project":"ORCH","repo":"catalogue","path":"catalogue/months.go"}`)
	if a.Count.Total == nil || *a.Count.Total != 1 || a.LimitReached {
		t.Errorf("%+v of %d", a.Page, len(a.Commits))
	}
	only, _ := answered[server.CommitsAnswer](t, p, "list_commits", `{"project":"ORCH","repo":"catalogue","merges":"only"}`)
	if slices.ContainsFunc(only.Commits, func(c server.CommitEntry) bool { return !c.Merge }) {
		t.Errorf("merges only: %+v", only.Commits)
	}
}

// What an empty list means is said, and what is missing is named.
func TestWhatIsMissingIsNamed(t *testing.T) {
	p := newWorld(t, "bo").connect(t, "modern", uiCapability)
	for _, test := range []struct {
		tool, arguments string
		isError         bool
		want            string
	}{
		{"list_commits", `{"project":"NURS","repo":"greenhouse"}`, false, "The repository is empty."},
		{"list_commits", `{"project":"NURS","repo":"greenhouse","at":"main"}`, true, "Commit 'main' does not exist"},
		{"list_commits", `{"project":"ORCH","repo":"catalogue","path":"no/such"}`, false, "No commit in this history has that path"},
		{"list_commits", `{"project":"ORCH","repo":"catalogue","at":"no-such"}`, true, "Commit 'no-such' does not exist"},
		{"list_commits", `{"project":"ORCH","repo":"catalogue","since":"no-such"}`, true, "Commit 'no-such' does not exist"},
		{"list_commits", `{"project":"NONE","repo":"catalogue"}`, true, "Project NONE does not exist"},
		{"list_commits", `{"project":"ORCH","repo":"none"}`, true, "Repository ORCH/none does not exist"},
		{"list_commits", `{"project":"ORCH","repo":"catalogue","merges":"some"}`, true, "merges"},
		{"get_commit", `{"project":"ORCH","repo":"catalogue","commit":"1111111111"}`, true, "Commit '1111111111' does not exist"},
		{"get_commit", `{"project":"ORCH","repo":"catalogue","commit":"no/such"}`, true, "Commit 'no/such' does not exist"},
		{"get_commit", `{"project":"NURS","repo":"greenhouse","commit":"HEAD"}`, true, "does not exist"},
		{"compare_refs", `{"project":"NURS","repo":"greenhouse","source":"a"}`, true, "Commit 'a' does not exist"},
		{"compare_refs", `{"project":"ORCH","repo":"catalogue","source":"main","target":"no-such"}`, true, "Commit 'no-such' does not exist"},
		{"compare_refs", `{"project":"ORCH","repo":"catalogue"}`, true, "give source or target"},
		{"compare_refs", `{"project":"ORCH","repo":"catalogue","source":"main","target":"main"}`, true, "are both \"main\""},
		{"compare_refs", `{"project":"ORCH","repo":"catalogue","sourceRepo":"catalogue"}`, true, "go together"},
		{"compare_refs", `{"project":"ORCH","repo":"catalogue","sourceProject":"~nobody","sourceRepo":"x"}`, true, "does not exist"},
		{"list_pull_request_commits", on(999, ""), true, "Pull request 999 does not exist"},
		{"get_pull_request_diff", on(999, ""), true, "Pull request 999 does not exist"},
	} {
		r := p.tool(test.tool, test.arguments)
		if r.IsError != test.isError || !strings.Contains(r.text(), test.want) {
			t.Errorf("%s %s: error %v, %s; want %v, %q", test.tool, test.arguments, r.IsError, r.text(), test.isError, test.want)
		}
	}
}

// A commit is found by its id, full or short, by a branch with slashes, and by
// a tag; URI-02: a slash never goes escaped into a path.
func TestACommitIsFoundByEveryNameItHas(t *testing.T) {
	const full = "fe2c3a5e02b7f93358cce06c57ec6e1f8ac0c179"
	for _, name := range []string{full, "FE2C3A5E0", "refs/pull-requests/1/from"} {
		p, l := listen(t, "bo", nil)
		a, text := answered[server.CommitAnswer](t, p, "get_commit", `{"project":"ORCH","repo":"catalogue","commit":"`+name+`"}`)
		if a.Commit != full || len(a.Parents) != 1 || len(a.Files) == 0 || a.Count.Total == nil {
			t.Errorf("%s: %+v", name, a)
		}
		if !strings.HasSuffix(a.URL, "/projects/ORCH/repos/catalogue/commits/"+full) || !strings.Contains(text, a.URL) {
			t.Errorf("%s: address %s", name, a.URL)
		}
		if n := len(l.of("/rest/")); n != 2 {
			t.Errorf("%s: %d requests, want 2", name, n)
		}
		for _, asked := range l.of("/rest/") {
			if path, _, _ := strings.Cut(asked, "?"); strings.Contains(path, "%2F") {
				t.Errorf("%s: asked %s", name, asked)
			}
		}
	}
}

// A commit of many files is listed in parts, each file once.
func TestTheFilesOfACommitAreReadOn(t *testing.T) {
	p := newWorld(t, "bo").connect(t, "modern", uiCapability)
	list, _ := answered[server.CommitsAnswer](t, p, "list_pull_request_commits", on(5, ""))
	most := 0
	for _, c := range list.Commits {
		seen, start := map[string]bool{}, 0
		for {
			a, _ := answered[server.CommitAnswer](t, p, "get_commit", fmt.Sprintf(`{"project":"ORCH","repo":"catalogue","commit":%q,"start":%d}`, c.Commit, start))
			for _, f := range a.Files {
				if seen[f.Path] {
					t.Errorf("%s twice", f.Path)
				}
				seen[f.Path] = true
			}
			if !a.LimitReached {
				break
			}
			start = a.NextStart
		}
		most = max(most, len(seen))
	}
	if most <= 100 {
		t.Errorf("no commit has more than a page of files: %d", most)
	}
}

func TestAMessageWithoutEndIsCut(t *testing.T) {
	p, _ := listen(t, "bo", func(r *http.Request) (int, string) {
		if strings.HasSuffix(r.URL.Path, "/commits/abcdef") {
			return 200, `{"id":"abcdef","message":"` + strings.Repeat("<", 500_000) + `","author":{"name":"Zoë","emailAddress":"z@example.com"},"committer":{"name":"zoe","displayName":"Zoë Åström"}}`
		}
		if strings.Contains(r.URL.Path, "/changes") {
			return 500, `{"errors":[{"message":"A database error has occurred."}]}`
		}
		return 0, ""
	})
	a, text := answered[server.CommitAnswer](t, p, "get_commit", `{"project":"ORCH","repo":"catalogue","commit":"abcdef"}`)
	if kept := len(a.Message); kept < 1000 || kept > 8000 || a.MessageCut != 500_000-kept || !strings.Contains(text, fmt.Sprintf("%d more characters", a.MessageCut)) {
		t.Errorf("kept %d, cut %d", len(a.Message), a.MessageCut)
	}
	if a.Author.Name != "" || a.Author.DisplayName != "Zoë" || a.Committer == nil || a.Committer.Name != "zoe" || a.Committer.DisplayName != "Zoë Åström" {
		t.Errorf("author %+v, committer %s", a.Author, a.Committer)
	}
	if len(a.Unavailable) != 1 || !strings.Contains(text, `Could not read its files: "A database error has occurred".`) {
		t.Errorf("files: %+v", a.Unavailable)
	}
}

// REST-14: names go as they are given; both requests say the same.
func TestComparisonsReachBitbucketAsTheyAreGiven(t *testing.T) {
	for more, want := range map[string]string{
		`,"source":"refs/pull-requests/1/from"`:                            "from=refs%2Fpull-requests%2F1%2Ffrom&limit=25&start=0",
		`,"source":"v2.4.0","target":"ed0ea3006a"`:                         "from=v2.4.0&limit=25&start=0&to=ed0ea3006a",
		`,"target":"main","sourceProject":"~zoe","sourceRepo":"catalogue"`: "fromRepo=~zoe%2Fcatalogue&limit=25&start=0&to=main",
		`,"source":"a b","limit":1,"start":7`:                              "from=a+b&limit=1&start=7",
	} {
		p, l := listen(t, "bo", nil)
		p.tool("compare_refs", `{"project":"ORCH","repo":"catalogue"`+more+`}`)
		got := l.of("/compare/")
		if len(got) != 2 || !strings.HasSuffix(got[0], "/compare/changes?"+want) || !strings.HasSuffix(got[1], "/compare/commits?"+want) {
			t.Errorf("%s: asked %q, want %s", more, got, want)
		}
	}
}

func TestAComparisonSaysWhatSourceHasAndTargetLacks(t *testing.T) {
	p := newWorld(t, "bo").connect(t, "modern", uiCapability)
	const pull = `{"project":"ORCH","repo":"catalogue","source":"refs/pull-requests/1/from"`
	a, text := answered[server.ComparisonAnswer](t, p, "compare_refs", pull+`}`)
	if len(a.Commits) != 5 || len(a.Files) != 4 || a.LimitReached || *a.CommitCount.Total != 5 || *a.FileCount.Total != 4 {
		t.Errorf("%+v\n%s", a, text)
	}
	// Both lists go on together, and lose nothing.
	var commits, files []string
	for start := 0; ; {
		a, text := answered[server.ComparisonAnswer](t, p, "compare_refs", fmt.Sprintf(pull+`,"limit":2,"start":%d}`, start))
		for _, c := range a.Commits {
			commits = append(commits, c.Commit)
		}
		for _, f := range a.Files {
			files = append(files, f.Path)
		}
		if !a.LimitReached {
			break
		}
		if a.NextStart <= start || !strings.Contains(text, fmt.Sprintf("go on with start %d", a.NextStart)) {
			t.Fatalf("start %d: %+v\n%s", start, a, text)
		}
		start = a.NextStart
	}
	if len(commits) != 5 || len(files) != 4 {
		t.Errorf("in parts: %d commits, %d files", len(commits), len(files))
	}
	// The other direction is another question, and says so.
	back, text := answered[server.ComparisonAnswer](t, p, "compare_refs", `{"project":"ORCH","repo":"catalogue","source":"1f93842c60457785ea607558b6aafbd6a23a3953","target":"main"}`)
	if len(back.Commits) != 0 || !strings.Contains(text, "swap the two") {
		t.Errorf("%+v\n%s", back, text)
	}
	fork, _ := answered[server.ComparisonAnswer](t, p, "compare_refs", `{"project":"ORCH","repo":"catalogue","sourceProject":"~zoe","sourceRepo":"catalogue","source":"2eb56f31b97270a4a3c6f387148d737b7e3d152e"}`)
	if len(fork.Commits) != 2 || len(fork.Files) != 1 {
		t.Errorf("a fork: %+v", fork)
	}
}

// Where the two lists stop at different places, none of them is passed over.
func TestAComparisonGoesOnWhereTheFirstListStopped(t *testing.T) {
	for commits, files := range map[int]int{3: 5, 5: 3} {
		p, _ := listen(t, "bo", func(r *http.Request) (int, string) {
			next := files
			if strings.HasSuffix(r.URL.Path, "/commits") {
				next = commits
			}
			return 200, `{"values":[` + strings.TrimSuffix(strings.Repeat(`{"id":"a"},`, 25), ",") + fmt.Sprintf(`],"isLastPage":false,"nextPageStart":%d}`, next)
		})
		if a, _ := answered[server.ComparisonAnswer](t, p, "compare_refs", `{"project":"ORCH","repo":"catalogue","source":"a"}`); a.NextStart != 3 {
			t.Errorf("commits stop at %d, files at %d: go on at %d", commits, files, a.NextStart)
		}
	}
}

// T6: a hundred of the largest entries stay within an answer.
func TestTheLargestListsStayWithinAnAnswer(t *testing.T) {
	const long = 1000
	commit := `{"id":"` + strings.Repeat("a", 40) + `","message":"` + strings.Repeat("<", long) + `","author":{"name":"` + strings.Repeat("&", long) + `"},"parents":[]}`
	change := `{"type":"MOVE","path":{"toString":"` + strings.Repeat(">", long) + `"},"srcPath":{"toString":"` + strings.Repeat("<", long) + `"}}`
	page := func(value string) string {
		return `{"values":[` + strings.TrimSuffix(strings.Repeat(value+",", 100), ",") + `],"isLastPage":true}`
	}
	p, _ := listen(t, "bo", func(r *http.Request) (int, string) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/changes"):
			return 200, page(change)
		case strings.HasSuffix(r.URL.Path, "/commits"):
			return 200, page(commit)
		case strings.HasSuffix(r.URL.Path, "/abcdef"):
			return 200, commit
		}
		return 0, ""
	})
	commits, _ := answered[server.CommitsAnswer](t, p, "list_commits", `{"project":"ORCH","repo":"catalogue","limit":100}`)
	one, _ := answered[server.CommitAnswer](t, p, "get_commit", `{"project":"ORCH","repo":"catalogue","commit":"abcdef"}`)
	both, _ := answered[server.ComparisonAnswer](t, p, "compare_refs", `{"project":"ORCH","repo":"catalogue","source":"a","limit":100}`)
	diff, _ := diffOf(t, p, on(1, ""))
	for what, kept := range map[string]int{"commits": len(commits.Commits), "files": len(one.Files), "compared": len(both.Files), "diff": len(diff.Files)} {
		if kept == 0 || kept == 100 {
			t.Errorf("%s: %d kept of 100", what, kept)
		}
	}
	if commits.NextStart != len(commits.Commits) || one.NextStart != len(one.Files) || both.NextStart != len(both.Files) {
		t.Errorf("go on at %d, %d and %d", commits.NextStart, one.NextStart, both.NextStart)
	}
}
