package server_test

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
)

// instant answers what it was asked before at once, so that a benchmark
// measures our own time.
type instant struct {
	behind http.RoundTripper
	mu     sync.Mutex
	known  map[string]said
}

type said struct {
	status int
	header http.Header
	body   []byte
}

func (i *instant) RoundTrip(r *http.Request) (*http.Response, error) {
	var asked []byte
	if r.Body != nil {
		asked, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(asked))
	}
	key := r.Method + " " + r.URL.String() + " " + r.Header.Get("Accept") + " " + string(asked)
	i.mu.Lock()
	answer, ok := i.known[key]
	i.mu.Unlock()
	if !ok {
		res, err := i.behind.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(res.Body)
		if err != nil {
			return nil, err
		}
		answer = said{res.StatusCode, res.Header, body}
		i.mu.Lock()
		i.known[key] = answer
		i.mu.Unlock()
	}
	return &http.Response{StatusCode: answer.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, Header: answer.header.Clone(),
		ContentLength: int64(len(answer.body)), Body: io.NopCloser(bytes.NewReader(answer.body))}, nil
}

// Our own time and allocations per tool, on a Bitbucket that answers at once
// and through a whole MCP session: of an ordinary pull request and the large
// one.
func BenchmarkTool(b *testing.B) {
	fake := fakebb.New(fakebb.Options{})
	transport := &instant{behind: fake.Transport(), known: map[string]said{}}
	s, err := server.New(server.Options{Bitbucket: newClient(b, transport), Version: "test", Now: fake.Now, Demo: true, Views: server.ViewsAlways})
	if err != nil {
		b.Fatal(err)
	}
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := s.MCP().Connect(b.Context(), theirs, nil); err != nil {
		b.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(b.Context(), ours, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	for _, call := range append(exampleCalls(b), largeCalls(b)...) {
		b.Run(call.name(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if res, err := session.CallTool(b.Context(), call.params()); err != nil || res.IsError {
					b.Fatal(err, res)
				}
			}
		})
	}
}
