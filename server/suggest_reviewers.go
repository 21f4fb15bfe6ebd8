package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

func suggestReviewersTool() Tool {
	return define(Tool{
		Name:  "suggest_reviewers",
		Title: "Suggest reviewers",
		Scope: scopeRule{places: []placeArguments{{"project", "repo", true}, {"sourceProject", "sourceRepo", false}}},
		Description: "Says who could review a pull request, or one from source to target, and why: default reviewers, code owners, reviewer groups. " +
			"With text finds people by name, for their login.",
	}, func(in *jsonschema.Schema) {
		named(in, "project", "repo")
		between(in, "id", 1, 0, 0)
		between(in, "limit", 1, maxLimit, defaultLimit)
		between(in, "start", 0, 0, 0)
	}, func(ctx context.Context, s *Server, in ReviewerQuestion) (report[ReviewersAnswer], error) {
		a, err := s.SuggestReviewers(ctx, in)
		if err != nil {
			return report[ReviewersAnswer]{}, err
		}
		return listReport(a), nil
	})
}

// ReviewerQuestion says for which pull request reviewers are looked for: one
// there is, or one that would go from source to target.
type ReviewerQuestion struct {
	Project       string `json:"project" jsonschema:"Of the target; ~user for a personal one"`
	Repo          string `json:"repo"`
	ID            int    `json:"id,omitempty" jsonschema:"Pull request; or give source and target"`
	Source        string `json:"source,omitempty" jsonschema:"Branch"`
	Target        string `json:"target,omitempty" jsonschema:"Branch"`
	SourceProject string `json:"sourceProject,omitempty" jsonschema:"When source is in a fork"`
	SourceRepo    string `json:"sourceRepo,omitempty"`
	Text          string `json:"text,omitempty" jsonschema:"Only people whose name, login or address has it"`
	Limit         int    `json:"limit,omitempty"`
	Start         int    `json:"start,omitempty"`
}

// ReviewersAnswer is who could review, each person once: default reviewers,
// then code owners, then members of reviewer groups, or with text whoever may
// read the repository and has it in name, login or address. The author is left
// out: nobody reviews their own.
type ReviewersAnswer struct {
	Project string `json:"project"`
	Repo    string `json:"repo"`
	ID      int    `json:"id,omitempty"`
	// Author is the pull request's, or the caller, who would open it.
	Author    string              `json:"author,omitempty" jsonschema:"Login; left out, as nobody reviews their own"`
	Reviewers []SuggestedReviewer `json:"reviewers"`
	Page
	Unavailable []UnavailablePart `json:"unavailable,omitempty" jsonschema:"Not asked with success"`

	of             ReviewerQuestion
	source, target bitbucket.RefIn
	author         *Person
}

// SuggestedReviewer is a person who could review.
type SuggestedReviewer struct {
	Person
	// Status is set for one who is asked to review already.
	Status string `json:"status,omitempty" jsonschema:"When already a reviewer"`
	Why    []Why  `json:"why"`
	// MoreWhy keeps one person from filling an answer.
	MoreWhy int `json:"moreReasons,omitempty"`
}

// The reasons for suggesting a person.
const (
	whyDefault = "DEFAULT_REVIEWER"
	whyOwner   = "CODE_OWNER"
	whyGroup   = "REVIEWER_GROUP"
	whyName    = "NAME_MATCHES"
)

// Why is one reason for suggesting a person.
type Why struct {
	Reason string `json:"reason" jsonschema:"DEFAULT_REVIEWER, CODE_OWNER, REVIEWER_GROUP or NAME_MATCHES"`
	// Of is the condition that makes a default reviewer, or the group's name.
	Of        string `json:"of,omitempty" jsonschema:"The condition, or the group"`
	Approvals int    `json:"requiredApprovals,omitempty"`
	// OneOf: which of several conditions applies, only Bitbucket knows.
	OneOf bool `json:"oneOf,omitempty" jsonschema:"One of these conditions applies"`
}

