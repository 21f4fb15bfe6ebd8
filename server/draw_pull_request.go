package server

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/view"
)

// Bounds of what a card carries, in entries and UTF-16 units. With them a card
// stays under the 110,000 units of a payload: 25 entries of activity at most
// 20,000, 100 builds about 30,000, 100 reviewers about 20,000.
const (
	maxActivities  = 25
	maxComment     = 4_000
	maxThreads     = 20_000
	maxReplies     = 20
	maxReviewers   = 100
	maxListCommits = 5
)

// drawPullRequest makes the payload of a pull request's card, and the text
// that tells a model the same facts.
func (s *Server) drawPullRequest(ctx context.Context, t Target) (*view.Payload, string, error) {
	var (
		beside     side
		activities bitbucket.Listing[bitbucket.Activity]
		actErr     error
	)
	beside.run(func() {
		activities, actErr = s.o.Bitbucket.ListActivities(ctx, t.Project, t.Repo, t.ID, 0, maxActivities)
	})
	a, err := s.PullRequest(ctx, t)
	beside.wait()
	if err != nil {
		return nil, "", err
	}

	p := &view.Payload{ReadAt: a.readAt.UnixMilli(), As: viewPersonOrNil(a.as), PullRequest: a.card()}
	for _, u := range a.Unavailable {
		switch u.Part {
		case partRequiredBuilds, partModel, partDefaultBranch, partPermission:
			continue // the card says nothing about requirements (V17) or permission
		}
		p.Unavailable = append(p.Unavailable, view.Unavailable{Part: u.Part, Why: u.Why})
	}
	if actErr != nil {
		p.Unavailable = append(p.Unavailable, view.Unavailable{Part: view.PartActivity, Why: reason(actErr)})
	} else {
		p.PullRequest.Activity = a.activities(activities)
	}
	p.PullRequest.Closed = a.closed(activities.Values)
	return p, a.facts(), nil
}

// card is the answer as the card draws it.
func (a PullRequestAnswer) card() *view.PullRequest {
	c := &view.PullRequest{
		Place: view.Place{Project: a.Project, Repo: a.Repo, URL: a.repoURL}, ID: a.ID, Version: a.Version, URL: a.URL,
		Title: a.Title, State: a.State, Draft: a.Draft, Author: a.Author.view(),
		Source: a.Source.view(), Target: a.Target.view(), Created: int64(a.Created), Updated: int64(a.Updated),
	}
	c.Description, c.DescriptionCut = a.Description, a.DescriptionCut
	if m := a.MergeCheck; m != nil {
		c.MergeCheck = &view.MergeCheck{CanMerge: m.CanMerge, Conflicted: m.Conflicted, Outcome: m.Outcome, Issues: counted(m.issues()).view()}
		for _, v := range m.vetoes {
			c.MergeCheck.Vetoes = append(c.MergeCheck.Vetoes, view.Veto(v))
		}
	}
	c.Reviewers = view.Reviewers{
		Items:            viewReviewers(a.Reviewers),
		Count:            counted(a.ReviewSummary.Reviewers).view(),
		Approved:         counted(a.ReviewSummary.Approved).view(),
		ChangesRequested: counted(a.ReviewSummary.ChangesRequested).view(),
	}
	for _, r := range a.Reviewers {
		if a.as != nil && r.Name == a.as.Name {
			c.Review = &view.OwnReview{Status: r.Status, CommitsSince: r.CommitsSince, Waiting: a.State == "OPEN" && r.Status == view.StatusUnapproved}
		}
	}
	if a.Tasks != nil {
		c.OpenTasks = new(counted(a.Tasks.Open).view())
	}
	if b := a.Builds; b != nil {
		c.Builds = &view.Builds{
			Commit: b.Commit, CommitURL: commitURL(a.repoURL, b.Commit), Items: []view.Build{},
			Count: b.Count.view(), States: view.BuildStates(b.States), StatesComplete: b.Count.Total != nil,
		}
		for _, x := range b.Items {
			item := view.Build{Name: x.Name, Parent: x.Parent, State: x.State, URL: x.URL, Number: x.number, Duration: x.duration, Tests: x.tests}
			if x.Updated != nil {
				item.Updated = int64(*x.Updated)
			}
			c.Builds.Items = append(c.Builds.Items, item)
		}
	}
	for _, r := range a.FailedReports {
		c.FailedReports = append(c.FailedReports, view.Report(r))
	}
	if a.reportsCount != nil {
		c.FailedReportCount = new(a.reportsCount.view())
	}
	if a.OwnPending != nil {
		c.Pending = new(a.OwnPending.view())
	}
	return c
}

