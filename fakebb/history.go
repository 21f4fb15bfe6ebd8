package fakebb

import (
	"cmp"
	"slices"

	"github.com/bb-mcp/bb/fakebb/content"
)

// historyRoutes are commits, one by one and in lists.
var historyRoutes = []route{
	{method: "GET", path: repositories + "/commits", answer: listCommits,
		evidence: "bitbucket-rest.md 9 [O][P]; an empty repository [I]"},
	{method: "GET", path: oneCommit, answer: getCommit,
		evidence: "bitbucket-rest.md 9, 4 [O][P][S]"},
	{method: "GET", path: oneCommit + "/changes", answer: listCommitChanges,
		evidence: "bitbucket-rest.md 9 [F][O], commit-changes-rename.json"},
	{method: "GET", path: oneCommit + "/diff/{path...}", answer: getCommitDiff, produces: []string{mediaJSON, mediaText},
		evidence: "bitbucket-rest.md 9, 13 [O]"},
	{method: "GET", path: oneCommit + "/merge-base", answer: getMergeBase,
		evidence: "bitbucket-rest.md 9 [O]"},
	{method: "GET", path: oneCommit + "/pull-requests", answer: listCommitPullRequests,
		evidence: "bitbucket-rest.md 9 [O][P]"},
}

// listCommits answers the history of a ref, or of the default branch. A
// repository without commits has an empty one (belief).
func listCommits(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxCommits)
	if err != nil {
		return nil, err
	}
	merges, err := x.choice("merges", "INCLUDE", "INCLUDE", "EXCLUDE", "ONLY")
	if err != nil {
		return nil, err
	}
	if len(r.branches) == 0 && x.query.Get("until") == "" {
		return streamOf(w, nil, x.drawCommit), nil
	}
	ignore := x.query.Get("ignoreMissing") == "true"
	until, err := x.named(r, "until")
	switch {
	case err != nil && ignore:
		return streamOf(w, nil, x.drawCommit), nil
	case err != nil:
		return nil, err
	}
	path, err := cleanPath(x.query.Get("path"), cmp.Or(x.query.Get("until"), until))
	if err != nil {
		return nil, err
	}
	options := content.LogOptions{From: []string{until}, Path: path, Merges: mergesShown[merges]}
	options.FollowRenames = path != "" && x.query.Get("followRenames") == "true"
	if x.query.Get("withCounts") != "true" {
		options.Limit = w.start + w.limit + 1 // one more says that there is a next page
	}
	if name := x.query.Get("since"); name != "" {
		since, err := x.revision(r, name)
		if err != nil && !ignore {
			return nil, err
		}
		if err == nil {
			options.Exclude = []string{since}
		}
	}
	commits, err := r.git.Log(options)
	if err != nil {
		panic(err) // what it begins with are commits of the store
	}
	page := streamOf(w, commits, x.drawCommit)
	x.count(&page, commits)
	return page, nil
}

// mergesShown are the words of the parameter merges.
var mergesShown = map[string]content.Merges{
	"INCLUDE": content.IncludeMerges, "EXCLUDE": content.ExcludeMerges, "ONLY": content.OnlyMerges,
}

// named is the commit that a parameter names, or else the tip of the default
// branch.
func (x *exchange) named(r *repository, parameter string) (string, error) {
	name := x.query.Get(parameter)
	switch {
	case name != "":
		return x.revision(r, name)
	case len(r.branches) == 0:
		return "", noDefaultBranch(r)
	}
	return r.branches[0].tip, nil
}

// getCommit answers one commit; with a path the last one up to it that changed
// the file.
func getCommit(x *exchange) (any, error) {
	r, id, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	path, err := cleanPath(x.query.Get("path"), id)
	if err != nil {
		return nil, err
	}
	if path != "" {
		commits, err := r.git.Log(content.LogOptions{From: []string{id}, Path: path, Limit: 1})
		if err != nil || len(commits) == 0 {
			return nil, noSuchPath(path, x.vars["commitId"])
		}
		id = commits[0].ID
	}
	return x.drawCommitWithParents(r, id), nil
}

// changesJSON is a page of the changes of a commit.
type changesJSON struct {
	FromHash   *string  `json:"fromHash"`
	ToHash     string   `json:"toHash"`
	Properties struct{} `json:"properties"`
	streamJSON[changeJSON]
}

