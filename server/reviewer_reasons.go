package server

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

// candidates are those who could review a pull request, by where they come
// from.
type candidates struct {
	source, target string // full refs
	reviewers      []bitbucket.User
	conditions     []bitbucket.ReviewerCondition
	owners         []bitbucket.User
	groups         []bitbucket.ReviewerGroup
	named          []bitbucket.User
	more           bool // some list was not read to its end
	complete       bool // everybody was found
}

// users are all users that were named.
func (f *candidates) users() []bitbucket.User {
	all := slices.Concat(f.reviewers, f.owners, f.named)
	for _, g := range f.groups {
		all = append(all, g.Users...)
	}
	return all
}

// How many reasons a person has in an answer, and how long what they name may
// be, in UTF-16 units: one person must never fill an answer.
const (
	maxWhys  = 10
	maxWhyOf = 300
)

// all are the candidates, each once with every reason, in the order of the
// best of them; with onlyNamed only those whom the text found.
func (f *candidates) all(onlyNamed bool) []SuggestedReviewer {
	var found []SuggestedReviewer
	at := map[string]int{}
	add := func(u bitbucket.User, why ...Why) {
		i, known := at[u.Name]
		if !known {
			i = len(found)
			at[u.Name] = i
			found = append(found, SuggestedReviewer{Person: person(u), Why: []Why{}})
		}
		for _, w := range why {
			w.Of = shortened(w.Of, maxWhyOf)
			if len(found[i].Why) < maxWhys {
				found[i].Why = append(found[i].Why, w)
			} else {
				found[i].MoreWhy++
			}
		}
	}
	for _, u := range f.reviewers {
		add(u, f.conditionsOf(u)...)
	}
	for _, u := range f.owners {
		add(u, Why{Reason: whyOwner})
	}
	for _, g := range f.groups {
		for _, u := range g.Users {
			add(u, Why{Reason: whyGroup, Of: g.Name})
		}
	}
	named := map[string]bool{}
	for _, u := range f.named {
		named[u.Name] = true
		add(u, Why{Reason: whyName})
	}
	if onlyNamed {
		found = slices.DeleteFunc(found, func(r SuggestedReviewer) bool { return !named[r.Name] })
	}
	return found
}

// conditionsOf are the conditions that make u a default reviewer. That u is
// one, Bitbucket decided. Which conditions apply it does not say: where one
// plainly does, those that plainly do are given, else those that may.
func (f *candidates) conditionsOf(u bitbucket.User) []Why {
	var sure, possible []Why
	for _, c := range f.conditions {
		applies := min(applies(c.SourceRefMatcher, f.source), applies(c.TargetRefMatcher, f.target))
		if applies == never || !picks(c, u) {
			continue
		}
		w := Why{Reason: whyDefault, Of: conditionWords(c), Approvals: c.RequiredApprovals}
		possible = append(possible, w)
		if applies == always {
			sure = append(sure, w)
		}
	}
	switch {
	case len(sure) > 0:
		return sure
	case len(possible) == 0:
		return []Why{{Reason: whyDefault}}
	case len(possible) > 1:
		for i := range possible {
			possible[i].OneOf = true
		}
	}
	return possible
}

// Whether a matcher picks a ref, as far as can be told without Bitbucket's
// patterns and branch model.
const (
	never = iota
	perhaps
	always
)

func applies(m bitbucket.RefMatcher, ref string) int {
	switch {
	case m.Active != nil && !*m.Active:
		return never
	case m.Type.ID == "ANY_REF":
		return always
	case m.Type.ID == "BRANCH" && (m.ID == ref || "refs/heads/"+m.ID == ref):
		return always
	case m.Type.ID == "BRANCH" && !strings.EqualFold(strings.TrimPrefix(m.ID, "refs/heads/"), strings.TrimPrefix(ref, "refs/heads/")):
		return never
	}
	return perhaps
}

// picks says whether u is one of those a condition names, or is in one of its
// groups.
func picks(c bitbucket.ReviewerCondition, u bitbucket.User) bool {
	is := func(x bitbucket.User) bool { return x.Name == u.Name }
	return slices.ContainsFunc(c.Reviewers, is) || slices.ContainsFunc(c.ReviewerGroups, func(g bitbucket.ReviewerGroup) bool {
		return slices.ContainsFunc(g.Users, is)
	})
}

