package fakebb_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const ruledModel = "/rest/branch-utils/latest/projects/P/repos/r/branchmodel"

// H1: bitbucket-rest.md 7, branch-model.json.
func TestTheBranchModelHasWhatIsThere(t *testing.T) {
	s := rules{
		project:    "branchModel:\n  production: release/1",
		repository: "branchModel:\n  development: feature/Topic\n  production: gone\n  categories:\n    - {id: BUGFIX, prefix: fix/}\n    - {id: HOTFIX, disabled: true}",
	}.serve(t, "")
	tip := parse(t, rules{}.text()).Commit("P/r", "two")
	want := `{"development":{"id":"refs/heads/feature/Topic","displayId":"feature/Topic","type":"BRANCH","latestCommit":"` + tip + `","latestChangeset":"` + tip + `","isDefault":false},` +
		`"types":[{"id":"BUGFIX","displayName":"Bugfix","prefix":"fix/"},{"id":"FEATURE","displayName":"Feature","prefix":"feature/"},{"id":"RELEASE","displayName":"Release","prefix":"release/"}]}`
	if diff := cmp.Diff(want, get(t, s, "ada", ruledModel).body); diff != "" {
		t.Errorf("the model (-want +got):\n%s", diff)
	}
	want = `{"development":{"refId":"refs/heads/feature/Topic","useDefault":false},"production":{"refId":"refs/heads/gone","useDefault":false},` +
		`"types":[{"id":"BUGFIX","enabled":true,"displayName":"Bugfix","prefix":"fix/"},{"id":"FEATURE","enabled":true,"displayName":"Feature","prefix":"feature/"},` +
		`{"id":"HOTFIX","enabled":false,"displayName":"Hotfix","prefix":"hotfix/"},{"id":"RELEASE","enabled":true,"displayName":"Release","prefix":"release/"}]}`
	if diff := cmp.Diff(want, get(t, s, "ada", ruledModel+"/configuration").body); diff != "" {
		t.Errorf("the configuration (-want +got):\n%s", diff)
	}
	if got := get(t, s, "ada", "/rest/branch-utils/latest/projects/P/branchmodel/configuration").body; !strings.HasPrefix(got,
		`{"development":{"refId":null,"useDefault":true},"production":{"refId":"refs/heads/release/1","useDefault":false},`) {
		t.Errorf("the project's configuration %s", got)
	}
	// The fork has the project's.
	if got := get(t, s, "ada", "/rest/branch-utils/latest/projects/P/repos/fork/branchmodel").body; !strings.HasPrefix(got, `{"development":{"id":"refs/heads/main",`) ||
		!strings.Contains(got, `"prefix":"bugfix/"`) {
		t.Errorf("the fork's model %s", got)
	}
}

func TestAnEmptyRepositoryHasAModelWithoutBranches(t *testing.T) {
	got := get(t, rules{}.serve(t, ""), "ada", "/rest/branch-utils/latest/projects/P/repos/empty/branchmodel").body
	if !strings.HasPrefix(got, `{"types":[{"id":"BUGFIX"`) {
		t.Errorf("%s", got)
	}
}

// H1: bitbucket-rest.md 7.
func TestBranchesOfACommitAreThoseThatContainIt(t *testing.T) {
	scenario := parse(t, rules{}.text())
	s := rules{}.serve(t, "")
	for commit, want := range map[string][]string{
		"one":   {"feature/Topic", "hotfix/urgent", "main", "release/1"},
		"two":   {"feature/Topic", "hotfix/urgent"},
		"three": {"release/1"},
	} {
		r := get(t, s, "ada", "/rest/branch-utils/latest/projects/P/repos/r/branches/info/"+scenario.Commit("P/r", commit))
		var got []string
		for _, b := range values[struct{ ID, DisplayID, Type string }](t, r) {
			if b.Type != "BRANCH" || b.ID != "refs/heads/"+b.DisplayID {
				t.Errorf("%s: %+v", commit, b)
			}
			got = append(got, b.DisplayID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("branches of %s (-want +got):\n%s", commit, diff)
		}
	}
	if r := get(t, s, "ada", "/rest/branch-utils/latest/projects/P/repos/r/branches/info/0123456789"); r.status != http.StatusNotFound {
		t.Errorf("an unknown commit answers %d %s", r.status, r.body)
	}
}
