package fakebb

import (
	"cmp"
	"slices"
	"strings"
)

// pushLogRoutes are what was pushed to a repository's branches.
var pushLogRoutes = []route{
	{method: "GET", path: repositories + "/ref-change-activities", answer: listRefChanges, evidence: pushLogEvidence},
	{method: "GET", path: repositories + "/ref-change-activities/branches", answer: listChangedBranches, evidence: pushLogEvidence},
}

const pushLogEvidence = "bitbucket-rest.md 7 [O]; that only administrators may read it [O]"

// push is a change of a branch that a scenario tells of: what was pushed to the
// source of a pull request while it was open, and a merge into its target.
type push struct {
	id       int
	at       int64
	by       *person
	branch   string
	from, to string
}

// pushes are those to a repository, the newest first.
func (s *store) pushes(r *repository) []push {
	var all []push
	for _, p := range s.pullRequests {
		for _, a := range p.activities {
			switch {
			case a.action == actionRescoped && a.tips.from != a.previous.from && p.source.repository == r:
				all = append(all, push{a.id, a.at, a.by, p.source.branch, a.previous.from, a.tips.from})
			case a.action == actionMerged && a.commit != "" && p.repository == r:
				all = append(all, push{a.id, a.at, a.by, p.target.branch, p.target.tip, a.commit})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b push) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.id, a.id)) })
	return all
}

// refChangeActivityJSON is an item of the push log.
type refChangeActivityJSON struct {
	ID          int            `json:"id"`
	CreatedDate int64          `json:"createdDate"`
	User        userJSON       `json:"user"`
	Trigger     string         `json:"trigger"`
	RefChange   refChangeJSON  `json:"refChange"`
	Repository  repositoryJSON `json:"repository"`
}

// refChangeJSON is a ref that was at one commit and is at another.
type refChangeJSON struct {
	Ref         minimalRefJSON `json:"ref"`
	RefID       string         `json:"refId"`
	FromHash    string         `json:"fromHash"`
	ToHash      string         `json:"toHash"`
	Type        string         `json:"type"`
	UpdatedType string         `json:"updatedType,omitempty"`
}

func (x *exchange) drawPush(r *repository, p push) refChangeActivityJSON {
	forced := "FORCED"
	if still, err := r.git.IsAncestor(p.from, p.to); err == nil && still {
		forced = "NOT_FORCED"
	}
	ref := minimalRefJSON{headsPrefix + p.branch, p.branch, "BRANCH"}
	return refChangeActivityJSON{
		ID: p.id, CreatedDate: p.at, User: x.user(p.by), Trigger: "push",
		RefChange:  refChangeJSON{Ref: ref, RefID: ref.ID, FromHash: p.from, ToHash: p.to, Type: "UPDATE", UpdatedType: forced},
		Repository: x.drawRepository(r),
	}
}

func listRefChanges(x *exchange) (any, error) {
	r, err := x.administered()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	found := x.store.pushes(r)
	if ref := x.query.Get("ref"); ref != "" {
		found = slices.DeleteFunc(found, func(p push) bool { return headsPrefix+p.branch != ref })
	}
	return pageOf(w, found, everything, func(p push) refChangeActivityJSON { return x.drawPush(r, p) }), nil
}

// listChangedBranches answers the branches of the push log, by name.
func listChangedBranches(x *exchange) (any, error) {
	r, err := x.administered()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	filter := strings.ToLower(x.query.Get("filterText"))
	var names []string
	for _, p := range x.store.pushes(r) {
		if contains(headsPrefix+p.branch, filter) && !slices.Contains(names, p.branch) {
			names = append(names, p.branch)
		}
	}
	slices.SortFunc(names, compareNames)
	return pageOf(w, names, everything, func(name string) minimalRefJSON {
		return minimalRefJSON{headsPrefix + name, name, "BRANCH"}
	}), nil
}
