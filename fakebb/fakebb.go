// Package fakebb is a Bitbucket Data Center that is not one: an HTTP server
// that answers as Bitbucket's REST API does, from a scenario that people can
// read and change.
//
// The same fake is used in process ([Server.Transport]), as an [http.Handler]
// and on a port. It is deterministic: its clock, ids and hashes come from the
// scenario. Every route says on what evidence it answers as it does; see
// routes.go.
package fakebb

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultUser is the person whose token is used when nobody is named: the
// author of most pull requests of the scenario orchard.
const DefaultUser = "amara"

// DefaultBaseURL is the base URL of a fake that was not given one.
const DefaultBaseURL = "https://bitbucket.example.com"

// defaultRelease is the release whose answers the reference payloads show.
const defaultRelease = "9.4.16"

// Token returns the HTTP access token of the user with that name. It is also
// the user's password for basic authentication.
func Token(user string) string { return "fake-" + user }

// Options say what a [Server] serves. The zero value is ready to use.
type Options struct {
	// Scenario is what is in this Bitbucket. Default [Orchard], which is then
	// read at the first request, so that starting costs nothing.
	Scenario *Scenario
	// BaseURL is the configured base URL of the instance; it may have a
	// context path (https://host/bitbucket). Every link in an answer comes
	// from it, never from the request. Default [DefaultBaseURL].
	BaseURL string
	// Release is the release of Bitbucket, such as 9.4.16 (the default).
	// Before 9, error elements carry their keys with null.
	Release string
	// TokensSeeNoAvatars answers a picture that is asked for with a token with
	// the default one, as for who names nobody. One report says that some
	// Bitbucket does so (bitbucket-rest.md 5.3).
	TokensSeeNoAvatars bool
	// Markdown draws Markdown as HTML, for markup=true and the preview of
	// markup; package markdown has it. Without it the text is one paragraph.
	Markdown func(text string, m Markup) string
	// Log, when not nil, is told of every request when it was answered. It is
	// called by several requests at the same time.
	Log func(Request)
	// Running makes the clock run on from the scenario's start. By default it
	// stands still.
	Running bool
}

// Server is a fake Bitbucket. It is an [http.Handler] and safe for concurrent
// use.
type Server struct {
	base            baseURL
	release         release
	running         bool
	anonymousTokens bool // where pictures are
	tell            func(Request)
	markdown        func(string, Markup) string
	started         time.Time
	load            func() *store

	served   atomic.Int64
	inFlight atomic.Int64
	log      requestLog
}

// New returns a fake that serves o. It panics when BaseURL or Release cannot
// be understood, because that is a mistake in the program; see [Open].
func New(o Options) *Server {
	s, err := Open(o)
	if err != nil {
		panic("fakebb: " + err.Error())
	}
	return s
}

// Open returns a fake that serves o, or an error when BaseURL or Release cannot
// be understood.
func Open(o Options) (*Server, error) {
	base, err := parseBaseURL(o.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	release, err := parseRelease(o.Release)
	if err != nil {
		return nil, fmt.Errorf("release: %w", err)
	}
	return &Server{
		base:            base,
		release:         release,
		running:         o.Running,
		anonymousTokens: o.TokensSeeNoAvatars,
		tell:            o.Log,
		markdown:        o.Markdown,
		started:         time.Now(),
		load: sync.OnceValue(func() *store {
			if o.Scenario == nil {
				return Orchard().store
			}
			return o.Scenario.store
		}),
	}, nil
}

// Release returns the release that is answered for, such as 9.4.16.
func (s *Server) Release() string { return s.release.String() }

// Now returns the time on the scenario's clock.
func (s *Server) Now() time.Time {
	now := s.load().start
	if s.running {
		now = now.Add(time.Since(s.started))
	}
	return now
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	number := s.served.Add(1)
	others := s.inFlight.Add(1) - 1
	defer s.inFlight.Add(-1)

	slot := s.log.arrived(r)
	x := &exchange{server: s, store: s.load(), request: r, now: s.Now()}
	a := x.answer()

	header := w.Header()
	x.setHeaders(header, a, requestID(x.now, number, others))
	// Logged before the body is sent: who has the answer finds it in the log.
	logged := s.log.answered(slot, x.callerName(), a.status, a.note)
	if s.tell != nil {
		s.tell(logged)
	}
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		w.Write(a.body)
	}
}

// baseURL is the configured address of the instance, in the parts that links
// are made of.
type baseURL struct {
	scheme, host, path string
}

func parseBaseURL(s string) (baseURL, error) {
	if s == "" {
		s = DefaultBaseURL
	}
	u, err := url.Parse(s)
	if err != nil {
		return baseURL{}, err
	}
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return baseURL{}, fmt.Errorf("%q is not an http or https address", s)
	}
	return baseURL{u.Scheme, u.Host, strings.TrimRight(u.EscapedPath(), "/")}, nil
}

func (b baseURL) String() string { return b.scheme + "://" + b.host + b.path }

// hostname is the host without its port.
func (b baseURL) hostname() string { return (&url.URL{Host: b.host}).Hostname() }
