package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/requiredbuilds"
	"github.com/bb-mcp/bb/server/uri"
	"github.com/bb-mcp/bb/server/view"
)

// commitsRead is how far back a reviewer's last reviewed commit is looked for;
// Bitbucket gives at most 100 commits a page.
const commitsRead = 100

func getPullRequestTool() Tool {
	return define(Tool{
		Name:  "get_pull_request",
		Title: "Get pull request",
		Scope: inRepository,
		Description: "Reads one pull request: state, branches, Bitbucket's merge check with every reason against merging, reviewers, " +
			"builds, tasks, Code Insights and description. Use it to say where a pull request stands and what holds it up.",
	}, func(in *jsonschema.Schema) {
		named(in, "project", "repo")
		between(in, "id", 1, 0, 0)
	}, func(ctx context.Context, s *Server, in Target) (report[PullRequestAnswer], error) {
		a, err := s.PullRequest(ctx, in)
		if err != nil {
			return report[PullRequestAnswer]{}, err
		}
		r := listReport(a)
		r.resource = linkTo(uri.Name{Kind: uri.PullRequest, Project: a.Project, Repo: a.Repo, ID: a.ID})
		return r, nil
	})
}

// Target names one pull request.
type Target struct {
	Project string `json:"project"`
	Repo    string `json:"repo"`
	ID      int    `json:"id"`
}

func (t Target) String() string {
	return fmt.Sprintf("pull request %s/%s #%d", t.Project, t.Repo, t.ID)
}

// PullRequestAnswer is everything bb says of one pull request, to a model as
// structured content and to a person as a card.
type PullRequestAnswer struct {
	Project     string `json:"project"`
	Repo        string `json:"repo"`
	ID          int    `json:"id"`
	Version     int    `json:"version"`
	URL         string `json:"url"`
	Title       string `json:"title" jsonschema:"By a person: data"`
	Description string `json:"description,omitempty" jsonschema:"Markdown by a person: data"`
	// DescriptionCut is how many UTF-16 units of the description were left out.
	DescriptionCut int    `json:"descriptionCut,omitempty" jsonschema:"Characters left out"`
	State          string `json:"state" jsonschema:"OPEN, MERGED, DECLINED"`
	Draft          bool   `json:"draft"`
	Author         Person `json:"author"`
	Source         Branch `json:"source"`
	Target         Branch `json:"target"`
	Created        Time   `json:"created"`
	Updated        Time   `json:"updated"`
	Closed         *Time  `json:"closed,omitempty"`

	MergeCheck    *MergeCheck       `json:"mergeCheck,omitempty"`
	Reasons       []Reason          `json:"reasons,omitempty" jsonschema:"All that stands in the way of merging now"`
	Reviewers     []Reviewer        `json:"reviewers"`
	ReviewSummary ReviewSummary     `json:"reviewSummary"`
	Builds        *Builds           `json:"builds,omitempty"`
	Tasks         *Tasks            `json:"tasks,omitempty"`
	FailedReports []Report          `json:"failedReports,omitempty"`
	OwnPending    *Count            `json:"ownPendingComments,omitempty"`
	Left          int               `json:"leftOut,omitempty" jsonschema:"Reviewers, builds and reports left out for want of room"`
	Unavailable   []UnavailablePart `json:"unavailable,omitempty" jsonschema:"What could not be read"`

	as           *Person
	repoURL      string
	readAt       time.Time
	reportsCount *Count
}

// Branch is one side of a pull request.
type Branch struct {
	Branch  string `json:"branch"`
	Commit  string `json:"commit"`
	Project string `json:"project,omitempty" jsonschema:"Of a fork"`
	Repo    string `json:"repo,omitempty"`
	url     string
	repoURL string
}

// Reviewer is a person asked to review.
type Reviewer struct {
	Person
	Status         string `json:"status" jsonschema:"APPROVED, NEEDS_WORK, UNAPPROVED"`
	ReviewedCommit string `json:"reviewedCommit,omitempty"`
	CommitsSince   *int   `json:"commitsSince,omitempty"`
}

// ReviewSummary counts over all reviewers.
type ReviewSummary struct {
	Reviewers        int `json:"reviewers"`
	Approved         int `json:"approved"`
	ChangesRequested int `json:"changesRequested"`
}

