package fakebb_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// small is a scenario with one of each; TEXT stands for the title.
const small = `A small one.
-- clock.yaml --
start: 2026-01-02T03:04:05Z
-- people.yaml --
- {name: ada, displayName: Ada}
-- projects.yaml --
- key: P
  repositories:
    - slug: r
      branches:
        - {name: main, commit: one}
        - {name: topic, commit: two}
-- P/r/commits.yaml --
- {name: one, author: ada, at: 2026-01-01T09:00:00Z, message: one}
- {name: two, author: ada, at: 2026-01-01T10:00:00Z, message: two, parents: [one]}
-- P/r/files/one/a.txt --
old
-- P/r/files/two/a.txt --
new
-- P/r/pull-requests/1.yaml --
title: TEXT
author: ada
source: {branch: topic}
target: {branch: main}
activity:
  - {by: ada, at: 2026-01-01T11:00:00Z, action: OPENED}
`

func parse(t *testing.T, text string) *fakebb.Scenario {
	t.Helper()
	s, err := fakebb.Parse("small.txtar", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// H1
func TestABrokenScenarioNamesFileLineAndFault(t *testing.T) {
	parse(t, small)
	for _, test := range []struct{ name, old, new, want string }{
		{"no archive", small, "hello", "small.txtar:1: the scenario: no sections"},
		{"unknown section", "-- clock.yaml --", "-- clocks.yaml --", "small.txtar:2: clocks.yaml: unknown section"},
		{"section twice", "-- clock.yaml --", "-- people.yaml --\n-- people.yaml --", "small.txtar:3: people.yaml: is there twice"},
		{"missing section", "-- clock.yaml --\nstart: 2026-01-02T03:04:05Z\n", "", "section clock.yaml is missing"},
		{"unknown key", "displayName: Ada", "displayname: Ada", `small.txtar:5: people.yaml: unknown key "displayname"`},
		{"no YAML", "title: TEXT", "title: \"TEXT", "small.txtar:"},
		{"wrong type", "    - slug: r", "    - slug: [r]", "small.txtar:9: projects.yaml: a text is needed here"},
		{"another wrong type", "activity:", "draft: seven\nactivity:", "small.txtar:25: P/r/pull-requests/1.yaml: a value of another type is needed here than str `seven`"},
		{"no time", "2026-01-02T03:04:05Z", "yesterday", `small.txtar:3: clock.yaml: "yesterday" is not a time`},
		{"unknown person", "author: ada\nsource", "author: eve\nsource", `small.txtar:22: P/r/pull-requests/1.yaml: person "eve" is not in people.yaml`},
		{"person twice", "- {name: ada, displayName: Ada}", "- {name: ada}\n- {name: ada}", "small.txtar:6: people.yaml: person ada is there twice"},
		{"second document", "- {name: ada, displayName: Ada}", "- {name: ada, displayName: Ada}\n---\n- {name: bob}", "small.txtar:6: people.yaml: a section is one document"},
		{"project key", "- key: P", "- key: P/Q", `small.txtar:7: projects.yaml: the key of a project is letters, digits, _ and -, not "P/Q"`},
		{"repository slug", "slug: r", "slug: a b", `small.txtar:9: projects.yaml: project P: a repository needs a slug of its own, of small letters, digits, _, . and -, not "a b"`},
		{"branch name", "{name: topic,", "{name: a..b,", `small.txtar:12: projects.yaml: git refuses the branch name "a..b"`},
		{"tag name", "      branches:", "      tags: [{name: x.lock, commit: one}]\n      branches:", `small.txtar:10: projects.yaml: git refuses the tag name "x.lock"`},
		{"pull request number", "pull-requests/1.yaml", "pull-requests/99999999999.yaml", "the number of the pull request is too large"},
		{"author as reviewer", "activity:", "reviewers: [{user: ada}]\nactivity:", "small.txtar:25: P/r/pull-requests/1.yaml: ada takes part already"},
		{"too many lines", "parents: [one]", "parents: [one], changes: [{path: b.txt, text: x, lines: 2000000}]", "small.txtar:15: P/r/commits.yaml: lines is 2000000"},
		{"unnamed commit", "- {name: two, ", "- {", "small.txtar:15: P/r/commits.yaml: a commit needs name"},
		{"commit twice", "- {name: two,", "- {name: one,", "small.txtar:15: P/r/commits.yaml: commit one is there twice"},
		{"unknown parent", "parents: [one]", "parents: [three]", "small.txtar:15: P/r/commits.yaml: commit \"three\""},
		{"parent as old as its child", "2026-01-01T10:00:00Z, message: two", "2026-01-01T09:00:00Z, message: two", "small.txtar:15: P/r/commits.yaml: parent one is not older"},
		{"file of no commit", "files/two/", "files/three/", `small.txtar:18: P/r/files/three/a.txt: commit "three" is not in`},
		{"file with a path git refuses", "files/two/a.txt", "files/two/../a.txt", `small.txtar:18: P/r/files/two/../a.txt: git refuses the path "../a.txt"`},
		{"change without a file", "parents: [one]", "parents: [one], changes: [{path: b.txt, mode: executable}]", `small.txtar:15: P/r/commits.yaml: there is no file "b.txt" to change`},
		{"text to replace is not there", "parents: [one]", "parents: [one], changes: [{path: a.txt, replace: red, with: blue}]", "small.txtar:15: P/r/commits.yaml: what is to be replaced is 0 times"},
		{"unknown mode", "parents: [one]", "parents: [one], changes: [{path: a.txt, mode: wild}]", `mode "wild" is none of`},
		{"bad repeat", "- {name: ada, displayName: Ada}", "- {name: ada, displayName: Ada, repeat: many}", `small.txtar:5: people.yaml: repeat is "many"`},
		{"repeated items beside another key", "- {name: ada, displayName: Ada}", "- {name: ada, repeat: 2, items: [{name: bea}]}", `small.txtar:5: people.yaml: items stands beside repeat alone`},
		{"repeated items that are no list", "- {name: ada, displayName: Ada}", "- {name: ada}\n- {repeat: 2, items: bea}", `small.txtar:6: people.yaml: items is no list`},
		{"too many repeated items", "- {name: ada, displayName: Ada}", "- {name: ada}\n- {repeat: 9000, items: [{name: b}, {name: c}]}", `small.txtar:6: people.yaml: more than 10000 copies`},
		{"repeat inside a repeat", "- {name: ada, displayName: Ada}", "- {name: ada}\n- {repeat: 2, more: [{repeat: 3}]}", `small.txtar:6: people.yaml: a repeat inside a repeat`},
		{"items that are not repeated", "- {name: ada, displayName: Ada}", "- {name: ada}\n- {items: [{name: bea}]}", `small.txtar:6: people.yaml: unknown key "items"`},
		{"unknown fork", "    - slug: r", "    - {slug: s, forkOf: P/t}\n    - slug: r", "small.txtar:9: projects.yaml: repository P/t is not in projects.yaml"},
		{"unknown repository", "-- P/r/commits.yaml --", "-- P/q/commits.yaml --", "small.txtar:13: P/q/commits.yaml: repository P/q is not in projects.yaml"},
		{"unknown branch", "source: {branch: topic}", "source: {branch: top}", `small.txtar:23: P/r/pull-requests/1.yaml: branch "top"`},
		{"unknown tip", "{name: topic, commit: two", "{name: topic, commit: three", "small.txtar:12: projects.yaml: commit \"three"},
		{"no opening", "action: OPENED", "action: APPROVED", "small.txtar:26: P/r/pull-requests/1.yaml: the activity must begin with action: OPENED"},
		{"one branch", "target: {branch: main}", "target: {branch: topic}", "source and target are one branch"},
		{"closed twice", "action: OPENED}", "action: OPENED}\n  - {by: ada, at: 2026-01-01T12:00:00Z, action: DECLINED}\n  - {by: ada, at: 2026-01-01T13:00:00Z, action: MERGED}", "small.txtar:28: P/r/pull-requests/1.yaml: MERGED cannot happen to a pull request that is DECLINED"},
		{"reopened though open", "action: OPENED}", "action: OPENED}\n  - {by: ada, at: 2026-01-01T12:00:00Z, action: REOPENED}", "REOPENED cannot happen to a pull request that is OPEN"},
		{"unknown action", "action: OPENED}", "action: OPENED}\n  - {by: ada, at: 2026-01-01T12:00:00Z, action: SUNG}", `small.txtar:27: P/r/pull-requests/1.yaml: "SUNG" is none of`},
		{"out of order", "action: OPENED}", "action: OPENED}\n  - {by: ada, at: 2026-01-01T10:00:00Z, text: x}", "small.txtar:27: P/r/pull-requests/1.yaml: the activity is out of order"},
		{"in the future", "2026-01-01T11:00:00Z", "2027-01-01T11:00:00Z", "small.txtar:26: P/r/pull-requests/1.yaml: is later than the clock's start"},
		{"text with an action", "action: OPENED}", "action: OPENED}\n  - {by: ada, at: 2026-01-01T12:00:00Z, action: APPROVED, text: x}", "small.txtar:27:"},
		{"file of no diff", "action: OPENED}", "action: OPENED}\n  - {by: ada, at: 2026-01-01T12:00:00Z, text: x, on: {path: b.go, line: 1, side: new}}", `"b.go" is not among the changes`},
		{"line of no diff", "action: OPENED}", "action: OPENED}\n  - {by: ada, at: 2026-01-01T12:00:00Z, text: x, on: {path: a.txt, line: 9, side: new}}", "line 9 (new) of a.txt is not in the diff"},
		{"line on no side", "action: OPENED}", "action: OPENED}\n  - {by: ada, at: 2026-01-01T12:00:00Z, text: x, on: {path: a.txt, line: 1}}", `a line needs side: old or new, not ""`},
		{"push that changes nothing", "action: OPENED}", "action: OPENED}\n  - {by: ada, at: 2026-01-01T12:00:00Z, action: RESCOPED, from: two}", "the push changes neither side"},
		{"pushes that end elsewhere", "action: OPENED}", "action: OPENED, from: one}", "the last push of the activity is not"},
		{"status against the activity", "action: OPENED}", "action: OPENED}\n  - {by: bob, at: 2026-01-01T12:00:00Z, action: APPROVED}\nreviewers: [{user: bob}]", "bob is said to be UNAPPROVED, and is APPROVED by the activity"},
		{"no reviewer status", "activity:", "reviewers: [{user: ada, status: MAYBE}]\nactivity:", `small.txtar:25: P/r/pull-requests/1.yaml: "MAYBE" is none of`},
		{"no build state", "activity:", "builds: [{key: k, state: GREEN, created: 2026-01-01T11:00:00Z}]\nactivity:", `small.txtar:25: P/r/pull-requests/1.yaml: "GREEN" is none of`},
		{"unknown matcher", "      branches:", "      requiredBuilds: [{keys: [k], target: {type: SOME, id: x}}]\n      branches:", `small.txtar:10: projects.yaml: matcher type "SOME"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			broken := strings.Replace(small, test.old, test.new, 1)
			if strings.Contains(test.new, "bob,") {
				broken = strings.Replace(broken, "- {name: ada, displayName: Ada}", "- {name: ada, displayName: Ada}\n- {name: bob}", 1)
			}
			if broken == small {
				t.Fatalf("%q is not in the scenario", test.old)
			}
			_, err := fakebb.Parse("small.txtar", []byte(broken))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if err != nil && (strings.Contains(err.Error(), "fakebb.") || strings.Contains(err.Error(), "\n")) {
				t.Errorf("error speaks of Go: %v", err)
			}
		})
	}
}

// H1
func TestRepeatedItemsCountInTheirTexts(t *testing.T) {
	text := small + `  - repeat: 2
    items:
      - {by: ada, at: "2026-01-01T12:00:00Z + {n*30}m", text: "first {n} {n*7} {n+400} {n*2+1} {n:03} {n of x y}, not {m} {line}"}
      - by: ada
        at: 2026-01-01T12:10:00Z + {n*30}m
        text: second
        on: {path: a.txt, line: "{n*0+1}", side: new}
  - {repeat: 3, by: ada, at: "2026-01-01T14:00:00Z + {n}m", text: "{n}"}
`
	type item struct {
		CreatedDate int64
		Comment     *struct{ Text string }
	}
	r := get(t, fakebb.New(fakebb.Options{Scenario: parse(t, text)}), "ada", rest+"/projects/P/repos/r/pull-requests/1/activities")
	var got []string
	for _, a := range values[item](t, r) {
		if a.Comment != nil {
			got = append(got, time.UnixMilli(a.CreatedDate).UTC().Format("15:04 ")+a.Comment.Text)
		}
	}
	want := []string{
		"14:03 3", "14:02 2", "14:01 1",
		"13:10 second", "13:00 first 2 14 402 5 002 y, not {m} {line}",
		"12:40 second", "12:30 first 1 7 401 3 001 x, not {m} {line}",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("activity, newest first (-want +got):\n%s", diff)
	}
}

func TestAScenarioIsLoadedFromAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.txtar")
	if err := os.WriteFile(path, []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := fakebb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	r := get(t, fakebb.New(fakebb.Options{Scenario: s}), "ada", rest+"/projects/p/repos/R/pull-requests/1")
	if r.status != 200 || !strings.Contains(r.body, `"title":"TEXT"`) {
		t.Errorf("%d %s", r.status, r.body)
	}
	if _, err := fakebb.Load(path + ".gone"); err == nil || !strings.Contains(err.Error(), "mine.txtar.gone") {
		t.Errorf("error %v does not name the file", err)
	}
}

// The example that the README names loads, and shows what it says.
func TestTheSmallScenarioHasSomethingToReview(t *testing.T) {
	s, err := fakebb.Load("scenarios/small.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if s.DefaultUser() != "ann" || fakebb.Orchard().DefaultUser() != fakebb.DefaultUser {
		t.Errorf("default users %s and %s", s.DefaultUser(), fakebb.Orchard().DefaultUser())
	}
	r := get(t, fakebb.New(fakebb.Options{Scenario: s}), "ben", rest+"/projects/PEAR/repos/orchard/pull-requests/1/diff")
	if !strings.Contains(r.body, `"line":"third: Kaiser Alexander","truncated":false,"commentIds":[20041]`) {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// Ids that documents and tests rely on must not move when a scenario grows.
func TestIDsStayWhenSomethingIsAppended(t *testing.T) {
	text := small + "  - {by: ada, at: 2026-01-01T12:00:00Z, text: x, replies: [{by: ada, at: 2026-01-01T12:30:00Z, text: y}]}\n" +
		"  - {by: ada, at: 2026-01-01T13:00:00Z, text: z}\n"
	const activities = rest + "/projects/P/repos/r/pull-requests/1/activities"
	before := get(t, fakebb.New(fakebb.Options{Scenario: parse(t, text)}), "ada", activities)
	more := strings.Replace(text, "text: y}]", "text: y}, {by: ada, at: 2026-01-01T12:40:00Z, text: y2}]", 1) +
		"  - {by: ada, at: 2026-01-01T14:00:00Z, text: last}\n"
	after := get(t, fakebb.New(fakebb.Options{Scenario: parse(t, more)}), "ada", activities)

	type item struct {
		ID      int
		Comment *struct {
			ID       int
			Comments []struct{ ID int }
		}
	}
	old, grown := values[item](t, before), values[item](t, after)
	grown = grown[1:]
	for i := range old {
		if old[i].ID != grown[i].ID {
			t.Errorf("activity %d became %d", old[i].ID, grown[i].ID)
		}
		if c := old[i].Comment; c != nil && (c.ID != grown[i].Comment.ID || len(c.Comments) > 0 && c.Comments[0].ID != grown[i].Comment.Comments[0].ID) {
			t.Errorf("comment %+v became %+v", c, grown[i].Comment)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	text, err := os.ReadFile("scenarios/orchard.txtar")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := fakebb.Parse("fuzz.txtar", data)
		if err == nil && s.Start().IsZero() {
			t.Error("a scenario without a clock was taken")
		}
	})
}

func BenchmarkParseOrchard(b *testing.B) {
	text, err := os.ReadFile("scenarios/orchard.txtar")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := fakebb.Parse("orchard.txtar", text); err != nil {
			b.Fatal(err)
		}
	}
}
