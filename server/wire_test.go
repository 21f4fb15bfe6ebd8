package server_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
)

// uiCapability is what a client declares that draws views.
const uiCapability = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`

// world is a server on a fake of its own.
type world struct {
	fake   *fakebb.Server
	server *server.Server
}

// newWorld makes one that acts for user; adjust may change the options.
func newWorld(t testing.TB, user string, adjust ...func(*server.Options)) *world {
	t.Helper()
	fake := fakebb.New(fakebb.Options{})
	client, err := bitbucket.New(bitbucket.Options{URL: fakebb.DefaultBaseURL, Token: fakebb.Token(user), Transport: fake.Transport()})
	if err != nil {
		t.Fatal(err)
	}
	o := server.Options{Bitbucket: client, Version: "test", Now: fake.Now, Demo: true}
	for _, f := range adjust {
		f(&o)
	}
	s, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &world{fake, s}
}

// newClient is a client of a Bitbucket that transport answers for.
func newClient(t testing.TB, transport http.RoundTripper) *bitbucket.Client {
	t.Helper()
	client, err := bitbucket.New(bitbucket.Options{URL: fakebb.DefaultBaseURL, Token: fakebb.Token("amara"), Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// peer is a raw JSON-RPC client, for what no Go client would send and for the
// bytes of the answers.
type peer struct {
	t     testing.TB
	in    io.Writer
	lines chan string
	meta  string // the _meta of the modern era, or "" in a handshake session
	id    int
}

// eras are the two ways of a connection's life.
var eras = []string{"handshake", "modern"}

// connect opens a session in an era with a client's capabilities.
func (w *world) connect(t testing.TB, era, capabilities string) *peer {
	t.Helper()
	if era == "modern" {
		p := w.open(t)
		p.meta = fmt.Sprintf(`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":%s}`, capabilities)
		return p
	}
	return w.connectAs(t, "2025-11-25", capabilities)
}

// connectAs opens a handshake session of a revision.
func (w *world) connectAs(t testing.TB, revision, capabilities string) *peer {
	t.Helper()
	p := w.open(t)
	p.initialize(revision, capabilities)
	return p
}

// open opens a connection on which nothing was said yet.
func (w *world) open(t testing.TB) *peer {
	t.Helper()
	sr, cw := io.Pipe()
	cr, sw := io.Pipe()
	session, err := w.server.MCP().Connect(t.Context(), &mcp.IOTransport{Reader: sr, Writer: sw}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{t: t, in: cw, lines: make(chan string, 64)}
	go func() {
		defer close(p.lines)
		scanner := bufio.NewScanner(cr)
		scanner.Buffer(nil, 64<<20)
		for scanner.Scan() {
			p.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() { cw.Close(); session.Close() })
	return p
}

func (p *peer) initialize(version, capabilities string) answer {
	a := p.call("initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"raw","version":"1"}}`, version, capabilities))
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return a
}

func (p *peer) send(line string) {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatalf("sending %s: %v", line, err)
	}
}

// answer is a JSON-RPC answer; exactly one of its fields is set.
type answer struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

// tool is a tools/call result.
type toolResult struct {
	Content           []struct{ Type, Text, URI, Name, MIMEType, Data string }
	StructuredContent json.RawMessage
	IsError           bool
	Meta              map[string]json.RawMessage `json:"_meta"`
	ResultType        string
}

func (r toolResult) text() string {
	if len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].Text
}

// said is all content as a person reads it in a golden file.
func (r toolResult) said() string {
	var b strings.Builder
	if r.IsError {
		b.WriteString("(error)\n")
	}
	for _, c := range r.Content {
		switch c.Type {
		case "text":
			b.WriteString(c.Text + "\n")
		case "resource_link":
			fmt.Fprintf(&b, "(link to %s, %s, %s)\n", c.URI, c.Name, c.MIMEType)
		default:
			fmt.Fprintf(&b, "(%s, %s, %d bytes as base64, SHA-256 %.16x)\n", c.Type, c.MIMEType, len(c.Data), sha256.Sum256([]byte(c.Data)))
		}
	}
	return b.String()
}

// call sends a request and waits for its answer. An answer that does not come
// fails the test: the server died or forgot the request.
func (p *peer) call(method, params string) answer {
	p.t.Helper()
	p.id++
	if p.meta != "" && method != "initialize" {
		params = strings.TrimSuffix(strings.TrimSpace(params), "}")
		if params != "{" {
			params += ","
		}
		params += `"_meta":` + p.meta + "}"
	}
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, p.id, method, params))
	timeout := time.After(20 * time.Second)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("%s %s: the session was closed", method, params)
			}
			var m struct {
				ID     json.RawMessage
				Method string
				answer
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				p.t.Fatalf("%s: the answer is no JSON: %v\n%s", method, err, line)
			}
			if m.Method == "" && string(m.ID) == fmt.Sprint(p.id) {
				return m.answer
			}
		case <-timeout:
			p.t.Fatalf("%s %s: no answer in 20 s", method, params)
		}
	}
}

// tool calls a tool and expects a result.
func (p *peer) tool(name, arguments string) toolResult {
	p.t.Helper()
	a := p.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments))
	if a.Error != nil {
		p.t.Fatalf("tools/call %s %s: error %d %s", name, arguments, a.Error.Code, a.Error.Message)
	}
	var r toolResult
	if err := json.Unmarshal(a.Result, &r); err != nil {
		p.t.Fatal(err)
	}
	return r
}

// decode reads a result into a T.
func decode[T any](t testing.TB, raw json.RawMessage) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	return v
}
