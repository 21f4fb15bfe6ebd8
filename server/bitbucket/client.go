// Package bitbucket reads Bitbucket Data Center over its REST API: one typed
// call per endpoint, paging, errors as typed kinds, and a bound on how many
// requests are in flight. It knows nothing of MCP.
package bitbucket

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
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

// Options say which Bitbucket a client reads and as whom. A certificate may
// stand alone or beside a token or a password; without any of them the client
// is anonymous.
type Options struct {
	// URL is Bitbucket's base URL, with its context path if it has one, such as
	// https://bitbucket.example.com or https://dev.example.com/bitbucket.
	// Required.
	URL string
	// Token is an HTTP access token. It wins over Username and Password.
	Token string
	// TokenFile is a file that holds an HTTP access token. It wins over Token,
	// and is read again when Bitbucket refuses the token that was read.
	TokenFile string
	// Username and Password are for basic authentication; the password may
	// also be an HTTP access token of that user.
	Username, Password string
	// CAFile holds certificates of authorities, in PEM form or one in DER form,
	// that are trusted beside the system's.
	CAFile string
	// ClientCert and ClientKey are the files, in PEM form, of a certificate by
	// which the client shows itself, and of its key. Both or none.
	ClientCert, ClientKey string
	// AllowHTTP permits plain http to hosts other than loopback.
	AllowHTTP bool
	// Proxy gives the proxy for a request, nil for none. Default:
	// http.ProxyFromEnvironment.
	Proxy func(*http.Request) (*url.URL, error)
	// Transport carries the requests instead of one that is made from CAFile,
	// ClientCert, ClientKey and Proxy.
	Transport http.RoundTripper
	// Concurrency bounds requests in flight. Default: DefaultConcurrency.
	Concurrency int
	// Now is the clock by which a date in Retry-After is read where the answer
	// has no date of its own. Default: time.Now.
	Now func() time.Time
	// Random gives numbers from 0 up to 1, by which waits are spread. Default:
	// rand.Float64.
	Random func() float64
	// Logger gets one line per request at debug, never a body. Default: none.
	Logger *slog.Logger
}

// Client reads one Bitbucket as one caller. It is safe for concurrent use.
type Client struct {
	base        *url.URL // without a trailing slash
	credentials *credentials
	http        *http.Client
	proxy       func(*http.Request) (*url.URL, error)
	slots       chan struct{}
	now         func() time.Time
	random      func() float64
	caller      atomic.Pointer[string]

	releaseRead chan struct{} // holds one while the release is read
	release     atomic.Pointer[Release]
}

// New checks o, reads the files it names and returns a client. It makes no
// request.
func New(o Options) (*Client, error) {
	base, err := parseBase(o.URL, o.AllowHTTP)
	if err != nil {
		return nil, err
	}
	c := &Client{base: base, proxy: o.proxy(), now: o.Now, random: o.Random, releaseRead: make(chan struct{}, 1)}
	if c.credentials, err = credentialsOf(o); err != nil {
		return nil, err
	}
	transport, err := NewTransport(o)
	if err != nil {
		return nil, err
	}
	if o.Logger != nil {
		transport = logged{transport, o.Logger, base.EscapedPath()}
	}
	c.http = &http.Client{Transport: transport, CheckRedirect: checkRedirect}
	n := o.Concurrency
	if n <= 0 {
		n = DefaultConcurrency
	}
	c.slots = make(chan struct{}, n)
	if c.now == nil {
		c.now = time.Now
	}
	if c.random == nil {
		c.random = rand.Float64
	}
	return c, nil
}

// URL is Bitbucket's base URL, without a trailing slash.
func (c *Client) URL() string { return c.base.String() }

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
	// reads says that a POST changes nothing, so that it may be sent again.
	reads bool
}

func get(module string, query url.Values, path ...string) request {
	return request{method: http.MethodGet, module: module, path: path, query: query}
}

// safe says whether sending r twice does no more than sending it once.
func (r request) safe() bool { return r.reads || r.method == http.MethodGet }

// target is the request's path as it goes out. A segment that is empty or
// would climb the path is refused: it would reach another resource than the
// one named.
func (r request) target() (string, error) {
	var b strings.Builder
	b.WriteString("/rest/" + r.module)
	for _, s := range r.path {
		if s == "" || s == "." || s == ".." {
			return "", &Error{Kind: Invalid, Method: r.method, Path: b.String(), Messages: []string{"a name in the request is " + quoted(s)}}
		}
		b.WriteString("/" + url.PathEscape(s))
	}
	return b.String(), nil
}

// do sends r and decodes its JSON answer into out. Without out the answer is
// not looked at.
func (c *Client) do(ctx context.Context, r request, out any) error {
	a, err := c.send(ctx, r, "application/json", maxBody)
	if err != nil || out == nil {
		return err
	}
	unreadable := func(cause Cause, message string) error {
		e := &Error{Kind: Unsupported, Cause: cause, Status: a.status, Method: r.method, Path: a.target, RequestID: a.requestID()}
		e.say(message)
		return e
	}
	switch {
	case !a.whole:
		return unreadable(TooLarge, "the answer is larger than 32 MiB")
	case !isJSON(a.header):
		f := foreignAnswer(a.header, a.data)
		if f.login {
			return unreadable(LoginPage, "a login page came instead of an answer: "+f.words)
		}
		return unreadable(NotJSON, "the answer is "+contentType(a.header)+", not JSON: "+f.words)
	}
	if err := json.Unmarshal(a.data, out); err != nil {
		return unreadable(NotJSON, "the answer cannot be read: "+err.Error())
	}
	return nil
}