// closed says how a pull request ended, by whom where the activity that was
// read tells.
func (a PullRequestAnswer) closed(activities []bitbucket.Activity) *view.Closed {
	if a.Closed == nil {
		return nil
	}
	c := &view.Closed{At: int64(*a.Closed)}
	for _, x := range activities { // newest first
		if x.Action != a.State {
			continue
		}
		c.By = new(person(x.User).view())
		if x.Commit != nil {
			c.Commit, c.CommitURL = x.Commit.ID, commitURL(a.repoURL, x.Commit.ID)
		}
		break
	}
	return c
}

// activities draws what was read of the activity.
func (a PullRequestAnswer) activities(l bitbucket.Listing[bitbucket.Activity]) *view.Activities {
	list := &view.Activities{Items: []view.Activity{}, More: !l.Complete, URL: a.URL + "/overview"}
	room := maxThreads
	for _, x := range l.Values {
		if x.Action == "COMMENTED" && (x.CommentAction != "" && x.CommentAction != "ADDED" || x.Comment == nil) {
			continue // an entry about a thread that has an entry of its own
		}
		item := view.Activity{ID: x.ID, At: x.CreatedDate, Who: person(x.User).view(), Action: x.Action,
			Draft: x.Draft, AddedReviewers: viewPersons(x.AddedReviewers), RemovedReviewers: viewPersons(x.RemovedReviewers),
			Added: a.commits(x.Added), Removed: a.commits(x.Removed)}
		if x.Commit != nil {
			item.Commit = new(a.commit(*x.Commit))
		}
		if x.Comment != nil {
			c := a.comment(*x.Comment, &room)
			item.Comment, item.URL = &c, c.URL
			if n := x.CommentAnchor; n != nil {
				item.Anchor = &view.Anchor{Path: n.Path, Line: n.Line, Side: n.FileType, Outdated: n.Orphaned, URL: c.URL}
			}
		}
		list.Items = append(list.Items, item)
	}
	return list
}

// comment draws a thread, taking what it needs from room, the UTF-16 units
// left for all threads.
func (a PullRequestAnswer) comment(c bitbucket.Comment, room *int) view.Comment {
	v := view.Comment{
		ID: c.ID, Author: person(c.Author).view(), Created: c.CreatedDate,
		// Resolving raises the version too, and a new comment's updatedDate may
		// lie a moment after its createdDate: neither alone tells of an edit.
		Edited: c.Version > 0 && c.UpdatedDate-c.CreatedDate > 1000 && c.State == "OPEN" && !c.ThreadResolved,
		Task:   c.Severity == "BLOCKER", Resolved: c.State == "RESOLVED" || c.ThreadResolved, Pending: c.State == "PENDING",
	}
	if a.URL != "" {
		v.URL = a.URL + "/overview?commentId=" + strconv.Itoa(c.ID)
	}
	v.Text, v.Cut = cut(c.Text, max(0, min(maxComment, *room)))
	*room -= len(utf16.Encode([]rune(v.Text)))
	for i, r := range c.Comments {
		if i == maxReplies || *room <= 0 {
			v.RepliesCut = len(c.Comments) - i
			break
		}
		v.Replies = append(v.Replies, a.comment(r, room))
	}
	return v
}

func (a PullRequestAnswer) commits(c *bitbucket.CommitChanges) *view.Commits {
	if c == nil || c.Total == 0 {
		return nil
	}
	v := &view.Commits{Count: counted(c.Total).view()}
	for _, x := range c.Commits[:min(len(c.Commits), maxListCommits)] {
		v.Items = append(v.Items, a.commit(x))
	}
	return v
}

func (a PullRequestAnswer) commit(c bitbucket.Commit) view.Commit {
	subject, _, _ := strings.Cut(c.Message, "\n")
	return view.Commit{ID: c.ID, Short: short(c.ID), Subject: shortened(subject, 500), Author: person(c.Author).view(), At: c.AuthorTimestamp, URL: commitURL(a.repoURL, c.ID)}
}

func (p Person) view() view.Person {
	return view.Person{Name: p.Name, DisplayName: p.DisplayName, URL: p.url}
}

func viewPersonOrNil(p *Person) *view.Person {
	if p == nil {
		return nil
	}
	return new(p.view())
}

func viewPersons(users []bitbucket.User) []view.Person {
	var list []view.Person
	for _, u := range users {
		list = append(list, person(u).view())
	}
	return list
}

func viewReviewers(reviewers []Reviewer) []view.Reviewer {
	list := []view.Reviewer{}
	for _, r := range reviewers[:min(len(reviewers), maxReviewers)] {
		list = append(list, view.Reviewer{Person: r.Person.view(), Status: r.Status, CommitsSince: r.CommitsSince})
	}
	return list
}

func (b Branch) view() view.Ref {
	v := view.Ref{Name: b.Branch, URL: b.url, Commit: b.Commit}
	if b.Repo != "" {
		v.Place = &view.Place{Project: b.Project, Repo: b.Repo, URL: b.repoURL}
	}
	return v
}
