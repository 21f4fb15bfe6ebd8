package fakebb

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// store is what is in the Bitbucket, with names looked up. The routes read it
// and draw from it; nothing of the wire is in it.
type store struct {
	start        time.Time
	people       []*person // in the scenario's order
	byName       map[string]*person
	bySlug       map[string]*person
	projects     []*project                // by name
	byKey        map[string]*project       // upper-case keys
	pullRequests []*pullRequest            // in the scenario's order
	builds       map[string][]*commitBuild // by commit, over all repositories
}

type person struct {
	id          int
	name, slug  string
	displayName string
	email       string
	service     bool
	unknown     bool // a commit's author whom Bitbucket cannot match
}

type project struct {
	id                     int
	key, name, description string
	owner                  *person          // of a personal project
	readers                map[*person]bool // nil: everyone
	admins                 map[*person]bool
	repositories           []*repository // by name
}

type repository struct {
	id                      int
	project                 *project
	slug, name, description string
	branches                []*branch
	commits                 map[string]*commit
	pullRequests            map[int]*pullRequest
	conditions              []*condition
	allTasksResolved        bool
	reports                 map[string][]*report // by commit
}

type branch struct {
	name string
	tip  *commit
}

const headsPrefix = "refs/heads/"

func (b *branch) id() string { return headsPrefix + b.name }

type commit struct {
	id      string
	author  *person
	at      time.Time
	message string
	parents []*commit
	order   int // of the scenario, newest first
}

// The states of a pull request and of its participants, on the wire.
const (
	stateOpen       = "OPEN"
	stateMerged     = "MERGED"
	stateDeclined   = "DECLINED"
	unapproved      = "UNAPPROVED"
	needsWork       = "NEEDS_WORK"
	approved        = "APPROVED"
	outcomeClean    = "CLEAN"
	outcomeConflict = "CONFLICTED"
	outcomeUnknown  = "UNKNOWN"
)

type pullRequest struct {
	repository   *repository
	id, version  int
	title        string
	description  string
	state        string
	draft        bool
	conflicted   bool
	mergeOutcome string // as lists carry it
	mergeCurrent bool
	created      int64
	updated      int64
	closed       int64 // 0 while open
	source       *ref
	target       *ref
	author       *participant
	reviewers    []*participant
	participants []*participant
	diffs        []*fileDiff
	activities   []*activity // newest first
	mergeCommit  *commit
}

// ref is one side of a pull request.
type ref struct {
	repository *repository
	branch     string
	tip        *commit
}

func (r *ref) id() string { return headsPrefix + r.branch }

type participant struct {
	person   *person
	role     string
	status   string
	reviewed *commit
}

const (
	roleAuthor      = "AUTHOR"
	roleReviewer    = "REVIEWER"
	roleParticipant = "PARTICIPANT"
)

// everyone returns the participants in the order Bitbucket lists them: author,
// reviewers, the others.
func (p *pullRequest) everyone() []*participant {
	return slices.Concat([]*participant{p.author}, p.reviewers, p.participants)
}

// as returns the part that person has, nil for none.
func (p *pullRequest) as(who *person) *participant {
	for _, participant := range p.everyone() {
		if participant.person == who {
			return participant
		}
	}
	return nil
}

// roots are the root comments, newest first.
func (p *pullRequest) roots() []*comment {
	var roots []*comment
	for _, a := range p.activities {
		if a.comment != nil {
			roots = append(roots, a.comment)
		}
	}
	return roots
}

// commitsAdded are the commits the pull request brings, newest first.
func (p *pullRequest) commitsAdded() []*commit {
	return between(p.source.tip, p.target.tip)
}

// reachable returns the commit and everything it descends from.
func (c *commit) reachable() map[*commit]bool {
	seen := map[*commit]bool{}
	todo := []*commit{c}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[c] {
			seen[c] = true
			todo = append(todo, c.parents...)
		}
	}
	return seen
}

// between returns what can be reached from in and not from any of out, newest
// first.
func between(in *commit, out ...*commit) []*commit {
	found := in.reachable()
	for _, c := range out {
		for known := range c.reachable() {
			delete(found, known)
		}
	}
	var commits []*commit
	for c := range found {
		commits = append(commits, c)
	}
	slices.SortFunc(commits, func(a, b *commit) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.order, b.order))
	})
	return commits
}

// readableBy says whether that person may see the project.
func (p *project) readableBy(who *person) bool {
	return who != nil && (p.readers == nil || p.readers[who] || p.owner == who)
}

// administeredBy says whether that person administers it.
func (p *project) administeredBy(who *person) bool {
	return who != nil && (p.admins[who] || p.owner == who)
}

// repository returns the repository with that slug, in any letter case.
func (p *project) repository(slug string) *repository {
	for _, r := range p.repositories {
		if strings.EqualFold(r.slug, slug) {
			return r
		}
	}
	return nil
}

// commit returns the commit with that full or short id, or the tip of the
// branch with that name.
func (r *repository) commit(id string) *commit {
	if c := r.commits[strings.ToLower(id)]; c != nil {
		return c
	}
	for _, b := range r.branches {
		if b.id() == id || b.name == id {
			return b.tip
		}
	}
	// Git takes an abbreviation of at least four digits that names one commit.
	var found *commit
	if len(id) >= 4 {
		for full, c := range r.commits {
			if !strings.HasPrefix(full, strings.ToLower(id)) {
				continue
			}
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}
