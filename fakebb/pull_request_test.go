package fakebb_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// listed is what the tests read of a pull request.
type listed struct {
	ID         int
	Title      string
	State      string
	Draft      bool
	Version    int
	Updated    int64 `json:"updatedDate"`
	Properties *struct {
		MergeResult *struct {
			Outcome string
			Current bool
		}
		CommentCount, OpenTaskCount, ResolvedTaskCount int
		MergeCommit                                    *struct{ DisplayID string }
	}
	ToRef struct{ Repository struct{ Slug string } }
}

func ids(all []listed) []int {
	ids := []int{}
	for _, p := range all {
		ids = append(ids, p.ID)
	}
	return ids
}

// H1: the list, its filters and its orders (bitbucket-rest.md 10.2).
func TestTheListOfARepositoryIsFiltered(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for query, want := range map[string][]int{
		"":                         {1, 10, 4, 8, 7, 12, 11, 9, 6, 5}, // the last updated first
		"order=OLDEST":             {5, 6, 9, 11, 12, 7, 8, 4, 10, 1},
		"state=MERGED":             {2},
		"state=DECLINED":           {3},
		"state=all":                {1, 10, 4, 8, 7, 12, 11, 9, 2, 6, 5, 3},
		"draft=true":               {4},
		"draft=false":              {1, 10, 8, 7, 12, 11, 9, 6, 5},
		"filterText=FROST":         {1, 10, 4},
		"filterText=planting book": {10, 7, 5}, // in descriptions
		"at=refs/heads/main":       {1, 10, 4, 8, 7, 12, 11, 9, 6, 5},
		"at=main":                  {},
		"direction=OUTGOING&at=refs/heads/feature/prune": {1},
		"username.1=amara":                                              {1, 10, 4, 8, 7, 12, 9, 5},
		"username.1=amara&role.1=AUTHOR":                                {1, 4, 7, 12, 9, 5},
		"username.1=bo&role.1=REVIEWER&approved.1=true":                 {1, 8, 7},
		"username.1=bo&role.1=REVIEWER&approved.1=false":                {4},
		"username.1=bo&username.2=chen&role.2=REVIEWER&approved.2=true": {10, 8, 7},
		"username.1=bo&role.1=AUTHOR&username.3=chen&role.3=AUTHOR":     {10}, // 3 without 2 is not read
		"username.1=eve":  {},
		"limit=2":         {1, 10},
		"limit=2&start=9": {5},
		"start=99":        {},
	} {
		v, _ := url.ParseQuery(query)
		got := ids(values[listed](t, get(t, s, "bo", catalogue+"/pull-requests?"+v.Encode())))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	if r := get(t, s, "bo", catalogue+"/pull-requests?state=HALF"); r.status != http.StatusBadRequest {
		t.Errorf("state=HALF answers %d", r.status)
	}
}

func TestListsKnowWhatTheSinglePullRequestDoesNot(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	byID := map[int]listed{}
	for _, p := range values[listed](t, get(t, s, "bo", catalogue+"/pull-requests?state=ALL")) {
		byID[p.ID] = p
	}
	one := byID[1].Properties
	if one.MergeResult.Outcome != "CLEAN" || !one.MergeResult.Current || one.OpenTaskCount != 2 || one.ResolvedTaskCount != 1 {
		t.Errorf("#1: %+v, merge result %+v", one, one.MergeResult)
	}
	// 4 roots and 4 replies that are no tasks; pending ones count for nobody.
	if one.CommentCount != 8 {
		t.Errorf("#1 has %d comments, want 8", one.CommentCount)
	}
	if chens := values[listed](t, get(t, s, "chen", catalogue+"/pull-requests?limit=1"))[0].Properties.CommentCount; chens != one.CommentCount {
		t.Errorf("to chen #1 has %d comments, to bo %d", chens, one.CommentCount)
	}
	if eight := byID[8].Properties.MergeResult; eight.Outcome != "CONFLICTED" || !eight.Current {
		t.Errorf("#8: %+v", eight)
	}
	if four := byID[4].Properties.MergeResult; four.Current {
		t.Errorf("#4: %+v, want one of an older tip", four)
	}
	if two := byID[2].Properties; two.MergeResult != nil || two.MergeCommit == nil {
		t.Errorf("#2: %+v", two)
	}
	for _, path := range []string{first, catalogue + "/pull-requests?withProperties=false"} {
		if r := get(t, s, "bo", path); strings.Contains(r.body, `"properties"`) {
			t.Errorf("GET %s has properties", path)
		}
	}
}

func TestNeitherCommentsNorApprovalsMoveAPullRequest(t *testing.T) {
	var p listed
	get(t, fakebb.New(fakebb.Options{}), "bo", first).into(t, &p)
	// Since it was opened a reviewer was added; the last push came at 14:20.
	if p.Version != 1 || p.Updated != 1795789200604 {
		t.Errorf("version %d updated %d", p.Version, p.Updated)
	}
}

func TestMergeChecksSayEveryVeto(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for id, want := range map[string]string{
		"1": `{"canMerge":false,"conflicted":false,"outcome":"CLEAN","vetoes":[` +
			`{"summaryMessage":"Not all required builds are successful yet","detailedMessage":"You cannot merge this pull request while it has failed builds."},` +
			`{"summaryMessage":"Requires all tasks to be resolved","detailedMessage":"You still need to resolve 2 tasks before this pull request can be merged."}]}`,
		"4": `{"canMerge":false,"conflicted":false,"outcome":"CLEAN","vetoes":[` +
			`{"summaryMessage":"Not all required builds are successful yet","detailedMessage":"You cannot merge this pull request while it has in-progress builds."},` +
			`{"summaryMessage":"Pull request is a draft","detailedMessage":"This pull request is a draft and cannot be merged until it is marked as ready."}]}`,
		"7": `{"canMerge":true,"conflicted":false,"outcome":"CLEAN","vetoes":[]}`,
		"8": `{"canMerge":false,"conflicted":true,"outcome":"CONFLICTED","vetoes":[` +
			`{"summaryMessage":"Requires all tasks to be resolved","detailedMessage":"You still need to resolve 1 task before this pull request can be merged."}]}`,
		"10": `{"canMerge":true,"conflicted":false,"outcome":"CLEAN","vetoes":[]}`,
	} {
		if diff := cmp.Diff(want, get(t, s, "bo", catalogue+"/pull-requests/"+id+"/merge").body); diff != "" {
			t.Errorf("#%s (-want +got):\n%s", id, diff)
		}
	}
}

func TestReviewersSayWhatTheyReviewed(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	type participant struct {
		User               struct{ Name string }
		Role, Status       string
		Approved           bool
		LastReviewedCommit string
	}
	commits := values[struct{ ID string }](t, get(t, s, "bo", first+"/commits"))
	var want []participant
	for _, p := range []participant{
		{Role: "AUTHOR", Status: "UNAPPROVED"},
		{Role: "REVIEWER", Status: "APPROVED", Approved: true, LastReviewedCommit: commits[1].ID},
		{Role: "REVIEWER", Status: "NEEDS_WORK", LastReviewedCommit: commits[2].ID},
		{Role: "PARTICIPANT", Status: "UNAPPROVED"},
	} {
		p.User.Name = []string{"amara", "bo", "chen", "zoe"}[len(want)]
		want = append(want, p)
	}
	if diff := cmp.Diff(want, values[participant](t, get(t, s, "bo", first+"/participants"))); diff != "" {
		t.Errorf("participants of #1 (-want +got):\n%s", diff)
	}
}

func TestTheDashboardSpansRepositoriesAndHidesWhatIsNotTheCallers(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for query, want := range map[string][]string{
		"state=OPEN":                          {"catalogue #1", "catalogue #10", "catalogue #4", "weather-station #1", "catalogue #8", "catalogue #7", "scratch #1", "catalogue #12", "catalogue #9", "catalogue #5"},
		"state=OPEN&role=AUTHOR":              {"catalogue #1", "catalogue #4", "weather-station #1", "catalogue #7", "scratch #1", "catalogue #12", "catalogue #9", "catalogue #5"},
		"state=OPEN&role=AUTHOR&order=OLDEST": {"catalogue #5", "catalogue #9", "catalogue #12", "scratch #1", "catalogue #7", "weather-station #1", "catalogue #4", "catalogue #1"},
		"role=REVIEWER":                       {"catalogue #10", "catalogue #8", "catalogue #2", "catalogue #3"},
		"role=REVIEWER&participantStatus=APPROVED,NEEDS_WORK": {"catalogue #8", "catalogue #2", "catalogue #3"},
		"role=REVIEWER&order=PARTICIPANT_STATUS":              {"catalogue #10", "catalogue #3", "catalogue #8", "catalogue #2"},
		"state=MERGED":                                        {"catalogue #2"},
		"closedSince=864000":                                  {"catalogue #2", "catalogue #3"}, // ten days
		"closedSince=700000":                                  {"catalogue #2"},                 // eight
		"closedSince=60":                                      {},
		"state=OPEN&role=AUTHOR&order=DRAFT_STATUS":           {"catalogue #1", "weather-station #1", "catalogue #7", "scratch #1", "catalogue #12", "catalogue #9", "catalogue #5", "catalogue #4"},
		"role=REVIEWER&order=CLOSED_DATE":                     {"catalogue #10", "catalogue #8", "catalogue #2", "catalogue #3"},
		"role=PARTICIPANT":                                    {}, // VAULT/keys #1 is no longer hers to see
		"user=zoe&role=AUTHOR":                                {"catalogue #8", "catalogue #11", "catalogue #3"},
	} {
		got := []string{}
		for _, p := range values[listed](t, get(t, s, "amara", rest+"/dashboard/pull-requests?"+query)) {
			got = append(got, fmt.Sprintf("%s #%d", p.ToRef.Repository.Slug, p.ID))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestTheInboxHoldsWhatWaitsForTheCaller(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	if got := ids(values[listed](t, get(t, s, "amara", rest+"/inbox/pull-requests"))); !cmp.Equal(got, []int{10}) {
		t.Errorf("to review: %v, want [10]", got)
	}
	if got := ids(values[listed](t, get(t, s, "bo", rest+"/inbox/pull-requests?role=author"))); !cmp.Equal(got, []int{10, 1}) {
		t.Errorf("bo's own: %v, want [10 1]", got)
	}
	if got, want := get(t, s, "amara", rest+"/inbox/pull-requests/count").body, `{"count":1}`; got != want {
		t.Errorf("count %s, want %s", got, want)
	}
}

func TestTheCommitsOfAPullRequestAreThoseItBrings(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	type commit struct {
		DisplayID  string
		Message    string
		Author     map[string]any
		Properties *struct {
			JiraKey []string `json:"jira-key"`
		}
	}
	r := get(t, s, "bo", first+"/commits?withCounts=true")
	commits := values[commit](t, r)
	if len(commits) != 5 || commits[0].DisplayID != tip[:11] || commits[0].Properties != nil {
		t.Errorf("commits of #1: %+v", commits)
	}
	if commits[0].Author["links"] != nil {
		t.Error("people in a pull request's commits have links")
	}
	if p := commits[2].Properties; p == nil || !cmp.Equal(p.JiraKey, []string{"ORCH-283"}) {
		t.Errorf("%q: properties %+v", commits[2].Message, p)
	}
	if !strings.HasSuffix(r.body, `"size":5,"isLastPage":true,"start":0,"limit":25,"nextPageStart":null,"authorCount":1,"totalCount":5}`) {
		t.Errorf("end of the page: %s", r.body[len(r.body)-150:])
	}
	// Merged: what it brought, not what main has by now.
	if got := values[commit](t, get(t, s, "bo", catalogue+"/pull-requests/2/commits")); len(got) != 2 {
		t.Errorf("#2 has %d commits, want 2", len(got))
	}
}

func TestACommitIsFoundByShortIDAndHasItsParentsWhole(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	var c struct {
		ID      string
		Parents []struct {
			Message string
			Parents []map[string]any
		}
	}
	get(t, s, "bo", catalogue+"/commits/"+tip[:7]).into(t, &c)
	if c.ID != tip || len(c.Parents) != 1 || c.Parents[0].Message == "" || len(c.Parents[0].Parents[0]) != 2 {
		t.Errorf("%+v", c)
	}
	// Whom Bitbucket does not know is a name and an address.
	var stranger struct{ Author map[string]any }
	get(t, s, "bo", catalogue+"/commits/"+parentOfMerge(t, s)).into(t, &stranger)
	if diff := cmp.Diff(map[string]any{"name": "Gala Pippin", "emailAddress": "gala@pippin.example"}, stranger.Author); diff != "" {
		t.Errorf("author (-want +got):\n%s", diff)
	}
}

// parentOfMerge is the first parent of the merge of #2.
func parentOfMerge(t *testing.T, s *fakebb.Server) string {
	t.Helper()
	type activity struct {
		Action string
		Commit *struct{ Parents []struct{ ID string } }
	}
	newest := values[activity](t, get(t, s, "bo", catalogue+"/pull-requests/2/activities"))[0]
	if newest.Action != "MERGED" || newest.Commit == nil || len(newest.Commit.Parents) != 2 {
		t.Fatalf("newest activity of #2: %+v", newest)
	}
	return newest.Commit.Parents[0].ID
}