// check says what does not fit together; it also fills in defaults.
func (q *ReviewerQuestion) check() error {
	if q.Limit == 0 {
		q.Limit = defaultLimit
	}
	between := q.Source != "" || q.Target != ""
	switch {
	case q.ID > 0 && (between || q.SourceProject != "" || q.SourceRepo != ""):
		return errors.New("id names a pull request, which has its source and target: give id alone, or source and target")
	case q.ID == 0 && between && (q.Source == "" || q.Target == ""):
		return errors.New("source and target go together: give both branches, or id")
	case (q.SourceProject == "") != (q.SourceRepo == ""):
		return errors.New("sourceProject and sourceRepo go together: give both for a fork, or neither")
	case q.SourceRepo != "" && q.Source == "":
		return errors.New("sourceProject and sourceRepo say where source is: give source and target too")
	case q.ID == 0 && !between && strings.TrimSpace(q.Text) == "":
		return errors.New("say for what: id, or source and target; or text to find people by name")
	}
	q.Text = strings.TrimSpace(q.Text)
	return nil
}

// The parts of the answer, as unavailable names them.
const (
	partDefaultReviewers = "defaultReviewers"
	partConditions       = "defaultReviewerConditions"
	partCodeOwners       = "codeOwners"
	partGroups           = "reviewerGroups"
	partProjectGroups    = "projectReviewerGroups"
)

// groupsRead and peopleRead are how many reviewer groups of each kind and how
// many people of a name are read: a page of Bitbucket's.
const (
	groupsRead = 1000
	peopleRead = 1000
)

// SuggestReviewers answers who could review, and why, in two steps: what the
// pull request or its two ends are (one request; for source and target three,
// from a fork four), then five requests side by side. A text adds one, and a
// text alone takes three in one step.
func (s *Server) SuggestReviewers(ctx context.Context, q ReviewerQuestion) (ReviewersAnswer, error) {
	a := ReviewersAnswer{Project: q.Project, Repo: q.Repo, ID: q.ID, Reviewers: []SuggestedReviewer{}}
	if err := q.check(); err != nil {
		return a, err
	}
	a.of = q
	statuses := map[string]string{}
	switch {
	case q.ID > 0:
		t := Target{q.Project, q.Repo, q.ID}
		p, err := s.o.Bitbucket.PullRequest(ctx, q.Project, q.Repo, q.ID)
		if err != nil {
			return a, about(t.String(), err)
		}
		a.source = bitbucket.RefIn{Repository: p.FromRef.Repository, ID: p.FromRef.ID}
		a.target = bitbucket.RefIn{Repository: p.ToRef.Repository, ID: p.ToRef.ID}
		a.author = new(person(p.Author.User))
		for _, r := range p.Reviewers {
			statuses[r.User.Name] = r.Status
		}
	case q.Source != "":
		var err error
		if a.source, a.target, err = s.ends(ctx, q); err != nil {
			return a, err
		}
	}
	if r := a.target.Repository; r.Slug != "" {
		a.Project, a.Repo = r.Project.Key, r.Slug
	}

	f, err := s.askReviewers(ctx, &a)
	if err != nil {
		return a, about(fmt.Sprintf("reviewers of %s/%s", q.Project, q.Repo), err)
	}
	if q.Source != "" {
		a.author = s.caller(ctx, f.users()...)
	}
	if a.author != nil {
		a.Author = a.author.Name
	}
	all := f.all(q.Text != "")
	all = slices.DeleteFunc(all, func(r SuggestedReviewer) bool { return a.author != nil && r.Name == a.author.Name })
	for i := range all {
		all[i].Status = statuses[all[i].Name]
	}
	end := min(len(all), q.Start+q.Limit)
	a.Reviewers = append(a.Reviewers, all[min(q.Start, len(all)):end]...)
	a.Page = Page{Count: countOf(len(all), f.complete), LimitReached: end < len(all) || f.more, start: q.Start}
	if end < len(all) {
		a.NextStart = end
	}
	return a, nil
}

