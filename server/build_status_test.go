package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/server"
)

// V12, BUILDS-04: counts are over all builds, the worst is listed first.
func TestBuildsAreCountedOverAllAndTheWorstListedFirst(t *testing.T) {
	p := newWorld(t, "chen").connect(t, "modern", uiCapability)
	for arguments, want := range map[string]struct {
		states map[string]int
		listed int
		first  string
		total  int
	}{
		`"id":1`:             {map[string]int{"FAILED": 1, "INPROGRESS": 1, "SUCCESSFUL": 1}, 3, "catalogue-unit", 3},
		`"id":4`:             {map[string]int{"INPROGRESS": 1}, 1, "catalogue-unit", 1},
		`"id":5`:             {map[string]int{"FAILED": 1, "INPROGRESS": 8, "SUCCESSFUL": 124, "CANCELLED": 9, "UNKNOWN": 8}, 25, "books-register", 150},
		`"id":5,"limit":100`: {map[string]int{"FAILED": 1, "INPROGRESS": 8, "SUCCESSFUL": 124, "CANCELLED": 9, "UNKNOWN": 8}, 100, "books-register", 150},
		`"id":11`:            {map[string]int{"SUCCESSFUL": 1}, 1, "catalogue-unit", 1},
		`"id":12`:            {map[string]int{"INPROGRESS": 1, "CANCELLED": 1}, 2, "catalogue-unit", 2},
		// The public listing has the build of another branch as well.
		`"commit":"fe2c3a5e02b"`:                              {map[string]int{"FAILED": 1, "INPROGRESS": 1, "SUCCESSFUL": 2}, 4, "catalogue-unit", 4},
		`"commit":"feature/prune"`:                            {map[string]int{"FAILED": 1, "INPROGRESS": 1, "SUCCESSFUL": 2}, 4, "catalogue-unit", 4},
		`"commit":"5d838cad2cb3dfe5fc6afc5682a0234048d8e584"`: {map[string]int{"FAILED": 1, "INPROGRESS": 8, "SUCCESSFUL": 124, "CANCELLED": 9, "UNKNOWN": 8}, 25, "", 150},
		`"commit":"main"`:                                     {map[string]int{}, 0, "", 0},
	} {
		r, size := sized(t, p, "get_build_status", `{"project":"ORCH","repo":"catalogue",`+arguments+`}`)
		a := decode[server.BuildStatusAnswer](t, r.StructuredContent)
		if diff := cmp.Diff(want.states, a.States); diff != "" {
			t.Errorf("%s: states (-want +got):\n%s", arguments, diff)
		}
		if len(a.Builds) != want.listed || total(a.Count) != want.total || a.LimitReached != (want.listed < want.total) || len(a.Commit) != 40 {
			t.Errorf("%s: %d listed of %d, limit reached %v, commit %s", arguments, len(a.Builds), total(a.Count), a.LimitReached, a.Commit)
		}
		if want.first != "" && a.Builds[0].Key != want.first {
			t.Errorf("%s: first is %s", arguments, a.Builds[0].Key)
		}
		if public := strings.Contains(arguments, "commit"); public != (a.Listing == "COMMIT") || public != strings.Contains(r.text(), "any branch and repository") {
			t.Errorf("%s: read from %s:\n%s", arguments, a.Listing, r.text())
		}
		if size > 120_000 {
			t.Errorf("%s: %d units", arguments, size)
		}
	}
}

// What is known of a build is there, in both forms.
func TestABuildIsAnsweredWhole(t *testing.T) {
	p := newWorld(t, "bo").connect(t, "modern", uiCapability)
	r := p.tool("get_build_status", `{"project":"ORCH","repo":"catalogue","id":1}`)
	got := decode[server.BuildStatusAnswer](t, r.StructuredContent).Builds[0]
	got.Updated = nil
	want := server.CommitBuild{Key: "catalogue-unit", Parent: "catalogue-ci", Name: "Unit tests", State: "FAILED", URL: "https://ci.example.com/job/catalogue-unit/1841",
		Description: "2 of 416 tests failed", Number: "1841", Duration: "2m0s", Tests: "2 failed, 411 successful, 3 skipped"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("build (-want +got):\n%s", diff)
	}
	for _, word := range []string{`"Unit tests"`, `"catalogue-unit"`, `under "catalogue-ci"`, "2m0s", "411 successful", `"2 of 416 tests failed"`, "1841", "2026-11-27T14:23:00Z"} {
		if !strings.Contains(r.text(), word) {
			t.Errorf("the text lacks %s:\n%s", word, r.text())
		}
	}
}

