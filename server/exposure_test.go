package server

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// T2
func TestAnUnknownToolNameSuggestsTheRightOne(t *testing.T) {
	for written, want := range map[string]string{
		"get_pr":             "did you mean get_pull_request?",
		"getPullRequest":     "did you mean get_pull_request?",
		"get-pull-request":   "did you mean get_pull_request?",
		"list_pull_request":  "did you mean list_pull_requests?",
		"ListPRs":            "did you mean list_pull_requests?",
		"GET_PULL_REQUEST":   "did you mean get_pull_request?",
		"deploy_to_the_moon": "the tools are",
		"":                   "the tools are",
	} {
		for _, o := range []Options{{Tools: []string{written}}, {Exclude: []string{"show", written}}} {
			if _, _, err := Exposure(o); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("with tools %q and exclude %q: %v, want %q", o.Tools, o.Exclude, err, want)
			}
		}
	}
}

// T2, T3: what is left out is said where a model would look for it.
func TestAnAnswerSaysWhichToolsItNamesInVain(t *testing.T) {
	s := &Server{hidden: []string{"list_files", "get_file", showName}}
	for _, test := range []struct{ text, want string }{
		{"It is a folder; list_files lists it, get_commit does not; show it", "\n(Not exposed by this server: list_files.)"},
		{"get_commit reads it", ""},
	} {
		r := failure(errors.New(test.text))
		s.sayHidden(r)
		if got := r.Content[0].(*mcp.TextContent).Text; got != test.text+test.want {
			t.Errorf("%q becomes %q", test.text, got)
		}
	}
}

// T2, T1: why a tool is hidden, and that the deny list wins.
func TestEveryHiddenToolSaysWhy(t *testing.T) {
	catalogue := []Tool{
		{Name: "get_pull_request", Scope: inRepository},
		{Name: "merge_pull_request", Scope: inRepository, Writes: true},
		{Name: "list_everything"},
		{Name: showName, Scope: inRepositoryOrAcross},
	}
	limited := scope{{Project: "ORCH"}}
	for _, test := range []struct {
		name string
		o    Options
		in   scope
		want string // one word of why for each tool, in order
	}{
		{"nothing asked", Options{}, nil, ",,,"},
		{"read-only", Options{ReadOnly: true}, nil, "," + hiddenByReadOnly + ",,"},
		{"a scope", Options{}, limited, ",," + hiddenByScope + ","},
		{"allowed and denied", Options{Tools: []string{"get_pull_request", "show"}, Exclude: []string{"get_pull_request"}}, nil,
			hiddenByExclude + "," + hiddenByTools + "," + hiddenByTools + "," + hiddenByKinds},
		{"no views", Options{Views: ViewsNever}, nil, ",,," + hiddenByViews},
		{"allowed but writing", Options{ReadOnly: true, Tools: []string{"merge_pull_request"}}, nil,
			hiddenByTools + "," + hiddenByReadOnly + "," + hiddenByTools + "," + hiddenByTools},
	} {
		list, err := exposure(catalogue, test.o, test.in)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range list {
			got = append(got, e.Hidden)
		}
		if strings.Join(got, ",") != test.want {
			t.Errorf("%s: hidden %q, want %q", test.name, strings.Join(got, ","), test.want)
		}
	}
}

// T3: what no rule bounds is refused under a scope even if it is called.
func TestAToolWithoutAScopeRuleIsRefusedUnderAScope(t *testing.T) {
	if err := (scope{{Project: "ORCH"}}).bind(scopeRule{}, map[string]any{}); err == nil || !strings.Contains(err.Error(), "limited to ORCH") {
		t.Errorf("bind without a rule: %v", err)
	}
	if err := (scope{}).bind(scopeRule{}, map[string]any{}); err != nil {
		t.Errorf("without a scope: %v", err)
	}
}

// The guard of the catalogue: what every tool must say of itself.
func TestEveryToolDeclaresItsScope(t *testing.T) {
	for _, tool := range Catalogue() {
		if !tool.Scope.bounded() {
			t.Errorf("%s has no scope rule: under a scope it would be withheld", tool.Name)
		}
	}
	client, err := bitbucket.New(bitbucket.Options{URL: "https://bitbucket.example.com", Transport: http.DefaultTransport})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Bitbucket: client, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range Catalogue() {
		for _, at := range tool.Scope.places {
			for _, name := range []string{at.project, at.repo} {
				if _, ok := s.definitions[tool.Name]()[name]; !ok && name != "" {
					t.Errorf("%s: its scope rule names the argument %s, which it does not take", tool.Name, name)
				}
			}
		}
	}
}
