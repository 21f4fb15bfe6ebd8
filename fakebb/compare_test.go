package fakebb_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// H1
func TestACommitIsCompared(t *testing.T) {
	scenario := parse(t, attic)
	s := fakebb.New(fakebb.Options{Scenario: scenario})
	id := func(name string) string { return scenario.Commit("P/r", name) }
	for path, want := range map[string]string{
		// A merge is compared with its first parent, a first commit with nothing.
		"/commits/" + id("merge") + "/changes":                          `{"fromHash":null,"toHash":"` + id("merge") + `","properties":{},"values":[{"contentId":`,
		"/commits/" + id("base") + "/changes":                           `"fromContentId":"0000000000000000000000000000000000000000","path":{"components":["a.txt"]`,
		"/commits/" + id("merge") + "/changes?since=old":                `{"fromHash":"` + id("base") + `",`,
		"/changes?until=main&since=old":                                 `{"fromHash":"` + id("base") + `",`,
		"/commits/" + id("base") + "/diff":                              `{"fromHash":null,"toHash":"` + id("base") + `","contextLines":10,"whitespace":"SHOW","diffs":[{"source":null,`,
		"/commits/main/diff/c.txt?contextLines=0&whitespace=ignore-all": `"contextLines":0,"whitespace":"IGNORE_ALL"`,
		"/commits/main/diff/nosuch.txt":                                 `"diffs":[]`,
		"/commits/" + id("topic-1")[:7] + "?path=dir/b.txt":             `"message":"base"`,
		"/compare/changes?from=topic&to=main":                           `[{"contentId":"4bcfe98e640c8284511312660fb8709b0afa888e","fromContentId":"0000000000000000000000000000000000000000","path":{"components":["d.txt"]`,
		"/compare/diff?from=old&to=main":                                `"diffs":[],"truncated":false}`,
		"/compare/diff?from=apart&to=main":                              `{"fromHash":null,`, // nothing in common
	} {
		if r := get(t, s, "ada", shelfRepository+path); !strings.Contains(r.body, want) {
			t.Errorf("%s: %d %s, want %s", path, r.status, r.body, want)
		}
	}
	for path, want := range map[string]string{
		"/compare/commits?from=topic":                                              "PP-8 and PP-7 second",
		"/compare/commits?to=topic":                                                "merge, side",
		"/compare/commits?from=apart&to=" + id("topic-1"):                          "apart",
		"/compare/commits?fromRepo=~bob/fork":                                      "forked",
		"/compare/commits?fromRepo=~BOB/Fork&from=" + id("forked")[:8] + "&to=old": "forked",
	} {
		if diff := cmp.Diff(want, messages(t, get(t, s, "ada", shelfRepository+path))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if r := get(t, s, "ada", shelfRepository+"/commits/main/merge-base?otherCommitId=apart"); r.status != http.StatusNoContent || r.body != "" {
		t.Errorf("a merge base of what has nothing in common: %d %s", r.status, r.body)
	}
}

// H1: what is beyond page.max.changes is on no page.
func TestAComparisonEndsAtTheCapOfChanges(t *testing.T) {
	many := strings.Replace(attic, `{path: d.txt, text: "d\n"}`, `{path: "d-{n:04}.txt", text: "d\n", repeat: 1003}`, 1)
	s := fakebb.New(fakebb.Options{Scenario: parse(t, many)})
	for query, want := range map[string]string{"&limit=5000": "1000 true", "&limit=990": "990 false", "&start=990": "10 true", "&start=1001": "0 true"} {
		var page struct {
			Values     []struct{}
			IsLastPage bool
		}
		get(t, s, "ada", shelfRepository+"/changes?until=topic"+query).into(t, &page)
		if got := fmt.Sprint(len(page.Values), page.IsLastPage); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// H1: what one may not see is no source of a comparison either.
func TestTheSourceOfAComparisonMustBeReadable(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, attic)})
	ids := map[string]int{}
	for _, path := range []string{"/projects/~bob/repos/fork", "/projects/HID/repos/hidden"} {
		var found struct{ ID int }
		get(t, s, "bob", rest+path).into(t, &found)
		ids[path] = found.ID
	}
	for fromRepo, status := range map[string]int{
		"HID/hidden": 401,
		fmt.Sprint(ids["/projects/HID/repos/hidden"]): 401,
		fmt.Sprint(ids["/projects/~bob/repos/fork"]):  200,
		"99999999999999999999":                        404,
		"P/":                                          404,
		"/":                                           404,
	} {
		if r := get(t, s, "ada", shelfRepository+"/compare/commits?fromRepo="+fromRepo); r.status != status {
			t.Errorf("fromRepo=%s: %d %s, want %d", fromRepo, r.status, r.body, status)
		}
	}
}

// H1
func TestThePullRequestsOfACommitAreListed(t *testing.T) {
	scenario := parse(t, attic)
	s := fakebb.New(fakebb.Options{Scenario: scenario})
	for commit, want := range map[string]string{"topic-2": "[{One}]", "twice": "[{Three} {Two}]", "topic-1": "[]", "merge": "[]"} {
		got := fmt.Sprint(values[struct{ Title string }](t, get(t, s, "ada", shelfRepository+"/commits/"+scenario.Commit("P/r", commit)+"/pull-requests")))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", commit, diff)
		}
	}
}

