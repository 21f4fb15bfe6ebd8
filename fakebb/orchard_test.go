package fakebb_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// The facts of the scenario orchard that documents and other tests rely on
// (architecture.md 7). What is many is counted over all pages.

// allPages reads a list to its end.
func allPages[T any](t *testing.T, s *fakebb.Server, user, path string) []T {
	t.Helper()
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	var all []T
	for start := 0; ; {
		var page struct {
			Values        []T
			IsLastPage    bool
			NextPageStart *int
		}
		get(t, s, user, path+separator+"start="+strconv.Itoa(start)).into(t, &page)
		all = append(all, page.Values...)
		if page.IsLastPage {
			return all
		}
		if page.NextPageStart == nil || *page.NextPageStart <= start {
			t.Fatalf("GET %s: the page at %d is not the last and names no next one", path, start)
		}
		start = *page.NextPageStart
	}
}

// orchardPull is what these tests read of a pull request.
type orchardPull struct {
	ID                 int
	Title, Description string
	State              string
	Draft              bool
	FromRef, ToRef     orchardRef
	Author             orchardPart
	Reviewers          []orchardPart
	Participants       []orchardPart
	Properties         *struct{ MergeResult *struct{ Outcome string } }
}

type orchardRef struct {
	DisplayID, LatestCommit string
	Repository              struct {
		Slug    string
		Project struct{ Key string }
		Origin  *struct{ Slug string }
	}
}

type orchardPart struct {
	User               struct{ Name, DisplayName string }
	Status             string
	LastReviewedCommit string
}

// orchardItem is what they read of an activity.
type orchardItem struct {
	ID                               int
	CreatedDate                      int64
	Action                           string
	User                             struct{ Name string }
	Draft                            *bool
	AddedReviewers, RemovedReviewers []struct{ Name string }
	Comment                          *orchardComment
	CommentAnchor                    *orchardAnchor
	Diff                             *struct{ Properties struct{ Current bool } }
}

type orchardComment struct {
	Text, Severity, State string
	Author                struct{ Name string }
	Comments              []orchardComment
}

type orchardAnchor struct {
	Line                                        int
	LineType, FileType, DiffType, Path, SrcPath string
	Orphaned                                    bool
	MultilineMarker                             *struct{ StartLine int }
}

func (c orchardComment) thread() []orchardComment {
	all := []orchardComment{c}
	for _, reply := range c.Comments {
		all = append(all, reply.thread()...)
	}
	return all
}

// everyPullRequest are all that amara may see, and VAULT/keys #1 as bo sees it.
func everyPullRequest(t *testing.T, s *fakebb.Server) map[string]orchardPull {
	t.Helper()
	found := map[string]orchardPull{}
	for path, user := range map[string]string{
		"ORCH/repos/catalogue": "amara", "ORCH/repos/weather-station": "amara", "~amara/repos/scratch": "amara", "VAULT/repos/keys": "bo",
	} {
		for _, p := range allPages[orchardPull](t, s, user, rest+"/projects/"+path+"/pull-requests?state=ALL&limit=3") {
			found[rest+"/projects/"+path+"/pull-requests/"+strconv.Itoa(p.ID)] = p
		}
	}
	return found
}

func reader(path string) string {
	if strings.Contains(path, "VAULT") {
		return "bo"
	}
	return "amara"
}

// H1
func TestOrchardHasItsPeople(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	type user struct{ Name, Slug, DisplayName, Type string }
	people := map[string]user{}
	for _, u := range allPages[user](t, s, "amara", rest+"/users") {
		people[u.Name] = u
	}
	for _, want := range []user{
		{"amara", "amara", "Amara Oyelaran", "NORMAL"},
		{"bo", "bo", "Bo Lindqvist", "NORMAL"},
		{"chen", "chen", "Chen Wei", "NORMAL"},
		{"dalia+ops@example.com", "dalia_ops_example.com", "Dalia Haddad", "NORMAL"},
		{"zoe", "zoe", "Zoë Åström", "NORMAL"},
	} {
		if diff := cmp.Diff(want, people[want.Name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.Name, diff)
		}
	}
	if more := len(people) - 5; more < 30 {
		t.Errorf("%d more people, want 30 at least", more)
	}
	var ci user
	get(t, s, "amara", rest+"/users/orchard-ci").into(t, &ci)
	if ci.Type != "SERVICE" {
		t.Errorf("orchard-ci is %+v, want a service account", ci)
	}
}

