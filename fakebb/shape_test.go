package fakebb_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
)

// payloads are answers of real servers, kept outside this repository.
var payloads = filepath.Join("..", "..", "shared", "reference", "bitbucket-payloads")

// reference reads one, or skips the test where they are not there.
func reference(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(payloads, name))
	if os.IsNotExist(err) {
		t.Skipf("the reference payloads are not here: no %s", filepath.Join(payloads, name))
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// shape is, for each place of a JSON text, the kinds of its values and, for
// objects, the keys of each in order. Elements of arrays share a place; items
// of an activity are told apart by their action.
type shape map[string]*placeShape

type placeShape struct {
	kinds   []string
	objects [][]string
}

func shapeOf(t *testing.T, data []byte) shape {
	t.Helper()
	s := shape{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := s.read(d, "$"); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return s
}

func (s shape) at(path string) *placeShape {
	if s[path] == nil {
		s[path] = &placeShape{}
	}
	return s[path]
}

func (s shape) read(d *json.Decoder, path string) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	kind := fmt.Sprintf("%T", token)
	if delim, ok := token.(json.Delim); ok {
		kind = delim.String()
	}
	if p := s.at(path); !slices.Contains(p.kinds, kind) {
		p.kinds = append(p.kinds, kind)
	}
	switch token {
	case json.Delim('['):
		for d.More() {
			var raw json.RawMessage
			if err := d.Decode(&raw); err != nil {
				return err
			}
			var item struct{ Action string }
			json.Unmarshal(raw, &item) // not every element is an activity
			inner := json.NewDecoder(bytes.NewReader(raw))
			inner.UseNumber()
			if err := s.read(inner, path+"["+item.Action+"]"); err != nil {
				return err
			}
		}
		_, err = d.Token()
	case json.Delim('{'):
		var keys []string
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return err
			}
			keys = append(keys, key.(string))
			if err := s.read(d, path+"."+key.(string)); err != nil {
				return err
			}
		}
		p := s.at(path)
		p.objects = append(p.objects, keys)
		_, err = d.Token()
	}
	return err
}

// below returns the part of the shape under a path, as if it were a whole.
func (s shape) below(path string) shape {
	part := shape{}
	for p, v := range s {
		if rest, ok := strings.CutPrefix(p, path); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			part["$"+rest] = v
		}
	}
	return part
}