// ends finds the branches of a pull request that is not there yet. Only these
// endpoints need full refs, and a name is one branch's only if it is exactly
// that (REST-14, REST-22).
func (s *Server) ends(ctx context.Context, q ReviewerQuestion) (source, target bitbucket.RefIn, err error) {
	from := Place{cmp.Or(q.SourceProject, q.Project), cmp.Or(q.SourceRepo, q.Repo)}
	to := Place{q.Project, q.Repo}
	bb := s.o.Bitbucket
	failed := make([]error, 4)
	var beside side
	find := func(i int, argument string, at Place, name string, end *bitbucket.RefIn) {
		beside.run(func() {
			b, near, found, err := bb.BranchNamed(ctx, at.Project, at.Repo, name)
			switch {
			case err != nil:
				failed[i] = about(fmt.Sprintf("branches of %s", at), err)
			case !found && len(near) > 0:
				failed[i] = fmt.Errorf("%s: %s has no branch %s; names like it: %s", argument, quote.Visible(at.String()), quote.Line(name), quotedList(near))
			case !found:
				failed[i] = fmt.Errorf("%s: %s has no branch %s; a tag or a commit cannot be the %s of a pull request", argument, quote.Visible(at.String()), quote.Line(name), argument)
			default:
				end.ID = b.ID
			}
		})
	}
	read := func(i int, at Place, end *bitbucket.RefIn) {
		beside.run(func() {
			if end.Repository, failed[i] = bb.RepositoryNamed(ctx, at.Project, at.Repo); failed[i] != nil {
				failed[i] = about(fmt.Sprintf("repository %s", at), failed[i])
			}
		})
	}
	read(0, to, &target)
	if from != to {
		read(1, from, &source)
	}
	find(2, "source", from, q.Source, &source)
	find(3, "target", to, q.Target, &target)
	beside.wait()
	if from == to {
		source.Repository = target.Repository
	}
	for _, err := range failed {
		if err != nil {
			return source, target, err
		}
	}
	if source.ID == target.ID && source.Repository.ID == target.Repository.ID {
		return source, target, errors.New("source and target are the same branch")
	}
	return source, target, nil
}

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote.Line(n)
	}
	return strings.Join(quoted, ", ")
}

// askReviewers asks for everyone who could review, side by side.
func (s *Server) askReviewers(ctx context.Context, a *ReviewersAnswer) (*candidates, error) {
	bb, f := s.o.Bitbucket, &candidates{source: a.source.ID, target: a.target.ID}
	home := Place{a.Project, a.Repo}
	var groups, projectGroups bitbucket.Listing[bitbucket.ReviewerGroup]
	var people bitbucket.Listing[bitbucket.User]
	var failed error // of what a text asks for, without which there is no answer
	parts := partsOf(ctx)
	if a.target.ID != "" {
		parts.read(partDefaultReviewers, func(ctx context.Context) (err error) {
			f.reviewers, err = bb.DefaultReviewers(ctx, a.source, a.target)
			return err
		})
		parts.read(partConditions, func(ctx context.Context) (err error) {
			f.conditions, err = bb.ReviewerConditions(ctx, home.Project, home.Repo)
			return err
		})
		parts.read(partCodeOwners, func(ctx context.Context) (err error) {
			if err := bb.Need(ctx, bitbucket.CodeOwners); err != nil {
				return err
			}
			f.owners, err = bb.CodeOwners(ctx, a.source, a.target)
			return noCodeOwners(err)
		})
	}
	parts.read(partGroups, func(ctx context.Context) (err error) {
		groups, err = bb.ListReviewerGroups(ctx, home.Project, home.Repo, groupsRead)
		return err
	})
	parts.read(partProjectGroups, func(ctx context.Context) (err error) {
		projectGroups, err = bb.ListProjectReviewerGroups(ctx, home.Project, groupsRead)
		return err
	})
	if a.of.Text != "" {
		parts.side.run(func() {
			people, failed = bb.FindReaders(ctx, home.Project, home.Repo, a.of.Text, peopleRead)
		})
	}
	var err error
	if a.Unavailable, err = parts.wait(); err != nil || failed != nil {
		return nil, cmp.Or(err, failed)
	}
	f.groups, f.named = slices.Concat(groups.Values, projectGroups.Values), people.Values
	if a.of.Text != "" { // the others only add reasons
		f.more = people.Next != 0
		f.complete = !f.more
		return f, nil
	}
	f.more = groups.Next != 0 || projectGroups.Next != 0
	f.complete = !f.more && !slices.ContainsFunc(a.Unavailable, func(u UnavailablePart) bool { return u.Part != partConditions })
	return f, nil
}

// noCodeOwners gives a 404 that names nothing its reason: the endpoint is an
// internal one, which a release may lack.
func noCodeOwners(err error) error {
	var failed *bitbucket.Error
	if errors.As(err, &failed) && failed.Kind == bitbucket.NotFound && failed.Exception == "" {
		return errors.New("this Bitbucket gives code owners to its own pages only")
	}
	return err
}

func (a *ReviewersAnswer) length() int { return len(a.Reviewers) }

func (a *ReviewersAnswer) keep(n int) {
	a.Reviewers = a.Reviewers[:n]
	a.Page.keep(n)
}
