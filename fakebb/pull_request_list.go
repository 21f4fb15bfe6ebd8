package fakebb

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxParticipantFilters is how many username.N are read; the rest is dropped.
const maxParticipantFilters = 10

// pick says whether a list shows a pull request.
type pick func(*pullRequest) bool

// listPullRequests answers the pull requests to, or with direction=OUTGOING
// from, a repository.
func listPullRequests(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	var picks []pick

	state, err := x.choice("state", stateOpen, "ALL", stateOpen, stateMerged, stateDeclined)
	if err != nil {
		return nil, err
	}
	if state != "ALL" {
		picks = append(picks, func(p *pullRequest) bool { return p.state == state })
	}

	direction, err := x.choice("direction", "INCOMING", "INCOMING", "OUTGOING")
	if err != nil {
		return nil, err
	}
	side := func(p *pullRequest) *ref { return p.target }
	if direction == "OUTGOING" {
		side = func(p *pullRequest) *ref { return p.source }
	}
	picks = append(picks, func(p *pullRequest) bool { return side(p).repository == r })
	if at := x.query.Get("at"); at != "" {
		// A full ref; a short name is the name of nothing.
		picks = append(picks, func(p *pullRequest) bool { return side(p).id() == at })
	}

	if text := strings.ToLower(x.query.Get("filterText")); text != "" {
		picks = append(picks, func(p *pullRequest) bool { return contains(p.title, text) || contains(p.description, text) })
	}
	if draft, err := strconv.ParseBool(x.query.Get("draft")); err == nil && x.server.release.drafts() {
		picks = append(picks, func(p *pullRequest) bool { return p.draft == draft })
	}
	byPeople, err := x.participantFilters()
	if err != nil {
		return nil, err
	}
	picks = append(picks, byPeople...)

	order, err := x.choice("order", "NEWEST", "NEWEST", "OLDEST")
	if err != nil {
		return nil, err
	}
	draw := x.drawListed
	if with, err := strconv.ParseBool(x.query.Get("withProperties")); err == nil && !with {
		draw = x.drawPullRequest
	}
	return pageOf(w, x.pickPullRequests(picks, byUpdate(order)), everything, draw), nil
}

// participantFilters reads username.1, role.1, approved.1 and on, as far as
// the numbers go without a gap.
func (x *exchange) participantFilters() ([]pick, error) {
	var picks []pick
	for n := 1; n <= maxParticipantFilters; n++ {
		suffix := fmt.Sprintf(".%d", n)
		name := x.query.Get("username" + suffix)
		if name == "" {
			break
		}
		role, err := x.choice("role"+suffix, "", roleAuthor, roleReviewer, roleParticipant)
		if err != nil {
			return nil, err
		}
		wanted, err := strconv.ParseBool(x.query.Get("approved" + suffix))
		eitherWay := err != nil
		picks = append(picks, func(p *pullRequest) bool {
			who := x.store.byName[name]
			part := p.as(who)
			return who != nil && part != nil &&
				(role == "" || part.role == role) &&
				(eitherWay || (part.status == approved) == wanted)
		})
	}
	return picks, nil
}

// choice reads a query parameter that names one of a few words, in any letter
// case. That another word is refused with 400 is belief.
func (x *exchange) choice(name, otherwise string, known ...string) (string, error) {
	value := strings.ToUpper(x.query.Get(name))
	switch {
	case value == "":
		return otherwise, nil
	case slices.Contains(known, value):
		return value, nil
	}
	return "", invalidArgument(fmt.Sprintf("%s: '%s' is not one of %s", name, x.query.Get(name), strings.Join(known, ", ")))
}

// order compares two pull requests of a list.
type order func(p, q *pullRequest) int

// byUpdate orders by the last update, NEWEST or OLDEST first. For an open pull
// request that is the last push or edit.
func byUpdate(direction string) order {
	return func(p, q *pullRequest) int {
		newer := cmp.Or(cmp.Compare(q.updated, p.updated), cmp.Compare(q.id, p.id))
		if direction == "OLDEST" {
			return -newer
		}
		return newer
	}
}

