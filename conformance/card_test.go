//go:build views

package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
)

const (
	numberOne = "/rest/api/latest/projects/ORCH/repos/catalogue/pull-requests/1"
	title     = "Prune the catalogue before the frost"
)

// foldJS gives, for each text, how far down it ends: that of the smallest
// element that holds all of it.
const foldJS = `(texts) => texts.map((text) => {
	const holds = [...document.querySelectorAll('main *')].filter((e) => e.checkVisibility() && e.innerText?.replace(/\s+/g, ' ').includes(text));
	return holds.length ? Math.ceil(holds.at(-1).getBoundingClientRect().bottom) : -1;
})`

// ends says how many pixels down each text ends in the view.
func (s *shown) ends(texts []string) map[string]int {
	s.Helper()
	found := map[string]int{}
	for i, bottom := range s.in(foldJS, texts).([]any) {
		found[texts[i]] = bottom.(int)
	}
	return found
}

// checkFold says which of the texts are not to be seen within so many pixels.
func (s *shown) checkFold(texts []string, within int) {
	s.Helper()
	for text, bottom := range s.ends(texts) {
		if bottom < 0 {
			s.Errorf("%q is nowhere to be seen in:\n%s", text, s.visibleText())
		} else if bottom > within {
			s.Errorf("%q ends at %d px, want %d at most", text, bottom, within)
		}
	}
}

// Scenario 1. V13, V15, V20, V42
func TestCardOfNumberOneShowsWhatNeedsThePersonAboveTheFold(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo", Width: 720, Height: 500})
	var merge struct {
		Vetoes []struct{ SummaryMessage, DetailedMessage string }
	}
	w.bitbucket("bo", numberOne+"/merge", &merge)
	var tasks struct{ Open int }
	w.bitbucket("bo", numberOne+"/blocker-comments?state=OPEN&count=true", &tasks)
	var pr struct {
		Title     string
		Reviewers []struct {
			Status string
			User   struct{ DisplayName string }
		}
	}
	w.bitbucket("bo", numberOne, &pr)
	approved := 0
	want := []string{pr.Title, "Unit tests", "1 failed", "1 in progress", "1 successful",
		fmt.Sprintf("There are %d issues preventing you from merging this pull request.", len(merge.Vetoes)),
		fmt.Sprintf("%d tasks", tasks.Open)}
	for _, r := range pr.Reviewers {
		switch r.Status {
		case "APPROVED":
			approved++
		case "NEEDS_WORK":
			want = append(want, r.User.DisplayName+" requested changes")
		}
	}
	want = append(want, fmt.Sprintf("%d of %d approved", approved, len(pr.Reviewers)))
	for _, veto := range merge.Vetoes {
		want = append(want, veto.SummaryMessage, veto.DetailedMessage)
	}
	s := w.show(card(1), hostOptions{"maxHeight": 500})
	s.checkFold(want, 500)
	if state, err := s.frame.GetByText("Open", exact()).First().IsVisible(); err != nil || !state {
		t.Errorf("the state is not visible: %v", err)
	}
}

// Scenario 1, narrow. V15, V20
func TestWhatNeedsThePersonEndsHighInANarrowCard(t *testing.T) {
	for _, c := range []struct{ width, within int }{{390, 500}, {280, 620}} {
		w := newWorld(t, worldOptions{User: "bo", Width: c.width, Height: 800})
		s := w.show(card(1), hostOptions{"width": c.width})
		s.checkFold([]string{title, "There are 2 issues", "Unit tests", "Chen Wei requested changes", "added since your review"}, c.within)
	}
}

// V16
func TestCardCountsTheBuildsOfBitbucketsPullRequestPage(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo"})
	s := w.show(card(1), nil)
	var page struct {
		Page struct {
			Values []struct{ Name, State string }
		}
	}
	w.bitbucket("bo", "/rest/ui/latest/projects/ORCH/repos/catalogue/pull-requests/1/builds?commitId="+fakebb.Orchard().Commit("ORCH/catalogue", "prune-5")+"&limit=100", &page)
	states := map[string]int{}
	for _, build := range page.Page.Values {
		states[build.State]++
	}
	text := s.visibleText()
	for state, word := range map[string]string{"FAILED": "failed", "INPROGRESS": "in progress", "SUCCESSFUL": "successful"} {
		if want := fmt.Sprintf("%d %s", states[state], word); !strings.Contains(text, want) {
			t.Errorf("want %q in:\n%s", want, text)
		}
	}
	s.press("button", "Show 3: Builds")
	text = s.visibleText()
	failed := -1
	for _, build := range page.Page.Values {
		at := strings.LastIndex(text, build.Name)
		if at < 0 {
			t.Errorf("build %s is not listed in:\n%s", build.Name, text)
		}
		if build.State == "FAILED" {
			failed = at
		}
	}
	for _, build := range page.Page.Values {
		if build.State != "FAILED" && strings.LastIndex(text, build.Name) < failed {
			t.Errorf("build %s stands before the failed one", build.Name)
		}
	}
}

