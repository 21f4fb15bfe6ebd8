package server_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/server"
)

const activityTool = "list_pull_request_activity"

func activity(id int, action, more string) string {
	return fmt.Sprintf(`{"id":%d,"createdDate":1700000000000,"user":{"name":"bo","displayName":"Bo"},"action":%q%s}`, id, action, more)
}

// Every action of bitbucket-rest.md 11 is in words, and one that nobody knows
// yet is named and counted.
func TestEveryKindOfActivityIsSaidInWords(t *testing.T) {
	commits := func(total int) string {
		return fmt.Sprintf(`{"commits":[{"id":"aaaabbbbccccddddeeeeffff0000111122223333","message":"One\n\nmore"}],"total":%d}`, total)
	}
	kinds := []struct{ more, action, want string }{
		{``, "OPENED", "opened the pull request"},
		{``, "DECLINED", "declined the pull request"},
		{``, "REOPENED", "reopened the pull request"},
		{``, "DELETED", "deleted the pull request"},
		{``, "APPROVED", "approved the pull request"},
		{``, "UNAPPROVED", "unapproved the pull request"},
		{``, "REVIEWED", "requested changes"},
		{`,"commentAction":"ADDED","comment":` + commentJSON(7, 0, "Why?", ""), "COMMENTED", `commented (comment 7): "Why?"`},
		{`,"commentAction":"UPDATED","comment":` + commentJSON(7, 1, "Why?", ""), "COMMENTED", `edited a comment (comment 7): "Why?"`},
		{`,"commentAction":"DELETED","comment":` + commentJSON(7, 0, "Why?", ""), "COMMENTED", `deleted a comment (comment 7): "Why?"`},
		{`,"commentAction":"REPLIED","comment":` + commentJSON(7, 0, "Why?", ""), "COMMENTED", `replied (comment 7): "Why?"`},
		{`,"commentAction":"ADDED","commentAnchor":{"path":"a.go","line":3,"fileType":"FROM"},"comment":` + commentJSON(7, 0, "Why?", `,"comments":[`+commentJSON(8, 0, "No", "")+`]`),
			"COMMENTED", `commented on "a.go" line 3 of the old file (comment 7, 1 reply): "Why?"`},
		{`,"commentAction":"ADDED","comment":` + commentJSON(7, 0, "Why?", `,"comments":[`+commentJSON(8, 0, "No", "")+`,`+strings.Replace(commentJSON(9, 0, "mine", ""), `"OPEN"`, `"PENDING"`, 1)+`]`),
			"COMMENTED", `commented (comment 7, 1 reply): "Why?"`}, // V44: an unpublished reply is in no total
		{`,"commentAction":"ADDED","comment":` + strings.Replace(commentJSON(7, 0, "Do", ""), "NORMAL", "BLOCKER", 1), "COMMENTED", `added a task (comment 7): "Do"`},
		{`,"commentAction":"ADDED"`, "COMMENTED", `commented`},
		{`,"commentAction":"ADDED","comment":` + commentJSON(7, 0, strings.Repeat("x", 400), ""), "COMMENTED", `xx" (100 more characters)`},
		{`,"fromHash":"f0f0f0f0f0f0f0f0","previousToHash":"1","toHash":"1","added":` + commits(9) + `,"removed":{"commits":[],"total":0}`,
			"RESCOPED", "added 9 commits, to f0f0f0f0f0f\n  aaaabbbbccc \"One\"\n  and 8 more"},
		{`,"fromHash":"f0f0f0f0f0f0f0f0","added":` + commits(1) + `,"removed":` + commits(2), "RESCOPED", "added 1 commit and removed 2 commits"},
		{`,"fromHash":"f0f0f0f0f0f0f0f0","removed":` + commits(2), "RESCOPED", "removed 2 commits"},
		{`,"previousToHash":"1","toHash":"2"`, "RESCOPED", "changed the destination branch, or it moved"},
		{`,"commit":{"id":"aaaabbbbccccddddeeeeffff0000111122223333"},"autoMerge":true`, "MERGED", "merged the pull request in commit aaaabbbbccc by auto-merge"},
		{``, "MERGED", "merged the pull request\n"},
		{`,"addedReviewers":[{"name":"chen","displayName":"Chen"}],"removedReviewers":[{"name":"a","displayName":"A"},{"name":"b","displayName":"B"}]`,
			"UPDATED", "added \"Chen\" (chen) as a reviewer, removed \"A\" (a), \"B\" (b) as reviewers"},
		{`,"draft":true`, "UPDATED", "converted the pull request to a draft"},
		{`,"draft":false`, "UPDATED", "marked the pull request as ready for review"},
		{``, "UPDATED", "edited the title or description"},
		{``, "AUTO_MERGE_REQUESTED", "requested auto-merge"},
		{`,"cancelledReason":"The source\nmoved"`, "AUTO_MERGE_CANCELLED", `had auto-merge cancelled: "The source moved"`},
		{``, "REVIEW_FINISHED", "finished a review"},
		{``, "REVIEW_DISCARDED", "discarded a review"},
		{`,"comment":` + commentJSON(7, 0, "Why?", ""), "REVIEW_COMMENTED", `commented in a review that is not finished: "Why?"`},
		{``, "PLUGIN_\u202eTHING", `"PLUGIN_\u202eTHING"`},
	}
	for i, k := range kinds {
		p, _ := listen(t, "bo", activitiesAre(activity(i+1, k.action, k.more)))
		a, text := good[server.ActivityAnswer](t, p, activityTool, onPullRequest(1, ``))
		if !strings.Contains(text+"\n", "- 2023-11-14T22:13:20Z \"Bo\" (bo) ") || !strings.Contains(text+"\n", k.want) {
			t.Errorf("%s%s is %q, want %q in it", k.action, k.more, text, k.want)
		}
		if len(a.Activities) != 1 || a.Activities[0].Action != k.action || a.Count.Total == nil || *a.Count.Total != 1 {
			t.Errorf("%s: %+v", k.action, a)
		}
	}
}

