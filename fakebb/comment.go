package fakebb

import (
	"slices"
)

// comment is a comment or, with task, a task; the replies are its thread.
type comment struct {
	id, version int
	repository  *repository
	pullRequest *pullRequest // nil for a comment on a commit
	author      *person
	text        string
	created     int64
	updated     int64
	task        bool
	pending     bool // of an unfinished review: only its author sees it
	resolver    *person
	resolvedAt  int64
	reactions   []reaction
	anchor      *anchor // of a root on a line or a file
	replies     []*comment
}

// reaction is a smiley with the people who left it under a comment.
type reaction struct {
	shortcut string
	by       []*person
}

// spot is where the comment is today; it must have an anchor. What was said of
// a commit stays where it was said.
func (c *comment) spot() spot {
	if c.pullRequest == nil {
		return c.anchor.spot
	}
	return c.pullRequest.spot(c.anchor)
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
	Tasks               *[]string               `json:"tasks,omitempty"` // up to 7, where they are comments already
	ThreadResolved      *bool                   `json:"threadResolved,omitempty"`
	ThreadResolvedDate  int64                   `json:"threadResolvedDate,omitempty"`
	ThreadResolver      *userJSON               `json:"threadResolver,omitempty"`
	Severity            string                  `json:"severity"`
	State               string                  `json:"state"`
	ResolvedDate        int64                   `json:"resolvedDate,omitempty"`
	Resolver            *userJSON               `json:"resolver,omitempty"`
	PermittedOperations permittedOperationsJSON `json:"permittedOperations"`
	HTML                string                  `json:"html,omitempty"`
}

type commentPropertiesJSON struct {
	RepositoryID int            `json:"repositoryId"`
	LikedBy      *likedByJSON   `json:"likedBy,omitempty"`
	Reactions    []reactionJSON `json:"reactions,omitempty"`
}

type likedByJSON struct {
	Total  int        `json:"total"`
	Likers []userJSON `json:"likers"`
}

type reactionJSON struct {
	Emoticon emoticonJSON `json:"emoticon"`
	Users    []userJSON   `json:"users"`
}

type emoticonJSON struct {
	Shortcut string `json:"shortcut"`
	URL      string `json:"url,omitempty"`
	Value    string `json:"value,omitempty"`
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
	admin := c.repository.project.administeredBy(x.caller)
	asked := c.pullRequest != nil && c.pullRequest.author.person == x.caller
	j := commentJSON{
		Properties: x.drawCommentProperties(c),
		ID:         c.id, Version: c.version, Text: c.text, Author: x.user(c.author),
		CreatedDate: c.created, UpdatedDate: c.updated,
		Comments: []commentJSON{},
		Severity: "NORMAL", State: c.state(),
		PermittedOperations: permittedOperationsJSON{
			Editable:       mine,
			Transitionable: mine || admin || asked,
			Deletable:      (mine || admin) && len(c.replies) == 0,
		},
	}
	if x.markup {
		j.HTML = x.html(c.text)
	}
	for _, reply := range c.replies {
		if reply.visibleTo(x.caller) {
			j.Comments = append(j.Comments, x.drawComment(reply))
		}
	}
	if x.server.release.tasksInComments() {
		j.Tasks = &[]string{}
	}
	if c.task {
		j.Severity = "BLOCKER"
	}
	threads := x.server.release.threadsResolve()
	resolved := c.resolver != nil && !c.task
	if threads {
		j.ThreadResolved = &resolved
	}
	if c.resolver != nil {
		resolver := x.user(c.resolver)
		switch {
		case c.task:
			j.ResolvedDate, j.Resolver = c.resolvedAt, &resolver
		case threads:
			j.ThreadResolvedDate, j.ThreadResolver = c.resolvedAt, &resolver
		}
	}
	return j
}

// like is the smiley that older releases call a like.
const like = "thumbsup"

// drawCommentProperties draws whose comment it is and who left what under it.
// The address of a smiley's picture is belief.
func (x *exchange) drawCommentProperties(c *comment) commentPropertiesJSON {
	j := commentPropertiesJSON{RepositoryID: c.repository.id}
	for _, r := range c.reactions {
		users := drawAll(r.by, x.user)
		if r.shortcut == like {
			j.LikedBy = &likedByJSON{len(users), users}
		}
		j.Reactions = append(j.Reactions, reactionJSON{
			emoticonJSON{Shortcut: r.shortcut, URL: x.server.base.String() + "/s/emoticons/" + r.shortcut + ".svg"}, users,
		})
	}
	return j
}

// drawAnchored draws a comment outside the activity, where its place is part of
// it.
func (x *exchange) drawAnchored(c *comment) commentJSON {
	j := x.drawComment(c)
	if c.anchor != nil {
		j.Anchor = drawAnchor(c.spot())
	}
	return j
}

// thread is the comment and all replies below it, oldest first on each level.
func (c *comment) thread() []*comment {
	all := []*comment{c}
	for _, reply := range c.replies {
		all = append(all, reply.thread()...)
	}
	return all
}

// comments are all comments of the pull request, replies included, oldest
// first.
func (p *pullRequest) comments() []*comment {
	var all []*comment
	for _, root := range slices.Backward(p.roots()) {
		all = append(all, root.thread()...)
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
	states, err := x.choices([]string{"state", "states"}, commentOpen, commentResolved, commentPending)
	if err != nil {
		return nil, err
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
