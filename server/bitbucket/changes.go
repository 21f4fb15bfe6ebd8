package bitbucket

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
)

// MaxChanges is how many changed files Bitbucket lists of a pull request; what
// is beyond is on no page (bitbucket-rest.md 2).
const MaxChanges = 1000

// Path is a path in a repository.
type Path struct {
	ToString string // parts joined by /
}

// String is the path, or "" for none.
func (p *Path) String() string {
	if p == nil {
		return ""
	}
	return p.ToString
}

// UnmarshalJSON reads a path object. The document leaves out toString, so that
// its parts count where it is missing (bitbucket-rest.md 4).
func (p *Path) UnmarshalJSON(data []byte) error {
	var object struct {
		Components []string
		ToString   string `json:"toString"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	p.ToString = object.ToString
	if p.ToString == "" {
		p.ToString = strings.Join(object.Components, "/")
	}
	return nil
}

// Change is what became of one file (bitbucket-rest.md 9).
type Change struct {
	Type     string // ADD, COPY, DELETE, MODIFY, MOVE, UNKNOWN
	NodeType string // FILE, SUBMODULE
	Path     *Path
	SrcPath  *Path // only of a MOVE or a COPY
	// Executable is nil where the file is gone, SrcExecutable where it is new.
	Executable    *bool
	SrcExecutable *bool
	// Conflict is set where a merge would leave it to a person.
	Conflict   *ChangeConflict
	Properties struct {
		ActiveComments   int
		OrphanedComments int
	}
}

// ChangeConflict is what both sides did to a file.
type ChangeConflict struct {
	OurChange   SideChange // of the target
	TheirChange SideChange // of the source
}

// SideChange is what one side did; Type is as in [Change].
type SideChange struct {
	Type string
	Path *Path
}

// PullRequestChanges are the changed files of a pull request, on one page.
type PullRequestChanges struct {
	// FromHash is the old side as Bitbucket names it: of all changes the
	// target's tip, though it is the merge base that is compared.
	FromHash   string
	ToHash     string
	Properties struct {
		ChangeScope string // ALL, UNREVIEWED, RANGE: what the answer is
	}
	Values     []Change
	IsLastPage bool
}

// PullRequestChanges reads the changed files of a pull request, at most
// MaxChanges of them. With unreviewed they are those since the caller's last
// review; where there is no such review, or its commit is gone, Bitbucket
// answers ALL and says so (bitbucket-rest.md 10.9).
func (c *Client) PullRequestChanges(ctx context.Context, project, repo string, id int, unreviewed bool) (PullRequestChanges, error) {
	q := url.Values{"limit": {strconv.Itoa(MaxChanges)}, "changeScope": {"ALL"}}
	if unreviewed {
		q.Set("changeScope", "UNREVIEWED")
	}
	var p PullRequestChanges
	err := c.do(ctx, get(api, q, pullRequestPath(project, repo, id, "changes")...), &p)
	return p, err
}

// ListCommitChanges reads the files that a commit changed, compared with its
// first parent. commit is a full or short id.
func (c *Client) ListCommitChanges(ctx context.Context, project, repo, commit string, start, limit int) (Listing[Change], error) {
	q := url.Values{"withComments": {"false"}}
	return readList[Change](ctx, c, get(api, q, place(project, repo, "commits", commit, "changes")...), start, limit)
}

// CompareChanges reads the files that r's source changed since it left its
// target (three-dot).
func (c *Client) CompareChanges(ctx context.Context, project, repo string, r Range, start, limit int) (Listing[Change], error) {
	return readList[Change](ctx, c, get(api, r.query(), place(project, repo, "compare", "changes")...), start, limit)
}
