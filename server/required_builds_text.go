package server

import (
	"fmt"
	"strings"

	"github.com/bb-mcp/bb/server/quote"
	"github.com/bb-mcp/bb/server/requiredbuilds"
	"github.com/bb-mcp/bb/server/view"
)

// text is the answer as a report for a model.
func (a *RequiredBuildsAnswer) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if p := a.PullRequest; p != nil {
		line("Required builds for pull request %s/%s #%d, %s, %s → %s, commit %s: %s", a.Project, a.Repo, p.id, strings.ToLower(p.State),
			quote.Name(p.Source), quote.Name(p.Target), short(p.Commit), p.conclusion())
		for _, k := range p.Keys {
			perhaps := ""
			if k.Perhaps {
				perhaps = " (whether it is required cannot be told)"
			}
			line("- %s: %s%s", quote.Line(k.Key), keyWords(k.State), perhaps)
		}
		if p.MoreKeys > 0 {
			line("%s left out here.", plural(p.MoreKeys, "more key is", "more keys are"))
		}
		line("This is bb's reading of the conditions, to which letter case does not matter; what Bitbucket itself decides is the merge check of get_pull_request.")
	}
	if a.Count.is(0) {
		line("%s/%s requires no builds.", a.Project, a.Repo)
	} else {
		line("%s of %s/%s%s", a.Page.of(len(a.Conditions), "required-build condition", "required-build conditions"), a.Project, a.Repo, colon(len(a.Conditions)))
	}
	for _, c := range a.Conditions {
		line("- %s", c.words())
	}
	for _, u := range a.Unavailable {
		line("Could not read %s: %s.", partWords[u.Part], quote.Line(u.Why))
	}
	switch {
	case a.NextStart > 0:
		b.WriteString(a.Page.more())
	case a.PullRequest != nil && a.PullRequest.MoreKeys > 0:
		line("The conditions are left out for want of room; without id they are listed.")
	case a.LimitReached:
		line("There are more than bb reads; the repository's settings in Bitbucket have them.")
	}
	return strings.TrimRight(b.String(), "\n")
}

func (p RequiredFor) conclusion() string {
	switch {
	case p.AllSuccessful == answerNo:
		return "not all of them are successful."
	case p.AllSuccessful == answerCannotTell:
		return "whether all of them are successful cannot be told."
	case len(p.Keys) == 0 && p.MoreKeys == 0:
		return "none is required."
	}
	return "all of them are successful."
}

// keyWords is the state of a key in words; Bitbucket's own are those of builds.
func keyWords(state string) string {
	switch requiredbuilds.State(state) {
	case requiredbuilds.Missing:
		return "no build reports under it"
	case requiredbuilds.Unknowable:
		return "cannot be told"
	}
	return stateWords(state)
}

func (c RequiredCondition) words() string {
	keys := make([]string, len(c.Keys))
	for i, k := range c.Keys {
		keys[i] = quote.Line(k)
	}
	words := fmt.Sprintf("condition %d: %s into %s", c.ID, strings.Join(keys, " and "), matcherWords(c.matchers.Target))
	if c.matchers.Exempt != nil {
		words += ", but not from " + matcherWords(*c.matchers.Exempt)
	}
	switch c.Applies {
	case answerYes:
		words += ": applies"
	case answerNo:
		words += ": does not apply, " + c.Why
	case answerCannotTell:
		words += ": cannot tell whether it applies (" + c.Why + ")"
	}
	return words
}

func matcherWords(m requiredbuilds.Matcher) string {
	var words string
	switch m.Kind {
	case requiredbuilds.AnyRef:
		words = "any branch"
	case requiredbuilds.Branch:
		words = "branch " + quote.Line(m.ID)
	case requiredbuilds.Pattern:
		words = "branches like " + quote.Line(m.ID)
	case requiredbuilds.ModelBranch:
		words = "the branching model's branch " + quote.Line(m.ID)
	case requiredbuilds.ModelCategory:
		words = "the branching model's category " + quote.Line(m.ID)
	case requiredbuilds.DefaultBranch:
		words = "the default branch"
	default:
		words = fmt.Sprintf("branches of type %s %s", quote.Line(string(m.Kind)), quote.Line(m.ID))
	}
	if m.Inactive {
		words += " (not active)"
	}
	return words
}

// stateWords is a build's state in words; one of a later release is given as
// Bitbucket writes it.
func stateWords(state string) string {
	switch state {
	case view.BuildSuccessful:
		return "successful"
	case view.BuildFailed:
		return "failed"
	case view.BuildInProgress:
		return "in progress"
	case view.BuildCancelled:
		return "cancelled"
	case view.BuildUnknown:
		return "unknown"
	}
	return quote.Word(state)
}
