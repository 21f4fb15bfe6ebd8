package server

import (
	"fmt"
	"strings"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

// text is the answer as a report for a model.
func (a *BuildStatusAnswer) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	of := fmt.Sprintf("commit %s of %s/%s", short(a.Commit), a.Project, a.Repo)
	if a.ID != 0 {
		of = fmt.Sprintf("pull request %s/%s #%d, commit %s", a.Project, a.Repo, a.ID, short(a.Commit))
	}
	line("Builds of %s: %s", of, Builds{Count: a.Count, States: a.States}.words())
	if a.Listing == listedForCommit {
		why := ""
		if a.unlistable {
			why = "This Bitbucket lacks the listing of the pull request page. "
		}
		line("%sThese are the builds of the commit for any branch and repository; which required key they report under is not told, "+
			"nor whether they count for a pull request.", why)
	}
	if n := len(a.Builds); n > 0 && !a.Count.is(n) {
		line("%s, worst first:", a.Page.of(n, "build", "builds"))
	}
	for _, x := range a.Builds {
		line("- %s", x.words())
	}
	if a.Unlisted > 0 {
		line("Bitbucket lists only the newest %d of a commit; %s.", bitbucket.MaxCommitBuilds, plural(a.Unlisted, "older one is counted and not listed", "older ones are counted and not listed"))
	}
	if a.NextStart > 0 {
		b.WriteString(a.Page.more())
	}
	return strings.TrimRight(b.String(), "\n")
}

func (x CommitBuild) words() string {
	words := stateWords(x.State) + ": "
	if x.Name != "" {
		words += quote.Line(x.Name) + ", "
	}
	words += "key " + quote.Line(x.Key)
	if x.Number != "" {
		words += ", number " + quote.Line(x.Number)
	}
	if x.Parent != "" {
		words += ", reports under " + quote.Line(x.Parent)
	}
	if x.Updated != nil {
		words += ", updated " + x.Updated.String()
	}
	if x.Duration != "" {
		words += ", took " + x.Duration
	}
	if t := x.Tests; t != nil {
		words += fmt.Sprintf(", tests: %d failed, %d successful, %d skipped", t.Failed, t.Successful, t.Skipped)
	}
	if x.Description != "" {
		words += ", says " + quote.Line(x.Description)
	}
	if x.URL != "" {
		words += ", " + quote.Line(x.URL)
	}
	return words
}
