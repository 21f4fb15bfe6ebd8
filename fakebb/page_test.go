package fakebb_test

import (
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
)

// bitbucket-rest.md 2, 14.2; bitbucket-probed.md 3.
func TestEveryListHasItsCap(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for path, limit := range map[string]int{
		first + "/activities": 500, first + "/commits": 100, first + "/changes": 1000, catalogue + "/files": 100000, catalogue + "/commits": 100,
		catalogue + "/branches": 1000, "/rest/build-status/latest/commits/" + tip: 100, catalogue + "/compare/changes": 1000,
	} {
		var page struct{ Limit int }
		if get(t, s, "bo", path+"?limit=2000000").into(t, &page); page.Limit != limit {
			t.Errorf("%s: limit %d, want %d", path, page.Limit, limit)
		}
	}
	var ui struct{ Page struct{ Limit int } }
	if get(t, s, "bo", "/rest/ui/latest/projects/ORCH/repos/catalogue/pull-requests/1/builds?limit=2000000").into(t, &ui); ui.Page.Limit != 2000 {
		t.Errorf("builds of a pull request: limit %d, want 2000", ui.Page.Limit)
	}
	if got := get(t, s, "bo", "/users/bo/avatar.png?v=1").header.Get("Cache-Control"); got != "private, max-age=31536000" {
		t.Errorf("Cache-Control of a picture with v: %q", got)
	}
}

func TestAQueryIsReadAsAServletReadsIt(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	if r := get(t, s, "bo", catalogue+"/branches?filterText=a;b&limit=3"); r.status != 200 || !strings.Contains(r.body, `"size":0,"limit":3`) {
		t.Errorf("a semicolon is part of a value: %s", r.body)
	}
	r := get(t, s, "bo", catalogue+"/branches?filterText=50%-off&limit=1")
	if r.status != 200 || !strings.Contains(r.body, `"size":1`) || !strings.Contains(r.header.Get("X-Fakebb-Note"), "filterText=50%-off") {
		t.Errorf("what is wrongly encoded is left out and said: %d %v %s", r.status, r.header, r.body)
	}
	r = get(t, s, "bo", catalogue+"/pull-requests/999?a=%")
	if r.status != 404 || r.header.Get("X-Fakebb-Closest-Route") != "" || r.header.Get("X-Fakebb-Note") == "" {
		t.Errorf("a wrongly encoded parameter is no closest route: %d %v", r.status, r.header)
	}
	r = ask(t, s, "DELETE", first, as("bo", "application/json"))
	if r.status != 405 || !strings.Contains(r.header.Get("X-Fakebb-Note"), "reads only") {
		t.Errorf("a method that only writes: %d %v", r.status, r.header)
	}
}