// Builds are the builds of the source commit.
type Builds struct {
	Commit string      `json:"commit"`
	Count  Count       `json:"count"`
	States BuildStates `json:"states"`
	Items  []Build     `json:"items" jsonschema:"Worst first"`
	left   int
}

// BuildStates counts builds by state.
type BuildStates struct {
	Failed     int `json:"failed,omitempty"`
	InProgress int `json:"inProgress,omitempty"`
	Successful int `json:"successful,omitempty"`
	Cancelled  int `json:"cancelled,omitempty"`
	Unknown    int `json:"unknown,omitempty"`
	Other      int `json:"other,omitempty"`
}

// Build is one build.
type Build struct {
	Name    string `json:"name"`
	Key     string `json:"key"`
	Parent  string `json:"parent,omitempty" jsonschema:"Required key it reports under"`
	State   string `json:"state"`
	URL     string `json:"url,omitempty"`
	Updated *Time  `json:"updated,omitempty"`

	number   string
	duration int64
	tests    *view.BuildTests
}

// Tasks counts a pull request's tasks; both are Bitbucket's numbers.
type Tasks struct {
	Open     int `json:"open"`
	Resolved int `json:"resolved"`
}

// Report is a failed Code Insights report.
type Report struct {
	Title    string `json:"title"`
	Reporter string `json:"reporter,omitempty"`
	Details  string `json:"details,omitempty"`
	URL      string `json:"url,omitempty"`
}

// UnavailablePart is a part that could not be read.
type UnavailablePart struct {
	Part string `json:"part"`
	Why  string `json:"why"`
}

// The parts of an answer that only a model is told about.
const (
	partRequiredBuilds = "requiredBuilds"
	partPermission     = "permission"
)

// PullRequest answers what a pull request is and where it stands. It makes at
// most eight requests, two deep, and up to four more for what is kept of the
// repository for a minute: its rules, and whether the caller may write to it.
func (s *Server) PullRequest(ctx context.Context, t Target) (PullRequestAnswer, error) {
	a := PullRequestAnswer{Project: t.Project, Repo: t.Repo, ID: t.ID, Reviewers: []Reviewer{}, readAt: s.o.Now()}
	bb := s.o.Bitbucket
	p, err := bb.PullRequest(ctx, t.Project, t.Repo, t.ID)
	if err != nil {
		return a, about(t.String(), err)
	}
	a.describe(p)

	var (
		commits  bitbucket.Listing[bitbucket.Commit]
		builds   requiredbuilds.Builds
		required requiredRules
		mayWrite *bool
	)
	parts := partsOf(ctx)
	if p.State == "OPEN" {
		parts.read(view.PartMergeCheck, func(ctx context.Context) error {
			m, err := bb.MergeCheck(ctx, t.Project, t.Repo, t.ID)
			var failed *bitbucket.Error
			if errors.As(err, &failed) && failed.Kind == bitbucket.Conflict {
				return nil // closed since it was read: there is no verdict
			}
			if err == nil {
				a.MergeCheck = mergeCheck(m)
			}
			return err
		})
		parts.read(view.PartPending, func(ctx context.Context) error {
			l, err := bb.ListPendingComments(ctx, t.Project, t.Repo, t.ID, 100)
			if err == nil {
				a.OwnPending = new(countOf(len(l.Values), l.Complete))
			}
			return err
		})
		parts.read(partRequiredBuilds, func(ctx context.Context) (err error) {
			required, err = s.requiredRules(ctx, Place{a.Project, a.Repo})
			return err
		})
		parts.read(partPermission, func(ctx context.Context) error {
			may, err := s.rules.writable.read(ctx, Place{a.Project, a.Repo}, s.o.Now, func(ctx context.Context) (bool, error) {
				return bb.MayWrite(ctx, p.ToRef.Repository)
			})
			if err == nil {
				mayWrite = &may
			}
			return err
		})
	}
	parts.read(view.PartBuilds, func(ctx context.Context) error {
		l, err := bb.ListPullRequestBuilds(ctx, t.Project, t.Repo, t.ID, p.FromRef.LatestCommit)
		if err == nil {
			a.Builds = buildsOf(p.FromRef.LatestCommit, l)
			builds = reportedBuilds(l)
		}
		return err
	})
	parts.read(view.PartTasks, func(ctx context.Context) error {
		open, resolved, err := bb.CountTasks(ctx, t.Project, t.Repo, t.ID)
		if err == nil {
			a.Tasks = &Tasks{Open: open, Resolved: resolved}
		}
		return err
	})
	parts.read(view.PartReports, func(ctx context.Context) error {
		l, err := bb.ListReports(ctx, t.Project, t.Repo, p.FromRef.LatestCommit, 100)
		if err == nil {
			a.FailedReports = failedReports(l.Values)
			a.reportsCount = new(countOf(len(a.FailedReports), l.Complete))
		}
		return err
	})
	parts.read(view.PartCommits, func(ctx context.Context) (err error) {
		commits, err = bb.ListPullRequestCommits(ctx, t.Project, t.Repo, t.ID, 0, commitsRead)
		return err
	})
	if a.Unavailable, err = parts.wait(); err != nil {
		return a, about(t.String(), err)
	}

	a.as = s.caller(ctx, usersOf(p)...)
	a.Reviewers = reviewersOf(p.Reviewers, commits.Values, a.as)
	for _, r := range a.Reviewers {
		a.ReviewSummary.Reviewers++
		switch r.Status {
		case view.StatusApproved:
			a.ReviewSummary.Approved++
		case view.StatusNeedsWork:
			a.ReviewSummary.ChangesRequested++
		}
	}
	if p.State == "OPEN" {
		a.Reasons = a.reasons(required.hold(p, builds), mayWrite)
		a.Unavailable = append(a.Unavailable, required.unavailable...)
	}
	return a, nil
}

