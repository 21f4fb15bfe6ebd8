package fakebb_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// V17: since 10.2 conditions say what they are required for
// (bitbucket-rest.md 15 [L]).
func TestRequiredBuildsSayWhatForSince102(t *testing.T) {
	with := rules{repository: `
requiredBuilds:
  - {keys: [unit], target: {type: ANY_REF}}
  - {keys: [nightly], target: {type: ANY_REF}, requiredForPullRequest: false, requiredForMergeQueue: true}`}
	type condition struct {
		BuildParentKeys                               []string
		RequiredForPullRequest, RequiredForMergeQueue *bool
	}
	yes, no := true, false
	for release, want := range map[string][]condition{
		"10.2":   {{[]string{"unit"}, &yes, &no}, {[]string{"nightly"}, &no, &yes}},
		"10.1":   {{[]string{"unit"}, nil, nil}},
		"9.4.16": {{[]string{"unit"}, nil, nil}},
	} {
		s := with.serve(t, release)
		got := values[condition](t, get(t, s, "ada", "/rest/required-builds/latest/projects/P/repos/r/conditions"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", release, diff)
		}
		// What is for the merge queue alone prevents no merge of a pull request.
		const want = "The following required builds have not started: unit."
		if diff := cmp.Diff([]string{want}, vetoes(t, s, "1")["Not all required builds are successful yet"]); diff != "" {
			t.Errorf("%s: vetoes (-want +got):\n%s", release, diff)
		}
	}
}
