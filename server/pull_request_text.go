package server

import (
	"fmt"
	"strings"

	"github.com/bb-mcp/bb/server/quote"
	"github.com/bb-mcp/bb/server/view"
)

// maxDescription bounds a description in an answer, in UTF-16 units: a reader
// wants to know what it is about, and Bitbucket allows 32,768.
const maxDescription = 12_000

// text is the answer as a report for a model.
func (a PullRequestAnswer) text() string {
	text := a.facts()
	if a.Description != "" {
		text += "\nDescription:\n" + quote.Block(a.Author.DisplayName, a.Description)
		if a.DescriptionCut > 0 {
			text += fmt.Sprintf("\n(%d more characters are left out here; the page in Bitbucket has them.)", a.DescriptionCut)
		}
	}
	return text
}

// facts is the report without the description, which may be cut anywhere.
func (a PullRequestAnswer) facts() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }

	line("Pull request %s/%s #%d, %s: %s", a.Project, a.Repo, a.ID, a.stateWords(), quote.Line(a.Title))
	line("%s", a.URL)
	line("By %s. %s (%s) → %s (%s). Version %d. Created %s, updated %s%s.", a.Author, quote.Name(a.Source.String()), short(a.Source.Commit),
		quote.Name(a.Target.Branch), short(a.Target.Commit), a.Version, a.Created, a.Updated, a.closedWords())

	for _, u := range a.Unavailable {
		line("Could not read %s: %s.", partWords[u.Part], quote.Line(u.Why))
	}
	for _, l := range a.verdict() {
		line("%s", l)
	}
	line("Reviewers: %s", a.reviewWords())
	for _, r := range a.Reviewers {
		line("- %s: %s", r.Person, r.statusWords())
	}
	if a.Builds != nil {
		line("Builds for %s: %s", short(a.Builds.Commit), a.Builds.words())
		for _, x := range a.Builds.Items {
			if x.State == view.BuildSuccessful {
				continue // counted above; structured content has them all
			}
			parent := ""
			if x.Parent != "" {
				parent = ", reports under " + quote.Line(x.Parent)
			}
			line("- %s: %s%s %s", quote.Word(x.State), quote.Line(x.Name), parent, quote.Line(x.URL))
		}
	}
	if a.Tasks != nil {
		line("Tasks: %d open, %d resolved.", a.Tasks.Open, a.Tasks.Resolved)
	}
	if a.Left > 0 {
		line("%s left out here for want of room; get_build_status and list_code_insights have all.", plural(a.Left, "reviewer, build or report is", "reviewers, builds or reports are"))
	}
	for _, r := range a.FailedReports {
		line("Code Insights report failed: %s %s", quote.Line(r.Title), quote.Line(r.Details))
	}
	if a.OwnPending != nil && !a.OwnPending.is(0) {
		line("Unpublished comments of the person bb acts for: %s.", a.OwnPending.words())
	}
	return strings.TrimRight(b.String(), "\n")
}

var partWords = map[string]string{
	view.PartMergeCheck: "Bitbucket's merge check",
	view.PartBuilds:     "the builds",
	view.PartTasks:      "the tasks",
	view.PartReports:    "the Code Insights reports",
	view.PartActivity:   "the activity",
	view.PartCommits:    "the commits",
	view.PartPending:    "the pending comments",
	partRequiredBuilds:  "the repository's required builds",
	partPermission:      "whether the person bb acts for may merge",
	partModel:           "the branching model",
	partDefaultBranch:   "the default branch",
	partAnnotations:     "the annotations",
}

func (a PullRequestAnswer) stateWords() string {
	state := strings.ToLower(a.State)
	if a.Draft && a.State == "OPEN" {
		state += ", a draft"
	}
	return state
}

func (a PullRequestAnswer) closedWords() string {
	if a.Closed == nil {
		return ""
	}
	return ", closed " + a.Closed.String()
}

func (a PullRequestAnswer) reviewWords() string {
	s := a.ReviewSummary
	if s.Reviewers == 0 {
		return "none."
	}
	words := fmt.Sprintf("%d of %d approved", s.Approved, s.Reviewers)
	if s.ChangesRequested > 0 {
		words += fmt.Sprintf(", %d requested changes", s.ChangesRequested)
	}
	return words + "."
}

func (r Reviewer) statusWords() string {
	words := map[string]string{view.StatusApproved: "approved", view.StatusNeedsWork: "changes requested", view.StatusUnapproved: "not reviewed"}[r.Status]
	if words == "" {
		words = strings.ToLower(r.Status)
	}
	if r.CommitsSince != nil && *r.CommitsSince > 0 {
		words += ", " + plural(*r.CommitsSince, "commit ago", "commits ago")
	}
	return words
}

func (b Builds) words() string {
	if b.Count.is(0) {
		return "none."
	}
	var states []string
	for _, s := range []struct {
		n    int
		word string
	}{
		{b.States.Failed, "failed"}, {b.States.InProgress, "in progress"}, {b.States.Other, "in another state"},
		{b.States.Successful, "successful"}, {b.States.Cancelled, "cancelled"}, {b.States.Unknown, "unknown"},
	} {
		if s.n > 0 {
			states = append(states, fmt.Sprintf("%d %s", s.n, s.word))
		}
	}
	words := strings.Join(states, ", ") + "."
	if len(states) > 1 {
		words = b.Count.words() + " in all: " + words
	}
	if b.left > 0 {
		words += fmt.Sprintf(" Listed are those of the %d worst that are not successful; get_build_status lists all.", len(b.Items))
	}
	return words
}

func (c Count) words() string {
	if c.Total != nil {
		return fmt.Sprint(*c.Total)
	}
	if c.KnownSoFar != nil && *c.KnownSoFar > 0 {
		return fmt.Sprintf("more than %d", *c.KnownSoFar)
	}
	return "an unknown number"
}

// String names a person for a report: the name they gave themselves, set off,
// and the login by which tools know them.
func (p Person) String() string {
	if p.Name == "" {
		return quote.Line(p.DisplayName)
	}
	return fmt.Sprintf("%s (%s)", quote.Line(p.DisplayName), quote.Word(p.Name))
}

// String names a branch, with its repository where that is a fork.
func (b Branch) String() string {
	if b.Repo == "" {
		return b.Branch
	}
	return b.Project + "/" + b.Repo + ":" + b.Branch
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// cut shortens text to at most n UTF-16 units, at a line's end where one is
// near, and says how many units it left out.
func cut(text string, n int) (kept string, left int) {
	units, end := 0, -1
	for i, r := range text {
		w := 1
		if r > 0xFFFF {
			w = 2
		}
		if end < 0 && units+w > n {
			end = i
			left = -units
		}
		units += w
	}
	if end < 0 {
		return text, 0
	}
	left += units
	if nl := strings.LastIndexByte(text[:end], '\n'); nl > end-end/8 {
		for _, r := range text[nl:end] {
			left++
			if r > 0xFFFF {
				left++
			}
		}
		end = nl
	}
	return text[:end], left
}