// V13, V42: what each state of a pull request has to say, and what it must not.
func TestCardSaysHowAPullRequestStands(t *testing.T) {
	for _, c := range []struct {
		id         int
		user       string
		says, lies []string
	}{
		{2, "bo", []string{"Merged", "Merged by you", "in commit"}, []string{"preventing", "No merge issues", "Waiting"}},
		{3, "bo", []string{"Declined", "Declined by"}, []string{"preventing", "No merge issues"}},
		{4, "amara", []string{"Draft"}, []string{"Waiting for your review"}},
		{7, "bo", []string{"Open", "No merge issues", "2 of 2 approved"}, []string{"preventing", "failed"}},
		{8, "amara", []string{"The pull request has conflicts"}, []string{"No merge issues"}},
		{10, "amara", []string{"Waiting for your review"}, []string{"preventing"}},
	} {
		t.Run(fmt.Sprintf("#%d as %s", c.id, c.user), func(t *testing.T) {
			text := newWorld(t, worldOptions{User: c.user}).show(card(c.id), nil).visibleText()
			for _, want := range c.says {
				if !strings.Contains(text, want) {
					t.Errorf("want %q in:\n%s", want, text)
				}
			}
			for _, lie := range c.lies {
				if strings.Contains(text, lie) {
					t.Errorf("want no %q in:\n%s", lie, text)
				}
			}
		})
	}
}

// V44
func TestPendingCommentsAreShownToTheirWriterAlone(t *testing.T) {
	for user, want := range map[string]bool{"chen": true, "bo": false} {
		s := newWorld(t, worldOptions{User: user}).show(card(1), nil)
		text := s.visibleText()
		if got := strings.Contains(text, "You have 2 pending comments"); got != want {
			t.Errorf("as %s: said %v, want %v:\n%s", user, got, want, text)
		}
		// Fullscreen each of them is marked where it stands in the activity.
		s.eval(`() => host.setMode('fullscreen')`)
		s.waitFor("fullscreen", func() bool { return s.in(`() => document.documentElement.dataset.mode`) == "full" })
		text = s.visibleText()
		for _, mark := range []string{"Pending", "Only you can see this"} {
			if got := strings.Count(text, mark); got != map[bool]int{true: 2, false: 0}[want] {
				t.Errorf("as %s: %q is said %d times:\n%s", user, mark, got, text)
			}
		}
	}
}

// V21
func TestViewSaysWhenItsDataWasReadInTheReadersZone(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo"})
	for zone, want := range map[string]string{"UTC": "Read 14:32", "Asia/Tokyo": "Read 23:32", "America/New_York": "Read 09:32"} {
		text := w.show(card(1), hostOptions{"context": map[string]any{"timeZone": zone}}).visibleText()
		if !strings.Contains(text, want) {
			t.Errorf("in %s: want %q in:\n%s", zone, want, text)
		}
	}
}

// V46
func TestAnOldResultSaysThatItMayBeOutOfDate(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo"})
	s := w.showDrawing(card(1), `p.demo = false; p.now -= 25 * 3600e3; p.readAt = p.now`, nil)
	if text := s.visibleText(); !strings.Contains(text, "May be out of date") || !strings.Contains(text, "Read 26 Nov, 13:32") {
		t.Errorf("nothing says that the data is a day old:\n%s", text)
	}
}

// Architecture 4: a fake is never taken for the real thing.
func TestViewOfInventedDataSaysSo(t *testing.T) {
	w := newWorld(t, worldOptions{})
	if text := w.show(card(7), nil).visibleText(); !strings.Contains(text, "Demo data") {
		t.Errorf("no word about invented data:\n%s", text)
	}
	if text := w.showDrawing(card(7), `p.demo = false`, nil).visibleText(); strings.Contains(text, "Demo") {
		t.Errorf("real data is called invented:\n%s", text)
	}
}

// V14: a part that could not be read is said, never drawn as empty.
func TestWhatCouldNotBeReadIsSaid(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo"})
	text := w.showDrawing(card(7), `delete p.pullRequest.builds; p.unavailable = [{part: 'builds', why: 'Bitbucket answered 503'}]`, nil).visibleText()
	if !strings.Contains(text, "Could not read builds: Bitbucket answered 503") || strings.Contains(text, "No builds") {
		t.Errorf("unread builds:\n%s", text)
	}
}

// V20
func TestCardGrowsOneStepAtATimeAndFullscreenShowsAll(t *testing.T) {
	w := newWorld(t, worldOptions{User: "bo"})
	change := `const a = p.pullRequest.activity; const one = a.items.find((i) => i.action === 'APPROVED'); a.more = false;
		a.items = Array.from({length: 40}, (_, i) => ({...one, id: 1000 + i, at: one.at - i * 60000}));`
	s := w.showDrawing(card(1), change, nil)
	rows := func() int { return strings.Count(s.visibleText(), "approved the pull request") }
	first := rows()
	if first < 1 || first > 3 {
		t.Errorf("at first %d of the activity are drawn", first)
	}
	s.press("button", "Show 10 more")
	if got := rows(); got != first+10 {
		t.Errorf("after one press %d are drawn, want %d", got, first+10)
	}
	focus := s.in(`() => document.activeElement.dataset.key`)
	if want := fmt.Sprintf("activity-%d", first); focus != want {
		t.Errorf("focus is on %v, want the first new row, %s", focus, want)
	}
	s.press("button", "Fullscreen")
	s.waitFor("all of the activity", func() bool { return rows() == 40 })
	if got := s.methods(fromView); !slices.Contains(got, "ui/request-display-mode") {
		t.Errorf("fullscreen was not asked for: %v", got)
	}
	s.press("button", "Leave fullscreen")
	s.waitFor("what was drawn before", func() bool { return rows() == first+10 })
}
