package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/server"
)

const diffTool = "get_pull_request_diff"

// diffOf asks for a diff that must come, and holds it to its schema and bound.
func diffOf(t *testing.T, p *peer, arguments string) (server.DiffAnswer, string) {
	t.Helper()
	r := p.tool(diffTool, arguments)
	if r.IsError {
		t.Fatalf("%s: %s", arguments, r.text())
	}
	fits(t, p, diffTool, r.StructuredContent)
	bounded(t, arguments, r)
	return decode[server.DiffAnswer](t, r.StructuredContent), r.text()
}

// bounded holds a result to the bound of an answer (T6).
func bounded(t *testing.T, what string, r toolResult) {
	t.Helper()
	data, err := json.Marshal(map[string]any{"content": r.Content, "structuredContent": r.StructuredContent})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(utf16.Encode([]rune(string(data)))); n > 120_000 {
		t.Errorf("%s: the answer has %d units", what, n)
	}
}

func on(id int, more string) string {
	return fmt.Sprintf(`{"project":"ORCH","repo":"catalogue","id":%d%s}`, id, more)
}

// T6, DIFF-04, DIFF-05: text and structured content both have the whole.
func TestADiffNamesEveryFileAndCarriesWhatFits(t *testing.T) {
	for id, want := range map[int]int{1: 4, 4: 2, 5: 312, 6: 15, 8: 3, 9: 43, 11: 1, 12: 1} {
		p, l := listen(t, "bo", nil)
		a, text := diffOf(t, p, on(id, ""))
		if a.Count.Total == nil || *a.Count.Total != want {
			t.Errorf("#%d: %+v files, want %d", id, a.Count, want)
		}
		if len(a.Files)+a.Unlisted != want || a.LimitReached != (id == 5) {
			t.Errorf("#%d: %d listed, %d not, limit reached %v", id, len(a.Files), a.Unlisted, a.LimitReached)
		}
		for i, f := range a.Files {
			if f.Diff != "" && !strings.Contains(text, f.Diff) {
				t.Errorf("#%d: the diff of %s is missing in the text", id, f.Path)
			}
			if (f.Diff == "") != (f.Note != "" || a.LimitReached && i >= a.NextStart) {
				t.Errorf("#%d: %s has diff %q and note %q", id, f.Path, f.Diff, f.Note)
			}
		}
		requests := 3 // the pull request and its changes, then the diff
		if id == 5 {
			requests = 2 + 16
		}
		if n := len(l.of("/rest/")); n != requests {
			t.Errorf("#%d: %d requests, want %d: %q", id, n, requests, l.of("/rest/"))
		}
	}
}

// DIFF-05: every file of a large pull request is reached by following the
// answers, once.
func TestALargeDiffIsReadOnFromAnswerToAnswer(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	seen := map[string]bool{}
	start, calls := 0, 0
	for {
		calls++
		a, text := diffOf(t, p, on(5, fmt.Sprintf(`,"start":%d`, start)))
		for i, f := range a.Files {
			if f.Diff == "" && f.Note == "" {
				if start+i < a.NextStart {
					t.Errorf("start %d: %s is passed over", start, f.Path)
				}
				continue
			}
			if seen[f.Path] {
				t.Errorf("%s comes twice", f.Path)
			}
			seen[f.Path] = true
		}
		if !a.LimitReached {
			break
		}
		if !strings.Contains(text, fmt.Sprintf("go on with start %d", a.NextStart)) && !strings.Contains(text, fmt.Sprintf("start %d lists them", a.NextStart)) {
			t.Errorf("start %d: the text does not say start %d", start, a.NextStart)
		}
		if a.NextStart <= start || calls > 30 {
			t.Fatalf("start %d leads to %d in call %d", start, a.NextStart, calls)
		}
		start = a.NextStart
	}
	if len(seen) != 312 {
		t.Errorf("%d files were read in %d calls, want 312", len(seen), calls)
	}
	if a, _ := diffOf(t, p, on(1, `,"path":"catalogue/prune.go","skip":100000`)); a.Files[0].Note == "" || a.Files[0].Diff != "" {
		t.Errorf("skip beyond the end: %+v", a.Files[0])
	}
	if a, text := diffOf(t, p, on(5, `,"start":1000`)); len(a.Files) != 0 || !strings.Contains(text, "no file at start 1000") {
		t.Errorf("start beyond the end: %d files; %s", len(a.Files), text)
	}
}

