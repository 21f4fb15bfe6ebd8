package fakebb

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestNoTwoRoutesAreOne(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range routes {
		key := r.method + " " + regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(r.path, "{}")
		if seen[key] {
			t.Errorf("%s is there twice", key)
		}
		seen[key] = true
	}
}

func TestEveryRouteAnswersUnderBothVersions(t *testing.T) {
	s := New(Options{})
	fill := exampleValues(t, s)
	for _, r := range exampleRequests {
		for _, version := range []string{"latest", "1.0"} {
			path := fill.Replace(r.path)
			path = strings.Replace(strings.Replace(path, "/latest/", "/"+version+"/", 1), "/1.0/", "/"+version+"/", 1)
			request := httptest.NewRequest(r.method, path, strings.NewReader(r.body))
			request.Header.Set("Authorization", "Bearer "+Token(r.users()[0]))
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Accept", r.accept)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, request)
			if w.Code != http.StatusOK {
				t.Errorf("%s %s: %d %s", r.method, path, w.Code, w.Body)
			}
			if json := strings.HasPrefix(w.Header().Get("Content-Type"), "application/json"); json && strings.HasSuffix(w.Body.String(), "\n") {
				t.Errorf("%s %s: the body ends with a line break", r.method, path)
			}
		}
	}
}

// What the fake remembers is made by whoever asks first. Run with -race.
func TestRequestsAtTheSameTimeAnswerAsOneByOne(t *testing.T) {
	scenario, err := Load("scenarios/orchard.txtar")
	if err != nil {
		t.Fatal(err)
	}
	alone, together := New(Options{}), New(Options{Scenario: scenario})
	fill := exampleValues(t, alone)
	answer := func(s *Server, r exampleRequest) string {
		request := httptest.NewRequest(r.method, fill.Replace(r.path), strings.NewReader(r.body))
		request.Header.Set("Authorization", "Bearer "+Token(r.users()[0]))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", r.accept)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request)
		return w.Body.String()
	}
	var group sync.WaitGroup
	for _, r := range exampleRequests {
		want := answer(alone, r)
		for range 2 {
			group.Go(func() {
				if got := answer(together, r); got != want {
					t.Errorf("%s %s: %.200s, alone %.200s", r.method, r.path, got, want)
				}
			})
		}
	}
	group.Wait()
	if n := len(together.Requests()); n != 2*len(exampleRequests) {
		t.Errorf("the log has %d requests, want %d", n, 2*len(exampleRequests))
	}
}

// H1: the client's author sees the typo.
func TestAnUnknownPathNamesTheClosestRouteAndWhatDiffers(t *testing.T) {
	s := New(Options{})
	const repo = "/rest/api/latest/projects/ORCH/repos/catalogue"
	for path, want := range map[string]string{
		repo + "/pull-request/1":           `GET /rest/api/{version}/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}; "pull-request" should be "pull-requests"`,
		repo + "/pull-requests/1/activity": `GET /rest/api/{version}/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}/activities; "activity" should be "activities"`,
		"/api/latest/projects/ORCH/repos":  `GET /rest/api/{version}/projects/{projectKey}/repos; /rest is missing`,
		"/rest/api/2.0/projects":           `GET /rest/api/{version}/projects; "2.0" should be latest or 1.0`,
		"/rest/api/latest/projects/ORCH/repos/catalogue/pull-requests/1/merge/now": `GET /rest/api/{version}/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}/merge; "now" is too much`,
		"/rest/required-builds/latest/projects/ORCH/repos/catalogue":               `the path ends before`,
		"/" + strings.Repeat("x", 100000):                                          `should be`,
	} {
		request := httptest.NewRequest("GET", path, nil)
		request.Header.Set("Authorization", "Bearer "+Token("bo"))
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request)
		got := w.Header().Get(closestRouteHeader)
		if w.Code != http.StatusNotFound || !strings.Contains(got, want) {
			t.Errorf("GET %.80s: %d, %s %q, want %q", path, w.Code, closestRouteHeader, got, want)
		}
		if log := s.Requests(); log[len(log)-1].Note != got {
			t.Errorf("GET %.80s: the log says %q", path, log[len(log)-1].Note)
		}
	}
}

func TestAnotherMethodOnAKnownPathIs405(t *testing.T) {
	s := New(Options{})
	for _, test := range []struct{ method, path, allow string }{
		{"DELETE", "/rest/api/latest/projects/ORCH", "GET,HEAD"},
		{"GET", "/rest/build-status/latest/commits/stats", "POST"}, // not the commit "stats"
	} {
		request := httptest.NewRequest(test.method, test.path, nil)
		request.Header.Set("Authorization", "Bearer "+Token("bo"))
		request.Header.Set("Accept", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request)
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != test.allow {
			t.Errorf("%s %s: %d, Allow %q, want 405, %q", test.method, test.path, w.Code, w.Header().Get("Allow"), test.allow)
		}
	}
}

func TestTheMoreLiteralPathWinsInAnyOrder(t *testing.T) {
	table := []route{{method: "GET", path: "/a/{b}"}, {method: "POST", path: "/a/c"}}
	for range 2 {
		found, _, allowed := choose(table, "GET", []string{"a", "c"})
		if found != nil || strings.Join(allowed, ",") != "POST" {
			t.Errorf("in the order %s, %s: GET /a/c finds %v, allowed %v, want none, POST", table[0].path, table[1].path, found, allowed)
		}
		slices.Reverse(table)
	}
}

func TestPathsAreDecodedSegmentBySegment(t *testing.T) {
	s := New(Options{})
	for path, status := range map[string]int{
		"/rest/api/latest/projects/%7Eamara/repos/scratch":                       200,
		"/rest/api/latest/projects/~AMARA/repos/scratch":                         200,
		"/rest/api/latest/projects/~Amara/repos/scratch/":                        200,
		"/rest/api/latest/projects/ORCH%2Frepos/catalogue":                       404,
		"/rest/api/latest/projects/ORCH/repos/catalogue%2F":                      404,
		"/rest/api/latest//projects":                                             404,
		"/rest/api/latest/users/dalia_ops_example.com":                           200,
		"/rest/api/latest/users/dalia_ops%5Fexample.com":                         200,
		"/rest/api/latest/projects/ORCH/repos/catalogue/commits/feature%2Fprune": 200,
	} {
		request := httptest.NewRequest("GET", path, nil)
		request.Header.Set("Authorization", "Bearer "+Token("amara"))
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request)
		if w.Code != status {
			t.Errorf("GET %s: %d, want %d; %s", path, w.Code, status, w.Body)
		}
	}
}

// Whatever is asked, the fake answers and does not fall over.
func FuzzServe(f *testing.F) {
	fill := exampleValues(f, New(Options{}))
	for _, r := range exampleRequests {
		path, query, _ := strings.Cut(fill.Replace(r.path), "?")
		f.Add(r.method, path, query, r.body)
	}
	f.Fuzz(func(t *testing.T, method, path, query, body string) {
		r, err := http.NewRequest(method, DefaultBaseURL+path, strings.NewReader(body))
		if err != nil {
			t.Skip()
		}
		r.URL.RawQuery = query
		r.Header.Set("Authorization", "Bearer "+Token("bo"))
		r.Header.Set("Content-Type", "application/json")
		a, err := New(Options{}).Transport().RoundTrip(r)
		if err != nil || a.StatusCode < 200 || a.StatusCode >= 500 {
			t.Fatalf("%s %s?%s: %v %v", method, path, query, a, err)
		}
	})
}
