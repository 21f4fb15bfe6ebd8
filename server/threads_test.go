package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/server"
)

// good is a tool's answer, which must be one, fit its schema and the bound of
// a result.
func good[T any](t testing.TB, p *peer, tool, arguments string) (T, string) {
	t.Helper()
	a := p.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	r := decode[toolResult](t, a.Result)
	if r.IsError {
		t.Fatalf("%s %s: %s", tool, arguments, r.text())
	}
	if n := len(utf16.Encode([]rune(string(a.Result)))); n > 120_000 { // T6
		t.Errorf("%s %s: the result has %d UTF-16 units", tool, arguments, n)
	}
	fits(t, p, tool, r.StructuredContent)
	return decode[T](t, r.StructuredContent), r.text()
}

// bad is the text of a tool's error.
func bad(t testing.TB, p *peer, tool, arguments string) string {
	t.Helper()
	r := p.tool(tool, arguments)
	if !r.IsError {
		t.Fatalf("%s %s is answered: %s", tool, arguments, r.text())
	}
	return r.text()
}

const threadsTool = "list_pull_request_threads"

func onPullRequest(id int, more string) string {
	return fmt.Sprintf(`{"project":"ORCH","repo":"catalogue","id":%d%s}`, id, more)
}

// roots are the ids of the comments that began the threads.
func roots(a server.ThreadsAnswer) []int {
	ids := []int{}
	for _, t := range a.Threads {
		ids = append(ids, t.Comments[0].ID)
	}
	return ids
}

func TestThreadsComeByFileAndLineThenGeneralOnesWithPlaceCodeAndReplies(t *testing.T) {
	p, o := listen(t, "bo", nil)
	a, text := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(1, `,"state":"ALL"`))
	if diff := cmp.Diff([]int{20141, 20201, 20101, 20301, 20081, 20061, 20221}, roots(a)); diff != "" {
		t.Errorf("threads (-want +got):\n%s", diff)
	}
	places := []string{}
	for _, x := range a.Threads {
		places = append(places, fmt.Sprintf("%s %d %s %s %v %v: %s", x.Path, x.Line, x.Side, x.LineType, x.Outdated, x.Resolved, strings.TrimSpace(x.Code)))
	}
	if diff := cmp.Diff([]string{
		"catalogue/prune.go 15 TO ADDED false true: const restYears = 5",
		"catalogue/prune.go 25 FROM CONTEXT false false: before := len(c.trees)",
		"catalogue/prune.go 27 FROM REMOVED false false: return t.Felled",
		"catalogue/prune.go 42 TO ADDED false false: return t.LastYield() < since",
		"catalogue/prune.go 27 TO ADDED true true: return t.Felled || t.LastYield() < 2021",
		" 0   false false: ", " 0   false false: ",
	}, places[:]); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	general := a.Threads[5]
	parents := []int{}
	for _, c := range general.Comments {
		parents = append(parents, c.Parent)
	}
	if diff := cmp.Diff([]int{0, 20061, 20062}, parents); diff != "" {
		t.Errorf("replies (-want +got):\n%s", diff)
	}
	for _, want := range []string{"7 comment threads of pull request ORCH/catalogue #1", "line 25 (old file, context)", "outdated", "resolved by chen", "reply to 20062", "a task resolved by", "open task"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not say %q:\n%s", want, text)
		}
	}
	if asked := o.forget(); len(asked) != 2 {
		t.Errorf("%d requests: %q", len(asked), asked)
	}
}

func TestEachArgumentOfThreadsNarrowsThem(t *testing.T) {
	p, _ := listen(t, "bo", nil)
	for more, want := range map[string][]int{
		``:                                 {20201, 20101, 20301, 20061, 20221},
		`,"state":"RESOLVED"`:              {20141, 20081},
		`,"tasks":true`:                    {20301, 20221},
		`,"tasks":true,"state":"RESOLVED"`: {20141},
		`,"tasks":true,"state":"ALL"`:      {20141, 20301, 20221},
		`,"path":"catalogue/prune.go"`:     {20201, 20101, 20301},
		`,"path":"prune.go"`:               {},
		`,"author":"Bo"`:                   {20201, 20061, 20221},
		`,"author":"bo","tasks":true`:      {20221},
		`,"limit":2`:                       {20201, 20101},
		`,"limit":2,"start":4`:             {20221},
		`,"start":99`:                      {},
	} {
		a, _ := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(1, more))
		if diff := cmp.Diff(want, roots(a)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", more, diff)
		}
	}
	if got := bad(t, p, threadsTool, onPullRequest(1, `,"state":"BROKEN"`)); !strings.Contains(got, "state") {
		t.Errorf("a state there is not: %s", got)
	}
	if got := bad(t, p, threadsTool, onPullRequest(4711, ``)); !strings.Contains(got, "#4711") || !strings.Contains(got, "list_pull_requests") {
		t.Errorf("no such pull request: %s", got)
	}
}

