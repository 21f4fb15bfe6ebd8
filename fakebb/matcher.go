package fakebb

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// matcher picks refs (bitbucket-rest.md 15, bitbucket-probed.md 2).
type matcher struct {
	kind string
	// id is what the matcher looks for: a full ref, a pattern, or a word of the
	// branch model. It is sent as it is.
	id      string
	pattern glob // of a PATTERN
}

// The kinds of matchers.
const (
	anyRef        = "ANY_REF"
	exactBranch   = "BRANCH"
	refPattern    = "PATTERN"
	modelCategory = "MODEL_CATEGORY"
	inModel       = "MODEL_BRANCH"
	defaultBranch = "DEFAULT_BRANCH"
)

// matcherKinds are the kinds with their names on the wire. That of the last is
// belief: the OpenAPI document does not have it, real servers accept it.
var matcherKinds = []matcherTypeJSON{
	{anyRef, "Any branch"},
	{exactBranch, "Branch"},
	{refPattern, "Pattern"},
	{inModel, "Branching model branch"},
	{modelCategory, "Branching model category"},
	{defaultBranch, "Default branch"},
}

// The ids of the kinds that look for nothing in particular.
const (
	anyRefID        = "ANY_REF_MATCHER_ID"
	defaultBranchID = "#"
)

// newMatcher checks a matcher of a scenario; line is that of what it belongs to.
func newMatcher(at place, d matcherDecl, line int) (*matcher, error) {
	m := &matcher{kind: d.Type.value, id: d.ID.value}
	line = max(d.Type.line, line)
	var err error
	switch m.kind {
	case anyRef:
		err = m.takesNo(anyRefID)
	case defaultBranch:
		err = m.takesNo(defaultBranchID)
	case exactBranch:
		if err = m.takesOne("a ref"); err == nil && notInRefs.MatchString(m.id) {
			err = fmt.Errorf("%q cannot be the name of a branch", m.id)
		}
		m.id = qualified(m.id)
	case refPattern:
		if err = m.takesOne("a pattern"); err == nil {
			m.pattern, err = springPattern(m.id)
		}
	case inModel:
		if m.id != developmentID && m.id != productionID {
			err = fmt.Errorf("%q is none of %s, %s", m.id, developmentID, productionID)
		}
	case modelCategory:
		if categoryName(m.id) == "" {
			err = fmt.Errorf("%q is none of BUGFIX, FEATURE, HOTFIX, RELEASE", m.id)
		}
	default:
		known := drawAll(matcherKinds, func(k matcherTypeJSON) string { return k.ID })
		return nil, at.errorf(line, "matcher type %q is none of %s", m.kind, strings.Join(known, ", "))
	}
	if err != nil {
		return nil, at.errorf(max(d.ID.line, line), "matcher of type %s: %v", m.kind, err)
	}
	return m, nil
}

func (m *matcher) takesNo(id string) error {
	if m.id != "" && m.id != id {
		return fmt.Errorf("it takes no id but %s", id)
	}
	m.id = id
	return nil
}

func (m *matcher) takesOne(what string) error {
	if m.id == "" {
		return fmt.Errorf("it needs %s as its id", what)
	}
	return nil
}

// notInRefs is what git refuses in the name of a branch.
var notInRefs = regexp.MustCompile(`[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|^/|/$|\.$|\.lock(/|$)|(^|/)\.`)

// qualified makes a full ref of a branch's name in any of the forms Bitbucket
// takes: main, heads/main, refs/heads/main.
func qualified(name string) string {
	if strings.HasPrefix(name, "refs/") {
		return name
	}
	return headsPrefix + strings.TrimPrefix(name, "heads/")
}

// matches says whether the matcher of a rule of this repository picks the full
// ref. The letter case of a BRANCH and of a PATTERN does not count, as by
// default; that of what comes from the branch model does. A ref of a fork is
// looked at with the branch model of the repository that has the rule (belief).
func (m *matcher) matches(r *repository, ref string) bool {
	switch m.kind {
	case anyRef:
		return true
	case exactBranch:
		return strings.EqualFold(m.id, ref)
	case refPattern:
		return m.pattern.matches(strings.Split(ref, "/"))
	case inModel:
		b := r.model().branch(r, m.id)
		return b != nil && b.id() == ref
	case modelCategory:
		return r.model().category(ref) == m.id
	}
	return len(r.branches) > 0 && r.branches[0].id() == ref
}

// displayID is what people see for the id. Those of the branch model begin with
// a capital: seen for the categories, belief for the two branches.
func (m *matcher) displayID() string {
	switch m.kind {
	case exactBranch:
		return strings.TrimPrefix(m.id, headsPrefix)
	case modelCategory:
		return categoryName(m.id)
	case inModel:
		return strings.ToUpper(m.id[:1]) + m.id[1:]
	case defaultBranch:
		return "Default branch" // belief
	}
	return m.id
}

// active is false where what the matcher looks for in the branch model is not
// there; r is nil for a rule that is read for a project alone, of which only the
// model is known.
func (m *matcher) active(model *branchModel, r *repository) bool {
	switch m.kind {
	case inModel:
		if r == nil {
			return model.sets(m.id)
		}
		return model.branch(r, m.id) != nil
	case modelCategory:
		return model.enables(m.id)
	}
	return true
}

func (m *matcher) typeJSON() matcherTypeJSON {
	i := slices.IndexFunc(matcherKinds, func(k matcherTypeJSON) bool { return k.ID == m.kind })
	return matcherKinds[i]
}

type matcherTypeJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// matcherJSON is a matcher as required builds have it.
type matcherJSON struct {
	ID        string          `json:"id"`
	DisplayID string          `json:"displayId"`
	Type      matcherTypeJSON `json:"type"`
	Active    bool            `json:"active"`
}

func drawMatcher(m *matcher, r *repository) matcherJSON {
	return matcherJSON{m.id, m.displayID(), m.typeJSON(), m.active(r.model(), r)}
}

// activeMatcherJSON is a matcher as default reviewers have it: another order.
type activeMatcherJSON struct {
	Active    bool            `json:"active"`
	ID        string          `json:"id"`
	DisplayID string          `json:"displayId"`
	Type      matcherTypeJSON `json:"type"`
}

func drawActiveMatcher(m *matcher, model *branchModel, r *repository) activeMatcherJSON {
	return activeMatcherJSON{m.active(model, r), m.id, m.displayID(), m.typeJSON()}
}