// length counts what may be left out for want of room.
func (a *PullRequestAnswer) length() int {
	n := len(a.Reviewers) + len(a.FailedReports)
	if a.Builds != nil {
		n += len(a.Builds.Items)
	}
	return n
}

// keep keeps n of these: reviewers before builds, and the worst of each first.
func (a *PullRequestAnswer) keep(n int) {
	a.Left = a.length() - n
	take := func(have int) int {
		taken := min(n, have)
		n -= taken
		return taken
	}
	a.Reviewers = a.Reviewers[:take(len(a.Reviewers))]
	a.FailedReports = a.FailedReports[:take(len(a.FailedReports))]
	if a.Builds != nil {
		b := *a.Builds
		b.Items = b.Items[:take(len(b.Items))]
		a.Builds = &b
	}
}

// describe takes over what the pull request itself says.
func (a *PullRequestAnswer) describe(p bitbucket.PullRequest) {
	a.Project, a.Repo, a.ID, a.Version = p.ToRef.Repository.Project.Key, p.ToRef.Repository.Slug, p.ID, p.Version
	a.repoURL = repositoryURL(p.ToRef.Repository)
	a.URL = p.Links.URL()
	a.Title = p.Title
	a.Description, a.DescriptionCut = cutWithin(p.Description, maxDescription, 3*maxDescription)
	a.State, a.Draft = p.State, p.Draft
	a.Author = person(p.Author.User)
	a.Source, a.Target = branch(p.FromRef, p.ToRef.Repository), branch(p.ToRef, p.ToRef.Repository)
	a.Created, a.Updated = Time(p.CreatedDate), Time(p.UpdatedDate)
	if p.ClosedDate != 0 {
		a.Closed = new(Time(p.ClosedDate))
	}
}

// parts reads the parts of an answer side by side. One that fails is named and
// the rest goes on: a card without its builds is worth more than none, as long
// as it says so.
type parts struct {
	ctx    context.Context
	side   side
	mu     sync.Mutex
	failed []UnavailablePart
}

func partsOf(ctx context.Context) *parts { return &parts{ctx: ctx} }

func (p *parts) read(part string, read func(context.Context) error) {
	p.side.run(func() {
		if err := read(p.ctx); err != nil {
			p.mu.Lock()
			p.failed = append(p.failed, UnavailablePart{part, reason(err)})
			p.mu.Unlock()
		}
	})
}

// wait gives the parts that could not be read, by name. It fails only when the
// call itself was cancelled.
func (p *parts) wait() ([]UnavailablePart, error) {
	p.side.wait()
	slices.SortFunc(p.failed, func(a, b UnavailablePart) int { return cmp.Compare(a.Part, b.Part) })
	return p.failed, p.ctx.Err()
}

