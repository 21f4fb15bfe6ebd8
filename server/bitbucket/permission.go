package bitbucket

import (
	"context"
	"net/url"
	"slices"
)

// MayWrite says whether the caller may write to a repository, which merging
// into it takes. Bitbucket has no question for that; its list of repositories
// can be narrowed to those where the caller has a permission
// (bitbucket-rest.md 6).
func (c *Client) MayWrite(ctx context.Context, r Repository) (bool, error) {
	q := url.Values{"projectkey": {r.Project.Key}, "name": {r.Name}, "permission": {"REPO_WRITE"}, "archived": {"ALL"}}
	list, err := readList[Repository](ctx, c, get(api, q, "repos"), 0, 1000)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(list.Values, func(one Repository) bool { return one.ID == r.ID }), nil
}