// DIFF-02: one generated file does not hide the others, and is read on by
// itself, every line of what Bitbucket sends once.
func TestAHugeFileIsCutAfterItsShareAndReadOnAlone(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	a, _ := diffOf(t, p, on(5, `,"start":301`))
	var huge server.DiffedFile
	after := 0
	for _, f := range a.Files {
		switch {
		case f.Path == "catalogue/register_gen.go":
			huge = f
		case huge.Path != "" && (f.Diff != "" || f.Note != ""):
			after++
		}
	}
	if huge.Skip == 0 || !strings.Contains(huge.Diff, "left out; go on with path of this file and skip") || huge.Added != nil {
		t.Errorf("the huge file: skip %d, added %v, ends %q", huge.Skip, huge.Added, huge.Diff[max(0, len(huge.Diff)-120):])
	}
	if after != 3 {
		t.Errorf("%d files follow the huge one, want 3", after)
	}

	lines, skip := 0, 0
	for range 20 {
		a, _ := diffOf(t, p, on(5, fmt.Sprintf(`,"path":"catalogue/register_gen.go","skip":%d`, skip)))
		f := a.Files[0]
		for line := range strings.SplitSeq(f.Diff, "\n") {
			if strings.HasPrefix(line, "+") {
				lines++
			}
		}
		if f.Skip == 0 {
			if !strings.Contains(f.Diff, `\ Bitbucket cut the diff here`) {
				t.Errorf("the end does not say that Bitbucket cut it: %q", f.Diff[max(0, len(f.Diff)-120):])
			}
			break
		}
		skip = f.Skip
	}
	if lines != 10_000 {
		t.Errorf("%d lines were read, want the 10,000 that Bitbucket sends", lines)
	}
}

// The words for files of every kind; URI-02: names of every kind reach
// Bitbucket and come back.
func TestAwkwardFilesAreNamedAndReadOneByOne(t *testing.T) {
	p, l := listen(t, "amara", nil)
	whole, text := diffOf(t, p, on(9, ""))
	for _, want := range []string{
		`MOVE "docs/soil.md" from "shelf/soil.md", 1 comment. Its content is the same.`,
		`COPY "docs/labels.csv" from "shelf/labels.csv". Its content is the same.`,
		`ADD "shelf/.keep". The file is empty.`,
		`DELETE "shelf/plum.png". A binary file.`,
		`MODIFY "shelf/print-labels.sh", now executable. Only its mode changed.`,
		`MODIFY "shelf/pomology", a submodule, +1 -1`,
		`ADD "shelf/two\nlines.md", +1 -0, 1 comment`,
		`ADD "shelf/ends with a space ", +1 -0`,
		"only their line endings differ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not have %q", want)
		}
	}
	for _, f := range whole.Files {
		path, err := json.Marshal(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		one, _ := diffOf(t, p, on(9, `,"path":`+string(path)))
		if len(one.Files) != 1 {
			t.Fatalf("%q: %d files", f.Path, len(one.Files))
		}
		if diff := cmp.Diff(f, one.Files[0], cmp.AllowUnexported(server.DiffedFile{}), cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".change" }, cmp.Ignore())); diff != "" {
			t.Errorf("%q alone (-among all +alone):\n%s", f.Path, diff)
		}
	}
	if got := l.of("/diff/shelf/rows%20100%25%20of%20%231%3F.md"); len(got) != 1 || !strings.Contains(got[0], "srcPath=shelf%2Frows+%26+places+%231.md") {
		t.Errorf("a moved file is asked for with %q", got)
	}
	if got := l.of("%2F."); len(got) != 0 && strings.Contains(strings.Split(got[0], "?")[0], "/diff/shelf%2F") {
		t.Errorf("a slash is escaped: %q", got)
	}
	if a, _ := diffOf(t, p, on(9, `,"path":"shelf/soil.md"`)); len(a.Files) != 1 || a.Files[0].Path != "docs/soil.md" {
		t.Errorf("by its path before the move: %+v", a.Files)
	}
	if a, _ := diffOf(t, p, on(9, `,"path":"/shelf/orchards/"`)); len(a.Files) != 1 || *a.Count.Total != 1 {
		t.Errorf("a folder has %+v", a.Files)
	}
}

// Every argument reaches Bitbucket.
func TestHowADiffIsReadReachesBitbucket(t *testing.T) {
	for more, want := range map[string][]string{
		``:                        {"withComments=false"},
		`,"context":0`:            {"contextLines=0"},
		`,"context":25`:           {"contextLines=25"},
		`,"whitespace":"ignore"`:  {"whitespace=ignore-all"},
		`,"scope":"unreviewed"`:   {"sinceId=8ef6c7fca55056a6f7cf15f42c262b0a1cf6f592", "untilId=fe2c3a5e02b7f93358cce06c57ec6e1f8ac0c179"},
		`,"commit":"64c13b035ab"`: {"/commits/64c13b035ab939ca5f9373787ba0a241612ec6c5/diff"},
	} {
		p, l := listen(t, "bo", nil)
		diffOf(t, p, on(1, more))
		got := l.of("/diff")
		if len(got) != 1 {
			t.Errorf("%s: %d requests for diffs: %q", more, len(got), got)
			continue
		}
		for _, w := range want {
			if !strings.Contains(got[0], w) {
				t.Errorf("%s: asked %s, without %s", more, got[0], w)
			}
		}
		if more == `` && (strings.Contains(got[0], "contextLines") || strings.Contains(got[0], "whitespace")) {
			t.Errorf("what was not given is sent: %s", got[0])
		}
	}
}

