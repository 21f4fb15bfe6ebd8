package bitbucket

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
)

// The orders of branches and tags.
const (
	Alphabetical = "ALPHABETICAL"
	Modification = "MODIFICATION" // last changed first
)

// Branch is a branch of a repository (bitbucket-rest.md 7).
type Branch struct {
	ID           string // refs/heads/…
	DisplayID    string `json:"displayId"`
	LatestCommit string
	IsDefault    bool
	Details      BranchDetails `json:"metadata"`
}

// BranchDetails is what plugins say of a branch. A part is nil where its plugin
// is missing or has nothing to say.
type BranchDetails struct {
	AheadBehind *AheadBehind  // nil for the base itself
	Latest      *Commit       // the tip
	Builds      *BuildCounts  // of the tip
	Outgoing    *OutgoingPull // pull requests from the branch
}

// AheadBehind says how many commits a branch has that its base lacks, and the
// other way round.
type AheadBehind struct{ Ahead, Behind int }

// BuildCounts counts builds by state.
type BuildCounts struct{ Successful, InProgress, Failed, Cancelled, Unknown int }

// OutgoingPull is the one pull request from a branch, or how many there are of
// each state.
type OutgoingPull struct {
	PullRequest            *PullRequest // without description and links
	Open, Merged, Declined int
}

// UnmarshalJSON reads the parts by the names of their modules: what stands
// before the colon is the plugin's key, which changed with the product's name.
// A part in another shape is left out, since it is the answer of a plugin.
func (d *BranchDetails) UnmarshalJSON(data []byte) error {
	var parts map[string]json.RawMessage
	if json.Unmarshal(data, &parts) != nil {
		return nil
	}
	for key, part := range parts {
		_, module, _ := strings.Cut(key, ":")
		switch module {
		case "ahead-behind-metadata-provider":
			d.AheadBehind = decoded[AheadBehind](part)
		case "latest-commit-metadata":
			d.Latest = decoded[Commit](part)
		case "build-status-metadata":
			d.Builds = decoded[BuildCounts](part)
		case "outgoing-pull-request-metadata":
			d.Outgoing = decoded[OutgoingPull](part)
		}
	}
	return nil
}

// decoded is data as a T, or nil when it is null or has another shape.
func decoded[T any](data json.RawMessage) *T {
	var v *T
	if json.Unmarshal(data, &v) != nil {
		return nil
	}
	return v
}

// Tag is a tag of a repository. Hash is the tag object of an annotated one,
// otherwise "".
type Tag struct {
	ID           string // refs/tags/…
	DisplayID    string `json:"displayId"`
	LatestCommit string
	Hash         string
}

// RefFilter says which branches or tags are listed, and how.
type RefFilter struct {
	Text  string // in the name, in any letter case; "" for all
	Order string // Alphabetical, Modification, or "" for Bitbucket's own
	Base  string // what branches are compared with; "" is the default branch
}

func (f RefFilter) query() url.Values {
	q := url.Values{}
	if f.Text != "" {
		q.Set("filterText", f.Text)
		q.Set("boostMatches", "true") // the name itself comes first
	}
	if f.Order != "" {
		q.Set("orderBy", f.Order)
	}
	if f.Base != "" {
		q.Set("base", f.Base)
	}
	return q
}

// ListBranches reads branches with their details.
func (c *Client) ListBranches(ctx context.Context, project, repo string, f RefFilter, start, limit int) (Listing[Branch], error) {
	q := f.query()
	q.Set("details", "true")
	return readList[Branch](ctx, c, get(api, q, place(project, repo, "branches")...), start, limit)
}

// ListTags reads tags. The filter's Base plays no part.
func (c *Client) ListTags(ctx context.Context, project, repo string, f RefFilter, start, limit int) (Listing[Tag], error) {
	f.Base = ""
	return readList[Tag](ctx, c, get(api, f.query(), place(project, repo, "tags")...), start, limit)
}

// Tip is the commit that a branch, tag or commit is, by any name of it; at ""
// is the default branch. ok is false for a repository without a commit. The
// name goes in the query, where it may have slashes.
func (c *Client) Tip(ctx context.Context, project, repo, at string) (commit Commit, ok bool, err error) {
	q := url.Values{"limit": {"1"}}
	if at != "" {
		q.Set("until", at)
	}
	var p page[Commit]
	err = c.do(ctx, get(api, q, place(project, repo, "commits")...), &p)
	var failed *Error
	if errors.As(err, &failed) && at == "" && failed.is("NoDefaultBranchException") {
		return commit, false, nil
	}
	if err != nil || len(p.Values) == 0 {
		return commit, false, err
	}
	return p.Values[0], true, nil
}
