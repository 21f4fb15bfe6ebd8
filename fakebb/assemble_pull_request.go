package fakebb

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// addPullRequest adds the pull request of one section; n is its place among
// them. What the activity tells is not written twice: the state, the version
// and the dates come from it.
func (b *builder) addPullRequest(n int, f pullRequestFile) error {
	at, d := f.at, f.decl
	r, err := b.repository(at, f.project, f.slug, 0)
	if err != nil {
		return err
	}
	if d.Title.value == "" {
		return at.errorf(1, "title is missing")
	}
	p := &pullRequest{
		repository:  r,
		id:          f.id,
		title:       d.Title.value,
		description: strings.TrimRight(d.Description, "\n"),
		draft:       d.Draft,
	}
	if p.source, err = b.side(at, r, d.Source, "source"); err != nil {
		return err
	}
	if p.target, err = b.side(at, r, d.Target, "target"); err != nil {
		return err
	}
	if p.source.repository == r && p.source.branch == p.target.branch {
		return at.errorf(max(d.Source.Branch.line, d.Target.Branch.line), "source and target are one branch")
	}
	author, err := b.person(at, d.Author)
	if err != nil {
		return err
	}
	p.author = &participant{person: author, role: roleAuthor, status: unapproved}
	if p.reviewers, err = b.participants(at, r, d.Reviewers, roleReviewer); err != nil {
		return err
	}
	if p.participants, err = b.participants(at, r, d.Participants, roleParticipant); err != nil {
		return err
	}
	taking := map[*person]bool{author: true}
	for i, d := range slices.Concat(d.Reviewers, d.Participants) {
		who := slices.Concat(p.reviewers, p.participants)[i].person
		if taking[who] {
			return at.errorf(d.User.line, "%s takes part already", who.name)
		}
		taking[who] = true
	}
	if err := b.addActivities(at, p, n, d.Activity); err != nil {
		return err
	}
	if err := b.addBuilds(at, p, d.Builds); err != nil {
		return err
	}
	if err := b.addReports(at, p, d.Reports); err != nil {
		return err
	}

	if m := d.MergeResult; m != nil {
		if err := oneOf(at, m.Outcome, outcomeClean, outcomeConflict, outcomeUnknown); err != nil {
			return err
		}
		p.mergeResult = &mergeResultJSON{m.Outcome.value, m.Current}
	}
	if r.pullRequests[p.id] != nil {
		return at.errorf(1, "pull request %s is there twice", p)
	}
	r.pullRequests[p.id] = p
	b.pullRequests = append(b.pullRequests, p)
	return nil
}

func (b *builder) participants(at place, r *repository, ds []participantDecl, role string) ([]*participant, error) {
	var all []*participant
	for _, d := range ds {
		who, err := b.person(at, d.User)
		if err != nil {
			return nil, err
		}
		p := &participant{person: who, role: role, status: cmp.Or(d.Status.value, unapproved)}
		if d.Status.value != "" {
			if err := oneOf(at, d.Status, unapproved, needsWork, approved); err != nil {
				return nil, err
			}
		}
		if d.Reviewed.value != "" {
			if p.reviewed, err = b.commit(at, r, d.Reviewed); err != nil {
				return nil, err
			}
		}
		all = append(all, p)
	}
	return all, nil
}

