package server

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/server/requiredbuilds"
	"github.com/bb-mcp/bb/server/view"
)

// V42, and get_pull_request's one verdict: every reason, who says it, and who
// or what can change it.
func TestEveryReasonSaysWhoSaysItAndWhatChangesIt(t *testing.T) {
	base := PullRequestAnswer{
		Project: "ORCH", Repo: "catalogue", State: "OPEN", Author: Person{Name: "amara", DisplayName: "Amara Oyelaran"},
		Source: Branch{Branch: "feature/x", Commit: "0123456789abcdef"}, Target: Branch{Branch: "main"},
		Reviewers: []Reviewer{
			{Person: Person{"bo", "Bo Lindqvist", ""}, Status: view.StatusApproved},
			{Person: Person{"chen", "Chen Wei", ""}, Status: view.StatusNeedsWork},
			{Person: Person{"zoe", "Zoë Åström", ""}, Status: view.StatusUnapproved},
		},
		Builds: &Builds{Items: []Build{
			{Name: "Unit tests", Key: "u", Parent: "ci", State: view.BuildFailed},
			{Name: "Lint", Key: "l", Parent: "lint", State: view.BuildSuccessful},
		}},
	}
	vetoed := func(summary string) func(*PullRequestAnswer) {
		return func(a *PullRequestAnswer) {
			a.MergeCheck = &MergeCheck{Outcome: view.OutcomeClean, vetoes: []Veto{{summary, "A sentence."}}}
		}
	}
	keys := func(states ...requiredbuilds.State) requiredbuilds.Verdict {
		var v requiredbuilds.Verdict
		for _, s := range states {
			v.Required = append(v.Required, requiredbuilds.Key{Key: "ci", State: s})
		}
		return v
	}
	for _, test := range []struct {
		name     string
		adjust   func(*PullRequestAnswer)
		required requiredbuilds.Verdict
		mayWrite *bool
		want     []string // kind, from and a word of what changes it
	}{
		{"nothing", func(a *PullRequestAnswer) { a.MergeCheck = &MergeCheck{CanMerge: true, Outcome: view.OutcomeClean} }, keys(requiredbuilds.Successful), new(true), nil},
		{"a conflict", func(a *PullRequestAnswer) {
			a.MergeCheck = &MergeCheck{Conflicted: true, Outcome: view.OutcomeConflicted}
		}, keys(), nil,
			[]string{"CONFLICT BITBUCKET whoever can push to \"feature/x\" merges \"main\""}},
		{"a conflict of a fork", func(a *PullRequestAnswer) {
			a.MergeCheck = &MergeCheck{Conflicted: true, Outcome: view.OutcomeConflicted}
			a.Source.Project, a.Source.Repo = "~zoe", "catalogue"
		}, keys(), nil, []string{"CONFLICT BITBUCKET push to \"~zoe/catalogue:feature/x\""}},
		{"not checked for conflicts", func(a *PullRequestAnswer) { a.MergeCheck = &MergeCheck{Outcome: view.OutcomeUnknown} }, keys(), nil, []string{"UNCHECKED BITBUCKET read it again"}},
		{"builds", vetoed("Not all required builds are successful yet"), keys(), nil, []string{"VETO BITBUCKET new builds for 0123456789a; now \"Unit tests\" (FAILED)"}},
		{"approvals", vetoed("Requires approvals"), keys(), nil, []string{"VETO BITBUCKET not approved: \"Chen Wei\" (chen), \"Zoë Åström\" (zoe)"}},
		{"reviewers", vetoed("Not all required reviewers have approved yet"), keys(), nil, []string{"VETO BITBUCKET not approved: \"Chen Wei\" (chen), \"Zoë Åström\" (zoe)"}},
		{"changes requested", vetoed("Changes requested"), keys(), nil, []string{"VETO BITBUCKET withdraws: \"Chen Wei\" (chen)"}},
		{"needs work", vetoed("Needs work"), keys(), nil, []string{"VETO BITBUCKET withdraws: \"Chen Wei\" (chen)"}},
		{"tasks", vetoed("Requires all tasks to be resolved"), keys(), nil, []string{"VETO BITBUCKET the open tasks are resolved"}},
		{"branch permission", vetoed("Insufficient branch permissions"), keys(), nil, []string{"VETO BITBUCKET whoever administers ORCH/catalogue"}},
		{"a check nobody knows", vetoed("Frost warning"), keys(), nil, []string{"VETO BITBUCKET Bitbucket does not say"}},
		{"a check in another language", vetoed("Genehmigungen fehlen"), keys(), nil, []string{"VETO BITBUCKET Bitbucket does not say"}},
		{"a draft that Bitbucket vetoes", func(a *PullRequestAnswer) { vetoed("Pull request is a draft")(a); a.Draft = true }, keys(), nil, []string{"VETO BITBUCKET \"Amara Oyelaran\" (amara) marks it as ready"}},
		{"a draft that it does not", func(a *PullRequestAnswer) {
			a.MergeCheck = &MergeCheck{CanMerge: true, Outcome: view.OutcomeClean}
			a.Draft = true
		}, keys(), nil, []string{"DRAFT BB \"Amara Oyelaran\" (amara) marks it as ready"}},
		{"required builds", func(a *PullRequestAnswer) { a.MergeCheck = &MergeCheck{CanMerge: true, Outcome: view.OutcomeClean} },
			keys(requiredbuilds.Failed, requiredbuilds.Missing, requiredbuilds.Successful, requiredbuilds.Unknowable, requiredbuilds.InProgress), nil,
			[]string{"REQUIRED_BUILD BB under \"ci\" for 0123456789a", "REQUIRED_BUILD BB under \"ci\"", "REQUIRED_BUILD BB under \"ci\""}},
		{"no permission", func(a *PullRequestAnswer) { a.MergeCheck = &MergeCheck{CanMerge: true, Outcome: view.OutcomeClean} }, keys(), new(false),
			[]string{"PERMISSION BB somebody merges who may"}},
		{"no merge check, and no permission", func(*PullRequestAnswer) {}, keys(requiredbuilds.Failed), new(false), []string{"REQUIRED_BUILD BB \"ci\"", "PERMISSION BB who may"}},
	} {
		a := base
		test.adjust(&a)
		a.Reasons = a.reasons(test.required, test.mayWrite)
		if len(a.Reasons) != len(test.want) {
			t.Errorf("%s: reasons %+v, want %q", test.name, a.Reasons, test.want)
			continue
		}
		for i, want := range test.want {
			r, want := a.Reasons[i], strings.SplitN(want, " ", 3)
			if r.Kind != want[0] || r.From != want[1] || !strings.Contains(r.Change, want[2]) {
				t.Errorf("%s: %+v, want %q", test.name, r, want)
			}
		}
		text := strings.Join(a.verdict(), "\n")
		_, own, _ := strings.Cut(text, "not Bitbucket's verdict")
		for _, r := range a.Reasons {
			if inOwn := strings.Contains(own, r.Change); inOwn != (r.From == fromBB) {
				t.Errorf("%s: %s %s stands among bb's own: %v\n%s", test.name, r.From, r.Kind, inOwn, text)
			}
		}
	}
}

func TestNamesAreEnumeratedAndTheRestCounted(t *testing.T) {
	for want, names := range map[string][]string{
		"nobody":                   {},
		"a, b":                     {"a", "b"},
		"a, b, c, d, e and 2 more": {"a", "b", "c", "d", "e", "f", "g"},
	} {
		if diff := cmp.Diff(want, enumerate(names, "nobody")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
