package server_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/view"
)

// broken answers 500 to the paths that hold a word, and asks the fake for the
// others.
type broken struct {
	fake *fakebb.Server
	word string
}

func (b broken) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.Contains(r.URL.Path, b.word) {
		return b.fake.Transport().RoundTrip(r)
	}
	return &http.Response{StatusCode: 500, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(`{"errors":[{"message":"A database error has occurred."}]}`))}, nil
}

// A part that cannot be read is named, to the model and in the view, and is
// never taken for an empty one; the rest is answered.
func TestAPartThatCannotBeReadIsNamedAndTheRestAnswered(t *testing.T) {
	for part, word := range map[string]string{
		view.PartMergeCheck: "/merge", view.PartBuilds: "/builds", view.PartTasks: "/blocker-comments", view.PartReports: "/reports",
		view.PartActivity: "/activities", view.PartCommits: "/pull-requests/1/commits", view.PartPending: "/review",
	} {
		fake := fakebb.New(fakebb.Options{})
		client, err := bitbucket.New(bitbucket.Options{URL: fakebb.DefaultBaseURL, Token: fakebb.Token("bo"), Transport: broken{fake, word}})
		if err != nil {
			t.Fatal(err)
		}
		s, err := server.New(server.Options{Bitbucket: client, Version: "test", Now: fake.Now})
		if err != nil {
			t.Fatal(err)
		}
		r := (&world{server: s}).connect(t, "modern", uiCapability).tool("show", card)
		if r.IsError {
			t.Errorf("%s: show fails: %s", part, r.text())
			continue
		}
		p := decode[view.Payload](t, r.Meta[view.MetaKey])
		if diff := cmp.Diff([]view.Unavailable{{Part: part, Why: "A database error has occurred"}}, p.Unavailable); diff != "" {
			t.Errorf("%s: unavailable (-want +got):\n%s", part, diff)
		}
		pr := p.PullRequest
		for name, missing := range map[string]bool{
			view.PartMergeCheck: pr.MergeCheck == nil, view.PartBuilds: pr.Builds == nil, view.PartTasks: pr.OpenTasks == nil,
			view.PartReports: pr.FailedReportCount == nil, view.PartActivity: pr.Activity == nil, view.PartPending: pr.Pending == nil,
		} {
			if missing != (name == part) {
				t.Errorf("without %s: %s is missing: %v", part, name, missing)
			}
		}
		if part != view.PartActivity && !strings.Contains(r.text(), "A database error has occurred") {
			t.Errorf("%s: the model is not told: %s", part, r.text())
		}
	}
}

// V43: the person bb acts for is named by display name, also where the pull
// request does not name them.
func TestWhomBBActsForIsNamed(t *testing.T) {
	for user, want := range map[string]string{"bo": "Bo Lindqvist", "zoe": "Zoë Åström", "dalia+ops@example.com": "Dalia Haddad"} {
		w := newWorld(t, user)
		p := decode[view.Payload](t, w.connect(t, "modern", uiCapability).tool("show", card).Meta[view.MetaKey])
		if p.As == nil || p.As.DisplayName != want || p.As.Name != user {
			t.Errorf("%s: as %+v, want %s", user, p.As, want)
		}
	}
}

// V44: somebody else's pending comments are nowhere.
func TestPendingCommentsAreTheirAuthorsAlone(t *testing.T) {
	for user, want := range map[string]int{"chen": 2, "bo": 0, "amara": 0} {
		r := newWorld(t, user).connect(t, "modern", uiCapability).tool("show", card)
		p := decode[view.Payload](t, r.Meta[view.MetaKey])
		if p.PullRequest.Pending == nil || p.PullRequest.Pending.Total == nil || *p.PullRequest.Pending.Total != want {
			t.Errorf("%s: pending %+v, want %d", user, p.PullRequest.Pending, want)
		}
		pending := 0
		for _, a := range p.PullRequest.Activity.Items {
			if a.Comment != nil && a.Comment.Pending {
				pending++
			}
		}
		if pending != want {
			t.Errorf("%s: %d pending comments in the activity, want %d", user, pending, want)
		}
	}
}

// V14: a part of a list says nothing of the whole, least of all a part that
// begins beyond the end.
func TestAPartOfAListClaimsNoTotal(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	for arguments, total := range map[string]bool{
		`{"project":"ORCH","repo":"catalogue"}`:              true,
		`{"project":"ORCH","repo":"catalogue","limit":2}`:    false,
		`{"project":"ORCH","repo":"catalogue","start":3}`:    false,
		`{"project":"ORCH","repo":"catalogue","start":1000}`: false,
	} {
		r := p.tool("list_pull_requests", arguments)
		a := decode[server.PullRequestsAnswer](t, r.StructuredContent)
		if (a.Count.Total != nil) != total {
			t.Errorf("%s: count %s of %d rows; %s", arguments, r.StructuredContent, len(a.PullRequests), r.text())
		}
	}
}
