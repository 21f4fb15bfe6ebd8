package fakebb

import (
	"slices"

	"github.com/bb-mcp/bb/fakebb/content"
)

// pullRequestDiffRoutes are what a pull request changes.
var pullRequestDiffRoutes = []route{
	{method: "GET", path: onePull + "/changes", answer: listPullRequestChanges,
		evidence: "bitbucket-rest.md 10.9 [O][P][F], pr-changes-conflict.json, pr-changes-move-percent.json"},
	{method: "GET", path: onePull + "/diff/{path...}", answer: getPullRequestDiff, produces: []string{mediaJSON, mediaText},
		evidence: "bitbucket-rest.md 13 [O][F][A][L], bitbucket-probed.md 4, 8, diff-pr-many-files.json, diff-add-delete-context.json, diff-9x-vendor-mock.json"},
	{method: "GET", path: onePull + ".diff", answer: getPullRequestDiffText, produces: []string{mediaText},
		evidence: "bitbucket-rest.md 13 [O]; that JSON is refused 1 [L][P]"},
	{method: "GET", path: onePull + ".patch", answer: getPullRequestPatch, produces: []string{mediaText},
		evidence: "bitbucket-rest.md 13 [O]; that JSON is refused 1 [L][P]"},
	{method: "GET", path: onePull + "/merge-base", answer: getPullRequestMergeBase,
		evidence: "bitbucket-rest.md 10.7 [O]"},
}

// scope is which changes of a pull request a request is about.
type scope struct {
	comparison
	kind     string // ALL, UNREVIEWED or RANGE
	diffType string
}

// scope reads changeScope, or with sinceId and untilId a range.
func (x *exchange) scope(p *pullRequest) (scope, error) {
	s := scope{p.effective(), "ALL", diffEffective}
	kind, err := x.choice("changeScope", "", "ALL", "UNREVIEWED", "RANGE")
	if err != nil {
		return scope{}, err
	}
	since, until := x.query.Get("sinceId"), x.query.Get("untilId")
	switch {
	case kind == "UNREVIEWED":
		if reviewed := x.unreviewedSince(p); reviewed != "" {
			s.from, s.fromHash, s.kind, s.diffType = reviewed, reviewed, kind, diffRange
		}
		return s, nil
	case kind == "RANGE" && (since == "" || until == ""):
		return scope{}, invalidArgument("sinceId and untilId are required for changes of the scope RANGE.")
	case kind == "ALL" || since == "" && until == "":
		return s, nil
	}
	s.kind, s.diffType = "RANGE", diffRange
	if until != "" {
		if s.to, err = x.revision(p.source.repository, until); err != nil {
			return scope{}, err
		}
	}
	commit := p.repository.commit(s.to)
	if since == "" {
		// One commit, compared with its parent.
		s.comparison = ofCommit(p.repository, commit)
		s.diffType = diffCommit
		return s, nil
	}
	if s.from, err = x.revision(p.source.repository, since); err != nil {
		return scope{}, err
	}
	s.fromHash = s.from
	if slices.Contains(commit.Parents, s.from) {
		s.diffType = diffCommit
	}
	return s, nil
}

// unreviewedSince is the commit the caller reviewed last, "" when everything or
// nothing is unreviewed: then all changes are shown.
func (x *exchange) unreviewedSince(p *pullRequest) string {
	part := p.as(x.caller)
	if part == nil || part.reviewed == "" || part.reviewed == p.source.tip {
		return ""
	}
	if still, err := p.git().IsAncestor(part.reviewed, p.source.tip); err != nil || !still {
		return "" // the source was rebased
	}
	return part.reviewed
}

// fileOf narrows a comparison to the path of the request.
func (x *exchange) fileOf(k *comparison, revision string) error {
	var err error
	if k.path, err = x.path(revision); err != nil {
		return err
	}
	k.srcPath, err = cleanPath(x.query.Get("srcPath"), revision)
	return err
}

// looks reads how a diff is to be drawn. A number of lines that cannot be read
// is the framework's 404; a negative one means the default (belief).
func (x *exchange) looks(k *comparison) error {
	k.ignoreWhitespace = x.query.Get("whitespace") == "ignore-all"
	if text := x.query.Get("contextLines"); text != "" {
		n, err := parseNumber(text)
		if err != nil {
			return notFound("contextLines is a number")
		}
		if n >= 0 {
			k.context = n
		}
	}
	return nil
}