// conditionWords say between which refs a condition is, and whose it is.
func conditionWords(c bitbucket.ReviewerCondition) string {
	return fmt.Sprintf("%s → %s, of the %s", ruleName(c.SourceRefMatcher), ruleName(c.TargetRefMatcher), strings.ToLower(cmp.Or(c.Scope.Type, "repository")))
}

func ruleName(m bitbucket.RefMatcher) string {
	name := cmp.Or(m.DisplayID, m.ID)
	switch m.Type.ID {
	case "ANY_REF":
		return "any branch"
	case "BRANCH":
		return name
	case "PATTERN":
		return "pattern " + name
	case "MODEL_CATEGORY":
		return "category " + name
	case "MODEL_BRANCH":
		return "the branch model's " + name
	}
	return strings.TrimSpace(m.Type.ID + " " + name)
}

// text is the answer as a report for a model.
func (a *ReviewersAnswer) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s%s%s.", a.countWords(), a.forWhat(), a.leftOut())
	for _, r := range a.Reviewers {
		var why []string
		for _, w := range r.Why {
			why = append(why, w.words())
		}
		if r.MoreWhy > 0 {
			why = append(why, plural(r.MoreWhy, "more reason", "more reasons"))
		}
		status := ""
		if r.Status != "" {
			status = ", already a reviewer (" + r.statusWords() + ")"
		}
		line("- %s%s: %s", r.Person, status, strings.Join(why, "; "))
	}
	for _, u := range a.Unavailable {
		line("Could not read %s: %s.", reviewerPartWords[u.Part], quote.Line(u.Why))
	}
	if a.LimitReached && a.NextStart == 0 {
		line("There are more than were read; give a longer text to find a person.")
	} else {
		b.WriteString(a.more())
	}
	return strings.TrimRight(b.String(), "\n")
}

var reviewerPartWords = map[string]string{
	partDefaultReviewers: "the default reviewers",
	partConditions:       "why somebody is a default reviewer",
	partCodeOwners:       "the code owners",
	partGroups:           "the repository's reviewer groups",
	partProjectGroups:    "the project's reviewer groups",
}

func (a *ReviewersAnswer) countWords() string {
	switch n := len(a.Reviewers); {
	case n == 0 && a.start > 0:
		return fmt.Sprintf("Nobody from start %d on", a.start)
	case n == 0 && len(a.Unavailable) > 0:
		return "As far as it could be read, nobody"
	case n == 0:
		return "Nobody"
	case a.Count.Total == nil && !a.LimitReached:
		return plural(n, "person", "people")
	default:
		return a.Page.of(n, "person", "people")
	}
}

func (a *ReviewersAnswer) forWhat() string {
	var w string
	if a.of.Text != "" {
		w = " whose name, login or address has " + quote.Line(a.of.Text)
	}
	switch {
	case a.of.ID > 0:
		return w + fmt.Sprintf(" could review %s", Target{a.Project, a.Repo, a.ID})
	case a.of.Source != "":
		from := ""
		if a.of.SourceRepo != "" {
			from = a.of.SourceProject + "/" + a.of.SourceRepo + ":"
		}
		return w + fmt.Sprintf(" could review a pull request of %s/%s from %s to %s", a.Project, a.Repo, quote.Line(from+a.of.Source), quote.Line(a.of.Target))
	}
	return w + fmt.Sprintf(" may read %s/%s", a.Project, a.Repo)
}

func (a *ReviewersAnswer) leftOut() string {
	if a.author == nil {
		return ""
	}
	return fmt.Sprintf("; %s is left out as its author", a.author)
}

// statusWords say how the person stands who is a reviewer already.
func (r SuggestedReviewer) statusWords() string { return Reviewer{Status: r.Status}.statusWords() }

// words say one reason.
func (w Why) words() string {
	switch w.Reason {
	case whyDefault:
		words := "default reviewer"
		if w.OneOf {
			words += ", perhaps"
		}
		if w.Of != "" {
			words += " by the condition " + quote.Line(w.Of)
		}
		if w.Approvals > 0 {
			words += ", which needs " + plural(w.Approvals, "approval", "approvals")
		}
		return words
	case whyOwner:
		return "owns code that changes"
	case whyGroup:
		return "in the reviewer group " + quote.Line(w.Of)
	}
	return "found by name"
}
