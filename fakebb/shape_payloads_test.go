package fakebb_test

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
)

// payloadCase compares an answer of the fake with a payload.
type payloadCase struct {
	reference, path string
	// text is the payload where there is none but a description, which
	// reference names.
	text string
	// user asks; default bo.
	user string
	// body is posted; without one the request is a GET.
	body string
	// options are those of the fake. A payload of an older release is compared
	// with the answer of that one.
	options fakebb.Options

	part string // of the payload, default all of it
	ours string // of our answer, default all of it
	// named are places whose keys are data, in both.
	named []string
	// unordered leaves the order of keys out, for payloads that went through
	// another program.
	unordered bool
	// meets are places that our answer must have, so that what the payload
	// shows is compared with something.
	meets []string
	// optional are keys that only some objects of a kind have.
	optional []string
	// except says, for a key or for a whole place ("$.diffs[].source"), why the
	// payload differs. One that is not needed fails the test.
	except map[string]string
}

func (c payloadCase) name() string {
	return strings.TrimSpace(c.reference + " " + c.ours + " " + c.options.Release)
}

func (c payloadCase) method() string {
	if c.body != "" {
		return "POST"
	}
	return "GET"
}

// H1: key order, key sets, types, null and absence are those of a real server.
func TestAnswersHaveTheShapeOfRealOnes(t *testing.T) {
	servers := map[string]*fakebb.Server{}
	for _, c := range payloadCases {
		t.Run(c.name(), func(t *testing.T) {
			payload := []byte(c.text)
			if c.text == "" {
				payload = reference(t, c.reference)
			}
			want := shapeOf(t, payload, c.named...)
			key := c.options.Release + " " + c.options.BaseURL
			if servers[key] == nil {
				servers[key] = fakebb.New(c.options)
			}
			compareShape(t, servers[key], c, want)
		})
	}
}

// Every payload is compared with something, or somebody said why not.
func TestEveryPayloadIsComparedOrLeftOutForAReason(t *testing.T) {
	var index struct{ Files []struct{ File string } }
	if err := json.Unmarshal(reference(t, "index.json"), &index); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{"vcr-response-headers.json": true} // by TestTheHeadersAreThoseOfARealServer
	for _, c := range payloadCases {
		used[c.reference] = true
	}
	for _, e := range errorCases {
		used[e.reference] = true
	}
	for name := range payloadsLeftOut {
		if used[name] {
			t.Errorf("%s is left out and compared", name)
		}
		if _, err := os.Stat(filepath.Join(payloads, name)); err != nil {
			t.Error(err)
		}
		used[name] = true
	}
	for _, f := range index.Files {
		if !used[f.File] {
			t.Errorf("%s is not compared", f.File)
		}
	}
}

// compareShape asks and compares the answer with the shape that the payload
// has.
func compareShape(t *testing.T, s *fakebb.Server, c payloadCase, want shape) {
	t.Helper()
	if c.user == "" {
		c.user = "bo"
	}
	base, err := url.Parse(c.options.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	path := base.Path + fill(t, s, base.Path, c.path)
	r := ask(t, s, c.method(), path, func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+fakebb.Token(c.user))
		r.Header.Set("Accept", "application/json")
		if c.body != "" {
			r.Header.Set("Content-Type", "application/json")
			r.Body = io.NopCloser(strings.NewReader(c.body))
		}
	})
	if r.status != http.StatusOK {
		t.Fatalf("%s: %d %s", path, r.status, r.body)
	}
	got := shapeOf(t, []byte(r.body), c.named...)
	for _, place := range c.meets {
		if got[place] == nil {
			t.Errorf("%s: there is no %s to compare", path, place)
		}
	}
	if c.part != "" {
		want = want.below(c.part)
	}
	if c.ours != "" {
		got = got.below(c.ours)
	}
	if len(got) < 2 || len(want) < 2 {
		t.Fatalf("%s: nothing to compare: %d places of %d", path, len(got), len(want))
	}
	if c.unordered {
		got, want = got.unordered(), want.unordered()
	}
	needed := map[string]bool{}
	for _, d := range got.differences(want, c.optional...) {
		switch {
		case d.key != "" && c.except[d.key] != "":
			needed[d.key] = true
		case c.except[d.path] != "":
			needed[d.path] = true
		default:
			t.Errorf("%s: %s", path, d)
		}
	}
	for what := range c.except {
		if !needed[what] {
			t.Errorf("%s: %q is excepted for nothing", path, what)
		}
	}
}

// placeholder stands in a path for what only the fake knows.
var placeholder = regexp.MustCompile(`\{(tip|comment|moves|repository) ([0-9]+)\}`)

// fill replaces {tip N}, the commit that the source of ORCH/catalogue #N stands
// at, {comment N}, the oldest comment of #N, {moves N}, a commit of #N that
// moves a file, and {repository N}, the number of the repository #N is in.
func fill(t *testing.T, s *fakebb.Server, contextPath, path string) string {
	t.Helper()
	return placeholder.ReplaceAllStringFunc(path, func(p string) string {
		parts := placeholder.FindStringSubmatch(p)
		pull := contextPath + catalogue + "/pull-requests/" + parts[2]
		switch parts[1] {
		case "tip":
			var found struct{ FromRef struct{ LatestCommit string } }
			get(t, s, "bo", pull).into(t, &found)
			return found.FromRef.LatestCommit
		case "repository":
			var found struct {
				ToRef struct{ Repository struct{ ID int } }
			}
			get(t, s, "bo", pull).into(t, &found)
			return strconv.Itoa(found.ToRef.Repository.ID)
		case "comment":
			id := 0
			for _, a := range values[struct{ Comment struct{ ID int } }](t, get(t, s, "bo", pull+"/activities?limit=500")) {
				id = cmp.Or(a.Comment.ID, id) // the oldest is the last
			}
			return strconv.Itoa(id)
		default:
			for _, commit := range values[struct{ ID string }](t, get(t, s, "bo", pull+"/commits?limit=100")) {
				changes := get(t, s, "bo", contextPath+catalogue+"/commits/"+commit.ID+"/changes?limit=1000")
				for _, change := range values[struct{ Type string }](t, changes) {
					if change.Type == "MOVE" {
						return commit.ID
					}
				}
			}
			t.Fatalf("no commit of %s moves a file", pull)
			return ""
		}
	})
}
