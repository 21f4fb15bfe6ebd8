package fakebb

import (
	"slices"
	"strings"
)

// comment is a comment or, with task, a task; the replies are its thread.
type comment struct {
	id, version int
	pullRequest *pullRequest
	author      *person
	text        string
	created     int64
	updated     int64
	task        bool
	pending     bool // of an unfinished review: only its author sees it
	resolver    *person
	resolvedAt  int64
	anchor      *anchor // of a root on a line or a file
	replies     []*comment
}

// commentJSON is a comment, in the key order of 9.x (bitbucket-rest.md 12).
type commentJSON struct {
	Properties          commentPropertiesJSON   `json:"properties"`
	ID                  int                     `json:"id"`
	Version             int                     `json:"version"`
	Text                string                  `json:"text"`
	Author              userJSON                `json:"author"`
	CreatedDate         int64                   `json:"createdDate"`
	UpdatedDate         int64                   `json:"updatedDate"`
	Comments            []commentJSON           `json:"comments"`
	Anchor              *anchorJSON             `json:"anchor,omitempty"`
	ThreadResolved      bool                    `json:"threadResolved"`
	ThreadResolvedDate  int64                   `json:"threadResolvedDate,omitempty"`
	ThreadResolver      *userJSON               `json:"threadResolver,omitempty"`
	Severity            string                  `json:"severity"`
	State               string                  `json:"state"`
	ResolvedDate        int64                   `json:"resolvedDate,omitempty"`
	Resolver            *userJSON               `json:"resolver,omitempty"`
	PermittedOperations permittedOperationsJSON `json:"permittedOperations"`
}

type commentPropertiesJSON struct {
	RepositoryID int `json:"repositoryId"`
}

type permittedOperationsJSON struct {
	Editable       bool `json:"editable"`
	Transitionable bool `json:"transitionable"`
	Deletable      bool `json:"deletable"`
}

// The states of comments on the wire.
const (
	commentOpen     = "OPEN"
	commentResolved = "RESOLVED"
	commentPending  = "PENDING"
)

func (c *comment) state() string {
	switch {
	case c.pending:
		return commentPending
	case c.task && c.resolver != nil:
		return commentResolved
	}
	return commentOpen
}

// visibleTo says whether that person sees the comment.
func (c *comment) visibleTo(who *person) bool { return !c.pending || c.author == who }

// drawComment draws a comment with the replies the caller may see, and what
// the caller may do with it: its author may edit, the author of the pull
// request and an administrator may resolve too, and a comment with replies is
// deleted by nobody.
func (x *exchange) drawComment(c *comment) commentJSON {
	mine := c.author == x.caller
	admin := c.pullRequest.repository.project.administeredBy(x.caller)
	j := commentJSON{
		Properties: commentPropertiesJSON{c.pullRequest.repository.id},
		ID:         c.id, Version: c.version, Text: c.text, Author: x.user(c.author),
		CreatedDate: c.created, UpdatedDate: c.updated,
		Comments: []commentJSON{},
		Severity: "NORMAL", State: c.state(),
		PermittedOperations: permittedOperationsJSON{
			Editable:       mine,
			Transitionable: mine || admin || c.pullRequest.author.person == x.caller,
			Deletable:      (mine || admin) && len(c.replies) == 0,
		},
	}
	for _, reply := range c.replies {
		if reply.visibleTo(x.caller) {
			j.Comments = append(j.Comments, x.drawComment(reply))
		}
	}
	if c.task {
		j.Severity = "BLOCKER"
	}
	if c.resolver != nil {
		resolver := x.user(c.resolver)
		if c.task {
			j.ResolvedDate, j.Resolver = c.resolvedAt, &resolver
		} else {
			j.ThreadResolved, j.ThreadResolvedDate, j.ThreadResolver = true, c.resolvedAt, &resolver
		}
	}
	return j
}

// drawAnchored draws a comment outside the activity, where its place is part of
// it.
func (x *exchange) drawAnchored(c *comment) commentJSON {
	j := x.drawComment(c)
	if c.anchor != nil {
		j.Anchor = drawAnchor(c.pullRequest.spot(c.anchor))
	}
	return j
}

// comments are all comments of the pull request, replies included, oldest
// first.
func (p *pullRequest) comments() []*comment {
	var all []*comment
	var add func(c *comment)
	add = func(c *comment) {
		all = append(all, c)
		for _, reply := range c.replies {
			add(reply)
		}
	}
	for _, root := range slices.Backward(p.roots()) {
		add(root)
	}
	return all
}

// visibleComments are those of a pull request that the caller sees and which
// picks.
func (x *exchange) visibleComments(p *pullRequest, which func(*comment) bool) []*comment {
	var found []*comment
	for _, c := range p.comments() {
		if c.visibleTo(x.caller) && which(c) {
			found = append(found, c)
		}
	}
	return found
}

// listBlockerComments answers the tasks of a pull request, or how many there
// are of each state.
func listBlockerComments(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	var states []string
	for _, s := range append(x.query["state"], x.query["states"]...) {
		s = strings.ToUpper(s)
		if s != commentOpen && s != commentResolved && s != commentPending {
			return nil, invalidArgument("state: '" + s + "' is not one of OPEN, RESOLVED, PENDING")
		}
		states = append(states, s)
	}
	tasks := x.visibleComments(p, func(c *comment) bool {
		return c.task && (states == nil || slices.Contains(states, c.state()))
	})
	if x.query.Get("count") != "true" {
		return pageOf(w, tasks, everything, x.drawAnchored), nil
	}
	// A state without tasks is left out; without any, {} (bitbucket-rest.md 10.11).
	counts := object{}
	for _, state := range []string{commentOpen, commentResolved, commentPending} {
		n := 0
		for _, c := range tasks {
			if c.state() == state {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, member{state, n})
		}
	}
	return counts, nil
}

// listPendingComments answers the caller's own comments that nobody else sees
// yet.
func listPendingComments(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	pending := x.visibleComments(p, func(c *comment) bool { return c.pending })
	return pageOf(w, pending, everything, x.drawAnchored), nil
}