// V40
func TestWhatIsNewSinceTheLastReview(t *testing.T) {
	for _, test := range []struct {
		user   string
		id     int
		scope  string
		files  int
		phrase string
	}{
		{"bo", 1, "unreviewed", 2, "Changes since your last review (8ef6c7fca55 to fe2c3a5e02b)"},
		{"chen", 1, "unreviewed", 2, "Changes since your last review (64c13b035ab"},
		{"zoe", 1, "all", 4, "has not reviewed this pull request"},
	} {
		p := newWorld(t, test.user).connect(t, "modern", uiCapability)
		a, text := diffOf(t, p, on(test.id, `,"scope":"unreviewed"`))
		if a.Scope != test.scope || len(a.Files) != test.files || !strings.Contains(text, test.phrase) {
			t.Errorf("%s, #%d: scope %s, %d files, want %s, %d and %q in\n%.300s", test.user, test.id, a.Scope, len(a.Files), test.scope, test.files, test.phrase, text)
		}
	}
}

// V40: the other two cases, by a server that says so.
func TestNothingNewAndARebasedBranchAreSaid(t *testing.T) {
	const tip = "fe2c3a5e02b7f93358cce06c57ec6e1f8ac0c179"
	for reviewed, test := range map[string]struct {
		files  int
		phrase string
	}{
		tip: {0, "Nothing came since your last review"},
		"1111111111111111111111111111111111111111": {4, "no longer in the source branch"},
	} {
		p, l := listen(t, "amara", func(r *http.Request) (int, string) {
			if !strings.HasSuffix(r.URL.Path, "/pull-requests/1") {
				return 0, ""
			}
			return 200, `{"id":1,"state":"OPEN","fromRef":{"latestCommit":"` + tip + `"},"reviewers":[{"user":{"name":"Amara"},"lastReviewedCommit":"` + reviewed + `"}]}`
		})
		a, text := diffOf(t, p, on(1, `,"scope":"unreviewed"`))
		if len(a.Files) != test.files || a.Count.Total == nil || *a.Count.Total != test.files || !strings.Contains(text, test.phrase) {
			t.Errorf("reviewed %s: %d files (%+v); %.300s", reviewed, len(a.Files), a.Count, text)
		}
		if n := len(l.of("/diff")); (n > 0) != (test.files > 0) {
			t.Errorf("reviewed %s: %d requests for diffs", reviewed, n)
		}
	}
}

// One commit: by a short id, of a fork, and one that is none of them.
func TestTheDiffOfACommitIsOfThePullRequests(t *testing.T) {
	p := newWorld(t, "bo").connect(t, "modern", uiCapability)
	a, text := diffOf(t, p, on(11, `,"scope":"commit","commit":"2EB56F31B"`))
	if a.Commit != "2eb56f31b97270a4a3c6f387148d737b7e3d152e" || a.Since == "" || len(a.Files) != 1 || a.Files[0].Type != "MODIFY" {
		t.Errorf("%+v\n%s", a, text)
	}
	for more, want := range map[string]string{
		`,"commit":"ed0ea3006a"`:                               "is not one of its 2 commits",
		`,"commit":"1111111111111111111111111111111111111111"`: "is not one of its 2 commits",
		`,"scope":"commit"`:                                    "scope commit needs commit",
		`,"scope":"all","commit":"2eb56f31b"`:                  "commit goes with scope commit",
		`,"commit":"wasps"`:                                    "full or short",
		`,"skip":5`:                                            "skip needs path",
		`,"skip":5,"path":"catalogue"`:                         "is a folder",
		`,"path":"no/such.go"`:                                 "does not change \"no/such.go\"",
		`,"path":"../../secrets"`:                              "does not change",
		`,"scope":"everything"`:                                "scope",
	} {
		r := p.tool(diffTool, on(11, more))
		if !r.IsError || !strings.Contains(r.text(), want) {
			t.Errorf("%s: %v %s, want %q", more, r.IsError, r.text(), want)
		}
	}
}

