package conformance

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What is installed is what was tried, and comes from whatever registry the
// machine is set up for.
func TestPackagesAreExactAndNameNoRegistry(t *testing.T) {
	var manifest struct{ Dependencies map[string]string }
	if err := json.Unmarshal(packageJSON, &manifest); err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Version, Integrity, Resolved string }
	}
	if err := json.Unmarshal(packageLock, &lock); err != nil {
		t.Fatal(err)
	}
	for name, version := range manifest.Dependencies {
		if locked := lock.Packages["node_modules/"+name].Version; version != locked || strings.ContainsAny(version, "^~*<> ") {
			t.Errorf("%s: %q in package.json, %q in package-lock.json", name, version, locked)
		}
	}
	for name, p := range lock.Packages {
		if p.Resolved != "" {
			t.Errorf("%s names the registry it came from: %s", name, p.Resolved)
		}
		if name != "" && p.Integrity == "" {
			t.Errorf("%s has no hash", name)
		}
	}
	if strings.Contains(string(packageLock), "://") {
		t.Error("package-lock.json holds an address")
	}
}

func TestAnInstallationThatChangedIsNotIntact(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("driver/package/cli.js", "12345")
	write("node_modules/a.js", "1")
	if err := intact(folder); err == nil {
		t.Error("without a list of its contents it is intact")
	}
	write(contentsFile, `{"driver/package/cli.js":5,"node_modules/a.js":1}`)
	if err := intact(folder); err != nil {
		t.Errorf("as it was installed: %v", err)
	}
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() { write("driver/package/cli.js", "1234") }, "driver/package/cli.js has 4 bytes instead of 5"},
		{func() { write("driver/package/cli.js", "12345"); write("more.js", "") }, "there are files that were not installed"},
		{func() { os.Remove(filepath.Join(folder, "node_modules/a.js")) }, "node_modules/a.js is missing"},
		{func() { write(contentsFile, "{") }, "contents.json"},
	} {
		c.change()
		if err := intact(folder); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
}

func TestABrowserThatWasNamedAndDoesNotRunIsNotReplacedByAnother(t *testing.T) {
	t.Setenv("BB_CHROMIUM", filepath.Join(t.TempDir(), "no-such-browser"))
	var said []string
	tools := &Tools{}
	err := tools.setUpChromium(context.Background(), func(line string) { said = append(said, line) })
	if err == nil || tools.Chromium != "" {
		t.Fatalf("found %q", tools.Chromium)
	}
	if len(said) != 1 || !strings.Contains(said[0], "chromium: BB_CHROMIUM:") {
		t.Errorf("said %q", said)
	}
}

// H6: each way that failed is said, with its reason.
func TestEveryWayToABrowserSaysWhyItFailed(t *testing.T) {
	if _, err := os.Stat("/usr/lib/chromium/chromium"); err == nil || runtime.GOOS != "linux" {
		t.Skip("this machine has a browser in one of the usual places")
	}
	t.Setenv("BB_CHROMIUM", "")
	t.Setenv("PATH", t.TempDir())
	var said []string
	tools := &Tools{}
	if err := tools.setUpChromium(context.Background(), func(line string) { said = append(said, line) }); err == nil {
		t.Fatalf("found %q", tools.Chromium)
	}
	if len(said) != len(ways) {
		t.Errorf("%d ways failed, %d are said: %q", len(ways), len(said), said)
	}
}

func TestWithoutNodeTheReasonIsSaid(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	tools := &Tools{}
	if err := tools.setUpPackages(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "no node on the PATH") {
		t.Errorf("got %v", err)
	}
}

func TestAHalfInstallationIsNeverLeft(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for npm is a shell script")
	}
	bin, cache := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\nmkdir -p node_modules/playwright-core\necho 'npm error code E500' >&2\nexit 7\n"
	if err := os.WriteFile(filepath.Join(bin, "npm"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	err := install(context.Background(), cache, filepath.Join(cache, "it"))
	if err == nil || !strings.Contains(err.Error(), "npm error code E500") {
		t.Errorf("got %v", err)
	}
	left, err := os.ReadDir(cache)
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
