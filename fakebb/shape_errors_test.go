package fakebb_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// errorCases are errors of real servers, with the requests that fail alike.
var errorCases = []struct {
	reference string
	part      string // the key of the error in a file of several
	path      string
	status    int
	kind      string // the Content-Type; default the usual one
	release   string // default the fake's own
	// ours replaces, in the payload, what it names by what the scenario has.
	ours *strings.Replacer
}{
	{reference: "error-404-project.json", path: rest + "/projects/dev", status: 404, release: "7.21.0"},
	{reference: "error-404-commit.json", path: catalogue + "/commits/doesnotexist", status: 404, release: "7.21.0",
		ours: strings.NewReplacer("'orchard'", "'catalogue'")},
	{reference: "error-404-insight-report.json", path: insightsOf + "{tip 1}/reports/qwerty", status: 404, release: "7.21.0"},
	{reference: "vcr-error-404-repository.json", path: rest + "/projects/ORCH/repos/nosuch/pull-requests/9999", status: 404, release: "7.21.0"},

	{reference: "shape-9416-errors.json", part: "missing parameter (400)", path: catalogue + "/commits/{tip 1}/builds", status: 400},
	{reference: "shape-9416-errors.json", part: "comments without path (400)", path: first + "/comments", status: 400},
	{reference: "shape-9416-errors.json", part: "no such path (404, content type application/json;charset=utf-8)",
		path: catalogue + "/browse/nosuch.md?at=refs/heads/main&raw", status: 404, kind: "application/json;charset=utf-8",
		ours: strings.NewReplacer("README.md", "nosuch.md", "refs/heads/develop", "refs/heads/main")},
	{reference: "shape-9416-errors.json", part: "not permitted (401)", path: catalogue + "/permissions/users", status: 401},
	{reference: "shape-9416-errors.json", part: "no such report (404)", path: insightsOf + "{tip 1}/reports/qwerty", status: 404,
		ours: strings.NewReplacer("io.example.bitbucket.code-insights.trellis", "qwerty")},
	{reference: "shape-9416-errors.json", part: "unrouted resource (404)", path: first + "/watchers", status: 404},
}

// lengthOnly is a text of which only the length is known.
var lengthOnly = regexp.MustCompile(`^\(([0-9]+)-character text.*\)$`)

// H1: errors are those of real servers of that release, word for word where the
// words are known.
func TestErrorsAreThoseOfRealServers(t *testing.T) {
	for _, c := range errorCases {
		t.Run(strings.TrimSpace(c.reference+" "+c.part), func(t *testing.T) {
			body := json.RawMessage(reference(t, c.reference))
			if c.part != "" {
				var parts map[string]json.RawMessage
				if err := json.Unmarshal(body, &parts); err != nil {
					t.Fatal(err)
				}
				if body = parts[c.part]; body == nil {
					t.Fatalf("%s has no %q", c.reference, c.part)
				}
			}
			var compact bytes.Buffer
			if err := json.Compact(&compact, body); err != nil {
				t.Fatal(err)
			}
			want := compact.String()
			if c.ours != nil {
				want = c.ours.Replace(want)
			}

			s := fakebb.New(fakebb.Options{Release: c.release})
			path := fill(t, s, "", c.path)
			r := get(t, s, "amara", path)
			if r.status != c.status {
				t.Errorf("GET %s: %d, want %d", path, r.status, c.status)
			}
			kind := c.kind
			if kind == "" {
				kind = "application/json;charset=UTF-8"
			}
			if got := r.header.Get("Content-Type"); got != kind {
				t.Errorf("GET %s: Content-Type %q, want %q", path, got, kind)
			}
			if diff := cmp.Diff(want, hideKnownByLength(want, r.body)); diff != "" {
				t.Errorf("GET %s (-want +got):\n%s", path, diff)
			}
		})
	}
}

// hideKnownByLength replaces the message of an error by the words that stand in
// the payload for a message of that length.
func hideKnownByLength(want, got string) string {
	var real, ours struct{ Errors []struct{ Message string } }
	if json.Unmarshal([]byte(want), &real) != nil || json.Unmarshal([]byte(got), &ours) != nil ||
		len(real.Errors) != 1 || len(ours.Errors) != 1 {
		return got
	}
	length := lengthOnly.FindStringSubmatch(real.Errors[0].Message)
	if length == nil || strconv.Itoa(utf8.RuneCountInString(ours.Errors[0].Message)) != length[1] {
		return got
	}
	message := func(s string) string { return fmt.Sprintf(`"message":%q`, s) }
	return strings.Replace(got, message(ours.Errors[0].Message), message(real.Errors[0].Message), 1)
}
