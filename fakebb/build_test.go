package fakebb_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

type listedBuild struct{ Key, Parent, State, Ref string }

// H1: bitbucket-rest.md 14.4.
func TestABuildForAnotherBranchDoesNotCount(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	var page struct {
		Page        struct{ Values []listedBuild }
		PullRequest struct {
			FromRef, ToRef struct{ ID, DisplayID, LatestCommit string }
		}
	}
	get(t, s, "bo", "/rest/ui/latest/projects/ORCH/repos/catalogue/pull-requests/1/builds?commitId="+tip).into(t, &page)
	const ref = "refs/heads/feature/prune"
	want := []listedBuild{
		{"catalogue-integration", "catalogue-nightly", "INPROGRESS", ref},
		{"catalogue-unit", "catalogue-ci", "FAILED", ref},
		{"catalogue-lint", "catalogue-quality", "SUCCESSFUL", ref},
	}
	if diff := cmp.Diff(want, page.Page.Values); diff != "" {
		t.Errorf("builds of #1 (-want +got):\n%s", diff)
	}
	if from := page.PullRequest.FromRef; from.ID != ref || from.LatestCommit != tip {
		t.Errorf("source %+v", from)
	}
	// The older module knows no branches and counts the fourth.
	if got, want := get(t, s, "bo", "/rest/build-status/latest/commits/stats/"+tip).body,
		`{"cancelled":0,"successful":2,"inProgress":1,"failed":1,"unknown":0}`; got != want {
		t.Errorf("stats %s, want %s", got, want)
	}
	legacy := get(t, s, "bo", "/rest/build-status/1.0/commits/"+tip)
	if got := len(values[listedBuild](t, legacy)); got != 4 || strings.Contains(legacy.body, `"parent"`) || strings.Contains(legacy.body, `"ref"`) {
		t.Errorf("older listing: %s", legacy.body)
	}
}

func TestABuildWithoutABranchCounts(t *testing.T) {
	r := get(t, fakebb.New(fakebb.Options{}), "amara", "/rest/ui/latest/projects/ORCH/repos/weather-station/pull-requests/1/builds")
	if !strings.Contains(r.body, `"key":"station-build","name":"Build"`) {
		t.Errorf("%s", r.body)
	}
}

func TestTheOlderListingHasThreeOrders(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for order, want := range map[string][]string{
		"NEWEST": {"catalogue-integration", "catalogue-release", "catalogue-unit", "catalogue-lint"},
		"OLDEST": {"catalogue-lint", "catalogue-unit", "catalogue-release", "catalogue-integration"},
		"STATUS": {"catalogue-unit", "catalogue-integration", "catalogue-release", "catalogue-lint"},
	} {
		var got []string
		for _, b := range values[listedBuild](t, get(t, s, "bo", "/rest/build-status/latest/commits/"+tip+"?orderBy="+order)) {
			got = append(got, b.Key)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", order, diff)
		}
	}
}

func TestABuildIsReadByItsKey(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	want := `{"buildNumber":"1841","createdDate":1795789231000,"description":"2 of 416 tests failed","duration":120000,` +
		`"key":"catalogue-unit","name":"Unit tests","parent":"catalogue-ci","ref":"refs/heads/feature/prune","state":"FAILED",` +
		`"testResults":{"failed":2,"skipped":3,"successful":411},"updatedDate":1795789380000,"url":"https://ci.example.com/job/catalogue-unit/1841"}`
	if diff := cmp.Diff(want, get(t, s, "bo", catalogue+"/commits/"+tip+"/builds?key=catalogue-unit").body); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r := get(t, s, "bo", catalogue+"/commits/"+tip+"/builds?key=none"); r.status != http.StatusNotFound {
		t.Errorf("an unknown key answers %d", r.status)
	}
}

func TestManyStatsLeaveOutCommitsWithoutBuilds(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	none := strings.Repeat("0", 40)
	post := func(body, kind string) reply {
		r, _ := http.NewRequest("POST", fakebb.DefaultBaseURL+"/rest/build-status/latest/commits/stats", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer fake-bo")
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Content-Type", kind)
		a, err := s.Transport().RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		return read(t, a)
	}
	if got, want := post(`["`+none+`","`+tip+`","`+tip+`"]`, "application/json; charset=utf-8").body,
		`{"`+tip+`":{"cancelled":0,"successful":2,"inProgress":1,"failed":1,"unknown":0}}`; got != want {
		t.Errorf("stats %s, want %s", got, want)
	}
	if r := post(`{"commits":[]}`, "application/json"); r.status != 400 || !strings.Contains(r.body, `"exceptionName":"com.fasterxml.jackson.databind.exc.MismatchedInputException"`) {
		t.Errorf("an object: %d %s", r.status, r.body)
	}
	if r := post(`[`, "application/json"); r.status != 400 {
		t.Errorf("no JSON: %d %s", r.status, r.body)
	}
	if r := post(`[]`, "text/plain"); r.status != 415 {
		t.Errorf("text: %d %s", r.status, r.body)
	}
}

func TestConditionsAndReportsAreListed(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	const conditions = `{"size":10,"limit":25,"isLastPage":true,"values":[{"id":110101,"buildParentKeys":["catalogue-ci"],` +
		`"refMatcher":{"id":"refs/heads/main","displayId":"main","type":{"id":"BRANCH","name":"Branch"},"active":true}},`
	if got := get(t, s, "bo", "/rest/required-builds/latest/projects/ORCH/repos/catalogue/conditions").body; !strings.HasPrefix(got, conditions) {
		t.Errorf("conditions %s, want %s...", got, conditions)
	}
	reports := "/rest/insights/latest/projects/ORCH/repos/catalogue/commits/" + tip + "/reports"
	type report struct{ Key, Result string }
	if diff := cmp.Diff([]report{{"com.example.coverage", "FAIL"}, {"com.example.dependencies", "PASS"}},
		values[report](t, get(t, s, "bo", reports))); diff != "" {
		t.Errorf("reports (-want +got):\n%s", diff)
	}
	var annotations struct {
		TotalCount  int
		Annotations []struct{ Line int }
	}
	get(t, s, "bo", reports+"/com.example.coverage/annotations").into(t, &annotations)
	if annotations.TotalCount != 3 || len(annotations.Annotations) != 3 {
		t.Errorf("%+v", annotations)
	}
	if got, want := get(t, s, "bo", reports+"/com.example.dependencies/annotations").body, `{"totalCount":0,"annotations":[]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
