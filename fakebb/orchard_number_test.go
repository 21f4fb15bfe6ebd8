package fakebb_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// Pull requests of orchard that stand for one thing each (architecture.md 7).
// #5, #6 and #9 have files of their own.

// H1
func TestNumberOneHasItsFacts(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	var p orchardPull
	get(t, s, "amara", first).into(t, &p)
	var reviews []string
	for _, r := range p.Reviewers {
		behind := r.LastReviewedCommit != p.FromRef.LatestCommit
		reviews = append(reviews, fmt.Sprintf("%s %s behind %t", r.User.Name, r.Status, behind))
	}
	if diff := cmp.Diff([]string{"bo APPROVED behind true", "chen NEEDS_WORK behind true"}, reviews); diff != "" {
		t.Errorf("reviewers (-want +got):\n%s", diff)
	}

	var builds struct {
		Page struct {
			Values []struct{ Parent, State string }
		}
	}
	get(t, s, "amara", "/rest/ui/latest/projects/ORCH/repos/catalogue/pull-requests/1/builds").into(t, &builds)
	states := map[string]string{}
	for _, b := range builds.Page.Values {
		states[b.Parent] = b.State
	}
	if diff := cmp.Diff(map[string]string{"catalogue-ci": "FAILED", "catalogue-nightly": "INPROGRESS", "catalogue-quality": "SUCCESSFUL"}, states); diff != "" {
		t.Errorf("builds (-want +got):\n%s", diff)
	}

	var facts []string
	for _, item := range allPages[orchardItem](t, s, "chen", first+"/activities") {
		c, a := item.Comment, item.CommentAnchor
		switch {
		case c == nil:
		case c.State == "PENDING":
			facts = append(facts, "pending")
		case c.Severity == "BLOCKER":
			facts = append(facts, "task "+c.State)
		case a == nil:
			facts = append(facts, "general")
		default:
			facts = append(facts, fmt.Sprintf("%s %s outdated %t", a.FileType, a.LineType, a.Orphaned))
		}
	}
	slices.Sort(facts)
	want := []string{
		"FROM CONTEXT outdated false", // unchanged, and lines were inserted above it
		"FROM REMOVED outdated false",
		"TO ADDED outdated true",
		"general", "pending", "pending", "task OPEN", "task OPEN", "task RESOLVED",
	}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("what chen finds in the activity (-want +got):\n%s", diff)
	}

	insights := "/rest/insights/latest/projects/ORCH/repos/catalogue/commits/" + tip + "/reports"
	failed := 0
	for _, r := range allPages[struct{ Key, Result string }](t, s, "amara", insights) {
		if r.Result == "FAIL" {
			failed++
			var found struct{ TotalCount int }
			get(t, s, "amara", insights+"/"+r.Key+"/annotations").into(t, &found)
			if found.TotalCount == 0 {
				t.Errorf("report %s has no annotations", r.Key)
			}
		}
	}
	if failed != 1 {
		t.Errorf("%d failed reports, want 1", failed)
	}
}

// H1
func TestNumberTenWaitsForAmara(t *testing.T) {
	var waiting []int
	for _, p := range allPages[orchardPull](t, fakebb.New(fakebb.Options{}), "amara", rest+"/inbox/pull-requests?role=reviewer") {
		waiting = append(waiting, p.ID)
	}
	if diff := cmp.Diff([]int{10}, waiting); diff != "" {
		t.Errorf("waits for amara (-want +got):\n%s", diff)
	}
}

// H1
func TestNumberElevenComesFromAPersonalFork(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	var p orchardPull
	get(t, s, "amara", catalogue+"/pull-requests/11").into(t, &p)
	from := p.FromRef.Repository
	if from.Project.Key != "~ZOE" || from.Slug != "catalogue" || from.Origin == nil || p.ToRef.Repository.Project.Key != "ORCH" {
		t.Errorf("from %+v to %+v, want from a fork at ~ZOE to ORCH", p.FromRef, p.ToRef)
	}
	if r := get(t, s, "amara", rest+"/projects/~zoe/repos/catalogue"); r.status != 200 {
		t.Errorf("amara reads the fork: %d, want 200", r.status)
	}
	if n := len(allPages[struct{ ID string }](t, s, "amara", catalogue+"/pull-requests/11/commits")); n != 2 {
		t.Errorf("%d commits, want 2", n)
	}
}

// H1
func TestNumberTwelveIsToMergeItself(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	const path = catalogue + "/pull-requests/12"
	var actions []string
	for _, a := range allPages[orchardItem](t, s, "amara", path+"/activities") {
		if strings.HasPrefix(a.Action, "AUTO_MERGE") {
			actions = append(actions, a.Action)
		}
	}
	want := []string{"AUTO_MERGE_REQUESTED", "AUTO_MERGE_CANCELLED", "AUTO_MERGE_REQUESTED"} // newest first
	if diff := cmp.Diff(want, actions); diff != "" {
		t.Errorf("activity (-want +got):\n%s", diff)
	}
	if r := get(t, s, "amara", path+"/auto-merge"); r.status != 200 {
		t.Errorf("GET %s/auto-merge: %d %s", path, r.status, r.body)
	}
	var builds struct {
		Page struct {
			Values []struct{ Parent, State string }
		}
	}
	get(t, s, "amara", strings.Replace(path, "/api/", "/ui/", 1)+"/builds").into(t, &builds)
	running := slices.ContainsFunc(builds.Page.Values, func(b struct{ Parent, State string }) bool {
		return b.Parent == "catalogue-ci" && b.State == "INPROGRESS"
	})
	if !running {
		t.Errorf("no required build runs: %+v", builds.Page.Values)
	}
}
