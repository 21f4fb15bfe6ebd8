package server

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
	"github.com/bb-mcp/bb/server/requiredbuilds"
	"github.com/bb-mcp/bb/server/view"
)

// MergeCheck is what Bitbucket answers when asked whether it would merge now.
type MergeCheck struct {
	CanMerge   bool   `json:"canMerge" jsonschema:"Bitbucket's own verdict"`
	Conflicted bool   `json:"conflicted"`
	Outcome    string `json:"outcome"`
	vetoes     []Veto
}

// Veto is one reason of Bitbucket's against merging.
type Veto struct {
	Summary string
	Detail  string
}

// issues is how many things Bitbucket says prevent merging.
func (m MergeCheck) issues() int {
	n := len(m.vetoes)
	if m.Conflicted {
		n++
	}
	return n
}

func mergeCheck(m bitbucket.MergeCheck) *MergeCheck {
	c := &MergeCheck{CanMerge: *m.CanMerge, Conflicted: m.Conflicted, Outcome: m.Outcome, vetoes: make([]Veto, len(m.Vetoes))}
	if c.Outcome == "" {
		c.Outcome = view.OutcomeUnknown
	}
	for i, v := range m.Vetoes {
		c.vetoes[i] = Veto{Summary: v.SummaryMessage, Detail: v.DetailedMessage}
	}
	return c
}

// Who says that something stands in the way.
const (
	fromBitbucket = "BITBUCKET" // its merge check: a verdict
	fromBB        = "BB"        // what bb read besides: no verdict
)

// The kinds of reasons.
const (
	reasonConflict      = "CONFLICT"
	reasonVeto          = "VETO"
	reasonUnchecked     = "UNCHECKED"
	reasonRequiredBuild = "REQUIRED_BUILD"
	reasonDraft         = "DRAFT"
	reasonPermission    = "PERMISSION"
)

// Reason is one thing that stands in the way of merging now.
type Reason struct {
	Kind string `json:"kind"`
	// From keeps Bitbucket's verdict apart from what bb reads into the rules
	// (V42).
	From    string `json:"from" jsonschema:"BITBUCKET or BB, which is no verdict of Bitbucket's"`
	Summary string `json:"summary"`
	Detail  string `json:"detail,omitempty"`
	Change  string `json:"change" jsonschema:"Who or what can change it"`
}

// maxReasons bounds how many reasons an answer lists; Bitbucket's come first.
const maxReasons = 40

// reasons are all that stands in the way of merging an open pull request now:
// what Bitbucket's merge check said, in its order and words, and what else bb
// knows of. mayWrite is nil when it could not be read.
func (a PullRequestAnswer) reasons(required requiredbuilds.Verdict, mayWrite *bool) []Reason {
	list := []Reason{}
	add := func(kind, from, summary, detail, change string) {
		list = append(list, Reason{kind, from, summary, detail, change})
	}
	source, target := quote.Name(a.Source.String()), quote.Name(a.Target.Branch)
	draftVetoed := false
	if m := a.MergeCheck; m != nil {
		if m.Conflicted {
			add(reasonConflict, fromBitbucket, "It has conflicts with "+target, "",
				fmt.Sprintf("whoever can push to %s merges %s into it and resolves the conflicts", source, target))
		} else if m.Outcome == view.OutcomeUnknown {
			add(reasonUnchecked, fromBitbucket, "Bitbucket could not check it for conflicts", "", "time: read it again in a while")
		}
		for _, v := range m.vetoes {
			draftVetoed = draftVetoed || isAbout(v, "draft")
			add(reasonVeto, fromBitbucket, v.Summary, v.Detail, a.whoChanges(v))
		}
	}
	if a.Draft && !draftVetoed {
		add(reasonDraft, fromBB, "It is a draft", "", a.Author.String()+" marks it as ready")
	}
	for _, k := range required.Required {
		if k.State != requiredbuilds.Successful && k.State != requiredbuilds.Unknowable {
			add(reasonRequiredBuild, fromBB, fmt.Sprintf("Required build %s: %s", quote.Line(k.Key), keyWords(string(k.State))), a.buildsUnder(k.Key),
				fmt.Sprintf("a successful build that reports under %s for %s", quote.Line(k.Key), short(a.Source.Commit)))
		}
	}
	if mayWrite != nil && !*mayWrite {
		who := "The person bb acts for"
		if a.as != nil {
			who = a.as.String()
		}
		add(reasonPermission, fromBB, who+" may not merge into this repository", "It takes write permission.",
			fmt.Sprintf("somebody merges who may, or whoever administers %s/%s grants it", a.Project, a.Repo))
	}
	return list[:min(len(list), maxReasons)]
}

