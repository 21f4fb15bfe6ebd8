package server

import (
	"fmt"
	"strings"

	"github.com/bb-mcp/bb/server/quote"
)

// text is the answer as a report for a model.
func (a *ActivityAnswer) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	pending := a.pending()
	line("%s of %s%s", a.Page.of(len(a.Activities)-pending, "activity", "activities"), a.of, inOrder(len(a.Activities), "newest first"))
	if pending > 0 {
		line("Not counted: %s of the person bb acts for, which only they see.", plural(pending, "unpublished comment", "unpublished comments"))
	}
	for _, e := range a.Activities {
		line("- %s %s %s", e.At, e.by, e.words())
		for _, c := range e.Commits {
			line("  %s %s", short(c.ID), quote.Line(c.Message))
		}
		if more := e.Added - len(e.Commits); more > 0 && len(e.Commits) > 0 {
			line("  and %d more; list_pull_request_commits has them", more)
		}
	}
	b.WriteString(a.more())
	return strings.TrimRight(b.String(), "\n")
}

// words say what was done, as Bitbucket's page does (bitbucket-ui-wording.md
// 2). An action of a plugin or a later release is named as it was sent.
func (e ActivityEntry) words() string {
	switch e.Action {
	case "OPENED":
		return "opened the pull request"
	case "DECLINED":
		return "declined the pull request"
	case "REOPENED":
		return "reopened the pull request"
	case "DELETED":
		return "deleted the pull request"
	case "APPROVED":
		return "approved the pull request"
	case "UNAPPROVED":
		return "unapproved the pull request"
	case "REVIEWED":
		return "requested changes"
	case "COMMENTED":
		return e.commentWords()
	case "RESCOPED":
		return e.rescopeWords()
	case "UPDATED":
		return e.updateWords()
	case "MERGED":
		w := "merged the pull request"
		if e.Commit != "" {
			w += " in commit " + short(quote.Word(e.Commit))
		}
		if e.AutoMerge {
			w += " by auto-merge"
		}
		return w
	case "AUTO_MERGE_REQUESTED":
		return "requested auto-merge"
	case "AUTO_MERGE_CANCELLED":
		if e.Reason != "" {
			return "had auto-merge cancelled: " + quote.Line(e.Reason)
		}
		return "had auto-merge cancelled"
	case "REVIEW_COMMENTED":
		return "commented in a review that is not finished" + e.quoted()
	case "REVIEW_FINISHED":
		return "finished a review" + e.quoted()
	case "REVIEW_DISCARDED":
		return "discarded a review"
	}
	return quote.Word(e.Action) + e.quoted()
}

func (e ActivityEntry) commentWords() string {
	verb := map[string]string{"UPDATED": "edited a comment", "DELETED": "deleted a comment", "REPLIED": "replied"}[e.CommentAction]
	switch {
	case verb != "":
	case e.Task:
		verb = "added a task"
	default:
		verb = "commented"
	}
	if e.Path != "" {
		verb += " on " + quote.Name(e.Path)
		if e.Line > 0 {
			verb += fmt.Sprintf(" line %d", e.Line)
		}
		if e.Side == "FROM" {
			verb += " of the old file"
		}
	}
	var notes []string
	if e.Comment > 0 {
		notes = append(notes, fmt.Sprintf("comment %d", e.Comment))
	}
	if e.Pending {
		notes = append(notes, "not published")
	}
	if e.Outdated {
		notes = append(notes, "outdated")
	}
	if e.Resolved {
		notes = append(notes, "resolved")
	}
	if e.Replies > 0 {
		notes = append(notes, plural(e.Replies, "reply", "replies"))
	}
	if len(notes) > 0 {
		verb += " (" + strings.Join(notes, ", ") + ")"
	}
	return verb + e.quoted()
}

// quoted is what was written, or "".
func (e ActivityEntry) quoted() string {
	switch {
	case e.Text == "":
		return ""
	case e.TextCut > 0:
		return fmt.Sprintf(": %s (%d more characters)", quote.Line(e.Text), e.TextCut)
	}
	return ": " + quote.Line(e.Text)
}

func (e ActivityEntry) rescopeWords() string {
	added, removed := plural(e.Added, "commit", "commits"), plural(e.Removed, "commit", "commits")
	tip := ""
	if e.Commit != "" {
		tip = ", to " + short(quote.Word(e.Commit))
	}
	switch {
	case e.Added > 0 && e.Removed > 0:
		return "added " + added + " and removed " + removed + tip
	case e.Added > 0:
		return "added " + added + tip
	case e.Removed > 0:
		return "removed " + removed + tip
	case e.targetMoved:
		return "changed the destination branch, or it moved"
	}
	return "updated the pull request's commits" + tip
}

func (e ActivityEntry) updateWords() string {
	var did []string
	if len(e.newReviewers) > 0 {
		did = append(did, "added "+asReviewers(e.newReviewers))
	}
	if len(e.dropped) > 0 {
		did = append(did, "removed "+asReviewers(e.dropped))
	}
	if e.Draft != nil && *e.Draft {
		did = append(did, "converted the pull request to a draft")
	} else if e.Draft != nil {
		did = append(did, "marked the pull request as ready for review")
	}
	if len(did) == 0 {
		return "edited the title or description" // Bitbucket says no more
	}
	return strings.Join(did, ", ")
}

func asReviewers(list []Person) string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.String()
	}
	if len(list) == 1 {
		return names[0] + " as a reviewer"
	}
	return strings.Join(names, ", ") + " as reviewers"
}
