package server_test

import (
	"os"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/server"
)

// The README lists every tool and every kind of view, and none that is not.
func TestTheReadmeListsEveryTool(t *testing.T) {
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(data), "## What there is")
	readme, _, _ := strings.Cut(after, "\n## ")
	tools, kinds, err := server.Exposure(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools {
		if !strings.Contains(readme, "`"+tool.Name+"`") {
			t.Errorf("the README does not list the tool %s", tool.Name)
		}
	}
	for _, k := range kinds {
		if !strings.Contains(readme, "| `"+k.Name+"` |") {
			t.Errorf("the README does not list the kind of view %s", k.Name)
		}
	}
}
