package fakebb_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// required makes required builds whose keys are the matchers of their targets,
// or after "but" of the sources they do not apply to.
func required(matchers ...string) rules {
	var b strings.Builder
	b.WriteString("requiredBuilds:\n")
	for _, m := range matchers {
		target, exempt, _ := strings.Cut(m, " but ")
		b.WriteString("  - keys: ['" + strings.ReplaceAll(m, "'", "''") + "']\n    target: " + matcherYAML(target) + "\n")
		if exempt != "" {
			b.WriteString("    exempt: " + matcherYAML(exempt) + "\n")
		}
	}
	return rules{repository: b.String()}
}

func matcherYAML(m string) string {
	kind, id, _ := strings.Cut(m, " ")
	if id == "" {
		return "{type: " + kind + "}"
	}
	return "{type: " + kind + ", id: '" + id + "'}"
}

// V17: every kind of matcher and letter case decides as the merge check does
// (bitbucket-probed.md 1, 2).
func TestMatchersDecideWhichRequiredBuildsApply(t *testing.T) {
	matchers := []string{
		"ANY_REF",
		"BRANCH main", "BRANCH MAIN", "BRANCH heads/main", "BRANCH refs/heads/main", "BRANCH refs/tags/main", "BRANCH feature/Topic",
		"BRANCH Release/1",
		"PATTERN ma*", "PATTERN MA*", "PATTERN *", "PATTERN **", "PATTERN release/*", "PATTERN RELEASE/", "PATTERN main/",
		"PATTERN {name}", "PATTERN feature/*",
		"MODEL_BRANCH development", "MODEL_BRANCH production",
		"MODEL_CATEGORY RELEASE", "MODEL_CATEGORY HOTFIX", "MODEL_CATEGORY FEATURE",
		"DEFAULT_BRANCH",
		// The exemption looks at the source.
		"ANY_REF but MODEL_CATEGORY FEATURE", "ANY_REF but BRANCH feature/topic", "ANY_REF but PATTERN hotfix/*",
		"ANY_REF but BRANCH main", "BRANCH main but ANY_REF", "ANY_REF but MODEL_CATEGORY HOTFIX",
	}
	with := required(matchers...)
	with.project = "branchModel:\n  production: release/1\n  categories:\n    - {id: HOTFIX, disabled: true}"
	s := with.serve(t, "")
	for id, want := range map[string]string{
		"1": "ANY_REF, ANY_REF but BRANCH main, ANY_REF but MODEL_CATEGORY HOTFIX, ANY_REF but PATTERN hotfix/*, " +
			"BRANCH MAIN, BRANCH heads/main, BRANCH main, BRANCH refs/heads/main, DEFAULT_BRANCH, MODEL_BRANCH development, " +
			"PATTERN *, PATTERN **, PATTERN MA*, PATTERN ma*, PATTERN main/, PATTERN {name}",
		"2": "ANY_REF, ANY_REF but BRANCH feature/topic, ANY_REF but BRANCH main, ANY_REF but MODEL_CATEGORY FEATURE, ANY_REF but MODEL_CATEGORY HOTFIX, " +
			"BRANCH Release/1, MODEL_BRANCH production, MODEL_CATEGORY RELEASE, " +
			"PATTERN *, PATTERN **, PATTERN RELEASE/, PATTERN release/*, PATTERN {name}",
		"3": "ANY_REF, ANY_REF but BRANCH feature/topic, ANY_REF but BRANCH main, ANY_REF but MODEL_CATEGORY HOTFIX, ANY_REF but PATTERN hotfix/*, " +
			"BRANCH MAIN, BRANCH heads/main, BRANCH main, BRANCH refs/heads/main, DEFAULT_BRANCH, MODEL_BRANCH development, " +
			"PATTERN *, PATTERN **, PATTERN MA*, PATTERN ma*, PATTERN main/, PATTERN {name}",
	} {
		details := vetoes(t, s, id)["Not all required builds are successful yet"]
		got := strings.TrimSuffix(strings.TrimPrefix(strings.Join(details, ""), "The following required builds have not started: "), ".")
		if diff := cmp.Diff(strings.Split(want, ", "), strings.Split(got, ", ")); diff != "" {
			t.Errorf("what applies to pull request %s (-want +got):\n%s", id, diff)
		}
	}
}

