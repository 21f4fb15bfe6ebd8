package bitbucket_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server/bitbucket"
)

// answers is a transport that answers every request with f.
type answers func(*http.Request) (*http.Response, error)

func (f answers) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func reply(status int, contentType, body string) (*http.Response, error) {
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	w.WriteString(body)
	return w.Result(), nil
}

// pullRequest answers with the pull request that was asked for.
func pullRequest(r *http.Request) (*http.Response, error) {
	return reply(200, "application/json", `{"id":`+path.Base(r.URL.Path)+`}`)
}

func client(t *testing.T, o bitbucket.Options) *bitbucket.Client {
	t.Helper()
	if o.URL == "" {
		o.URL = "https://bitbucket.example.com"
	}
	c, err := bitbucket.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAnUnusableAddressIsNamed(t *testing.T) {
	for url, want := range map[string]string{
		"":                                "not a web address",
		"bitbucket.example.com":           "not a web address",
		"ftp://bitbucket.example.com":     "not a web address",
		"https://me:secret@bitbucket.x":   "set BITBUCKET_TOKEN",
		"https://bitbucket.x/?a=b":        "query or fragment",
		"127.0.0.1:7990":                  "not a web address",
		"https://b.x/bb/projects/ORCH/":   "leave out /projects/ORCH",
		"https://b.x/rest/api/latest":     "leave out /rest/api/latest",
		"https://bitbucket.org/team":      "Bitbucket Cloud",
		"https://api.bitbucket.org":       "Bitbucket Cloud",
		"http://bitbucket.example.com":    "--allow-http",
		"https://bit bucket.example.com/": "cannot be read",
	} {
		_, err := bitbucket.New(bitbucket.Options{URL: url})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New(%q): %v, want %q", url, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("New(%q) repeats the password: %v", url, err)
		}
	}
	for _, url := range []string{"http://localhost:7990", "http://127.0.0.1:7990/bitbucket", "http://[::1]:7990/", "https://bitbucket.example.com/restful"} {
		if _, err := bitbucket.New(bitbucket.Options{URL: url}); err != nil {
			t.Errorf("New(%q): %v", url, err)
		}
	}
}

// T8
func TestTokenBasicAndContextPath(t *testing.T) {
	for name, o := range map[string]bitbucket.Options{
		"token": {Token: fakebb.Token("amara")},
		"basic": {Username: "amara", Password: fakebb.Token("amara")},
	} {
		fake := fakebb.New(fakebb.Options{BaseURL: "https://dev.example.com/bitbucket"})
		web := httptest.NewServer(fake)
		defer web.Close()
		o.URL = web.URL + "/bitbucket/"
		c := client(t, o)
		p, err := c.PullRequest(t.Context(), "ORCH", "catalogue", 1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want := "https://dev.example.com/bitbucket/projects/ORCH/repos/catalogue/pull-requests/1"; p.Links.URL() != want {
			t.Errorf("%s: link %s, want %s", name, p.Links.URL(), want)
		}
		if c.Caller() != "amara" {
			t.Errorf("%s: caller %q, want amara", name, c.Caller())
		}
	}
}

// T8: ~user stays through every layer.
func TestAPersonalRepositoryIsRead(t *testing.T) {
	fake := fakebb.New(fakebb.Options{})
	c := client(t, bitbucket.Options{Token: fakebb.Token("amara"), Transport: fake.Transport()})
	if _, err := c.ListPullRequests(t.Context(), "~amara", "scratch", "OPEN", 0, 25); err != nil {
		t.Fatal(err)
	}
	if got := fake.Requests()[0].Path; !strings.Contains(got, "/projects/~amara/repos/scratch/") {
		t.Errorf("asked for %s", got)
	}
}

func TestAnUnreachableBitbucketIsNamedSo(t *testing.T) {
	c := client(t, bitbucket.Options{Token: "secret", Transport: answers(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("dial tcp: connection refused")
	})})
	_, err := c.PullRequest(t.Context(), "X", "y", 1)
	var failed *bitbucket.Error
	if !errors.As(err, &failed) || failed.Kind != bitbucket.Unreachable || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("%v", err)
	}
}

