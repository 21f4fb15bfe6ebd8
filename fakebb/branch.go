package fakebb

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/bb-mcp/bb/fakebb/content"
)

// branchRoutes are branches and tags.
var branchRoutes = []route{
	{method: "GET", path: repositories + "/branches", answer: listBranches,
		evidence: "bitbucket-rest.md 7 [O][P][L], shape-9416-branches-details.json; the order without orderBy [I]; that a branch has the issues of the commits it is ahead by is belief"},
	{method: "GET", path: repositories + "/branches/default", answer: getDefaultBranch,
		evidence: "bitbucket-rest.md 7 [O]"},
	{method: "GET", path: repositories + "/default-branch", answer: getMinimalDefaultBranch,
		evidence: "bitbucket-rest.md 7 [P][O]; the sentence of the 404 is belief"},
	{method: "GET", path: repositories + "/tags", answer: listTags,
		evidence: "bitbucket-rest.md 7 [O][P]"},
	{method: "GET", path: repositories + "/tags/{name...}", answer: getTag,
		evidence: "bitbucket-rest.md 7 [O]; the sentence of the 404 is belief"},
}

// branchJSON is a branch (bitbucket-rest.md 7). The flag is called isDefault on
// the wire.
type branchJSON struct {
	ID              string  `json:"id"`
	DisplayID       string  `json:"displayId"`
	Type            string  `json:"type"`
	LatestCommit    string  `json:"latestCommit"`
	LatestChangeset string  `json:"latestChangeset"`
	IsDefault       bool    `json:"isDefault"`
	Metadata        *object `json:"metadata,omitempty"`
}

func drawBranch(r *repository, b *branch) branchJSON {
	return branchJSON{
		ID: b.id(), DisplayID: b.name, Type: "BRANCH", LatestCommit: b.tip, LatestChangeset: b.tip,
		IsDefault: b == r.branches[0],
	}
}

// listBranches answers the branches in their alphabetical order, or the last
// changed first. With boostMatches the exact match and those that begin with
// the filter come before.
func listBranches(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	by, err := x.refOrder()
	if err != nil {
		return nil, err
	}
	base, err := x.base(r)
	if err != nil {
		return nil, err
	}
	filter := strings.ToLower(x.query.Get("filterText"))
	found := slices.DeleteFunc(slices.Clone(r.branches), func(b *branch) bool { return !contains(b.name, filter) })
	slices.SortStableFunc(found, func(a, b *branch) int {
		boost := 0
		if filter != "" && x.query.Get("boostMatches") == "true" {
			boost = cmp.Compare(boostOf(a.name, filter), boostOf(b.name, filter))
		}
		return cmp.Or(boost, by(a.name, r.commit(a.tip).Committer.When, b.name, r.commit(b.tip).Committer.When))
	})
	details := x.query.Get("details") == "true"
	return pageOf(w, found, everything, func(b *branch) branchJSON {
		j := drawBranch(r, b)
		if details {
			j.Metadata = x.drawMetadata(r, b, base)
		}
		return j
	}), nil
}

// base is what branches are compared with: a branch, or a tag or commit without
// a name; the default branch when none is asked for, nil when there is none.
func (x *exchange) base(r *repository) (*branch, error) {
	name := x.query.Get("base")
	if name == "" {
		if len(r.branches) == 0 {
			return nil, nil
		}
		return r.branches[0], nil
	}
	if b := r.branch(name); b != nil {
		return b, nil
	}
	if id, ok := r.resolve(name); ok {
		return &branch{tip: id}, nil
	}
	return nil, noSuchBranch(name, r)
}

// boostOf is 0 for the name itself, 1 for one that begins so, else 2.
func boostOf(name, filter string) int {
	name = strings.ToLower(name)
	switch {
	case name == filter:
		return 0
	case strings.HasPrefix(name, filter):
		return 1
	}
	return 2
}

// refOrder compares two refs by name or, with orderBy=MODIFICATION, by time, the
// newest first.
func (x *exchange) refOrder() (func(nameA string, atA time.Time, nameB string, atB time.Time) int, error) {
	order, err := x.choice("orderBy", "ALPHABETICAL", "ALPHABETICAL", "MODIFICATION")
	if err != nil {
		return nil, err
	}
	return func(nameA string, atA time.Time, nameB string, atB time.Time) int {
		newer := 0
		if order == "MODIFICATION" {
			newer = atB.Compare(atA)
		}
		return cmp.Or(newer, compareNames(nameA, nameB))
	}, nil
}

// The keys of a branch's metadata: what plugins know about it.
const (
	metadataOf       = "com.atlassian.bitbucket.server."
	jiraMetadata     = metadataOf + "bitbucket-jira:branch-list-jira-issues"
	aheadMetadata    = metadataOf + "bitbucket-branch:ahead-behind-metadata-provider"
	commitMetadata   = metadataOf + "bitbucket-branch:latest-commit-metadata"
	buildMetadata    = metadataOf + "bitbucket-build:build-status-metadata"
	outgoingMetadata = metadataOf + "bitbucket-ref-metadata:outgoing-pull-request-metadata"
)

type aheadBehindJSON struct {
	Ahead  int `json:"ahead"`
	Behind int `json:"behind"`
}

