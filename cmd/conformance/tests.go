package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// event is one line of go test -json, as `go doc test2json` describes it.
type event struct {
	Action     string
	Package    string
	ImportPath string // of build output
	Test       string
	Elapsed    float64
	Output     string
}

// testRun is what go test did.
type testRun struct {
	Packages []result `json:"packages"`
	Tests    []result `json:"tests"`

	out      io.Writer
	began    time.Time
	open     map[string]*result // by key, what has not ended
	children map[string]bool    // tests that have subtests
	broken   map[string]bool    // tests with a failed subtest
}

// result is one package or one test.
type result struct {
	Package string  `json:"package"`
	Test    string  `json:"test,omitempty"`
	Outcome outcome `json:"outcome"`
	Seconds float64 `json:"seconds"`
	// Output is what a failed one printed.
	Output string `json:"output,omitempty"`

	printed strings.Builder
}

func newTestRun(out io.Writer) *testRun {
	return &testRun{out: out, began: time.Now(), open: map[string]*result{}, children: map[string]bool{}, broken: map[string]bool{}}
}

// quiet is how long nothing may be said before a line says what is running.
const quiet = 20 * time.Second

// testTime is how long one package's tests may take. The browser tests take
// minutes on two quiet cores, and longer on busy ones.
const testTime = "40m"

// runTests runs every test of the module.
func (s *suite) runTests(ctx context.Context) {
	args := append([]string{"test", "-json", "-timeout", testTime}, s.tags()...)
	if s.pattern != "" {
		args = append(args, "-run", s.pattern)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./...")...)
	cmd.Dir = s.root
	cmd.Stderr = s.out
	cmd.Env = os.Environ()
	if s.report != "" {
		cmd.Env = append(cmd.Env, "BB_REPORT="+s.report)
	}
	s.tests = newTestRun(s.out)
	if !s.browsers() {
		s.skip("browser tests", "there is no browser or no driver; see above")
	}
	events, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.step("go test", func() error { return err })
		return
	}
	s.tests.follow(events)
	// How the tests ended is in the events. An exit status without a failure
	// among them is a fault of its own.
	if err := cmd.Wait(); err != nil && s.tests.failures() == nil {
		s.step("go test", func() error { return err })
	}
}

// follow reads events to their end and shows Go's own closing lines, what failed
// tests printed, and now and then what is running.
func (r *testRun) follow(events io.Reader) {
	lines := make(chan []byte)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(events)
		scanner.Buffer(nil, 64<<20)
		for scanner.Scan() {
			lines <- slices.Clone(scanner.Bytes())
		}
		// Whatever cannot be read must still be drained, or go test would wait.
		io.Copy(io.Discard, events)
	}()
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		select {
		case line, more := <-lines:
			if !more {
				return
			}
			if r.take(line) {
				timer.Reset(quiet)
			}
		case <-timer.C:
			r.sayRunning()
			timer.Reset(quiet)
		}
	}
}

// take takes one line and says whether anything was shown.
func (r *testRun) take(line []byte) (shown bool) {
	var e event
	if json.Unmarshal(line, &e) != nil {
		fmt.Fprintf(r.out, "%s\n", line)
		return true
	}
	key := e.Package + " " + e.Test
	switch e.Action {
	case "start", "run":
		r.open[key] = &result{Package: e.Package, Test: e.Test}
		for parent := e.Test; strings.Contains(parent, "/"); {
			parent = parent[:strings.LastIndex(parent, "/")]
			r.children[e.Package+" "+parent] = true
		}
	case "build-output":
		io.WriteString(r.out, e.Output)
		return true
	case "output":
		one := r.open[key]
		if one == nil {
			return false
		}
		one.printed.WriteString(e.Output)
		if e.Test == "" && closing(e.Output) {
			io.WriteString(r.out, e.Output)
			return true
		}
	case "pass", "fail", "skip":
		return r.end(e, key)
	}
	return false
}

// end keeps how a package or a test ended, and shows what a failed one printed.
func (r *testRun) end(e event, key string) (shown bool) {
	one := cmp.Or(r.open[key], &result{Package: e.Package, Test: e.Test})
	delete(r.open, key)
	one.Seconds = e.Elapsed
	one.Outcome = map[string]outcome{"pass": passed, "fail": failed, "skip": skipped}[e.Action]
	if one.Outcome == failed {
		one.Output = one.printed.String()
	}
	if e.Test == "" {
		r.Packages = append(r.Packages, *one)
		// A package that fails without a failed test of its own printed why:
		// it did not build, or its TestMain gave up.
		if one.Outcome == failed && !slices.ContainsFunc(r.Tests, func(t result) bool { return t.Package == e.Package && t.Outcome == failed }) {
			r.Tests = append(r.Tests, result{Package: e.Package, Test: "(package)", Outcome: failed, Output: one.Output})
			io.WriteString(r.out, withoutClosing(one.Output))
		}
		return one.Outcome == failed
	}
	if one.Outcome == failed {
		io.WriteString(r.out, one.Output)
		if at := strings.LastIndex(e.Test, "/"); at >= 0 {
			r.broken[e.Package+" "+e.Test[:at]] = true
		}
	}
	// A test with subtests is counted by them, unless it failed by itself.
	if !r.children[key] || one.Outcome == failed && !r.broken[key] {
		r.Tests = append(r.Tests, *one)
	} else if one.Outcome == failed {
		if at := strings.LastIndex(e.Test, "/"); at >= 0 {
			r.broken[e.Package+" "+e.Test[:at]] = true
		}
	}
	return one.Outcome == failed
}

// closing says whether a package's output is one of the lines with which go test
// ends.
func closing(line string) bool {
	for _, head := range []string{"ok  \t", "FAIL\t", "?   \t", "---", "FAIL\n", "panic:"} {
		if strings.HasPrefix(line, head) {
			return true
		}
	}
	return strings.HasPrefix(line, "\t"+module) // no test files, with coverage
}

func withoutClosing(output string) string {
	var kept strings.Builder
	for line := range strings.Lines(output) {
		if !closing(line) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// sayRunning says what takes so long.
func (r *testRun) sayRunning() {
	var names []string
	for _, one := range r.open {
		if one.Test != "" && !r.children[one.Package+" "+one.Test] {
			names = append(names, strings.TrimPrefix(one.Package, module+"/")+" "+one.Test)
		}
	}
	slices.Sort(names)
	what := "building"
	if len(names) > 0 {
		what = "running " + strings.Join(names[:min(3, len(names))], ", ")
	}
	fmt.Fprintf(r.out, "... %ds: %d packages done, %d tests; %s\n", int(time.Since(r.began).Seconds()), len(r.Packages), len(r.Tests), what)
}

// count is how many tests ended so.
func (r *testRun) count(o outcome) int {
	n := 0
	for _, t := range r.Tests {
		if t.Outcome == o {
			n++
		}
	}
	return n
}

// failures are the failed tests in order of package and name.
func (r *testRun) failures() []result {
	var found []result
	for _, t := range r.Tests {
		if t.Outcome == failed {
			found = append(found, t)
		}
	}
	slices.SortFunc(found, func(a, b result) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Test, b.Test))
	})
	return found
}
