package fakebb_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// references are what is known of real servers, kept outside this repository,
// and payloads their answers.
var (
	references = filepath.Join("..", "..", "shared", "reference")
	payloads   = filepath.Join(references, "bitbucket-payloads")
)

// reference reads an answer of a real server, or skips the test where there
// are none. "bitbucket-rest.md 8.1/2" is the second of the answers that section
// 8.1 shows.
func reference(t *testing.T, name string) []byte {
	t.Helper()
	file, block, inText := strings.Cut(name, " ")
	path := filepath.Join(payloads, file)
	if inText {
		path = filepath.Join(references, file)
	}
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skipf("the reference payloads are not here: no %s", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	if inText {
		return exampleIn(t, string(data), block)
	}
	return data
}

// sectionOfText is the beginning of a section, or a block.
var sectionOfText = regexp.MustCompile(`(?m)^(?:## )?([0-9]+(?:\.[0-9]+)?)\.? .*$|^` + "```json\n(?s:(.*?))\n```")

// exampleIn finds a JSON block in Markdown by its section and number, 8.1/2.
func exampleIn(t *testing.T, text, block string) []byte {
	t.Helper()
	want, number, _ := strings.Cut(block, "/")
	section, n := "", 0
	for _, m := range sectionOfText.FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			section, n = m[1], 0
			continue
		}
		if n++; section == want && strconv.Itoa(n) == number {
			return []byte(m[2])
		}
	}
	t.Fatalf("there is no JSON block %s", block)
	return nil
}

// shape is, for each place of a JSON text, the kinds of its values and, for
// objects, the keys of each in order. Elements of arrays share a place; items
// of an activity are told apart by their action and changes by their type.
type shape map[string]*placeShape

type placeShape struct {
	kinds   []string
	objects [][]string
}

// shapeOf reads one. named are the places of objects whose keys are data, such
// as names of files: their values share the place with the key *.
func shapeOf(t *testing.T, data []byte, named ...string) shape {
	t.Helper()
	s := shape{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := s.read(d, "$", named); err != nil {
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

func (s shape) read(d *json.Decoder, path string, named []string) error {
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
			var item struct{ Action, Type, NodeType string }
			json.Unmarshal(raw, &item) // not every element is an activity or a change
			name := item.Action
			if item.NodeType != "" {
				name = item.Type
			}
			inner := json.NewDecoder(bytes.NewReader(raw))
			inner.UseNumber()
			if err := s.read(inner, path+"["+name+"]", named); err != nil {
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
			name := key.(string)
			if slices.Contains(named, path) {
				name = "*"
			}
			if !slices.Contains(keys, name) {
				keys = append(keys, name)
			}
			if err := s.read(d, path+"."+name, named); err != nil {
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

// unordered returns the shape of the same text with the keys of every object in
// alphabetical order.
func (s shape) unordered() shape {
	sorted := shape{}
	for path, p := range s {
		q := &placeShape{kinds: p.kinds}
		for _, keys := range p.objects {
			q.objects = append(q.objects, slices.Sorted(slices.Values(keys)))
		}
		sorted[path] = q
	}
	return sorted
}

// shapeDifference is one place, and what is there that should not be, or the
// reverse. key is the key it is about, empty when it is about the whole value.
type shapeDifference struct{ path, key, text string }

func (d shapeDifference) String() string { return d.path + " " + d.text }

// differences says where got is not of the shape of want. Places want does not
// have are not judged, except that a key it has no object with is one too many.
// optional are keys that only some objects have.
func (s shape) differences(want shape, optional ...string) []shapeDifference {
	var found []shapeDifference
	for _, path := range slices.Sorted(maps.Keys(want)) {
		w, g := want[path], s[path]
		if g == nil {
			continue // an optional part, or a list that is empty here
		}
		for _, kind := range g.kinds {
			if !slices.Contains(w.kinds, kind) {
				found = append(found, shapeDifference{path, "", fmt.Sprintf("is %s, want %v", kind, w.kinds)})
			}
		}
		for _, keys := range g.objects {
			for _, d := range compareKeys(path, keys, w.objects, optional) {
				if !slices.Contains(found, d) {
					found = append(found, d)
				}
			}
		}
	}
	return found
}

// compareKeys compares the keys of one object with those of the objects of the
// reference at the same place.
func compareKeys(path string, keys []string, want [][]string, optional []string) []shapeDifference {
	var found []shapeDifference
	for _, w := range want {
		var common []string
		for _, key := range w {
			if slices.Contains(keys, key) {
				common = append(common, key)
			} else if !slices.Contains(optional, key) && everyHas(want, key) {
				found = append(found, shapeDifference{path, key, "has no " + key})
			}
		}
		ours := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !slices.Contains(w, key) })
		if !slices.Equal(ours, common) {
			found = append(found, shapeDifference{path, "", fmt.Sprintf("has keys in the order %v, want %v", ours, common)})
		}
	}
	for _, key := range keys {
		if !slices.Contains(optional, key) && !slices.ContainsFunc(want, func(w []string) bool { return slices.Contains(w, key) }) && len(want) > 0 {
			found = append(found, shapeDifference{path, key, "has " + key + ", which the reference has not"})
		}
	}
	return found
}

func everyHas(objects [][]string, key string) bool {
	return !slices.ContainsFunc(objects, func(keys []string) bool { return !slices.Contains(keys, key) })
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
		got := fmt.Sprint(shapeOf(t, []byte(text)).differences(want))
		if difference == "" && got != "[]" || difference != "" && !strings.Contains(got, difference) {
			t.Errorf("%s: %q, want %q", text, got, difference)
		}
	}
}

func TestTheShapeOfNamedAndOfToldApartElements(t *testing.T) {
	got := shapeOf(t, []byte(`{"files":{"a.b":{"id":1},"c":{"id":2}},"values":[{"type":"ADD","nodeType":"FILE"},{"type":"MOVE","nodeType":"FILE"},{"action":"OPENED"}]}`), "$.files")
	want := []string{
		"$", "$.files", "$.files.*", "$.files.*.id", "$.values",
		"$.values[ADD]", "$.values[ADD].nodeType", "$.values[ADD].type",
		"$.values[MOVE]", "$.values[MOVE].nodeType", "$.values[MOVE].type",
		"$.values[OPENED]", "$.values[OPENED].action",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("the places differ (-want +got):\n%s", diff)
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