// pickPullRequests returns what every pick picks among all pull requests, in
// order.
func (x *exchange) pickPullRequests(picks []pick, by order) []*pullRequest {
	var found []*pullRequest
	for _, p := range x.store.pullRequests {
		if !slices.ContainsFunc(picks, func(pick pick) bool { return !pick(p) }) {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, by)
	return found
}

// readable picks what the caller may see; lists over all repositories skip the
// rest after fetching it.
func (x *exchange) readable(p *pullRequest) bool { return p.repository.project.readableBy(x.caller) }

// listDashboard answers the caller's pull requests over all repositories; with
// user, another person's.
func listDashboard(x *exchange) (any, error) {
	return x.dashboard(func(w window, all []*pullRequest) any { return pageOf(w, all, x.readable, x.drawListed) })
}

// dashboard reads what the dashboard is asked for, and has it drawn.
func (x *exchange) dashboard(draw func(window, []*pullRequest) any) (any, error) {
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	who := x.caller
	if name := x.query.Get("user"); name != "" {
		if who = x.store.byName[name]; who == nil {
			return nil, noSuchUser(name)
		}
	}
	var picks []pick

	role, err := x.choice("role", "", roleAuthor, roleReviewer, roleParticipant)
	if err != nil {
		return nil, err
	}
	picks = append(picks, func(p *pullRequest) bool {
		part := p.as(who)
		return part != nil && (role == "" || part.role == role)
	})
	if list := x.query.Get("participantStatus"); list != "" {
		statuses := strings.Split(strings.ToUpper(list), ",")
		for _, s := range statuses {
			if s != unapproved && s != needsWork && s != approved {
				return nil, invalidArgument(fmt.Sprintf("participantStatus: '%s' is not one of %s, %s, %s", s, unapproved, needsWork, approved))
			}
		}
		picks = append(picks, func(p *pullRequest) bool { return slices.Contains(statuses, p.as(who).status) })
	}
	state, err := x.choice("state", "", stateOpen, stateMerged, stateDeclined)
	if err != nil {
		return nil, err
	}
	if state != "" {
		picks = append(picks, func(p *pullRequest) bool { return p.state == state })
	}
	if text := x.query.Get("closedSince"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, notFound("")
		}
		since := x.now.Add(-time.Duration(seconds) * time.Second).UnixMilli()
		picks = append(picks, func(p *pullRequest) bool { return p.closed > since })
	}

	var orders []order
	for _, name := range strings.Split(cmp.Or(strings.ToUpper(x.query.Get("order")), "NEWEST"), ",") {
		by, err := dashboardOrder(name, who)
		if err != nil {
			return nil, err
		}
		orders = append(orders, by)
	}
	by := func(p, q *pullRequest) int {
		for _, by := range append(orders, byUpdate("NEWEST")) {
			if c := by(p, q); c != 0 {
				return c
			}
		}
		return 0
	}
	return draw(w, x.pickPullRequests(picks, by)), nil
}

// dashboardOrder is one of the orders of the dashboard, for that person.
func dashboardOrder(name string, who *person) (order, error) {
	first := func(b bool) int {
		if b {
			return 0
		}
		return 1
	}
	switch name {
	case "NEWEST", "OLDEST":
		return byUpdate(name), nil
	case "DRAFT_STATUS": // drafts last (belief)
		return func(p, q *pullRequest) int { return cmp.Compare(first(!p.draft), first(!q.draft)) }, nil
	case "PARTICIPANT_STATUS": // what waits for the person first (belief)
		rank := func(p *pullRequest) int {
			return slices.Index([]string{unapproved, needsWork, approved}, p.as(who).status)
		}
		return func(p, q *pullRequest) int { return cmp.Compare(rank(p), rank(q)) }, nil
	case "CLOSED_DATE": // the open ones, then the most recently closed
		return func(p, q *pullRequest) int {
			return cmp.Or(cmp.Compare(first(p.closed == 0), first(q.closed == 0)), cmp.Compare(q.closed, p.closed))
		}, nil
	}
	return nil, invalidArgument(fmt.Sprintf("order: '%s' is not one of NEWEST, OLDEST, DRAFT_STATUS, PARTICIPANT_STATUS, CLOSED_DATE", name))
}

// inbox picks the open pull requests that the caller wrote, or is asked to
// review and has not approved.
func (x *exchange) inbox(role string) []pick {
	return []pick{x.readable, func(p *pullRequest) bool {
		part := p.as(x.caller)
		return p.state == stateOpen && part != nil && part.role == role &&
			(role == roleAuthor || part.status != approved)
	}}
}

func listInbox(x *exchange) (any, error) {
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	role, err := x.choice("role", roleReviewer, roleReviewer, roleAuthor)
	if err != nil {
		return nil, err
	}
	return pageOf(w, x.pickPullRequests(x.inbox(role), byUpdate("NEWEST")), everything, x.drawListed), nil
}

type countJSON struct {
	Count int `json:"count"`
}

func countInbox(x *exchange) (any, error) {
	return countJSON{len(x.pickPullRequests(x.inbox(roleReviewer), byUpdate("NEWEST")))}, nil
}
