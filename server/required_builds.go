package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/requiredbuilds"
	"github.com/bb-mcp/bb/server/view"
)

func listRequiredBuildsTool() Tool {
	return define(Tool{
		Name:  "list_required_builds",
		Title: "List required builds",
		Scope: inRepository,
		Description: "Lists the builds a repository requires for merging, and for which branches. With id also which of these conditions apply " +
			"to that pull request and how each required build stands.",
	}, func(in *jsonschema.Schema) {
		named(in, "project", "repo")
		between(in, "id", 1, 0, 0)
		between(in, "limit", 1, maxLimit, defaultLimit)
		between(in, "start", 0, 0, 0)
	}, func(ctx context.Context, s *Server, in RequiredBuildsOf) (report[RequiredBuildsAnswer], error) {
		a, err := s.RequiredBuilds(ctx, in)
		return listReport(a), err
	})
}

// RequiredBuildsOf says whose required builds are listed.
type RequiredBuildsOf struct {
	Project string `json:"project"`
	Repo    string `json:"repo"`
	ID      int    `json:"id,omitempty"`
	Limit   int    `json:"limit,omitempty"`
	Start   int    `json:"start,omitempty"`
}

// RequiredBuildsAnswer is a repository's required builds, and with a pull
// request how they stand for it.
type RequiredBuildsAnswer struct {
	Project     string              `json:"project"`
	Repo        string              `json:"repo"`
	PullRequest *RequiredFor        `json:"pullRequest,omitempty"`
	Conditions  []RequiredCondition `json:"conditions"`
	Page
	Unavailable []UnavailablePart `json:"unavailable,omitempty"`
}

// RequiredFor is how required builds stand for a pull request.
type RequiredFor struct {
	State         string        `json:"state"`
	Source        string        `json:"source"`
	Target        string        `json:"target"`
	Commit        string        `json:"commit"`
	AllSuccessful string        `json:"allSuccessful" jsonschema:"YES, NO, CANNOT_TELL: bb's reading, not Bitbucket's verdict"`
	Keys          []RequiredKey `json:"keys"`
	MoreKeys      int           `json:"moreKeys,omitempty"`

	id int
}

// RequiredKey is a key that a successful build has to report under.
type RequiredKey struct {
	Key   string `json:"key"`
	State string `json:"state" jsonschema:"Of a build, or MISSING, CANNOT_TELL"`
	// Perhaps is true for a key of conditions of which it cannot be told whether
	// they apply.
	Perhaps bool `json:"perhaps,omitempty" jsonschema:"Unclear whether required"`
}

// RequiredCondition is one of the conditions.
type RequiredCondition struct {
	ID      int      `json:"id"`
	Keys    []string `json:"buildParentKeys"`
	Target  string   `json:"target" jsonschema:"Kind and value, such as PATTERN release/*"`
	Exempt  string   `json:"exemptSource,omitempty"`
	Applies string   `json:"applies,omitempty"`
	Why     string   `json:"why,omitempty"`

	matchers requiredbuilds.Condition
}

// RequiredBuilds answers a repository's required builds in one request, and for
// a pull request in three, two deep. The conditions, and the branching model
// and the default branch where a condition asks for them, are kept for a
// minute.
func (s *Server) RequiredBuilds(ctx context.Context, in RequiredBuildsOf) (RequiredBuildsAnswer, error) {
	a := RequiredBuildsAnswer{Project: in.Project, Repo: in.Repo, Conditions: []RequiredCondition{}}
	if in.ID < 0 || in.Start < 0 || in.Limit < 0 {
		return a, errors.New("id, start and limit are not below zero")
	}
	at := Place{in.Project, in.Repo}
	var rules requiredRules
	var p bitbucket.PullRequest
	var builds requiredbuilds.Builds
	var unread []UnavailablePart
	reads := []func(context.Context) error{func(ctx context.Context) (err error) {
		if rules, err = s.requiredRules(ctx, at); err != nil {
			return about(fmt.Sprintf("required builds of %s", at), err)
		}
		return nil
	}}
	if in.ID != 0 {
		reads = append(reads, func(ctx context.Context) (err error) {
			t := Target{Project: in.Project, Repo: in.Repo, ID: in.ID}
			if p, err = s.o.Bitbucket.PullRequest(ctx, t.Project, t.Repo, t.ID); err != nil {
				return about(t.String(), err)
			}
			parts := partsOf(ctx)
			parts.read(view.PartBuilds, func(ctx context.Context) error {
				l, err := s.o.Bitbucket.ListPullRequestBuilds(ctx, t.Project, t.Repo, t.ID, p.FromRef.LatestCommit)
				if err == nil {
					builds = reportedBuilds(l)
				}
				return err
			})
			unread, err = parts.wait()
			return err
		})
	}
	if err := together(ctx, reads...); err != nil {
		return a, err
	}
	a.Unavailable = unread
	for _, c := range rules.conditions {
		a.Conditions = append(a.Conditions, requiredCondition(c))
	}
	if in.ID != 0 {
		a.Unavailable = slices.Concat(rules.unavailable, unread)
		a.hold(p, rules, builds)
	}
	a.Conditions, a.Page = pageFrom(a.Conditions, countOf(len(a.Conditions), rules.complete), in.Start, in.Limit)
	return a, nil
}

