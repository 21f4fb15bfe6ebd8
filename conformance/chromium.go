package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// The names of browsers that will do, in the order in which they are looked for.
// The headless shell is Chromium without its own interface, which a full one
// starts for every context even when it is headless: on two cores a view is
// shown in a third of the time.
var chromiumNames = []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"}

// A way to get a Chromium. It gives a path, or says why it has none.
type way struct {
	name string
	try  func(ctx context.Context, t *Tools, progress Progress) (string, error)
}

var ways = []way{
	{"BB_CHROMIUM", fromEnvironment},
	{"PATH", fromPath},
	{"usual places", fromUsualPlaces},
	{"apt-get", fromDebian},
	{"playwright install", fromPlaywright},
}

// setUpChromium takes the first way that works and says why the others did not.
func (t *Tools) setUpChromium(ctx context.Context, progress Progress) error {
	var failed []error
	for _, w := range ways {
		path, err := w.try(ctx, t, progress)
		if err == nil {
			t.Chromium = path
			progress.say("chromium: " + path)
			return nil
		}
		err = fmt.Errorf("chromium: %s: %w", w.name, err)
		failed = append(failed, err)
		progress.say(err.Error())
		// A browser that was named is the one that is meant.
		if w.name == "BB_CHROMIUM" && os.Getenv("BB_CHROMIUM") != "" {
			break
		}
	}
	return errors.Join(failed...)
}

func fromEnvironment(ctx context.Context, _ *Tools, _ Progress) (string, error) {
	path := os.Getenv("BB_CHROMIUM")
	if path == "" {
		return "", errors.New("not set")
	}
	return runs(ctx, path)
}

func fromPath(ctx context.Context, _ *Tools, _ Progress) (string, error) {
	var broken []error
	for _, name := range chromiumNames {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if path, err = runs(ctx, path); err == nil {
			return path, nil
		}
		broken = append(broken, err)
	}
	if broken != nil {
		return "", errors.Join(broken...)
	}
	return "", errors.New("none of " + strings.Join(chromiumNames, ", "))
}

func fromUsualPlaces(ctx context.Context, _ *Tools, _ Progress) (string, error) {
	var places []string
	switch runtime.GOOS {
	case "darwin":
		for _, app := range []string{"Chromium", "Google Chrome", "Microsoft Edge"} {
			places = append(places, filepath.Join("/Applications", app+".app", "Contents", "MacOS", app))
		}
	case "windows":
		for _, base := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			for _, program := range []string{`Chromium\Application\chrome.exe`, `Google\Chrome\Application\chrome.exe`, `Microsoft\Edge\Application\msedge.exe`} {
				if dir := os.Getenv(base); dir != "" {
					places = append(places, filepath.Join(dir, program))
				}
			}
		}
	default:
		places = []string{"/usr/lib/chromium/chromium", "/opt/google/chrome/chrome", "/snap/bin/chromium"}
	}
	for _, place := range places {
		if path, err := runs(ctx, place); err == nil {
			return path, nil
		}
	}
	return "", errors.New("none of " + strings.Join(places, ", "))
}

// debianPackages are the packages that will do; releases before Debian 12 lack
// the first.
var debianPackages = []string{"chromium-headless-shell", "chromium"}

// fromDebian installs Debian's package, and a font so that screenshots can be
// read.
func fromDebian(ctx context.Context, t *Tools, progress Progress) (string, error) {
	apt, err := exec.LookPath("apt-get")
	if err != nil {
		return "", errors.New("there is none on this machine")
	}
	if os.Geteuid() != 0 {
		return "", errors.New("needs root; as root: apt-get install chromium")
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	run := func(args ...string) error {
		progress.say("chromium: apt-get " + strings.Join(args, " "))
		cmd := exec.CommandContext(ctx, apt, args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, lastLines(out, 6))
		}
		return nil
	}
	if err := run("update"); err != nil {
		return "", err
	}
	var failed []error
	for _, name := range debianPackages {
		if err := run("install", "-y", "--no-install-recommends", name, "fonts-dejavu-core"); err != nil {
			failed = append(failed, err)
			continue
		}
		return fromPath(ctx, t, progress)
	}
	return "", errors.Join(failed...)
}

// fromPlaywright lets the driver download the browser it was made for.
func fromPlaywright(ctx context.Context, t *Tools, progress Progress) (string, error) {
	if t.Driver == "" {
		return "", errors.New("there is no driver")
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	core := filepath.Join(t.Driver, "package")
	find := func() (string, error) {
		out, err := exec.CommandContext(ctx, t.Node, "-p", "require(process.argv[1]).chromium.executablePath()", core).Output()
		if err != nil {
			return "", err
		}
		return runs(ctx, strings.TrimSpace(string(out)))
	}
	if path, err := find(); err == nil {
		return path, nil
	}
	progress.say("chromium: playwright install chromium")
	if out, err := exec.CommandContext(ctx, t.Node, filepath.Join(core, "cli.js"), "install", "chromium").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, lastLines(out, 6))
	}
	return find()
}

// runs gives the absolute path of a browser that starts.
func runs(ctx context.Context, path string) (string, error) {
	found, err := exec.LookPath(path)
	if err != nil {
		return "", err
	}
	if found, err = filepath.Abs(found); err != nil {
		return "", err
	}
	// On Windows a browser opens a window instead of saying its version.
	if runtime.GOOS == "windows" {
		return found, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if out, err := exec.CommandContext(ctx, found, "--version").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s --version: %w: %s", found, err, lastLines(out, 4))
	}
	return found, nil
}
