package fakebb_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const ruledOwners = "/rest/ui/latest/projects/P/repos/r/code-owners"

// owned has a CODEOWNERS file on main and another one on the source.
var owned = rules{
	repository: "reviewerGroups:\n  - {name: Tree growers, users: [cyd, eve]}",
	project:    "reviewerGroups:\n  - {name: elders, users: [dan, bob]}",
	tree:       "- {path: docs/b.md, text: b}\n- {path: README.md, replace: About, with: More about}\n- {path: .bitbucket/CODEOWNERS, text: '* @dan'}",
}

func ownedText() string {
	return strings.Replace(owned.text(), "-- P/r/files/one/README.md --", `-- P/r/files/one/.bitbucket/CODEOWNERS --
*.go @BOB @nobody @eve
docs/ @"tree growers"
-- P/r/files/one/README.md --`, 1)
}

func codeOwners(t *testing.T, r reply) []string {
	t.Helper()
	var answer struct{ CodeOwners []struct{ Name string } }
	r.into(t, &answer)
	names := []string{}
	for _, u := range answer.CodeOwners {
		names = append(names, u.Name)
	}
	return names
}

// H1: the file is the target's, the changes those since the merge base
// (bitbucket-rest.md 16).
func TestCodeOwnersAreThoseOfTheTargetsFile(t *testing.T) {
	s := serveText(t, ownedText())
	for query, want := range map[string][]string{
		"?sourceRefId=refs/heads/feature/Topic&targetRefId=refs/heads/main":                     {"cyd", "bob"}, // not eve, who may not read
		"?sourceRefId=feature/Topic&targetRefId=main":                                           {"cyd", "bob"},
		"?sourceRefId=refs/heads/feature/far&targetRefId=refs/heads/main&sourceRepo=P/fork":     {"cyd", "bob"},
		"?sourceRefId=refs/heads/release/1&targetRefId=refs/heads/feature/Topic":                {"dan"}, // the file there is another
		"?sourceRefId=refs/heads/release/1&targetRefId=refs/heads/main":                         {},      // nobody owns NEWS.md
		"?sourceRefId=refs/heads/main&targetRefId=refs/heads/release/1":                         {},      // no changes
		"?sourceRefId=refs/heads/main&targetRefId=refs/heads/feature/Topic&sourceRepo=p%2Ffork": {},
	} {
		if diff := cmp.Diff(want, codeOwners(t, get(t, s, "ada", ruledOwners+query))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	if diff := cmp.Diff([]string{}, codeOwners(t, get(t, rules{}.serve(t, ""), "ada", ruledOwners+"?sourceRefId=feature/Topic&targetRefId=main"))); diff != "" {
		t.Errorf("without a file (-want +got):\n%s", diff)
	}
}

func TestCodeOwnersMayBeAGroupOfTheProject(t *testing.T) {
	s := serveText(t, strings.Replace(ownedText(), `@"tree growers"`, "@elders", 1))
	if diff := cmp.Diff([]string{"dan", "bob"}, codeOwners(t, get(t, s, "ada", ruledOwners+"?sourceRefId=feature/Topic&targetRefId=main"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// H1: missing refs and the same refs are refused (bitbucket-rest.md 16 [U]).
func TestCodeOwnersNeedTwoRefs(t *testing.T) {
	s := serveText(t, ownedText())
	for query, want := range map[string]int{
		"":                             http.StatusBadRequest,
		"?sourceRefId=refs/heads/main": http.StatusBadRequest,
		"?targetRefId=refs/heads/main": http.StatusBadRequest,
		"?sourceRefId=main&targetRefId=refs/heads/main":               http.StatusBadRequest,
		"?sourceRefId=main&targetRefId=main&sourceRepo=P/fork":        http.StatusOK,
		"?sourceRefId=gone&targetRefId=main":                          http.StatusNotFound,
		"?sourceRefId=main&targetRefId=gone":                          http.StatusNotFound,
		"?sourceRefId=main&targetRefId=release/1&sourceRepo=P/nosuch": http.StatusNotFound,
		"?sourceRefId=main&targetRefId=release/1&sourceRepo=NOSUCH":   http.StatusNotFound,
		"?sourceRefId=main&targetRefId=release/1&sourceRepo=Q/hidden": http.StatusUnauthorized,
		"?sourceRefId=main&targetRefId=release/1&sourceRepo=P/empty":  http.StatusBadRequest,
	} {
		if r := get(t, s, "ada", ruledOwners+query); r.status != want {
			t.Errorf("%s: %d %s, want %d", query, r.status, r.body, want)
		}
	}
	if r := get(t, owned.serve(t, "8.9"), "ada", ruledOwners+"?sourceRefId=feature/Topic&targetRefId=main"); r.status != http.StatusNotFound {
		t.Errorf("8.9 has code owners: %d", r.status)
	}
}
