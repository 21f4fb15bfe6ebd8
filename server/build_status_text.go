package server

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
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
	line("Builds of %s: %s", of, a.counts())
	if a.Listing == listedForCommit {
		why := ""
		if a.unlistable {
			why = "This Bitbucket lacks the listing of the pull request page. "
		}
		line("%sThese are the builds of the commit for any branch and repository; which required key they report under is not told, "+
			"nor whether they count for a pull request.", why)
	}
	if n := len(a.Builds); !a.Count.is(n) && (n > 0 || a.start > 0) {
		line("%s%s", a.Page.of(n, "build", "builds"), inOrder(n, "worst first"))
	}
	for _, x := range a.Builds {
		line("- %s", x.words())
	}
	if a.Unlisted > 0 {
		line("Bitbucket lists only the newest %d of a commit; %s.", bitbucket.MaxCommitBuilds, plural(a.Unlisted, "older one is counted and not listed", "older ones are counted and not listed"))
	}
	switch {
	case a.NextStart > 0:
		b.WriteString(a.Page.more())
	case a.LimitReached && a.Unlisted == 0:
		line("There may be more than Bitbucket lists.")
	}
	return strings.TrimRight(b.String(), "\n")
}

// counts says how many there are, in all and by state, the worst first.
func (a *BuildStatusAnswer) counts() string {
	if a.Count.is(0) {
		return "none."
	}
	states := slices.SortedFunc(maps.Keys(a.States), func(x, y string) int {
		return cmp.Or(cmp.Compare(severity(x), severity(y)), strings.Compare(x, y))
	})
	for i, state := range states {
		states[i] = fmt.Sprintf("%d %s", a.States[state], stateWords(state))
	}
	words := strings.Join(states, ", ") + "."
	if len(states) == 1 && a.Count.Total != nil {
		return words
	}
	return a.Count.words() + " in all: " + words
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
	if x.Tests != "" {
		words += ", tests: " + x.Tests
	}
	if x.Description != "" {
		words += ", says " + quote.Line(x.Description)
	}
	if x.URL != "" {
		words += ", " + quote.Line(x.URL)
	}
	return words
}
