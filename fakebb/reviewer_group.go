package fakebb

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// reviewerGroup is people who are asked together to review.
type reviewerGroup struct {
	id                int
	name, description string
	of                ruleScope
	users             []*person
}

func newReviewerGroup(b *builder, at place, of ruleScope, id int, d reviewerGroupDecl) (*reviewerGroup, error) {
	g := &reviewerGroup{id: id, name: d.Name.value, description: d.Description, of: of}
	line := d.Name.line
	for _, w := range d.Users {
		p, err := b.person(at, w)
		if err != nil {
			return nil, err
		}
		line = max(line, w.line)
		if slices.Contains(g.users, p) {
			return nil, at.errorf(w.line, "reviewer group %s: %s is there twice", g.name, p.name)
		}
		g.users = append(g.users, p)
	}
	if g.name == "" || len(g.users) == 0 {
		return nil, at.errorf(max(line, 1), "a reviewer group needs name and users")
	}
	return g, nil
}

// findGroup finds a group by its name, in any letter case (belief).
func findGroup(groups []*reviewerGroup, name string) *reviewerGroup {
	for _, g := range groups {
		if strings.EqualFold(g.name, name) {
			return g
		}
	}
	return nil
}

// reviewerGroupJSON is a group; the order of its keys is belief.
type reviewerGroupJSON struct {
	ID          int        `json:"id"`
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Scope       scopeJSON  `json:"scope"`
	Users       []userJSON `json:"users"`
}

func (x *exchange) drawReviewerGroup(g *reviewerGroup) reviewerGroupJSON {
	return reviewerGroupJSON{g.id, g.name, g.description, drawScope(g.of), drawAll(g.users, x.user)}
}

// listReviewerGroups answers the groups of the repository's own scope, as the
// document says: its project's are asked for there.
func listReviewerGroups(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	return x.pageOfGroups(r.reviewerGroups)
}

func listProjectReviewerGroups(x *exchange) (any, error) {
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	return x.pageOfGroups(p.reviewerGroups)
}

func (x *exchange) pageOfGroups(groups []*reviewerGroup) (any, error) {
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	sorted := slices.SortedStableFunc(slices.Values(groups), func(g, h *reviewerGroup) int { return compareNames(g.name, h.name) })
	return pageOf(w, sorted, everything, x.drawReviewerGroup), nil
}

func getReviewerGroup(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	g, err := x.reviewerGroup(r.reviewerGroups)
	if err != nil {
		return nil, err
	}
	return x.drawReviewerGroup(g), nil
}

func getProjectReviewerGroup(x *exchange) (any, error) {
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	g, err := x.reviewerGroup(p.reviewerGroups)
	if err != nil {
		return nil, err
	}
	return x.drawReviewerGroup(g), nil
}

// listReviewerGroupUsers answers those of a group who may read the repository.
// The group may be the project's (belief): there is no such path for a project.
func listReviewerGroupUsers(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	g, err := x.reviewerGroup(slices.Concat(r.reviewerGroups, r.project.reviewerGroups))
	if err != nil {
		return nil, err
	}
	return drawAll(r.readersOf(g), x.user), nil
}

// readersOf are the users of a group who may read the repository.
func (r *repository) readersOf(g *reviewerGroup) []*person {
	return slices.DeleteFunc(slices.Clone(g.users), func(p *person) bool { return !r.project.readableBy(p) })
}

// reviewerGroup finds the group whose id the path has.
func (x *exchange) reviewerGroup(groups []*reviewerGroup) (*reviewerGroup, error) {
	id, err := parseNumber(x.vars["reviewerGroupId"])
	if err != nil {
		return nil, notFound("")
	}
	for _, g := range groups {
		if g.id == id {
			return g, nil
		}
	}
	return nil, noSuchReviewerGroup(id)
}

func noSuchReviewerGroup(id int) *failure {
	// Belief: the document names only the status.
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("The reviewer group with ID %d does not exist.", id),
		exception: bitbucketPackage + "pull.reviewer.NoSuchReviewerGroupException"}
}
