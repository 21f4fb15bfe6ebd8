package server

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// guarded is a server with one more tool, whose handler is given.
func guarded(t *testing.T, handler mcp.ToolHandler) *mcp.ClientSession {
	t.Helper()
	client, err := bitbucket.New(bitbucket.Options{URL: "https://bitbucket.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Bitbucket: client, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if handler != nil {
		s.mcp.AddTool(&mcp.Tool{Name: "probe", InputSchema: json.RawMessage(`{"type":"object"}`)}, handler)
	}
	return session(t, s, "")
}

// session connects a client of a revision; "" is the newest.
func session(t *testing.T, s *Server, version string) *mcp.ClientSession {
	t.Helper()
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := s.mcp.Connect(t.Context(), theirs, nil); err != nil {
		t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), ours, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// The two process killers: without the guard this test takes the whole test
// binary down.
func TestAHandlersPanicOrNilResultIsAnErrorAndNothingMore(t *testing.T) {
	for name, handler := range map[string]mcp.ToolHandler{
		"panic":      func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("probe") },
		"nil result": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil },
	} {
		c := guarded(t, handler)
		_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "probe"})
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInternalError {
			t.Errorf("%s: %v, want error %d", name, err, jsonrpc.CodeInternalError)
		}
		if _, err := c.ListTools(t.Context(), nil); err != nil {
			t.Errorf("%s: the session does not go on: %v", name, err)
		}
	}
}

// The session killer: an unknown URI with a control character.
func TestAnUnknownResourceWithAControlCharacterIsAnErrorAndNothingMore(t *testing.T) {
	for _, uri := range []string{"x://a\x01", "x://\x7f", "x://\a", "x://\U000E0001", "ui://bb/nothing"} {
		c := guarded(t, nil)
		_, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams {
			t.Fatalf("%q: %v, want error %d", uri, err, jsonrpc.CodeInvalidParams)
		}
		var data struct{ URI string }
		if err := json.Unmarshal(rpc.Data, &data); err != nil || data.URI != uri {
			t.Errorf("%q: error data %s", uri, rpc.Data)
		}
		if _, err := c.ListTools(t.Context(), nil); err != nil {
			t.Errorf("%q: the session does not go on: %v", uri, err)
		}
	}
}

// What a client asks for in initialize is not what was negotiated.
func TestTheNegotiatedRevisionIsTheOneAnsweredBy(t *testing.T) {
	for asked, want := range map[string]string{
		"2026-07-28": "2025-11-25", "2099-01-01": "2025-11-25", "1.0": "2025-11-25", "": "2025-11-25",
		"2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2024-11-05": "2024-11-05",
	} {
		p := &mcp.InitializeParams{ProtocolVersion: asked}
		next := func(context.Context, string, mcp.Request) (mcp.Result, error) { return &mcp.InitializeResult{}, nil }
		if _, err := negotiatedVersion(next)(t.Context(), "initialize", &mcp.ServerRequest[*mcp.InitializeParams]{Params: p}); err != nil {
			t.Fatal(err)
		}
		if p.ProtocolVersion != want {
			t.Errorf("asked %q: kept %q, want %q", asked, p.ProtocolVersion, want)
		}
	}
}

// A notification has no result; the guard must let it be.
func TestANotificationWithoutResultIsNoError(t *testing.T) {
	next := func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, nil }
	if _, err := recovered(slog.New(slog.DiscardHandler))(next)(t.Context(), "notifications/initialized", nil); err != nil {
		t.Errorf("notifications/initialized: %v", err)
	}
}

// SCHEMA-06: what models send for what they mean.
func TestArgumentsAreReadAsTheyWereMeant(t *testing.T) {
	schema := schemaFor[struct {
		ID    int      `json:"id"`
		Draft bool     `json:"draft,omitempty"`
		Names []string `json:"names,omitempty"`
		Repo  string   `json:"repo,omitempty"`
		State string   `json:"state,omitempty"`
	}]()
	among(schema, "state", "OPEN", "OPEN", "MERGED")
	a := argumentsOf(schema)
	for _, test := range []struct{ given, want string }{
		{`{"id":"42"}`, `{"id":42}`},
		{`{"id":" #42 "}`, `{"id":42}`},
		{`{"id":42,"repo":null}`, `{"id":42}`},
		{`{"draft":"TRUE"}`, `{"draft":true}`},
		{`{"names":"[\"a\"]"}`, `{"names":["a"]}`},
		{`{"repo":123}`, `{"repo":"123"}`},
		{`{"repo":"42"}`, `{"repo":"42"}`},
		{`{"state":"merged"}`, `{"state":"MERGED"}`},
		{`{"state":"closed"}`, `{"state":"closed"}`},
		{`{"id":"many"}`, `{"id":"many"}`},
		{`{"other":"1"}`, `{"other":"1"}`},
		{`{"repo":"null"}`, `{"repo":"null"}`},
		{`[1]`, `[1]`},
		{`null`, `null`},
	} {
		var got, want any
		if err := json.Unmarshal(a.clean(json.RawMessage(test.given)), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(test.want), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("clean(%s) (-want +got):\n%s", test.given, diff)
		}
	}
}

// SCHEMA-04, go-sdk.md section 8: what some clients cannot read in a schema.
func TestEverySchemaIsPlain(t *testing.T) {
	client, err := bitbucket.New(bitbucket.Options{URL: "https://bitbucket.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Bitbucket: client, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	list, err := session(t, s, "").ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		lint(t, tool.Name+" input", tool.InputSchema, true)
		if tool.Name != showName {
			lint(t, tool.Name+" output", tool.OutputSchema, false)
		}
		a := tool.Annotations
		if a == nil || a.DestructiveHint == nil || a.OpenWorldHint == nil {
			t.Errorf("%s does not say all four hints", tool.Name)
		}
	}
}

// lint walks a schema as a client receives it.
func lint(t *testing.T, where string, schema any, described bool) {
	t.Helper()
	m, ok := schema.(map[string]any)
	if !ok {
		t.Errorf("%s: schema is %v, want an object", where, schema)
		return
	}
	if _, ok := m["type"].(string); !ok {
		t.Errorf("%s: type is %v, want one word", where, m["type"])
	}
	for _, k := range []string{"$ref", "oneOf", "anyOf", "allOf"} {
		if m[k] != nil {
			t.Errorf("%s: has %s", where, k)
		}
	}
	if m["type"] == "array" {
		lint(t, where+"[]", m["items"], false)
	}
	if of := m["additionalProperties"]; of != nil && of != false {
		lint(t, where+".*", of, false)
	}
	properties, _ := m["properties"].(map[string]any)
	for name, p := range properties {
		lint(t, where+"."+name, p, false)
		if described && p.(map[string]any)["description"] == nil {
			t.Errorf("%s.%s has no description", where, name)
		}
	}
}
