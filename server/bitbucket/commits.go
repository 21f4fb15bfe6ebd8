package bitbucket

import (
	"context"
	"net/url"
	"strings"
)

// Commit is one commit (bitbucket-rest.md 4). Its timestamps are whole seconds,
// in milliseconds.
type Commit struct {
	ID                 string
	DisplayID          string `json:"displayId"`
	Author             User
	AuthorTimestamp    int64
	Committer          User
	CommitterTimestamp int64
	Message            string
	Parents            []Parent
}

// Parent is a commit that is only named.
type Parent struct {
	ID string
}

// ListPullRequestCommits reads a pull request's commits, newest first, with
// Bitbucket's count of all.
func (c *Client) ListPullRequestCommits(ctx context.Context, project, repo string, id, start, limit int) (Listing[Commit], error) {
	q := url.Values{"withCounts": {"true"}}
	return readList[Commit](ctx, c, get(api, q, pullRequestPath(project, repo, id, "commits")...), start, limit)
}

// History says which commits a list is of. The zero value is the history of the
// default branch.
type History struct {
	Until  string // a ref or commit, as it was given
	Since  string // leaves out what this ref or commit has
	Path   string // only commits that changed it
	Merges string // include, exclude or only; "" leaves it to Bitbucket, which includes them
}

// ListCommits reads a history, newest first.
func (c *Client) ListCommits(ctx context.Context, project, repo string, h History, start, limit int) (Listing[Commit], error) {
	q := url.Values{}
	for name, value := range map[string]string{"until": h.Until, "since": h.Since, "path": h.Path, "merges": h.Merges} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return readList[Commit](ctx, c, get(api, q, place(project, repo, "commits")...), start, limit)
}

// Commit reads the commit that an id, full or short, or a ref names. What may be
// a ref goes into the query: Bitbucket's servers refuse an encoded slash in a
// path (bug-log.md URI-02).
func (c *Client) Commit(ctx context.Context, project, repo, name string) (Commit, error) {
	if IsCommitID(name) {
		var one Commit
		err := c.do(ctx, get(api, nil, place(project, repo, "commits", name)...), &one)
		return one, err
	}
	list, err := c.ListCommits(ctx, project, repo, History{Until: name}, 0, 1)
	if err != nil {
		return Commit{}, err
	}
	if len(list.Values) == 0 {
		return Commit{}, &Error{Kind: NotFound, Method: "GET", Path: "/rest/" + api + "/" + strings.Join(place(project, repo, "commits"), "/"),
			Messages: []string{"there is no commit up to " + name}}
	}
	return list.Values[0], nil
}

// IsCommitID says whether text has the form of a commit's id, full or short.
func IsCommitID(text string) bool {
	const shortest, full = 4, 40 // git's bounds
	return len(text) >= shortest && len(text) <= full && strings.Trim(text, "0123456789abcdefABCDEF") == ""
}

// Range is what source has and target lacks. Names are refs or commits as they
// were given; "" is the default branch.
type Range struct {
	Source, Target string
	// SourceRepository is KEY/slug where the source is in a fork, otherwise "".
	SourceRepository string
}

func (r Range) query() url.Values {
	q := url.Values{}
	for name, value := range map[string]string{"from": r.Source, "to": r.Target, "fromRepo": r.SourceRepository} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// CompareCommits reads the commits of r, newest first (bitbucket-rest.md 9).
func (c *Client) CompareCommits(ctx context.Context, project, repo string, r Range, start, limit int) (Listing[Commit], error) {
	return readList[Commit](ctx, c, get(api, r.query(), place(project, repo, "compare", "commits")...), start, limit)
}
