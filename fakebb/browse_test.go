package fakebb_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// shelf is a repository with files of every kind.
const shelf = `A shelf.
-- clock.yaml --
start: 2026-01-02T03:04:05Z
-- people.yaml --
- {name: ada, displayName: Ada, email: ada@example.com}
- {name: bob, displayName: Bob, email: bob@example.com}
-- projects.yaml --
- key: P
  repositories:
    - slug: r
      branches: [{name: main, commit: second}, {name: feature/x, commit: third}, {name: Feature-y, commit: first}]
      tags: [{name: v1, commit: first}, {name: rel/2, commit: second, by: ada, at: 2026-01-01T12:00:00Z, message: two}]
    - slug: empty
- key: ~ada
  repositories:
    - slug: notes
      branches: [{name: main, commit: note}]
-- P/r/commits.yaml --
- name: first
  author: ada
  at: 2026-01-01T09:00:00Z
  message: first
  changes:
    - {path: "docs/a b#%.md", text: "# Hello\n<b>\n"}
    - {path: docs/deep/one.txt, text: "one\ntwo\r\nthree"}
    - {path: zeta.bin, base64: AAEC/w==}
    - {path: latin.txt, base64: Z3L832UK}
    - {path: run.sh, text: "#!/bin/sh\n", mode: executable}
    - {path: link, text: run.sh, mode: symlink}
    - {path: vendor/lib, submodule: 1111111111111111111111111111111111111111}
    - {path: README.md, text: "read *me*\n"}
    - {path: licence.txt, text: "mine\n"}
- name: second
  author: bob
  at: 2026-01-01T10:00:00Z
  message: second
  parents: [first]
  changes: [{path: docs/deep/one.txt, replace: two, with: TWO}]
- name: third
  author: ada
  at: 2026-01-01T11:00:00Z
  message: third
  parents: [second]
  changes: [{path: docs/deep/1.txt, movedFrom: docs/deep/one.txt}]
-- ~ada/notes/commits.yaml --
- {name: note, author: ada, at: 2026-01-01T09:00:00Z, message: note, changes: [{path: n.txt, text: "note\n"}]}
`

const shelfRepository = rest + "/projects/P/repos/r"

