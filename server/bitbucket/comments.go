package bitbucket

import (
	"context"
	"net/url"
)

// Comment is a comment and the replies under it (bitbucket-rest.md 12). Dates
// are Unix milliseconds.
type Comment struct {
	ID             int
	Version        int
	Text           string
	Author         User
	CreatedDate    int64
	UpdatedDate    int64
	Comments       []Comment
	Anchor         *Anchor // outside the activity, of a root on a file or a line
	ThreadResolved bool    // of a root
	ThreadResolver *User
	Severity       string // NORMAL, BLOCKER (a task)
	State          string // OPEN, RESOLVED (a task), PENDING
	Resolver       *User  // of a resolved task
	// Parent is what a reply answers, where a reply is sent by itself.
	Parent     *struct{ ID int }
	Properties struct {
		Reactions []struct{ Users []User }
	}
}

// Anchor is where a comment was written. Line is 0 for one on a file.
type Anchor struct {
	FromHash string
	ToHash   string
	Line     int
	LineType string // ADDED, REMOVED, CONTEXT
	FileType string // FROM, TO: the file that Line counts in
	Path     string
	SrcPath  string // of a renamed or copied file
	DiffType string // EFFECTIVE, or COMMIT or RANGE for a comment on such a diff
	Orphaned bool   // the line is no longer in the diff
	// MultilineMarker is the first of several lines, which end with Line.
	MultilineMarker *struct{ StartLine int }
}

// ListFileComments reads the root comments on one file of the pull request's
// effective diff, those on lines that are gone included. Those on the pull
// request as a whole and those on the diff of a commit are in the activity
// alone; without a path Bitbucket refuses (bitbucket-rest.md 12).
func (c *Client) ListFileComments(ctx context.Context, project, repo string, id int, path string, limit int) (Listing[Comment], error) {
	q := url.Values{"path": {path}, "anchorState": {"ALL"}}
	return readList[Comment](ctx, c, get(api, q, pullRequestPath(project, repo, id, "comments")...), 0, limit)
}

// ListPendingComments reads the caller's own comments on a pull request that
// nobody else sees yet.
func (c *Client) ListPendingComments(ctx context.Context, project, repo string, id, limit int) (Listing[Comment], error) {
	return readList[Comment](ctx, c, get(api, nil, pullRequestPath(project, repo, id, "review")...), 0, limit)
}

// CountTasks counts a pull request's tasks by state. A state without tasks is
// missing from Bitbucket's answer, and 0 here.
func (c *Client) CountTasks(ctx context.Context, project, repo string, id int) (open, resolved int, err error) {
	var counts struct {
		Open     int `json:"OPEN"`
		Resolved int `json:"RESOLVED"`
	}
	q := url.Values{"count": {"true"}}
	err = c.do(ctx, get(api, q, pullRequestPath(project, repo, id, "blocker-comments")...), &counts)
	return counts.Open, counts.Resolved, err
}
