package fakebb_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

const (
	rest      = "/rest/api/latest"
	catalogue = rest + "/projects/ORCH/repos/catalogue"
	first     = catalogue + "/pull-requests/1"
)

// tip is the commit the source of #1 stands at.
var tip = fakebb.Orchard().Commit("ORCH/catalogue", "prune-5")

// reply is an answer as a client has it.
type reply struct {
	status int
	header http.Header
	body   string
}

// get asks the fake in process, as user, or as nobody when user is "".
func get(t *testing.T, s *fakebb.Server, user, path string) reply {
	t.Helper()
	return ask(t, s, "GET", path, func(r *http.Request) {
		if user != "" {
			r.Header.Set("Authorization", "Bearer "+fakebb.Token(user))
		}
		r.Header.Set("Accept", "application/json")
	})
}

func ask(t *testing.T, s *fakebb.Server, method, path string, prepare func(*http.Request)) reply {
	t.Helper()
	r, err := http.NewRequest(method, fakebb.DefaultBaseURL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	prepare(r)
	a, err := s.Transport().RoundTrip(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return read(t, a)
}

func read(t *testing.T, a *http.Response) reply {
	t.Helper()
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{a.StatusCode, a.Header, string(body)}
}

// into reads the body of a 200 into v.
func (r reply) into(t *testing.T, v any) {
	t.Helper()
	if r.status != http.StatusOK {
		t.Fatalf("status %d, want 200; body %s", r.status, r.body)
	}
	if err := json.Unmarshal([]byte(r.body), v); err != nil {
		t.Fatalf("%v in %s", err, r.body)
	}
}

// values reads the values of a page.
func values[T any](t *testing.T, r reply) []T {
	t.Helper()
	var page struct{ Values []T }
	r.into(t, &page)
	return page.Values
}

// H1
func TestTheSameRequestAnswersAlikeOverHTTPAndInProcess(t *testing.T) {
	for _, path := range []string{
		first, first + "/activities", first + "/commits", rest + "/nowhere", "/users/bo/avatar.png?s=64",
		rest + "/projects/NOPE", rest + "/application-properties",
	} {
		inProcess := get(t, fakebb.New(fakebb.Options{}), "bo", path)

		ts := httptest.NewServer(fakebb.New(fakebb.Options{}))
		r, _ := http.NewRequest("GET", ts.URL+path, nil)
		r.Header.Set("Authorization", "Bearer "+fakebb.Token("bo"))
		r.Header.Set("Accept", "application/json")
		// The default transport asks for gzip and so changes the request.
		a, err := (&http.Transport{DisableCompression: true}).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		overHTTP := read(t, a)
		ts.Close()

		if diff := cmp.Diff(overHTTP, inProcess, cmp.AllowUnexported(reply{})); diff != "" {
			t.Errorf("GET %s: over HTTP and in process differ (-http +process):\n%s", path, diff)
		}
	}
}

// H1
func TestTheLogCountsRequestsInOrderOfArrival(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	get(t, s, "bo", first+"?a=b")
	get(t, s, "", first)
	get(t, s, "amara", rest+"/project/ORCH")
	want := []fakebb.Request{
		{Method: "GET", Path: first, RawQuery: "a=b", User: "bo", Status: 200},
		{Method: "GET", Path: first, Status: 401},
		{Method: "GET", Path: rest + "/project/ORCH", User: "amara", Status: 404,
			Note: `GET /rest/api/{version}/projects/{projectKey}; "project" should be "projects"`},
	}
	if diff := cmp.Diff(want, s.Requests()); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	if got, want := s.Requests()[0].String(), "GET "+first+"?a=b 200 bo"; got != want {
		t.Errorf("line of the log %q, want %q", got, want)
	}
	s.ResetRequests()
	if got := s.Requests(); len(got) != 0 {
		t.Errorf("after a reset the log has %v", got)
	}
}

func TestNothingIsReadBeforeTheFirstRequest(t *testing.T) {
	// The start of a program must not pay for the scenario (architecture.md 8):
	// New with a broken one does not notice.
	allocated := testing.AllocsPerRun(10, func() { fakebb.New(fakebb.Options{}) })
	if allocated > 50 {
		t.Errorf("New makes %v allocations, want a few: it reads the scenario", allocated)
	}
}

func TestTheClockStandsUnlessItRuns(t *testing.T) {
	start := time.Date(2026, 11, 27, 14, 32, 0, 0, time.UTC)
	if got := fakebb.New(fakebb.Options{}).Now(); !got.Equal(start) {
		t.Errorf("standing clock says %v, want %v", got, start)
	}
	running := fakebb.New(fakebb.Options{Running: true})
	if a, b := running.Now(), running.Now(); a.Before(start) || !b.After(a) {
		t.Errorf("running clock says %v and then %v, want later than %v and growing", a, b, start)
	}
}

func TestEveryAnswerCarriesBitbucketsHeaders(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	get(t, s, "bo", first)
	h := get(t, s, "dalia+ops@example.com", first).header
	want := http.Header{
		"Cache-Control":          {"private, no-cache", "no-cache, no-transform"},
		"Content-Type":           {"application/json;charset=UTF-8"},
		"Date":                   {"Fri, 27 Nov 2026 14:32:00 GMT"},
		"Pragma":                 {"no-cache"},
		"Vary":                   {"accept-encoding,x-auserid,cookie,x-ausername,accept-encoding"},
		"X-Arequestid":           {"@0RCHARDx872x2x0"}, // 14:32 is minute 872, and it is the second request
		"X-Auserid":              {"104"},
		"X-Ausername":            {"dalia%2Bops%40example.com"},
		"X-Content-Type-Options": {"nosniff"},
	}
	got := h.Clone()
	if got.Get("X-Asessionid") == "" {
		t.Error("no X-ASESSIONID")
	}
	got.Del("X-Asessionid")
	got.Del("Content-Length")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if anonymous := get(t, s, "", rest+"/application-properties").header; anonymous.Get("X-AUSERNAME") != "" {
		t.Errorf("nobody has the name %q", anonymous.Get("X-AUSERNAME"))
	}
}

func TestLinksComeFromTheBaseURLWithItsContextPath(t *testing.T) {
	s := fakebb.New(fakebb.Options{BaseURL: "http://git.orchard.example:7990/bitbucket/"})
	if r := get(t, s, "bo", first); r.status != http.StatusNotFound {
		t.Errorf("a path outside the context answers %d, want 404", r.status)
	}
	r := get(t, s, "bo", "/bitbucket"+first+"?avatarSize=48")
	if r.status != http.StatusOK {
		t.Fatalf("status %d: %s", r.status, r.body)
	}
	for _, want := range []string{
		`"href":"http://git.orchard.example:7990/bitbucket/projects/ORCH/repos/catalogue/pull-requests/1"`,
		`"href":"http://bo@git.orchard.example:7990/bitbucket/scm/orch/catalogue.git","name":"http"`,
		`"href":"ssh://git@git.orchard.example:7999/orch/catalogue.git","name":"ssh"`,
		`"avatarUrl":"/bitbucket/users/bo/avatar.png?s=48&v=`,
	} {
		if !strings.Contains(r.body, want) {
			t.Errorf("no %s in %s", want, r.body)
		}
	}
	if strings.Contains(r.body, "bitbucket.example.com") {
		t.Error("an answer names the default host")
	}
}

func TestJSONIsWrittenAsJacksonDoes(t *testing.T) {
	scenario := strings.NewReplacer("TEXT", `"<b>&\u2028\u2029 \\u2028 🍎"`).Replace(small)
	s := fakebb.New(fakebb.Options{Scenario: parse(t, scenario)})
	r := get(t, s, "ada", rest+"/projects/P/repos/r/pull-requests/1")
	want := "\"title\":\"<b>&\u2028\u2029 \\\\u2028 🍎\""
	if !strings.Contains(r.body, want) {
		t.Errorf("want %s in %s", want, r.body)
	}
	if strings.HasSuffix(r.body, "\n") {
		t.Error("a line break follows the JSON")
	}
}

func TestContextsThatEndedGetNoAnswer(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, _ := http.NewRequestWithContext(ctx, "GET", fakebb.DefaultBaseURL+first, nil)
	if _, err := s.Transport().RoundTrip(r); err == nil {
		t.Error("an answer came after the context had ended")
	}
	if got := s.Requests(); len(got) != 0 {
		t.Errorf("the request was counted: %v", got)
	}
}

func TestManyCanAskAtOnce(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	want := get(t, s, "chen", first+"/activities").body
	done := make(chan error)
	const clients, each = 8, 20
	for range clients {
		go func() {
			var err error
			for range each {
				r := get(t, s, "chen", first+"/activities")
				if r.body != want {
					err = fmt.Errorf("another answer: %s", r.body)
				}
			}
			done <- err
		}()
	}
	for range clients {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := len(s.Requests()); got != 1+clients*each {
		t.Errorf("%d requests in the log, want %d", got, 1+clients*each)
	}
}

func TestUnusableOptionsAreNamed(t *testing.T) {
	for fault, o := range map[string]fakebb.Options{
		"base URL: ": {BaseURL: "bitbucket.example.com"},
		"release: ":  {Release: "nine"},
	} {
		func() {
			defer func() {
				if message, _ := recover().(string); !strings.Contains(message, fault) {
					t.Errorf("New(%+v) panics with %q, want %s named", o, message, fault)
				}
			}()
			fakebb.New(o)
		}()
	}
}

func number(n int) string { return strconv.Itoa(n) }
