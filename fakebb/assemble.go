package fakebb

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Ids come from the order of the scenario file, so that they stay when
// something is appended: people count from 101, projects from 11, a project's
// repositories from a hundred times its id, and every pull request has a block
// of ids of its own for its comments and activities (see idBlock).
const (
	firstPersonID     = 101
	firstProjectID    = 11
	repositoriesEach  = 100
	idsPerPullRequest = 20000
	idsPerActivity    = 20
)

// builder makes a store of declarations and remembers what it has seen.
type builder struct {
	*store
	declared *declarations
}

// build looks up every name of a scenario. An error names the place of what
// cannot be understood.
func build(d *declarations) (*store, error) {
	if d.start.time.IsZero() {
		return nil, d.startAt.errorf(1, "start is missing")
	}
	b := &builder{declared: d, store: &store{
		start:  d.start.time,
		byName: map[string]*person{},
		bySlug: map[string]*person{},
		byKey:  map[string]*project{},
		builds: map[string][]*commitBuild{},
	}}
	if err := b.addPeople(); err != nil {
		return nil, err
	}
	if err := b.addProjects(); err != nil {
		return nil, err
	}
	for _, f := range d.commits {
		if err := b.addCommits(f); err != nil {
			return nil, err
		}
	}
	if err := b.addBranches(); err != nil {
		return nil, err
	}
	for i, f := range d.pullRequests {
		if err := b.addPullRequest(i, f); err != nil {
			return nil, err
		}
	}
	// Lists come by name; ids were given in the order of the file.
	slices.SortStableFunc(b.projects, func(p, q *project) int { return compareNames(p.name, q.name) })
	for _, p := range b.projects {
		slices.SortStableFunc(p.repositories, func(q, r *repository) int { return compareNames(q.name, r.name) })
	}
	return b.store, nil
}

func compareNames(a, b string) int {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
}

var notInSlugs = regexp.MustCompile(`[^a-z0-9_.-]`)

// slugOf is how Bitbucket makes a slug of a user's name (bitbucket-rest.md 4).
func slugOf(name string) string {
	return notInSlugs.ReplaceAllString(strings.ToLower(name), "_")
}

func (b *builder) addPeople() error {
	at := b.declared.peopleAt
	for i, d := range b.declared.people {
		p := &person{
			id:          firstPersonID + i,
			name:        d.Name.value,
			slug:        cmp.Or(d.Slug.value, slugOf(d.Name.value)),
			displayName: cmp.Or(d.DisplayName.value, d.Name.value),
			email:       d.Email.value,
		}
		switch d.Type.value {
		case "", "NORMAL":
		case "SERVICE":
			p.service = true
		default:
			return at.errorf(d.Type.line, "person %s: type %q is neither NORMAL nor SERVICE", p.name, d.Type.value)
		}
		if p.name == "" {
			return at.errorf(d.DisplayName.line, "a person needs a name")
		}
		if b.byName[p.name] != nil {
			return at.errorf(d.Name.line, "person %s is there twice", p.name)
		}
		if b.bySlug[p.slug] != nil {
			return at.errorf(d.Name.line, "person %s: slug %s is %s's", p.name, p.slug, b.bySlug[p.slug].name)
		}
		b.people = append(b.people, p)
		b.byName[p.name], b.bySlug[p.slug] = p, p
	}
	return nil
}

// person looks up a name.
func (b *builder) person(at place, w word) (*person, error) {
	if p := b.byName[w.value]; p != nil {
		return p, nil
	}
	return nil, at.errorf(w.line, "person %q is not in people.yaml", w.value)
}

func (b *builder) set(at place, words []word) (map[*person]bool, error) {
	set := map[*person]bool{}
	for _, w := range words {
		p, err := b.person(at, w)
		if err != nil {
			return nil, err
		}
		set[p] = true
	}
	return set, nil
}

func (b *builder) addProjects() error {
	at := b.declared.projectsAt
	for i, d := range b.declared.projects {
		p := &project{
			id:          firstProjectID + i,
			key:         strings.ToUpper(d.Key.value),
			name:        cmp.Or(d.Name.value, d.Key.value),
			description: d.Description,
		}
		if p.key == "" {
			return at.errorf(d.Name.line, "a project needs a key")
		}
		if b.byKey[p.key] != nil {
			return at.errorf(d.Key.line, "project %s is there twice", p.key)
		}
		var err error
		if owner, ok := strings.CutPrefix(d.Key.value, "~"); ok {
			p.owner = b.bySlug[owner]
			if p.owner == nil {
				return at.errorf(d.Key.line, "person with slug %q is not in people.yaml", owner)
			}
			p.name = p.owner.displayName
		}
		if d.Readers != nil {
			if p.readers, err = b.set(at, d.Readers); err != nil {
				return err
			}
		}
		if p.admins, err = b.set(at, d.Admins); err != nil {
			return err
		}
		for j, d := range d.Repositories {
			r := &repository{
				id:               p.id*repositoriesEach + 1 + j,
				project:          p,
				slug:             d.Slug.value,
				name:             cmp.Or(d.Name, d.Slug.value),
				description:      d.Description,
				commits:          map[string]*commit{},
				pullRequests:     map[int]*pullRequest{},
				reports:          map[string][]*report{},
				allTasksResolved: d.AllTasksResolved,
			}
			if r.slug == "" || p.repository(r.slug) != nil {
				return at.errorf(max(d.Slug.line, 1), "project %s: a repository needs a slug of its own", p.key)
			}
			for k, d := range d.RequiredBuilds {
				c, err := newCondition(at, r.id*repositoriesEach+1+k, d)
				if err != nil {
					return err
				}
				r.conditions = append(r.conditions, c)
			}
			p.repositories = append(p.repositories, r)
		}
		b.projects = append(b.projects, p)
		b.byKey[p.key] = p
	}
	return nil
}

