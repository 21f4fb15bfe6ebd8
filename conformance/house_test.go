package conformance_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/bb-mcp/bb/"

// rooms are the top level of the tree, and what each may import of the others
// outside tests. A room may import its own packages.
var rooms = map[string][]string{
	"cassettes":       {},
	"cmd/bb":          {"server", "fakebb", "cassettes", "ui"},
	"cmd/conformance": {"conformance", "fakebb", "server"},
	"cmd/fakebb":      {"fakebb", "cassettes"},
	"conformance":     {"ui", "server", "fakebb"},
	"fakebb":          {"cassettes"},
	"golden":          {},
	"server":          {"ui"},
	"ui":              {},
}

// neverEvenInTests are arrows that tests may not draw either. (A test in a
// package of its own may import the fake.)
var neverEvenInTests = map[string][]string{
	"fakebb": {"server", "conformance"},
	"ui":     {"conformance"},
}

const root = ".."

func TestTheTopLevelIsTheHouse(t *testing.T) {
	allowed := []string{"server", "fakebb", "cassettes", "golden", "ui", "conformance", "cmd", "go.mod", "go.sum", "README.md", "LICENSE"}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) && !ignored(e.Name()) {
			t.Errorf("%s is not part of the house", e.Name())
		}
	}
	for _, name := range allowed {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Errorf("%s is missing", name)
		}
	}
}

// ignored says whether git ignores a file: what a build leaves is no part of
// the house.
func ignored(name string) bool {
	return exec.Command("git", "-C", root, "check-ignore", "-q", name).Run() == nil
}

func TestImportsGoOneWay(t *testing.T) {
	found := 0
	walkGo(t, func(file string, imports []string) {
		from := roomOf(filepath.ToSlash(file))
		may, known := rooms[from]
		if !known {
			t.Errorf("%s is in no room", file)
			return
		}
		test := strings.HasSuffix(file, "_test.go")
		for _, path := range imports {
			rest, ours := strings.CutPrefix(path, module)
			if !ours {
				continue
			}
			found++
			to := roomOf(rest + "/x.go")
			switch {
			case to == from || !test && slices.Contains(may, to):
			case test && !slices.Contains(neverEvenInTests[from], to):
			default:
				t.Errorf("%s imports %s: %s may import %v", file, path, from, may)
			}
		}
	})
	if found < 10 {
		t.Errorf("only %d imports between packages were found; the test reads the wrong folder", found)
	}
}

// The REST client stands alone: it knows nothing of MCP and nothing of the
// rest of the server.
func TestTheRESTClientStandsAlone(t *testing.T) {
	walkGo(t, func(file string, imports []string) {
		if !strings.HasPrefix(filepath.ToSlash(file), "server/bitbucket/") || strings.HasSuffix(file, "_test.go") {
			return
		}
		for _, path := range imports {
			if strings.Contains(path, "modelcontextprotocol") || strings.HasPrefix(path, module) {
				t.Errorf("%s imports %s", file, path)
			}
		}
	})
}

func TestNoPackageIsNamedForNothing(t *testing.T) {
	walkGo(t, func(file string, _ []string) {
		for _, name := range []string{"util", "utils", "common", "helper", "helpers", "types", "misc"} {
			if slices.Contains(strings.Split(filepath.ToSlash(filepath.Dir(file)), "/"), name) {
				t.Errorf("%s: %q says nothing of what is in it", file, name)
			}
		}
	})
}

// roomOf is the room of a file, by its path below the root.
func roomOf(file string) string {
	parts := strings.Split(file, "/")
	if parts[0] == "cmd" && len(parts) > 2 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// walkGo calls visit with every Go file of the tree and its imports.
func walkGo(t *testing.T, visit func(file string, imports []string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		var imports []string
		for _, i := range parsed.Imports {
			imports = append(imports, strings.Trim(i.Path.Value, `"`))
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		visit(name, imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