// PAGING-01: going on by start reaches every build once.
func TestBuildsAreReachedByGoingOn(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	seen := map[string]bool{}
	start, calls := 0, 0
	for {
		a := decode[server.BuildStatusAnswer](t, p.tool("get_build_status", fmt.Sprintf(`{"project":"ORCH","repo":"catalogue","id":5,"limit":40,"start":%d}`, start)).StructuredContent)
		for _, b := range a.Builds {
			if seen[b.Key] {
				t.Errorf("%s comes twice", b.Key)
			}
			seen[b.Key] = true
		}
		if calls++; !a.LimitReached || calls > 10 {
			break
		}
		start = a.NextStart
	}
	if len(seen) != 150 || calls != 4 {
		t.Errorf("%d builds in %d calls, want 150 in 4", len(seen), calls)
	}
}

// T11: hostile words stay on their line and are written out.
func TestHostileBuildsAreQuoted(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	text := p.tool("get_build_status", `{"project":"ORCH","repo":"catalogue","id":6}`).text()
	if strings.ContainsAny(text, "\u202e\u200b\x1b") || strings.Count(text, "\n- ") != 5 {
		t.Errorf("hidden characters or broken lines:\n%q", text)
	}
}

// BUILDS-04: a state of a later release is counted and named.
func TestAnUnknownStateIsCountedAndNamed(t *testing.T) {
	p, _ := listen(t, "amara", answers(map[string]string{"/builds": `{"page":` + page(`{"key":"a","state":"SUCCESSFUL"}`, `{"key":"b","state":"PAUSED\u202e"}`, `{"key":"c","state":"FAILED"}`) + `}`}))
	r := p.tool("get_build_status", `{"project":"ORCH","repo":"catalogue","id":1}`)
	a := decode[server.BuildStatusAnswer](t, r.StructuredContent)
	if a.States["PAUSED\u202e"] != 1 || total(a.Count) != 3 || a.Builds[1].Key != "b" {
		t.Errorf("%+v", a)
	}
	if !strings.Contains(r.text(), `3 in all: 1 failed, 1 "PAUSED\u202e", 1 successful.`) {
		t.Errorf("text: %s", r.text())
	}
}

// A release may lack the listing of the pull request page; what is then not
// known is said.
func TestTheInternalListingMayBeMissing(t *testing.T) {
	p, l := listen(t, "amara", answers(map[string]string{"/pull-requests/1/builds": "404"}))
	r := p.tool("get_build_status", `{"project":"ORCH","repo":"catalogue","id":1}`)
	a := decode[server.BuildStatusAnswer](t, r.StructuredContent)
	if a.Listing != "COMMIT" || total(a.Count) != 4 || !strings.Contains(r.text(), "lacks the listing of the pull request page") {
		t.Errorf("%s listing of %d:\n%s", a.Listing, total(a.Count), r.text())
	}
	if slices.ContainsFunc(a.Builds, func(b server.CommitBuild) bool { return b.Parent != "" }) || len(l.asked) != 3 {
		t.Errorf("%+v, asked %q", a.Builds, l.asked)
	}
}

// T3: the public listing is over all repositories, so it is asked only for a
// commit that this one has.
func TestACommitOfAnotherRepositoryIsNotLookedUp(t *testing.T) {
	p, l := listen(t, "amara", nil)
	r := p.tool("get_build_status", `{"project":"ORCH","repo":"paths","commit":"fe2c3a5e02b7f93358cce06c57ec6e1f8ac0c179"}`)
	if !r.IsError || len(l.of("build-status")) != 0 || !strings.Contains(r.text(), "commit fe2c3a5e02b7f93358cce06c57ec6e1f8ac0c179 of ORCH/paths") {
		t.Errorf("asked %q: %s", l.asked, r.text())
	}
}

