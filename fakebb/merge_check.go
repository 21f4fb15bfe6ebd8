package fakebb

import (
	"fmt"
	"slices"
	"strings"
)

// mergeChecks are what a repository's settings ask of a pull request before it
// is merged.
type mergeChecks struct {
	approvers        int  // how many reviewers have to approve
	allApprovers     bool // every reviewer has to
	noNeedsWork      bool // no reviewer may have marked it as needing work
	allTasks         bool // no task may be open
	successfulBuilds int  // so many builds at least, and none that is not successful
}

func newMergeChecks(at place, above mergeChecks, d settingsDecl) (mergeChecks, error) {
	c := above
	for _, f := range []struct {
		given *bool
		into  *bool
	}{
		{d.RequiredAllApprovers, &c.allApprovers},
		{d.NeedsWork, &c.noNeedsWork},
		{d.RequiredAllTasksComplete, &c.allTasks},
	} {
		if f.given != nil {
			*f.into = *f.given
		}
	}
	var err error
	if c.approvers, err = number(at, d.RequiredApprovers, c.approvers, 0, maxCount); err != nil {
		return c, err
	}
	c.successfulBuilds, err = number(at, d.RequiredSuccessfulBuilds, c.successfulBuilds, 0, maxCount)
	return c, err
}

// The sentences of bitbucket-rest.md 10.7. Each function gives the detail of a
// veto, "" when there is none.

const (
	buildsSummary     = "Not all required builds are successful yet"
	approvalsSummary  = "Requires approvals"
	reviewersSummary  = "Not all required reviewers have approved yet"
	tasksSummary      = "Requires all tasks to be resolved"
	failedBuilds      = "You cannot merge this pull request while it has failed builds."
	inProgressBuilds  = "You cannot merge this pull request while it has in-progress builds."
	beforeItIsMerged  = "before this pull request can be merged."
	minimumOfBuilds   = "You still need a minimum of %s " + beforeItIsMerged
	approvalsNeeded   = "You still need %s " + beforeItIsMerged
	allReviewersDo    = "You still need the approval of all reviewers " + beforeItIsMerged // belief
	tasksToBeResolved = "You still need to resolve %s " + beforeItIsMerged                 // belief
)

// needsWorkSummary is the veto's summary in the words of the release; that
// Bitbucket's own check has them is belief.
func needsWorkSummary(r release) string {
	if r.changesRequested() {
		return "Changes requested"
	}
	return "Needs work"
}

// buildsVeto looks at the builds that count on the source's tip.
func (c mergeChecks) buildsVeto(builds []*commitBuild) string {
	if c.successfulBuilds == 0 {
		return ""
	}
	successful, failed, running := 0, false, false
	for _, b := range builds {
		switch b.state {
		case buildSuccessful:
			successful++
		case buildInProgress:
			running = true
		default:
			failed = true // one that was cancelled or is unknown, too (belief)
		}
	}
	var sentences []string
	if failed {
		sentences = append(sentences, failedBuilds)
	}
	if running {
		sentences = append(sentences, inProgressBuilds)
	}
	if successful < c.successfulBuilds {
		needed := plural(c.successfulBuilds, "successful build")
		if c.successfulBuilds == 1 {
			needed = "one successful build" // this sentence spells it
		}
		sentences = append(sentences, fmt.Sprintf(minimumOfBuilds, needed))
	}
	return strings.Join(sentences, " ")
}

// approversVeto counts approvals. "More" was seen where there were some, and not
// where the recording had none.
func (c mergeChecks) approversVeto(p *pullRequest) string {
	approvals := len(p.reviewersWho(approved))
	needed := c.approvers - approvals
	switch {
	case needed <= 0:
		return ""
	case approvals == 0:
		return fmt.Sprintf(approvalsNeeded, plural(needed, "approval"))
	}
	return fmt.Sprintf(approvalsNeeded, plural(needed, "more approval"))
}

func (c mergeChecks) allApproversVeto(p *pullRequest) string {
	if !c.allApprovers || len(p.reviewersWho(approved)) == len(p.reviewers) {
		return ""
	}
	return allReviewersDo
}

// needsWorkVeto names who marked it; the sentence is belief.
func (c mergeChecks) needsWorkVeto(p *pullRequest, r release) string {
	who := p.reviewersWho(needsWork)
	if !c.noNeedsWork || len(who) == 0 {
		return ""
	}
	have, did := "have", "marked it as needing work"
	if len(who) == 1 {
		have = "has"
	}
	if r.changesRequested() {
		did = "requested changes"
	}
	return fmt.Sprintf("You cannot merge this pull request while %s %s %s.", enumerate(who, "and"), have, did)
}

func (c mergeChecks) tasksVeto(p *pullRequest) string {
	open := p.openTasks()
	if !c.allTasks || open == 0 {
		return ""
	}
	return fmt.Sprintf(tasksToBeResolved, plural(open, "task"))
}

// reviewersWho are the display names of the reviewers with that status, by name.
func (p *pullRequest) reviewersWho(status string) []string {
	var names []string
	for _, r := range p.reviewers {
		if r.status == status {
			names = append(names, r.person.displayName)
		}
	}
	slices.SortFunc(names, compareNames)
	return names
}
