package bitbucket

import (
	"context"
	"net/http"
	"net/url"
)

// Build is one build as the pull request page lists it. Only Key, Name, State,
// URL, Parent and UpdatedDate are attested for every release; the rest is there
// when Bitbucket sent it.
type Build struct {
	Key         string
	Parent      string // the required key it reports under
	Name        string
	State       string
	URL         string
	Description string
	BuildNumber string
	UpdatedDate int64 // Unix milliseconds
	Duration    int64 // milliseconds
	TestResults *struct {
		Successful, Failed, Skipped int
	}
}

// MaxBuilds is how many builds the pull request page's listing holds at most
// (bitbucket-probed.md 3).
const MaxBuilds = 2000

// ListPullRequestBuilds reads the listing that Bitbucket's own pull request
// page reads: the commit's builds for the pull request's branch or for no
// branch. It is an internal endpoint (bitbucket-rest.md 14.3): a release may
// lack it, which is a NotFound that names no missing entity.
func (c *Client) ListPullRequestBuilds(ctx context.Context, project, repo string, id int, commit string) (Listing[Build], error) {
	q := url.Values{"commitId": {commit}}
	return readPages(get("ui/latest", q, pullRequestPath(project, repo, id, "builds")...), 0, MaxBuilds, func(r request) (page[Build], error) {
		var answer struct{ Page page[Build] }
		err := c.do(ctx, r, &answer)
		return answer.Page, err
	})
}

// BuildStats counts the builds of a commit by state, over all branches.
type BuildStats struct {
	Successful, Failed, InProgress, Cancelled, Unknown int
}

// CountBuilds counts the builds of many commits in one request.
func (c *Client) CountBuilds(ctx context.Context, commits []string) (map[string]BuildStats, error) {
	stats := map[string]BuildStats{}
	if len(commits) == 0 {
		return stats, nil
	}
	err := c.do(ctx, request{method: http.MethodPost, module: "build-status/latest", path: []string{"commits", "stats"}, body: commits, reads: true}, &stats)
	return stats, err
}