func getPullRequestDiff(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	x.streamed = true
	s, err := x.scope(p)
	if err != nil {
		return nil, err
	}
	if err := x.looks(&s.comparison); err != nil {
		return nil, err
	}
	if err := x.fileOf(&s.comparison, s.to); err != nil {
		return nil, err
	}
	if x.kind == mediaText {
		return x.diffText(s.comparison), nil
	}
	var comments []placed
	if x.query.Get("withComments") != "false" {
		comments = x.commentsIn(p, s)
	}
	return x.drawDiffs(s.comparison, comments, true), nil
}

// commentsIn are the comments that are drawn on a diff: those of its type, and
// of a commit's or a range's diff those made on just that.
func (x *exchange) commentsIn(p *pullRequest, s scope) []placed {
	return slices.DeleteFunc(x.placed(p), func(c placed) bool {
		return c.spot.orphaned || c.spot.diffType != s.diffType ||
			s.diffType != diffEffective && (c.spot.comparison.from != s.from || c.spot.comparison.to != s.to)
	})
}

func getPullRequestDiffText(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	k := p.effective()
	if err := x.looks(&k); err != nil {
		return nil, err
	}
	return x.diffText(k), nil
}

// getPullRequestPatch answers the commits as mails.
func getPullRequestPatch(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	return x.patchText(p.repository, p.target.tip, p.source.tip), nil
}

func getPullRequestMergeBase(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	base := p.base()
	if base == "" {
		return noContent(), nil
	}
	return x.drawCommitWithParents(p.repository, base), nil
}

// pullRequestChangesJSON is the one page of changes of a pull request.
type pullRequestChangesJSON struct {
	FromHash   string              `json:"fromHash"`
	ToHash     string              `json:"toHash"`
	Properties scopePropertiesJSON `json:"properties"`
	streamJSON[changeJSON]
}

// scopePropertiesJSON says which changes these are; with UNREVIEWED also of
// which commits (that form is belief).
type scopePropertiesJSON struct {
	ChangeScope       string           `json:"changeScope"`
	UnreviewedCommits *someCommitsJSON `json:"unreviewedCommits,omitempty"`
}

// listPullRequestChanges answers one page, cut at the limit; start is ignored.
// A cut page says that it is not the last and names no next one, because there
// is none (belief).
func listPullRequestChanges(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	w.start = 0
	s, err := x.scope(p)
	if err != nil {
		return nil, err
	}
	j := pullRequestChangesJSON{FromHash: s.fromHash, ToHash: s.to, Properties: scopePropertiesJSON{ChangeScope: s.kind}}
	if s.kind == "UNREVIEWED" {
		j.Properties.UnreviewedCommits = x.someCommits(between(p.git(), s.to, s.from))
	}
	conflicts := map[string]content.Conflict{}
	if s.diffType == diffEffective && p.state == stateOpen {
		for _, c := range p.merged().Conflicts {
			conflicts[c.Path] = c
		}
	}
	active, orphaned := map[content.Change]int{}, map[string]int{}
	if x.query.Get("withComments") != "false" {
		for _, c := range x.placed(p) {
			switch n := x.countVisible(c.comment); {
			case c.spot.orphaned && s.diffType == diffEffective:
				orphaned[c.spot.change.Path] += n
			case !c.spot.orphaned && c.spot.diffType == s.diffType:
				active[c.spot.change] += n
			}
		}
	}
	j.streamJSON = streamOf(w, s.changes(), func(c content.Change) changeJSON {
		change := x.drawChange(c, "")
		if conflict, ok := conflicts[c.Path]; ok {
			change.Conflict = drawConflict(conflict)
		}
		change.Properties.ActiveComments = active[c]
		change.Properties.OrphanedComments = orphaned[c.Path]
		return change
	})
	j.NextPageStart = nil
	return j, nil
}

// countVisible is how many comments of a thread the caller sees.
func (x *exchange) countVisible(root *comment) int {
	n := 0
	for _, c := range root.thread() {
		if c.visibleTo(x.caller) {
			n++
		}
	}
	return n
}