// H1
func TestADirectoryIsBrowsed(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, shelf)})
	type child struct {
		Path      struct{ ToString string }
		Node      string
		ContentID string
		Type      string
		Size      *int
	}
	list := func(path string) (rows []string, revision string) {
		t.Helper()
		var d struct {
			Path     struct{ ToString string }
			Revision string
			Children struct{ Values []child }
		}
		get(t, s, "ada", path).into(t, &d)
		for _, c := range d.Children.Values {
			row := c.Type + " " + c.Path.ToString
			if c.Size != nil {
				row += fmt.Sprintf(" %d", *c.Size)
			}
			if (c.Node != "") != (c.Type == "DIRECTORY") || (c.ContentID != "") == (c.Type == "DIRECTORY") {
				t.Errorf("%s: node %q, contentId %q", row, c.Node, c.ContentID)
			}
			rows = append(rows, row)
		}
		return rows, d.Revision
	}
	for path, want := range map[string][]string{
		"/browse":                           {"DIRECTORY docs", "DIRECTORY vendor", "FILE README.md 10", "FILE latin.txt 6", "FILE licence.txt 5", "FILE link 6", "FILE run.sh 10", "FILE zeta.bin 4"},
		"/browse/docs":                      {"DIRECTORY deep", "FILE a b#%.md 12"},
		"/browse/vendor/":                   {"SUBMODULE lib"},
		"/browse/docs/deep?at=feature%2Fx":  {"FILE 1.txt 14"},
		"/browse/docs/deep?at=v1":           {"FILE one.txt 14"},
		"/browse/docs/deep?at=refs/tags/v1": {"FILE one.txt 14"},
	} {
		got, revision := list(shelfRepository + path)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s at %s (-want +got):\n%s", path, revision, diff)
		}
	}
	if _, revision := list(shelfRepository + "/browse"); revision != "refs/heads/main" {
		t.Errorf("revision %s", revision)
	}
	for path, want := range map[string]string{
		"/browse/docs?type=true":       `{"type":"DIRECTORY"}`,
		"/browse?type=true":            `{"type":"DIRECTORY"}`,
		"/browse/run.sh?type=true":     `{"type":"FILE"}`,
		"/browse/vendor/lib?type=true": `{"type":"SUBMODULE"}`,
		"/browse/zeta.bin?size=true":   `{"size":4}`,
		"/browse/zeta.bin":             `{"binary":true,"path":{"components":["zeta.bin"],"parent":"","name":"zeta.bin","extension":"bin","toString":"zeta.bin"}}`,
		"/browse/latin.txt":            `{"lines":[{"text":"grüße"}],"start":0,"size":1,"isLastPage":true,"limit":500,"nextPageStart":null}`,
		"/browse/docs/a%20b%23%25.md":  `{"lines":[{"text":"# Hello"},{"text":"<b>"}],"start":0,"size":2,"isLastPage":true,"limit":500,"nextPageStart":null}`,
	} {
		if got := get(t, s, "ada", shelfRepository+path).body; got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// H1
func TestAFileIsBrowsedInWindows(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, shelf)})
	const file = shelfRepository + "/browse/docs/deep/one.txt"
	for query, want := range map[string]string{
		"":                  `{"lines":[{"text":"one"},{"text":"TWO"},{"text":"three"}],"start":0,"size":3,"isLastPage":true,"limit":500,"nextPageStart":null}`,
		"?limit=1":          `{"lines":[{"text":"one"}],"start":0,"size":1,"isLastPage":false,"limit":1,"nextPageStart":1}`,
		"?limit=2&start=1":  `{"lines":[{"text":"TWO"},{"text":"three"}],"start":1,"size":2,"isLastPage":true,"limit":2,"nextPageStart":null}`,
		"?start=9":          `{"lines":[],"start":9,"size":0,"isLastPage":true,"limit":500,"nextPageStart":null}`,
		"?limit=2147483647": `{"lines":[{"text":"one"},{"text":"TWO"},{"text":"three"}],"start":0,"size":3,"isLastPage":true,"limit":5000,"nextPageStart":null}`,
	} {
		if got := get(t, s, "ada", file+query).body; got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	type origin struct {
		CommitID                 string
		FileName                 string
		LineNumber, SpannedLines int
		Author                   struct{ Name string }
	}
	scenario := parse(t, shelf)
	one, two := scenario.Commit("P/r", "first"), scenario.Commit("P/r", "second")
	rows := func(all []origin) (rows []string) {
		for _, o := range all {
			rows = append(rows, fmt.Sprintf("%d+%d %s %s %s", o.LineNumber, o.SpannedLines, o.CommitID[:7], o.Author.Name, o.FileName))
		}
		return rows
	}
	want := []string{"1+1 " + one[:7] + " ada docs/deep/one.txt", "2+1 " + two[:7] + " bob docs/deep/one.txt", "3+1 " + one[:7] + " ada docs/deep/one.txt"}
	var page struct{ Blame []origin }
	get(t, s, "ada", file+"?blame=true").into(t, &page)
	if diff := cmp.Diff(want, rows(page.Blame)); diff != "" {
		t.Errorf("blame (-want +got):\n%s", diff)
	}
	var alone []origin
	get(t, s, "ada", file+"?blame&noContent&start=1&limit=1").into(t, &alone)
	if diff := cmp.Diff(want[1:2], rows(alone)); diff != "" {
		t.Errorf("blame of a window (-want +got):\n%s", diff)
	}
	// It was moved afterwards: blame follows.
	get(t, s, "ada", shelfRepository+"/browse/docs/deep/1.txt?at=feature/x&blame=true&noContent=true").into(t, &alone)
	if len(alone) != 3 || alone[1].CommitID != two || alone[1].FileName != "docs/deep/one.txt" {
		t.Errorf("blame after the move: %+v", alone)
	}
}

