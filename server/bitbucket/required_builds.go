package bitbucket

import (
	"context"
)

// RefMatcher picks refs (bitbucket-rest.md 15). Type.ID is ANY_REF, BRANCH,
// PATTERN, MODEL_BRANCH, MODEL_CATEGORY or, from 10.2, DEFAULT_BRANCH.
type RefMatcher struct {
	ID        string
	DisplayID string `json:"displayId"`
	Type      struct{ ID, Name string }
	// Active is false when what the matcher names is not in the branching model.
	Active *bool
}

// RequiredBuild is a condition: builds that must be successful for merging.
type RequiredBuild struct {
	ID               int
	BuildParentKeys  []string
	RefMatcher       RefMatcher  // tested against a pull request's target
	ExemptRefMatcher *RefMatcher // tested against its source
	// RequiredForPullRequest is sent from 10.2; before, all are.
	RequiredForPullRequest *bool
}

// ListRequiredBuilds reads a repository's required-build conditions, in
// Bitbucket's order. A reader may list them (bitbucket-rest.md 15).
func (c *Client) ListRequiredBuilds(ctx context.Context, project, repo string, limit int) (Listing[RequiredBuild], error) {
	return readList[RequiredBuild](ctx, c, get("required-builds/latest", nil, place(project, repo, "conditions")...), 0, limit)
}

// BranchModel is a repository's branching model: its branches that exist, nil
// for one that does not, and its enabled categories (bitbucket-rest.md 7).
type BranchModel struct {
	Development *RefID
	Production  *RefID
	Types       []BranchCategory
}

// RefID is a ref by its full id.
type RefID struct{ ID string }

// BranchCategory is a kind of branches, known by what their names begin with.
type BranchCategory struct{ ID, DisplayName, Prefix string }

// BranchModel reads a repository's branching model.
func (c *Client) BranchModel(ctx context.Context, project, repo string) (BranchModel, error) {
	var m BranchModel
	err := c.do(ctx, get("branch-utils/latest", nil, place(project, repo, "branchmodel")...), &m)
	return m, err
}

// DefaultBranch reads the full id of a repository's default branch. An empty
// repository has none, which is NotFound.
func (c *Client) DefaultBranch(ctx context.Context, project, repo string) (string, error) {
	var ref RefID
	err := c.do(ctx, get(api, nil, place(project, repo, "default-branch")...), &ref)
	return ref.ID, err
}
