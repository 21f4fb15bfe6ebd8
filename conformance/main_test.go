//go:build views

package conformance

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/bb-mcp/bb/golden"
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
	if err := start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// The browser ends with its driver, and the driver with this process.
	golden.Main(m, "conformance")
}

// start sets up what is missing and launches the browser.
func start() error {
	var said []string
	var err error
	tools, err = Setup(context.Background(), func(line string) { said = append(said, line) })
	if err != nil {
		return fmt.Errorf("%s\nthe browser tests need Node.js with npm and a Chromium: name one in BB_CHROMIUM, or run `go run ./cmd/conformance`, which installs what it can", strings.Join(said, "\n"))
	}
	for name, value := range tools.Environment() {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: tools.Driver, SkipInstallBrowsers: true})
	if err != nil {
		return fmt.Errorf("playwright: %w", err)
	}
	browser, err = pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath: playwright.String(tools.Chromium),
		Args:           LaunchArgs(),
	})
	if err != nil {
		return fmt.Errorf("chromium: %w", err)
	}
	return nil
}
