package fakebb_test

import (
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

func TestPushesAreReadByAdministrators(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	type item struct {
		User      struct{ Name string }
		RefChange struct {
			RefID, FromHash, ToHash, UpdatedType string
		}
	}
	rows := func(path string) (rows []string) {
		for _, i := range values[item](t, get(t, s, "bo", path)) {
			c := i.RefChange
			rows = append(rows, i.User.Name+" "+c.RefID+" "+c.FromHash[:7]+" "+c.ToHash[:7]+" "+c.UpdatedType)
		}
		return rows
	}
	commit := func(name string) string { return fakebb.Orchard().Commit("ORCH/catalogue", name)[:7] }
	got := rows(catalogue + "/ref-change-activities?ref=refs/heads/feature/prune")
	want := []string{
		"amara refs/heads/feature/prune " + commit("prune-4") + " " + commit("prune-5") + " NOT_FORCED",
		"amara refs/heads/feature/prune " + commit("prune-3") + " " + commit("prune-4") + " NOT_FORCED",
		"amara refs/heads/feature/prune " + commit("prune-2") + " " + commit("prune-3") + " NOT_FORCED",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pushes to feature/prune (-want +got):\n%s", diff)
	}
	if got := rows(catalogue + "/ref-change-activities?ref=refs/heads/main"); len(got) != 1 || !strings.HasPrefix(got[0], "bo refs/heads/main ") {
		t.Errorf("pushes to main: %q", got)
	}
	if r := get(t, s, "bo", catalogue+"/ref-change-activities/branches?filterText=FEATURE/prune"); !strings.Contains(r.body, `"values":[{"id":"refs/heads/feature/prune","displayId":"feature/prune","type":"BRANCH"}]`) {
		t.Errorf("branches of the push log: %s", r.body)
	}
	if r := get(t, s, "amara", catalogue+"/ref-change-activities"); r.status != 401 {
		t.Errorf("for a reader: %d", r.status)
	}
}

func TestTokensAndAdministrationAreNotForEveryone(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for path, status := range map[string]int{
		"/rest/access-tokens/latest/users/amara": 200, "/rest/access-tokens/latest/users/bo": 401, "/rest/access-tokens/latest/users/nosuch": 404,
		"/rest/access-tokens/latest/projects/ORCH": 401, "/rest/access-tokens/latest/projects/ORCH/repos/catalogue": 401,
		"/rest/access-tokens/latest/projects/ORCH/repos/nosuch": 404, rest + "/admin/users": 401, rest + "/admin/license": 401,
	} {
		r := get(t, s, "amara", path)
		if r.status != status || strings.Contains(r.body, "fake-") {
			t.Errorf("%s: %d %s, want %d", path, r.status, r.body, status)
		}
	}
	if r := get(t, s, "bo", rest+"/admin/users"); !strings.Contains(r.body, "security.exception.AuthorizationException") {
		t.Errorf("administration: %s", r.body)
	}
}

func TestADeploymentIsReadByItsKeys(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	const deployments = catalogue + "/commits/main/deployments"
	for query, status := range map[string]int{
		"?key=catalogue-production&environmentKey=orchard-production&deploymentSequenceNumber=41": 200,
		"?key=catalogue-production&environmentKey=orchard-production&deploymentSequenceNumber=40": 404,
		"?key=catalogue-production&environmentKey=orchard-production":                             400,
		"": 400,
	} {
		if r := get(t, s, "amara", deployments+query); r.status != status {
			t.Errorf("%s: %d %s, want %d", query, r.status, r.body, status)
		}
	}
}
