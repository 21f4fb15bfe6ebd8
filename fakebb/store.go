package fakebb

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bb-mcp/bb/fakebb/content"
)

// store is what is in the Bitbucket, with names looked up. The routes read it
// and draw from it; nothing of the wire is in it.
type store struct {
	start        time.Time
	people       []*person // in the scenario's order
	byName       map[string]*person
	bySlug       map[string]*person
	byEmail      map[string]*person                   // lower-case addresses
	projects     []*project                           // by name
	byKey        map[string]*project                  // upper-case keys
	pullRequests []*pullRequest                       // in the scenario's order
	builds       map[string][]*commitBuild            // by commit, over all repositories
	named        map[*content.Store]map[string]string // commits by the scenario's names
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
	writers                map[*person]bool // nil: every reader
	admins                 map[*person]bool
	repositories           []*repository // by name
	projectRules
}

type repository struct {
	id                      int
	project                 *project
	slug, name, description string
	archived                bool
	labels                  []string
	origin                  *repository    // of a fork
	git                     *content.Store // a fork shares its origin's
	branches                []*branch      // the default branch first
	tags                    []*tag
	pullRequests            map[int]*pullRequest // those into the repository
	reports                 map[string][]*report // by commit
	deployments             []deployment
	attachments             []attachment
	webhooks                []webhookJSON
	comments                map[string][]*comment // on commits, by commit, oldest first
	repositoryRules
	// memory remembers merges and comparisons that were made (see remember).
	memory sync.Map
}

// String is how errors and messages name a repository: ORCH/catalogue.
func (r *repository) String() string { return r.project.key + "/" + r.slug }

// branch is a branch with the id of the commit it stands at. Commits are known
// by their full ids everywhere.
type branch struct{ name, tip string }

// tag is a tag; object is the id of an annotated one.
type tag struct{ name, commit, object string }

const (
	headsPrefix = "refs/heads/"
	tagsPrefix  = "refs/tags/"
)

func (b *branch) id() string { return headsPrefix + b.name }

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
	mergeResult  *mergeResultJSON // as lists carry it, nil for what the merge check says
	created      int64
	updated      int64
	closed       int64 // 0 while open
	source       *ref
	target       *ref
	author       *participant
	reviewers    []*participant
	participants []*participant
	activities   []*activity // newest first
	mergeCommit  string
	autoMerge    *activity // that requested it, nil when nobody did
}

// ref is one side of a pull request.
type ref struct {
	repository *repository
	branch     string
	tip        string
}

func (r *ref) id() string { return headsPrefix + r.branch }

type participant struct {
	person   *person
	role     string
	status   string
	reviewed string
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

// git is the store of the pull request's commits, those of a fork included.
func (p *pullRequest) git() *content.Store { return p.repository.git }

// base is the merge base of the two sides, "" when their histories are
// unrelated.
func (p *pullRequest) base() string { return mergeBase(p.git(), p.target.tip, p.source.tip) }

func mergeBase(git *content.Store, a, b string) string {
	base, err := git.MergeBase(a, b)
	if err != nil && !errors.Is(err, content.ErrNotFound) {
		panic(err) // both are commits of the store
	}
	return base
}

// commitsAdded are the commits the pull request brings, newest first.
func (p *pullRequest) commitsAdded() []content.CommitInfo {
	return between(p.git(), p.source.tip, p.target.tip)
}

// merged is what comes of merging the source into the target.
func (p *pullRequest) merged() content.MergeResult {
	return remember(&p.repository.memory, tips{p.source.tip, p.target.tip}, func() content.MergeResult {
		result, err := p.git().Merge(p.target.tip, p.source.tip)
		if err != nil {
			panic(err) // both are commits of the store
		}
		return result
	})
}

// outcome is what a merge check would say of a merge.
func (p *pullRequest) outcome() string {
	if len(p.merged().Conflicts) > 0 {
		return outcomeConflict
	}
	return outcomeClean
}

// between returns what can be reached from in and not from any of out, newest
// first. All are commits of the store.
func between(git *content.Store, in string, out ...string) []content.CommitInfo {
	commits, err := git.Log(content.LogOptions{From: []string{in}, Exclude: out})
	if err != nil {
		panic(err)
	}
	return commits
}

// commit returns a commit of the repository that is known to be there.
func (r *repository) commit(id string) content.CommitInfo {
	c, err := r.git.CommitInfo(id)
	if err != nil {
		panic(err)
	}
	return c
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

// resolve returns the id of the commit that a name names: a branch, a tag, the
// source of a pull request, or a full or short id.
func (r *repository) resolve(name string) (string, bool) {
	if b := r.branch(name); b != nil {
		return b.tip, true
	}
	if t := r.tag(name); t != nil {
		return t.commit, true
	}
	if number, ok := strings.CutPrefix(name, "refs/pull-requests/"); ok {
		number, ok = strings.CutSuffix(number, "/from")
		if id, err := parseNumber(number); ok && err == nil && r.pullRequests[id] != nil {
			return r.pullRequests[id].source.tip, true
		}
		return "", false
	}
	if name == "HEAD" && len(r.branches) > 0 {
		return r.branches[0].tip, true
	}
	c, err := r.git.CommitInfo(strings.ToLower(name))
	return c.ID, err == nil
}

// branch returns the branch with that name: full, with heads/ or short.
func (r *repository) branch(name string) *branch {
	for _, b := range r.branches {
		if name == b.name || name == b.id() || name == "heads/"+b.name {
			return b
		}
	}
	return nil
}
