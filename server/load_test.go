package server_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

// troubled is a Bitbucket that takes 50 ms for an answer and fails one request
// in twenty: it asks to wait, breaks, or drops the connection.
type troubled struct {
	behind http.RoundTripper

	mu     sync.Mutex
	dice   *rand.Rand // nil: no trouble
	failed map[string]int
}

func (tr *troubled) roll() (trouble string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if tr.dice == nil || tr.dice.IntN(20) > 0 {
		return ""
	}
	trouble = []string{"429", "500", "reset"}[tr.dice.IntN(3)]
	tr.failed[trouble]++
	return trouble
}

func (tr *troubled) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-time.After(50 * time.Millisecond):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	answered := func(status int, header http.Header, message string) *http.Response {
		header.Set("Content-Type", "application/json;charset=UTF-8")
		return &http.Response{StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, Header: header,
			Body: io.NopCloser(strings.NewReader(fmt.Sprintf(`{"errors":[{"message":%q}]}`, message)))}
	}
	switch tr.roll() {
	case "429":
		return answered(http.StatusTooManyRequests, http.Header{"Retry-After": {"1"}}, "You have exceeded your rate limit."), nil
	case "500":
		return answered(http.StatusInternalServerError, http.Header{}, "An injected failure."), nil
	case "reset":
		return nil, syscall.ECONNRESET
	}
	return tr.behind.RoundTrip(r)
}

// T6, T10: 200 calls at once on a slow and failing Bitbucket. Each is answered
// as on a good one, or says what failed; afterwards, the
// session still open, nothing more runs than before and memory stays where it
// was.
func TestTwoHundredCallsAtOnceOnATroubledBitbucket(t *testing.T) {
	calls := exampleCalls(t)
	synctest.Test(t, func(t *testing.T) {
		fake := fakebb.New(fakebb.Options{})
		transport := &troubled{behind: fake.Transport(), failed: map[string]int{}}
		client, err := bitbucket.New(bitbucket.Options{URL: fakebb.DefaultBaseURL, Token: fakebb.Token("amara"), Transport: transport})
		if err != nil {
			t.Fatal(err)
		}
		s, err := server.New(server.Options{Bitbucket: client, Version: "test", Now: fake.Now, Demo: true})
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := mcp.NewInMemoryTransports()
		if _, err := s.MCP().Connect(t.Context(), theirs, nil); err != nil {
			t.Fatal(err)
		}
		session, err := mcp.NewClient(&mcp.Implementation{Name: "load", Version: "1"}, nil).Connect(t.Context(), ours, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		want := make([]*mcp.CallToolResult, len(calls))
		for i, c := range calls {
			if want[i], err = session.CallTool(t.Context(), c.params()); err != nil {
				t.Fatalf("%s: %v", c, err)
			}
		}
		synctest.Wait()
		running := runtime.NumGoroutine()

		var heap []uint64
		for round := range 4 {
			transport.mu.Lock()
			transport.dice = rand.New(rand.NewPCG(uint64(round), 7))
			clear(transport.failed)
			transport.mu.Unlock()
			callAtOnce(t, session, calls, want)
			for _, kind := range []string{"429", "500", "reset"} {
				if transport.failed[kind] == 0 {
					t.Errorf("no request failed with %s: the test tries nothing", kind)
				}
			}
			synctest.Wait()
			if n := runtime.NumGoroutine(); n > running {
				t.Errorf("after round %d, with the session open, %d goroutines run; before there were %d", round, n, running)
			}
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			heap = append(heap, m.HeapAlloc)
		}
		t.Logf("heap after each round: %v", heap)
		if first, last := heap[0], heap[len(heap)-1]; last > first+first/10+1<<20 {
			t.Errorf("after each round %v bytes are in use: it grows", heap)
		}
	})
}

// callAtOnce makes 200 calls side by side and holds each answer to want, the
// one of a good Bitbucket.
func callAtOnce(t *testing.T, session *mcp.ClientSession, calls []exampleCall, want []*mcp.CallToolResult) {
	got := make([]*mcp.CallToolResult, 200)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			res, err := session.CallTool(t.Context(), calls[i%len(calls)].params())
			if err != nil {
				t.Errorf("%s: %v", calls[i%len(calls)], err)
			}
			got[i] = res
		})
	}
	wg.Wait()
	whole := 0
	for i, res := range got {
		if res == nil {
			continue
		}
		if err := sameOrFailed(want[i%len(calls)], res); err != nil {
			t.Errorf("%s: %v", calls[i%len(calls)], err)
		} else if !res.IsError {
			whole++
		}
	}
	if whole < len(got)/2 {
		t.Errorf("only %d of %d calls were answered", whole, len(got))
	}
}

