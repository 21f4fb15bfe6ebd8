package server

import (
	"fmt"
	"strings"

	"github.com/bb-mcp/bb/server/quote"
)

// threadBound is how much of an answer one thread may take, in UTF-16 units.
type threadBound struct {
	text int // the text of one comment
	all  int // everything, as it goes out in both forms
}

// bound is what one thread may take: little enough for several, and when
// it is the only one as much as fits.
func (l ThreadListing) bound() threadBound {
	if l.Limit == 1 {
		return threadBound{text: 32_768, all: 90_000} // the longest comment Bitbucket takes
	}
	return threadBound{text: 2_500, all: 24_000}
}

// within gives the thread with as many of its comments, from the first, as
// have room. The first is always there, if need be without its text.
func (t thread) within(r threadBound) Thread {
	kept := t.Thread
	kept.Comments = []ThreadComment{}
	left := r.all
	for i, c := range t.comments {
		bare := c
		bare.Text, bare.TextCut = "", len(c.Text) // its digits are the most there can be
		left -= commentWeight(bare)
		if i > 0 && left < min(textWeight(c.Text), 400) {
			kept.Left = len(t.comments) - i
			break
		}
		c.Text, c.TextCut = cutWithin(c.Text, r.text, max(0, left))
		left -= textWeight(c.Text)
		kept.Comments = append(kept.Comments, c)
	}
	return kept
}

// commentWeight is what a comment takes in an answer, in both forms.
func commentWeight(c ThreadComment) int { return units(c) + units(c.lines()) }

// textWeight is what text by a stranger takes in an answer, in both forms.
func textWeight(text string) int { return units(text) + units(quote.Visible(text)) }

// cutWithin is [cut], to n units of which the answer has room for weight.
func cutWithin(text string, n, weight int) (kept string, left int) {
	kept, left = cut(text, n)
	for kept != "" && textWeight(kept) > weight {
		// Escapes are not spread evenly: an estimate, a little below, until it
		// fits.
		n = min(n, len(kept)) * weight / textWeight(kept) * 9 / 10
		kept, left = cut(text, n)
	}
	return kept, left
}

// text is the answer as a report for a model.
func (a *ThreadsAnswer) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s of %s%s%s", a.countWords(), a.of.Target, a.of.words(), inOrder(len(a.Threads), "by file and line, then general ones, oldest first"))
	if a.OwnPending != nil && *a.OwnPending > 0 {
		line("The person bb acts for has %s here, which only they see and no count has.", plural(*a.OwnPending, "unpublished comment", "unpublished comments"))
	}
	if a.OlderMissing {
		if a.of.Path != "" {
			line("Only the newest %d activities were read; those on older commits' own diffs may be missing.", activitiesRead)
		} else {
			line("Only the newest %d activities were read; older threads are missing. With path those of one file are all read.", activitiesRead)
		}
	}
	for _, u := range a.Unavailable {
		line("Could not read %s: %s.", partWords[u.Part], quote.Line(u.Why))
	}
	for i, t := range a.Threads {
		line("")
		line("%d. %s: %s", a.start+i+1, t.place(), t.stateWords())
		if t.Code != "" {
			line("Code: %s", quote.Line(t.Code))
		}
		for _, c := range t.Comments {
			line("%s", c.lines())
			if c.TextCut > 0 {
				line("(%d more characters; %s)", c.TextCut, a.rest(i))
			}
		}
		if t.Left > 0 {
			line("(%s more; %s)", plural(t.Left, "comment", "comments"), a.rest(i))
		}
	}
	b.WriteString(a.more())
	return strings.TrimRight(b.String(), "\n")
}

// rest says what brings more of the thread at place i.
func (a *ThreadsAnswer) rest(i int) string {
	if a.of.Limit == 1 {
		return "the pull request's page in Bitbucket has them"
	}
	return fmt.Sprintf("limit 1 with start %d brings more", a.start+i)
}

// countWords says how many published threads there are.
func (a *ThreadsAnswer) countWords() string {
	state := ""
	if a.State != "ALL" && !a.of.Tasks {
		state = strings.ToLower(a.State) + " "
	}
	one, many := state+"comment thread", state+"comment threads"
	published := 0
	for _, t := range a.Threads {
		if !t.pending {
			published++
		}
	}
	switch {
	case a.Count.is(0):
		return "No " + many
	case a.Count.Total == nil:
		return fmt.Sprintf("%d of the %s that were read", published, plural(*a.Count.KnownSoFar, one, many))
	}
	return a.Page.of(published, one, many)
}

// words say what the list is narrowed to.
func (l ThreadListing) words() string {
	var w string
	if l.Tasks {
		state := strings.ToLower(l.State) + " "
		if l.State == "ALL" {
			state = ""
		}
		w += ", with " + state + "tasks"
	}
	if l.Path != "" {
		w += ", on " + quote.Name(l.Path)
	}
	if l.Author != "" {
		w += ", begun by " + quote.Line(l.Author)
	}
	return w
}

// place says where a thread is.
func (t Thread) place() string {
	switch {
	case t.unsure:
		return "On the pull request as a whole, or a reply"
	case t.Path == "":
		return "On the pull request as a whole"
	}
	w := quote.Name(t.Path)
	switch {
	case t.Line == 0:
		w += ", the file"
	case t.FirstLine > 0:
		w += fmt.Sprintf(" lines %d to %d", t.FirstLine, t.Line)
	default:
		w += fmt.Sprintf(" line %d", t.Line)
	}
	if t.Line > 0 {
		side := map[string]string{"FROM": "old file", "TO": "new file"}[t.Side]
		w += fmt.Sprintf(" (%s)", strings.TrimPrefix(side+", "+strings.ToLower(quote.Word(t.LineType)), ", "))
	}
	if t.SourcePath != "" {
		w += ", before " + quote.Name(t.SourcePath)
	}
	if t.Commit != "" {
		w += ", in the diff of commit " + quote.Word(t.Commit)
	}
	if t.Outdated {
		w += ", outdated: the line is no longer in the diff"
	}
	return w
}

func (t Thread) stateWords() string {
	switch {
	case t.pending:
		return "not published, only the person bb acts for sees it"
	case t.Resolved && t.By != "":
		return "resolved by " + quote.Word(t.By)
	case t.Resolved:
		return "resolved"
	}
	return "open"
}

// lines are a comment with who wrote it, fenced.
func (c ThreadComment) lines() string {
	notes := fmt.Sprintf("Comment %d, version %d, %s", c.ID, c.Version, c.Created)
	if c.Parent > 0 {
		notes += fmt.Sprintf(", reply to %d", c.Parent)
	}
	switch {
	case c.Task == "RESOLVED" && c.resolver != nil:
		notes += ", a task resolved by " + c.resolver.String()
	case c.Task != "":
		notes += ", " + strings.ToLower(c.Task) + " task"
	}
	if c.Pending {
		notes += ", not published"
	}
	if c.Reacted > 0 {
		notes += ", " + plural(c.Reacted, "reaction", "reactions")
	}
	return fmt.Sprintf("%s, by %s:\n%s", notes, c.author, quote.Block(c.author.DisplayName, c.Text))
}