// repository looks up the repository a section's name names.
func (b *builder) repository(at place, key, slug string) (*repository, error) {
	if p := b.byKey[strings.ToUpper(key)]; p != nil {
		if r := p.repository(slug); r != nil {
			return r, nil
		}
	}
	return nil, at.errorf(0, "repository %s/%s is not in projects.yaml", key, slug)
}

var (
	fullHash      = regexp.MustCompile(`^[0-9a-f]{40}$`)
	unknownAuthor = regexp.MustCompile(`^(.+) <([^<>]+)>$`)
)

func (b *builder) addCommits(f commitsFile) error {
	r, err := b.repository(f.at, f.project, f.slug)
	if err != nil {
		return err
	}
	for i, d := range f.commits {
		if !fullHash.MatchString(d.ID.value) {
			return f.at.errorf(d.ID.line, "commit id %q is not 40 hexadecimal digits", d.ID.value)
		}
		if r.commits[d.ID.value] != nil {
			return f.at.errorf(d.ID.line, "commit %s is there twice", d.ID.value)
		}
		c := &commit{id: d.ID.value, at: d.At.time, message: strings.TrimRight(d.Message, "\n"), order: i}
		if m := unknownAuthor.FindStringSubmatch(d.Author.value); m != nil {
			c.author = &person{name: m[1], email: m[2], unknown: true}
		} else if c.author, err = b.person(f.at, d.Author); err != nil {
			return err
		}
		if d.At.time.IsZero() || c.message == "" {
			return f.at.errorf(d.ID.line, "commit %s needs at and message", c.id)
		}
		r.commits[c.id] = c
	}
	for _, d := range f.commits {
		for _, w := range d.Parents {
			parent, err := findCommit(f.at, r, w)
			if err != nil {
				return err
			}
			if !parent.at.Before(r.commits[d.ID.value].at) {
				return f.at.errorf(w.line, "parent %s is not older than its child", w.value)
			}
			r.commits[d.ID.value].parents = append(r.commits[d.ID.value].parents, parent)
		}
	}
	return nil
}

// findCommit looks up a full id.
func findCommit(at place, r *repository, w word) (*commit, error) {
	if c := r.commits[w.value]; c != nil {
		return c, nil
	}
	return nil, at.errorf(w.line, "commit %q is not in %s/%s/commits.yaml", w.value, r.project.key, r.slug)
}

func (b *builder) addBranches() error {
	at := b.declared.projectsAt
	for i, d := range b.declared.projects {
		for j, d := range d.Repositories {
			r := b.projects[i].repositories[j]
			for _, d := range d.Branches {
				tip, err := findCommit(at, r, d.Commit)
				if err != nil {
					return err
				}
				r.branches = append(r.branches, &branch{name: d.Name.value, tip: tip})
			}
		}
	}
	return nil
}

// side looks up a branch and the commit it stands at.
func (b *builder) side(at place, r *repository, d sideDecl, which string) (*ref, error) {
	side := &ref{repository: r, branch: d.Branch.value}
	if side.branch == "" {
		return nil, at.errorf(1, "%s needs a branch", which)
	}
	if d.Commit.value != "" {
		tip, err := findCommit(at, r, d.Commit)
		side.tip = tip
		return side, err
	}
	for _, branch := range r.branches {
		if branch.name == side.branch {
			side.tip = branch.tip
			return side, nil
		}
	}
	return nil, at.errorf(d.Branch.line, "branch %q is not among the branches of %s/%s and no commit is given",
		side.branch, r.project.key, r.slug)
}

// oneOf checks a word against the words that are known.
func oneOf(at place, w word, known ...string) error {
	if slices.Contains(known, w.value) {
		return nil
	}
	return at.errorf(w.line, "%q is none of %s", w.value, strings.Join(known, ", "))
}

// String names a pull request in errors.
func (p *pullRequest) String() string {
	return p.repository.project.key + "/" + p.repository.slug + " #" + strconv.Itoa(p.id)
}
