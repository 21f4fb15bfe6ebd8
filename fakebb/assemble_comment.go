package fakebb

import (
	"cmp"
	"strings"
)

// addComment adds a comment with its replies and finds the line it is on.
func (b *builder) addComment(at place, p *pullRequest, a *activity, ids *idBlock, d activityDecl, tips tips) error {
	root, err := b.comment(at, p.repository, p, ids, d.commentDecl)
	if err != nil {
		return err
	}
	a.comment = root
	if d.On != nil {
		root.anchor, err = b.anchor(at, p, tips, *d.On, d.By.line)
	}
	return err
}

// addCommitComments adds the comments on commits of every repository.
func (b *builder) addCommitComments() error {
	at := b.declared.projectsAt
	for i, d := range b.declared.projects {
		for j, d := range d.Repositories {
			r := b.projects[i].repositories[j]
			ids := &idBlock{base: r.id * idsPerPullRequest}
			for _, d := range d.CommitComments {
				commit, err := b.commit(at, r, d.Commit)
				if err != nil {
					return err
				}
				if _, err := ids.activity(at, d.By.line); err != nil {
					return err
				}
				c, err := b.comment(at, r, nil, ids, d.commentDecl)
				if err != nil {
					return err
				}
				if d.On != nil {
					s := spot{comparison: ofCommit(r, r.commit(commit)), diffType: diffCommit, line: d.On.Line, first: d.On.From}
					if c.anchor, err = anchorOn(at, s, *d.On, d.By.line); err != nil {
						return err
					}
				}
				r.comments[commit] = append(r.comments[commit], c)
			}
		}
	}
	return nil
}

func (b *builder) comment(at place, r *repository, p *pullRequest, ids *idBlock, d commentDecl) (*comment, error) {
	if d.Text.value == "" {
		return nil, at.errorf(max(d.By.line, d.Text.line), "a comment needs a text")
	}
	who, err := b.person(at, d.By)
	if err != nil {
		return nil, err
	}
	id, err := ids.comment(at, d.By.line)
	if err != nil {
		return nil, err
	}
	c := &comment{
		id:          id,
		repository:  r,
		pullRequest: p,
		author:      who,
		text:        strings.TrimRight(d.Text.value, "\n"),
		created:     d.At.millis(),
		updated:     cmp.Or(d.Edited.millis(), d.At.millis()),
		task:        d.Task,
		pending:     d.Pending,
	}
	if c.created == 0 {
		return nil, at.errorf(d.By.line, "a comment needs at")
	}
	if d.At.time.After(b.start) {
		return nil, at.errorf(d.At.line, "is later than the clock's start")
	}
	if d.Edited.millis() != 0 {
		c.version++
	}
	if d.Resolved != nil {
		c.version++
		c.resolvedAt = d.Resolved.At.millis()
		if c.resolver, err = b.person(at, d.Resolved.By); err != nil {
			return nil, err
		}
	}
	for _, d := range d.Reactions {
		left := reaction{shortcut: d.Emoticon.value}
		for _, w := range d.By {
			who, err := b.person(at, w)
			if err != nil {
				return nil, err
			}
			left.by = append(left.by, who)
		}
		c.reactions = append(c.reactions, left)
	}
	for _, d := range d.Replies {
		reply, err := b.comment(at, r, p, ids, d)
		if err != nil {
			return nil, err
		}
		c.replies = append(c.replies, reply)
	}
	return c, nil
}

// idBlock hands out the ids of one pull request: a number to each activity, and
// the ones after it to its comment and the replies, so that neither a new
// activity nor a new reply moves the others.
type idBlock struct{ base, activities, comments int }

func (b *idBlock) activity(at place, line int) (int, error) {
	b.activities, b.comments = b.activities+1, 0
	if b.activities >= idsPerPullRequest/idsPerActivity {
		return 0, at.errorf(line, "a pull request can have %d activities", idsPerPullRequest/idsPerActivity-1)
	}
	return b.base + b.activities*idsPerActivity, nil
}

func (b *idBlock) comment(at place, line int) (int, error) {
	b.comments++
	if b.comments >= idsPerActivity {
		return 0, at.errorf(line, "a thread can have %d comments", idsPerActivity-1)
	}
	return b.base + b.activities*idsPerActivity + b.comments, nil
}
