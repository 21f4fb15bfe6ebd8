package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/server"
)

// T2
func TestToolsPrintsEveryToolAndWhatFlagsExpose(t *testing.T) {
	out, err := bb(t, nil, "ai", "mcp", "tools").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, tool := range server.Catalogue() {
		if !strings.Contains(string(out), "\n"+tool.Name+" ") {
			t.Errorf("%s is not listed:\n%s", tool.Name, out)
		}
	}
	for _, test := range []struct {
		flags []string
		want  []string
	}{
		{[]string{"--exclude", "get_pull_request"}, []string{"get_pull_request no: in --exclude", "list_pull_requests yes", "pull_request no: get_pull_request: in --exclude"}},
		{[]string{"--tools", "get_pull_request"}, []string{"get_pull_request yes", "list_pull_requests no: not in --tools", "show no: not in --tools"}},
		{[]string{"--views", "never"}, []string{"show no: views are off", "pull_requests no: views are off"}},
		{[]string{"--project", "ORCH", "--repo", "~amara/scratch"}, []string{"get_pull_request yes"}},
	} {
		arguments := append([]string{"ai", "mcp", "tools", "--json"}, test.flags...)
		out, err := bb(t, nil, arguments...).Output()
		if err != nil {
			t.Errorf("%q: %v", test.flags, err)
			continue
		}
		type entry struct {
			Name, Hidden string
			Exposed      bool
		}
		var list struct{ Tools, Kinds []entry }
		if err := json.Unmarshal(out, &list); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var got []string
		for _, e := range append(list.Tools, list.Kinds...) {
			if e.Exposed != (e.Hidden == "") {
				t.Errorf("%q: %+v contradicts itself", test.flags, e)
			}
			if e.Exposed {
				got = append(got, e.Name+" yes")
			} else {
				got = append(got, e.Name+" no: "+e.Hidden)
			}
		}
		for _, want := range test.want {
			if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+want+"\n") {
				t.Errorf("%q: %q is not in\n%s", test.flags, want, strings.Join(got, "\n"))
			}
		}
	}
	for flags, want := range map[string]string{
		"--tools=get_pr":    "did you mean get_pull_request?",
		"--repo=catalogue":  "KEY/slug",
		"--project=ORCH/..": "no project key",
	} {
		out, err := bb(t, nil, "ai", "mcp", "tools", flags).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", flags, err, out)
		}
	}
}
