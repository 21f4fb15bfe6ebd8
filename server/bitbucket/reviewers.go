package bitbucket

import (
	"context"
	"net/url"
	"strconv"
	"strings"
)

// ReviewerCondition is a rule that makes people default reviewers of pull
// requests between some refs (bitbucket-rest.md 16).
type ReviewerCondition struct {
	ID    int
	Scope struct {
		Type string // REPOSITORY, PROJECT
	}
	SourceRefMatcher  RefMatcher
	TargetRefMatcher  RefMatcher
	Reviewers         []User
	ReviewerGroups    []ReviewerGroup
	RequiredApprovals int
}

// ReviewerGroup is people who are asked together to review.
type ReviewerGroup struct {
	ID    int
	Name  string
	Users []User
}

// RefIn is a ref, by its full id, with its repository.
type RefIn struct {
	Repository Repository
	ID         string
}

// DefaultReviewers reads who reviews a pull request from source into target by
// the rules of target's repository. Bitbucket's document promises conditions;
// it sends users.
func (c *Client) DefaultReviewers(ctx context.Context, source, target RefIn) ([]User, error) {
	q := url.Values{
		"sourceRepoId": {strconv.Itoa(source.Repository.ID)}, "sourceRefId": {source.ID},
		"targetRepoId": {strconv.Itoa(target.Repository.ID)}, "targetRefId": {target.ID},
	}
	var users []User
	err := c.do(ctx, get("default-reviewers/latest", q, target.place("reviewers")...), &users)
	return users, err
}

// ReviewerConditions reads the rules of a repository for default reviewers,
// those of its project included.
func (c *Client) ReviewerConditions(ctx context.Context, project, repo string) ([]ReviewerCondition, error) {
	var conditions []ReviewerCondition
	err := c.do(ctx, get("default-reviewers/latest", nil, place(project, repo, "conditions")...), &conditions)
	return conditions, err
}

// CodeOwners reads who owns what a pull request from source into target would
// change, by the CODEOWNERS file of the target (since 8.14; Bitbucket's own
// pages ask it here, no public endpoint has it).
func (c *Client) CodeOwners(ctx context.Context, source, target RefIn) ([]User, error) {
	q := url.Values{"sourceRefId": {source.ID}, "targetRefId": {target.ID}}
	if source.Repository.ID != target.Repository.ID {
		q.Set("sourceRepo", source.Repository.Project.Key+"/"+source.Repository.Slug)
	}
	var owners struct{ CodeOwners []User }
	err := c.do(ctx, get("ui/latest", q, target.place("code-owners")...), &owners)
	return owners.CodeOwners, err
}

// ListReviewerGroups reads the reviewer groups of a repository's own settings.
func (c *Client) ListReviewerGroups(ctx context.Context, project, repo string, limit int) (Listing[ReviewerGroup], error) {
	return readList[ReviewerGroup](ctx, c, get(api, nil, place(project, repo, "settings", "reviewer-groups")...), 0, limit)
}

// ListProjectReviewerGroups reads the reviewer groups of a project's settings.
func (c *Client) ListProjectReviewerGroups(ctx context.Context, project string, limit int) (Listing[ReviewerGroup], error) {
	return readList[ReviewerGroup](ctx, c, get(api, nil, "projects", project, "settings", "reviewer-groups"), 0, limit)
}

// FindReaders reads the users whose name, display name or address contains
// filter and who may read the repository (bitbucket-rest.md 5.2).
func (c *Client) FindReaders(ctx context.Context, project, repo, filter string, limit int) (Listing[User], error) {
	q := url.Values{
		"filter": {filter}, "permission.1": {"REPO_READ"},
		"permission.1.projectKey": {project}, "permission.1.repositorySlug": {repo},
	}
	return readList[User](ctx, c, get(api, q, "users"), 0, limit)
}

// RepositoryNamed reads one repository.
func (c *Client) RepositoryNamed(ctx context.Context, project, repo string) (Repository, error) {
	var r Repository
	err := c.do(ctx, get(api, nil, place(project, repo)...), &r)
	return r, err
}

// maxBranchesLookedThrough is how many branches whose names contain the one
// that is looked for are looked through. Bitbucket puts the exact one first
// where it knows boostMatches.
const maxBranchesLookedThrough = 1000

// BranchNamed finds the branch that has exactly this name, or as a full ref
// this id; false without one. Names that only contain it, or differ in letter
// case, are other branches: up to three of them are given as near.
func (c *Client) BranchNamed(ctx context.Context, project, repo, name string) (branch Ref, near []string, found bool, err error) {
	const heads = "refs/heads/"
	q := url.Values{"filterText": {strings.TrimPrefix(name, heads)}, "boostMatches": {"true"}}
	r := get(api, q, place(project, repo, "branches")...)
	for start := 0; start < maxBranchesLookedThrough; {
		l, err := readList[Ref](ctx, c, r, start, 100)
		if err != nil {
			return Ref{}, nil, false, err
		}
		for _, b := range l.Values {
			if b.ID == name || b.DisplayID == name {
				return b, nil, true, nil
			}
			if len(near) < 3 {
				near = append(near, b.DisplayID)
			}
		}
		if l.Next == 0 {
			break
		}
		start = l.Next
	}
	return Ref{}, near, false, nil
}

func (r RefIn) place(more ...string) []string {
	return place(r.Repository.Project.Key, r.Repository.Slug, more...)
}
