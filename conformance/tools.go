// Package conformance sets up what the browser tests need and holds them. The
// tests are behind the build tag views, so that `go test ./...` passes on a
// machine without a browser; `go run ./cmd/conformance` sets up and runs
// everything.
package conformance

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// Tools are the programs the suite uses, as absolute paths. A field is empty
// when that tool could not be had.
type Tools struct {
	// Node is the Node.js that runs the driver and the type check.
	Node string
	// Driver is the directory of the Playwright driver.
	Driver string
	// Chromium is the browser.
	Chromium string
	// TypeScript is the script of the TypeScript compiler, to be run by Node.
	TypeScript string
	// Axe is the source of axe-core, to be evaluated in a page.
	Axe string
}

// Progress takes one line about what is being done, or what did not work and
// why. Nil discards.
type Progress func(line string)

func (p Progress) say(line string) {
	if p != nil {
		p(line)
	}
}

// Setup finds what the suite needs and installs what is missing into the user's
// cache folder: a driver and a type checker from npm, and a Chromium. It always
// returns Tools, with what could be had; the error says everything that could
// not, and why.
func Setup(ctx context.Context, progress Progress) (*Tools, error) {
	t := &Tools{}
	packages := t.setUpPackages(ctx, progress)
	browser := t.setUpChromium(ctx, progress)
	return t, errors.Join(packages, browser)
}

// Environment is what a process that uses the driver needs in its environment.
func (t *Tools) Environment() map[string]string {
	return map[string]string{"PLAYWRIGHT_NODEJS_PATH": t.Node}
}

// LaunchArgs are the flags Chromium is started with: as few processes and as
// little network as possible.
func LaunchArgs() []string {
	args := []string{
		"--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync",
	}
	// Chromium refuses to run as root with its own sandbox.
	if runtime.GOOS == "linux" && os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	return args
}

// cacheFolder is this project's folder in the user's cache. Without a home it
// is one for this user beside the temporary files.
func cacheFolder() (string, error) {
	base, err := os.UserCacheDir()
	if err == nil {
		base = filepath.Join(base, "bb")
	} else {
		base = filepath.Join(os.TempDir(), "bb-cache-"+strconv.Itoa(os.Getuid()))
	}
	return base, os.MkdirAll(base, 0o700)
}
