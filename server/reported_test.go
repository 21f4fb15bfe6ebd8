package server_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/server"
)

// What others ran into (bug-log.md) and no test about one thing holds.

const pullRequestOne = `{"project":"ORCH","repo":"catalogue","id":1}`

// REST-05: both sentences of every veto are told.
func TestBothSentencesOfEveryVetoAreTold(t *testing.T) {
	p, _ := listen(t, "amara", func(r *http.Request) (int, string) {
		if !strings.HasSuffix(r.URL.Path, "/pull-requests/1/merge") {
			return 0, ""
		}
		return 200, `{"canMerge":false,"conflicted":false,"outcome":"CLEAN","vetoes":[{"summaryMessage":"Not all required builds are successful yet","detailedMessage":"You still need a minimum of one successful build before this pull request can be merged."},{"summaryMessage":"Frost","detailedMessage":"It is too cold."}]}`
	})
	r := p.tool("get_pull_request", pullRequestOne)
	a := decode[server.PullRequestAnswer](t, r.StructuredContent)
	for _, want := range []string{"Not all required builds are successful yet", "You still need a minimum of one successful build before this pull request can be merged", "Frost", "It is too cold"} {
		if !strings.Contains(r.text(), want) || !slices.ContainsFunc(a.Reasons, func(x server.Reason) bool { return strings.Contains(x.Summary+x.Detail, want) }) {
			t.Errorf("%q is not told:\n%s\n%+v", want, r.text(), a.Reasons)
		}
	}
}

// REST-17: a conflict is what the merge check says now, not what a list kept.
func TestAConflictIsWhatTheMergeCheckSaysNow(t *testing.T) {
	p, _ := listen(t, "amara", func(r *http.Request) (int, string) {
		if strings.HasSuffix(r.URL.Path, "/pull-requests/8/merge") {
			return 200, `{"canMerge":true,"conflicted":false,"outcome":"CLEAN","vetoes":[]}`
		}
		return 0, ""
	})
	r := p.tool("get_pull_request", strings.Replace(pullRequestOne, "1", "8", 1))
	if a := decode[server.PullRequestAnswer](t, r.StructuredContent); a.MergeCheck == nil || a.MergeCheck.Conflicted || strings.Contains(r.text(), "conflicts with") {
		t.Errorf("merge check %+v\n%s", a.MergeCheck, r.text())
	}
}

// REST-18: a pull request that was closed in between has no merge check, and
// that is no failure.
func TestAPullRequestThatWasClosedInBetweenHasNoMergeCheck(t *testing.T) {
	p, _ := listen(t, "amara", func(r *http.Request) (int, string) {
		if strings.HasSuffix(r.URL.Path, "/merge") {
			return 409, `{"errors":[{"message":"This pull request has already been merged.","exceptionName":"com.atlassian.bitbucket.pull.IllegalPullRequestStateException"}]}`
		}
		return 0, ""
	})
	a := decode[server.PullRequestAnswer](t, p.tool("get_pull_request", pullRequestOne).StructuredContent)
	if a.MergeCheck != nil || slices.ContainsFunc(a.Unavailable, func(u server.UnavailablePart) bool { return u.Part == "mergeCheck" }) {
		t.Errorf("merge check %+v, unavailable %+v", a.MergeCheck, a.Unavailable)
	}
	w := newWorld(t, "amara")
	w.connect(t, "modern", `{}`).tool("get_pull_request", strings.Replace(pullRequestOne, "1", "2", 1))
	for _, r := range w.fake.Requests() {
		if strings.HasSuffix(r.Path, "/merge") {
			t.Error("a merged pull request was asked for its merge check")
		}
	}
}

