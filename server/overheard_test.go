package server_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
)

// overheard is a Bitbucket whose requests are kept, and that answers in the
// fake's place where instead gives a status.
type overheard struct {
	fake    *fakebb.Server
	instead func(*http.Request) (status int, body string)

	mu    sync.Mutex
	asked []string // paths with queries, escaped
}

func (o *overheard) RoundTrip(r *http.Request) (*http.Response, error) {
	o.mu.Lock()
	o.asked = append(o.asked, r.URL.EscapedPath()+"?"+r.URL.RawQuery)
	o.mu.Unlock()
	if o.instead != nil {
		if status, body := o.instead(r); status != 0 {
			return &http.Response{StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
				Header: http.Header{"Content-Type": {"application/json;charset=UTF-8"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
		}
	}
	return o.fake.Transport().RoundTrip(r)
}

// forget gives what was asked since it was last called, but for the release,
// which is asked for once.
func (o *overheard) forget() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	asked := slices.DeleteFunc(o.asked, func(r string) bool { return strings.Contains(r, "/application-properties") })
	o.asked = nil
	return asked
}

// of are the requests whose address holds a word, in the order of their text.
func (o *overheard) of(word string) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	found := slices.DeleteFunc(slices.Clone(o.asked), func(asked string) bool { return !strings.Contains(asked, word) })
	slices.Sort(found)
	return found
}

// listen is a session that acts for user on a Bitbucket that is overheard.
func listen(t testing.TB, user string, instead func(*http.Request) (int, string)) (*peer, *overheard) {
	t.Helper()
	fake := fakebb.New(fakebb.Options{})
	o := &overheard{fake: fake, instead: instead}
	client, err := bitbucket.New(bitbucket.Options{URL: fakebb.DefaultBaseURL, Token: fakebb.Token(user), Transport: o})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{Bitbucket: client, Version: "test", Now: fake.Now})
	if err != nil {
		t.Fatal(err)
	}
	return (&world{fake, s}).connect(t, "modern", uiCapability), o
}

// answers gives bodies for paths by a word they hold; "404" is that status, as
// a release answers that lacks the endpoint.
func answers(bodies map[string]string) func(*http.Request) (int, string) {
	return func(r *http.Request) (int, string) {
		for word, body := range bodies {
			switch {
			case !strings.Contains(r.URL.Path, word):
			case body == "404":
				return 404, `{"message":"null for uri: ` + r.URL.Path + `","status-code":404}`
			default:
				return 200, body
			}
		}
		return 0, ""
	}
}
