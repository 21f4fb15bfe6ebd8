// Package view describes what a view draws: the payload that a show result
// carries in _meta["bb/view"] and the page ui://bb/view reads. It is the
// contract between the server and the page, versioned from the first day, and
// holds no behaviour.
//
// Three rules hold for every field. Times are Unix milliseconds, as Bitbucket
// sends them. Text by people is passed on as it is and is never HTML. A number
// of things is a [Count], so that the page can tell a whole from a part; the
// page never counts.
package view

// Version is the version of the payload. It grows when a page of an earlier
// version would draw the payload wrongly; a new optional field does not
// change it.
const Version = 1

// MetaKey is the key of the payload in a result's _meta.
const MetaKey = "bb/view"

// The kinds of views.
const (
	KindPullRequest  = "pull_request"
	KindPullRequests = "pull_requests"
)

// Payload is everything one view draws. Exactly one of the fields named for a
// kind is set, the one Kind names.
type Payload struct {
	// Version is [Version].
	Version int `json:"version"`
	// Kind is one of the Kind constants.
	Kind string `json:"kind"`
	// Call holds the arguments of the show call that this payload answers,
	// cleaned and complete, so that the same call can be made again.
	Call map[string]any `json:"call"`
	// Server says who made the payload.
	Server Server `json:"server"`
	// Demo is true when the data is invented: bb runs on its fake. The view
	// says so, and the server's clock then is the scenario's, not the world's.
	Demo bool `json:"demo,omitempty"`
	// Now is the server's clock when the payload was made. Ages are counted
	// from it.
	Now int64 `json:"now"`
	// ReadAt is when the reading from Bitbucket began, on the same clock.
	ReadAt int64 `json:"readAt"`
	// As is the person bb acts for. Nil when Bitbucket did not say.
	As *Person `json:"as,omitempty"`
	// Unavailable names the parts that could not be read, so that a missing
	// part is never taken for an empty one.
	Unavailable []Unavailable `json:"unavailable,omitempty"`

	PullRequest  *PullRequest  `json:"pullRequest,omitempty"`
	PullRequests *PullRequests `json:"pullRequests,omitempty"`
}

// Server is the program that made a payload.
type Server struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// The parts of a pull request that are read by a request of their own, as
// [Unavailable] names them.
const (
	PartMergeCheck = "mergeCheck"
	PartBuilds     = "builds"
	PartTasks      = "tasks"
	PartReports    = "reports"
	PartActivity   = "activity"
	PartCommits    = "commits"
	PartPending    = "pending"
)

// Unavailable is a part that could not be read and the reason, a sentence
// without a final stop.
type Unavailable struct {
	Part string `json:"part"`
	Why  string `json:"why"`
}

// Count is how many there are. Total is set when the whole is known: a number
// Bitbucket sent, or the length of a list that was read to its end. Otherwise
// KnownSoFar says how many were seen, and there may be more.
type Count struct {
	Total      *int `json:"total,omitempty"`
	KnownSoFar int  `json:"knownSoFar,omitempty"`
}

// Person is a user of Bitbucket, or, without Name, the author of a commit whom
// Bitbucket does not know.
type Person struct {
	Name        string `json:"name,omitempty"` // the login; identifies the person
	DisplayName string `json:"displayName"`
	URL         string `json:"url,omitempty"` // Bitbucket's page of the person
}

// Place is a repository as a person reads it.
type Place struct {
	Project string `json:"project"` // a key, such as ORCH or ~amara
	Repo    string `json:"repo"`    // a slug
	URL     string `json:"url,omitempty"`
}

// Ref is one side of a pull request.
type Ref struct {
	Name   string `json:"name"` // without refs/heads/
	URL    string `json:"url,omitempty"`
	Commit string `json:"commit"` // the full id of its tip
	// Place is set when the branch is in another repository than the pull
	// request: a fork.
	Place *Place `json:"place,omitempty"`
}

