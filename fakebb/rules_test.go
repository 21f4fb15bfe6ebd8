package fakebb_test

import (
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// ruled is a scenario for rules. PROJECT and REPOSITORY stand for those of P and
// of P/r, PULL for more of pull request 1, TREE for changes of its source.
const ruled = `A project with rules.
-- clock.yaml --
start: 2026-01-02T03:04:05Z
-- people.yaml --
- {name: ada, displayName: Ada}
- {name: bob, displayName: Bob}
- {name: cyd, displayName: Cyd}
- {name: dan, displayName: Dan}
- {name: eve, displayName: Eve}
-- projects.yaml --
- key: P
  readers: [ada, bob, cyd, dan]
  admins: [dan]
PROJECT
  repositories:
    - slug: r
REPOSITORY
      branches:
        - {name: main, commit: one}
        - {name: feature/Topic, commit: two}
        - {name: hotfix/urgent, commit: two}
        - {name: release/1, commit: three}
    - slug: fork
      forkOf: P/r
      branches:
        - {name: main, commit: one}
        - {name: feature/far, commit: two}
    - slug: empty
- key: Q
  readers: [eve]
  repositories:
    - slug: hidden
      branches:
        - {name: main, commit: begin}
-- P/r/commits.yaml --
- {name: one, author: ada, at: 2026-01-01T09:00:00Z, message: one}
- name: two
  author: ada
  at: 2026-01-01T10:00:00Z
  message: two
  parents: [one]
  changes:
    - {path: src/a.go, text: "package a\n"}
TREE
- {name: three, author: ada, at: 2026-01-01T10:30:00Z, message: three, parents: [one]}
-- P/r/files/one/README.md --
About.
-- P/r/files/three/NEWS.md --
New.
-- Q/hidden/commits.yaml --
- {name: begin, author: eve, at: 2026-01-01T09:00:00Z, message: begin}
-- Q/hidden/files/begin/README.md --
Hidden.
-- P/r/pull-requests/1.yaml --
title: One
author: ada
source: {branch: feature/Topic}
target: {branch: main}
PULL
activity:
  - {by: ada, at: 2026-01-01T11:00:00Z, action: OPENED}
-- P/r/pull-requests/2.yaml --
title: Two
author: ada
source: {branch: hotfix/urgent}
target: {branch: release/1}
activity:
  - {by: ada, at: 2026-01-01T11:00:00Z, action: OPENED}
-- P/r/pull-requests/3.yaml --
title: Three
author: bob
source: {repository: P/fork, branch: feature/far}
target: {branch: main}
activity:
  - {by: bob, at: 2026-01-01T11:00:00Z, action: OPENED}
`

// rules is what stands in ruled, each a piece of YAML.
type rules struct{ project, repository, pull, tree string }

// text is the scenario with the rules; they are indented as their place is.
func (r rules) text() string {
	text := ruled
	for _, part := range []struct{ name, yaml, indent string }{
		{"PROJECT\n", r.project, "  "}, {"REPOSITORY\n", r.repository, "      "}, {"PULL\n", r.pull, ""}, {"TREE\n", r.tree, "    "},
	} {
		var b strings.Builder
		for line := range strings.Lines(strings.TrimSpace(part.yaml)) {
			b.WriteString(part.indent + strings.TrimRight(line, "\n") + "\n")
		}
		if part.yaml == "" {
			b.Reset()
		}
		text = strings.Replace(text, part.name, b.String(), 1)
	}
	return text
}

// serve serves the scenario with the rules.
func (r rules) serve(t *testing.T, release string) *fakebb.Server {
	t.Helper()
	return fakebb.New(fakebb.Options{Scenario: parse(t, r.text()), Release: release})
}

const ruledRepository = rest + "/projects/P/repos/r"

// vetoes are the details of the vetoes of a pull request, by their summaries.
func vetoes(t *testing.T, s *fakebb.Server, id string) map[string][]string {
	t.Helper()
	var check struct {
		CanMerge bool
		Vetoes   []struct{ SummaryMessage, DetailedMessage string }
	}
	get(t, s, "ada", ruledRepository+"/pull-requests/"+id+"/merge").into(t, &check)
	if check.CanMerge != (len(check.Vetoes) == 0) {
		t.Errorf("pull request %s: canMerge is %v with %d vetoes", id, check.CanMerge, len(check.Vetoes))
	}
	found := map[string][]string{}
	for _, v := range check.Vetoes {
		found[v.SummaryMessage] = append(found[v.SummaryMessage], v.DetailedMessage)
	}
	return found
}

// H1
func TestBrokenRulesNameFileLineAndFault(t *testing.T) {
	rules{}.serve(t, "")
	// The rules of P begin at line 14, those of P/r at line 16.
	for _, test := range []struct {
		name string
		rules
		want string
	}{
		{"required build without keys", rules{repository: "requiredBuilds:\n  - target: {type: ANY_REF}"}, "17: projects.yaml: a required build needs keys"},
		{"branch without an id", rules{repository: "requiredBuilds:\n  - keys: [k]\n    target: {type: BRANCH}"}, "matcher of type BRANCH: it needs a ref"},
		{"branch that cannot be", rules{repository: "requiredBuilds:\n  - keys: [k]\n    target: {type: BRANCH, id: a..b}"}, `18: projects.yaml: matcher of type BRANCH: "a..b" cannot be the name of a branch`},
		{"pattern without an id", rules{repository: "requiredBuilds:\n  - keys: [k]\n    target: {type: PATTERN}"}, "18: projects.yaml: matcher of type PATTERN: it needs a pattern"},
		{"pattern that is none", rules{repository: "requiredBuilds:\n  - keys: [k]\n    target: {type: PATTERN, id: '{a:[}'}"}, "18: projects.yaml: matcher of type PATTERN:"},
		{"no branch of a model", rules{repository: "requiredBuilds:\n  - keys: [k]\n    target: {type: MODEL_BRANCH, id: Production}"}, `18: projects.yaml: matcher of type MODEL_BRANCH: "Production" is none of development, production`},
		{"no category", rules{repository: "requiredBuilds:\n  - keys: [k]\n    target: {type: ANY_REF}\n    exempt: {type: MODEL_CATEGORY, id: hotfix}"}, `19: projects.yaml: matcher of type MODEL_CATEGORY: "hotfix" is none of`},
		{"id where there is none", rules{repository: "requiredBuilds:\n  - keys: [k]\n    target: {type: ANY_REF, id: main}"}, "18: projects.yaml: matcher of type ANY_REF: it takes no id but ANY_REF_MATCHER_ID"},
		{"unknown type", rules{project: "defaultReviewers:\n  - users: [bob]\n    source: {type: SOME}"}, `16: projects.yaml: matcher type "SOME" is none of ANY_REF, BRANCH, PATTERN, MODEL_BRANCH, MODEL_CATEGORY, DEFAULT_BRANCH`},
		{"required builds of a project", rules{project: "requiredBuilds: []"}, `14: projects.yaml: unknown key "requiredBuilds"`},

		{"default reviewers without anyone", rules{repository: "defaultReviewers:\n  - source: {type: ANY_REF}"}, "17: projects.yaml: default reviewers need users or groups"},
		{"unknown reviewer", rules{repository: "defaultReviewers:\n  - users: [zoe]"}, `17: projects.yaml: person "zoe" is not in people.yaml`},
		{"unknown group", rules{repository: "defaultReviewers:\n  - groups: [growers]"}, `17: projects.yaml: reviewer group "growers" is not among`},
		{"more approvals than reviewers", rules{repository: "defaultReviewers:\n  - users: [bob]\n    approvals: 2"}, `18: projects.yaml: "2" is not a number from 0 to 1`},
		{"group without a name", rules{project: "reviewerGroups:\n  - users: [bob]"}, "15: projects.yaml: a reviewer group needs name and users"},
		{"group without users", rules{project: "reviewerGroups:\n  - name: growers"}, "15: projects.yaml: a reviewer group needs name and users"},
		{"group twice", rules{project: "reviewerGroups:\n  - {name: growers, users: [bob]}\n  - {name: Growers, users: [cyd]}"}, "16: projects.yaml: reviewer group Growers is there twice"},
		{"user twice in a group", rules{project: "reviewerGroups:\n  - {name: growers, users: [bob, bob]}"}, "15: projects.yaml: reviewer group growers: bob is there twice"},

		{"unknown strategy", rules{project: "settings:\n  strategies: [no-ff, magic]"}, `15: projects.yaml: "magic" is none of no-ff, ff,`},
		{"strategy twice", rules{project: "settings:\n  strategies: [ff, ff]"}, "15: projects.yaml: strategy ff is there twice"},
		{"no strategy", rules{project: "settings:\n  strategies: []"}, "at least one strategy has to be enabled"},
		{"negative count", rules{project: "settings:\n  requiredApprovers: -1"}, `15: projects.yaml: "-1" is not a number from 0 to 1000`},
		{"count that is a word", rules{project: "settings:\n  requiredSuccessfulBuilds: all"}, `15: projects.yaml: "all" is not a number`},
		{"no weeks", rules{project: "settings:\n  autoDecline: {enabled: true, inactivityWeeks: 0}"}, `15: projects.yaml: "0" is not a number from 1`},
		{"restriction of a repository", rules{repository: "settings:\n  autoMerge: {restricted: true}"}, "17: projects.yaml: only a project restricts auto-merge"},
		{"restricted", rules{project: "settings:\n  autoMerge: {restricted: true}", repository: "settings:\n  autoMerge: {enabled: true}"}, "19: projects.yaml: the project restricts auto-merge"},
		{"neither true nor false", rules{project: "settings:\n  autoMerge: {enabled: perhaps}"}, "15: projects.yaml: true or false is needed here"},

		{"development that cannot be", rules{project: "branchModel:\n  development: a b"}, `15: projects.yaml: "a b" cannot be the name of a branch`},
		{"unknown category", rules{project: "branchModel:\n  categories:\n    - {id: CHORE, prefix: chore/}"}, `16: projects.yaml: category "CHORE" is none of`},
		{"prefix of two categories", rules{project: "branchModel:\n  categories:\n    - {id: BUGFIX, prefix: feature/bug/}"}, "16: projects.yaml: a branch could be of BUGFIX and of FEATURE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := fakebb.Parse("ruled.txtar", []byte(test.text()))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "fakebb.") {
				t.Errorf("the error speaks of Go: %v", err)
			}
		})
	}
}

// Two categories may change their prefixes with each other.
func TestPrefixesAreComparedWhenAllAreKnown(t *testing.T) {
	s := rules{project: "branchModel:\n  categories:\n    - {id: BUGFIX, prefix: feature/}\n    - {id: FEATURE, prefix: bugfix/}"}.serve(t, "")
	var model struct{ Types []struct{ ID, Prefix string } }
	get(t, s, "ada", "/rest/branch-utils/1.0/projects/P/repos/r/branchmodel").into(t, &model)
	if diff := cmp.Diff("feature/", model.Types[0].Prefix); diff != "" {
		t.Errorf("the prefix of BUGFIX (-want +got):\n%s", diff)
	}
}
