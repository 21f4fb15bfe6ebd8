package fakebb

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// commentRoutes are the comments of pull requests.
var commentRoutes = []route{
	{method: "GET", path: onePull + "/comments", answer: listPathComments,
		evidence: "bitbucket-rest.md 12 [O][P][F], comments-on-path-with-anchor.json; without path 3 [P], bitbucket-probed.md 4"},
	{method: "GET", path: onePull + "/comments/{commentId}", answer: getComment,
		evidence: "bitbucket-rest.md 12 [O]; the sentence of the 404 is belief"},
	{method: "GET", path: onePull + "/blocker-comments", answer: listBlockerComments,
		evidence: "bitbucket-rest.md 10.11 [O][P]"},
	{method: "GET", path: onePull + "/blocker-comments/{commentId}", answer: getBlockerComment,
		evidence: "bitbucket-rest.md 10.11, 12 [O]"},
	{method: "GET", path: onePull + "/review", answer: listPendingComments,
		evidence: "bitbucket-rest.md 10.8 [O][L]"},
	{method: "GET", path: "/rest/comment-likes/{version}" + inRepository + "/pull-requests/{pullRequestId}/comments/{commentId}/likes", answer: listLikes,
		evidence: "comment-likes.json [F]"},
	{method: "GET", path: oneCommit + "/comments", answer: listCommitComments,
		evidence: "bitbucket-rest.md 9 [O][P], bitbucket-probed.md 10 [L]"},
	{method: "GET", path: oneCommit + "/comments/{commentId}", answer: getCommitComment,
		evidence: "bitbucket-rest.md 9, 12 [O]"},
	{method: "GET", path: uiPull + "/comments", answer: listPathComments,
		evidence: "bitbucket-rest.md 14.3 [U]; that it answers as the public one is belief"},
}

// listPathComments answers the root comments on one file, with their places
// and replies. General comments are in the activity alone.
func listPathComments(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	path, err := x.commentedPath()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	anchorState, err := x.choice("anchorState", "ACTIVE", "ACTIVE", "ORPHANED", "ALL")
	if err != nil {
		return nil, err
	}
	states, err := x.choices([]string{"state", "states"}, commentOpen, commentResolved, commentPending)
	if err != nil {
		return nil, err
	}
	diffTypes, err := x.choices([]string{"diffType", "diffTypes"}, diffEffective, diffCommit, diffRange)
	if err != nil {
		return nil, err
	}
	if diffTypes == nil {
		diffTypes = []string{diffEffective}
	}
	from, to := x.query.Get("fromHash"), x.query.Get("toHash")
	if !slices.Contains(diffTypes, diffEffective) && to == "" {
		return nil, invalidArgument("fromHash and toHash are required for comments on a " + diffTypes[0] + " diff.")
	}
	var found []*comment
	for _, c := range p.roots() {
		if c.anchor == nil || !c.visibleTo(x.caller) {
			continue
		}
		s := c.spot()
		switch {
		case s.change.Path != path,
			anchorState == "ACTIVE" && s.orphaned,
			anchorState == "ORPHANED" && !s.orphaned,
			states != nil && !slices.Contains(states, c.state()),
			!slices.Contains(diffTypes, s.diffType),
			s.diffType != diffEffective && to != "" && s.comparison.to != to,
			s.diffType != diffEffective && from != "" && s.comparison.from != from:
		default:
			found = append(found, c)
		}
	}
	slices.Reverse(found)
	return pageOf(w, found, everything, x.drawAnchored), nil
}

// commentedPath is the path whose comments are asked for; without one there is
// no listing.
func (x *exchange) commentedPath() (string, error) {
	if path := strings.Trim(x.query.Get("path"), "/"); path != "" {
		return path, nil
	}
	// As many characters as the sentence of 9.4.16, whose words are unknown.
	return "", &failure{status: http.StatusBadRequest, message: "The path query parameter is required when retrieving comments."}
}

// choices reads a parameter that may be given several times, or once with
// commas, under any of its names; nil when it is not given.
func (x *exchange) choices(names []string, known ...string) ([]string, error) {
	var chosen []string
	for _, name := range names {
		for _, value := range x.query[name] {
			for word := range strings.SplitSeq(value, ",") {
				word = strings.ToUpper(strings.TrimSpace(word))
				if !slices.Contains(known, word) {
					return nil, invalidArgument(name + ": '" + word + "' is not one of " + strings.Join(known, ", "))
				}
				chosen = append(chosen, word)
			}
		}
	}
	return chosen, nil
}

// visibleComment finds the comment of the path among those the caller sees.
func (x *exchange) visibleComment(roots []*comment) (*comment, error) {
	id, err := strconv.ParseInt(x.vars["commentId"], 10, 64)
	if err != nil {
		return nil, notFound("a comment's id is a number")
	}
	for _, root := range roots {
		for _, c := range root.thread() {
			if int64(c.id) == id && c.visibleTo(x.caller) {
				return c, nil
			}
		}
	}
	return nil, noSuchComment(id)
}

// findComment finds a comment of the pull request of the path.
func (x *exchange) findComment() (*comment, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	return x.visibleComment(p.roots())
}

func getComment(x *exchange) (any, error) {
	c, err := x.findComment()
	if err != nil {
		return nil, err
	}
	return x.drawAnchored(c), nil
}

func getBlockerComment(x *exchange) (any, error) {
	c, err := x.findComment()
	if err != nil {
		return nil, err
	}
	if !c.task {
		return nil, noSuchComment(int64(c.id))
	}
	return x.drawAnchored(c), nil
}

// listLikes answers who likes a comment.
func listLikes(x *exchange) (any, error) {
	c, err := x.findComment()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	var likers []*person
	for _, r := range c.reactions {
		if r.shortcut == like {
			likers = r.by
		}
	}
	return pageOf(w, likers, everything, x.userWithoutLinks), nil
}

// listCommitComments answers the root comments that were made on one file of a
// commit, outside pull requests.
func listCommitComments(x *exchange) (any, error) {
	r, commit, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	path, err := x.commentedPath()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	onPath := func(c *comment) bool { return c.anchor != nil && c.spot().change.Path == path }
	return pageOf(w, r.comments[commit], onPath, x.drawAnchored), nil
}

func getCommitComment(x *exchange) (any, error) {
	r, commit, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	c, err := x.visibleComment(r.comments[commit])
	if err != nil {
		return nil, err
	}
	return x.drawAnchored(c), nil
}
