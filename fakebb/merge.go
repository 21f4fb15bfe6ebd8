package fakebb

import (
	"fmt"
	"slices"
	"strings"
)

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
	check := mergeCheckJSON{Outcome: p.outcome(), Vetoes: x.store.vetoes(p)}
	check.Conflicted = check.Outcome == outcomeConflict
	check.CanMerge = !check.Conflicted && len(check.Vetoes) == 0
	return check, nil
}

// vetoes are what the repository's merge checks say, in the order Bitbucket was
// seen to send them: builds first.
func (s *store) vetoes(p *pullRequest) []vetoJSON {
	vetoes := []vetoJSON{}
	if detail := s.requiredBuildsVeto(p); detail != "" {
		vetoes = append(vetoes, vetoJSON{"Not all required builds are successful yet", detail})
	}
	if p.repository.allTasksResolved {
		if open := p.openTasks(); open > 0 {
			// The summary was seen; the detail is belief.
			vetoes = append(vetoes, vetoJSON{"Requires all tasks to be resolved",
				fmt.Sprintf("You still need to resolve %s before this pull request can be merged.", plural(open, "task"))})
		}
	}
	if p.draft {
		// Belief; that a draft cannot be merged is documented.
		vetoes = append(vetoes, vetoJSON{"Pull request is a draft",
			"This pull request is a draft and cannot be merged until it is marked as ready."})
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
		sentences = append(sentences, "You cannot merge this pull request while it has failed builds.")
	}
	if running {
		sentences = append(sentences, "You cannot merge this pull request while it has in-progress builds.")
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
