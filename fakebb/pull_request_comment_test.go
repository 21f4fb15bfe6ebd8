package fakebb_test

import (
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// Pending replies and comments are their author's alone, wherever they are.
func TestAPendingReplyIsItsAuthorsAlone(t *testing.T) {
	text := strings.Replace(small, "action: OPENED}\n", "action: OPENED}\n"+
		"  - {by: ada, at: 2026-01-01T12:00:00Z, text: root, replies: [{by: ada, at: 2026-01-01T12:30:00Z, text: a pending reply, pending: true}]}\n"+
		"  - {by: ada, at: 2026-01-01T13:00:00Z, text: a pending root, pending: true}\n", 1)
	text = strings.Replace(text, "- {name: ada, displayName: Ada}", "- {name: ada, displayName: Ada}\n- {name: bob, displayName: Bob}", 1)
	s := fakebb.New(fakebb.Options{Scenario: parse(t, text)})
	const pull = rest + "/projects/P/repos/r/pull-requests/1"
	type item struct{ Comment *struct{ ID int } }
	own := values[item](t, get(t, s, "ada", pull+"/activities"))
	for _, path := range []string{"/activities", "/review"} {
		if r := get(t, s, "bob", pull+path); strings.Contains(r.body, "a pending") {
			t.Errorf("%s shows bob what is pending: %s", path, r.body)
		}
		if r := get(t, s, "ada", pull+path); !strings.Contains(r.body, "a pending reply") {
			t.Errorf("%s does not show ada her own reply: %s", path, r.body)
		}
	}
	pending := "/activities?fromType=COMMENT&fromId=" + number(own[0].Comment.ID)
	if r := get(t, s, "bob", pull+pending); r.status != 404 {
		t.Errorf("a page that begins with a pending comment: %d", r.status)
	}
	if r := get(t, s, "ada", pull+pending); r.status != 200 {
		t.Errorf("for its author: %d", r.status)
	}
}

func TestAPageOfTheActivityBeginsWhereItIsAsked(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	type item struct {
		ID      int
		Comment *struct {
			ID       int
			Comments []struct{ ID int }
		}
	}
	all := values[item](t, get(t, s, "bo", first+"/activities?limit=500"))
	for i, a := range all {
		query := "?fromType=ACTIVITY&fromId=" + number(a.ID)
		if a.Comment != nil && len(a.Comment.Comments) > 0 {
			query = "?fromType=COMMENT&fromId=" + number(a.Comment.Comments[0].ID)
		}
		if got := values[item](t, get(t, s, "bo", first+"/activities"+query+"&limit=500")); len(got) != len(all)-i || got[0].ID != a.ID {
			t.Errorf("%s: %d items beginning with %d, want %d beginning with %d", query, len(got), got[0].ID, len(all)-i, a.ID)
		}
	}
	for query, status := range map[string]int{
		"?fromId=1": 400, "?fromType=ACTIVITY&fromId=1": 404, "?fromType=COMMENT&fromId=1": 404, "?fromType=X&fromId=1": 400, "?fromType=ACTIVITY&fromId=x": 404,
	} {
		if r := get(t, s, "bo", first+"/activities"+query); r.status != status {
			t.Errorf("%s: %d, want %d", query, r.status, status)
		}
	}
}

func TestOneCommentIsReadByItsID(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	type comment struct {
		ID     int
		Anchor *struct{ Path string }
	}
	tasks := values[comment](t, get(t, s, "bo", first+"/blocker-comments"))
	for _, c := range tasks {
		for _, path := range []string{"/comments/", "/blocker-comments/"} {
			var one comment
			get(t, s, "bo", first+path+number(c.ID)).into(t, &one)
			if diff := cmp.Diff(c, one); diff != "" {
				t.Errorf("%s%d (-listed +single):\n%s", path, c.ID, diff)
			}
		}
	}
	pending := values[comment](t, get(t, s, "chen", first+"/review"))[0].ID
	for path, status := range map[string]int{
		"/comments/" + number(pending): 404, "/blocker-comments/" + number(pending): 404, "/comments/1": 404, "/comments/x": 404,
		"/comments?path=catalogue/prune.go&anchorState=MAYBE": 400, "/comments?path=catalogue/prune.go&diffType=COMMIT": 400, "/comments": 400,
		"/comments?path=nosuch": 200,
	} {
		if r := get(t, s, "bo", first+path); r.status != status {
			t.Errorf("%s: %d, want %d; %s", path, r.status, status, r.body)
		}
	}
}

func TestWhoTakesPartIsAParticipant(t *testing.T) {
	text := strings.Replace(small, "action: OPENED}\n", "action: OPENED}\n"+
		"  - {by: bob, at: 2026-01-01T12:00:00Z, text: seen}\n  - {by: bob, at: 2026-01-01T12:01:00Z, text: seen again}\n"+
		"  - {by: eve, at: 2026-01-01T12:30:00Z, text: nobody sees this yet, pending: true}\n", 1)
	text = strings.Replace(text, "- {name: ada, displayName: Ada}", "- {name: ada, displayName: Ada}\n- {name: bob}\n- {name: eve}", 1)
	type part struct {
		User struct{ Name string }
		Role string
	}
	got := values[part](t, get(t, fakebb.New(fakebb.Options{Scenario: parse(t, text)}), "ada", rest+"/projects/P/repos/r/pull-requests/1/participants"))
	if len(got) != 2 || got[0].User.Name != "ada" || got[1].User.Name != "bob" || got[1].Role != "PARTICIPANT" {
		t.Errorf("participants %+v", got)
	}
}
