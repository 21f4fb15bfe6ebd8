package fakebb_test

import (
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
)

// H1: --release.
func TestOlderReleasesAnswerInTheirOwnForm(t *testing.T) {
	older := fakebb.New(fakebb.Options{Release: "8.9"})
	if r := get(t, older, "bo", catalogue+"/pull-requests/12/auto-merge"); r.status != 404 {
		t.Errorf("auto-merge before 8.15: %d", r.status)
	}
	if r := get(t, older, "bo", catalogue+"/pull-requests/12/activities"); strings.Contains(r.body, "AUTO_MERGE") {
		t.Error("auto-merge in the activity before 8.15")
	}
	if r := get(t, older, "bo", catalogue+"/pull-requests/4/merge"); strings.Contains(r.body, "draft") {
		t.Errorf("a draft before 8.18: %s", r.body)
	}
	if r := get(t, older, "bo", catalogue+"/pull-requests?draft=true"); !strings.Contains(r.body, `"size":10`) {
		t.Errorf("draft=true before 8.18 filters: %.200s", r.body)
	}
	for release, want := range map[string]struct{ has, lacks []string }{
		"7.21": {
			[]string{`{"name":"bo","emailAddress":"bo@example.com","id":102,`, `"tasks":[]`, `"context":null`},
			[]string{`"draft"`, `"threadResolved"`, `"type":"BRANCH"`},
		},
		"8.9": {
			[]string{`{"name":"bo","emailAddress":"bo@example.com","id":102,`, `"threadResolved":false`, `"type":"BRANCH"`, `"context":null`},
			[]string{`"draft"`, `"tasks":`},
		},
		"8.19":   {[]string{`"draft":false`, `"context":null`, `"openTaskCount"`}, []string{`"tasks":`}},
		"9.4.16": {[]string{`{"name":"bo","emailAddress":"bo@example.com","active":true,`, `"draft":false`, `"openTaskCount"`}, []string{`"context":null`, `"defaultBranch"`}},
		"10.2":   {[]string{`"draft":false`, `"commentCount"`, `"defaultBranch":"refs/heads/main"`}, []string{`"openTaskCount"`, `"context":null`}},
	} {
		s := fakebb.New(fakebb.Options{Release: release})
		text := ""
		for _, path := range []string{first, first + "/activities", catalogue, catalogue + "/pull-requests", catalogue + "/pull-requests/999"} {
			text += get(t, s, "bo", path).body
		}
		for _, has := range want.has {
			if !strings.Contains(text, has) {
				t.Errorf("%s: %s is missing", release, has)
			}
		}
		for _, lacks := range want.lacks {
			if strings.Contains(text, lacks) {
				t.Errorf("%s: has %s", release, lacks)
			}
		}
	}
}