// addActivities adds the activity and what follows from it.
func (b *builder) addActivities(at place, p *pullRequest, n int, ds []activityDecl) error {
	ids := &idBlock{base: (n + 1) * idsPerPullRequest}
	if len(ds) == 0 || ds[0].Action.value != "OPENED" {
		line := 1
		if len(ds) > 0 {
			line = max(ds[0].Action.line, ds[0].By.line)
		}
		return at.errorf(line, "the activity must begin with action: OPENED")
	}
	p.state = stateOpen
	tips, err := b.openingTips(at, p, ds)
	if err != nil {
		return err
	}
	var last time.Time
	for _, d := range ds {
		if d.At.time.IsZero() {
			return at.errorf(d.By.line, "an activity needs at")
		}
		if d.At.time.Before(last) {
			return at.errorf(d.At.line, "the activity is out of order; it goes from old to new")
		}
		if d.At.time.After(b.start) {
			return at.errorf(d.At.line, "is later than the clock's start")
		}
		last = d.At.time

		a := &activity{at: d.At.millis(), action: cmp.Or(d.Action.value, actionCommented)}
		var err error
		if a.id, err = ids.activity(at, d.By.line); err != nil {
			return err
		}
		if a.by, err = b.person(at, d.By); err != nil {
			return err
		}
		if a.action != actionCommented && (d.Text.value != "" || d.On != nil) {
			return at.errorf(d.Action.line, "an item with a text is a comment and has no action %s", a.action)
		}
		if closes := a.action == actionMerged || a.action == "DECLINED"; closes && p.state != stateOpen || a.action == "REOPENED" && p.state == stateOpen {
			return at.errorf(d.Action.line, "%s cannot happen to a pull request that is %s", a.action, p.state)
		}
		switch a.action {
		case actionCommented:
			err = b.addComment(at, p, a, ids, d, tips)
		case "OPENED":
			p.created, p.updated = a.at, a.at
		case "APPROVED", "UNAPPROVED", "REVIEWED", "REVIEW_COMMENTED", "REVIEW_FINISHED", "REVIEW_DISCARDED":
			// They move neither the version nor the date (bitbucket-rest.md 10.1).
		case actionRescoped:
			p.updated = a.at
			a.previous = tips
			if tips, err = b.tips(at, p, tips, d); err == nil && tips == a.previous {
				err = at.errorf(d.By.line, "the push changes neither side")
			}
			a.tips = tips
		case actionAutoMerge:
			a.strategy = cmp.Or(d.Strategy.value, "no-ff")
			p.autoMerge = a
			a.tips = tips
		case actionAutoMergeCancelled:
			a.reason = d.Reason
			p.autoMerge = nil
		case actionUpdated:
			p.updated, p.version = a.at, p.version+1
			a.draft = d.Draft
			for _, w := range d.Added {
				who, err := b.person(at, w)
				if err != nil {
					return err
				}
				a.added = append(a.added, who)
			}
			for _, w := range d.Removed {
				who, err := b.person(at, w)
				if err != nil {
					return err
				}
				a.removed = append(a.removed, who)
			}
		case actionMerged:
			p.state, p.updated, p.closed, p.version = stateMerged, a.at, a.at, p.version+1
			if d.Commit.value != "" {
				a.commit, err = b.commit(at, p.repository, d.Commit)
				p.mergeCommit = a.commit
			}
		case "DECLINED":
			p.state, p.updated, p.closed, p.version = stateDeclined, a.at, a.at, p.version+1
		case "REOPENED":
			p.state, p.updated, p.closed, p.version = stateOpen, a.at, 0, p.version+1
		default:
			err = oneOf(at, d.Action, "OPENED", actionCommented, "APPROVED", "UNAPPROVED", "REVIEWED",
				actionRescoped, actionUpdated, actionMerged, "DECLINED", "REOPENED", actionAutoMerge,
				actionAutoMergeCancelled, "REVIEW_COMMENTED", "REVIEW_FINISHED", "REVIEW_DISCARDED")
		}
		if err != nil {
			return err
		}
		p.activities = append(p.activities, a)
	}
	p.addWhoTookPart()
	if err := p.checkReviews(at); err != nil {
		return err
	}
	slices.Reverse(p.activities)
	if tips.from != p.source.tip {
		return at.errorf(1, "the last push of the activity is not the commit the source stands at")
	}
	return nil
}

// addWhoTookPart adds whoever did something and has no part yet. A comment that
// nobody else sees yet makes nobody a participant.
func (p *pullRequest) addWhoTookPart() {
	for _, a := range p.activities {
		people := []*person{a.by}
		if a.comment != nil {
			people = nil
			for _, c := range a.comment.thread() {
				if !c.pending {
					people = append(people, c.author)
				}
			}
		}
		for _, who := range people {
			if p.as(who) == nil {
				p.participants = append(p.participants, &participant{person: who, role: roleParticipant, status: unapproved})
			}
		}
	}
}

