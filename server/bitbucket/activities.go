package bitbucket

import "context"

// Activity is one entry of a pull request's activity (bitbucket-rest.md 11).
// Which fields are set depends on Action, and plugins add actions of their
// own.
type Activity struct {
	ID               int
	CreatedDate      int64
	User             User
	Action           string
	CommentAction    string         // COMMENTED: ADDED, UPDATED, DELETED or REPLIED
	Comment          *Comment       // COMMENTED
	CommentAnchor    *Anchor        // COMMENTED on a file or a line
	Diff             *CommentDiff   // COMMENTED on a file or a line
	FromHash         string         // RESCOPED: the source's tip after it
	PreviousFromHash string         // RESCOPED: and before
	ToHash           string         // RESCOPED: the target's tip after it
	PreviousToHash   string         // RESCOPED: and before
	Added            *CommitChanges // RESCOPED
	Removed          *CommitChanges // RESCOPED
	AddedReviewers   []User         // UPDATED
	RemovedReviewers []User         // UPDATED
	Draft            *bool          // UPDATED
	Commit           *Commit        // MERGED, unless nothing new was made
	AutoMerge        bool           // MERGED, since 8.15
	CancelledReason  string         // AUTO_MERGE_CANCELLED
}

// CommitChanges is a cut list of commits with the number of all.
type CommitChanges struct {
	Commits []Commit
	Total   int
}

// CommentDiff is the part of one file's diff around a commented line, as of
// the hashes the comment was made on.
type CommentDiff struct {
	Hunks []struct {
		Segments []struct {
			Type  string // ADDED, REMOVED, CONTEXT
			Lines []CommentDiffLine
		}
	}
	Properties struct {
		FromHash, ToHash string
	}
}

// CommentDiffLine is one line of a [CommentDiff]. Both numbers are always
// there; in ADDED only Destination means something, in REMOVED only Source.
type CommentDiffLine struct {
	Source      int
	Destination int
	Line        string
	CommentIDs  []int // root comments on this line
}

// ListActivities reads a pull request's activity from start, newest first.
// Bitbucket gives at most 500 a page.
func (c *Client) ListActivities(ctx context.Context, project, repo string, id, start, limit int) (Listing[Activity], error) {
	return readList[Activity](ctx, c, get(api, nil, pullRequestPath(project, repo, id, "activities")...), start, limit)
}
