package bitbucket

import (
	"context"
	"net/url"
	"strconv"
)

// User is a user, or for a commit a person Bitbucket does not know, who then
// has only a Name and an EmailAddress.
type User struct {
	Name         string
	EmailAddress string
	DisplayName  string
	Slug         string
	Type         string
	Links        Links
}

// Links are the links of an entity.
type Links struct {
	Self []struct{ Href string }
}

// URL is the entity's page, or "".
func (l Links) URL() string {
	if len(l.Self) == 0 {
		return ""
	}
	return l.Self[0].Href
}

// Project is the part of a project that is read.
type Project struct {
	Key         string
	Name        string
	Description string
	Type        string // NORMAL, PERSONAL
	Public      bool
}

// Repository is the part of a repository that is read.
type Repository struct {
	ID            int
	Slug          string
	Name          string
	Description   string
	Project       Project
	Public        bool
	Archived      bool   // since 8.0
	DefaultBranch string // full name, since 10 and only of one repository
	Origin        *Repository
	Links         Links
}

// Ref is one side of a pull request.
type Ref struct {
	ID           string
	DisplayID    string `json:"displayId"`
	LatestCommit string
	Repository   Repository
}

// Participant is a person's part in a pull request.
type Participant struct {
	User               User
	LastReviewedCommit string // "" before the first review
	Role               string // AUTHOR, REVIEWER, PARTICIPANT
	Status             string // UNAPPROVED, NEEDS_WORK, APPROVED
}

// PullRequest is a pull request (bitbucket-rest.md 10.1). Dates are Unix
// milliseconds.
type PullRequest struct {
	ID           int
	Version      int
	Title        string
	Description  string
	State        string // OPEN, MERGED, DECLINED
	Draft        bool
	CreatedDate  int64
	UpdatedDate  int64
	ClosedDate   int64 // 0 while open
	FromRef      Ref
	ToRef        Ref
	Author       Participant
	Reviewers    []Participant
	Participants []Participant
	Properties   PullRequestProperties
	Links        Links
}

// PullRequestProperties come with lists only.
type PullRequestProperties struct {
	MergeResult *struct {
		Outcome string // CLEAN, CONFLICTED, UNKNOWN
		Current bool   // false: computed against an older tip
	}
	MergeCommit *struct {
		ID string
	}
	CommentCount  int
	OpenTaskCount int
}

// Veto is one reason of Bitbucket's for not merging.
type Veto struct {
	SummaryMessage  string
	DetailedMessage string
}

// MergeCheck is Bitbucket's verdict on merging (bitbucket-rest.md 10.7).
type MergeCheck struct {
	CanMerge   *bool // nil in what is no verdict
	Conflicted bool
	Outcome    string
	Vetoes     []Veto
}

const api = "api/latest"

// place is the path of a repository, and what follows below it.
func place(project, repo string, more ...string) []string {
	return append([]string{"projects", project, "repos", repo}, more...)
}

func pullRequestPath(project, repo string, id int, more ...string) []string {
	return place(project, repo, append([]string{"pull-requests", strconv.Itoa(id)}, more...)...)
}

// notThat is the failure of an answer that can be read and is not what was
// asked for.
func notThat(r request, what string) error {
	target, _ := r.target()
	return &Error{Kind: Unsupported, Method: r.method, Path: target, Messages: []string{"the answer is not " + what}}
}

// PullRequest reads one pull request.
func (c *Client) PullRequest(ctx context.Context, project, repo string, id int) (PullRequest, error) {
	var p PullRequest
	r := get(api, nil, pullRequestPath(project, repo, id)...)
	err := c.do(ctx, r, &p)
	if err == nil && p.ID != id {
		err = notThat(r, "this pull request")
	}
	return p, err
}

// ListPullRequests reads a repository's incoming pull requests, newest first.
// State is OPEN, MERGED, DECLINED or ALL.
func (c *Client) ListPullRequests(ctx context.Context, project, repo, state string, start, limit int) (Listing[PullRequest], error) {
	q := url.Values{"state": {state}, "order": {"NEWEST"}}
	return readList[PullRequest](ctx, c, get(api, q, place(project, repo, "pull-requests")...), start, limit)
}

// ListOwnPullRequests reads the caller's pull requests over all repositories.
// State is as in ListPullRequests; role is AUTHOR, REVIEWER, PARTICIPANT, or
// "" for any.
func (c *Client) ListOwnPullRequests(ctx context.Context, state, role string, start, limit int) (Listing[PullRequest], error) {
	q := url.Values{"order": {"NEWEST"}}
	if state != "ALL" { // the dashboard takes no ALL; without a state it gives any
		q.Set("state", state)
	}
	if role != "" {
		q.Set("role", role)
	}
	return readList[PullRequest](ctx, c, get(api, q, "dashboard", "pull-requests"), start, limit)
}

// MergeCheck asks whether an open pull request can be merged now. On a closed
// one Bitbucket answers a Conflict.
func (c *Client) MergeCheck(ctx context.Context, project, repo string, id int) (MergeCheck, error) {
	var m MergeCheck
	r := get(api, nil, pullRequestPath(project, repo, id, "merge")...)
	err := c.do(ctx, r, &m)
	if err == nil && m.CanMerge == nil {
		err = notThat(r, "a merge check")
	}
	return m, err
}

// FindUsers reads the users whose name, display name or address contains
// filter.
func (c *Client) FindUsers(ctx context.Context, filter string, limit int) (Listing[User], error) {
	return readList[User](ctx, c, get(api, url.Values{"filter": {filter}}, "users"), 0, limit)
}