// A moved repository answers with a redirect on its own host.
func TestARedirectOnTheSameHostIsFollowedWithTheCredentials(t *testing.T) {
	fake := fakebb.New(fakebb.Options{})
	var here *httptest.Server
	here = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/repos/old/") {
			http.Redirect(w, r, here.URL+strings.Replace(r.URL.Path, "/repos/old/", "/repos/catalogue/", 1), http.StatusTemporaryRedirect)
			return
		}
		fake.ServeHTTP(w, r)
	}))
	defer here.Close()
	p, err := client(t, bitbucket.Options{URL: here.URL, Token: fakebb.Token("amara")}).PullRequest(t.Context(), "ORCH", "old", 1)
	if err != nil || p.ToRef.Repository.Slug != "catalogue" {
		t.Errorf("%+v, %v", p.ToRef.Repository, err)
	}
}

// numbers serves a list of 10 in which 3 and 4 may not be seen, at most 3 a page.
func numbers(starts *[]string) answers {
	return func(r *http.Request) (*http.Response, error) {
		q := r.URL.Query()
		*starts = append(*starts, q.Get("start")+"/"+q.Get("limit"))
		var start, limit int
		fmt.Sscan(q.Get("start"), &start)
		fmt.Sscan(q.Get("limit"), &limit)
		limit = min(limit, 3)
		var values []string
		next := start
		for ; next < 10 && len(values) < limit; next++ {
			if next != 3 && next != 4 {
				values = append(values, fmt.Sprintf(`{"id":%d}`, next))
			}
		}
		body := fmt.Sprintf(`{"size":%d,"limit":%d,"isLastPage":%v,"values":[%s],"start":%d`, len(values), limit, next >= 10, strings.Join(values, ","), start)
		if next < 10 {
			body += fmt.Sprintf(`,"nextPageStart":%d`, next)
		}
		return reply(200, "application/json", body+"}")
	}
}

func TestPagingGoesByNextPageStart(t *testing.T) {
	var asked []string
	c := client(t, bitbucket.Options{Transport: numbers(&asked)})
	all, err := c.ListPullRequests(t.Context(), "X", "y", "OPEN", 0, 100)
	if err != nil || len(all.Values) != 8 || !all.Complete || all.Next != 0 {
		t.Fatalf("all: %d values, complete %v, next %d, %v", len(all.Values), all.Complete, all.Next, err)
	}
	if got := strings.Join(asked, " "); got != "0/100 3/97 8/94" {
		t.Errorf("asked for %s", got)
	}
	asked = nil
	some, err := c.ListPullRequests(t.Context(), "X", "y", "OPEN", 0, 5)
	if err != nil || len(some.Values) != 5 || some.Complete || some.Next != 7 {
		t.Errorf("five: %d values, complete %v, next %d, %v (asked %v)", len(some.Values), some.Complete, some.Next, err, asked)
	}
	rest, err := c.ListPullRequests(t.Context(), "X", "y", "OPEN", 7, 100)
	if err != nil || len(rest.Values) != 3 || rest.Complete || rest.Next != 0 {
		t.Errorf("from the middle: %d values, complete %v, next %d, %v", len(rest.Values), rest.Complete, rest.Next, err)
	}
}

func TestAListThatNamesNoNextPageEndsWithAnError(t *testing.T) {
	for _, body := range []string{`{"isLastPage":false,"values":[]}`, `{"isLastPage":false,"values":[],"nextPageStart":0}`, `{"isLastPage":false,"values":[],"nextPageStart":null}`} {
		c := client(t, bitbucket.Options{Transport: answers(func(*http.Request) (*http.Response, error) { return reply(200, "application/json", body) })})
		if _, err := c.ListPullRequests(t.Context(), "X", "y", "OPEN", 0, 5); err == nil {
			t.Errorf("%s: no error", body)
		}
	}
}

func TestNoMoreThanTheBoundIsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		c := client(t, bitbucket.Options{Transport: answers(func(r *http.Request) (*http.Response, error) {
			n := now.Add(1)
			defer now.Add(-1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(time.Second)
			return pullRequest(r)
		})})
		start := time.Now()
		for range 20 {
			go c.PullRequest(context.Background(), "X", "y", 1)
		}
		synctest.Wait()
		time.Sleep(10 * time.Second)
		if most.Load() != bitbucket.DefaultConcurrency {
			t.Errorf("%d requests were in flight at once after %v, want %d", most.Load(), time.Since(start), bitbucket.DefaultConcurrency)
		}
	})
}

