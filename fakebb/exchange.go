package fakebb

import (
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const jsonType = "application/json;charset=UTF-8"

// exchange is one request on its way to an answer.
type exchange struct {
	server  *Server
	store   *store
	request *http.Request
	now     time.Time

	caller *person           // nil for nobody
	vars   map[string]string // what the route's path captured, decoded
	query  url.Values
	avatar int // the avatarSize asked for, 0 for none
}

// answer is what goes out.
type answer struct {
	status       int
	contentType  string
	cacheControl string // "" for the usual one
	body         []byte
	allow, note  string
}

// answer runs the checks in Bitbucket's order: authentication, then the route,
// and in the handlers project, repository, permission and entity.
func (x *exchange) answer() answer {
	a, err := x.handle()
	if err == nil {
		return a
	}
	var f *failure
	if !errors.As(err, &f) {
		panic(fmt.Sprintf("fakebb: %s %s: %v", x.request.Method, x.request.URL.Path, err))
	}
	return f.draw(x.server.release, strings.Contains(x.request.Header.Get("Accept"), "json"))
}

func (x *exchange) handle() (answer, error) {
	caller, err := x.store.authenticate(x.request)
	if err != nil {
		return answer{}, err
	}
	x.caller = caller

	route, vars, err := x.server.base.match(x.request)
	if err != nil {
		return answer{}, err
	}
	x.vars = vars
	if x.caller == nil && !route.anonymous {
		return answer{}, authenticationRequired()
	}
	// Bitbucket ignores what it cannot read of a query.
	x.query, _ = url.ParseQuery(x.request.URL.RawQuery)
	x.avatar, _ = strconv.Atoi(x.query.Get("avatarSize"))

	if route.image != nil {
		return route.image(x)
	}
	if !acceptsJSON(x.request) {
		return answer{}, notAcceptable()
	}
	v, err := route.answer(x)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, contentType: jsonType, body: encode(v)}, nil
}

// acceptsJSON says whether the request can be answered with JSON at all.
func acceptsJSON(r *http.Request) bool {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	if strings.TrimSpace(accept) == "" {
		return true
	}
	for kind := range strings.SplitSeq(accept, ",") {
		kind, _, _ = strings.Cut(kind, ";")
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case "application/json", "application/*", "*/*", "*":
			return true
		}
	}
	return false
}

func (x *exchange) callerName() string {
	if x.caller == nil {
		return ""
	}
	return x.caller.name
}

// setHeaders sets what every answer of Bitbucket carries (bitbucket-rest.md 1).
func (x *exchange) setHeaders(h http.Header, a answer, requestID string) {
	h.Set("X-AREQUESTID", requestID)
	if x.caller != nil {
		h.Set("X-AUSERID", strconv.Itoa(x.caller.id))
		h.Set("X-AUSERNAME", url.QueryEscape(x.caller.name))
		h.Set("X-ASESSIONID", sessionID(x.caller.name))
	}
	if a.cacheControl != "" {
		h.Set("Cache-Control", a.cacheControl)
	} else {
		h["Cache-Control"] = []string{"private, no-cache", "no-cache, no-transform"}
		h.Set("Pragma", "no-cache")
	}
	h.Set("Vary", "accept-encoding,x-auserid,cookie,x-ausername,accept-encoding")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Date", x.now.UTC().Format(http.TimeFormat))
	if a.contentType != "" {
		h.Set("Content-Type", a.contentType)
	} else {
		h["Content-Type"] = nil // keeps net/http from guessing one
	}
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	if a.allow != "" {
		h.Set("Allow", a.allow)
	}
	if a.note != "" {
		h.Set(closestRouteHeader, a.note)
	}
}

// nodeID is what a node of Bitbucket puts before every request id while it
// runs: six or seven characters of base 36.
const nodeID = "0RCHARD"

// requestID is the id of a request: the node, the minute of the day, the number
// of requests since the start, and how many others are in flight.
func requestID(now time.Time, number, others int64) string {
	now = now.UTC()
	return fmt.Sprintf("@%sx%dx%dx%d", nodeID, now.Hour()*60+now.Minute(), number, others)
}

// sessionID is the same for every request of a user; a real one is as long as
// the session.
func sessionID(user string) string {
	h := fnv.New32a()
	h.Write([]byte(user))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// parseNumber reads a number as the server's framework does: decimal digits
// that fit 32 bits.
func parseNumber(s string) (int, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	return int(n), err
}
