// Package golden compares what we say with the files in this folder: one
// folder per package that promises bytes, which that package owns.
//
// GOLDIE_UPDATE=1 go test ./... rewrites the files of the tests that run, and
// is refused under CI, where a difference must be seen and not blessed.
package golden

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/sebdah/goldie/v2"
)

var (
	mu   sync.Mutex
	read = map[string]bool{} // by path below this folder
)

// Compare holds got against golden/<pkg>/<name>, byte for byte, and fails t
// with a unified diff and the command that updates the file.
func Compare(t testing.TB, pkg, name string, got []byte) {
	t.Helper()
	mu.Lock()
	read[filepath.Join(pkg, name)] = true
	mu.Unlock()
	if updating() && os.Getenv("CI") != "" {
		t.Fatal("GOLDIE_UPDATE is set under CI: golden files are updated by a person who reads the difference")
	}
	tt, ok := t.(*testing.T)
	if !ok {
		t.Fatalf("golden.Compare needs a *testing.T, not %T", t)
	}
	g := goldie.New(tt, goldie.WithFixtureDir(filepath.Join(folder(), pkg)), goldie.WithNameSuffix(""))
	if updating() {
		if err := g.Update(tt, name, got); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(filepath.Join(folder(), pkg, name))
	if err != nil {
		t.Fatalf("golden/%s/%s is missing; write it with %s", pkg, name, command(t, pkg))
	}
	if !bytes.Equal(want, got) {
		t.Errorf("golden/%s/%s differs (- want, + got); if the difference is meant, update it with %s\n%s",
			pkg, name, command(t, pkg), goldie.Diff(goldie.ClassicDiff, string(got), string(want)))
	}
}

// JSON compares v as indented JSON, with <, > and & as they are.
func JSON(t testing.TB, pkg, name string, v any) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	Compare(t, pkg, name, b.Bytes())
}

// Main runs a package's tests and fails when a file of golden/<pkg> was read
// by none of them. Use it as the package's TestMain. A run of some tests only
// is not checked.
func Main(m *testing.M, pkg string) {
	code := m.Run()
	if code == 0 && !partial() {
		for _, name := range unread(pkg) {
			fmt.Fprintf(os.Stderr, "FAIL: golden/%s is read by no test of its package; remove it\n", name)
			code = 1
		}
	}
	os.Exit(code)
}

func updating() bool {
	on := os.Getenv("GOLDIE_UPDATE")
	return on != "" && on != "0" && on != "false"
}

// partial says whether go test was told to run some tests only.
func partial() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return true
		}
	}
	return false
}

// unread are the files below golden/<pkg> that no test has compared with.
func unread(pkg string) []string {
	var left []string
	root := folder()
	_ = filepath.WalkDir(filepath.Join(root, pkg), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		name, _ := filepath.Rel(root, path)
		if !read[name] {
			left = append(left, filepath.ToSlash(name))
		}
		return nil
	})
	return left
}

// folder is this folder, wherever a test runs.
func folder() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

func command(t testing.TB, pkg string) string {
	tags := ""
	if pkg == "conformance" {
		tags = "-tags views "
	}
	return fmt.Sprintf("GOLDIE_UPDATE=1 go test %s-run '^%s$' ./%s", tags, t.Name(), pkg)
}