// H1
func TestWhatIsNotThereIsSaid(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, shelf)})
	for path, want := range map[string]string{
		"/browse/nosuch":                                `404 The path "nosuch" does not exist at revision "refs/heads/main"`,
		"/browse/docs/../../etc/passwd":                 `404 The path "docs/../../etc/passwd" does not exist at revision "refs/heads/main"`,
		"/browse/docs%2F..%2F..":                        `400 `,
		"/browse/docs%2fdeep":                           `400 `,
		"/browse/docs%2Fa%20b%23%25.md":                 `400 `,
		"/commits/feature%2Fx/diff/docs/a%20b%23%25.md": `200 `,
		"/raw/docs%2Fdeep%2Fone.txt":                    `400 `,
		"/commits/feature%2Fx/diff/docs%2Fdeep":         `400 `,
		"/browse/docs/":                                 `200 `,
		"/raw/":                                         `400 The path parameter is required.`,
		"/raw/vendor/lib":                               `404 The path "vendor/lib" does not exist`,
		"/browse//docs":                                 `200 `,
		"/browse/docs//deep":                            `404 The path "docs//deep" does not exist at revision "refs/heads/main"`,
		"/browse/%00":                                   `404 `,
		"/browse/run.sh/x":                              `404 The path "run.sh/x" does not exist`,
		"/browse?at=nosuch":                             `404 Commit 'nosuch' does not exist in repository 'r'.`,
		"/browse?at=../../x":                            `404 Commit '../../x' does not exist in repository 'r'.`,
		"/raw/docs":                                     `404 The path "docs" does not exist`,
		"/raw/nosuch?at=v1":                             `404 The path "nosuch" does not exist at revision "v1"`,
		"/files/run.sh":                                 `404 The path "run.sh" does not exist`,
		"/last-modified":                                `400 A commit or a ref must be given to list changes of.`,
		"/last-modified/nosuch?at=main":                 `404 The path "nosuch" does not exist`,
		"/archive?format=rar":                           `400 The format 'rar' is not supported`,
		"/archive?path=nosuch":                          `404 The path "nosuch" does not exist`,
		"/archive?prefix=../up":                         `400 The prefix is no path.`,
		"/contributing":                                 `404 The path "CONTRIBUTING" does not exist`,
		"/branches?base=nosuch":                         `404 Branch 'nosuch' does not exist in repository 'r'.`,
		"/branches?orderBy=COLOUR":                      `400 orderBy: 'COLOUR' is not one of`,
		"/tags/nosuch":                                  `404 Tag 'nosuch' does not exist in repository 'r'.`,
		"/commits?until=nosuch":                         `404 Commit 'nosuch' does not exist`,
		"/commits?since=nosuch":                         `404 Commit 'nosuch' does not exist`,
		"/commits?ignoreMissing=true&until=x":           `200 `,
		"/commits/main/merge-base":                      `400 otherCommitId is required.`,
		"/commits/nosuch/changes":                       `404 Commit 'nosuch' does not exist`,
		"/compare/commits?from=nosuch":                  `404 Commit 'nosuch' does not exist`,
		"/compare/commits?fromRepo=P/nosuch":            `404 Repository P/nosuch does not exist.`,
		"/compare/commits?fromRepo=P/empty":             `404 P/empty has no default branch.`,
		"/compare/commits?fromRepo=~ada/notes":          `404 Commit '`,
		"/compare/commits?fromRepo=x":                   `404 Repository with ID x does not exist.`,
		"/compare/changes?to=nosuch":                    `404 Commit 'nosuch' does not exist`,
		"/changes":                                      `400 The until parameter is required.`,
		"/diff":                                         `400 The until parameter is required.`,
		"/diff?since=v1&until=nosuch":                   `404 Commit 'nosuch' does not exist`,
		"/diff?until=main&since=nosuch":                 `404 Commit 'nosuch' does not exist`,
		"/commits/main?path=nosuch":                     `404 The path "nosuch" does not exist at revision "main"`,
		"/commits?path=../x":                            `404 The path "../x" does not exist`,
		"/commits?merges=some":                          `400 merges: 'some' is not one of`,
		"/commits/main/merge-base?otherCommitId=nosuch": `404 Commit 'nosuch' does not exist`,
		"/commits/main/diff/../x":                       `404 The path "../x" does not exist`,
	} {
		r := get(t, s, "ada", shelfRepository+path)
		status, message, _ := strings.Cut(want, " ")
		if number(r.status) != status || !strings.Contains(r.body, strings.ReplaceAll(message, `"`, `\"`)) {
			t.Errorf("%s: %d %s, want %s", path, r.status, r.body, want)
		}
	}
	// An empty repository.
	for path, status := range map[string]int{
		"/branches": 200, "/branches/default": 204, "/default-branch": 404, "/tags": 200, "/commits": 200, "/browse": 404, "/files": 404,
		"/branches?details=true": 200, "/branches?base=main": 404, "/commits?until=main": 404, "/tags/v1": 404, "/raw/a.txt": 404,
		"/readme": 404, "/archive": 404, "/last-modified?at=main": 404, "/compare/commits": 404, "/compare/changes": 404, "/compare/diff": 404,
		"/diff?until=main": 404, "/commits/main/diff": 404,
	} {
		if r := get(t, s, "ada", rest+"/projects/P/repos/empty"+path); r.status != status {
			t.Errorf("empty%s: %d, want %d; %s", path, r.status, status, r.body)
		}
	}
}