// T10
func TestACancelledCallEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, bitbucket.Options{Concurrency: 1, Transport: answers(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 2)
		for range 2 { // the second waits for its turn
			go func() {
				_, err := c.PullRequest(ctx, "X", "y", 1)
				done <- err
			}()
		}
		synctest.Wait()
		cancel()
		for range 2 {
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("%v, want context canceled", err)
			}
		}
	})
}

// SCHEMA-03: an empty or climbing name reaches no other resource.
func TestANameThatIsNoneIsRefusedBeforeAnyRequest(t *testing.T) {
	fake := fakebb.New(fakebb.Options{})
	c := client(t, bitbucket.Options{Token: fakebb.Token("amara"), Transport: fake.Transport()})
	for _, name := range []string{"", ".", ".."} {
		if _, err := c.PullRequest(t.Context(), name, "catalogue", 1); err == nil {
			t.Errorf("project %q is accepted", name)
		}
	}
	if n := len(fake.Requests()); n != 0 {
		t.Errorf("%d requests went out", n)
	}
	if _, err := c.PullRequest(t.Context(), "ORCH/../VAULT", "a b#c?d%2F", 1); err == nil {
		t.Error("a name with slashes found something")
	}
	if got := fake.Requests()[0].Path; !strings.Contains(got, "/projects/ORCH%2F..%2FVAULT/repos/a%20b%23c%3Fd%252F/") {
		t.Errorf("names are not escaped in %s", got)
	}
}

func TestTheLogHasNoSecretAndNoBody(t *testing.T) {
	var b strings.Builder
	fake := fakebb.New(fakebb.Options{})
	c := client(t, bitbucket.Options{Token: fakebb.Token("amara"), Transport: fake.Transport(), Logger: slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if _, err := c.PullRequest(t.Context(), "ORCH", "catalogue", 1); err != nil {
		t.Fatal(err)
	}
	line := b.String()
	if strings.Contains(line, "fake-amara") || strings.Contains(line, "Prune") || strings.Count(line, "\n") != 1 {
		t.Errorf("the log says %q", line)
	}
	for _, want := range []string{"GET", "/pull-requests/1", "status=200", "request=@"} {
		if !strings.Contains(line, want) {
			t.Errorf("the log line %q lacks %s", line, want)
		}
	}
}

// Each try has its line, and what a server writes into a header cannot make
// another one.
func TestEachTryIsLoggedOnALineOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		asked := 0
		c := client(t, bitbucket.Options{
			URL: "https://dev.example.com/bit%20bucket", Token: "secret",
			Logger: slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug})),
			Transport: answers(func(*http.Request) (*http.Response, error) {
				if asked++; asked == 1 {
					return nil, syscall.ECONNRESET
				}
				res, err := reply(503-asked, "application/json", `{}`)
				res.Header.Set("X-Arequestid", "@1\n\x1b[31m\u202e")
				return res, err
			}),
		})
		c.PullRequest(t.Context(), "X", "y\n", 1)
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != 2 || asked != 2 {
			t.Fatalf("%d requests have the lines %q", asked, lines)
		}
		for i, want := range []string{"error=", "status=501"} {
			if !strings.Contains(lines[i], want) || !strings.Contains(lines[i], "path=/rest/api/latest/projects/X/repos/y%0A/pull-requests/1 ") ||
				strings.ContainsAny(lines[i], "\x1b\u202e") || strings.Contains(lines[i], "secret") {
				t.Errorf("line %d is %q", i, lines[i])
			}
		}
	})
}

// T10: down to the socket.
func TestACancelledRequestClosesItsConnection(t *testing.T) {
	arrived, closed := make(chan struct{}), make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
		close(closed)
	}))
	defer web.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := client(t, bitbucket.Options{URL: web.URL}).PullRequest(ctx, "X", "y", 1)
		done <- err
	}()
	<-arrived
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	select {
	case <-closed:
	case <-time.After(20 * time.Second):
		t.Error("the server still sees the connection")
	}
}