// outgoingJSON are the pull requests from a branch: the one there is, or how
// many there are of each state.
type outgoingJSON struct {
	PullRequest *pullRequestJSON `json:"pullRequest,omitempty"`
	Open        *int             `json:"open,omitempty"`
	Merged      *int             `json:"merged,omitempty"`
	Declined    *int             `json:"declined,omitempty"`
}

// metadataAvatar is the size of the pictures in metadata when none is asked for.
const metadataAvatar = 64

// drawMetadata draws what details=true adds.
func (x *exchange) drawMetadata(r *repository, b, base *branch) *object {
	ahead := lacking(r, b.tip, base.tip)
	named := []string{b.name}
	for _, c := range ahead {
		named = append(named, c.Message)
	}
	metadata := object{{jiraMetadata, x.drawIssues(named...)}}
	if b != base {
		metadata = append(metadata, member{aheadMetadata, aheadBehindJSON{len(ahead), len(lacking(r, base.tip, b.tip))}})
	}
	pictured := *x
	pictured.avatar = cmp.Or(x.avatar, metadataAvatar)
	metadata = append(metadata, member{commitMetadata, pictured.drawCommit(r.commit(b.tip))})
	if builds := x.store.buildsIn(r, b.tip); len(builds) > 0 {
		metadata = append(metadata, member{buildMetadata, countBuilds(builds)})
	}
	if outgoing := x.drawOutgoing(r, b); outgoing != nil {
		metadata = append(metadata, member{outgoingMetadata, outgoing})
	}
	return &metadata
}

// lacking are the commits that can be reached from in and not from out. They
// are remembered, because every branch is compared with the same base.
func lacking(r *repository, in, out string) []content.CommitInfo {
	type key struct{ in, out string }
	return remember(&r.memory, key{in, out}, func() []content.CommitInfo { return between(r.git, in, out) })
}

// drawOutgoing is nil for a branch without pull requests.
func (x *exchange) drawOutgoing(r *repository, b *branch) *outgoingJSON {
	var from []*pullRequest
	var open, merged, declined int
	for _, p := range x.store.pullRequests {
		if p.source.repository != r || p.source.branch != b.name || !x.readable(p) {
			continue
		}
		from = append(from, p)
		switch p.state {
		case stateOpen:
			open++
		case stateMerged:
			merged++
		default:
			declined++
		}
	}
	switch len(from) {
	case 0:
		return nil
	case 1:
		return &outgoingJSON{PullRequest: x.drawInBranch(from[0])}
	}
	return &outgoingJSON{Open: &open, Merged: &merged, Declined: &declined}
}

// drawInBranch draws a pull request without description, and without links as
// are its people and repositories.
func (x *exchange) drawInBranch(p *pullRequest) *pullRequestJSON {
	bare := *x
	bare.linkless = true
	j := bare.drawPullRequest(p)
	j.Description = ""
	return &j
}

// getDefaultBranch answers the whole branch, nothing for an empty repository.
func getDefaultBranch(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	if len(r.branches) == 0 {
		return noContent(), nil
	}
	return drawBranch(r, r.branches[0]), nil
}

func getMinimalDefaultBranch(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	if len(r.branches) == 0 {
		return nil, noDefaultBranch(r)
	}
	return minimalRefJSON{r.branches[0].id(), r.branches[0].name, "BRANCH"}, nil
}

// tagJSON is a tag; hash is the object of an annotated one.
type tagJSON struct {
	ID              string `json:"id"`
	DisplayID       string `json:"displayId"`
	Type            string `json:"type"`
	LatestCommit    string `json:"latestCommit"`
	LatestChangeset string `json:"latestChangeset"`
	Hash            string `json:"hash,omitempty"`
}

func drawTag(t *tag) tagJSON {
	return tagJSON{tagsPrefix + t.name, t.name, "TAG", t.commit, t.commit, t.object}
}

func listTags(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	by, err := x.refOrder()
	if err != nil {
		return nil, err
	}
	filter := strings.ToLower(x.query.Get("filterText"))
	found := slices.DeleteFunc(slices.Clone(r.tags), func(t *tag) bool { return !contains(t.name, filter) })
	slices.SortStableFunc(found, func(a, b *tag) int { return by(a.name, r.madeAt(a), b.name, r.madeAt(b)) })
	return pageOf(w, found, everything, drawTag), nil
}

// madeAt is when an annotated tag was made; a tag that is only a name is as old
// as its commit.
func (r *repository) madeAt(t *tag) time.Time {
	if object, err := r.git.TagInfo(t.object); err == nil {
		return object.Tagger.When
	}
	return r.commit(t.commit).Committer.When
}

// getTag answers one tag; its name may have slashes.
func getTag(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	if t := r.tag(x.vars["name"]); t != nil {
		return drawTag(t), nil
	}
	return nil, noSuchTag(x.vars["name"], r)
}

// tag returns the tag with that name: full, with tags/ or short.
func (r *repository) tag(name string) *tag {
	for _, t := range r.tags {
		if name == t.name || name == tagsPrefix+t.name || name == "tags/"+t.name {
			return t
		}
	}
	return nil
}
