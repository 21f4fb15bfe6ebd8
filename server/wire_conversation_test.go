package server_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/tools/txtar"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/golden"
	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
)

const conversations = "../golden/server/wire"

// T7, T10. A conversation is a file: prose, what Bitbucket does (without it,
// the fake answers), and per era the client's frames as they go out and the
// server's as they come back. A new one needs the prose and the client's
// frames; GOLDIE_UPDATE writes the server's.
//
// Time is not real: every wait takes as long as it should and no longer.
func TestEveryConversationOnTheWireIsAsPromised(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(conversations, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations in %s: %v", conversations, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(strings.TrimSuffix(name, ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			told := txtar.Parse(text)
			next := &txtar.Archive{Comment: told.Comment}
			if len(bytes.TrimSpace(told.Comment)) == 0 {
				t.Errorf("%s has no prose on top", name)
			}
			for _, f := range told.Files {
				era, isClient := strings.CutSuffix(f.Name, " client")
				switch {
				case isClient:
					heard := converse(t, era, section(told, "bitbucket"), section(told, "options"), string(f.Data))
					next.Files = append(next.Files, f, txtar.File{Name: era + " server", Data: []byte(heard)})
				case !strings.HasSuffix(f.Name, " server"):
					next.Files = append(next.Files, f)
				}
			}
			golden.Compare(t, "server", "wire/"+name, txtar.Format(next))
		})
	}
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// converse sends the client's lines and gives the server's. A line "# wait D"
// lets that much time pass. In the handshake era the session is initialized as
// the lines say; in the modern one every request carries its own _meta.
func converse(t *testing.T, era, behind, options, lines string) (heard string) {
	synctest.Test(t, func(t *testing.T) {
		transport := &script{behind: behind, fake: fakebb.New(fakebb.Options{}).Transport()}
		o := server.Options{Version: "test", Demo: true, Tools: []string{"list_pull_requests", "get_pull_request"}}
		user := "amara"
		for line := range strings.Lines(options) {
			switch name, value, _ := strings.Cut(strings.TrimSpace(line), ": "); name {
			case "user":
				user = value
			case "project":
				o.Projects = append(o.Projects, value)
			case "tools":
				o.Tools = append(o.Tools, value)
			default:
				t.Errorf("%q is no option", line)
			}
		}
		client, err := bitbucket.New(bitbucket.Options{URL: fakebb.DefaultBaseURL, Token: fakebb.Token(user), Transport: transport})
		if err != nil {
			t.Fatal(err)
		}
		o.Bitbucket = client
		s, err := server.New(o)
		if err != nil {
			t.Fatal(err)
		}
		sr, cw := io.Pipe()
		cr, sw := io.Pipe()
		session, err := s.MCP().Connect(t.Context(), &mcp.IOTransport{Reader: sr, Writer: sw}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var b strings.Builder
		var reading sync.WaitGroup
		reading.Go(func() {
			scanner := bufio.NewScanner(cr)
			scanner.Buffer(nil, 64<<20)
			for scanner.Scan() {
				mu.Lock()
				b.WriteString(readable(t, scanner.Bytes()))
				mu.Unlock()
			}
		})
		for line := range strings.Lines(lines) {
			line = strings.TrimSpace(line)
			if wait, ok := strings.CutPrefix(line, "# wait "); ok {
				d, err := time.ParseDuration(wait)
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(d)
			} else if line != "" {
				fmt.Fprintln(cw, line)
			}
			synctest.Wait()
		}
		if n := transport.open(); n > 0 {
			t.Errorf("%s: %d requests to Bitbucket are still open at the end of the conversation", era, n)
		}
		cw.Close()
		_ = session.Wait()
		sw.Close()
		reading.Wait()
		heard = b.String()
	})
	return heard
}

// requestID is how Bitbucket numbers requests; requests made side by side get
// their numbers in any order.
var requestID = regexp.MustCompile(`@[0-9A-Z]+x[0-9]+x[0-9]+x[0-9]+`)

// readable is a frame as it went out, except that <, > and & are themselves
// and requests have no numbers.
func readable(t *testing.T, frame []byte) string {
	t.Helper()
	if !json.Valid(frame) {
		t.Errorf("a frame is no JSON: %s", frame)
	}
	out := string(frame)
	for escape, plain := range map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&"} {
		out = strings.ReplaceAll(out, escape, plain)
	}
	return requestID.ReplaceAllString(out, "@REQUEST") + "\n"
}

// script is a Bitbucket that does what a conversation says: the answer of an
// HTTP server word for word, or one of a few ways not to answer.
type script struct {
	behind string
	fake   http.RoundTripper

	mu      sync.Mutex
	running int
}

func (s *script) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.running++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.running--
		s.mu.Unlock()
	}()
	switch behind := strings.TrimSpace(s.behind); {
	case behind == "":
		return s.fake.RoundTrip(r)
	case strings.HasPrefix(behind, "answers after "):
		d, err := time.ParseDuration(strings.TrimPrefix(behind, "answers after "))
		if err != nil {
			return nil, err
		}
		select {
		case <-time.After(d):
			return s.fake.RoundTrip(r)
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	case behind == "never answers":
		<-r.Context().Done()
		return nil, r.Context().Err()
	case behind == "refuses the connection":
		return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 443}, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case behind == "is not known by name":
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: r.URL.Hostname(), IsNotFound: true}}
	case behind == "has a certificate of an unknown authority":
		return nil, x509.UnknownAuthorityError{Cert: certificate}
	case behind == "has a certificate for another host":
		return nil, x509.HostnameError{Certificate: certificate, Host: r.URL.Hostname()}
	case behind == "has a certificate that is out of date":
		return nil, x509.CertificateInvalidError{Cert: certificate, Reason: x509.Expired}
	case behind == "wants a client certificate":
		return nil, &net.OpError{Op: "remote error", Err: errors.New("tls: certificate required")}
	case behind == "speaks plain http":
		return nil, tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake", RecordHeader: [5]byte{'H', 'T', 'T', 'P', '/'}}
	case behind == "is behind a proxy that cannot be reached":
		return nil, &net.OpError{Op: "proxyconnect", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case behind == "answers without end":
		return &http.Response{StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
			ContentLength: -1, Body: io.NopCloser(endless{})}, nil
	case behind == "is of 8.9":
		if strings.HasSuffix(r.URL.Path, "/application-properties") {
			return http.ReadResponse(bufio.NewReader(strings.NewReader("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"version\":\"8.9.4\"}")), r)
		}
		return s.fake.RoundTrip(r)
	case behind == "breaks off":
		return &http.Response{StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
			ContentLength: -1, Body: io.NopCloser(io.MultiReader(strings.NewReader(`{"values":[`), brokenReader{}))}, nil
	}
	raw := strings.ReplaceAll(s.behind, "\n", "\r\n")
	return http.ReadResponse(bufio.NewReader(strings.NewReader(raw)), r)
}

// certificate is what a server shows that is not believed.
var certificate = &x509.Certificate{
	Subject: pkix.Name{CommonName: "git.example.com"}, Issuer: pkix.Name{CommonName: "Orchard Internal CA", Organization: []string{"Orchard"}},
	DNSNames: []string{"git.example.com"}, NotBefore: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, strings.Repeat(" ", len(p))), nil }

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
