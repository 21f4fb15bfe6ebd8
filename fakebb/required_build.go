package fakebb

// condition is a required-builds condition of a repository.
type condition struct {
	id     int
	keys   []string // parent keys, each of which needs a successful build
	target *matcher
	exempt *matcher // nil without an exemption
	// pullRequests and mergeQueue are what the condition is required for. Up to
	// 10.1 there are only pull requests.
	pullRequests, mergeQueue bool
}

// newCondition checks a condition of a scenario.
func newCondition(at place, id int, d requiredBuildDecl) (*condition, error) {
	c := &condition{id: id, pullRequests: true, mergeQueue: d.ForMergeQueue}
	if d.ForPullRequest != nil {
		c.pullRequests = *d.ForPullRequest
	}
	for _, key := range d.Keys {
		c.keys = append(c.keys, key.value)
	}
	if len(c.keys) == 0 {
		return nil, at.errorf(max(d.Target.Type.line, 1), "a required build needs keys")
	}
	var err error
	if c.target, err = newMatcher(at, d.Target, d.Keys[0].line); err != nil {
		return nil, err
	}
	if d.Exempt != nil {
		c.exempt, err = newMatcher(at, *d.Exempt, d.Keys[0].line)
	}
	return c, err
}

// appliesTo tests the target and then, for the exemption, the source.
func (c *condition) appliesTo(p *pullRequest) bool {
	r := p.repository
	return c.pullRequests && c.target.matches(r, p.target.id()) && (c.exempt == nil || !c.exempt.matches(r, p.source.id()))
}

// conditionJSON is a condition (bitbucket-rest.md 15). Where 10.2 has its two
// further keys is belief.
type conditionJSON struct {
	ID                     int          `json:"id"`
	BuildParentKeys        []string     `json:"buildParentKeys"`
	RefMatcher             matcherJSON  `json:"refMatcher"`
	ExemptRefMatcher       *matcherJSON `json:"exemptRefMatcher,omitempty"`
	RequiredForPullRequest *bool        `json:"requiredForPullRequest,omitempty"`
	RequiredForMergeQueue  *bool        `json:"requiredForMergeQueue,omitempty"`
}

// listConditions answers the conditions; readers may list them. A release that
// does not say what a condition is required for has those for pull requests.
func listConditions(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	tells := x.server.release.requiredForWhat()
	var conditions []*condition
	for _, c := range r.conditions {
		if c.pullRequests || tells {
			conditions = append(conditions, c)
		}
	}
	return pageOf(w, conditions, everything, func(c *condition) conditionJSON {
		j := conditionJSON{ID: c.id, BuildParentKeys: c.keys, RefMatcher: drawMatcher(c.target, r)}
		if c.exempt != nil {
			exempt := drawMatcher(c.exempt, r)
			j.ExemptRefMatcher = &exempt
		}
		if tells {
			j.RequiredForPullRequest, j.RequiredForMergeQueue = &c.pullRequests, &c.mergeQueue
		}
		return j
	}), nil
}
