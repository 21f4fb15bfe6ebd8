package server

import (
	"context"
	"net/url"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/view"
)

// maxRowReviewers is how many reviewers a row carries: three are drawn, and a
// pointer over "+7" names the others.
const maxRowReviewers = 12

// drawPullRequests makes the payload of a list. The builds of all rows come
// with one more request; if that fails, the rows go out without them, and the
// payload says so.
func (s *Server) drawPullRequests(ctx context.Context, a PullRequestsAnswer) *view.Payload {
	list := &view.PullRequests{State: a.State, Role: a.asked.Role, Items: []view.Row{}, Count: a.Count.view(), Start: a.asked.Start}
	p := &view.Payload{ReadAt: a.readAt.UnixMilli(), As: viewPersonOrNil(a.as), PullRequests: list}
	list.URL = s.o.Bitbucket.URL() + "/dashboard"
	if a.asked.Repo != "" {
		repoURL := repositoryURL(a.repo)
		if repoURL == "" { // an empty list names no repository
			repoURL = s.o.Bitbucket.URL() + "/projects/" + url.PathEscape(a.Project) + "/repos/" + url.PathEscape(a.Repo)
		}
		list.Place = &view.Place{Project: a.Project, Repo: a.Repo, URL: repoURL}
		list.URL = repoURL + "/pull-requests?state=" + a.State
	}

	var tips []string
	for _, x := range a.PullRequests {
		tips = append(tips, x.source.Commit)
	}
	builds, err := s.o.Bitbucket.CountBuilds(ctx, tips)
	if err != nil {
		p.Unavailable = append(p.Unavailable, view.Unavailable{Part: view.PartBuilds, Why: reason(err)})
	}
	for _, x := range a.PullRequests {
		list.Items = append(list.Items, view.Row{
			Place: x.place, ID: x.ID, URL: x.url, Title: x.Title,
			State: x.State, Draft: x.Draft, Author: x.author.view(), Source: x.source.view(), Target: x.target.view(),
			Updated: int64(x.Updated), Reviewers: viewReviewers(x.reviewers[:min(len(x.reviewers), maxRowReviewers)]),
			ReviewerCount: counted(len(x.reviewers)).view(), Comments: x.Comments, OpenTasks: x.OpenTasks,
			Conflicted: x.Conflicted, Build: worst(builds[x.source.Commit]),
		})
	}
	return p
}

// worst is the state a row's icon shows, or "" without builds.
func worst(s bitbucket.BuildStats) string {
	switch {
	case s.Failed > 0:
		return view.BuildFailed
	case s.InProgress > 0:
		return view.BuildInProgress
	case s.Successful > 0:
		return view.BuildSuccessful
	case s.Cancelled > 0:
		return view.BuildCancelled
	case s.Unknown > 0:
		return view.BuildUnknown
	}
	return ""
}