// V44
func TestPendingCommentsAreMarkedShownToTheirAuthorAloneAndInNoTotal(t *testing.T) {
	for user, pending := range map[string]int{"amara": 0, "bo": 0, "chen": 2} {
		p, _ := listen(t, user, nil)
		a, text := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(1, ``))
		marked := 0
		for _, x := range a.Threads {
			for _, c := range x.Comments {
				if c.Pending {
					marked++
				}
			}
		}
		if a.Count.Total == nil || *a.Count.Total != 5 || marked != pending || a.OwnPending == nil || *a.OwnPending != pending || len(a.Threads) != 5+pending {
			t.Errorf("%s: count %+v, %d marked, own pending %v, %d threads", user, a.Count, marked, a.OwnPending, len(a.Threads))
		}
		if strings.Contains(text, "unpublished") != (pending > 0) || !strings.HasPrefix(text, "5 open comment threads") {
			t.Errorf("%s:\n%s", user, text)
		}
		if a, _ := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(1, `,"state":"RESOLVED"`)); len(a.Threads) != 2 {
			t.Errorf("%s: resolved: %v", user, roots(a))
		}
	}
}

func TestThreadsSayThatPendingCommentsCouldNotBeRead(t *testing.T) {
	p, _ := listen(t, "bo", func(r *http.Request) (int, string) {
		path := r.URL.Path
		if strings.HasSuffix(path, "/review") {
			return 500, `{"errors":[{"message":"A database error has occurred."}]}`
		}
		return 0, ""
	})
	a, text := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(1, ``))
	if len(a.Threads) != 5 || len(a.Unavailable) != 1 || a.OwnPending != nil || !strings.Contains(text, `Could not read the pending comments: "A database error has occurred".`) {
		t.Errorf("%+v\n%s", a.Unavailable, text)
	}
}

// T6
func TestEveryThreadOfALargePullRequestIsReachedOnceInBoundedAnswers(t *testing.T) {
	p, o := listen(t, "amara", nil)
	seen := map[int]bool{}
	total, start := 0, 0
	for calls := 0; ; calls++ {
		a, text := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(5, fmt.Sprintf(`,"state":"ALL","limit":100,"start":%d`, start)))
		for _, id := range roots(a) {
			if seen[id] {
				t.Errorf("thread %d comes twice", id)
			}
			seen[id] = true
		}
		if a.Count.Total == nil {
			t.Fatal("all 600 activities are read, so the number is known")
		}
		if total = *a.Count.Total; !a.LimitReached {
			break
		}
		if start = a.NextStart; !strings.Contains(text, fmt.Sprintf("go on with start %d", start)) || calls > 20 {
			t.Fatalf("where to go on is not said: %d", start)
		}
		if asked := o.forget(); len(asked) != 3 { // two pages of activities, and the pending ones
			t.Errorf("%d requests: %q", len(asked), asked)
		}
	}
	if len(seen) != total || total < 500 {
		t.Errorf("%d threads were listed of %d", len(seen), total)
	}
}

// T11
func TestHostileCommentsAreFencedForAModelAndLeftAloneInTheData(t *testing.T) {
	p, _ := listen(t, "amara", nil)
	for _, id := range []int{6, 9} {
		a, text := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(id, `,"state":"ALL","limit":100`))
		if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf) }); i >= 0 {
			t.Errorf("#%d: %q", id, text[i:min(len(text), i+40)])
		}
		if id == 6 && !slices.ContainsFunc(a.Threads, func(x server.Thread) bool { return strings.Contains(x.Comments[0].Text, "\u202e") }) {
			t.Error("the data lost what was written")
		}
		if id == 6 && !slices.ContainsFunc(a.Threads, func(x server.Thread) bool { return x.FirstLine == 4 && x.Line == 6 }) {
			t.Error("a comment on several lines lost its first")
		}
	}
}