// PullRequest is what the card draws.
type PullRequest struct {
	Place   Place  `json:"place"`
	ID      int    `json:"id"`
	Version int    `json:"version"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	// Description is Markdown. DescriptionCut is how many UTF-16 units of it
	// were left out at the end.
	Description    string `json:"description,omitempty"`
	DescriptionCut int    `json:"descriptionCut,omitempty"`
	State          string `json:"state"` // OPEN, MERGED or DECLINED
	Draft          bool   `json:"draft,omitempty"`
	Author         Person `json:"author"`
	Source         Ref    `json:"source"`
	Target         Ref    `json:"target"`
	Created        int64  `json:"created"`
	Updated        int64  `json:"updated"`
	// Closed is set once the pull request is merged or declined.
	Closed *Closed `json:"closed,omitempty"`

	// MergeCheck is nil for a closed pull request and when it could not be
	// read.
	MergeCheck *MergeCheck `json:"mergeCheck,omitempty"`
	Reviewers  Reviewers   `json:"reviewers"`
	// Review is the reader's own part. Nil when the reader is no reviewer.
	Review *OwnReview `json:"review,omitempty"`
	// OpenTasks is nil when it could not be read.
	OpenTasks *Count `json:"openTasks,omitempty"`
	// Builds is nil when they could not be read.
	Builds *Builds `json:"builds,omitempty"`
	// FailedReports are the Code Insights reports that failed on the source
	// commit. FailedReportCount is nil when they could not be read.
	FailedReports     []Report `json:"failedReports,omitempty"`
	FailedReportCount *Count   `json:"failedReportCount,omitempty"`
	// Pending counts the reader's own comments that nobody else sees yet. Nil
	// when it could not be read.
	Pending *Count `json:"pending,omitempty"`
	// Activity is newest first. Nil when it could not be read.
	Activity *Activities `json:"activity,omitempty"`
}

// Closed is how a pull request ended. By and Commit are absent where the
// activity that was read does not say.
type Closed struct {
	At        int64   `json:"at"`
	By        *Person `json:"by,omitempty"`
	Commit    string  `json:"commit,omitempty"` // the merge commit's full id
	CommitURL string  `json:"commitUrl,omitempty"`
}

// The outcomes of Bitbucket's merge check.
const (
	OutcomeClean      = "CLEAN"
	OutcomeConflicted = "CONFLICTED"
	OutcomeUnknown    = "UNKNOWN" // Bitbucket could not check for conflicts
)

// MergeCheck is Bitbucket's own verdict, in its words.
type MergeCheck struct {
	CanMerge   bool   `json:"canMerge"`
	Conflicted bool   `json:"conflicted,omitempty"`
	Outcome    string `json:"outcome"`
	Vetoes     []Veto `json:"vetoes,omitempty"`
	// Issues is how many things Bitbucket says prevent merging: its vetoes, and
	// the conflict when there is one. Bitbucket sends all of them at once.
	Issues Count `json:"issues"`
}

// Veto is one reason of Bitbucket's for not merging, as it was sent.
type Veto struct {
	Summary string `json:"summary"`
	Detail  string `json:"detail,omitempty"`
}

// The states of a reviewer, Bitbucket's words on the wire. NEEDS_WORK reads
// "Changes requested".
const (
	StatusApproved   = "APPROVED"
	StatusNeedsWork  = "NEEDS_WORK"
	StatusUnapproved = "UNAPPROVED"
)

// Reviewers are the people asked to review: the reader first, then who
// approved, who requested changes, the rest, each by name.
type Reviewers struct {
	Items    []Reviewer `json:"items"`
	Count    Count      `json:"count"`
	Approved Count      `json:"approved"` // over all of them, not over Items
	// ChangesRequested counts all reviewers who requested changes.
	ChangesRequested Count `json:"changesRequested"`
}

// Reviewer is one of them.
type Reviewer struct {
	Person Person `json:"person"`
	Status string `json:"status"`
	// CommitsSince is how many commits came after the one this person
	// reviewed. Absent without a review, and where that commit is not among
	// the pull request's commits any more (a rebase) or too far back to be
	// read.
	CommitsSince *int `json:"commitsSince,omitempty"`
}

// OwnReview is where the reader stands as a reviewer.
type OwnReview struct {
	Status       string `json:"status"`
	CommitsSince *int   `json:"commitsSince,omitempty"` // as in [Reviewer]
	// Waiting is true when the pull request is open and the reader has not
	// reviewed it.
	Waiting bool `json:"waiting,omitempty"`
}

// The states of a build. A state of a later Bitbucket is passed on as sent and
// counted under Other.
const (
	BuildSuccessful = "SUCCESSFUL"
	BuildFailed     = "FAILED"
	BuildInProgress = "INPROGRESS"
	BuildCancelled  = "CANCELLED"
	BuildUnknown    = "UNKNOWN"
)

// Builds are the builds Bitbucket's pull request page counts: those of the
// source commit for the pull request's branch or for no branch.
type Builds struct {
	Commit    string      `json:"commit"` // full id
	CommitURL string      `json:"commitUrl,omitempty"`
	Items     []Build     `json:"items"` // failed first, then in progress, then the rest; newest first
	Count     Count       `json:"count"`
	States    BuildStates `json:"states"`
	// StatesComplete is true when States was counted over all builds.
	StatesComplete bool `json:"statesComplete"`
}

// BuildStates counts builds by state.
type BuildStates struct {
	Failed     int `json:"failed,omitempty"`
	InProgress int `json:"inProgress,omitempty"`
	Successful int `json:"successful,omitempty"`
	Cancelled  int `json:"cancelled,omitempty"`
	Unknown    int `json:"unknown,omitempty"`
	Other      int `json:"other,omitempty"`
}

// Build is one build. Number, Duration and Tests are there only when Bitbucket
// sent them.
type Build struct {
	Name     string      `json:"name"` // its key where it has no name
	Parent   string      `json:"parent,omitempty"`
	State    string      `json:"state"`
	URL      string      `json:"url,omitempty"` // of the build server
	Number   string      `json:"number,omitempty"`
	Updated  int64       `json:"updated,omitempty"`
	Duration int64       `json:"duration,omitempty"` // milliseconds
	Tests    *BuildTests `json:"tests,omitempty"`
}

// BuildTests are a build's tests.
type BuildTests struct {
	Successful int `json:"successful"`
	Failed     int `json:"failed"`
	Skipped    int `json:"skipped"`
}

// Report is a Code Insights report.
type Report struct {
	Title    string `json:"title"`
	Reporter string `json:"reporter,omitempty"`
	Details  string `json:"details,omitempty"`
	URL      string `json:"url,omitempty"`
}

// Activities is the newest of a pull request's activity.
type Activities struct {
	Items []Activity `json:"items"`
	// More is true when Bitbucket has older activity than Items.
	More bool `json:"more,omitempty"`
	// URL is Bitbucket's page of all of it.
	URL string `json:"url,omitempty"`
}

// Activity is one entry. Action is Bitbucket's word on the wire: OPENED,
// COMMENTED, APPROVED, UNAPPROVED, REVIEWED, RESCOPED, UPDATED, MERGED,
// DECLINED, REOPENED, AUTO_MERGE_REQUESTED, AUTO_MERGE_CANCELLED or one of a
// later Bitbucket.
type Activity struct {
	ID     int    `json:"id"`
	At     int64  `json:"at"`
	Who    Person `json:"who"`
	Action string `json:"action"`
	URL    string `json:"url,omitempty"`

	// COMMENTED
	Comment *Comment `json:"comment,omitempty"`
	Anchor  *Anchor  `json:"anchor,omitempty"`
	// RESCOPED. Both counts are Bitbucket's totals; the lists are cut.
	Added   *Commits `json:"added,omitempty"`
	Removed *Commits `json:"removed,omitempty"`
	// UPDATED
	AddedReviewers   []Person `json:"addedReviewers,omitempty"`
	RemovedReviewers []Person `json:"removedReviewers,omitempty"`
	Draft            *bool    `json:"draft,omitempty"`
	// MERGED
	Commit *Commit `json:"commit,omitempty"`
}

// Comment is a comment and its replies.
type Comment struct {
	ID       int    `json:"id"`
	Author   Person `json:"author"`
	Text     string `json:"text"` // Markdown
	Cut      int    `json:"cut,omitempty"`
	Created  int64  `json:"created"`
	Edited   bool   `json:"edited,omitempty"`
	Task     bool   `json:"task,omitempty"`
	Resolved bool   `json:"resolved,omitempty"` // the task, or the thread
	// Pending is true for a comment of the reader's that is not published yet:
	// nobody else sees it.
	Pending bool      `json:"pending,omitempty"`
	URL     string    `json:"url,omitempty"`
	Replies []Comment `json:"replies,omitempty"`
	// RepliesCut is how many replies were left out.
	RepliesCut int `json:"repliesCut,omitempty"`
}

// Anchor is where a comment was written. Line is 0 for a comment on a file.
type Anchor struct {
	Path     string `json:"path"`
	Line     int    `json:"line,omitempty"`
	Side     string `json:"side,omitempty"` // FROM or TO, with Line
	Outdated bool   `json:"outdated,omitempty"`
	URL      string `json:"url,omitempty"`
}

// Commits is a cut list of commits with Bitbucket's count of all.
type Commits struct {
	Items []Commit `json:"items,omitempty"`
	Count Count    `json:"count"`
}

// Commit is one commit.
type Commit struct {
	ID      string `json:"id"` // full
	Short   string `json:"short"`
	Subject string `json:"subject"`
	Author  Person `json:"author"`
	At      int64  `json:"at"`
	URL     string `json:"url,omitempty"`
}

// PullRequests is what the list draws.
type PullRequests struct {
	// Place is nil for the reader's own pull requests across repositories.
	Place *Place `json:"place,omitempty"`
	URL   string `json:"url"`
	// State is OPEN, MERGED, DECLINED or ALL.
	State string `json:"state"`
	// Role narrows the reader's own: AUTHOR, REVIEWER or PARTICIPANT, or empty.
	Role  string `json:"role,omitempty"`
	Items []Row  `json:"items"`
	Count Count  `json:"count"`
	// Start is how many were left out before the first item.
	Start int `json:"start,omitempty"`
}

// Row is one pull request of a list.
type Row struct {
	Place     Place      `json:"place"`
	ID        int        `json:"id"`
	URL       string     `json:"url"`
	Title     string     `json:"title"`
	State     string     `json:"state"`
	Draft     bool       `json:"draft,omitempty"`
	Author    Person     `json:"author"`
	Source    Ref        `json:"source"`
	Target    Ref        `json:"target"`
	Updated   int64      `json:"updated"`
	Reviewers []Reviewer `json:"reviewers,omitempty"` // in the order of [Reviewers]
	// ReviewerCount counts all reviewers.
	ReviewerCount Count `json:"reviewerCount"`
	// Comments and OpenTasks are Bitbucket's numbers; 0 is not drawn.
	Comments  int `json:"comments,omitempty"`
	OpenTasks int `json:"openTasks,omitempty"`
	// Conflicted is true only when Bitbucket's cached merge result is current.
	Conflicted bool `json:"conflicted,omitempty"`
	// Build is the worst state of the source commit's builds. The endpoint
	// knows no branches, so no number is given.
	Build string `json:"build,omitempty"`
}