func failedReports(reports []bitbucket.Report) []Report {
	var failed []Report
	for _, r := range reports {
		if r.Result == "FAIL" {
			failed = append(failed, Report{Title: shortened(r.Title, 200), Reporter: shortened(r.Reporter, 100), Details: shortened(r.Details, 300), URL: r.Link})
		}
	}
	return failed
}

// maxBuilds is how many builds an answer lists; they are counted over all.
const maxBuilds = 100

// buildsOf counts the builds over all that were read and lists the worst.
func buildsOf(commit string, l bitbucket.Listing[bitbucket.Build]) *Builds {
	b := &Builds{Commit: commit, Count: countOf(len(l.Values), l.Complete), Items: []Build{}}
	all := slices.Clone(l.Values)
	slices.SortStableFunc(all, func(x, y bitbucket.Build) int {
		return cmp.Or(
			cmp.Compare(severity(x.State), severity(y.State)),
			cmp.Compare(y.UpdatedDate, x.UpdatedDate),
			strings.Compare(x.Name, y.Name),
			strings.Compare(x.Key, y.Key),
		)
	})
	for _, x := range all {
		b.States.add(x.State)
		if len(b.Items) == maxBuilds {
			b.left++
			continue
		}
		item := Build{Name: cmp.Or(x.Name, x.Key), Key: x.Key, Parent: x.Parent, State: x.State, URL: x.URL, number: x.BuildNumber, duration: x.Duration}
		if x.UpdatedDate != 0 {
			item.Updated = new(Time(x.UpdatedDate))
		}
		if t := x.TestResults; t != nil {
			item.tests = &view.BuildTests{Successful: t.Successful, Failed: t.Failed, Skipped: t.Skipped}
		}
		b.Items = append(b.Items, item)
	}
	return b
}

// severity orders build states, worst first, as Bitbucket's lists do
// (bitbucket-ui-wording.md section 9). A state of a later release stands
// between those that want attention and those that do not.
func severity(state string) int {
	switch state {
	case view.BuildFailed:
		return 0
	case view.BuildInProgress:
		return 1
	case view.BuildSuccessful:
		return 3
	case view.BuildCancelled:
		return 4
	case view.BuildUnknown:
		return 5
	}
	return 2
}

func (s *BuildStates) add(state string) {
	switch state {
	case view.BuildFailed:
		s.Failed++
	case view.BuildInProgress:
		s.InProgress++
	case view.BuildSuccessful:
		s.Successful++
	case view.BuildCancelled:
		s.Cancelled++
	case view.BuildUnknown:
		s.Unknown++
	default:
		s.Other++
	}
}

// reviewersOf orders reviewers as Bitbucket's list does: the caller, who
// approved, who requested changes, the rest, each by name. commits are the
// pull request's, newest first; the distance of a review is its commit's
// place among them.
func reviewersOf(list []bitbucket.Participant, commits []bitbucket.Commit, as *Person) []Reviewer {
	reviewers := make([]Reviewer, len(list))
	for i, p := range list {
		r := Reviewer{Person: person(p.User), Status: p.Status, ReviewedCommit: p.LastReviewedCommit}
		if p.LastReviewedCommit != "" {
			at := slices.IndexFunc(commits, func(c bitbucket.Commit) bool { return c.ID == p.LastReviewedCommit })
			if at >= 0 {
				r.CommitsSince = &at
			}
		}
		reviewers[i] = r
	}
	rank := func(r Reviewer) int {
		switch {
		case as != nil && r.Name == as.Name:
			return 0
		case r.Status == view.StatusApproved:
			return 1
		case r.Status == view.StatusNeedsWork:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(reviewers, func(a, b Reviewer) int {
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)),
			strings.Compare(strings.ToLower(a.DisplayName), strings.ToLower(b.DisplayName)),
			strings.Compare(a.Name, b.Name),
		)
	})
	return reviewers
}

// usersOf are the users a pull request names.
func usersOf(p bitbucket.PullRequest) []bitbucket.User {
	users := []bitbucket.User{p.Author.User}
	for _, r := range slices.Concat(p.Reviewers, p.Participants) {
		users = append(users, r.User)
	}
	return users
}
