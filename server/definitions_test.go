package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/cassettes"
	"github.com/bb-mcp/bb/golden"
	"github.com/bb-mcp/bb/server"
)

// What tools/list may cost, in bytes of compact UTF-8 (architecture.md 5). A
// model reads names, titles, descriptions, input schemas and the server's
// instructions on every connection.
const (
	maxModelBytes = 30_000
	maxListBytes  = 60_000
)

// H3. The definition of every tool is a file, and what all of them cost is one.
func TestDefinitionsAndTheirSizesAreAsPromised(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", uiCapability)
	list := p.call("tools/list", `{}`).Result
	var b strings.Builder
	row := func(name string, model, whole int) { fmt.Fprintf(&b, "%-28s %6d %6d\n", name, model, whole) }
	fmt.Fprintf(&b, "%-28s %6s %6s\n", "bytes of tools/list", "model", "whole")
	instructions := decode[struct{ Instructions string }](t, p.call("server/discover", `{}`).Result).Instructions
	model := len(instructions)
	row("(instructions)", len(instructions), 0)
	for _, raw := range decode[struct{ Tools []json.RawMessage }](t, list).Tools {
		d := decode[struct {
			Name        string          `json:"name"`
			Title       string          `json:"title"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
		}](t, raw)
		golden.Compare(t, "server", "tools/"+d.Name+".json", indent(t, raw))
		read := compact(t, d)
		model += read
		row(d.Name, read, compact(t, raw))
	}
	whole := compact(t, list)
	row("(all)", model, whole)
	golden.Compare(t, "server", "tools/sizes.txt", []byte(b.String()))
	if model > maxModelBytes || whole > maxListBytes {
		t.Errorf("a model reads %d bytes and tools/list has %d, want at most %d and %d", model, whole, maxModelBytes, maxListBytes)
	}
}

// compact is how many bytes v takes as compact JSON in UTF-8.
func compact(t *testing.T, v any) int {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Len() - 1
}

// interesting are the pull requests of ORCH/catalogue that every tool about one
// is told of: ordinary, draft, large, hostile, conflicting, awkward files, from
// a fork, auto-merge.
var interesting = []int{1, 4, 5, 6, 8, 9, 11, 12}

// The guard of the catalogue: a tool without a fixture, or with too few, fails.
func TestEveryToolIsToldInTheStories(t *testing.T) {
	stories, err := cassettes.Stories(cassettes.Dir())
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string][]cassettes.Call{}
	for _, story := range stories {
		for _, call := range story.Calls {
			calls[call.Tool] = append(calls[call.Tool], call)
		}
	}
	for _, d := range tools(t, newWorld(t, "amara").connect(t, "modern", uiCapability)) {
		if len(calls[d.Name]) == 0 {
			t.Errorf("%s is in no story of cassettes/stories.yaml", d.Name)
		}
		if _, aboutOne := d.InputSchema.Properties["id"]; !aboutOne || d.Name == "show" {
			continue
		}
		for _, id := range interesting {
			if !slices.ContainsFunc(calls[d.Name], func(c cassettes.Call) bool {
				return c.Arguments["id"] == id && c.Arguments["project"] == "ORCH" && c.Arguments["repo"] == "catalogue"
			}) {
				t.Errorf("%s is in no story of pull request ORCH/catalogue #%d", d.Name, id)
			}
		}
	}
}

// The guard of the catalogue: what every tool says of itself.
func TestEveryToolSaysAllFourHints(t *testing.T) {
	access := map[string]bool{}
	for _, tool := range server.Catalogue() {
		access[tool.Name] = tool.Writes
	}
	for _, d := range tools(t, newWorld(t, "amara").connect(t, "modern", uiCapability)) {
		for hint, want := range map[string]bool{
			"readOnlyHint": !access[d.Name], "destructiveHint": access[d.Name], "idempotentHint": !access[d.Name], "openWorldHint": false,
		} {
			if got, said := d.Annotations[hint].(bool); !said || got != want {
				t.Errorf("%s: %s is %v, want %v", d.Name, hint, d.Annotations[hint], want)
			}
		}
		if d.Title == "" || d.Description == "" || len(d.Description) > 900 {
			t.Errorf("%s: title %q, description of %d bytes", d.Name, d.Title, len(d.Description))
		}
	}
}
