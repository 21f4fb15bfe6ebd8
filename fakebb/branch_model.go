package fakebb

import (
	"cmp"
	"slices"
	"strings"
)

// branchModel says which branches of a repository are for what.
type branchModel struct {
	development string // the full ref; "" is the default branch
	production  string // the full ref; "" for none
	categories  []category
}

// category is a kind of branches, known by what their names begin with.
type category struct {
	id, name, prefix string
	enabled          bool
}

// The ids of the two branches that a model names.
const (
	developmentID = "development"
	productionID  = "production"
)

// defaultModel is what a repository has that nobody set up: the development
// branch is the default branch, there is no production branch, and the four
// categories have their usual prefixes (branch-model.json).
var defaultModel = branchModel{categories: []category{
	{"BUGFIX", "Bugfix", "bugfix/", true},
	{"FEATURE", "Feature", "feature/", true},
	{"HOTFIX", "Hotfix", "hotfix/", true},
	{"RELEASE", "Release", "release/", true},
}}

// categoryName is the name of a category, "" for an id that is none's.
func categoryName(id string) string {
	for _, c := range defaultModel.categories {
		if c.id == id {
			return c.name
		}
	}
	return ""
}

// newBranchModel checks a model of a scenario; without one it is nil.
func newBranchModel(at place, d *branchModelDecl) (*branchModel, error) {
	if d == nil {
		return nil, nil
	}
	m := &branchModel{categories: slices.Clone(defaultModel.categories)}
	for _, b := range []struct {
		name word
		into *string
	}{{d.Development, &m.development}, {d.Production, &m.production}} {
		if b.name.value == "" {
			continue
		}
		if notInRefs.MatchString(b.name.value) {
			return nil, at.errorf(b.name.line, "%q cannot be the name of a branch", b.name.value)
		}
		*b.into = qualified(b.name.value)
	}
	lines := make([]int, len(m.categories))
	for _, d := range d.Categories {
		line := max(d.ID.line, d.Prefix.line)
		i := slices.IndexFunc(m.categories, func(c category) bool { return c.id == d.ID.value })
		if i < 0 {
			return nil, at.errorf(line, "category %q is none of BUGFIX, FEATURE, HOTFIX, RELEASE", d.ID.value)
		}
		c := &m.categories[i]
		c.prefix, c.enabled, lines[i] = cmp.Or(d.Prefix.value, c.prefix), !d.Disabled, line
	}
	for i, c := range m.categories {
		for j, other := range m.categories {
			if i != j && c.enabled && other.enabled && strings.HasPrefix(c.prefix, other.prefix) {
				return nil, at.errorf(max(lines[i], lines[j]), "a branch could be of %s and of %s", c.id, other.id)
			}
		}
	}
	return m, nil
}

// model is the repository's own model, the project's, or the default.
func (r *repository) model() *branchModel {
	if r.branchModel != nil {
		return r.branchModel
	}
	return r.project.model()
}

func (p *project) model() *branchModel {
	if p.branchModel != nil {
		return p.branchModel
	}
	return &defaultModel
}

// sets says whether the model names a branch of that id.
func (m *branchModel) sets(id string) bool { return id == developmentID || m.production != "" }

// branch is the model's branch of that id, nil when there is none or the
// repository does not have it.
func (m *branchModel) branch(r *repository, id string) *branch {
	ref := m.production
	if id == developmentID {
		if m.development == "" && len(r.branches) > 0 {
			return r.branches[0]
		}
		ref = m.development
	}
	for _, b := range r.branches {
		if b.id() == ref {
			return b
		}
	}
	return nil
}

func (m *branchModel) enables(id string) bool {
	return slices.ContainsFunc(m.categories, func(c category) bool { return c.id == id && c.enabled })
}

