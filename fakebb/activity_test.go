package fakebb_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

type thread struct {
	ID             int
	Version        int
	Text, State    string
	Severity       string
	Author         struct{ Name string }
	ThreadResolved bool
	ThreadResolver *struct{ Name string }
	Resolver       *struct{ Name string }
	Anchor         *struct{ Line int }
	Comments       []thread
	Permitted      struct{ Editable, Transitionable, Deletable bool } `json:"permittedOperations"`
}

type item struct {
	ID            int
	Action        string
	User          struct{ Name string }
	Comment       *thread
	CommentAnchor *struct {
		Line               int
		LineType, FileType string
		Orphaned           bool
	}
	Diff *struct {
		Properties struct{ Current bool }
		Hunks      []struct {
			Segments []struct {
				Type  string
				Lines []struct {
					Source, Destination int
					Line                string
					CommentIDs          []int `json:"commentIds"`
				}
			}
		}
	}
	Added, Removed *struct{ Total int }
	AddedReviewers []struct{ Name string }
}

// H1
func TestTheTimelineIsNewestFirst(t *testing.T) {
	var got []string
	for _, a := range values[item](t, get(t, fakebb.New(fakebb.Options{}), "bo", first+"/activities")) {
		line := a.User.Name + " " + a.Action
		if a.Added != nil {
			line += fmt.Sprintf(" +%d -%d", a.Added.Total, a.Removed.Total)
		}
		for _, r := range a.AddedReviewers {
			line += " +" + r.Name
		}
		got = append(got, line)
	}
	want := []string{
		"amara RESCOPED +1 -0", "chen COMMENTED", "bo APPROVED", "bo COMMENTED", "bo COMMENTED", "amara RESCOPED +1 -0",
		"chen REVIEWED", "chen COMMENTED", "amara RESCOPED +1 -0", "zoe COMMENTED", "chen COMMENTED", "bo COMMENTED",
		"amara UPDATED +chen", "amara OPENED",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("activity of #1 (-want +got):\n%s", diff)
	}
}

// H1: a pending comment is its author's alone.
func TestPendingCommentsAreSeenByTheirAuthorAlone(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	const text = "Is a tree that was moved to another row still the same tree here?"
	for _, path := range []string{first + "/activities", first + "/review"} {
		if r := get(t, s, "chen", path); !strings.Contains(r.body, text) || strings.Count(r.body, `"state":"PENDING"`) != 2 {
			t.Errorf("chen does not see two pending comments at %s", path)
		}
		for _, other := range []string{"amara", "bo", "zoe"} {
			if r := get(t, s, other, path); strings.Contains(r.body, text) || strings.Contains(r.body, "PENDING") {
				t.Errorf("%s sees chen's pending comments at %s", other, path)
			}
		}
	}
	// Nor are they named on the lines of the diffs others see.
	pending := values[thread](t, get(t, s, "chen", first+"/review"))[0].ID
	if r := get(t, s, "bo", first+"/activities"); strings.Contains(r.body, fmt.Sprint(pending)) {
		t.Errorf("comment %d is named to bo", pending)
	}
	if got := len(values[thread](t, get(t, s, "bo", first+"/review"))); got != 0 {
		t.Errorf("bo has %d pending comments", got)
	}
}

// H1: the diff of a line comment names it on exactly the line the web would.
func TestALineCommentIsNamedOnItsLine(t *testing.T) {
	found := map[string]bool{}
	for _, a := range values[item](t, get(t, fakebb.New(fakebb.Options{}), "bo", first+"/activities")) {
		if a.CommentAnchor == nil {
			continue
		}
		var named []string
		for _, segment := range a.Diff.Hunks[0].Segments {
			for _, l := range segment.Lines {
				for _, id := range l.CommentIDs {
					if id == a.Comment.ID {
						named = append(named, fmt.Sprintf("%s %d:%d", segment.Type, l.Source, l.Destination))
					}
				}
			}
		}
		found[fmt.Sprintf("%s %d %s outdated %t current %t: %s", a.CommentAnchor.FileType, a.CommentAnchor.Line, a.CommentAnchor.LineType,
			a.CommentAnchor.Orphaned, a.Diff.Properties.Current, strings.Join(named, ", "))] = true
	}
	want := map[string]bool{
		"TO 42 ADDED outdated false current true: ADDED 33:42":       true,
		"TO 15 ADDED outdated false current true: ADDED 12:15":       true,
		"FROM 25 CONTEXT outdated false current true: CONTEXT 25:31": true, // six lines were inserted above it
		"FROM 27 REMOVED outdated false current true: REMOVED 27:33": true,
		"TO 27 ADDED outdated true current false: ADDED 28:27":       true,
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("line comments of #1 (-want +got):\n%s", diff)
	}
}

func TestThreadsNestAndSayWhatTheCallerMayDo(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	root := func(user, text string) thread {
		for _, a := range values[item](t, get(t, s, user, first+"/activities")) {
			if a.Comment != nil && strings.HasPrefix(a.Comment.Text, text) {
				return *a.Comment
			}
		}
		t.Fatalf("no comment %q", text)
		return thread{}
	}
	general := root("bo", "I like")
	if len(general.Comments) != 1 || len(general.Comments[0].Comments) != 1 {
		t.Errorf("general thread: %+v", general)
	}
	if p := general.Permitted; !p.Editable || !p.Transitionable || p.Deletable { // it has replies
		t.Errorf("bo may do %+v with a thread of his own", p)
	}
	if p := root("zoe", "I like").Permitted; p.Editable || p.Transitionable || p.Deletable {
		t.Errorf("zoe may do %+v with bo's thread", p)
	}
	if p := root("amara", "I like").Permitted; p.Editable || !p.Transitionable {
		t.Errorf("the author of the pull request may do %+v with bo's thread", p)
	}
	outdated := root("bo", "Please do not write the year")
	if !outdated.ThreadResolved || outdated.ThreadResolver.Name != "chen" || outdated.State != "OPEN" {
		t.Errorf("resolved thread: %+v", outdated)
	}
	done := root("bo", "Say in the comment")
	if done.ThreadResolved || done.State != "RESOLVED" || done.Severity != "BLOCKER" || done.Resolver.Name != "amara" || done.Version != 1 {
		t.Errorf("resolved task: %+v", done)
	}
}

func TestTasksAreListedAndCountedByState(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for query, want := range map[string]int{"": 3, "state=OPEN": 2, "state=RESOLVED": 1, "state=OPEN&state=RESOLVED": 3, "state=PENDING": 0} {
		got := values[thread](t, get(t, s, "bo", first+"/blocker-comments?"+query))
		if len(got) != want {
			t.Errorf("%q: %d tasks, want %d", query, len(got), want)
		}
		for _, task := range got {
			if task.Severity != "BLOCKER" {
				t.Errorf("%q: %+v is no task", query, task)
			}
		}
	}
	for path, want := range map[string]string{
		first + "/blocker-comments?count=true":                     `{"OPEN":2,"RESOLVED":1}`,
		first + "/blocker-comments?count=true&state=OPEN":          `{"OPEN":2}`,
		catalogue + "/pull-requests/7/blocker-comments?count=true": `{}`,
	} {
		if got := get(t, s, "bo", path).body; got != want {
			t.Errorf("GET %s: %s, want %s", path, got, want)
		}
	}
}