// isAbout says whether one of words is in a veto's summary. The words are those
// of Bitbucket's own merge checks (bitbucket-rest.md 10.7); another check, or
// another language, is about none of them.
func isAbout(v Veto, words ...string) bool {
	summary := strings.ToLower(v.Summary)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(summary, w) })
}

// whoChanges says who or what can change a veto of Bitbucket's own checks.
func (a PullRequestAnswer) whoChanges(v Veto) string {
	switch {
	case isAbout(v, "build"):
		return "new builds for " + short(a.Source.Commit) + a.unsuccessful()
	case isAbout(v, "draft"):
		return a.Author.String() + " marks it as ready"
	case isAbout(v, "task"):
		return "the open tasks are resolved, by who wrote them, " + a.Author.String() + " or an administrator; list_pull_request_threads has them"
	case isAbout(v, "needs work", "changes requested"):
		return "who requested changes approves or withdraws: " + a.reviewersWho(func(r Reviewer) bool { return r.Status == view.StatusNeedsWork })
	case isAbout(v, "approv"):
		return "an approval by reviewers who have not approved: " + a.reviewersWho(func(r Reviewer) bool { return r.Status != view.StatusApproved })
	case isAbout(v, "permission"):
		return fmt.Sprintf("whoever administers %s/%s grants it", a.Project, a.Repo)
	}
	return "Bitbucket does not say; merge checks are set by whoever administers " + a.Project + "/" + a.Repo
}

// maxNamed is how many people or builds a sentence names.
const maxNamed = 5

func (a PullRequestAnswer) reviewersWho(are func(Reviewer) bool) string {
	var names []string
	for _, r := range a.Reviewers {
		if are(r) {
			names = append(names, r.Person.String())
		}
	}
	return enumerate(names, "nobody among the reviewers")
}

// unsuccessful names the builds that are not successful, worst first.
func (a PullRequestAnswer) unsuccessful() string {
	if a.Builds == nil {
		return ""
	}
	var names []string
	for _, b := range a.Builds.Items {
		if b.State != view.BuildSuccessful {
			names = append(names, fmt.Sprintf("%s (%s)", quote.Line(b.Name), b.State))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; now " + enumerate(names, "")
}

// buildsUnder names the builds that report under a required key.
func (a PullRequestAnswer) buildsUnder(key string) string {
	if a.Builds == nil {
		return ""
	}
	var names []string
	for _, b := range a.Builds.Items {
		if b.Parent == key {
			names = append(names, fmt.Sprintf("%s (%s)", quote.Line(b.Name), b.State))
		}
	}
	return enumerate(names, "")
}

// enumerate joins the first few names and says how many are left out.
func enumerate(names []string, none string) string {
	switch n := len(names); {
	case n == 0:
		return none
	case n > maxNamed:
		return strings.Join(names[:maxNamed], ", ") + fmt.Sprintf(" and %d more", n-maxNamed)
	}
	return strings.Join(names, ", ")
}

// verdict is whether the pull request can be merged, in words: Bitbucket's
// verdict first, then every reason against it and what can change it.
func (a PullRequestAnswer) verdict() []string {
	if a.State != "OPEN" {
		return nil
	}
	var lines []string
	own := slices.DeleteFunc(slices.Clone(a.Reasons), func(r Reason) bool { return r.From != fromBB })
	switch m := a.MergeCheck; {
	case m == nil:
	case m.CanMerge:
		lines = append(lines, "Bitbucket's merge check: it can be merged.")
	case m.issues() == 0:
		lines = append(lines, "Bitbucket's merge check: it cannot be merged, and Bitbucket gives no reason.")
	default:
		lines = append(lines, fmt.Sprintf("Bitbucket's merge check: it cannot be merged; %s.", plural(m.issues(), "issue prevents it", "issues prevent it")))
	}
	for _, r := range a.Reasons {
		if r.From == fromBitbucket {
			lines = append(lines, r.line())
		}
	}
	if len(own) > 0 {
		lines = append(lines, "Besides, as bb reads it (not Bitbucket's verdict):")
		for _, r := range own {
			lines = append(lines, r.line())
		}
	}
	return lines
}

// line is a reason as one line: words of strangers and of Bitbucket's plugins
// are quoted.
func (r Reason) line() string {
	var b strings.Builder
	set := quote.Visible // bb's own words, in which what strangers wrote is quoted
	if r.Kind == reasonVeto {
		set = quote.Line
	}
	b.WriteString("- " + set(r.Summary))
	if r.Detail != "" {
		b.WriteString(": " + set(strings.TrimSuffix(r.Detail, ".")))
	}
	b.WriteString(". What changes it: " + quote.Visible(r.Change) + ".")
	return b.String()
}
