package bitbucket

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
)

// requestIDHeader is the header by which an operator finds a request in
// Bitbucket's log, in Go's canonical form.
const requestIDHeader = "X-Arequestid"

// answer is what came back to a request that worked.
type answer struct {
	target string // the path that was asked for
	status int    // 2xx
	header http.Header
	data   []byte
	whole  bool // false: there was more than was to be read
}

func (a answer) requestID() string { return requestID(a.header) }

// requestID is an answer's request id, or "" where it is none: what stands in
// front of Bitbucket may send anything.
func requestID(h http.Header) string {
	if id := h.Get(requestIDHeader); requestIDForm.MatchString(id) {
		return id
	}
	return ""
}

var requestIDForm = regexp.MustCompile(`^[\w@*./:+-]{1,100}$`)

// send sends r, asking for the media type accept, and reads at most limit
// bytes of its answer. A status other than 2xx is an [Error], as is an answer
// that does not come; a cancelled ctx gives its own error. A request that only
// reads is sent again where that can help (see [tries]); one whose token was
// refused is sent again once with the token that the file holds by then, which
// is harmless for a write too: it was refused before anything was done.
func (c *Client) send(ctx context.Context, r request, accept string, limit int64) (answer, error) {
	target, err := r.target()
	if err != nil {
		return answer{}, err
	}
	o := outgoing{request: r, target: target, accept: accept, limit: limit}
	if r.body != nil {
		if o.data, err = json.Marshal(r.body); err != nil {
			return answer{}, fmt.Errorf("%s %s: %w", r.method, target, err)
		}
	} else if r.method == http.MethodPost || r.method == http.MethodPut {
		o.data = []byte("{}") // an empty body is of no type, and a 415 (REST-03)
	}
	renewed := false
	for try := 1; ; try++ {
		auth := c.credentials.authorization()
		a, err := c.exchange(ctx, o, auth)
		if err == nil {
			return a, nil
		}
		var failed *Error
		if !errors.As(err, &failed) {
			return answer{}, err
		}
		failed.Write = !r.safe()
		if failed.Kind == Unauthenticated && !renewed {
			renewed = true
			again, err := c.credentials.renew(auth)
			if err != nil {
				failed.Messages = append(failed.Messages, "it could not be read again: "+err.Error())
			}
			if again {
				try--
				continue
			}
		}
		if !r.safe() || try == tries || !failed.passing() {
			return answer{}, failed
		}
		if !c.wait(ctx, c.pause(try, failed.RetryAfter)) {
			if ctx.Err() != nil {
				return answer{}, ctx.Err()
			}
			return answer{}, failed
		}
	}
}

// outgoing is a request made ready to be sent, once or more often.
type outgoing struct {
	request
	target string
	accept string
	limit  int64
	data   []byte // the body; nil for none
}

// exchange sends o once and reads its answer. It is the one place that makes
// requests. It waits for its turn among those that are in flight.
func (c *Client) exchange(ctx context.Context, o outgoing, auth string) (answer, error) {
	var body io.Reader
	if o.data != nil {
		body = bytes.NewReader(o.data)
	}
	full := c.URL() + o.target
	if len(o.query) > 0 {
		full += "?" + o.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, o.method, full, body)
	if err != nil {
		return answer{}, fmt.Errorf("%s %s: %w", o.method, o.target, err)
	}
	req.Header.Set("Accept", o.accept)
	if o.data != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if !o.safe() {
		req.Header.Set("X-Atlassian-Token", "no-check") // REST-02
	}
	if auth != "" {
		req.Header.Set("Authorization", auth)
	}

	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return answer{}, ctx.Err()
	}
	res, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return answer{}, ctx.Err()
		}
		return answer{}, c.noAnswer(o, req, err)
	}
	defer res.Body.Close()
	if name, err := url.QueryUnescape(res.Header.Get("X-Ausername")); err == nil && name != "" {
		name = oneLine(name, maxName)
		c.caller.Store(&name)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, o.limit+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return answer{}, ctx.Err()
	case err != nil:
		return answer{}, &Error{Kind: Unreachable, Cause: BrokenOff, Method: o.method, Path: o.target, RequestID: requestID(res.Header),
			Messages: []string{fmt.Sprintf("the answer broke off after %d bytes: %v", len(data), err)}}
	case res.StatusCode < 200 || res.StatusCode > 299:
		return answer{}, c.refused(o, auth, res, data)
	}
	a := answer{target: o.target, status: res.StatusCode, header: res.Header}
	a.whole = int64(len(data)) <= o.limit
	a.data = data[:min(int64(len(data)), o.limit)]
	return a, nil
}