// odd has files that are hard to show.
const odd = `Odd files.
-- clock.yaml --
start: 2026-01-02T03:04:05Z
-- people.yaml --
- {name: ada, displayName: Ada, email: ada@example.com}
-- projects.yaml --
- key: P
  repositories:
    - slug: r
      branches: [{name: main, commit: one}]
-- P/r/commits.yaml --
- name: one
  author: ada
  at: 2026-01-01T09:00:00Z
  message: one
  changes:
    - {path: empty.txt, text: ""}
    - {path: blank.txt, text: "\n"}
    - {path: cr.txt, text: "a\r\nb\r\r\n\rc\r"}
    - {path: latin.txt, base64: 4+kKY2Fm6QrDqQo=}
    - {path: long.txt, text: "LONG\nshort\n"}
    - {path: utf16.txt, base64: //5hAAoA}
    - {path: picture.png, base64: iVBORw0KGgoAAAANSUhEUg==}
    - {path: page.html, text: "<script>alert(1)</script>\n"}
    - {path: docs/Guide.MARKDOWN, text: "*g*\n"}
    - {path: "docs/\u00e4\"\\.txt", text: "named\n"}
    - {path: link, text: docs, mode: symlink}
    - {path: .gitmodules, text: "[submodule \"l\"]\n\tpath = vendor/lib\n\turl = ssh://git@bitbucket.example.com:7999/p/lib.git\n[submodule \"m\"]\r\n  url = \"../m\"\r\n  path=vendor/m\r\n[submodule \"n\"]\n path = vendor/n\n"}
    - {path: vendor/lib, submodule: 1111111111111111111111111111111111111111}
    - {path: vendor/m, submodule: 2222222222222222222222222222222222222222}
    - {path: vendor/n, submodule: 3333333333333333333333333333333333333333}
    - {path: CONTRIBUTING.md/how.txt, text: "deeper\n"}
    - {path: contributing, text: "bare\n"}
    - {path: license.go, text: "package license\n"}
    - {path: LICENSE, text: "bare\n"}
    - {path: readme, text: "bare\n"}
    - {path: ReadMe.txt, text: "text\n"}
    - {path: README.md, text: "*marked*\n"}
`

func oddFiles(t *testing.T) *fakebb.Server {
	t.Helper()
	// é takes two bytes and 🍎 four, but one and two characters of UTF-16.
	long := strings.Repeat("é", 4998) + "🍎🍎"
	return fakebb.New(fakebb.Options{Scenario: parse(t, strings.Replace(odd, "LONG", long, 1))})
}

