package fakebb_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// H1
func TestHistoryAndComparisons(t *testing.T) {
	scenario := parse(t, shelf)
	s := fakebb.New(fakebb.Options{Scenario: scenario})
	type commit struct{ Message string }
	type change struct {
		Type    string
		Path    struct{ ToString string }
		SrcPath struct{ ToString string }
		Links   struct{ Self []struct{ Href string } }
	}
	for path, want := range map[string]string{
		"/commits":                                                         "second first",
		"/commits?until=feature/x":                                         "third second first",
		"/commits?until=feature/x&since=v1":                                "third second",
		"/commits?path=docs/deep/one.txt":                                  "second first",
		"/commits?until=feature/x&path=docs/deep/1.txt":                    "third",
		"/commits?until=feature/x&path=docs/deep/1.txt&followRenames=true": "third second first",
		"/commits?merges=only":                                             "",
		"/compare/commits?from=feature/x":                                  "third",
		"/compare/commits?from=feature/x&to=v1":                            "third second",
		"/compare/commits?from=v1&to=main":                                 "",
	} {
		var got []string
		for _, c := range values[commit](t, get(t, s, "ada", shelfRepository+path)) {
			got = append(got, c.Message)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	third := scenario.Commit("P/r", "third")
	for path, want := range map[string]string{
		"/commits/" + third[:8] + "/changes":                               "MOVE docs/deep/one.txt>docs/deep/1.txt",
		"/commits/" + third + "/changes?since=v1":                          "ADD docs/deep/1.txt, DELETE docs/deep/one.txt",
		"/commits/main/changes":                                            "MODIFY docs/deep/one.txt",
		"/changes?since=v1&until=main":                                     "MODIFY docs/deep/one.txt",
		"/changes?since=feature/x&until=main":                              "MOVE docs/deep/1.txt>docs/deep/one.txt",
		"/compare/changes?from=main&to=feature/x":                          "",
		"/compare/changes?from=feature/x&to=main":                          "MOVE docs/deep/one.txt>docs/deep/1.txt",
		"/commits/" + scenario.Commit("P/r", "first") + "/changes?limit=2": "ADD README.md, ADD docs/a b#%.md",
	} {
		var got []string
		for _, c := range values[change](t, get(t, s, "ada", shelfRepository+path)) {
			row := c.Type + " "
			if c.SrcPath.ToString != "" {
				row += c.SrcPath.ToString + ">"
			}
			got = append(got, row+c.Path.ToString)
			if u, err := url.Parse(c.Links.Self[0].Href); err != nil || u.Fragment != c.Path.ToString {
				t.Errorf("%s: link %s, %v", path, c.Links.Self[0].Href, err)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"/commits/main/diff":                                                  `"line":"TWO"`,
		"/commits/feature%2Fx/diff/docs/deep/1.txt":                           `"source":null`, // without the path it had, it is new
		"/commits/feature%2Fx/diff/docs/deep/1.txt?autoSrcPath=true":          `"hunks":[]`,
		"/commits/feature%2Fx/diff/docs/deep/1.txt?srcPath=docs/deep/one.txt": `"hunks":[]`,
		"/diff/docs?since=v1&until=main":                                      `"line":"TWO"`,
		"/compare/diff?from=feature/x&to=v1":                                  `"line":"TWO"`,
		"/commits/main/merge-base?otherCommitId=v1":                           `"message":"first"`,
		"/commits/feature%2Fx?path=docs/deep/one.txt":                         `"message":"third"`,
		"/commits/" + scenario.Commit("P/r", "first") + "/diff":               `"fromHash":null`,
		"/compare/diff-stats-summary?from=feature/x&to=v1":                    `{"filesChanged":2,"linesAdded":3,"linesRemoved":3}`,
		"/commits/main/diff-stats-summary/docs/deep/one.txt":                  `{"filesChanged":1,"linesAdded":1,"linesRemoved":1}`,
	} {
		if r := get(t, s, "ada", shelfRepository+path); r.status != 200 || !strings.Contains(r.body, want) {
			t.Errorf("%s: %d %s, want %s", path, r.status, r.body, want)
		}
	}
	for path, want := range map[string]string{
		"/commits/main/diff":                  "-two\r\n+TWO\r\n",
		"/diff?since=v1&until=feature/x":      "new file mode 100644\n",
		"/compare/diff?from=main&to=v1":       "diff --git src://docs/deep/one.txt dst://docs/deep/one.txt\n",
		"/patch?since=v1&until=feature/x":     "Subject: [PATCH 2/2] third\n",
		"/patch?until=main":                   "Subject: [PATCH] second\n",
		"/patch?until=main&allAncestors=true": "Subject: [PATCH 2/2] second\n",
	} {
		r := ask(t, s, "GET", shelfRepository+path, as("ada", "text/plain"))
		if r.status != 200 || !strings.Contains(r.body, want) {
			t.Errorf("%s: %d %s, want %q", path, r.status, r.body, want)
		}
	}
	if r := get(t, fakebb.New(fakebb.Options{Scenario: scenario, Release: "8.19"}), "ada", shelfRepository+"/compare/diff-stats-summary"); r.status != 404 {
		t.Errorf("diff-stats-summary before 9.1: %d", r.status)
	}
}

// messages are what the commits of an answer say, in its order.
func messages(t *testing.T, r reply) string {
	t.Helper()
	var all []string
	for _, c := range values[struct{ Message string }](t, r) {
		all = append(all, c.Message)
	}
	return strings.Join(all, ", ")
}

// H1
func TestHistoryIsPickedByItsParameters(t *testing.T) {
	scenario := parse(t, attic)
	s := fakebb.New(fakebb.Options{Scenario: scenario})
	for query, want := range map[string]string{
		"":                        "merge, side, PP-7 first, base",
		"?merges=exclude":         "side, PP-7 first, base",
		"?merges=ONLY":            "merge",
		"?until=topic&since=main": "PP-8 and PP-7 second",
		"?until=topic&since=nosuch&ignoreMissing=true": "PP-8 and PP-7 second, PP-7 first, base",
		"?until=nosuch&ignoreMissing=true":             "",
		"?path=c.txt":                                  "side",
		"?path=dir":                                    "base",
		"?path=dir&followRenames=true":                 "base",
		"?path=nosuch":                                 "",
		"?limit=1&start=2":                             "PP-7 first",
		"?start=4":                                     "",
		"?start=2147483647&limit=2147483647":           "",
	} {
		if diff := cmp.Diff(want, messages(t, get(t, s, "ada", shelfRepository+"/commits"+query))); diff != "" {
			t.Errorf("commits%s (-want +got):\n%s", query, diff)
		}
	}
	var page struct {
		Size, Limit                         int
		IsLastPage                          bool
		NextPageStart                       *int
		TotalCount, AuthorCount, Unexpected *int
	}
	get(t, s, "ada", shelfRepository+"/commits?limit=1&withCounts=true").into(t, &page)
	if page.Size != 1 || page.IsLastPage || *page.NextPageStart != 1 || *page.TotalCount != 4 || *page.AuthorCount != 2 {
		t.Errorf("the first of 4 commits by 2 authors: %+v", page)
	}
	get(t, s, "ada", shelfRepository+"/commits?limit=3").into(t, &page)
	if page.Size != 3 || page.IsLastPage || *page.NextPageStart != 3 {
		t.Errorf("3 of 4 commits: %+v", page)
	}
	get(t, s, "ada", shelfRepository+"/commits?limit=1000&start=3").into(t, &page)
	if page.Size != 1 || page.Limit != 100 || !page.IsLastPage || page.NextPageStart != nil {
		t.Errorf("the last of 4 commits, of at most 100: %+v", page)
	}
}
