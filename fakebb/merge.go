package fakebb

import (
	"fmt"
	"slices"
	"strings"
)

// mergeRoutes are what comes before a merge.
var mergeRoutes = []route{
	{method: "GET", path: onePull + "/merge", answer: getMergeCheck,
		evidence: "bitbucket-rest.md 10.7 [P][O][L], shape-9416-merge-check.json"},
	{method: "GET", path: uiPull + "/merge", answer: getMergeCheck,
		evidence: "bitbucket-rest.md 14.3 [U]; that it answers as the public one is belief"},
	{method: "GET", path: onePull + "/commit-message-suggestion", answer: getCommitMessage,
		evidence: "bitbucket-rest.md 10.7 [O]"},
	{method: "GET", path: onePull + "/auto-merge", answer: getAutoMerge,
		evidence: "bitbucket-rest.md 10.7 [O]; the sentence of the 404 is belief"},
	{method: "GET", path: "/rest/git/{version}" + inRepository + "/pull-requests/{pullRequestId}/rebase", answer: getRebaseCheck,
		evidence: "bitbucket-rest.md 10.7 [O][L]; the veto [U]"},
}

// mergeCheckJSON is Bitbucket's verdict (bitbucket-rest.md 10.7).
type mergeCheckJSON struct {
	CanMerge   bool       `json:"canMerge"`
	Conflicted bool       `json:"conflicted"`
	Outcome    string     `json:"outcome"`
	Vetoes     []vetoJSON `json:"vetoes"`
}

type vetoJSON struct {
	SummaryMessage  string `json:"summaryMessage"`
	DetailedMessage string `json:"detailedMessage"`
}

// getMergeCheck answers whether an open pull request can be merged. A conflict
// is no veto.
func getMergeCheck(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	if p.state != stateOpen {
		return nil, alreadyClosed(p.state)
	}
	check := mergeCheckJSON{Outcome: p.outcome(), Vetoes: x.store.vetoes(p, x.server.release)}
	check.Conflicted = check.Outcome == outcomeConflict
	check.CanMerge = !check.Conflicted && len(check.Vetoes) == 0
	return check, nil
}

// vetoes are what the repository's merge checks say, in the order Bitbucket was
// seen to send them: builds, approvals, reviewers. That of the others is belief.
func (s *store) vetoes(p *pullRequest, r release) []vetoJSON {
	checks := p.repository.settings.checks
	draft := ""
	if p.draft && r.drafts() {
		// Belief; that a draft cannot be merged is documented.
		draft = "This pull request is a draft and cannot be merged until it is marked as ready."
	}
	vetoes := []vetoJSON{}
	for _, v := range []vetoJSON{
		{buildsSummary, s.requiredBuildsVeto(p)},
		{buildsSummary, checks.buildsVeto(s.counting(p, p.source.tip))},
		{approvalsSummary, checks.approversVeto(p)},
		{approvalsSummary, checks.allApproversVeto(p)},
		{reviewersSummary, p.defaultReviewersVeto()},
		{needsWorkSummary(r), checks.needsWorkVeto(p, r)},
		{tasksSummary, checks.tasksVeto(p)},
		{"Pull request is a draft", draft},
	} {
		if v.DetailedMessage != "" {
			vetoes = append(vetoes, v)
		}
	}
	return vetoes
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (p *pullRequest) openTasks() int {
	n := 0
	for _, c := range p.comments() {
		if c.task && c.state() == commentOpen {
			n++
		}
	}
	return n
}

// requiredBuildsVeto is the detail of the required-builds veto, "" when every
// key that applies has a successful build. A key without one is failed or in
// progress as its newest build is, and missing without any. The sentence about
// missing builds is belief.
func (s *store) requiredBuildsVeto(p *pullRequest) string {
	var failed, running bool
	var missing []string
	for _, c := range p.repository.conditions {
		if !c.appliesTo(p) {
			continue
		}
		for _, key := range c.keys {
			switch s.required(p, key) {
			case buildSuccessful:
			case buildInProgress:
				running = true
			case "":
				missing = append(missing, key)
			default:
				failed = true
			}
		}
	}
	var sentences []string
	if failed {
		sentences = append(sentences, failedBuilds)
	}
	if running {
		sentences = append(sentences, inProgressBuilds)
	}
	if missing != nil {
		slices.Sort(missing)
		sentences = append(sentences, fmt.Sprintf("The following required builds have not started: %s.",
			strings.Join(slices.Compact(missing), ", ")))
	}
	return strings.Join(sentences, " ")
}

// required is how a required key stands: SUCCESSFUL when one counting build
// with that parent is, otherwise the state of the newest one, "" without any.
// A build's own key plays no part (bitbucket-probed.md 1).
func (s *store) required(p *pullRequest, key string) string {
	state := ""
	for _, b := range newestBuilds(s.counting(p, p.source.tip)) {
		switch {
		case b.parent != key:
		case b.state == buildSuccessful:
			return buildSuccessful
		case state == "":
			state = b.state
		}
	}
	return state
}

// commitMessageJSON is a suggested message for the merge, by its first line and
// the rest.
type commitMessageJSON struct {
	Title string `json:"title"`
	Body  string `json:"body"`
}

func getCommitMessage(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	title, body := p.mergeMessage()
	return commitMessageJSON{title, body}, nil
}

// mergeMessage is the message of the merge, in the form of 7.x and later.
func (p *pullRequest) mergeMessage() (title, body string) {
	from := p.source.branch
	if p.source.repository != p.repository {
		from = p.source.repository.String() + ":" + from
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Merge in %s from %s to %s\n\n* commit '%s':\n", p.repository, from, p.target.branch, p.source.tip)
	commits := p.commitsAdded()
	for _, c := range commits[:min(len(commits), p.repository.settings.merge.commitSummaries)] {
		summary, _, _ := strings.Cut(c.Message, "\n")
		fmt.Fprintf(&b, "  %s\n", summary)
	}
	return fmt.Sprintf("Pull request #%d: %s", p.id, p.title), strings.TrimSuffix(b.String(), "\n")
}

// autoMergeJSON is a request to merge as soon as nothing prevents it.
type autoMergeJSON struct {
	CreatedDate int64  `json:"createdDate"`
	FromHash    string `json:"fromHash"`
	ToRefID     string `json:"toRefId"`
	StrategyID  string `json:"strategyId"`
	Message     string `json:"message,omitempty"`
	AutoSubject bool   `json:"autoSubject"`
}

func getAutoMerge(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	if !x.server.release.autoMerges() {
		return nil, notFound("auto-merge came with 8.15")
	}
	if p.autoMerge == nil || p.state != stateOpen {
		return nil, noAutoMerge(p)
	}
	return autoMergeJSON{
		CreatedDate: p.autoMerge.at, FromHash: p.autoMerge.tips.from, ToRefID: p.target.id(),
		StrategyID: p.autoMerge.strategy, AutoSubject: true,
	}, nil
}

// rebaseCheckJSON says what prevents a rebase; nothing when it is empty.
type rebaseCheckJSON struct {
	Vetoes []vetoJSON `json:"vetoes"`
}

func getRebaseCheck(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	check := rebaseCheckJSON{[]vetoJSON{}}
	if p.state != stateOpen {
		return nil, alreadyClosed(p.state)
	}
	if p.outcome() == outcomeConflict {
		check.Vetoes = append(check.Vetoes, vetoJSON{"Resolve all merge conflicts first",
			"This pull request has conflicts that must be resolved before its source branch can be rebased."})
	}
	return check, nil
}