// DIFF-15: a whole diff that the server refuses or cuts is read by its files,
// and what cannot be read is said; nothing is "no changes".
func TestARefusedDiffIsReadByItsFiles(t *testing.T) {
	whole := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/diff") }
	for name, answer := range map[string]func(*http.Request) (int, string){
		"refused": func(r *http.Request) (int, string) {
			if whole(r) {
				return 500, `{"errors":[{"message":"The diff is too large."}]}`
			}
			return 0, ""
		},
		"cut": func(r *http.Request) (int, string) {
			if whole(r) {
				return 200, `{"diffs":[{"destination":{"toString":"catalogue/lineage_test.go"},"hunks":[{"segments":[],"truncated":true}],"truncated":true}],"truncated":true}`
			}
			return 0, ""
		},
	} {
		p, l := listen(t, "bo", answer)
		a, _ := diffOf(t, p, on(1, ""))
		for _, f := range a.Files {
			if f.Diff == "" || f.Added == nil {
				t.Errorf("%s: %s has no diff: %q", name, f.Path, f.Note)
			}
		}
		if n := len(l.of("/diff")); n != 5 {
			t.Errorf("%s: %d requests for diffs, want 1 and 4", name, n)
		}
	}

	p, _ := listen(t, "bo", func(r *http.Request) (int, string) {
		if strings.Contains(r.URL.Path, "/diff") {
			return 500, `{"errors":[{"message":"A database error has occurred."}]}`
		}
		return 0, ""
	})
	a, text := diffOf(t, p, on(1, ""))
	if len(a.Files) != 4 || !strings.Contains(text, `ADD "catalogue/lineage_test.go". Its diff could not be read: A database error has occurred.`) {
		t.Errorf("nothing can be read: %s", text)
	}
	for _, f := range a.Files {
		if f.Note == "" {
			t.Errorf("%s is passed over in silence", f.Path)
		}
	}
}

// A list that Bitbucket cut claims no total, and a path beyond it can be read.
func TestAListOfFilesThatBitbucketCutClaimsNoTotal(t *testing.T) {
	p, _ := listen(t, "bo", func(r *http.Request) (int, string) {
		if strings.HasSuffix(r.URL.Path, "/changes") {
			return 200, `{"toHash":"fe2c3a5e02b7f93358cce06c57ec6e1f8ac0c179","properties":{"changeScope":"ALL"},"values":[{"type":"MODIFY","nodeType":"FILE","path":{"components":["catalogue","nightly.go"]}}],"isLastPage":false,"nextPageStart":null}`
		}
		return 0, ""
	})
	a, text := diffOf(t, p, on(1, ""))
	if a.Count.Total != nil || !a.LimitReached || len(a.Files) != 1 || a.Files[0].Diff == "" || !strings.Contains(text, "There are more files") {
		t.Errorf("%+v\n%s", a, text)
	}
	a, _ = diffOf(t, p, on(1, `,"path":"catalogue/prune.go"`))
	if len(a.Files) != 1 || a.Files[0].Type != "MODIFY" || a.Files[0].Diff == "" {
		t.Errorf("beyond the list: %+v", a.Files)
	}
	if r := p.tool(diffTool, on(1, `,"path":"no.go"`)); !r.IsError || !strings.Contains(r.text(), "lists only its first 1000 files") {
		t.Errorf("no such path: %s", r.text())
	}
}

// The list and the diff are read one after the other.
func TestABranchThatMovedMeanwhileIsSaid(t *testing.T) {
	p, _ := listen(t, "bo", func(r *http.Request) (int, string) {
		if strings.HasSuffix(r.URL.Path, "/diff") {
			return 200, `{"toHash":"2222222222222222222222222222222222222222","diffs":[]}`
		}
		return 0, ""
	})
	if _, text := diffOf(t, p, on(1, "")); !strings.Contains(text, "moved while it was read") {
		t.Error(text)
	}
}

// White space that is ignored is not passed over in silence.
func TestAFileOfWhichOnlyWhiteSpaceChangedIsSaid(t *testing.T) {
	p := newWorld(t, "bo").connect(t, "modern", uiCapability)
	a, _ := diffOf(t, p, on(9, `,"whitespace":"ignore"`))
	for _, f := range a.Files {
		if f.Path == "shelf/line-ends.txt" && !strings.Contains(f.Note, "white space") {
			t.Errorf("%+v", f)
		}
	}
	if len(a.Files) != 43 {
		t.Errorf("%d files, want all 43", len(a.Files))
	}
}

// views.md, pull_request_diff: a conflict on a file, in Bitbucket's words.
func TestConflictsAreOnTheirFiles(t *testing.T) {
	p := newWorld(t, "bo").connect(t, "modern", uiCapability)
	a, text := diffOf(t, p, on(8, ""))
	if a.Files[0].Conflict != "target: MODIFY, source: MODIFY" || !strings.Contains(text, "Where it conflicts") {
		t.Errorf("%+v\n%.400s", a.Files[0], text)
	}
}
