package fakebb

import (
	"fmt"
	"slices"
	"strings"
)

// reviewCondition is a default-reviewers condition: who reviews pull requests
// from some refs to some refs, and how many of them have to approve.
type reviewCondition struct {
	id             int
	of             ruleScope
	source, target *matcher
	users          []*person
	groups         []*reviewerGroup
	approvals      int
}

// newReviewCondition checks a condition of a scenario; groups are those it may
// name.
func newReviewCondition(b *builder, at place, of ruleScope, id int, groups []*reviewerGroup, d defaultReviewerDecl) (*reviewCondition, error) {
	c := &reviewCondition{id: id, of: of, source: &matcher{kind: anyRef, id: anyRefID}, target: &matcher{kind: anyRef, id: anyRefID}}
	line := max(d.Approvals.line, 1)
	var err error
	for _, w := range d.Users {
		p, err := b.person(at, w)
		if err != nil {
			return nil, err
		}
		c.users, line = append(c.users, p), max(line, w.line)
	}
	for _, w := range d.Groups {
		g := findGroup(groups, w.value)
		if g == nil {
			return nil, at.errorf(w.line, "reviewer group %q is not among those of the repository or its project", w.value)
		}
		c.groups, line = append(c.groups, g), max(line, w.line)
	}
	for _, m := range []struct {
		decl *matcherDecl
		into **matcher
	}{{d.Source, &c.source}, {d.Target, &c.target}} {
		if m.decl == nil {
			continue
		}
		if *m.into, err = newMatcher(at, *m.decl, line); err != nil {
			return nil, err
		}
		line = max(line, m.decl.Type.line)
	}
	everyone := len(c.everyone())
	if everyone == 0 {
		return nil, at.errorf(line, "default reviewers need users or groups")
	}
	c.approvals, err = number(at, d.Approvals, 0, 0, everyone)
	return c, err
}

