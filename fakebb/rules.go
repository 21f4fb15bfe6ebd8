package fakebb

import (
	"slices"
	"strconv"
)

// repositoryRules are what a repository asks of pull requests.
type repositoryRules struct {
	projectRules
	conditions []*condition
}

// projectRules are the rules that a project has as well as a repository.
type projectRules struct {
	branchModel      *branchModel // nil for the project's, and there for the default
	defaultReviewers []*reviewCondition
	reviewerGroups   []*reviewerGroup
	settings         settings
}

// rulesEach is how many rules of a kind a project or repository has ids for.
const rulesEach = 100

func newProjectRules(b *builder, at place, p *project, d projectRulesDecl) (projectRules, error) {
	return newRules(b, at, ruleScope{projectScope, p.id}, projectRules{settings: defaultSettings}, d)
}

// newRepositoryRules makes the rules of a repository whose project has its own
// already.
func newRepositoryRules(b *builder, at place, r *repository, d rulesDecl) (repositoryRules, error) {
	shared, err := newRules(b, at, ruleScope{repositoryScope, r.id}, r.project.projectRules, d.projectRulesDecl)
	if err != nil {
		return repositoryRules{}, err
	}
	rules := repositoryRules{projectRules: shared}
	for i, d := range d.RequiredBuilds {
		c, err := newCondition(at, r.id*rulesEach+1+i, d)
		if err != nil {
			return repositoryRules{}, err
		}
		rules.conditions = append(rules.conditions, c)
	}
	return rules, nil
}

func newRules(b *builder, at place, of ruleScope, above projectRules, d projectRulesDecl) (projectRules, error) {
	var rules projectRules
	var err error
	if rules.branchModel, err = newBranchModel(at, d.BranchModel); err != nil {
		return rules, err
	}
	for i, d := range d.ReviewerGroups {
		g, err := newReviewerGroup(b, at, of, of.id*rulesEach+1+i, d)
		if err != nil {
			return rules, err
		}
		if findGroup(rules.reviewerGroups, g.name) != nil {
			return rules, at.errorf(d.Name.line, "reviewer group %s is there twice", g.name)
		}
		rules.reviewerGroups = append(rules.reviewerGroups, g)
	}
	groups := slices.Concat(rules.reviewerGroups, above.reviewerGroups)
	for i, d := range d.DefaultReviewers {
		c, err := newReviewCondition(b, at, of, of.id*rulesEach+1+i, groups, d)
		if err != nil {
			return rules, err
		}
		rules.defaultReviewers = append(rules.defaultReviewers, c)
	}
	rules.settings, err = newSettings(at, of, above.settings, d.Settings)
	return rules, err
}

// number reads a number of a scenario, otherwise when it is not given.
func number(at place, w word, otherwise, least, most int) (int, error) {
	if w.value == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(w.value)
	if err != nil || n < least || n > most {
		return 0, at.errorf(w.line, "%q is not a number from %d to %d", w.value, least, most)
	}
	return n, nil
}

// ruleScope is what a rule or a setting was made for.
type ruleScope struct {
	kind string
	id   int // 0 of the whole instance
}

const (
	globalScope     = "GLOBAL"
	projectScope    = "PROJECT"
	repositoryScope = "REPOSITORY"
)

// scopeJSON is a scope. That GLOBAL has no resourceId is belief.
type scopeJSON struct {
	Type       string `json:"type"`
	ResourceID int    `json:"resourceId,omitempty"`
}

func drawScope(s ruleScope) scopeJSON { return scopeJSON{s.kind, s.id} }
