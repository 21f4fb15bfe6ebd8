package server_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// R10, T10, SCHEMA-01. What a server may send differs by revision (go-sdk.md 1.2): every
// tool's answer is held to the rules of each.
func TestEveryAnswerFollowsTheRulesOfItsRevision(t *testing.T) {
	links := 0
	for _, revision := range mcp.SupportedProtocolVersions() {
		w := newWorld(t, "amara")
		var p *peer
		if revision > "2025-11-25" {
			p = w.connect(t, "modern", uiCapability)
		} else {
			p = w.connectAs(t, revision, uiCapability)
		}
		for _, c := range exampleCalls(t) {
			raw := p.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, c.tool, c.arguments))
			if raw.Error != nil {
				t.Fatalf("%s: %s: error %d %s", revision, c, raw.Error.Code, raw.Error.Message)
			}
			where := revision + ": " + c.String()
			links += checkResult(t, where, revision, p, c.tool, raw.Result)
		}
	}
	if links == 0 {
		t.Error("no answer links a resource: the test tries nothing")
	}
}

// checkResult holds a tool result to the rules and counts its links.
func checkResult(t *testing.T, where, revision string, p *peer, tool string, raw json.RawMessage) (links int) {
	t.Helper()
	members := decode[map[string]json.RawMessage](t, raw)
	r := decode[struct {
		Content           []map[string]any
		StructuredContent json.RawMessage
		IsError           bool
		ResultType        *string
	}](t, raw)
	if r.IsError {
		t.Errorf("%s answers an error: %s", where, raw)
	}
	if members["content"] == nil || len(r.Content) == 0 {
		t.Errorf("%s has no content", where)
	}
	for _, c := range r.Content {
		text, _ := c["text"].(string)
		switch c["type"] {
		case "text":
			if text == "" {
				t.Errorf("%s has an empty text, which no revision allows", where)
			}
		case "image":
			if c["data"] == "" || c["mimeType"] == nil {
				t.Errorf("%s has an image without data or type", where)
			}
		case "resource_link":
			links++
			if revision < "2025-06-18" {
				t.Errorf("%s links a resource, which the revision does not have", where)
			}
			if tool == "show" {
				t.Errorf("%s links a resource", where)
			}
			if c["name"] == nil || c["name"] == "" || c["uri"] == nil {
				t.Errorf("%s links a resource without a name or URI: %v", where, c)
			}
		default:
			t.Errorf("%s has content of type %v", where, c["type"])
		}
	}
	if links > 1 {
		t.Errorf("%s has %d links, want one at most", where, links)
	}
	if modern := revision > "2025-11-25"; (r.ResultType != nil) != modern {
		t.Errorf("%s: resultType is there: %v", where, r.ResultType != nil)
	}
	if tool == "show" {
		return links
	}
	if len(r.StructuredContent) == 0 || r.StructuredContent[0] != '{' {
		t.Errorf("%s: structuredContent is no object: %.80s", where, r.StructuredContent)
		return links
	}
	fits(t, p, tool, r.StructuredContent)
	return links
}
