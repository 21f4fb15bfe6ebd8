package fakebb

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/bb-mcp/bb/fakebb/content"
)

// compareRoutes are what lies between two commits.
var compareRoutes = []route{
	{method: "GET", path: repositories + "/changes", answer: listChanges,
		evidence: "bitbucket-rest.md 9 [O]; the sentence without until is belief"},
	{method: "GET", path: repositories + "/diff/{path...}", answer: getDiff, produces: []string{mediaJSON, mediaText},
		evidence: "bitbucket-rest.md 9, 13 [O]"},
	{method: "GET", path: repositories + "/patch", answer: getPatch, produces: []string{mediaText},
		evidence: "bitbucket-rest.md 8.5 [O]; of a merge without since, and how long it may be kept, is belief"},
	{method: "GET", path: repositories + "/compare/commits", answer: compareCommits,
		evidence: "bitbucket-rest.md 9 [O]"},
	{method: "GET", path: repositories + "/compare/changes", answer: compareChanges,
		evidence: "bitbucket-rest.md 9 [O][F], compare-changes.json; that it is three-dot [I]"},
	{method: "GET", path: repositories + "/compare/diff/{path...}", answer: compareDiff, produces: []string{mediaJSON, mediaText},
		evidence: "bitbucket-rest.md 9, 13 [O]; that it is three-dot [I]"},
}

// twoDot is what changed from since, or the first parent, to until, which must
// be given.
func (x *exchange) twoDot() (comparison, error) {
	r, err := x.repository()
	if err != nil {
		return comparison{}, err
	}
	if x.query.Get("until") == "" {
		return comparison{}, invalidArgument("The until parameter is required.")
	}
	until, err := x.named(r, "until")
	if err != nil {
		return comparison{}, err
	}
	k := ofCommit(r, r.commit(until))
	err = x.since(&k)
	return k, err
}

func listChanges(x *exchange) (any, error) {
	k, err := x.twoDot()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	j := changesJSON{ToHash: k.to, streamJSON: x.drawChanges(w, k)}
	if k.fromHash != "" {
		j.FromHash = &k.fromHash
	}
	return j, nil
}

func getDiff(x *exchange) (any, error) {
	x.stream()
	k, err := x.twoDot()
	if err != nil {
		return nil, err
	}
	return x.answerDiff(k, nil)
}

// getPatch answers the commits from since to until as mails: without since the
// one commit, with allAncestors, which since does not matter to, everything
// before it as well. A commit without parents has nothing before it.
func getPatch(x *exchange) (any, error) {
	x.streamed = true
	k, err := x.twoDot()
	if err != nil {
		return nil, err
	}
	switch {
	case x.query.Get("allAncestors") == "true":
		k.from = ""
	case x.query.Get("since") == "":
		k.from, k.to = lastMailed(k.repository, k.to)
	}
	patch := x.patchText(k.repository, k.from, k.to)
	if x.query.Get("until") == k.to && (x.query.Get("since") == "" || x.query.Get("since") == k.from) {
		patch.cacheControl = forEver // only whole ids are sure to mean the same tomorrow
	}
	return patch, nil
}

// forEver is how an answer says that it will not change.
const forEver = "private, max-age=31536000"

// lastMailed is the commit that git format-patch -1 makes a mail of, with its
// parent: as a merge has none, the one before it.
func lastMailed(r *repository, id string) (parent, commit string) {
	commits, err := r.git.Log(content.LogOptions{From: []string{id}, Merges: content.ExcludeMerges, Limit: 1})
	if err != nil || len(commits) == 0 {
		panic(err) // a history begins with a commit that is no merge
	}
	if len(commits[0].Parents) == 0 {
		return "", commits[0].ID
	}
	return commits[0].Parents[0], commits[0].ID
}

// ends are the two sides of a comparison: what from has and to lacks.
func (x *exchange) ends() (r *repository, from, to string, err error) {
	if r, err = x.repository(); err != nil {
		return nil, "", "", err
	}
	source := r
	if name := x.query.Get("fromRepo"); name != "" {
		if source, err = x.otherRepository(name); err != nil {
			return nil, "", "", err
		}
	}
	if from, err = x.named(source, "from"); err != nil {
		return nil, "", "", err
	}
	if source.git != r.git {
		// Of another fork network: the commit is not to be had here (belief).
		return nil, "", "", noSuchCommit(from, r)
	}
	to, err = x.named(r, "to")
	return r, from, to, err
}

// otherRepository finds a repository by its id or as KEY/slug.
func (x *exchange) otherRepository(name string) (*repository, error) {
	if strings.Contains(name, "/") {
		return x.namedRepository(name)
	}
	for _, r := range x.store.everyRepository() {
		switch {
		case strconv.Itoa(r.id) != name:
		case !r.project.readableBy(x.caller):
			return nil, notPermitted()
		default:
			return r, nil
		}
	}
	// The sentence is belief.
	return nil, &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Repository with ID %s does not exist.", name),
		exception: bitbucketPackage + "repository.NoSuchRepositoryException"}
}

func compareCommits(x *exchange) (any, error) {
	r, from, to, err := x.ends()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxCommits)
	if err != nil {
		return nil, err
	}
	return streamOf(w, between(r.git, from, to), x.drawCommit), nil
}

// threeDot is what from changed since it left to.
func (x *exchange) threeDot() (comparison, error) {
	r, from, to, err := x.ends()
	if err != nil {
		return comparison{}, err
	}
	base := mergeBase(r.git, to, from)
	return comparison{repository: r, from: base, to: from, fromHash: base, context: defaultContext}, nil
}

func compareChanges(x *exchange) (any, error) {
	k, err := x.threeDot()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	return x.drawChanges(w, k), nil
}

func compareDiff(x *exchange) (any, error) {
	x.stream()
	k, err := x.threeDot()
	if err != nil {
		return nil, err
	}
	return x.answerDiff(k, nil)
}
