package bitbucket

import (
	"context"
	"net/url"
)

// MaxCommitBuilds is how many builds, the newest, the listing by commit holds
// at most (bitbucket-rest.md 14.2).
const MaxCommitBuilds = 100

// ListCommitBuilds reads the public listing of a commit's builds, the newest
// first. It is by commit over all repositories and branches, and says neither
// under which key a build reports nor for which branch it is
// (bitbucket-rest.md 14.2). commit is a full id.
func (c *Client) ListCommitBuilds(ctx context.Context, commit string) (Listing[Build], error) {
	type build struct {
		Build
		DateAdded int64
	}
	q := url.Values{"orderBy": {"NEWEST"}}
	l, err := readList[build](ctx, c, get("build-status/latest", q, "commits", commit), 0, MaxCommitBuilds)
	list := Listing[Build]{Values: make([]Build, len(l.Values)), Complete: l.Complete, Next: l.Next, Total: l.Total}
	for i, b := range l.Values {
		list.Values[i] = b.Build
		list.Values[i].UpdatedDate = b.DateAdded
	}
	return list, err
}