// H1
func TestLinesAreShownWithoutTheirEndsAndCut(t *testing.T) {
	s := oddFiles(t)
	for path, want := range map[string][]string{
		"empty.txt": {},
		"blank.txt": {""},
		"cr.txt":    {"a", "b\r", "\rc"},
		"latin.txt": {"ãé", "café", "Ã©"}, // the file is of one encoding, whatever a line of it looks like
		"long.txt":  {strings.Repeat("é", 4998) + "🍎", "short"},
		"link":      {"docs"},
	} {
		var page struct {
			Lines      []struct{ Text string }
			Size       int
			IsLastPage bool
		}
		get(t, s, "ada", shelfRepository+"/browse/"+path).into(t, &page)
		got := []string{}
		for _, line := range page.Lines {
			got = append(got, line.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" || page.Size != len(want) || !page.IsLastPage {
			t.Errorf("%s: %d lines, last page %t (-want +got):\n%s", path, page.Size, page.IsLastPage, diff)
		}
	}
	if r := get(t, s, "ada", shelfRepository+"/browse/utf16.txt?blame=true"); !strings.HasPrefix(r.body, `{"binary":true,"path":`) {
		t.Errorf("UTF-16 is %s", r.body)
	}
}

// H1: ?size and ?type are as good as false, ?blame as true, and size comes
// before type.
func TestOneParameterOfBrowseDecides(t *testing.T) {
	s := oddFiles(t)
	for query, want := range map[string]string{
		"?size=true&type=true":               `{"size":6}`,
		"?size&type=true&blame":              `{"type":"FILE"}`,
		"?size&type&noContent":               `{"lines":[{"text":"short"}],`,
		"?blame&start=0":                     `"nextPageStart":null,"blame":[{"author":{"name":"ada"`,
		"?blame&noContent":                   `[{"author":{"name":"ada"`,
		"?blame=false&noContent":             `{"lines":[{"text":"short"}],`,
		"?type=TRUE":                         `{"lines":`,
		"?blame=true&noContent=true&start=7": `[]`,
		"?raw&size=true":                     `{"size":6}`,
	} {
		short := fakebb.New(fakebb.Options{Scenario: parse(t, strings.Replace(odd, "LONG\\nshort", "short", 1))})
		r := get(t, short, "ada", shelfRepository+"/browse/long.txt"+query)
		if r.status != 200 || !strings.Contains(r.body, want) {
			t.Errorf("%s: %d %s, want %s", query, r.status, r.body, want)
		}
	}
	for path, want := range map[string]string{
		"/browse/docs?size=true":                 `{"size":0}`,
		"/browse/utf16.txt?blame&noContent":      `[]`,
		"/browse/picture.png?blame=&noContent=1": `[]`,
	} {
		if r := get(t, s, "ada", shelfRepository+path); r.body != want {
			t.Errorf("%s: %d %s, want %s", path, r.status, r.body, want)
		}
	}
}

// H1
func TestSubmodulesSayWhereTheyAreClonedFrom(t *testing.T) {
	s := oddFiles(t)
	var d struct {
		Children struct {
			Values []struct{ Type, ContentID, URL string }
		}
	}
	get(t, s, "ada", shelfRepository+"/browse/vendor").into(t, &d)
	want := []struct{ Type, ContentID, URL string }{
		{"SUBMODULE", strings.Repeat("1", 40), "ssh://git@bitbucket.example.com:7999/p/lib.git"},
		{"SUBMODULE", strings.Repeat("2", 40), "../m"},
		{"SUBMODULE", strings.Repeat("3", 40), ""},
	}
	if diff := cmp.Diff(want, d.Children.Values); diff != "" {
		t.Errorf("submodules (-want +got):\n%s", diff)
	}
	one := `{"path":{"components":["vendor","m"],"parent":"vendor","name":"m","toString":"vendor/m"},"contentId":"2222222222222222222222222222222222222222","type":"SUBMODULE","url":"../m"}`
	if r := get(t, s, "ada", shelfRepository+"/browse/vendor/m"); r.body != one {
		t.Errorf("one submodule: %d %s, want %s", r.status, r.body, one)
	}
}

// H1
func TestBrowseAnswersJSONUnlessAskedForTheFile(t *testing.T) {
	s := oddFiles(t)
	for _, c := range []struct {
		path, accept string
		status       int
		kind         string
	}{
		{"/browse/page.html", "text/html,application/xhtml+xml,*/*;q=0.8", 200, "application/json;charset=UTF-8"},
		{"/browse/page.html", "text/plain", 406, ""},
		{"/browse/page.html?raw", "text/plain", 200, "text/plain;charset=UTF-8"},
		{"/browse/page.html?raw=true", "application/json", 200, "text/plain;charset=UTF-8"},
		{"/browse/nosuch?raw", "application/json", 404, "application/json;charset=utf-8"},
		{"/browse/nosuch", "application/json", 404, "application/json;charset=UTF-8"},
	} {
		r := ask(t, s, "GET", shelfRepository+c.path, as("ada", c.accept))
		if r.status != c.status || r.header.Get("Content-Type") != c.kind {
			t.Errorf("%s as %s: %d %s, want %d %s", c.path, c.accept, r.status, r.header.Get("Content-Type"), c.status, c.kind)
		}
	}
}