// V44
func TestAnUnpublishedCommentIsMarkedInTheActivityAndNotCounted(t *testing.T) {
	for user, pending := range map[string]int{"bo": 0, "chen": 2} {
		p, _ := listen(t, user, nil)
		a, text := good[server.ActivityAnswer](t, p, activityTool, onPullRequest(1, ``))
		if *a.Count.Total != 14 || len(a.Activities) != 14+pending || !strings.HasPrefix(text, "14 activities of pull request") || strings.Contains(text, "not published") != (pending > 0) {
			t.Errorf("%s: %d of %d\n%s", user, len(a.Activities), *a.Count.Total, text)
		}
	}
}

// PAGING-01, PAGING-03 of bug-log.md
func TestActivityIsPagedAsBitbucketPagesItAndClaimsATotalOnlyAtItsEnd(t *testing.T) {
	p, o := listen(t, "amara", nil)
	seen := map[int]bool{}
	for start := 0; ; {
		o.forget()
		a, text := good[server.ActivityAnswer](t, p, activityTool, onPullRequest(5, fmt.Sprintf(`,"limit":100,"start":%d`, start)))
		if asked := o.forget(); len(asked) != 1 || !strings.Contains(asked[0], "limit=100") || !strings.Contains(asked[0], fmt.Sprintf("start=%d", start)) {
			t.Errorf("requests: %q", asked)
		}
		for _, e := range a.Activities {
			if seen[e.ID] {
				t.Errorf("activity %d comes twice", e.ID)
			}
			seen[e.ID] = true
		}
		if a.Count.Total != nil {
			t.Errorf("from %d a total of %d is claimed", start, *a.Count.Total)
		}
		if !a.LimitReached {
			break
		}
		if start = a.NextStart; !strings.Contains(text, fmt.Sprintf("go on with start %d", start)) {
			t.Fatal(text)
		}
	}
	if len(seen) != 600 {
		t.Errorf("%d activities", len(seen))
	}
}

// T11
func TestHostileActivityIsVisibleToAModel(t *testing.T) {
	p, _ := listen(t, "amara", nil)
	for _, id := range []int{4, 6, 8, 9, 11, 12} {
		_, text := good[server.ActivityAnswer](t, p, activityTool, onPullRequest(id, `,"limit":100`))
		if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) }); i >= 0 {
			t.Errorf("#%d: %q", id, text[i:min(len(text), i+40)])
		}
	}
	if got := bad(t, p, activityTool, onPullRequest(4711, ``)); !strings.Contains(got, "#4711") {
		t.Error(got)
	}
}

// T6
func TestALongActivityIsCutBetweenEntriesAndGoesOnWithoutLosingAny(t *testing.T) {
	var all []string
	for i := range 100 {
		all = append(all, commented(i+1, "ADDED", commentJSON(i+1, 0, strings.Repeat("<", 2000), ""), `,"commentAnchor":{"path":"`+strings.Repeat("<d>/", 200)+`"}`))
	}
	p, _ := listen(t, "bo", activitiesAre(all...))
	a, _ := good[server.ActivityAnswer](t, p, activityTool, onPullRequest(1, `,"limit":100`))
	if !a.LimitReached || a.NextStart != len(a.Activities) || len(a.Activities) == 0 {
		t.Errorf("%d activities, limit reached %v, next start %d", len(a.Activities), a.LimitReached, a.NextStart)
	}
	if diff := cmp.Diff(300, len(a.Activities[0].Text)); diff != "" || a.Activities[0].TextCut != 1700 {
		t.Errorf("excerpt: %s, %d cut", diff, a.Activities[0].TextCut)
	}
}
