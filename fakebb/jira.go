package fakebb

import (
	"net/url"
	"slices"
)

// jiraRoutes is what the link to Jira adds.
var jiraRoutes = []route{
	{method: "GET", path: "/rest/jira/{version}" + inRepository + "/pull-requests/{pullRequestId}/issues", answer: listIssues,
		evidence: "bitbucket-rest.md 17 [O][L]"},
}

// issueJSON is an issue that a commit or a branch names.
type issueJSON struct {
	Key string `json:"key"`
	URL string `json:"url"`
}

// drawIssues draws the issues that texts name, in their alphabetical order.
func (x *exchange) drawIssues(texts ...string) []issueJSON {
	var keys []string
	for _, text := range texts {
		keys = append(keys, issueKeys.FindAllString(text, -1)...)
	}
	slices.Sort(keys)
	return drawAll(slices.Compact(keys), func(key string) issueJSON {
		return issueJSON{key, x.server.base.String() + "/plugins/servlet/jira-integration/issues/" + url.PathEscape(key)}
	})
}

// listIssues answers the issues that a pull request's commits, branch and title
// name: an unpaged array, empty also for a pull request that does not exist.
func listIssues(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	id, err := parseNumber(x.vars["pullRequestId"])
	if err != nil {
		return nil, notFound("a pull request's id is a number")
	}
	p := r.pullRequests[id]
	if p == nil {
		return x.drawIssues(), nil
	}
	texts := []string{p.title, p.source.branch}
	for _, c := range p.commitsAdded() {
		texts = append(texts, c.Message)
	}
	return x.drawIssues(texts...), nil
}
