package server

import (
	"cmp"
	"slices"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// conversation gathers the comments of a pull request from listings that
// repeat them, each once (COMMENTS-03): the activity has one entry for a
// thread, and on some releases further ones for each reply, edit and deletion.
type conversation struct {
	known map[int]*said
	// order is that of first sight.
	order []*said
	gone  map[int]bool
}

// said is one comment, without the replies under it.
type said struct {
	bitbucket.Comment
	parent int // 0 for one that began a thread
	anchor *bitbucket.Anchor
	code   string
	// alone: only the listing of unpublished comments has it, which does not
	// tell a reply from a comment on the pull request as a whole.
	alone bool
}

func newConversation() *conversation {
	return &conversation{known: map[int]*said{}, gone: map[int]bool{}}
}

// addActivity takes in the comments of an activity, if it has any.
func (k *conversation) addActivity(x bitbucket.Activity) {
	if x.Comment == nil {
		return
	}
	if x.CommentAction == "DELETED" {
		k.gone[x.Comment.ID] = true
	}
	root := k.addComment(*x.Comment, 0, x.CommentAnchor)
	if root.code == "" {
		root.code = commentedLine(x.Diff, x.CommentAnchor, root.ID)
	}
}

// addComment takes in a comment and the replies under it. Of two states of a
// comment the one of the higher version is kept.
func (k *conversation) addComment(c bitbucket.Comment, parent int, anchor *bitbucket.Anchor) *said {
	if parent == 0 && c.Parent != nil {
		parent = c.Parent.ID
	}
	x := k.known[c.ID]
	switch {
	case x == nil:
		x = &said{Comment: c, parent: parent}
		k.known[c.ID] = x
		k.order = append(k.order, x)
	case c.Version > x.Version:
		x.Comment = c
	}
	if x.parent == 0 {
		x.parent = parent
	}
	if x.anchor == nil {
		x.anchor = cmp.Or(anchor, c.Anchor)
	}
	for _, reply := range c.Comments {
		k.addComment(reply, c.ID, nil)
	}
	return x
}

// addPending takes in a comment of the listing of unpublished ones.
func (k *conversation) addPending(c bitbucket.Comment) {
	_, known := k.known[c.ID]
	x := k.addComment(c, 0, c.Anchor)
	x.alone = !known && x.parent == 0 && x.anchor == nil
}

// pending is how many unpublished comments there are.
func (k *conversation) pending() int {
	n := 0
	for _, x := range k.order {
		if x.State == "PENDING" && !k.gone[x.ID] {
			n++
		}
	}
	return n
}

// thread is a [Thread] with all of its comments.
type thread struct {
	Thread
	comments []ThreadComment
}

// threads puts the comments together: each thread's replies under what they
// answer, oldest first. A reply to something that was not read begins a thread
// rather than being lost.
func (k *conversation) threads() []thread {
	replies := map[int][]*said{}
	var roots []*said
	for _, x := range k.order {
		switch parent := k.known[x.parent]; {
		case k.gone[x.ID]:
		case parent == nil || k.gone[parent.ID] || k.circular(x):
			roots = append(roots, x)
		default:
			replies[x.parent] = append(replies[x.parent], x)
		}
	}
	var all []thread
	for _, root := range roots {
		t := root.thread()
		var add func(x *said)
		add = func(x *said) {
			t.comments = append(t.comments, x.comment())
			under := replies[x.ID]
			slices.SortStableFunc(under, func(a, b *said) int {
				return cmp.Or(cmp.Compare(a.CreatedDate, b.CreatedDate), cmp.Compare(a.ID, b.ID))
			})
			for _, reply := range under {
				add(reply)
			}
		}
		add(root)
		all = append(all, t)
	}
	return all
}

// circular says whether x is its own ancestor, which no server should send.
func (k *conversation) circular(x *said) bool {
	for at, steps := k.known[x.parent], 0; at != nil; at, steps = k.known[at.parent], steps+1 {
		if at == x || steps > len(k.order) {
			return true
		}
	}
	return false
}

// thread is the thread that x begins, without its comments.
func (x *said) thread() thread {
	t := thread{Thread: Thread{
		Resolved: x.ThreadResolved || x.State == "RESOLVED", pending: x.State == "PENDING", unsure: x.alone, begun: x.CreatedDate, Code: x.code,
	}}
	for _, by := range []*bitbucket.User{x.ThreadResolver, x.Resolver} {
		if t.Resolved && by != nil {
			t.By = by.Name
		}
	}
	if n := x.anchor; n != nil {
		t.Path, t.Line, t.Side, t.LineType, t.Outdated = n.Path, n.Line, n.FileType, n.LineType, n.Orphaned
		if n.SrcPath != n.Path {
			t.SourcePath = n.SrcPath
		}
		if n.MultilineMarker != nil && n.MultilineMarker.StartLine != n.Line {
			t.FirstLine = n.MultilineMarker.StartLine
		}
		if n.DiffType != "" && n.DiffType != "EFFECTIVE" {
			t.Commit = n.ToHash
		}
	}
	return t
}

// comment is x as an answer has it.
func (x *said) comment() ThreadComment {
	c := ThreadComment{
		ID: x.ID, Version: x.Version, Parent: x.parent, Author: x.Author.Name, Created: Time(x.CreatedDate), Text: x.Text,
		Pending: x.State == "PENDING", author: person(x.Author),
	}
	if x.Severity == "BLOCKER" {
		c.Task = "OPEN"
		if x.State == "RESOLVED" {
			c.Task = "RESOLVED"
		}
	}
	if x.Resolver != nil {
		c.resolver = new(person(*x.Resolver))
	}
	for _, r := range x.Properties.Reactions {
		c.Reacted += len(r.Users)
	}
	return c
}

// maxCode bounds a commented line in an answer, in UTF-16 units.
const maxCode = 200

// commentedLine is the text of the line a comment is on: the one whose
// commentIds name it, or else the one with its number, as long as the diff is
// the one the number counts in.
func commentedLine(d *bitbucket.CommentDiff, at *bitbucket.Anchor, id int) string {
	if d == nil || at == nil || at.Line == 0 {
		return ""
	}
	counted := ""
	for _, hunk := range d.Hunks {
		for _, segment := range hunk.Segments {
			for _, line := range segment.Lines {
				if slices.Contains(line.CommentIDs, id) {
					return shortened(line.Line, maxCode)
				}
				number, other := line.Destination, "REMOVED"
				if at.FileType == "FROM" {
					number, other = line.Source, "ADDED"
				}
				if number == at.Line && segment.Type != other {
					counted = line.Line
				}
			}
		}
	}
	if d.Properties.ToHash != at.ToHash {
		return ""
	}
	return shortened(counted, maxCode)
}

// shortened is text cut to n UTF-16 units, with a mark where something is
// missing.
func shortened(text string, n int) string {
	kept, left := cut(text, n)
	if left > 0 {
		kept += "…"
	}
	return kept
}
