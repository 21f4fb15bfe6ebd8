package fakebb

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"mime"
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

	caller   *person           // nil for nobody
	note     string            // what a client's author should know, beside the answer's own note
	kind     string            // the media type of the answer, chosen from what the route produces
	vars     map[string]string // what the route's path captured, decoded
	query    url.Values
	avatar   int                  // the avatarSize asked for, 0 for none
	linkless bool                 // whether what is drawn has no links
	streamed bool                 // whether the answer is streamed, which its errors show
	onFiles  map[fileKey][]placed // see placedOn
	markup   bool                 // whether texts are wanted as HTML, too
}

// answer is what goes out.
type answer struct {
	status       int
	contentType  string
	cacheControl string // "" for the usual one
	header       map[string]string
	body         []byte
	allow, note  string
}

// noContent is an answer without a body.
func noContent() answer { return answer{status: http.StatusNoContent} }

// answer runs the checks in Bitbucket's order: authentication, then the route,
// and in the handlers project, repository, permission and entity.
func (x *exchange) answer() answer {
	a := x.settle()
	a.note = cmp.Or(a.note, x.note)
	return a
}

// settle makes the answer, be it a failure.
func (x *exchange) settle() answer {
	a, err := x.handle()
	if err == nil {
		return a
	}
	var f *failure
	if !errors.As(err, &f) {
		panic(fmt.Sprintf("fakebb: %s %s: %v", x.request.Method, x.request.URL.Path, err))
	}
	a = f.draw(x.server.release, strings.Contains(x.request.Header.Get("Accept"), "json"))
	if x.streamed && a.contentType == jsonType {
		// Lower case, as seen of raw, browse with raw and diff (bitbucket-rest.md 1).
		a.contentType = "application/json;charset=utf-8"
	}
	return a
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
	x.query = x.readQuery()
	x.avatar, _ = strconv.Atoi(x.query.Get("avatarSize"))
	x.markup = x.query.Get("markup") == "true"

	produces := route.produces
	if produces == nil {
		produces = []string{mediaJSON}
	}
	if x.kind = negotiate(x.request, produces); x.kind == "" {
		return answer{}, notAcceptable()
	}
	v, err := route.answer(x)
	if err != nil {
		return answer{}, err
	}
	if a, ok := v.(answer); ok {
		a.status = cmp.Or(a.status, http.StatusOK)
		return a, nil
	}
	return answer{status: http.StatusOK, contentType: jsonType, body: encode(v)}, nil
}

// stream notes that the answer is a stream, once it is known that there is a
// repository to stream from: what is wrong before is said before.
func (x *exchange) stream() {
	_, err := x.repository()
	x.streamed = err == nil
}

// readQuery reads the query as a servlet container does: only & separates its
// parameters, a semicolon is part of one, and what is wrongly encoded is left
// out (belief), which the note says.
func (x *exchange) readQuery() url.Values {
	values := url.Values{}
	for pair := range strings.SplitSeq(x.request.URL.RawQuery, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err == nil {
			value, err = url.QueryUnescape(value)
		}
		if err != nil {
			x.note = fmt.Sprintf("a parameter is wrongly encoded and left out: %.100s", pair)
			continue
		}
		values.Add(name, value)
	}
	return values
}

// The media types routes produce. anyMedia is that of a route which takes every
// Accept, because its answer is whatever the file is.
const (
	mediaJSON = "application/json"
	mediaText = "text/plain"
	anyMedia  = "*/*"
)

// negotiate chooses from what a route produces what the request accepts most,
// "" when it accepts none of it. Of types that are equally welcome it is the
// one the request names first; a wildcard means the route's first.
func negotiate(r *http.Request, produces []string) string {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	if strings.TrimSpace(accept) == "" || produces[0] == anyMedia {
		return produces[0]
	}
	chosen, best := "", 0.0
	for part := range strings.SplitSeq(accept, ",") {
		// A part that cannot be read accepts nothing.
		kind, parameters, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		quality := 1.0
		if q, err := strconv.ParseFloat(parameters["q"], 64); err == nil {
			quality = q
		}
		for _, p := range produces {
			main, _, _ := strings.Cut(p, "/")
			if quality > best && (kind == p || p == anyMedia || kind == "*/*" || kind == "*" || kind == main+"/*") {
				chosen, best = p, quality
			}
		}
	}
	return chosen
}

func (x *exchange) callerName() string {
	if x.caller == nil {
		return ""
	}
	return x.caller.name
}

// noteHeader carries a hint for a client's author. No Bitbucket sends it.
const noteHeader = "X-Fakebb-Note"

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
	for name, value := range a.header {
		h.Set(name, value)
	}
	if a.allow != "" {
		h.Set("Allow", a.allow)
	}
	if a.note != "" {
		// The closest route is that of a path that is none, and nothing else.
		name := noteHeader
		if a.status == http.StatusNotFound && x.note == "" {
			name = closestRouteHeader
		}
		h.Set(name, a.note)
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
