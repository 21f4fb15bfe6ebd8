package bitbucket_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bb-mcp/bb/server/bitbucket"
)

const envelopeJSON = "application/json;charset=UTF-8"

// midway is a Random that adds half of what can be added.
func midway() float64 { return 0.5 }

// failing answers the first n requests by fail and the others well.
func failing(n int32, asked *atomic.Int32, fail func() (*http.Response, error)) answers {
	return func(*http.Request) (*http.Response, error) {
		if asked.Add(1) <= n {
			return fail()
		}
		return reply(200, "application/json", `{"id":1}`)
	}
}

func status(code int, header ...string) func() (*http.Response, error) {
	return func() (*http.Response, error) {
		res, err := reply(code, envelopeJSON, `{"errors":[{"message":"not now"}]}`)
		for i := 0; i+1 < len(header); i += 2 {
			res.Header.Set(header[i], header[i+1])
		}
		return res, err
	}
}

func broken(err error) func() (*http.Response, error) {
	return func() (*http.Response, error) { return nil, err }
}

// REST-07, AUTH-04: what passes is asked again after as long as Bitbucket
// asks, or a moment; what does not is not.
func TestAReadIsAskedAgainWhereThatCanHelp(t *testing.T) {
	const date = "Mon, 02 Jan 2006 15:04:05 GMT"
	for _, test := range []struct {
		name  string
		fail  func() (*http.Response, error)
		times int32 // how often it fails
		asked int32
		after time.Duration
		kind  bitbucket.Kind // of the error; ignored without one
		fails bool
	}{
		{"seconds", status(429, "Retry-After", "2"), 1, 2, 2 * time.Second, 0, false},
		{"a date", status(429, "Retry-After", "Mon, 02 Jan 2006 15:04:12 GMT", "Date", date), 1, 2, 7 * time.Second, 0, false},
		{"a date that is over", status(429, "Retry-After", date, "Date", "Mon, 02 Jan 2006 16:04:05 GMT"), 1, 2, 400 * time.Millisecond, 0, false},
		{"a date without one to count from", status(429, "Retry-After", "Sat, 01 Jan 2000 00:00:03 GMT"), 1, 2, 3 * time.Second, 0, false},
		{"a day is capped", status(429, "Retry-After", "86400"), 1, 2, time.Minute, 0, false},
		{"nonsense", status(429, "Retry-After", "soon"), 1, 2, 400 * time.Millisecond, 0, false},
		{"negative", status(429, "Retry-After", "-5"), 1, 2, 400 * time.Millisecond, 0, false},
		{"no header", status(429), 2, 3, 1200 * time.Millisecond, 0, false},
		{"never more than three", status(429), 9, 3, 1200 * time.Millisecond, bitbucket.Busy, true},
		{"502", status(502), 1, 2, 400 * time.Millisecond, 0, false},
		{"503", status(503), 1, 2, 400 * time.Millisecond, 0, false},
		{"503 with a time", status(503, "Retry-After", "5"), 1, 2, 5 * time.Second, 0, false},
		{"504", status(504), 1, 2, 400 * time.Millisecond, 0, false},
		{"reset", broken(syscall.ECONNRESET), 1, 2, 400 * time.Millisecond, 0, false},
		{"closed", broken(io.EOF), 1, 2, 400 * time.Millisecond, 0, false},
		{"always reset", broken(syscall.ECONNRESET), 9, 3, 1200 * time.Millisecond, bitbucket.Unreachable, true},
		{"403 is a permission", status(403), 9, 1, 0, bitbucket.Denied, true},
		{"401", status(401), 9, 1, 0, bitbucket.Unauthenticated, true},
		{"404", status(404), 9, 1, 0, bitbucket.NotFound, true},
		{"409", status(409), 9, 1, 0, bitbucket.Conflict, true},
		{"500", status(500), 9, 1, 0, bitbucket.Failed, true},
		{"refused", broken(syscall.ECONNREFUSED), 9, 1, 0, bitbucket.Unreachable, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			var asked atomic.Int32
			c := client(t, bitbucket.Options{Token: "t", Random: midway, Transport: failing(test.times, &asked, test.fail)})
			start := time.Now()
			_, err := c.PullRequest(t.Context(), "X", "y", 1)
			var failed *bitbucket.Error
			if errors.As(err, &failed); (err != nil) != test.fails || test.fails && failed.Kind != test.kind {
				t.Errorf("%s: error %v", test.name, err)
			}
			if asked.Load() != test.asked || time.Since(start) != test.after {
				t.Errorf("%s: asked %d times in %v, want %d in %v", test.name, asked.Load(), time.Since(start), test.asked, test.after)
			}
		})
	}
}

// The POST that only reads is asked again as a GET is, with its body.
func TestAPostThatReadsIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		c := client(t, bitbucket.Options{Transport: answers(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			if err != nil || string(body) != `["c"]` {
				t.Errorf("the body is %s, %v", body, err)
			}
			if asked.Add(1) == 1 {
				return nil, syscall.ECONNRESET
			}
			return reply(200, "application/json", `{}`)
		})})
		if _, err := c.CountBuilds(t.Context(), []string{"c"}); err != nil || asked.Load() != 2 {
			t.Errorf("asked %d times: %v", asked.Load(), err)
		}
	})
}

// A wait that does not fit the call's time is not begun: the answer is there at
// once and says how long Bitbucket asks to wait.
func TestAWaitThatDoesNotFitIsNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		c := client(t, bitbucket.Options{Transport: failing(9, &asked, status(429, "Retry-After", "30"))})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		start := time.Now()
		_, err := c.PullRequest(ctx, "X", "y", 1)
		var failed *bitbucket.Error
		if !errors.As(err, &failed) || failed.Kind != bitbucket.Busy || failed.RetryAfter != 30*time.Second || failed.Cause != bitbucket.RateLimited {
			t.Errorf("%v (%+v)", err, failed)
		}
		if asked.Load() != 1 || time.Since(start) != 0 {
			t.Errorf("asked %d times in %v", asked.Load(), time.Since(start))
		}
	})
}

// T10
func TestACancelledCallEndsItsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		c := client(t, bitbucket.Options{Transport: failing(9, &asked, status(429, "Retry-After", "30"))})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := c.PullRequest(ctx, "X", "y", 1)
			done <- err
		}()
		synctest.Wait()
		time.Sleep(time.Second)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || asked.Load() != 1 {
			t.Errorf("asked %d times: %v", asked.Load(), err)
		}
	})
}

// A call that waits lets others through.
func TestAWaitHoldsNoPlaceAmongThoseInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, bitbucket.Options{Concurrency: 1, Transport: answers(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/1") {
				return status(429, "Retry-After", "30")()
			}
			return pullRequest(r)
		})})
		ctx, cancel := context.WithCancel(t.Context())
		go c.PullRequest(ctx, "X", "y", 1)
		synctest.Wait()
		start := time.Now()
		if _, err := c.PullRequest(ctx, "X", "y", 2); err != nil || time.Since(start) != 0 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		cancel()
		synctest.Wait()
	})
}
