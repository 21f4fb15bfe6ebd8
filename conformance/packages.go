package conformance

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

//go:embed package.json
var packageJSON []byte

//go:embed package-lock.json
var packageLock []byte

// contentsFile lists every file of a complete installation with its size. It is
// written last, and an installation that differs from it is made anew.
const contentsFile = "contents.json"

// npmTime is how long npm may take; warm it takes seconds, and a slow line
// brings its 84 MB in a few minutes.
const npmTime = 10 * time.Minute

// setUpPackages has the npm packages of package-lock.json installed.
func (t *Tools) setUpPackages(ctx context.Context, progress Progress) error {
	node, err := exec.LookPath("node")
	if err != nil {
		return errors.New("driver: there is no node on the PATH; install Node.js 18 or later with npm")
	}
	cache, err := cacheFolder()
	if err != nil {
		return fmt.Errorf("driver: cache folder: %w", err)
	}
	sum := sha256.New()
	for _, part := range [][]byte{packageJSON, packageLock, []byte(runtime.GOOS + "/" + runtime.GOARCH)} {
		sum.Write(part)
	}
	folder := filepath.Join(cache, "conformance-"+hex.EncodeToString(sum.Sum(nil))[:12])
	if fault := intact(folder); fault != nil {
		if !errors.Is(fault, fs.ErrNotExist) {
			progress.say(fmt.Sprintf("driver: %s is not as it was installed (%v); installing again", folder, fault))
		}
		progress.say("driver: npm ci of playwright-core, typescript, axe-core and a client of Bitbucket into " + folder)
		if err := install(ctx, cache, folder); err != nil {
			return fmt.Errorf("driver: %w", err)
		}
	}
	t.Node = node
	t.Driver = filepath.Join(folder, "driver")
	t.TypeScript = filepath.Join(folder, "node_modules", "typescript", "bin", "tsc")
	t.Axe = filepath.Join(folder, "node_modules", "axe-core", "axe.min.js")
	progress.say("driver: " + t.Driver)
	return nil
}

// install makes folder beside itself and renames it, so that whoever finds it
// finds it whole.
func install(ctx context.Context, cache, folder string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("there is no npm on the PATH; it comes with Node.js")
	}
	temp, err := os.MkdirTemp(cache, "installing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for name, content := range map[string][]byte{"package.json": packageJSON, "package-lock.json": packageLock} {
		if err := os.WriteFile(filepath.Join(temp, name), content, 0o644); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, npmTime)
	defer cancel()
	ci := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")
	ci.Dir = temp
	if out, err := ci.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w: %s", err, lastLines(out, 12))
	}
	// playwright-go looks for the driver's package under this name.
	if err := os.Mkdir(filepath.Join(temp, "driver"), 0o755); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(temp, "node_modules", "playwright-core"), filepath.Join(temp, "driver", "package")); err != nil {
		return err
	}
	found, err := contents(temp)
	if err != nil {
		return err
	}
	list, err := json.Marshal(found)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(temp, contentsFile), list, 0o644); err != nil {
		return err
	}
	// What is there is broken, or another process made it meanwhile.
	if intact(folder) == nil {
		return nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.Rename(temp, folder); err != nil && intact(folder) != nil {
		return err
	}
	return nil
}

// intact says what an installation lacks. Nil: it is as it was installed.
func intact(folder string) error {
	list, err := os.ReadFile(filepath.Join(folder, contentsFile))
	if err != nil {
		return err
	}
	var want map[string]int64
	if err := json.Unmarshal(list, &want); err != nil {
		return fmt.Errorf("%s: %w", contentsFile, err)
	}
	got, err := contents(folder)
	if err != nil {
		return err
	}
	for name, size := range want {
		if was, ok := got[name]; !ok {
			return fmt.Errorf("%s is missing", name)
		} else if was != size {
			return fmt.Errorf("%s has %d bytes instead of %d", name, was, size)
		}
	}
	if !maps.Equal(got, want) {
		return errors.New("there are files that were not installed")
	}
	return nil
}

// contents gives the size of every file that npm brought into folder.
func contents(folder string) (map[string]int64, error) {
	found := map[string]int64{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if name != contentsFile {
			found[filepath.ToSlash(name)] = info.Size()
		}
		return err
	})
	return found, err
}

// lastLines are the lines of a program's output in which it says why it failed.
func lastLines(out []byte, n int) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
