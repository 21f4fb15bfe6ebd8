package fakebb

import "strings"

// condition is a required-builds condition of a repository.
type condition struct {
	id     int
	keys   []string // parent keys, each of which needs a successful build
	target matcher
	exempt *matcher
}

// matcher picks refs.
type matcher struct{ kind, ref string }

const (
	anyRef      = "ANY_REF"
	exactBranch = "BRANCH"
)

var matcherNames = map[string]string{anyRef: "Any branch", exactBranch: "Branch"}

// newCondition checks a condition of a scenario.
func newCondition(at place, id int, d requiredBuildDecl) (*condition, error) {
	c := &condition{id: id}
	for _, key := range d.Keys {
		c.keys = append(c.keys, key.value)
	}
	if len(c.keys) == 0 {
		return nil, at.errorf(max(d.Target.Type.line, 1), "a required build needs keys")
	}
	target, err := newMatcher(at, d.Target, d.Keys[0].line)
	if err != nil {
		return nil, err
	}
	c.target = *target
	if d.Exempt != nil {
		c.exempt, err = newMatcher(at, *d.Exempt, d.Keys[0].line)
	}
	return c, err
}

func newMatcher(at place, d matcherDecl, line int) (*matcher, error) {
	switch d.Type.value {
	case anyRef:
		return &matcher{kind: anyRef}, nil
	case exactBranch:
		if d.ID.value == "" {
			return nil, at.errorf(d.Type.line, "a matcher of type BRANCH needs an id")
		}
		return &matcher{exactBranch, qualified(d.ID.value)}, nil
	}
	return nil, at.errorf(max(d.Type.line, line), "matcher type %q is none of ANY_REF, BRANCH", d.Type.value)
}

// qualified makes a full ref of a branch's name in any of the forms Bitbucket
// takes: main, heads/main, refs/heads/main.
func qualified(name string) string {
	if strings.HasPrefix(name, "refs/") {
		return name
	}
	return headsPrefix + strings.TrimPrefix(name, "heads/")
}

// matches says whether the ref is picked. A branch's letter case does not count
// (bitbucket-probed.md 2).
func (m *matcher) matches(ref string) bool {
	return m.kind == anyRef || strings.EqualFold(m.ref, ref)
}

// appliesTo tests the target and then, for the exemption, the source.
func (c *condition) appliesTo(p *pullRequest) bool {
	return c.target.matches(p.target.id()) && (c.exempt == nil || !c.exempt.matches(p.source.id()))
}

// conditionJSON is a condition (bitbucket-rest.md 15).
type conditionJSON struct {
	ID               int          `json:"id"`
	BuildParentKeys  []string     `json:"buildParentKeys"`
	RefMatcher       matcherJSON  `json:"refMatcher"`
	ExemptRefMatcher *matcherJSON `json:"exemptRefMatcher,omitempty"`
}

type matcherJSON struct {
	ID        string          `json:"id"`
	DisplayID string          `json:"displayId"`
	Type      matcherTypeJSON `json:"type"`
	Active    bool            `json:"active"`
}

type matcherTypeJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func drawMatcher(m matcher) matcherJSON {
	j := matcherJSON{
		ID: m.ref, DisplayID: strings.TrimPrefix(m.ref, headsPrefix),
		Type: matcherTypeJSON{m.kind, matcherNames[m.kind]}, Active: true,
	}
	if m.kind == anyRef {
		j.ID, j.DisplayID = "ANY_REF_MATCHER_ID", "ANY_REF_MATCHER_ID"
	}
	return j
}

// listConditions answers the conditions; readers may list them.
func listConditions(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	return pageOf(w, r.conditions, everything, func(c *condition) conditionJSON {
		j := conditionJSON{ID: c.id, BuildParentKeys: c.keys, RefMatcher: drawMatcher(c.target)}
		if c.exempt != nil {
			exempt := drawMatcher(*c.exempt)
			j.ExemptRefMatcher = &exempt
		}
		return j
	}), nil
}