// The letter case of the branch model counts.
func TestTheLetterCaseOfCategoriesCounts(t *testing.T) {
	with := required("ANY_REF but MODEL_CATEGORY FEATURE")
	with.project = "branchModel:\n  categories:\n    - {id: FEATURE, prefix: FEATURE/}"
	if got := vetoes(t, with.serve(t, ""), "1"); len(got) != 1 {
		t.Errorf("the branch feature/Topic is of the category with the prefix FEATURE/: %v", got)
	}
}

// V17: key order of required builds; displayId and active as real ones.
func TestMatchersAreDrawnAsBitbucketDoes(t *testing.T) {
	with := required("ANY_REF", "BRANCH heads/main", "PATTERN release/*", "MODEL_BRANCH development", "MODEL_BRANCH production",
		"MODEL_CATEGORY HOTFIX", "MODEL_CATEGORY BUGFIX but BRANCH main", "DEFAULT_BRANCH")
	with.repository += "branchModel:\n  categories:\n    - {id: HOTFIX, disabled: true}\n"
	got := values[struct{ RefMatcher, ExemptRefMatcher json.RawMessage }](t,
		get(t, with.serve(t, ""), "ada", "/rest/required-builds/latest/projects/P/repos/r/conditions"))
	want := []string{
		`{"id":"ANY_REF_MATCHER_ID","displayId":"ANY_REF_MATCHER_ID","type":{"id":"ANY_REF","name":"Any branch"},"active":true}`,
		`{"id":"refs/heads/main","displayId":"main","type":{"id":"BRANCH","name":"Branch"},"active":true}`,
		`{"id":"release/*","displayId":"release/*","type":{"id":"PATTERN","name":"Pattern"},"active":true}`,
		`{"id":"development","displayId":"Development","type":{"id":"MODEL_BRANCH","name":"Branching model branch"},"active":true}`,
		`{"id":"production","displayId":"Production","type":{"id":"MODEL_BRANCH","name":"Branching model branch"},"active":false}`,
		`{"id":"HOTFIX","displayId":"Hotfix","type":{"id":"MODEL_CATEGORY","name":"Branching model category"},"active":false}`,
		`{"id":"BUGFIX","displayId":"Bugfix","type":{"id":"MODEL_CATEGORY","name":"Branching model category"},"active":true}`,
		`{"id":"#","displayId":"Default branch","type":{"id":"DEFAULT_BRANCH","name":"Default branch"},"active":true}`,
	}
	for i, w := range want {
		if diff := cmp.Diff(w, string(got[i].RefMatcher)); diff != "" {
			t.Errorf("matcher %d (-want +got):\n%s", i, diff)
		}
		if hasExempt := got[i].ExemptRefMatcher != nil; hasExempt != (i == 6) {
			t.Errorf("matcher %d: exemptRefMatcher is there: %v", i, hasExempt)
		}
	}
}

// A development branch that is not there any more is not active.
func TestAModelBranchThatIsNotThereIsNotActive(t *testing.T) {
	with := required("MODEL_BRANCH development")
	with.repository += "branchModel:\n  development: develop\n"
	s := with.serve(t, "")
	if r := get(t, s, "ada", "/rest/required-builds/latest/projects/P/repos/r/conditions"); !strings.Contains(r.body, `"active":false`) {
		t.Errorf("%s", r.body)
	}
	if got := vetoes(t, s, "1"); len(got) > 0 {
		t.Errorf("it matches all the same: %v", got)
	}
}