// pageOfCommit is the address of a commit's web page.
func (x *exchange) pageOfCommit(r *repository, commit string) string {
	return x.pageOfRepository(r) + "/commits/" + commit
}

// drawChanges draws a page of a comparison's changes. What is beyond the cap is
// on no page.
func (x *exchange) drawChanges(w window, k comparison) streamJSON[changeJSON] {
	link := x.pageOfCommit(k.repository, k.to)
	changes := k.changes()
	return streamOf(w, changes[:min(len(changes), maxValues)], func(c content.Change) changeJSON { return x.drawChange(c, link) })
}

// commitComparison is the commit of the path compared with since, or with its
// first parent. How it was asked for is what fromHash then says.
func (x *exchange) commitComparison() (comparison, error) {
	r, id, err := x.findCommit()
	if err != nil {
		return comparison{}, err
	}
	k := ofCommit(r, r.commit(id))
	k.follow = x.query.Get("autoSrcPath") == "true"
	err = x.since(&k)
	return k, err
}

// since compares with the commit that the parameter names, where it is given.
func (x *exchange) since(k *comparison) error {
	name := x.query.Get("since")
	if name == "" {
		return nil
	}
	id, err := x.revision(k.repository, name)
	k.from, k.fromHash = id, id
	return err
}

func listCommitChanges(x *exchange) (any, error) {
	k, err := x.commitComparison()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	j := changesJSON{ToHash: k.to, streamJSON: x.drawChanges(w, k)}
	if x.query.Get("since") != "" {
		j.FromHash = &k.fromHash
	}
	if x.query.Get("withComments") != "false" {
		for i, c := range k.changes()[min(w.start, len(k.changes())):][:len(j.Values)] {
			j.Values[i].Properties.ActiveComments = x.commentsOnCommit(k, c)
		}
	}
	return j, nil
}

// commentsOnCommit is how many comments were made on a file of a commit.
func (x *exchange) commentsOnCommit(k comparison, c content.Change) int {
	n := 0
	for _, p := range x.placedOnCommit(k) {
		if p.spot.isOn(c) {
			n += x.countVisible(p.comment)
		}
	}
	return n
}

// placedOnCommit are the comments that were made on a commit, compared with its
// parent.
func (x *exchange) placedOnCommit(k comparison) []placed {
	var all []placed
	for _, c := range k.repository.comments[k.to] {
		if c.anchor != nil && c.anchor.spot.comparison.from == k.from {
			all = append(all, placed{c, c.spot()})
		}
	}
	return all
}

func getCommitDiff(x *exchange) (any, error) {
	x.stream()
	k, err := x.commitComparison()
	if err != nil {
		return nil, err
	}
	var comments []placed
	if x.query.Get("withComments") != "false" {
		comments = x.placedOnCommit(k)
	}
	return x.answerDiff(k, comments)
}

// answerDiff answers a comparison, or the file of it that the path names, as
// JSON or as text.
func (x *exchange) answerDiff(k comparison, comments []placed) (any, error) {
	if err := x.looks(&k); err != nil {
		return nil, err
	}
	if err := x.fileOf(&k, k.to); err != nil {
		return nil, err
	}
	if x.kind == mediaText {
		return x.diffText(k), nil
	}
	return x.drawDiffs(k, comments, false), nil
}

func getMergeBase(x *exchange) (any, error) {
	r, id, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	name := x.query.Get("otherCommitId")
	if name == "" {
		return nil, invalidArgument("otherCommitId is required.")
	}
	other, err := x.revision(r, name)
	if err != nil {
		return nil, err
	}
	base := mergeBase(r.git, id, other)
	if base == "" {
		return noContent(), nil
	}
	return x.drawCommitWithParents(r, base), nil
}

// listCommitPullRequests answers the pull requests that brought or would bring
// a commit, the last updated first.
func listCommitPullRequests(x *exchange) (any, error) {
	r, id, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	brings := func(p *pullRequest) bool {
		return p.repository == r && slices.ContainsFunc(p.commitsAdded(), func(c content.CommitInfo) bool { return c.ID == id })
	}
	return pageOf(w, x.pickPullRequests([]pick{brings}, byUpdate("NEWEST")), everything, x.drawListed), nil
}
