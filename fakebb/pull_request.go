package fakebb

import "strconv"

// pullRequestJSON is a pull request, in the key order of 9.4
// (bitbucket-rest.md 10.1).
type pullRequestJSON struct {
	ID           int                        `json:"id"`
	Version      int                        `json:"version"`
	Title        string                     `json:"title"`
	Description  string                     `json:"description,omitempty"`
	HTML         string                     `json:"descriptionAsHtml,omitempty"`
	State        string                     `json:"state"`
	Open         bool                       `json:"open"`
	Closed       bool                       `json:"closed"`
	Draft        *bool                      `json:"draft,omitempty"`
	CreatedDate  int64                      `json:"createdDate"`
	UpdatedDate  int64                      `json:"updatedDate"`
	ClosedDate   int64                      `json:"closedDate,omitempty"`
	FromRef      refJSON                    `json:"fromRef"`
	ToRef        refJSON                    `json:"toRef"`
	Locked       bool                       `json:"locked"`
	Author       participantJSON            `json:"author"`
	Reviewers    []participantJSON          `json:"reviewers"`
	Participants []participantJSON          `json:"participants"`
	Properties   *pullRequestPropertiesJSON `json:"properties,omitempty"`
	Links        *linksJSON                 `json:"links,omitempty"`
}

type refJSON struct {
	ID           string         `json:"id"`
	DisplayID    string         `json:"displayId"`
	LatestCommit string         `json:"latestCommit"`
	Type         string         `json:"type,omitempty"`
	Repository   repositoryJSON `json:"repository"`
}

type participantJSON struct {
	User               userJSON `json:"user"`
	LastReviewedCommit string   `json:"lastReviewedCommit,omitempty"`
	Role               string   `json:"role"`
	Approved           bool     `json:"approved"`
	Status             string   `json:"status"`
}

// pullRequestPropertiesJSON is what lists know and the single pull request does
// not. An open one has the cached merge result, a merged one its commit.
type pullRequestPropertiesJSON struct {
	MergeResult       *mergeResultJSON `json:"mergeResult,omitempty"`
	ResolvedTaskCount *int             `json:"resolvedTaskCount,omitempty"`
	CommentCount      int              `json:"commentCount"`
	OpenTaskCount     *int             `json:"openTaskCount,omitempty"`
	MergeCommit       *commitIDJSON    `json:"mergeCommit,omitempty"`
}

type mergeResultJSON struct {
	Outcome string `json:"outcome"`
	Current bool   `json:"current"`
}

func (x *exchange) drawPullRequest(p *pullRequest) pullRequestJSON {
	j := pullRequestJSON{
		ID: p.id, Version: p.version, Title: p.title, Description: p.description,
		State: p.state, Open: p.state == stateOpen, Closed: p.state != stateOpen,
		CreatedDate: p.created, UpdatedDate: p.updated, ClosedDate: p.closed,
		FromRef: x.drawRef(p.source), ToRef: x.drawRef(p.target),
		Author:       x.drawParticipant(p.author),
		Reviewers:    drawAll(p.reviewers, x.drawParticipant),
		Participants: drawAll(p.participants, x.drawParticipant),
		Links:        x.link(x.pageOfRepository(p.repository) + "/pull-requests/" + strconv.Itoa(p.id)),
	}
	if x.markup && p.description != "" {
		j.HTML = x.html(p.description)
	}
	if x.server.release.drafts() {
		j.Draft = &p.draft
	}
	return j
}

// drawListed draws a pull request as lists show it, with its properties.
func (x *exchange) drawListed(p *pullRequest) pullRequestJSON {
	j := x.drawPullRequest(p)
	j.Properties = &pullRequestPropertiesJSON{}
	if p.state == stateOpen {
		if j.Properties.MergeResult = p.mergeResult; p.mergeResult == nil {
			j.Properties.MergeResult = &mergeResultJSON{p.outcome(), true}
		}
	}
	if p.mergeCommit != "" {
		id := drawCommitID(p.mergeCommit)
		j.Properties.MergeCommit = &id
	}
	// Tasks have counters of their own; the other counts every comment that is
	// none, replies included, and nobody's pending ones (belief).
	var resolved, open int
	for _, c := range p.comments() {
		switch {
		case c.pending:
		case !c.task:
			j.Properties.CommentCount++
		case c.resolver != nil:
			resolved++
		default:
			open++
		}
	}
	if x.server.release.taskCounters() {
		j.Properties.ResolvedTaskCount, j.Properties.OpenTaskCount = &resolved, &open
	}
	return j
}

func (x *exchange) drawRef(r *ref) refJSON {
	j := refJSON{
		ID: r.id(), DisplayID: r.branch, LatestCommit: r.tip,
		Repository: x.drawRepository(r.repository),
	}
	if x.server.release.typeInRefs() {
		j.Type = "BRANCH"
	}
	return j
}

func (x *exchange) drawParticipant(p *participant) participantJSON {
	j := participantJSON{User: x.user(p.person), Role: p.role, Approved: p.status == approved, Status: p.status}
	j.LastReviewedCommit = p.reviewed
	return j
}

// pullRequest finds the pull request of the path. An id that is no number is
// no path.
func (x *exchange) pullRequest() (*pullRequest, error) {
	id, err := parseNumber(x.vars["pullRequestId"])
	if err != nil {
		return nil, notFound("a pull request's id is a number")
	}
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	if p := r.pullRequests[id]; p != nil {
		return p, nil
	}
	return nil, noSuchPullRequest(id, r)
}

func getPullRequest(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	return x.drawPullRequest(p), nil
}

func listParticipants(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	return pageOf(w, p.everyone(), everything, x.drawParticipant), nil
}
