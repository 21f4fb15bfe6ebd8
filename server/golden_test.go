package server_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/bb-mcp/bb/cassettes"
	"github.com/bb-mcp/bb/golden"
	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/view"
)

// H2, H3. Every story is told again from its recording, without a Bitbucket,
// and asks for exactly what was recorded.
func TestEveryStoryAnswersAsPromised(t *testing.T) {
	stories, err := cassettes.Stories(cassettes.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for _, story := range stories {
		t.Run(story.Name, func(t *testing.T) {
			player, err := cassettes.Open(filepath.Join(cassettes.Dir(), story.Name))
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range story.Calls {
				tell(t, player, story.Name, call)
			}
			if unused := player.Unused(); len(unused) > 0 {
				t.Errorf("recorded and not asked for: %q", unused)
			}
		})
	}
}

// tell makes a call of a story against its recording and holds what is
// answered to the golden files.
func tell(t *testing.T, player *cassettes.Player, story string, call cassettes.Call) {
	t.Helper()
	client, err := bitbucket.New(bitbucket.Options{URL: cassettes.BaseURL, Transport: player})
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := time.Parse(time.DateOnly, player.Head.Date)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{
		Bitbucket: client, Version: "test", Demo: player.Head.MadeBy == cassettes.FromFake,
		Now: func() time.Time { return recorded.Add(14*time.Hour + 32*time.Minute) },
	})
	if err != nil {
		t.Fatal(err)
	}
	arguments, err := json.Marshal(call.Arguments)
	if err != nil {
		t.Fatal(err)
	}
	p := (&world{server: s}).connect(t, "modern", uiCapability)
	r := p.tool(call.Tool, string(arguments))

	name := story + "/" + call.Name
	golden.Compare(t, "server", name+".txt", []byte(r.said()))
	if r.StructuredContent != nil {
		fits(t, p, call.Tool, r.StructuredContent)
		golden.Compare(t, "server", name+".json", indent(t, r.StructuredContent))
	}
	if payload := r.Meta[view.MetaKey]; payload != nil {
		golden.Compare(t, "server", name+".view.json", indent(t, payload))
	}
}

// fits holds structured content against the schema its tool promises (T10).
func fits(t testing.TB, p *peer, tool string, content json.RawMessage) {
	t.Helper()
	for _, d := range tools(t, p) {
		if d.Name != tool {
			continue
		}
		resolved, err := d.OutputSchema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(decode[any](t, content)); err != nil {
			t.Errorf("%s answers what its schema does not allow: %v", tool, err)
		}
		return
	}
	t.Errorf("%s is not listed", tool)
}

// indent gives JSON as people read it in a diff: keys in the order they went
// out, one to a line, <, > and & as they are.
func indent(t testing.TB, raw json.RawMessage) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	b.WriteByte('\n')
	out := b.Bytes()
	for escape, plain := range map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&"} {
		out = bytes.ReplaceAll(out, []byte(escape), []byte(plain))
	}
	return out
}
