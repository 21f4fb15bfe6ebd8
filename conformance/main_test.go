//go:build views

package conformance

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// One browser serves the whole run; every test has a context of its own in it.
var (
	tools   *Tools
	browser playwright.Browser
	axe     = sync.OnceValues(func() (string, error) {
		source, err := os.ReadFile(tools.Axe)
		return string(source), err
	})
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var said []string
	var err error
	tools, err = Setup(context.Background(), func(line string) { said = append(said, line) })
	if err != nil {
		for _, line := range said {
			fmt.Fprintln(os.Stderr, line)
		}
		fmt.Fprintln(os.Stderr, "the browser tests need Node.js with npm and a Chromium; name one in BB_CHROMIUM, or run `go run ./cmd/conformance`, which installs what it can")
		return 1
	}
	for name, value := range tools.Environment() {
		os.Setenv(name, value)
	}
	pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: tools.Driver, SkipInstallBrowsers: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, "playwright:", err)
		return 1
	}
	defer pw.Stop()
	browser, err = pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath: playwright.String(tools.Chromium),
		Args:           LaunchArgs(),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "chromium:", err)
		return 1
	}
	defer browser.Close()
	return m.Run()
}
