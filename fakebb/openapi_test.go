package fakebb

import (
	"encoding/json"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// H1: every answer is what the OpenAPI document says, but for what
// openapi_differences_test.go lists with its evidence; and nothing is listed
// that is not met.
func TestAnswersAreThoseOfTheOpenAPIDocument(t *testing.T) {
	d := openOpenAPI(t)
	s := New(Options{})
	fill := exampleValues(t, s)
	met := map[int]bool{}
	undocumented, unspecified := map[string]bool{}, map[string]bool{}
	for _, r := range exampleRequests {
		for _, user := range r.users() {
			t.Run(user+" "+r.method+" "+r.path, func(t *testing.T) {
				body, route := r.ask(t, s, fill, user)
				if body == nil {
					return
				}
				path, _, _ := strings.Cut(fill.Replace(r.path), "?")
				switch operation, schema := d.answer(r.method, path); {
				case operation == "":
					undocumented[route] = true
				case schema == nil:
					unspecified[route] = true
				default:
					var value any
					if err := json.Unmarshal(body, &value); err != nil {
						t.Fatalf("%v in %s", err, body)
					}
					c := documentCheck{t, d, operation, met}
					c.value(schema, value, "$")
				}
			})
		}
	}
	if t.Failed() {
		return // what was not answered cannot be judged
	}
	for i, difference := range openAPIDifferences {
		if !met[i] {
			t.Errorf("the difference %q at %q is in no answer: it is listed for nothing", difference.operation, difference.place)
		}
	}
	holdRoutes(t, "are not in the OpenAPI document", undocumentedRoutes, undocumented)
	holdRoutes(t, "have no schema of their answer in the OpenAPI document", unspecifiedRoutes, unspecified)
}

// holdRoutes compares a list of routes that are written down with those that
// were met.
func holdRoutes(t *testing.T, what string, listed map[string]string, met map[string]bool) {
	t.Helper()
	for route := range met {
		if listed[route] == "" {
			t.Errorf("%s is not listed among those that %s", route, what)
		}
	}
	for route := range listed {
		if !met[route] {
			t.Errorf("%s is listed among those that %s, for nothing", route, what)
		}
	}
}

// A route that is added needs a request here, too.
func TestEveryRouteHasARequestThatIsComparedWithTheDocument(t *testing.T) {
	fill := exampleValues(t, New(Options{}))
	asked := map[string]bool{}
	for _, r := range exampleRequests {
		if found := r.route(fill); found != nil {
			asked[found.method+" "+found.path] = true
		}
	}
	for _, r := range routes {
		if !answersNobody[r.method+" "+r.path] && !asked[r.method+" "+r.path] {
			t.Errorf("%s %s has no request in openapi_examples_test.go", r.method, r.path)
		}
	}
}

// A difference is believed for a reason somebody can read.
func TestEveryDifferenceFromTheDocumentNamesItsEvidence(t *testing.T) {
	payload := regexp.MustCompile(`[a-z0-9-]+\.json`)
	reasons := map[string]string{}
	for _, d := range openAPIDifferences {
		reasons[d.operation+" "+d.place] = d.evidence
	}
	for _, list := range []map[string]string{undocumentedRoutes, unspecifiedRoutes} {
		for route, evidence := range list {
			reasons[route] = evidence
		}
	}
	for what, evidence := range reasons {
		if len(kindsOf(evidence)) == 0 {
			t.Errorf("%s: the evidence %q names no section", what, evidence)
		}
		for _, name := range payload.FindAllString(evidence, -1) {
			file := filepath.Join(filepath.Dir(openAPIFile), "bitbucket-payloads", name)
			if _, err := os.Stat(filepath.Dir(file)); err != nil {
				continue // the references are not here
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

// The check itself sees what it is for.
func TestTheDocumentCheckSeesDifferences(t *testing.T) {
	d := openOpenAPI(t)
	operation, schema := d.answer("GET", "/rest/api/1.0/users/bo")
	if want := "GET /api/latest/users/{userSlug}"; operation != want || schema == nil {
		t.Fatalf("the operation is %q, want %q, with a schema", operation, want)
	}
	for text, want := range map[string]string{
		`{"name":"bo","id":102,"links":{"self":[]},"type":"NORMAL"}`: "",
		`{"name":7}`:      "$.name: type: value must be a string",
		`{"name":null}`:   "$.name: nullable: Value is not nullable",
		`{"id":"102"}`:    "$.id: type: value must be an integer",
		`{"type":"HERO"}`: `$.type: enum: value is not one of the allowed values ["NORMAL","SERVICE"]`,
		`{"nickname":""}`: "$.nickname: the document has no such key",
	} {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range schemaErrors(t, schema, value) {
			got = append(got, "$"+e.place+": "+e.what)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// exampleRequest is a request whose answer is compared with the document.
type exampleRequest struct {
	method string
	// path has a query, and placeholders for what only the fake knows.
	path string
	body string
	// as are who ask; default the fake's default caller.
	as []string
	// accept is the media type asked for; default JSON.
	accept string
}

func (r exampleRequest) users() []string {
	if r.as == nil {
		return []string{DefaultUser}
	}
	return r.as
}

// route is what answers the request, nil when nothing does.
func (r exampleRequest) route(fill *strings.Replacer) *route {
	path, _, _ := strings.Cut(fill.Replace(r.path), "?")
	found, _, _ := choose(routes, r.method, strings.Split(path[1:], "/"))
	return found
}

// ask returns the JSON that answers a request, nil for an answer that is not
// JSON, and the route it came from.
func (r exampleRequest) ask(t *testing.T, s *Server, fill *strings.Replacer, user string) (body []byte, route string) {
	t.Helper()
	found := r.route(fill)
	if found == nil {
		t.Fatalf("no route answers %s %s", r.method, r.path)
	}
	request := httptest.NewRequest(r.method, fill.Replace(r.path), strings.NewReader(fill.Replace(r.body)))
	request.Header.Set("Authorization", "Bearer "+Token(user))
	request.Header.Set("Accept", mediaJSON)
	if r.accept != "" {
		request.Header.Set("Accept", r.accept)
	}
	if r.body != "" {
		request.Header.Set("Content-Type", mediaJSON)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, request)
	if w.Code < 200 || w.Code > 299 {
		t.Fatalf("%s %s: %d %s", r.method, request.URL, w.Code, w.Body)
	}
	kind, _, err := mime.ParseMediaType(w.Header().Get("Content-Type"))
	if w.Body.Len() > 0 && err != nil {
		t.Fatalf("%s %s: Content-Type %q: %v", r.method, request.URL, w.Header().Get("Content-Type"), err)
	}
	if kind != mediaJSON {
		return nil, found.method + " " + found.path
	}
	return w.Body.Bytes(), found.method + " " + found.path
}

// documentCheck compares an answer with what the document says about an
// operation, and notes which listed differences it met.
type documentCheck struct {
	t         *testing.T
	d         *openAPI
	operation string
	met       map[int]bool
}

// value compares a part of the answer, at a place, with a schema.
func (c documentCheck) value(schema *openapi3.Schema, value any, place string) {
	c.t.Helper()
	for _, e := range schemaErrors(c.t, schema, value) {
		at := place + e.place
		i := slices.IndexFunc(openAPIDifferences, func(d openAPIDifference) bool { return d.is(c.operation, at) })
		if i < 0 {
			c.t.Errorf("%s: %s: %s", c.operation, at, e.what)
			continue
		}
		c.met[i] = true
		name := openAPIDifferences[i].schema
		if name == "" {
			continue
		}
		component := c.d.doc.Components.Schemas[name]
		if component == nil {
			c.t.Fatalf("the document has no schema %s", name)
		}
		if list, ok := e.value.([]any); ok {
			for _, element := range list {
				c.value(component.Value, element, at+"[]")
			}
		} else {
			c.value(component.Value, e.value, at)
		}
	}
}

// exampleValues replaces the placeholders of requests by what only the fake
// knows: commits, and ids of the scenario.
func exampleValues(t testing.TB, s *Server) *strings.Replacer {
	t.Helper()
	const repository = "/rest/api/latest/projects/ORCH/repos/catalogue"
	read := func(path string, into any) {
		t.Helper()
		request := httptest.NewRequest("GET", path, nil)
		request.Header.Set("Authorization", "Bearer "+Token(DefaultUser))
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request)
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil || w.Code != http.StatusOK {
			t.Fatalf("GET %s: %d %v", path, w.Code, err)
		}
	}
	type ids struct {
		Values []struct {
			ID      json.Number
			Comment struct {
				ID       json.Number
				Severity string
			}
		}
	}
	var pull struct {
		FromRef, ToRef struct {
			LatestCommit string
			Repository   struct{ ID json.Number }
		}
	}
	read(repository+"/pull-requests/1", &pull)
	known := map[string]string{
		"{repo}": repository, "{in}": "projects/ORCH/repos/catalogue",
		"{tip}": pull.FromRef.LatestCommit, "{target}": pull.ToRef.LatestCommit,
		"{repositoryId}": pull.ToRef.Repository.ID.String(),
	}
	var activities ids
	read(repository+"/pull-requests/1/activities?limit=500", &activities)
	for _, a := range activities.Values {
		switch a.Comment.Severity {
		case "NORMAL":
			known["{comment}"] = a.Comment.ID.String()
		case "BLOCKER":
			known["{task}"] = a.Comment.ID.String()
		}
	}
	for name, path := range map[string]string{
		"{group}": repository + "/settings/reviewer-groups", "{projectGroup}": "/rest/api/latest/projects/ORCH/settings/reviewer-groups",
	} {
		var groups ids
		read(path, &groups)
		for _, g := range groups.Values {
			known[name] = g.ID.String()
		}
	}
	var tags struct{ Values []struct{ DisplayID string } }
	read(repository+"/tags", &tags)
	for _, tag := range tags.Values {
		known["{tag}"] = tag.DisplayID
	}
	// Nothing lists the comments on commits.
	for _, r := range s.load().everyRepository() {
		if r.String() == "ORCH/catalogue" {
			for commit, comments := range r.comments {
				known["{commented}"], known["{commitComment}"] = commit, strconv.Itoa(comments[0].id)
			}
		}
	}
	var pairs []string
	for name, value := range known {
		pairs = append(pairs, name, value)
	}
	return strings.NewReplacer(pairs...)
}
