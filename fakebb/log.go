package fakebb

import (
	"fmt"
	"net/http"
	"sync"
)

// Request is one request that was made of a [Server].
type Request struct {
	Method   string
	Path     string // as it was sent, percent-encoding included
	RawQuery string
	User     string // the name of whoever asked; empty for nobody and for a wrong token
	Status   int    // 0 while the answer is being made
	// Note says what a client's author should know: for a path that no route
	// answers, which route is closest and what differs.
	Note string
}

// String returns the request as one line of a log.
func (r Request) String() string {
	path := r.Path
	if r.RawQuery != "" {
		path += "?" + r.RawQuery
	}
	user := r.User
	if user == "" {
		user = "-"
	}
	line := fmt.Sprintf("%s %s %d %s", r.Method, path, r.Status, user)
	if r.Note != "" {
		line += " (" + r.Note + ")"
	}
	return line
}

// Requests returns the requests that were made since the start or the last
// [Server.ResetRequests], in order of arrival; of very many the newest.
func (s *Server) Requests() []Request { return s.log.all() }

// ResetRequests empties the log.
func (s *Server) ResetRequests() { s.log.reset() }

// maxLogged is how many requests are remembered; a fake that runs for long
// forgets the older half.
const maxLogged = 100000

type requestLog struct {
	mu      sync.Mutex
	entries []*Request
}

func (l *requestLog) arrived(r *http.Request) *Request {
	entry := &Request{Method: r.Method, Path: r.URL.EscapedPath(), RawQuery: r.URL.RawQuery}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.entries) == maxLogged {
		l.entries = append(l.entries[:0], l.entries[maxLogged/2:]...)
	}
	l.entries = append(l.entries, entry)
	return entry
}

func (l *requestLog) answered(entry *Request, user string, status int, note string) Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry.User, entry.Status, entry.Note = user, status, note
	return *entry
}

func (l *requestLog) all() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]Request, len(l.entries))
	for i, entry := range l.entries {
		all[i] = *entry
	}
	return all
}

func (l *requestLog) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = nil
}