// PAGING-03: of more builds than Bitbucket lists its own counts speak, and what
// cannot be listed is said.
func TestMoreBuildsThanBitbucketLists(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	const at = `{"project":"ORCH","repo":"catalogue","commit":"5d838cad2cb3dfe5fc6afc5682a0234048d8e584","limit":60,"start":%d}`
	first := decode[server.BuildStatusAnswer](t, p.tool("get_build_status", fmt.Sprintf(at, 0)).StructuredContent)
	if first.Unlisted != 50 || total(first.Count) != 150 || !first.LimitReached || first.NextStart != 60 {
		t.Errorf("the first part: %d unlisted of %d, next %d", first.Unlisted, total(first.Count), first.NextStart)
	}
	r := p.tool("get_build_status", fmt.Sprintf(at, 60))
	last := decode[server.BuildStatusAnswer](t, r.StructuredContent)
	if len(last.Builds) != 40 || !last.LimitReached || last.NextStart != 0 || !strings.Contains(r.text(), "50 older ones are counted and not listed") || strings.Contains(r.text(), "go on with") {
		t.Errorf("the last part: %d builds, limit reached %v, next %d:\n%s", len(last.Builds), last.LimitReached, last.NextStart, r.text())
	}

	longest := `{"page":` + page(slices.Repeat([]string{`{"key":"k","state":"SUCCESSFUL"}`}, 2000)...) + `}`
	p, _ = listen(t, "amara", answers(map[string]string{"/pull-requests/1/builds": longest}))
	r = p.tool("get_build_status", `{"project":"ORCH","repo":"catalogue","id":1,"start":1999}`)
	if a := decode[server.BuildStatusAnswer](t, r.StructuredContent); total(a.Count) != -1 || !a.LimitReached || !strings.Contains(r.text(), "There may be more than Bitbucket lists") {
		t.Errorf("the longest listing of a pull request: %+v\n%.200s", a.Page, r.text())
	}

	full := page(slices.Repeat([]string{`{"key":"k","state":"SUCCESSFUL","dateAdded":1}`}, 100)...)
	p, _ = listen(t, "amara", answers(map[string]string{"/build-status/latest/commits/fe": full, "/commits/stats": `{}`}))
	r = p.tool("get_build_status", `{"project":"ORCH","repo":"catalogue","commit":"fe2c3a5e02b","limit":100}`)
	a := decode[server.BuildStatusAnswer](t, r.StructuredContent)
	if total(a.Count) != -1 || !a.LimitReached || !strings.Contains(r.text(), "more than 100 in all") {
		t.Errorf("without counts: %+v\n%.200s", a.Page, r.text())
	}
	p, _ = listen(t, "amara", answers(map[string]string{"/build-status/latest/commits/fe": full, "/commits/stats": `{"fe2c3a5e02b7f93358cce06c57ec6e1f8ac0c179":{"successful":100}}`}))
	r = p.tool("get_build_status", `{"project":"ORCH","repo":"catalogue","commit":"fe2c3a5e02b","limit":100}`)
	if a := decode[server.BuildStatusAnswer](t, r.StructuredContent); total(a.Count) != 100 || a.LimitReached || a.Unlisted != 0 {
		t.Errorf("exactly as many as are listed: %+v", a.Page)
	}
}

// T6: builds with long texts fit, and it is said where to go on.
func TestBuildsFitTheBound(t *testing.T) {
	long := strings.Repeat("<", 900)
	var builds []string
	for i := range 100 {
		builds = append(builds, fmt.Sprintf(`{"key":"%d%s","parent":"%s","name":"%s","state":"FAILED","url":"https://x/%s","description":"%s"}`, i, long[:250], long, long, long, long))
	}
	p, _ := listen(t, "amara", answers(map[string]string{"/builds": `{"page":` + page(builds...) + `}`}))
	r, size := sized(t, p, "get_build_status", `{"project":"ORCH","repo":"catalogue","id":1,"limit":100}`)
	a := decode[server.BuildStatusAnswer](t, r.StructuredContent)
	if size > 120_000 || len(a.Builds) == 0 || a.NextStart != len(a.Builds) || total(a.Count) != 100 || a.States["FAILED"] != 100 {
		t.Errorf("%d units, %d builds, next %d", size, len(a.Builds), a.NextStart)
	}
	if b := a.Builds[0]; b.URL != "" || !strings.HasSuffix(b.Description, "<…") {
		t.Errorf("a cut address is %q, a cut description ends in %q", b.URL, b.Description[len(b.Description)-10:])
	}
}

// T7: bad arguments are named.
func TestBuildStatusRefusesWhatCannotBe(t *testing.T) {
	p, l := listen(t, "amara", nil)
	for _, tool := range []string{"get_build_status", "list_code_insights"} {
		for arguments, says := range map[string]string{
			`{"project":"ORCH","repo":"catalogue"}`:                          "give commit, or the id of a pull request",
			`{"project":"ORCH","repo":"catalogue","id":1,"commit":"main"}`:   "not both",
			`{"project":"ORCH","repo":"catalogue","id":-1}`:                  "id",
			`{"project":"ORCH","repo":"catalogue","id":1,"limit":1000}`:      "limit",
			`{"project":"ORCH","repo":"catalogue","id":1,"start":-1}`:        "start",
			`{"project":"ORCH","repo":"catalogue","id":1,"severity":"HUGE"}`: "severity",
		} {
			if r := p.tool(tool, arguments); !r.IsError || !strings.Contains(r.text(), says) {
				t.Errorf("%s %s: %s", tool, arguments, r.text())
			}
		}
		if len(l.asked) > 0 {
			t.Errorf("%s asked for %q", tool, l.asked)
		}
	}
}