// everyone are the users of the condition and those of its groups, each once.
func (c *reviewCondition) everyone() []*person {
	all := slices.Clone(c.users)
	for _, g := range c.groups {
		for _, p := range g.users {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

func (c *reviewCondition) appliesTo(r *repository, sourceRef, targetRef string) bool {
	return c.source.matches(r, sourceRef) && c.target.matches(r, targetRef)
}

// reviewConditions are those of the repository and then those of its project.
func (r *repository) reviewConditions() []*reviewCondition {
	return slices.Concat(r.defaultReviewers, r.project.defaultReviewers)
}

// defaultReviewersVeto is the detail of the veto about default reviewers, ""
// when as many as each condition asks for have approved. The author cannot
// approve and does not count (belief); of several conditions each has its
// sentence (belief).
func (p *pullRequest) defaultReviewersVeto() string {
	var sentences []string
	for _, c := range p.repository.reviewConditions() {
		if !c.appliesTo(p.repository, p.source.id(), p.target.id()) {
			continue
		}
		candidates := slices.DeleteFunc(c.everyone(), func(who *person) bool {
			return who == p.author.person || !p.repository.project.readableBy(who)
		})
		needed := min(c.approvals, len(candidates))
		var missing []string
		for _, who := range candidates {
			if as := p.as(who); as != nil && as.status == approved {
				needed--
			} else {
				missing = append(missing, who.displayName)
			}
		}
		switch {
		case needed <= 0:
		case needed == 1:
			sentences = append(sentences, enumerate(missing, "or")+" must review and approve this pull request before it can be merged.")
		case needed == len(missing): // belief
			sentences = append(sentences, enumerate(missing, "and")+" must review and approve this pull request before it can be merged.")
		default:
			sentences = append(sentences, fmt.Sprintf("At least %d of the following users must review and approve this pull request before it can be merged: %s.",
				needed, strings.Join(missing, ", ")))
		}
	}
	return strings.Join(sentences, " ")
}

// enumerate writes a list as Bitbucket's sentences do: A, B or C.
func enumerate(names []string, conjunction string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + conjunction + " " + names[last]
}

// reviewConditionJSON is a condition (default-reviewer-conditions.json).
type reviewConditionJSON struct {
	ID                int                 `json:"id"`
	Scope             scopeJSON           `json:"scope"`
	SourceRefMatcher  activeMatcherJSON   `json:"sourceRefMatcher"`
	TargetRefMatcher  activeMatcherJSON   `json:"targetRefMatcher"`
	Reviewers         []userJSON          `json:"reviewers"`
	ReviewerGroups    []reviewerGroupJSON `json:"reviewerGroups,omitempty"`
	RequiredApprovals int                 `json:"requiredApprovals"`
}

func (x *exchange) drawReviewCondition(c *reviewCondition, model *branchModel, r *repository) reviewConditionJSON {
	return reviewConditionJSON{
		ID: c.id, Scope: drawScope(c.of),
		SourceRefMatcher: drawActiveMatcher(c.source, model, r), TargetRefMatcher: drawActiveMatcher(c.target, model, r),
		Reviewers: drawAll(c.users, x.user), ReviewerGroups: drawAll(c.groups, x.drawReviewerGroup),
		RequiredApprovals: c.approvals,
	}
}

// withoutCharset is the answer of the default-reviewers module, whose content
// type names no charset (bitbucket-rest.md 1, a recording).
func withoutCharset(v any) answer { return answer{contentType: mediaJSON, body: encode(v)} }

// listDefaultReviewers answers the conditions of a repository, those of its
// project among them: an array, although the document speaks of a page.
func listDefaultReviewers(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	return withoutCharset(drawAll(r.reviewConditions(), func(c *reviewCondition) reviewConditionJSON {
		return x.drawReviewCondition(c, r.model(), r)
	})), nil
}

func listProjectDefaultReviewers(x *exchange) (any, error) {
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	return withoutCharset(drawAll(p.defaultReviewers, func(c *reviewCondition) reviewConditionJSON {
		return x.drawReviewCondition(c, p.model(), nil)
	})), nil
}

// findDefaultReviewers answers who would review a pull request: users, although
// the document says conditions. The rules are those of the target repository.
// Who may not read it is left out; the caller is not, although an author cannot
// review (both belief: the web page leaves its user out itself).
func findDefaultReviewers(x *exchange) (any, error) {
	if _, err := x.repository(); err != nil {
		return nil, err
	}
	if _, err := x.repositoryByID("source", "sourceRepoId"); err != nil {
		return nil, err
	}
	target, err := x.repositoryByID("target", "targetRepoId")
	if err != nil {
		return nil, err
	}
	for _, side := range []string{"source", "target"} {
		if x.query.Get(side+"RefId") == "" {
			// Belief: that it is needed is known, the sentence is not.
			return nil, invalidArgument(fmt.Sprintf("The %s ref must be specified", side))
		}
	}
	var found []*person
	for _, c := range target.reviewConditions() {
		if !c.appliesTo(target, x.query.Get("sourceRefId"), x.query.Get("targetRefId")) {
			continue
		}
		for _, p := range c.everyone() {
			if target.project.readableBy(p) && !slices.Contains(found, p) {
				found = append(found, p)
			}
		}
	}
	return withoutCharset(drawAll(found, x.user)), nil
}

// repositoryByID finds the repository whose id a parameter has; a missing one is
// 0. One that the caller may not see does not exist (belief).
func (x *exchange) repositoryByID(which, parameter string) (*repository, error) {
	id := 0
	if text := x.query.Get(parameter); text != "" {
		var err error
		if id, err = parseNumber(text); err != nil {
			return nil, notFound("")
		}
	}
	for _, p := range x.store.projects {
		for _, r := range p.repositories {
			if r.id == id && p.readableBy(x.caller) {
				return r, nil
			}
		}
	}
	return nil, invalidArgument(fmt.Sprintf("The %s repository with id '%d' does not exist", which, id))
}
