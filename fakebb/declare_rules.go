package fakebb

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// projectRulesDecl are the rules of a project, which its repositories have too
// unless they say otherwise, and those of a repository.
type projectRulesDecl struct {
	BranchModel      *branchModelDecl      `yaml:"branchModel"`
	DefaultReviewers []defaultReviewerDecl `yaml:"defaultReviewers"` // a repository has its project's besides
	ReviewerGroups   []reviewerGroupDecl   `yaml:"reviewerGroups"`
	Settings         settingsDecl          `yaml:"settings"`
}

// rulesDecl are the rules of a repository.
type rulesDecl struct {
	projectRulesDecl `yaml:",inline"`
	RequiredBuilds   []requiredBuildDecl `yaml:"requiredBuilds"`
}

type requiredBuildDecl struct {
	Keys           []word       `yaml:"keys"`
	Target         matcherDecl  `yaml:"target"`
	Exempt         *matcherDecl `yaml:"exempt"`                 // sources it does not apply to
	ForPullRequest *bool        `yaml:"requiredForPullRequest"` // default true
	ForMergeQueue  bool         `yaml:"requiredForMergeQueue"`
}

// matcherDecl picks refs. The id is a ref of BRANCH, a pattern of PATTERN,
// development or production of MODEL_BRANCH, and BUGFIX, FEATURE, HOTFIX or
// RELEASE of MODEL_CATEGORY; ANY_REF and DEFAULT_BRANCH have none.
type matcherDecl struct {
	Type word `yaml:"type"`
	ID   word `yaml:"id"`
}

type branchModelDecl struct {
	Development word           `yaml:"development"` // default: the default branch
	Production  word           `yaml:"production"`  // default: none
	Categories  []categoryDecl `yaml:"categories"`  // those that are not as usual
}

type categoryDecl struct {
	ID       word `yaml:"id"`
	Prefix   word `yaml:"prefix"`
	Disabled bool `yaml:"disabled"`
}

// defaultReviewerDecl is a condition with its reviewers.
type defaultReviewerDecl struct {
	Source    *matcherDecl `yaml:"source"` // default: any
	Target    *matcherDecl `yaml:"target"` // default: any
	Users     []word       `yaml:"users"`
	Groups    []word       `yaml:"groups"`    // reviewer groups of the repository or the project
	Approvals word         `yaml:"approvals"` // how many of them have to approve, default 0
}

type reviewerGroupDecl struct {
	Name        word   `yaml:"name"`
	Description string `yaml:"description"`
	Users       []word `yaml:"users"`
}

// settingsDecl are settings of pull requests, by their names on the wire. What
// is not given is as in the project, and there as in a new Bitbucket.
type settingsDecl struct {
	Strategies               []word           `yaml:"strategies"` // those that are enabled, the default one first
	CommitSummaries          word             `yaml:"commitSummaries"`
	RequiredApprovers        word             `yaml:"requiredApprovers"`
	RequiredAllApprovers     *bool            `yaml:"requiredAllApprovers"`
	RequiredAllTasksComplete *bool            `yaml:"requiredAllTasksComplete"`
	NeedsWork                *bool            `yaml:"needsWork"` // nobody may have marked it so
	RequiredSuccessfulBuilds word             `yaml:"requiredSuccessfulBuilds"`
	AutoMerge                *autoMergeDecl   `yaml:"autoMerge"`
	AutoDecline              *autoDeclineDecl `yaml:"autoDecline"`
}

type autoMergeDecl struct {
	Enabled    flag `yaml:"enabled"`
	Restricted flag `yaml:"restricted"` // of a project: its repositories have to do as it does
}

type autoDeclineDecl struct {
	Enabled         bool `yaml:"enabled"`
	InactivityWeeks word `yaml:"inactivityWeeks"` // default 4
}

// flag is a true or false that knows where it was written.
type flag struct {
	value bool
	line  int
}

// UnmarshalYAML keeps the line beside the value.
func (f *flag) UnmarshalYAML(n *yaml.Node) error {
	v, err := strconv.ParseBool(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil {
		return fmt.Errorf("line %d: true or false is needed here", n.Line)
	}
	f.value, f.line = v, n.Line
	return nil
}
