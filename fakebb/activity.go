package fakebb

import (
	"slices"
	"strconv"

	"github.com/bb-mcp/bb/fakebb/content"
)

// activity is one item of a pull request's timeline.
type activity struct {
	id     int
	at     int64
	by     *person
	action string

	comment        *comment  // COMMENTED
	tips, previous tips      // RESCOPED: where the sides stand after and stood before
	commit         string    // MERGED
	added, removed []*person // UPDATED
	draft          *bool     // UPDATED
	strategy       string    // AUTO_MERGE_REQUESTED
	reason         string    // AUTO_MERGE_CANCELLED
}

// The actions the fake does something for, on the wire.
const (
	actionCommented          = "COMMENTED"
	actionRescoped           = "RESCOPED"
	actionUpdated            = "UPDATED"
	actionMerged             = "MERGED"
	actionAutoMerge          = "AUTO_MERGE_REQUESTED"
	actionAutoMergeCancelled = "AUTO_MERGE_CANCELLED"
)

// maxRescopedCommits is how many commits a RESCOPED item lists; its total
// counts all (belief).
const maxRescopedCommits = 5

// activityJSON is an item, with the keys of its action after the common ones
// (bitbucket-rest.md 11).
type activityJSON struct {
	ID          int      `json:"id"`
	CreatedDate int64    `json:"createdDate"`
	User        userJSON `json:"user"`
	Action      string   `json:"action"`

	CommentAction string       `json:"commentAction,omitempty"`
	Comment       *commentJSON `json:"comment,omitempty"`
	CommentAnchor *anchorJSON  `json:"commentAnchor,omitempty"`
	Diff          *diffJSON    `json:"diff,omitempty"`

	FromHash         string           `json:"fromHash,omitempty"`
	PreviousFromHash string           `json:"previousFromHash,omitempty"`
	PreviousToHash   string           `json:"previousToHash,omitempty"`
	ToHash           string           `json:"toHash,omitempty"`
	Added            *someCommitsJSON `json:"added,omitempty"`
	Removed          *someCommitsJSON `json:"removed,omitempty"`

	Commit *commitJSON `json:"commit,omitempty"`

	AddedReviewers   *[]userJSON `json:"addedReviewers,omitempty"`
	RemovedReviewers *[]userJSON `json:"removedReviewers,omitempty"`
	Draft            *bool       `json:"draft,omitempty"`

	CancelledReason string `json:"cancelledReason,omitempty"`
}

type someCommitsJSON struct {
	Commits []commitJSON `json:"commits"`
	Total   int          `json:"total"`
}

// listActivities answers the timeline, newest first. A pending comment is in
// it for its author alone (belief).
func listActivities(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxActivities)
	if err != nil {
		return nil, err
	}
	from, err := x.firstActivity(p)
	if err != nil {
		return nil, err
	}
	w.start += from
	visible := func(a *activity) bool {
		return (a.comment == nil || a.comment.visibleTo(x.caller)) && x.server.release.knows(a)
	}
	draw := func(a *activity) activityJSON { return x.drawActivity(p, a) }
	return pageOf(w, p.activities, visible, draw), nil
}

// firstActivity is the place of the item that fromId asks to begin with: an
// activity, or the one a comment or a reply is in. The start of the page then
// counts in the whole list (belief), so that nextPageStart goes on from there.
func (x *exchange) firstActivity(p *pullRequest) (int, error) {
	text := x.query.Get("fromId")
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, notFound("fromId is a number")
	}
	kind, err := x.choice("fromType", "", "COMMENT", "ACTIVITY")
	if err != nil {
		return 0, err
	}
	if kind == "" {
		return 0, invalidArgument("fromType is required when fromId is given.")
	}
	for i, a := range p.activities {
		found := kind == "ACTIVITY" && int64(a.id) == id
		if kind == "COMMENT" && a.comment != nil {
			found = slices.ContainsFunc(a.comment.thread(), func(c *comment) bool {
				return int64(c.id) == id && c.visibleTo(x.caller)
			})
		}
		if found {
			return i, nil
		}
	}
	if kind == "COMMENT" {
		return 0, noSuchComment(id)
	}
	return 0, noSuchActivity(id)
}

func (x *exchange) drawActivity(p *pullRequest, a *activity) activityJSON {
	j := activityJSON{ID: a.id, CreatedDate: a.at, User: x.user(a.by), Action: a.action}
	switch a.action {
	case actionCommented:
		c := x.drawComment(a.comment)
		j.CommentAction, j.Comment = "ADDED", &c
		if a.comment.anchor != nil {
			j.CommentAnchor = drawAnchor(a.comment.spot())
			j.Diff = x.drawHunkOf(a.comment)
		}
	case actionRescoped:
		git := p.git()
		j.FromHash, j.PreviousFromHash = a.tips.from, a.previous.from
		j.PreviousToHash, j.ToHash = a.previous.to, a.tips.to
		j.Added = x.someCommits(between(git, a.tips.from, a.previous.from, a.tips.to))
		j.Removed = x.someCommits(between(git, a.previous.from, a.tips.from, a.previous.to))
	case actionMerged:
		if a.commit != "" {
			c := x.drawCommitWithParents(p.repository, a.commit)
			j.Commit = &c
		}
	case actionAutoMergeCancelled:
		j.CancelledReason = a.reason
	case actionUpdated:
		if x.server.release.drafts() {
			j.Draft = a.draft
		}
		if a.added != nil || a.removed != nil {
			added, removed := drawAll(a.added, x.user), drawAll(a.removed, x.user)
			j.AddedReviewers, j.RemovedReviewers = &added, &removed
		}
	}
	return j
}

func (x *exchange) someCommits(all []content.CommitInfo) *someCommitsJSON {
	return &someCommitsJSON{
		Commits: drawAll(all[:min(len(all), maxRescopedCommits)], x.drawCommit),
		Total:   len(all),
	}
}