// COMMENTS-08, COMMENTS-02: what releases no longer have, or never had, is not
// asked for by any tool.
func TestNoToolAsksForWhatBitbucketDoesNotHave(t *testing.T) {
	w := newWorld(t, "amara")
	p := w.connect(t, "modern", uiCapability)
	for _, c := range exampleCalls(t) {
		p.tool(c.tool, c.arguments)
	}
	requests := w.fake.Requests()
	if len(requests) < 30 {
		t.Fatalf("%d requests were made", len(requests))
	}
	for _, r := range requests {
		if strings.HasSuffix(r.Path, "/tasks") || strings.HasSuffix(r.Path, "/comments") && !strings.Contains(r.RawQuery, "path=") || r.Status == 404 {
			t.Errorf("%s %s?%s: %d", r.Method, r.Path, r.RawQuery, r.Status)
		}
	}
}

// BUILDS-03: the tilde of a personal project stays in every request of every
// tool.
func TestTheTildeOfAPersonalProjectStays(t *testing.T) {
	w := newWorld(t, "amara")
	p := w.connect(t, "modern", uiCapability)
	for _, c := range callsWithoutPlace(t) {
		if c.projectOnly {
			continue
		}
		p.tool(c.tool, "{"+strings.TrimPrefix(c.arguments+`,"project":"~amara","repo":"scratch"`, ",")+"}")
	}
	named := 0
	for _, r := range w.fake.Requests() {
		if !strings.Contains(r.Path, "/projects/") {
			continue
		}
		named++
		if !strings.Contains(strings.ToLower(r.Path), "/projects/~amara/") {
			t.Errorf("%s %s", r.Method, r.Path)
		}
	}
	if named < 20 {
		t.Errorf("%d requests named a project: the test tries nothing", named)
	}
}

// SCHEMA-02: every word that a schema offers is one that Bitbucket takes.
func TestEveryWordASchemaOffersIsTaken(t *testing.T) {
	w := newWorld(t, "amara")
	p := w.connect(t, "modern", uiCapability)
	calls := map[string]string{}
	for _, c := range exampleCalls(t) {
		calls[c.tool] = strings.Trim(c.arguments, "{}")
	}
	tried := 0
	for _, d := range tools(t, p) {
		if d.Name == "show" {
			continue
		}
		for argument, schema := range d.InputSchema.Properties {
			for _, word := range schema.Enum {
				more := fmt.Sprintf("%q:%q", argument, word)
				if argument == "scope" && word == "commit" {
					more += `,"commit":"fe2c3a5e02b7f93358cce06c57ec6e1f8ac0c179"`
				}
				arguments := "{" + strings.TrimPrefix(calls[d.Name]+","+more, ",") + "}"
				if r := p.tool(d.Name, arguments); r.IsError {
					t.Errorf("%s %s: %s", d.Name, arguments, r.text())
				}
				tried++
			}
		}
	}
	if tried < 15 {
		t.Errorf("%d words were tried", tried)
	}
}

// SCHEMA-03: nothing that is needed and left out reaches Bitbucket.
func TestNothingIsAskedWithoutWhatIsRequired(t *testing.T) {
	w := newWorld(t, "amara")
	p := w.connect(t, "modern", uiCapability)
	for _, d := range tools(t, p) {
		for _, missing := range d.InputSchema.Required {
			var given []string
			for _, name := range d.InputSchema.Required {
				if name == missing {
					continue
				}
				if name == "id" {
					given = append(given, `"id":1`)
				} else {
					given = append(given, fmt.Sprintf("%q:%q", name, "x"))
				}
			}
			for _, empty := range []string{"", fmt.Sprintf("%q:null", missing), fmt.Sprintf("%q:%q", missing, "")} {
				if d.Name == "show" || missing == "path" && strings.HasSuffix(empty, `""`) {
					continue // an empty path is the top of a repository
				}
				arguments := "{" + strings.Trim(strings.Join(given, ",")+","+empty, ",") + "}"
				if r := p.tool(d.Name, arguments); !r.IsError || !strings.Contains(r.text(), missing) && !strings.Contains(r.text(), "minLength") {
					t.Errorf("%s %s: isError %v, %s", d.Name, arguments, r.IsError, r.text())
				}
			}
		}
	}
	if n := len(w.fake.Requests()); n > 0 {
		t.Errorf("%d requests went out, the first to %s", n, w.fake.Requests()[0].Path)
	}
}
