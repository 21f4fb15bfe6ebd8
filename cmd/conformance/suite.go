package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/bb-mcp/bb/conformance"
)

const module = "github.com/bb-mcp/bb"

// suite is one run of everything.
type suite struct {
	out     io.Writer
	pattern string // -run
	report  string // --report

	root       string
	tools      *conformance.Tools
	steps      []step
	tests      *testRun
	benchmarks []figure
	missing    error // what could not be set up
}

// step is a part of the run that is no test of its own.
type step struct {
	Name    string  `json:"name"`
	Outcome outcome `json:"outcome"`
	Detail  string  `json:"detail,omitempty"`
	Seconds float64 `json:"seconds"`
}

// outcome is how a step, a package or a test ended.
type outcome string

const (
	passed  outcome = "passed"
	failed  outcome = "failed"
	skipped outcome = "skipped"
)

// execute runs the suite and gives the exit code.
func (s *suite) execute(ctx context.Context) (int, error) {
	start := time.Now()
	wd, err := os.Getwd()
	if err != nil {
		return 0, failure{err}
	}
	if s.root, err = moduleRoot(wd); err != nil {
		return 0, failure{err}
	}
	if s.report != "" {
		if s.report, err = filepath.Abs(s.report); err != nil {
			return 0, failure{err}
		}
		if err := os.MkdirAll(filepath.Join(s.report, "screenshots"), 0o755); err != nil {
			return 0, failure{err}
		}
	}

	s.heading("set up")
	s.tools, s.missing = conformance.Setup(ctx, func(line string) { fmt.Fprintln(s.out, line) })
	if s.pattern == "" {
		s.heading("go vet")
		s.step("go vet", func() error { return s.command(ctx, "go", "vet", "-tags", "views", "./...") })
	}
	s.heading("go test")
	s.runTests(ctx)
	if s.pattern == "" {
		s.heading("type check")
		s.typeCheck(ctx)
		s.heading("benchmarks")
		s.runBenchmarks(ctx)
	}
	if ctx.Err() != nil {
		return 0, failure{errors.New("interrupted")}
	}
	return s.finish(time.Since(start))
}

// browsers says whether the browser tests can run.
func (s *suite) browsers() bool { return s.tools.Driver != "" && s.tools.Chromium != "" }

// tags are the build tags of what can run.
func (s *suite) tags() []string {
	if s.browsers() {
		return []string{"-tags", "views"}
	}
	return nil
}

func (s *suite) heading(name string) { fmt.Fprintf(s.out, "\n== %s\n", name) }

// step runs one part and keeps how it ended.
func (s *suite) step(name string, run func() error) {
	start := time.Now()
	done := step{Name: name, Outcome: passed}
	if err := run(); err != nil {
		done.Outcome, done.Detail = failed, err.Error()
	}
	done.Seconds = time.Since(start).Seconds()
	s.steps = append(s.steps, done)
	fmt.Fprintf(s.out, "%s: %s (%.1fs)\n", name, done.Outcome, done.Seconds)
}

// skip keeps that a part could not run.
func (s *suite) skip(name, why string) {
	s.steps = append(s.steps, step{Name: name, Outcome: skipped, Detail: why})
	fmt.Fprintf(s.out, "%s: skipped: %s\n", name, why)
}

// command runs a program in the module and shows what it says.
func (s *suite) command(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = s.root
	cmd.Stdout, cmd.Stderr = s.out, s.out
	return cmd.Run()
}

// typeCheck holds the page's and the host's scripts against their own types.
func (s *suite) typeCheck(ctx context.Context) {
	for _, program := range []struct{ name, config string }{
		{"type check of ui", "tsconfig.page.json"},
		{"type check of ui/host", "tsconfig.host.json"},
		{"type check of the sandbox", "tsconfig.sandbox.json"},
	} {
		if s.tools.TypeScript == "" {
			s.skip(program.name, "there is no TypeScript")
			continue
		}
		s.step(program.name, func() error {
			return s.command(ctx, s.tools.Node, s.tools.TypeScript, "--project", filepath.Join("conformance", program.config))
		})
	}
}

// moduleRoot finds the folder of this module at dir or above it.
func moduleRoot(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		content, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil && strings.HasPrefix(string(content), "module "+module) {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not inside module %s", dir, module)
		}
	}
}
