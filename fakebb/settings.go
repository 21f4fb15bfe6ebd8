package fakebb

import (
	"fmt"
	"slices"
)

// settings are the settings of pull requests of a repository or a project, with
// what they have from above.
type settings struct {
	merge       mergeConfig
	checks      mergeChecks
	autoMerge   autoMerge
	autoDecline autoDecline
}

// mergeConfig is how pull requests are merged.
type mergeConfig struct {
	strategies      []string // the ids of those that are enabled, the default first
	commitSummaries int      // how many commits the message of a merge lists
	of              ruleScope
}

type autoMerge struct {
	enabled    bool
	restricted bool // the project's word is the last
	of         ruleScope
}

type autoDecline struct {
	enabled bool
	weeks   int
	of      ruleScope
}

// defaultSettings are those of an instance where nobody changed any: merge
// commits only, no merge checks (pr-settings-merge-strategies.json). That
// auto-decline is off is belief; its weeks are the document's.
var defaultSettings = settings{
	merge:       mergeConfig{strategies: []string{"no-ff"}, commitSummaries: 20, of: ruleScope{globalScope, 0}},
	autoMerge:   autoMerge{of: ruleScope{globalScope, 0}},
	autoDecline: autoDecline{weeks: 4, of: ruleScope{globalScope, 0}},
}

// mergeStrategy is a way of merging that Bitbucket has; the descriptions are our
// own words.
type mergeStrategy struct{ id, flag, name, description string }

var mergeStrategies = []mergeStrategy{
	{"no-ff", "--no-ff", "Merge commit", "A merge commit is always made, also where the target could simply move forward"},
	{"ff", "--ff", "Fast-forward", "The target moves forward to the source where it can; otherwise a merge commit is made"},
	{"ff-only", "--ff-only", "Fast-forward only", "The target moves forward to the source; where it cannot, the pull request is not merged"},
	{"rebase-no-ff", "rebase + merge --no-ff", "Rebase and merge", "The commits of the source are made anew on top of the target, and a merge commit joins them"},
	{"rebase-ff-only", "rebase + merge --ff-only", "Rebase and fast-forward", "The commits of the source are made anew on top of the target, which moves forward to them"},
	{"squash", "--squash", "Squash", "One commit with all changes of the source is made on the target"},
	{"squash-ff-only", "--squash --ff-only", "Squash, fast-forward only", "One commit with all changes of the source is made on the target, only where the target could move forward to the source"},
}

// maxCount is more than any count of the settings.
const maxCount = 1000

// newSettings reads settings of a scenario on top of those above.
func newSettings(at place, of ruleScope, above settings, d settingsDecl) (settings, error) {
	s := above
	var err error
	if d.Strategies != nil {
		s.merge.strategies, s.merge.of = nil, of
		for _, w := range d.Strategies {
			if !slices.ContainsFunc(mergeStrategies, func(m mergeStrategy) bool { return m.id == w.value }) {
				known := drawAll(mergeStrategies, func(m mergeStrategy) string { return m.id })
				return s, oneOf(at, w, known...)
			}
			if slices.Contains(s.merge.strategies, w.value) {
				return s, at.errorf(w.line, "strategy %s is there twice", w.value)
			}
			s.merge.strategies = append(s.merge.strategies, w.value)
		}
		if len(s.merge.strategies) == 0 {
			return s, at.errorf(1, "at least one strategy has to be enabled")
		}
	}
	if d.CommitSummaries.value != "" {
		s.merge.of = of
	}
	if s.merge.commitSummaries, err = number(at, d.CommitSummaries, s.merge.commitSummaries, 0, maxCount); err != nil {
		return s, err
	}
	if s.checks, err = newMergeChecks(at, above.checks, d); err != nil {
		return s, err
	}
	if a := d.AutoMerge; a != nil {
		switch {
		case a.Restricted.value && of.kind != projectScope:
			return s, at.errorf(a.Restricted.line, "only a project restricts auto-merge")
		case above.autoMerge.restricted:
			return s, at.errorf(max(a.Enabled.line, a.Restricted.line), "the project restricts auto-merge")
		}
		s.autoMerge = autoMerge{a.Enabled.value, a.Restricted.value, of}
	}
	if a := d.AutoDecline; a != nil {
		s.autoDecline = autoDecline{enabled: a.Enabled, of: of}
		s.autoDecline.weeks, err = number(at, a.InactivityWeeks, defaultSettings.autoDecline.weeks, 1, maxCount)
	}
	return s, err
}

