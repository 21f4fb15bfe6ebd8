package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bb-mcp/bb/cassettes"
	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/golden"
	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
)

// counting is a Bitbucket that takes a second for every answer and keeps what
// was asked: the seconds a call takes are how many requests deep it is.
type counting struct {
	behind http.RoundTripper
	mu     sync.Mutex
	asked  []string
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	line := r.Method + " " + strings.TrimPrefix(r.URL.RequestURI(), "/rest/")
	c.mu.Lock()
	c.asked = append(c.asked, line)
	c.mu.Unlock()
	select {
	case <-time.After(time.Second):
		return c.behind.RoundTrip(r)
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// What every call of the stories asks of Bitbucket: how often, how deep, and
// what. A server has just started; what it keeps for a minute is asked for too.
func TestRequestsPerCallAreAsPromised(t *testing.T) {
	stories, err := cassettes.Stories(cassettes.Dir())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, story := range stories {
		for _, call := range story.Calls {
			asked, deep := requestsOf(t, story.As, call)
			name := story.Name
			if call.Name != call.Tool {
				name += ", " + call.Name
			}
			fmt.Fprintf(&b, "%s (%s): %d requests, %d deep\n", call.Tool, name, len(asked), deep)
			for _, line := range asked {
				fmt.Fprintf(&b, "  %s\n", line)
			}
		}
	}
	golden.Compare(t, "server", "requests.txt", []byte(b.String()))
}

func requestsOf(t *testing.T, user string, call cassettes.Call) (asked []string, deep int) {
	synctest.Test(t, func(t *testing.T) {
		fake := fakebb.New(fakebb.Options{})
		transport := &counting{behind: fake.Transport()}
		client, err := bitbucket.New(bitbucket.Options{URL: fakebb.DefaultBaseURL, Token: fakebb.Token(user), Transport: transport, Concurrency: 1000})
		if err != nil {
			t.Fatal(err)
		}
		s, err := server.New(server.Options{Bitbucket: client, Version: "test", Now: fake.Now, Demo: true, Views: server.ViewsAlways})
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := mcp.NewInMemoryTransports()
		if _, err := s.MCP().Connect(t.Context(), theirs, nil); err != nil {
			t.Fatal(err)
		}
		session, err := mcp.NewClient(&mcp.Implementation{Name: "count", Version: "1"}, nil).Connect(t.Context(), ours, nil)
		if err != nil {
			t.Fatal(err)
		}
		arguments, err := json.Marshal(call.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: call.Tool, Arguments: json.RawMessage(arguments)}); err != nil {
			t.Errorf("%s %s: %v", call.Tool, arguments, err)
		}
		deep = int(time.Since(start) / time.Second)
		session.Close()
		asked = transport.asked
	})
	slices.Sort(asked)
	return asked, deep
}