// H1
func TestOrchardHasItsRepositories(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	type repository struct {
		Slug     string
		Archived bool
		Origin   *struct{ Slug string }
	}
	for path, want := range map[string][]repository{
		"ORCH":   {{Slug: "catalogue"}, {Slug: "paths"}, {Slug: "weather-station"}},
		"~amara": {{Slug: "scratch"}},
		"~zoe":   {{Slug: "catalogue", Origin: &struct{ Slug string }{"catalogue"}}},
		"NURS":   {{Slug: "greenhouse"}, {Slug: "seedlings", Archived: true}},
	} {
		got := allPages[repository](t, s, "amara", rest+"/projects/"+path+"/repos")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if r := get(t, s, "amara", rest+"/projects/VAULT/repos/keys"); r.status != 401 {
		t.Errorf("amara reads VAULT/keys: %d, want 401", r.status)
	}
}

// H1
func TestOrchardHasItsPullRequests(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	got := map[int]string{}
	for path, p := range everyPullRequest(t, s) {
		if !strings.Contains(path, "ORCH/repos/catalogue") {
			continue
		}
		got[p.ID] = p.State
		if p.Draft {
			got[p.ID] += " draft"
		}
		if p.State == "OPEN" {
			var check struct {
				CanMerge bool
				Outcome  string
				Vetoes   []struct{ SummaryMessage string }
			}
			get(t, s, "amara", path+"/merge").into(t, &check)
			got[p.ID] += fmt.Sprintf(" %s %d vetoes", check.Outcome, len(check.Vetoes))
			if check.CanMerge {
				got[p.ID] += ", mergeable"
			}
		}
	}
	want := map[int]string{
		1:  "OPEN CLEAN 2 vetoes", // a required build, open tasks
		2:  "MERGED",
		3:  "DECLINED",
		4:  "OPEN draft CLEAN 2 vetoes",
		5:  "OPEN CLEAN 1 vetoes", // an open task; its failed build is not required
		6:  "OPEN CLEAN 1 vetoes", // an open task
		7:  "OPEN CLEAN 0 vetoes, mergeable",
		8:  "OPEN CONFLICTED 1 vetoes",
		9:  "OPEN CLEAN 0 vetoes, mergeable",
		10: "OPEN CLEAN 0 vetoes, mergeable",
		11: "OPEN CLEAN 0 vetoes, mergeable",
		12: "OPEN CLEAN 1 vetoes", // its required build runs
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ORCH/catalogue (-want +got):\n%s", diff)
	}
}

// H1: what a reader of orchard finds first stays what it was as it grows.
func TestTheNewestPullRequestsOfOrchardStayFirst(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	var order []int
	for _, p := range allPages[orchardPull](t, s, "amara", catalogue+"/pull-requests?limit=4") {
		order = append(order, p.ID)
	}
	if diff := cmp.Diff([]int{1, 10, 4, 8, 7, 12, 11, 9, 6, 5}, order); diff != "" {
		t.Errorf("open pull requests (-want +got):\n%s", diff)
	}
}

// H1
func TestOrchardHasActivitiesAndBuildsOfEveryKind(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	actions, states := map[string]bool{}, map[string]bool{}
	for path := range everyPullRequest(t, s) {
		for _, a := range allPages[orchardItem](t, s, reader(path), path+"/activities?limit=500") {
			actions[a.Action] = true
			if a.Draft != nil {
				actions[fmt.Sprintf("UPDATED draft %t", *a.Draft)] = true
			}
			if len(a.AddedReviewers) > 0 {
				actions["UPDATED added"] = true
			}
			if len(a.RemovedReviewers) > 0 {
				actions["UPDATED removed"] = true
			}
		}
		var builds struct {
			Page struct{ Values []struct{ State string } }
		}
		get(t, s, reader(path), strings.Replace(path, "/api/", "/ui/", 1)+"/builds?limit=100").into(t, &builds)
		for _, b := range builds.Page.Values {
			states[b.State] = true
		}
	}
	for _, want := range []string{
		"OPENED", "COMMENTED", "APPROVED", "UNAPPROVED", "REVIEWED", "RESCOPED", "UPDATED", "MERGED", "DECLINED", "REOPENED",
		"AUTO_MERGE_REQUESTED", "AUTO_MERGE_CANCELLED",
		"UPDATED draft true", "UPDATED draft false", "UPDATED added", "UPDATED removed",
	} {
		if !actions[want] {
			t.Errorf("no activity %s", want)
		}
	}
	for _, want := range []string{"SUCCESSFUL", "FAILED", "INPROGRESS", "CANCELLED", "UNKNOWN"} {
		if !states[want] {
			t.Errorf("no build %s", want)
		}
	}
}

// H1: a person's status and the activity tell one story, and whoever did
// something takes part.
func TestTheActivityOfOrchardAgreesWithItsParticipants(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for path, p := range everyPullRequest(t, s) {
		status := map[string]string{p.Author.User.Name: p.Author.Status}
		for _, part := range slices.Concat(p.Reviewers, p.Participants) {
			status[part.User.Name] = part.Status
		}
		said := map[string]string{}
		for _, a := range allPages[orchardItem](t, s, reader(path), path+"/activities?limit=500") {
			people := []string{a.User.Name}
			if a.Comment != nil {
				for _, c := range a.Comment.thread() {
					people = append(people, c.Author.Name)
				}
			}
			for _, name := range people {
				// The CI of a company merges and pushes without taking part.
				if status[name] == "" && a.Action != "MERGED" && a.Action != "RESCOPED" {
					t.Errorf("%s: %s of %s, who takes no part", path, a.Action, name)
				}
			}
			means := map[string]string{"APPROVED": "APPROVED", "REVIEWED": "NEEDS_WORK", "UNAPPROVED": "UNAPPROVED"}[a.Action]
			if means != "" && said[a.User.Name] == "" {
				said[a.User.Name] = means // the newest comes first
			}
		}
		for name, is := range status {
			if last := said[name]; last != is && !(last == "" && is == "UNAPPROVED") {
				t.Errorf("%s: %s is %s, the activity says %q", path, name, is, last)
			}
		}
	}
}

// H1
func TestRequiredBuildsOfOrchardUseEveryMatcher(t *testing.T) {
	type matcher struct {
		ID   string
		Type struct{ ID string }
	}
	kinds, capitals := map[string]bool{}, map[string]bool{}
	path := "/rest/required-builds/latest/projects/ORCH/repos/catalogue/conditions"
	for _, c := range allPages[struct {
		RefMatcher       matcher
		ExemptRefMatcher *matcher
	}](t, fakebb.New(fakebb.Options{}), "bo", path) {
		for _, m := range []*matcher{&c.RefMatcher, c.ExemptRefMatcher} {
			if m != nil {
				kinds[m.Type.ID] = true
				name := strings.TrimPrefix(m.ID, "refs/heads/")
				capitals[m.Type.ID] = capitals[m.Type.ID] || name != strings.ToLower(name)
			}
		}
	}
	for _, kind := range []string{"ANY_REF", "BRANCH", "PATTERN", "MODEL_BRANCH", "MODEL_CATEGORY", "DEFAULT_BRANCH"} {
		if !kinds[kind] {
			t.Errorf("no condition with a matcher %s: %v", kind, kinds)
		}
	}
	if !capitals["BRANCH"] || !capitals["PATTERN"] {
		t.Error("no matcher is written in other letters than the branch it picks")
	}
}