// injected is how an answer may say what failed.
var injected = []string{"rate limit", "An injected failure", "connection reset", "could not be reached"}

// sameOrFailed says in what way got is neither the answer want nor one that
// says what failed.
func sameOrFailed(want, got *mcp.CallToolResult) error {
	said := func(text string) bool {
		for _, one := range injected {
			if strings.Contains(text, one) {
				return true
			}
		}
		return false
	}
	text := ""
	if len(got.Content) > 0 {
		text = got.Content[0].(*mcp.TextContent).Text
	}
	if got.IsError {
		if want.IsError || said(text) {
			return nil
		}
		return fmt.Errorf("an error that names none of the failures: %s", text)
	}
	a, _ := json.Marshal(want.StructuredContent)
	b, _ := json.Marshal(got.StructuredContent)
	if string(a) == string(b) || said(text) {
		return nil
	}
	return errors.New("answers otherwise than on a good Bitbucket, and does not say why:\n" + string(a) + "\n" + string(b))
}

// exampleCall is a call that is answered.
type exampleCall struct{ tool, arguments string }

func (c exampleCall) String() string { return c.tool + " " + c.arguments }

// name tells the calls of a tool apart.
func (c exampleCall) name() string {
	var given struct {
		Kind string
		ID   int
	}
	if err := json.Unmarshal([]byte(c.arguments), &given); err != nil {
		return c.String()
	}
	name := c.tool
	if given.Kind != "" {
		name += "/" + given.Kind
	}
	if given.ID != 0 {
		name += fmt.Sprintf("/#%d", given.ID)
	}
	return name
}

func (c exampleCall) params() *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: c.tool, Arguments: json.RawMessage(c.arguments)}
}

// exampleCalls is a call of every tool on an ordinary pull request.
func exampleCalls(t testing.TB) []exampleCall {
	t.Helper()
	var calls []exampleCall
	for _, c := range callsWithoutPlace(t) {
		arguments := c.arguments
		if c.needsPlace {
			arguments = strings.TrimPrefix(arguments+`,"project":"ORCH","repo":"catalogue"`, ",")
		}
		calls = append(calls, exampleCall{c.tool, "{" + arguments + "}"})
	}
	return calls
}

// T11. Neither form of an answer hides a character, whatever strangers wrote.
func TestNoAnswerHidesACharacter(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", `{}`)
	for _, c := range exampleCalls(t) {
		if c.tool == "show" {
			continue // its data is for the view, which marks them
		}
		raw := string(p.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, c.tool, strings.Replace(c.arguments, `"id":1`, `"id":6`, 1))).Result)
		if quote.Visible(raw) != raw {
			t.Errorf("%s: %s", c.tool, quote.Visible(raw))
		}
	}
}

// largeCalls are those of exampleCalls that are about a pull request, on the
// large one.
func largeCalls(t testing.TB) []exampleCall {
	t.Helper()
	var calls []exampleCall
	for _, c := range exampleCalls(t) {
		if strings.Contains(c.arguments, `"id":1`) {
			c.arguments = strings.Replace(c.arguments, `"id":1`, `"id":5`, 1)
			calls = append(calls, c)
		}
	}
	return calls
}
