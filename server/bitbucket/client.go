// Package bitbucket reads Bitbucket Data Center over its REST API: one typed
// call per endpoint, paging, errors as typed kinds, and a bound on how many
// requests are in flight. It knows nothing of MCP.
package bitbucket

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// DefaultConcurrency is how many requests one client has in flight at most.
// It is the bound a server holds towards Bitbucket, whose default rate limit
// refills five requests a second and keeps sixty.
const DefaultConcurrency = 8

// maxBody is the largest answer that is read, in bytes. The largest a real
// server sends for the calls made here, a page of 500 activities with diffs,
// stays under a tenth of it.
const maxBody = 32 << 20

// Options say which Bitbucket a client reads and as whom.
type Options struct {
	// URL is Bitbucket's base URL, with its context path if it has one, such as
	// https://bitbucket.example.com or https://dev.example.com/bitbucket.
	// Required.
	URL string
	// Token is an HTTP access token. It wins over Username and Password.
	Token string
	// Username and Password are for basic authentication; the password may
	// also be an HTTP access token of that user.
	Username, Password string
	// AllowHTTP permits plain http to hosts other than loopback.
	AllowHTTP bool
	// Transport carries the requests. Default: http.DefaultTransport, which
	// honours the usual proxy variables.
	Transport http.RoundTripper
	// Concurrency bounds requests in flight. Default: DefaultConcurrency.
	Concurrency int
	// Logger gets one line per request at debug, never a body. Default: none.
	Logger *slog.Logger
}

// Client reads one Bitbucket as one caller. It is safe for concurrent use.
type Client struct {
	base   string // without a trailing slash
	auth   string
	http   *http.Client
	slots  chan struct{}
	log    *slog.Logger
	caller atomic.Pointer[string]
}

// New checks o and returns a client. It makes no request.
func New(o Options) (*Client, error) {
	base, err := parseBase(o.URL, o.AllowHTTP)
	if err != nil {
		return nil, err
	}
	c := &Client{base: strings.TrimRight(base.String(), "/"), log: o.Logger}
	switch {
	case o.Token != "":
		c.auth = "Bearer " + o.Token
	case o.Username != "":
		c.auth = "Basic " + base64.StdEncoding.EncodeToString([]byte(o.Username+":"+o.Password))
	case o.Password != "":
		return nil, errors.New("a password needs a user name: set BITBUCKET_USERNAME")
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	n := o.Concurrency
	if n <= 0 {
		n = DefaultConcurrency
	}
	c.slots = make(chan struct{}, n)
	transport := o.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	c.http = &http.Client{Transport: transport, CheckRedirect: sameHost}
	return c, nil
}

// parseBase reads a base URL and refuses what cannot be one.
func parseBase(raw string, allowHTTP bool) (*url.URL, error) {
	base, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil:
		return nil, fmt.Errorf("Bitbucket's URL %q cannot be read: %w", raw, errors.Unwrap(err))
	case base.Scheme != "https" && base.Scheme != "http" || base.Host == "":
		return nil, fmt.Errorf("Bitbucket's URL %q is not a web address; it should look like https://bitbucket.example.com", raw)
	case base.User != nil:
		return nil, errors.New("Bitbucket's URL holds a user name or password; set BITBUCKET_TOKEN, or BITBUCKET_USERNAME and BITBUCKET_PASSWORD, instead")
	case base.RawQuery != "" || base.Fragment != "":
		return nil, fmt.Errorf("Bitbucket's URL %q has a query or fragment; give the address of its start page", raw)
	case isCloud(base.Hostname()):
		return nil, fmt.Errorf("%s is Bitbucket Cloud, another product; bb reads Bitbucket Data Center", base.Hostname())
	case base.Scheme == "http" && !allowHTTP && !isLoopback(base.Hostname()):
		return nil, fmt.Errorf("%s would send the credentials unencrypted; use https, or pass --allow-http", base.Redacted())
	}
	return base, nil
}

func isCloud(host string) bool {
	host = strings.ToLower(host)
	return host == "bitbucket.org" || strings.HasSuffix(host, ".bitbucket.org")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// sameHost follows a redirect, as a moved repository answers, only where the
// credentials were meant for.
func sameHost(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
		return fmt.Errorf("redirected to %s://%s, which is not followed", req.URL.Scheme, req.URL.Host)
	}
	if len(via) >= 5 {
		return errors.New("redirected too often")
	}
	return nil
}

// URL is Bitbucket's base URL, without a trailing slash.
func (c *Client) URL() string { return c.base }

// Caller is the user name that Bitbucket last said the requests were made as
// (its X-AUSERNAME header), or "" as long as it has said none.
func (c *Client) Caller() string {
	if p := c.caller.Load(); p != nil {
		return *p
	}
	return ""
}

