package server

import (
	"cmp"
	"context"
	"slices"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/requiredbuilds"
)

// maxConditions is how many required-build conditions of a repository are read;
// Bitbucket gives them by pages and sets no bound.
const maxConditions = 1000

// rulesKept is what is kept per repository: what its required builds are decided
// by, and whether the caller may write to it.
type rulesKept struct {
	conditions kept[bitbucket.Listing[bitbucket.RequiredBuild]]
	models     kept[requiredbuilds.Model]
	defaults   kept[string]
	writable   kept[bool] // by the caller
}

// The parts of an answer about required builds that may be unavailable.
const (
	partModel         = "branching model"
	partDefaultBranch = "default branch"
)

// requiredRules are the required-build conditions of a repository with what is
// needed to read them.
type requiredRules struct {
	conditions []requiredbuilds.Condition
	// complete is false when there are more than were read.
	complete bool
	// repository lacks what no condition asks for, and what unavailable names.
	repository  requiredbuilds.Repository
	unavailable []UnavailablePart
}

// requiredRules reads a repository's required builds: one request, and where a
// condition asks for it the branching model and the default branch beside each
// other. Each is kept for a minute.
func (s *Server) requiredRules(ctx context.Context, at Place) (requiredRules, error) {
	bb := s.o.Bitbucket
	l, err := s.rules.conditions.read(ctx, at, s.o.Now, func(ctx context.Context) (bitbucket.Listing[bitbucket.RequiredBuild], error) {
		return bb.ListRequiredBuilds(ctx, at.Project, at.Repo, maxConditions)
	})
	if err != nil {
		return requiredRules{}, err
	}
	r := requiredRules{conditions: make([]requiredbuilds.Condition, len(l.Values)), complete: l.Complete}
	for i, c := range l.Values {
		r.conditions[i] = conditionOf(c)
	}
	asksModel, asksDefault := r.asks(requiredbuilds.ModelBranch, requiredbuilds.ModelCategory), r.asks(requiredbuilds.DefaultBranch)
	parts := partsOf(ctx)
	if asksModel {
		parts.read(partModel, func(ctx context.Context) error {
			m, err := s.rules.models.read(ctx, at, s.o.Now, func(ctx context.Context) (requiredbuilds.Model, error) {
				m, err := bb.BranchModel(ctx, at.Project, at.Repo)
				return modelOf(m), err
			})
			if err == nil {
				r.repository.Model = &m
			}
			return err
		})
	}
	if asksDefault {
		parts.read(partDefaultBranch, func(ctx context.Context) (err error) {
			r.repository.DefaultBranch, err = s.rules.defaults.read(ctx, at, s.o.Now, func(ctx context.Context) (string, error) {
				return bb.DefaultBranch(ctx, at.Project, at.Repo)
			})
			return err
		})
	}
	r.unavailable, err = parts.wait()
	return r, err
}

// asks says whether a matcher of the conditions is of one of kinds.
func (r requiredRules) asks(kinds ...requiredbuilds.Kind) bool {
	return slices.ContainsFunc(r.conditions, func(c requiredbuilds.Condition) bool {
		return slices.Contains(kinds, c.Target.Kind) || c.Exempt != nil && slices.Contains(kinds, c.Exempt.Kind)
	})
}

// hold holds the rules against a pull request whose builds were read.
func (r requiredRules) hold(p bitbucket.PullRequest, b requiredbuilds.Builds) requiredbuilds.Verdict {
	return requiredbuilds.Evaluate(r.conditions, requiredbuilds.PullRequest{
		Target: p.ToRef.ID, Source: p.FromRef.ID, Fork: p.FromRef.Repository.ID != p.ToRef.Repository.ID,
	}, r.repository, b)
}

// met says whether all required builds are successful: YES, NO or CANNOT_TELL.
// A "no" stands whatever was not read.
func (r requiredRules) met(v requiredbuilds.Verdict) string {
	switch met, known := v.Met(); {
	case known && !met:
		return answerNo
	case known && r.complete:
		return answerYes
	}
	return answerCannotTell
}

// The three answers to whether a rule applies and whether all are met.
const (
	answerYes        = "YES"
	answerNo         = "NO"
	answerCannotTell = "CANNOT_TELL"
)

func conditionOf(c bitbucket.RequiredBuild) requiredbuilds.Condition {
	x := requiredbuilds.Condition{
		ID: c.ID, Keys: c.BuildParentKeys, Target: matcherOf(c.RefMatcher),
		NotForPullRequests: c.RequiredForPullRequest != nil && !*c.RequiredForPullRequest,
	}
	if c.ExemptRefMatcher != nil {
		x.Exempt = new(matcherOf(*c.ExemptRefMatcher))
	}
	return x
}

func matcherOf(m bitbucket.RefMatcher) requiredbuilds.Matcher {
	return requiredbuilds.Matcher{
		Kind: requiredbuilds.Kind(m.Type.ID), ID: cmp.Or(m.ID, m.DisplayID), Inactive: m.Active != nil && !*m.Active,
	}
}

func modelOf(m bitbucket.BranchModel) requiredbuilds.Model {
	x := requiredbuilds.Model{Prefixes: map[string]string{}}
	if m.Development != nil {
		x.Development = m.Development.ID
	}
	if m.Production != nil {
		x.Production = m.Production.ID
	}
	for _, t := range m.Types {
		x.Prefixes[t.ID] = t.Prefix
	}
	return x
}

// reportedBuilds are the builds of the pull request page's listing as required
// builds are decided by. A listing that is as long as the longest may have been
// cut by Bitbucket.
func reportedBuilds(l bitbucket.Listing[bitbucket.Build]) requiredbuilds.Builds {
	b := requiredbuilds.Builds{Parents: true, Complete: l.Complete && len(l.Values) < bitbucket.MaxBuilds}
	for _, x := range l.Values {
		b.Values = append(b.Values, requiredbuilds.Build{Key: x.Key, Parent: x.Parent, State: x.State, Updated: x.UpdatedDate})
	}
	return b
}
