package fakebb

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bb-mcp/bb/fakebb/content"
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
	// files are those of each commit that was made, which its children begin with.
	files map[string]map[string]content.File
}

// build looks up every name of a scenario. An error names the place of what
// cannot be understood.
func build(d *declarations) (*store, error) {
	if d.start.time.IsZero() {
		return nil, d.startAt.errorf(1, "start is missing")
	}
	b := &builder{declared: d, files: map[string]map[string]content.File{}, store: &store{
		named:   map[*content.Store]map[string]string{},
		start:   d.start.time,
		byName:  map[string]*person{},
		bySlug:  map[string]*person{},
		byEmail: map[string]*person{},
		byKey:   map[string]*project{},
		builds:  map[string][]*commitBuild{},
	}}
	if err := b.addPeople(); err != nil {
		return nil, err
	}
	if err := b.addProjects(); err != nil {
		return nil, err
	}
	if err := b.addCommits(); err != nil {
		return nil, err
	}
	if err := b.addRefs(); err != nil {
		return nil, err
	}
	if err := b.addCommitComments(); err != nil {
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

// What keys and slugs are made of (bitbucket-rest.md 4). The key of a personal
// project is the owner's slug.
var (
	projectKeys = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9_-]*|~[A-Za-z0-9_.-]+)$`)
	slugs       = regexp.MustCompile(`^[a-z0-9_.-]+$`)
)

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
		if p.email != "" {
			b.byEmail[strings.ToLower(p.email)] = p
		}
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
		if !projectKeys.MatchString(d.Key.value) {
			return at.errorf(max(d.Key.line, d.Name.line), "the key of a project is letters, digits, _ and -, not %q", d.Key.value)
		}
		if b.byKey[p.key] != nil {
			return at.errorf(d.Key.line, "project %s is there twice", p.key)
		}
		b.byKey[p.key] = p
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
		if d.Writers != nil {
			if p.writers, err = b.set(at, d.Writers); err != nil {
				return err
			}
		}
		if p.admins, err = b.set(at, d.Admins); err != nil {
			return err
		}
		if p.projectRules, err = newProjectRules(b, at, p, d.projectRulesDecl); err != nil {
			return err
		}
		for j, d := range d.Repositories {
			r := &repository{
				id:           p.id*repositoriesEach + 1 + j,
				project:      p,
				slug:         d.Slug.value,
				name:         cmp.Or(d.Name, d.Slug.value),
				description:  d.Description,
				archived:     d.Archived,
				labels:       d.Labels,
				git:          content.New(),
				pullRequests: map[int]*pullRequest{},
				reports:      map[string][]*report{},
				comments:     map[string][]*comment{},
			}
			if !slugs.MatchString(r.slug) || p.repository(r.slug) != nil {
				return at.errorf(max(d.Slug.line, 1), "project %s: a repository needs a slug of its own, of small letters, digits, _, . and -, not %q", p.key, r.slug)
			}
			if d.ForkOf.value != "" {
				key, slug, _ := strings.Cut(d.ForkOf.value, "/")
				if r.origin, err = b.repository(at, key, slug, d.ForkOf.line); err != nil {
					return err
				}
				r.git = r.origin.git
			}
			if r.repositoryRules, err = newRepositoryRules(b, at, r, d.rulesDecl); err != nil {
				return err
			}
			p.repositories = append(p.repositories, r)
		}
		b.projects = append(b.projects, p)
	}
	return nil
}

// repository looks up a repository that a section's name or a line names.
func (b *builder) repository(at place, key, slug string, line int) (*repository, error) {
	if p := b.byKey[strings.ToUpper(key)]; p != nil {
		if r := p.repository(slug); r != nil {
			return r, nil
		}
	}
	return nil, at.errorf(line, "repository %s/%s is not in projects.yaml", key, slug)
}

// addRefs adds the branches and tags of every repository.
func (b *builder) addRefs() error {
	at := b.declared.projectsAt
	for i, d := range b.declared.projects {
		for j, d := range d.Repositories {
			r := b.projects[i].repositories[j]
			for _, d := range d.Branches {
				tip, err := b.commit(at, r, d.Commit)
				if err != nil {
					return err
				}
				if !content.ValidBranch(d.Name.value) {
					return at.errorf(max(d.Name.line, d.Commit.line), "git refuses the branch name %q", d.Name.value)
				}
				if r.branch(d.Name.value) != nil {
					return at.errorf(d.Name.line, "branch %s is there twice", d.Name.value)
				}
				r.branches = append(r.branches, &branch{name: d.Name.value, tip: tip})
			}
			for k, d := range d.Attachments {
				a, err := newAttachment(at, k+1, d)
				if err != nil {
					return err
				}
				r.attachments = append(r.attachments, a)
			}
			for k, d := range d.Webhooks {
				h, err := newWebhook(at, k+1, d)
				if err != nil {
					return err
				}
				r.webhooks = append(r.webhooks, h)
			}
			for _, d := range d.Deployments {
				if err := b.addDeployment(at, r, d); err != nil {
					return err
				}
			}
			for _, d := range d.Tags {
				if err := b.addTag(at, r, d); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (b *builder) addTag(at place, r *repository, d tagDecl) error {
	t := &tag{name: d.Name.value}
	if !content.ValidBranch(t.name) {
		return at.errorf(max(d.Name.line, d.Commit.line), "git refuses the tag name %q", t.name)
	}
	var err error
	if t.commit, err = b.commit(at, r, d.Commit); err != nil {
		return err
	}
	if d.Message != "" {
		by, err := b.person(at, d.By)
		if err != nil {
			return err
		}
		if d.At.time.IsZero() {
			return at.errorf(d.Name.line, "a tag with a message needs at")
		}
		spec := content.TagSpec{Name: t.name, Target: t.commit, Tagger: signature(by, d.At.time), Message: d.Message}
		if t.object, err = r.git.Tag(spec); err != nil {
			return at.errorf(d.Name.line, "tag %s: %v", t.name, err)
		}
	}
	r.tags = append(r.tags, t)
	return nil
}

// side looks up a branch and the commit it stands at.
func (b *builder) side(at place, r *repository, d sideDecl, which string) (*ref, error) {
	if d.Repository.value != "" {
		key, slug, _ := strings.Cut(d.Repository.value, "/")
		fork, err := b.repository(at, key, slug, d.Repository.line)
		if err != nil {
			return nil, err
		}
		if fork.git != r.git {
			return nil, at.errorf(d.Repository.line, "%s is no fork of %s/%s", d.Repository.value, r.project.key, r.slug)
		}
		r = fork
	}
	side := &ref{repository: r, branch: d.Branch.value}
	if side.branch == "" {
		return nil, at.errorf(1, "%s needs a branch", which)
	}
	if d.Commit.value != "" {
		tip, err := b.commit(at, r, d.Commit)
		side.tip = tip
		return side, err
	}
	if branch := r.branch(headsPrefix + side.branch); branch != nil {
		side.tip = branch.tip
		return side, nil
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
	return p.repository.String() + " #" + strconv.Itoa(p.id)
}