// checkReviews holds how reviewers and participants are said to stand against
// what the activity says they did last.
func (p *pullRequest) checkReviews(at place) error {
	statuses := map[string]string{"APPROVED": approved, "REVIEWED": needsWork, "UNAPPROVED": unapproved}
	last := map[*person]string{}
	for _, a := range p.activities {
		if status := statuses[a.action]; status != "" {
			last[a.by] = status
		}
	}
	for _, part := range p.everyone() {
		if did := last[part.person]; did != "" && part.status != did {
			return at.errorf(1, "%s is said to be %s, and is %s by the activity", part.person.name, part.status, did)
		}
	}
	return nil
}

// tips are the commits both sides of a pull request stand at.
type tips struct{ from, to string }

// openingTips are those at the opening: what OPENED says, or where the sides
// stand at the end.
func (b *builder) openingTips(at place, p *pullRequest, ds []activityDecl) (tips, error) {
	return b.tips(at, p, tips{p.source.tip, p.target.tip}, ds[0])
}

// tips are those after an item of the activity.
func (b *builder) tips(at place, p *pullRequest, before tips, d activityDecl) (tips, error) {
	after := before
	var err error
	if d.From.value != "" {
		if after.from, err = b.commit(at, p.source.repository, d.From); err != nil {
			return tips{}, err
		}
	}
	if d.To.value != "" {
		after.to, err = b.commit(at, p.repository, d.To)
	}
	return after, err
}

func (b *builder) addBuilds(at place, p *pullRequest, ds []buildDecl) error {
	for _, d := range ds {
		c := p.source.tip
		var err error
		if d.Commit.value != "" {
			if c, err = b.commit(at, p.repository, d.Commit); err != nil {
				return err
			}
		}
		if d.Key.value == "" || d.Created.millis() == 0 {
			return at.errorf(max(d.Key.line, d.State.line), "a build needs key and created")
		}
		if err := oneOf(at, d.State, buildStates...); err != nil {
			return err
		}
		build := &commitBuild{
			repository: p.repository, commit: c,
			key: d.Key.value, parent: d.Parent, name: d.Name, state: d.State.value, url: d.URL.value,
			description: d.Description, number: d.Number, ref: d.Ref,
			duration: time.Duration(d.Minutes) * time.Minute,
			created:  d.Created.millis(), updated: cmp.Or(d.Updated.millis(), d.Created.millis()),
		}
		if t := d.Tests; t != nil {
			build.tests = &testResultsJSON{Failed: t.Failed, Skipped: t.Skipped, Successful: t.Successful}
		}
		b.builds[c] = append(b.builds[c], build)
	}
	return nil
}

func (b *builder) addReports(at place, p *pullRequest, ds []reportDecl) error {
	for _, d := range ds {
		c := p.source.tip
		var err error
		if d.Commit.value != "" {
			if c, err = b.commit(at, p.repository, d.Commit); err != nil {
				return err
			}
		}
		if d.Key.value == "" || d.Title.value == "" || d.Created.millis() == 0 {
			return at.errorf(max(d.Key.line, d.Title.line), "a report needs key, title and created")
		}
		if d.Result.value != "" {
			if err := oneOf(at, d.Result, "PASS", "FAIL"); err != nil {
				return err
			}
		}
		r := &report{
			key: d.Key.value, title: d.Title.value, reporter: d.Reporter, details: d.Details,
			link: d.Link, result: d.Result.value, created: d.Created.millis(),
		}
		for _, datum := range d.Data {
			r.data = append(r.data, reportDatumJSON{datum.Title, datum.Value, datum.Type})
		}
		for _, d := range d.Annotations {
			if err := oneOf(at, d.Severity, "LOW", "MEDIUM", "HIGH"); err != nil {
				return err
			}
			r.annotations = append(r.annotations, annotationJSON{
				ReportKey: r.key, ExternalID: d.ID, Line: d.Line, Link: d.Link, Message: d.Message,
				Path: d.Path, Severity: d.Severity.value, Type: d.Type,
			})
		}
		p.repository.reports[c] = append(p.repository.reports[c], r)
	}
	return nil
}