// hold says how the rules stand for a pull request.
func (a *RequiredBuildsAnswer) hold(p bitbucket.PullRequest, rules requiredRules, builds requiredbuilds.Builds) {
	v := rules.hold(p, builds)
	home := p.ToRef.Repository
	a.PullRequest = &RequiredFor{
		id: p.ID, State: p.State, Source: branch(p.FromRef, home).String(), Target: branch(p.ToRef, home).String(),
		Commit: p.FromRef.LatestCommit, AllSuccessful: rules.met(v), Keys: requiredKeys(v),
	}
	for i, d := range v.Decisions {
		c := &a.Conditions[i]
		switch d.Answer {
		case requiredbuilds.Applies:
			c.Applies = answerYes
		case requiredbuilds.DoesNotApply:
			c.Applies, c.Why = answerNo, d.Reason
		default:
			c.Applies, c.Why = answerCannotTell, d.Reason
		}
	}
	rank := []string{answerYes, answerCannotTell, answerNo}
	slices.SortStableFunc(a.Conditions, func(x, y RequiredCondition) int {
		return cmp.Compare(slices.Index(rank, x.Applies), slices.Index(rank, y.Applies))
	})
}

// requiredKeys lists keys, those that want attention first.
func requiredKeys(v requiredbuilds.Verdict) []RequiredKey {
	keys := []RequiredKey{}
	for _, k := range v.Required {
		keys = append(keys, RequiredKey{Key: k.Key, State: string(k.State)})
	}
	for _, k := range v.Possible {
		keys = append(keys, RequiredKey{Key: k.Key, State: string(k.State), Perhaps: true})
	}
	rank := func(k RequiredKey) int {
		switch requiredbuilds.State(k.State) {
		case requiredbuilds.Failed:
			return 0
		case requiredbuilds.Successful:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(keys, func(x, y RequiredKey) int { return cmp.Compare(rank(x), rank(y)) })
	return keys
}

func requiredCondition(c requiredbuilds.Condition) RequiredCondition {
	x := RequiredCondition{ID: c.ID, Keys: c.Keys, Target: matcherData(c.Target), matchers: c}
	if x.Keys == nil {
		x.Keys = []string{}
	}
	if c.Exempt != nil {
		x.Exempt = matcherData(*c.Exempt)
	}
	return x
}

// matcherData is a matcher as its kind and its value.
func matcherData(m requiredbuilds.Matcher) string {
	text := string(m.Kind)
	if m.Kind != requiredbuilds.AnyRef && m.Kind != requiredbuilds.DefaultBranch { // whose ids are constants
		text += " " + m.ID
	}
	if m.Inactive {
		text += " (not active)"
	}
	return text
}

// length counts the keys before the conditions: they are what was asked for.
func (a *RequiredBuildsAnswer) length() int { return len(a.keys()) + len(a.Conditions) }

func (a *RequiredBuildsAnswer) keys() []RequiredKey {
	if a.PullRequest == nil {
		return nil
	}
	return a.PullRequest.Keys
}

func (a *RequiredBuildsAnswer) keep(n int) {
	keys := len(a.keys())
	if n < keys {
		p := *a.PullRequest
		p.Keys, p.MoreKeys = p.Keys[:n], keys-n
		a.PullRequest = &p
	}
	if n = max(0, n-keys); n < len(a.Conditions) {
		a.Conditions = a.Conditions[:n]
		a.Page.keep(n)
	}
}