// H1
func TestAPatchIsOfOneCommitUnlessMoreIsAskedFor(t *testing.T) {
	scenario := parse(t, attic)
	s := fakebb.New(fakebb.Options{Scenario: scenario})
	topic, before := scenario.Commit("P/r", "topic-2"), scenario.Commit("P/r", "topic-1")
	const changing = "no-cache, no-transform"
	for query, want := range map[string]struct{ subjects, cache string }{
		"?until=" + topic:                          {"PP-8 and PP-7 second", "private, max-age=31536000"},
		"?until=" + topic[:12]:                     {"PP-8 and PP-7 second", changing},
		"?until=topic":                             {"PP-8 and PP-7 second", changing},
		"?until=" + topic + "&since=" + before:     {"PP-8 and PP-7 second", "private, max-age=31536000"},
		"?until=" + topic + "&since=old":           {"PP-7 first, PP-8 and PP-7 second", changing},
		"?until=topic&since=old&allAncestors=true": {"base, PP-7 first, PP-8 and PP-7 second", changing},
		"?until=main":                              {"side", changing}, // git has no mail of a merge
		"?until=old":                               {"base", changing},
	} {
		r := ask(t, s, "GET", shelfRepository+"/patch"+query, as("ada", "*/*"))
		var subjects []string
		for line := range strings.Lines(r.body) {
			if subject, ok := strings.CutPrefix(line, "Subject: [PATCH"); ok {
				_, subject, _ = strings.Cut(subject, "] ")
				subjects = append(subjects, strings.TrimSpace(subject))
			}
		}
		cache := r.header["Cache-Control"]
		if diff := cmp.Diff(want.subjects, strings.Join(subjects, ", ")); diff != "" || cache[len(cache)-1] != want.cache {
			t.Errorf("patch%s: Cache-Control %s, want %s (-want +got):\n%s", query, cache, want.cache, diff)
		}
	}
	// Of several commits that a merge brought, it is the last.
	longer := strings.NewReplacer("parents: [topic-1, side]}", "parents: [topic-1, side-2]}", "- {name: merge,",
		"- {name: side-2, author: bob, at: 2026-01-01T11:30:00Z, message: later, parents: [side], changes: [{path: g.txt, text: g}]}\n- {name: merge,").Replace(attic)
	r := ask(t, fakebb.New(fakebb.Options{Scenario: parse(t, longer)}), "GET", shelfRepository+"/patch?until=main", as("ada", "*/*"))
	if !strings.Contains(r.body, "Subject: [PATCH] later\n") {
		t.Errorf("of a merge of two commits: %d %s", r.status, r.body)
	}
	if r := get(t, s, "ada", shelfRepository+"/patch?until=main"); r.status != http.StatusNotAcceptable {
		t.Errorf("as JSON: %d, want 406", r.status)
	}
}