// differences says where got is not of the shape of want. Places want does not
// have are not judged, except that a key it has no object with is one too many.
// optional are keys that only some objects have.
func (s shape) differences(want shape, optional ...string) []string {
	var found []string
	for path, w := range want {
		g := s[path]
		if g == nil {
			continue // an optional part, or a list that is empty here
		}
		for _, kind := range g.kinds {
			if !slices.Contains(w.kinds, kind) {
				found = append(found, fmt.Sprintf("%s is %s, want %v", path, kind, w.kinds))
			}
		}
		for _, keys := range g.objects {
			found = append(found, compareKeys(path, keys, w.objects, optional)...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// compareKeys compares the keys of one object with those of the objects of the
// reference at the same place.
func compareKeys(path string, keys []string, want [][]string, optional []string) []string {
	var found []string
	for _, w := range want {
		var common []string
		for _, key := range w {
			if slices.Contains(keys, key) {
				common = append(common, key)
			} else if !slices.Contains(optional, key) && everyHas(want, key) {
				found = append(found, fmt.Sprintf("%s has no %s", path, key))
			}
		}
		ours := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !slices.Contains(w, key) })
		if !slices.Equal(ours, common) {
			found = append(found, fmt.Sprintf("%s has keys in the order %v, want %v", path, ours, common))
		}
	}
	for _, key := range keys {
		if !slices.Contains(optional, key) && !slices.ContainsFunc(want, func(w []string) bool { return slices.Contains(w, key) }) && len(want) > 0 {
			found = append(found, fmt.Sprintf("%s has %s, which the reference has not", path, key))
		}
	}
	return found
}

func everyHas(objects [][]string, key string) bool {
	return !slices.ContainsFunc(objects, func(keys []string) bool { return !slices.Contains(keys, key) })
}

// H1: key order, key sets and types are those of a real server.
func TestAnswersHaveTheShapeOfRealOnes(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for _, test := range []struct {
		reference, path, user string
		part                  string   // of the reference, default all of it
		ours                  string   // the part of ours that is compared
		optional              []string // keys that only some objects of a kind have
		except                []string // places that are not compared
	}{
		{reference: "shape-9416-pr-get.json", user: "amara", path: first},
		{reference: "shape-9416-pr-list.json", user: "amara", path: catalogue + "/pull-requests?limit=1"},
		{reference: "shape-9416-merge-check.json", user: "amara", path: first + "/merge"},
		{reference: "shape-9416-activities-rescoped-comment.json", user: "chen", path: first + "/activities",
			optional: []string{"commentAnchor", "diff", "threadResolvedDate", "threadResolver", "resolvedDate", "resolver", "properties"}},
		{reference: "activities-inline-comment-with-diff.json", user: "chen", path: first + "/activities",
			part: "$[COMMENTED].diff", ours: "$.values[COMMENTED].diff", optional: []string{"context", "commentIds", "extension"},
			// A file that was added, and lines whose keys went through another program.
			except: []string{"$.source", "$.hunks[].segments[].lines[]"}},
		{reference: "diff-pr-many-files.json", user: "chen", path: first + "/activities",
			part: "$.diffs[].hunks", ours: "$.values[COMMENTED].diff.hunks", optional: []string{"context", "commentIds"}},
		{reference: "activities-inline-comment-with-diff.json", user: "chen", path: first + "/activities",
			part: "$[COMMENTED].commentAnchor", ours: "$.values[COMMENTED].commentAnchor"},
		{reference: "comment-inline-created-9x.json", user: "chen", path: first + "/review",
			ours: "$.values[]", optional: []string{"anchor", "html", "avatarUrl"}},
		{reference: "pr-draft-flag-9x.json", user: "bo", path: catalogue + "/pull-requests/4?avatarSize=64",
			optional: []string{"description"}},
		{reference: "pr-participant-approved.json", user: "bo", path: catalogue + "/pull-requests/7/participants",
			ours: "$.values[]", optional: []string{"lastReviewedCommit"}},
		{reference: "build-status-legacy.json", user: "bo", path: "/rest/build-status/1.0/commits/" + tip,
			optional: []string{"description"}},
		{reference: "insight-report.json", user: "bo", path: "/rest/insights/latest/projects/ORCH/repos/catalogue/commits/" + tip + "/reports",
			ours: "$.values[]", optional: []string{"link"}},
		{reference: "insight-annotations.json", user: "bo",
			path: "/rest/insights/latest/projects/ORCH/repos/catalogue/commits/" + tip + "/reports/com.example.coverage/annotations"},
	} {
		name := test.reference + " " + test.ours
		t.Run(name, func(t *testing.T) {
			want := shapeOf(t, reference(t, test.reference))
			if test.part != "" {
				want = want.below(test.part)
			}
			r := get(t, s, test.user, test.path)
			if r.status != http.StatusOK {
				t.Fatalf("GET %s: %d %s", test.path, r.status, r.body)
			}
			got := shapeOf(t, []byte(r.body))
			if test.ours != "" {
				got = got.below(test.ours)
			}
			for _, path := range test.except {
				delete(want, path)
			}
			if len(got) < 2 || len(want) < 2 {
				t.Fatalf("nothing to compare: %d places of %d", len(got), len(want))
			}
			for _, difference := range got.differences(want, test.optional...) {
				t.Errorf("GET %s: %s", test.path, difference)
			}
		})
	}
}

// The checker itself sees what it is for.
func TestTheShapeCheckerSeesDifferences(t *testing.T) {
	want := shapeOf(t, []byte(`{"id":1,"name":"x","list":[{"a":1,"b":2}]}`))
	for text, difference := range map[string]string{
		`{"id":1,"name":"x","list":[{"a":1,"b":2},{"a":1,"b":2}]}`: "",
		`{"id":1,"name":"x","list":[]}`:                            "",
		`{"name":"x","id":1,"list":[]}`:                            "order",
		`{"id":"1","name":"x","list":[]}`:                          "$.id is string",
		`{"id":1,"list":[]}`:                                       "has no name",
		`{"id":1,"name":"x","list":[{"a":1}]}`:                     "$.list[] has no b",
		`{"id":1,"name":"x","list":[],"more":1}`:                   "has more",
		`{"id":1,"name":null,"list":[]}`:                           "$.name is <nil>",
	} {
		got := strings.Join(shapeOf(t, []byte(text)).differences(want), "; ")
		if difference == "" && got != "" || difference != "" && !strings.Contains(got, difference) {
			t.Errorf("%s: %q, want %q", text, got, difference)
		}
	}
}

func TestTheHeadersAreThoseOfARealServer(t *testing.T) {
	var recorded map[string]http.Header
	if err := json.Unmarshal(reference(t, "vcr-response-headers.json"), &recorded); err != nil {
		t.Fatal(err)
	}
	got := get(t, fakebb.New(fakebb.Options{}), "bo", first).header
	for name, values := range recorded["7.x (2021)"] {
		if len(got[name]) != len(values) {
			t.Errorf("%s is %q, a real one is %q", name, got[name], values)
		}
	}
	for name := range got {
		if _, ok := recorded["7.x (2021)"][name]; !ok && name != "Content-Length" {
			t.Errorf("%s is sent, by a real server not", name)
		}
	}
}
