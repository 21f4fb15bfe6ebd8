package fakebb

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
)

// Transport returns a transport that answers from the server in process,
// whatever host a request names.
func (s *Server) Transport() http.RoundTripper { return transport{s} }

type transport struct{ server *Server }

// RoundTrip answers r. A request whose context has ended gets no answer, as on
// a network.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	received := r.Clone(r.Context())
	if received.Body == nil {
		received.Body = http.NoBody
	}
	if received.Method == "" {
		received.Method = http.MethodGet
	}
	if received.Host == "" {
		received.Host = r.URL.Host
	}
	received.RequestURI = r.URL.RequestURI()
	received.RemoteAddr = "127.0.0.1:0"

	w := &recorder{header: http.Header{}}
	t.server.ServeHTTP(w, received)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)),
		StatusCode:    w.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        w.sent,
		Body:          io.NopCloser(&w.body),
		ContentLength: int64(w.body.Len()),
		Request:       r,
	}, nil
}

// recorder keeps what a handler answers.
type recorder struct {
	header, sent http.Header
	status       int
	body         bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status, w.sent = status, w.header.Clone()
	// A header without values is one that net/http is told not to send.
	maps.DeleteFunc(w.sent, func(_ string, values []string) bool { return len(values) == 0 })
}

func (w *recorder) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}
