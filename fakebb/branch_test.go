package fakebb_test

import (
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// H1
func TestBranchesAndTagsAreListed(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, shelf)})
	type ref struct {
		DisplayID    string
		LatestCommit string
		IsDefault    bool
		Hash         string
	}
	for query, want := range map[string]string{
		"": "Feature-y feature/x main*", "?orderBy=MODIFICATION": "feature/x main* Feature-y", "?filterText=FEATURE": "Feature-y feature/x",
		"?filterText=x": "feature/x", "?filterText=a&boostMatches=true": "Feature-y feature/x main*", "?filterText=main&boostMatches=true": "main*",
		"?limit=1&start=1": "feature/x",
	} {
		var got []string
		for _, b := range values[ref](t, get(t, s, "ada", shelfRepository+"/branches"+query)) {
			name := b.DisplayID
			if b.IsDefault {
				name += "*"
			}
			got = append(got, name)
		}
		if diff := cmp.Diff(strings.Fields(want), got); diff != "" {
			t.Errorf("branches%s (-want +got):\n%s", query, diff)
		}
	}
	tags := values[ref](t, get(t, s, "ada", shelfRepository+"/tags"))
	if len(tags) != 2 || tags[0].DisplayID != "rel/2" || len(tags[0].Hash) != 40 || tags[1].Hash != "" {
		t.Errorf("tags %+v", tags)
	}
	for _, name := range []string{"rel/2", "rel%2F2"} {
		var one ref
		get(t, s, "ada", shelfRepository+"/tags/"+name).into(t, &one)
		if one != tags[0] {
			t.Errorf("tag %s: %+v", name, one)
		}
	}
	var ahead struct {
		Values []struct {
			DisplayID string
			Metadata  map[string]struct{ Ahead, Behind int }
		}
	}
	r := get(t, s, "ada", shelfRepository+"/branches?details=true&filterText=feature-y")
	r.body = strings.Replace(r.body, `"com.atlassian.bitbucket.server.bitbucket-jira:branch-list-jira-issues":[]`, `"x":{}`, 1)
	r.into(t, &ahead)
	if m := ahead.Values[0].Metadata["com.atlassian.bitbucket.server.bitbucket-branch:ahead-behind-metadata-provider"]; m.Ahead != 0 || m.Behind != 1 {
		t.Errorf("ahead and behind %+v in %s", m, r.body)
	}
}