// request is one call: a REST module and version, path segments that are
// escaped here, a query and, for a POST, a JSON body.
type request struct {
	method string
	module string // such as "api/latest"
	path   []string
	query  url.Values
	body   any
}

func get(module string, query url.Values, path ...string) request {
	return request{method: http.MethodGet, module: module, path: path, query: query}
}

// target is the request's path as it goes out. A segment that is empty or
// would climb the path is refused: it would reach another resource than the
// one named.
func (r request) target() (string, error) {
	var b strings.Builder
	b.WriteString("/rest/" + r.module)
	for _, s := range r.path {
		if s == "" || s == "." || s == ".." {
			return "", &Error{Kind: Invalid, Method: r.method, Path: b.String(), Messages: []string{fmt.Sprintf("a name in the request is %q", s)}}
		}
		b.WriteString("/" + url.PathEscape(s))
	}
	return b.String(), nil
}

// do sends r and decodes its JSON answer into out.
func (c *Client) do(ctx context.Context, r request, out any) error {
	a, err := c.send(ctx, r, "application/json", maxBody)
	if err != nil {
		return err
	}
	unreadable := func(format string, args ...any) error {
		return &Error{Kind: Unsupported, Status: a.status, Method: r.method, Path: a.target, RequestID: a.requestID(),
			Messages: []string{fmt.Sprintf(format, args...)}}
	}
	switch {
	case !a.whole:
		return unreadable("the answer is larger than %d MiB", maxBody>>20)
	case !isJSON(a.header):
		return unreadable("the answer is %s, not JSON: %s", contentType(a.header), firstLine(a.data))
	}
	if err := json.Unmarshal(a.data, out); err != nil {
		return unreadable("the answer cannot be read: %v", err)
	}
	return nil
}

// answer is what came back to a request that worked.
type answer struct {
	target string // the path that was asked for
	status int    // 2xx
	header http.Header
	data   []byte
	whole  bool // false: there was more than was to be read
}

func (a answer) requestID() string { return a.header.Get("X-Arequestid") }

// send sends r, asking for the media type accept, and reads at most limit
// bytes of its answer. A status other than 2xx is an [Error].
func (c *Client) send(ctx context.Context, r request, accept string, limit int64) (answer, error) {
	target, err := r.target()
	if err != nil {
		return answer{}, err
	}
	unreachable := func(format string, args ...any) error {
		return &Error{Kind: Unreachable, Method: r.method, Path: target, Messages: []string{fmt.Sprintf(format, args...)}}
	}

	var body io.Reader
	if r.body != nil {
		data, err := json.Marshal(r.body)
		if err != nil {
			return answer{}, fmt.Errorf("%s %s: %w", r.method, target, err)
		}
		body = bytes.NewReader(data)
	}
	full := c.base + target
	if len(r.query) > 0 {
		full += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, full, body)
	if err != nil {
		return answer{}, fmt.Errorf("%s %s: %w", r.method, target, err)
	}
	req.Header.Set("Accept", accept)
	if r.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.auth != "" {
		req.Header.Set("Authorization", c.auth)
	}

	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return answer{}, ctx.Err()
	}
	start := time.Now()
	res, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return answer{}, ctx.Err()
		}
		// The url.Error around it repeats the method and the whole address.
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return answer{}, unreachable("%v", err)
	}
	defer res.Body.Close()
	a := answer{target: target, status: res.StatusCode, header: res.Header}
	c.log.DebugContext(ctx, "bitbucket", "method", r.method, "path", target, "status", res.StatusCode,
		"ms", time.Since(start).Milliseconds(), "request", a.requestID())
	if name, err := url.QueryUnescape(res.Header.Get("X-Ausername")); err == nil && name != "" {
		c.caller.Store(&name)
	}

	data, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return answer{}, ctx.Err()
	case err != nil:
		return answer{}, unreachable("the answer broke off: %v", err)
	case res.StatusCode < 200 || res.StatusCode > 299:
		return answer{}, answeredError(r.method, target, res, data)
	}
	a.whole = int64(len(data)) <= limit
	a.data = data[:min(int64(len(data)), limit)]
	return a, nil
}

func contentType(h http.Header) string {
	t, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		return "of no known type"
	}
	return t
}

func isJSON(h http.Header) bool { return contentType(h) == "application/json" }

// firstLine is the first line of text in data, for an answer that is no JSON:
// the plain text of a refused cross-site request, the title of a login page.
func firstLine(data []byte) string {
	for line := range strings.Lines(strings.ToValidUTF8(string(data[:min(len(data), 4096)]), "\uFFFD")) {
		if line = strings.TrimSpace(line); line != "" {
			if r := []rune(line); len(r) > 200 {
				line = string(r[:200]) + "…"
			}
			return line
		}
	}
	return "(empty)"
}
