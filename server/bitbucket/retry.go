package bitbucket

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// tries is how often a request that only reads is sent at most.
const tries = 3

// maxRetryAfter bounds how long is waited because Bitbucket asks for it
// (AUTH-04). Callers wait no longer than a minute for a whole call.
const maxRetryAfter = time.Minute

// firstPause is about how long is waited before the second try where Bitbucket
// does not say; it doubles for the third.
const firstPause = 400 * time.Millisecond

// passing says whether a failure may be gone when the same is asked again: a
// rate limit, a proxy or a node that is not there for a moment, a connection
// that was closed before an answer came. A 403 is a permission and stays
// (REST-07); a 500 is a fault.
func (e *Error) passing() bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return e.Cause == CutOff
}

// pause is how long to wait after the given try failed: what Bitbucket asks
// for within bounds, otherwise some time around firstPause, spread so that
// calls that failed together do not come back together.
func (c *Client) pause(try int, asked time.Duration) time.Duration {
	if asked > 0 {
		return min(asked, maxRetryAfter)
	}
	full := float64(firstPause << (try - 1))
	return time.Duration(full/2 + c.random()*full)
}

// wait waits for d and says whether it did. It does not begin to when ctx ends
// before: an answer now is worth more than the same one later.
func (c *Client) wait(ctx context.Context, d time.Duration) bool {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= d {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryAfter reads how long an answer asks to wait: a number of seconds, or a
// date, which is counted from the answer's own so that no two clocks need to
// agree. It is 0 where the answer asks for nothing or for nonsense.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseInt(text, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return max(0, at.Sub(now))
}
