package fakebb

import (
	"cmp"
	"strings"
)

// buildRoutes are the builds of commits, in the forms of all three modules.
var buildRoutes = []route{
	{method: "GET", path: oneCommit + "/builds", answer: getBuild,
		evidence: "bitbucket-rest.md 14.1 [O][L]"},
	{method: "GET", path: buildStatus + "/{commitId}", answer: listCommitBuilds,
		evidence: "bitbucket-rest.md 14.2 [O][F], build-status-legacy.json"},
	{method: "GET", path: buildStatus + "/stats/{commitId}", answer: getBuildStats,
		evidence: "bitbucket-rest.md 14.2 [O][P]"},
	{method: "POST", path: buildStatus + "/stats", answer: getManyBuildStats,
		evidence: "bitbucket-rest.md 14.2 [O][P]"},
	{method: "GET", path: uiPull + "/builds", answer: listPullRequestBuilds,
		evidence: "bitbucket-rest.md 14.3, 14.4 [U][L], bitbucket-probed.md 3"},
	{method: "GET", path: uiPull + "/build-summaries", answer: getPullRequestSummaries,
		evidence: "bitbucket-rest.md 14.3 [U]"},
	{method: "GET", path: uiRepository + "/build-summaries", answer: getSummaries,
		evidence: "bitbucket-rest.md 14.3 [U]"},
	{method: "GET", path: uiRepository + "/builds", answer: listRepositoryBuilds,
		evidence: "bitbucket-rest.md 14.3 [U]; that its page is that of a pull request's builds is belief"},
	{method: "GET", path: "/rest/ui/{version}/dashboard/pull-requests", answer: listUIDashboard,
		evidence: "bitbucket-rest.md 14.3 [U]"},
}

// buildSummaryJSON are the counts of builds as the web interface reads them.
type buildSummaryJSON struct {
	Successful int `json:"successful"`
	Failed     int `json:"failed"`
	InProgress int `json:"inProgress"`
	Cancelled  int `json:"cancelled"`
	Unknown    int `json:"unknown"`
}

func summarise(builds []*commitBuild) buildSummaryJSON {
	n := countBuilds(builds)
	return buildSummaryJSON{n.Successful, n.Failed, n.InProgress, n.Cancelled, n.Unknown}
}

// getPullRequestSummaries answers the counts of the builds that count for the
// pull request, by the source's tip.
func getPullRequestSummaries(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	return x.summaries(p), nil
}

// summaries has no commit without builds, as in a repository's.
func (x *exchange) summaries(p *pullRequest) object {
	counts := object{}
	if builds := x.store.counting(p, p.source.tip); len(builds) > 0 {
		counts = append(counts, member{p.source.tip, summarise(builds)})
	}
	return counts
}

// getSummaries answers the counts of the commits named, for any branch.
func getSummaries(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	counts := object{}
	seen := map[string]bool{}
	for _, list := range x.query["commitId"] {
		for id := range strings.SplitSeq(list, ",") {
			builds := x.store.buildsIn(r, id)
			if len(builds) > 0 && !seen[id] {
				seen[id] = true
				counts = append(counts, member{id, summarise(builds)})
			}
		}
	}
	return counts, nil
}

// buildsIn are the builds of a commit that were sent to that repository.
func (s *store) buildsIn(r *repository, commit string) []*commitBuild {
	var found []*commitBuild
	for _, b := range s.builds[commit] {
		if b.repository == r {
			found = append(found, b)
		}
	}
	return found
}

// listRepositoryBuilds answers the builds of the commit that at names, or of
// the default branch's tip.
func listRepositoryBuilds(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxUIBuilds)
	if err != nil {
		return nil, err
	}
	if len(r.branches) == 0 && x.query.Get("at") == "" {
		return pageOf(w, nil, everything, drawListedBuild), nil
	}
	id, err := x.revision(r, cmp.Or(x.query.Get("at"), "HEAD"))
	if err != nil {
		return nil, err
	}
	return pageOf(w, newestBuilds(x.store.buildsIn(r, id)), everything, drawListedBuild), nil
}

// dashboardRowJSON is a row of the web interface's dashboard.
type dashboardRowJSON struct {
	PullRequest    pullRequestJSON `json:"pullRequest"`
	BuildSummaries object          `json:"buildSummaries"`
}

// listUIDashboard is the dashboard with the builds of each row.
func listUIDashboard(x *exchange) (any, error) {
	return x.dashboard(func(w window, all []*pullRequest) any {
		return pageOf(w, all, x.readable, func(p *pullRequest) dashboardRowJSON {
			return dashboardRowJSON{x.drawListed(p), x.summaries(p)}
		})
	})
}