// category is the id of the category that a branch is of, "" for none. A tag is
// of none (belief).
func (m *branchModel) category(ref string) string {
	name, isBranch := strings.CutPrefix(ref, headsPrefix)
	for _, c := range m.categories {
		if isBranch && c.enabled && strings.HasPrefix(name, c.prefix) {
			return c.id
		}
	}
	return ""
}

// branchModelJSON is the model with what is there of it.
type branchModelJSON struct {
	Development *modelBranchJSON `json:"development,omitempty"`
	Production  *modelBranchJSON `json:"production,omitempty"`
	Types       []categoryJSON   `json:"types"`
}

type modelBranchJSON struct {
	ID              string `json:"id"`
	DisplayID       string `json:"displayId"`
	Type            string `json:"type"`
	LatestCommit    string `json:"latestCommit"`
	LatestChangeset string `json:"latestChangeset"`
	IsDefault       bool   `json:"isDefault"`
}

type categoryJSON struct {
	ID          string `json:"id"`
	DisplayName string `json:"displayName"`
	Prefix      string `json:"prefix"`
}

// getBranchModel answers the model: branches that exist, categories that are
// enabled.
func getBranchModel(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	m := r.model()
	draw := func(id string) *modelBranchJSON {
		b := m.branch(r, id)
		if b == nil {
			return nil
		}
		return &modelBranchJSON{b.id(), b.name, "BRANCH", b.tip, b.tip, b == r.branches[0]}
	}
	j := branchModelJSON{Development: draw(developmentID), Production: draw(productionID), Types: []categoryJSON{}}
	for _, c := range m.categories {
		if c.enabled {
			j.Types = append(j.Types, categoryJSON{c.id, c.name, c.prefix})
		}
	}
	return j, nil
}

// branchModelConfigurationJSON is the model as it was set up. That refId is null
// for the default branch is belief.
type branchModelConfigurationJSON struct {
	Development modelRefJSON             `json:"development"`
	Production  *modelRefJSON            `json:"production,omitempty"`
	Types       []configuredCategoryJSON `json:"types"`
}

type modelRefJSON struct {
	RefID      *string `json:"refId"`
	UseDefault bool    `json:"useDefault"`
}

type configuredCategoryJSON struct {
	ID          string `json:"id"`
	Enabled     bool   `json:"enabled"`
	DisplayName string `json:"displayName"`
	Prefix      string `json:"prefix"`
}

func drawConfiguration(m *branchModel) branchModelConfigurationJSON {
	j := branchModelConfigurationJSON{
		Development: modelRefJSON{orNull(m.development), m.development == ""},
		Types: drawAll(m.categories, func(c category) configuredCategoryJSON {
			return configuredCategoryJSON{c.id, c.enabled, c.name, c.prefix}
		}),
	}
	if m.production != "" {
		j.Production = &modelRefJSON{RefID: &m.production}
	}
	return j
}

func getBranchModelConfiguration(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	return drawConfiguration(r.model()), nil
}

func getProjectBranchModelConfiguration(x *exchange) (any, error) {
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	return drawConfiguration(p.model()), nil
}

// minimalRefJSON is a ref and nothing of what it points to.
type minimalRefJSON struct {
	ID        string `json:"id"`
	DisplayID string `json:"displayId"`
	Type      string `json:"type"`
}

// listBranchesOfCommit answers the branches that contain a commit, by name
// (belief).
func listBranchesOfCommit(x *exchange) (any, error) {
	r, commit, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	var containing []*branch
	for _, b := range r.branches {
		contains, err := r.git.IsAncestor(commit, b.tip)
		if err != nil {
			panic(err) // both are commits of the store
		}
		if contains {
			containing = append(containing, b)
		}
	}
	slices.SortStableFunc(containing, func(a, b *branch) int { return compareNames(a.name, b.name) })
	return pageOf(w, containing, everything, func(b *branch) minimalRefJSON {
		return minimalRefJSON{b.id(), b.name, "BRANCH"}
	}), nil
}