// pullRequestSettingsJSON are the settings of a repository, in the key order of
// pr-settings-merge-strategies.json: the counts are there as numbers and as
// objects.
type pullRequestSettingsJSON struct {
	MergeConfig              mergeConfigJSON  `json:"mergeConfig"`
	ApproversHook            enabledCountJSON `json:"com.atlassian.bitbucket.server.bitbucket-bundled-hooks:requiredApprovers"`
	RequiredAllApprovers     bool             `json:"requiredAllApprovers"`
	NeedsWork                bool             `json:"needsWork"`
	RequiredApprovers        int              `json:"requiredApprovers"`
	RequiredAllTasksComplete bool             `json:"requiredAllTasksComplete"`
	BuildsHook               enabledCountJSON `json:"com.atlassian.bitbucket.server.bitbucket-build:requiredBuilds"`
	RequiredSuccessfulBuilds int              `json:"requiredSuccessfulBuilds"`
}

// projectPullRequestSettingsJSON is what a project has of them.
type projectPullRequestSettingsJSON struct {
	MergeConfig mergeConfigJSON `json:"mergeConfig"`
}

type enabledCountJSON struct {
	Enable bool `json:"enable"`
	Count  int  `json:"count"`
}

type mergeConfigJSON struct {
	CommitSummaries int                 `json:"commitSummaries"`
	DefaultStrategy mergeStrategyJSON   `json:"defaultStrategy"`
	Strategies      []mergeStrategyJSON `json:"strategies"`
	Type            string              `json:"type"`
}

type mergeStrategyJSON struct {
	Description string `json:"description"`
	Enabled     bool   `json:"enabled"`
	Flag        string `json:"flag"`
	ID          string `json:"id"`
	Name        string `json:"name"`
}

func (c mergeConfig) draw() mergeConfigJSON {
	j := mergeConfigJSON{CommitSummaries: c.commitSummaries, Type: c.of.kind}
	if c.of.kind == globalScope {
		j.Type = "DEFAULT" // the other two words are belief
	}
	for _, m := range mergeStrategies {
		drawn := mergeStrategyJSON{m.description, slices.Contains(c.strategies, m.id), m.flag, m.id, m.name}
		if m.id == c.strategies[0] {
			j.DefaultStrategy = drawn
		}
		j.Strategies = append(j.Strategies, drawn)
	}
	return j
}

func getPullRequestSettings(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	s := &r.settings
	count := func(n int) enabledCountJSON { return enabledCountJSON{n > 0, n} }
	return pullRequestSettingsJSON{
		MergeConfig:   s.merge.draw(),
		ApproversHook: count(s.checks.approvers), RequiredAllApprovers: s.checks.allApprovers,
		NeedsWork: s.checks.noNeedsWork, RequiredApprovers: s.checks.approvers,
		RequiredAllTasksComplete: s.checks.allTasks,
		BuildsHook:               count(s.checks.successfulBuilds), RequiredSuccessfulBuilds: s.checks.successfulBuilds,
	}, nil
}

// getProjectPullRequestSettings answers the merge configuration for git, the
// only kind of repository there is.
func getProjectPullRequestSettings(x *exchange) (any, error) {
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	if x.vars["scmId"] != "git" {
		return nil, notFound(fmt.Sprintf("there are only git repositories, not %q", x.vars["scmId"]))
	}
	return projectPullRequestSettingsJSON{p.settings.merge.draw()}, nil
}

// autoMergeSettingsJSON says whether auto-merge can be asked for; the order of
// its keys is belief.
type autoMergeSettingsJSON struct {
	Enabled          bool      `json:"enabled"`
	RestrictionState string    `json:"restrictionState"`
	Scope            scopeJSON `json:"scope"`
}

func getAutoMergeSettings(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	return x.drawAutoMerge(r.settings.autoMerge, "RESTRICTED_UNMODIFIABLE")
}

// getProjectAutoMergeSettings answers those of a project, which may change what
// it restricts (belief).
func getProjectAutoMergeSettings(x *exchange) (any, error) {
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	return x.drawAutoMerge(p.settings.autoMerge, "RESTRICTED_MODIFIABLE")
}

func (x *exchange) drawAutoMerge(a autoMerge, restriction string) (any, error) {
	if !x.server.release.autoMerges() {
		return nil, notFound("auto-merge is there since 8.15")
	}
	if !a.restricted {
		restriction = "NONE"
	}
	return autoMergeSettingsJSON{a.enabled, restriction, drawScope(a.of)}, nil
}

// autoDeclineSettingsJSON says when what nobody touches is declined; the order
// of its keys is belief.
type autoDeclineSettingsJSON struct {
	Enabled         bool      `json:"enabled"`
	InactivityWeeks int       `json:"inactivityWeeks"`
	Scope           scopeJSON `json:"scope"`
}

func getAutoDeclineSettings(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	return r.settings.autoDecline.draw(), nil
}

func getProjectAutoDeclineSettings(x *exchange) (any, error) {
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	return p.settings.autoDecline.draw(), nil
}

func (a autoDecline) draw() autoDeclineSettingsJSON {
	return autoDeclineSettingsJSON{a.enabled, a.weeks, drawScope(a.of)}
}