// commentJSON is a comment as Bitbucket sends it.
func commentJSON(id, version int, text, more string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"id":%d,"version":%d,"text":%s,"author":{"name":"bo","displayName":"Bo"},"createdDate":%d,"severity":"NORMAL","state":"OPEN"%s}`, id, version, quoted, 1_000_000_000_000+id, more)
}

func commented(id int, action, comment, more string) string {
	return fmt.Sprintf(`{"id":%d,"createdDate":1,"user":{"name":"bo","displayName":"Bo"},"action":"COMMENTED","commentAction":%q,"comment":%s%s}`, id, action, comment, more)
}

func onePage(values ...string) string {
	return fmt.Sprintf(`{"size":%d,"isLastPage":true,"values":[%s]}`, len(values), strings.Join(values, ","))
}

// activitiesAre answers these activities and no pending comments.
func activitiesAre(values ...string) func(*http.Request) (int, string) {
	return func(r *http.Request) (int, string) {
		path := r.URL.Path
		switch {
		case strings.HasSuffix(path, "/activities"):
			return 200, onePage(values...)
		case strings.HasSuffix(path, "/review"):
			return 200, onePage()
		}
		return 0, ""
	}
}

// COMMENTS-03 of bug-log.md
func TestACommentTheActivityRepeatsIsOneComment(t *testing.T) {
	deep := commentJSON(5, 0, "first", `,"comments":[`+commentJSON(6, 0, "reply", `,"comments":[`+commentJSON(7, 0, "deep", "")+`]`)+`]`)
	p, _ := listen(t, "bo", activitiesAre(
		commented(95, "DELETED", commentJSON(9, 0, "gone", `,"parent":{"id":5}`), ""),
		commented(94, "UPDATED", commentJSON(5, 2, "first, edited", ""), ""),
		commented(93, "REPLIED", commentJSON(8, 0, "later", `,"parent":{"id":7}`), ""),
		commented(92, "REPLIED", commentJSON(9, 0, "gone", `,"parent":{"id":5}`), ""),
		commented(91, "REPLIED", commentJSON(6, 0, "reply", `,"parent":{"id":5}`), ""),
		commented(90, "ADDED", deep, `,"commentAnchor":{"path":"a.go","line":3,"lineType":"ADDED","fileType":"TO"}`),
		commented(89, "REPLIED", commentJSON(4, 0, "to nothing read", `,"parent":{"id":1}`), ""),
	))
	a, _ := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(1, ``))
	got := []string{}
	for _, x := range a.Threads {
		for _, c := range x.Comments {
			got = append(got, fmt.Sprintf("%s %d<%d v%d %s", x.Path, c.ID, c.Parent, c.Version, c.Text))
		}
	}
	if diff := cmp.Diff([]string{"a.go 5<0 v2 first, edited", "a.go 6<5 v0 reply", "a.go 7<6 v0 deep", "a.go 8<7 v0 later", " 4<1 v0 to nothing read"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a.Count.Total == nil || *a.Count.Total != 2 {
		t.Errorf("count %+v", a.Count)
	}
}

// COMMENTS-02 of bug-log.md
func TestActivityBeyondAThousandIsSaidAndAFilesThreadsAreReadByFile(t *testing.T) {
	p, o := listen(t, "bo", func(r *http.Request) (int, string) {
		path, query := r.URL.Path, r.URL.RawQuery
		switch {
		case strings.HasSuffix(path, "/activities"):
			start := 0
			for part := range strings.SplitSeq(query, "&") {
				fmt.Sscanf(part, "start=%d", &start)
			}
			var values []string
			for i := range 500 {
				id := start + i + 1
				values = append(values, commented(id, "ADDED", commentJSON(id, 0, "x", ""), fmt.Sprintf(`,"commentAnchor":{"path":"file%d.go","line":%d}`, id%2, id)))
			}
			return 200, fmt.Sprintf(`{"size":500,"isLastPage":false,"nextPageStart":%d,"values":[%s]}`, start+500, strings.Join(values, ","))
		case strings.HasSuffix(path, "/comments"):
			return 200, onePage(commentJSON(2, 0, "x", `,"anchor":{"path":"file0.go","line":2}`), commentJSON(5000, 0, "old", `,"anchor":{"path":"file0.go","line":9999,"orphaned":true}`))
		case strings.HasSuffix(path, "/review"):
			return 200, onePage()
		}
		return 0, ""
	})
	a, text := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(1, `,"limit":1`))
	if a.Count.Total != nil || a.Count.KnownSoFar == nil || *a.Count.KnownSoFar != 1000 || !a.OlderMissing || !strings.Contains(text, "newest 1000 activities") {
		t.Errorf("%+v %v\n%s", a.Count, a.OlderMissing, text)
	}
	if asked := o.forget(); len(asked) != 3 {
		t.Errorf("%d requests: %q", len(asked), asked)
	}
	a, text = good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(1, `,"path":"file0.go","start":500`))
	if diff := cmp.Diff([]int{5000}, roots(a)); diff != "" || a.Count.Total != nil || !strings.Contains(text, "own diffs may be missing") {
		t.Errorf("%+v (-want +got):\n%s\n%s", a.Count, diff, text)
	}
	asked := o.forget()
	if !slices.ContainsFunc(asked, func(r string) bool {
		return strings.Contains(r, "/comments?") && strings.Contains(r, "path=file0.go") && strings.Contains(r, "anchorState=ALL")
	}) {
		t.Errorf("requests: %q", asked)
	}
}

// T6
func TestALongThreadIsCutAndTheCallForMoreIsTrue(t *testing.T) {
	var replies []string
	for i := range 300 {
		replies = append(replies, commentJSON(100+i, 0, strings.Repeat("<\u202e&", 1000), ""))
	}
	long := commented(1, "ADDED", commentJSON(10, 0, strings.Repeat("word <", 5000), `,"comments":[`+strings.Join(replies, ",")+`]`), "")
	p, _ := listen(t, "bo", activitiesAre(commented(2, "ADDED", commentJSON(9, 0, "short", ""), ""), long))
	a, text := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(1, ``))
	if len(a.Threads) != 2 || a.LimitReached {
		t.Fatalf("%d threads", len(a.Threads))
	}
	x := a.Threads[1]
	if x.Left == 0 || x.Comments[0].TextCut == 0 || x.Left+len(x.Comments) != 301 {
		t.Errorf("%d comments, %d left out, %d characters cut", len(x.Comments), x.Left, x.Comments[0].TextCut)
	}
	if !strings.Contains(text, "limit 1 with start 1 brings more") {
		t.Errorf("what brings more is not said:\n%.3000s", text)
	}
	b, text := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(1, `,"limit":1,"start":1`))
	y := b.Threads[0]
	if y.Comments[0].ID != 10 || y.Comments[0].TextCut >= x.Comments[0].TextCut || !strings.Contains(text, "page in Bitbucket") {
		t.Errorf("limit 1 brings no more: %d, then %d characters are cut", x.Comments[0].TextCut, y.Comments[0].TextCut)
	}
}

// A pending reply that only the listing of pending comments has is shown, and
// not taken for a thread on the pull request as a whole.
func TestAPendingCommentWithoutAPlaceIsNotSaidToBeOne(t *testing.T) {
	p, _ := listen(t, "bo", func(r *http.Request) (int, string) {
		path := r.URL.Path
		switch {
		case strings.HasSuffix(path, "/activities"):
			return 200, onePage()
		case strings.HasSuffix(path, "/review"):
			return 200, onePage(strings.Replace(commentJSON(3, 0, "mine", ""), `"OPEN"`, `"PENDING"`, 1))
		}
		return 0, ""
	})
	a, text := good[server.ThreadsAnswer](t, p, threadsTool, onPullRequest(1, ``))
	if len(a.Threads) != 1 || !a.Threads[0].Comments[0].Pending || *a.Count.Total != 0 || !strings.Contains(text, "or a reply: not published") || !strings.HasPrefix(text, "No open comment threads") {
		t.Errorf("%+v\n%s", a, text)
	}
}
