package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bb-mcp/bb/conformance"
	"github.com/google/go-cmp/cmp"
)

// Lines as go test -json prints them.
const someFailed = `{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestGood"}
{"Action":"output","Package":"m/a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"output","Package":"m/a","Test":"TestGood","Output":"--- PASS: TestGood (0.00s)\n"}
{"Action":"pass","Package":"m/a","Test":"TestGood","Elapsed":0.1}
{"Action":"run","Package":"m/a","Test":"TestMany"}
{"Action":"run","Package":"m/a","Test":"TestMany/one"}
{"Action":"output","Package":"m/a","Test":"TestMany/one","Output":"    a_test.go:7: got 1, want 2\n"}
{"Action":"output","Package":"m/a","Test":"TestMany/one","Output":"    --- FAIL: TestMany/one (0.00s)\n"}
{"Action":"fail","Package":"m/a","Test":"TestMany/one","Elapsed":0}
{"Action":"run","Package":"m/a","Test":"TestMany/two"}
{"Action":"pass","Package":"m/a","Test":"TestMany/two","Elapsed":0}
{"Action":"output","Package":"m/a","Test":"TestMany","Output":"--- FAIL: TestMany (0.00s)\n"}
{"Action":"fail","Package":"m/a","Test":"TestMany","Elapsed":0}
{"Action":"run","Package":"m/a","Test":"TestLater"}
{"Action":"skip","Package":"m/a","Test":"TestLater","Elapsed":0}
{"Action":"output","Package":"m/a","Output":"FAIL\n"}
{"Action":"output","Package":"m/a","Output":"FAIL\tm/a\t0.003s\n"}
{"Action":"fail","Package":"m/a","Elapsed":0.003}
{"Action":"start","Package":"m/b"}
{"Action":"output","Package":"m/b","Output":"ok  \tm/b\t0.001s\n"}
{"Action":"pass","Package":"m/b","Elapsed":0.001}
{"ImportPath":"m/c","Action":"build-output","Output":"c/c.go:3:1: syntax error\n"}
{"Action":"start","Package":"m/c"}
{"Action":"output","Package":"m/c","Output":"FAIL\tm/c [build failed]\n"}
{"Action":"fail","Package":"m/c","Elapsed":0,"FailedBuild":"m/c"}
`

// H6: Go's own closing lines stay visible, and what failed is named.
func TestSuiteShowsGosClosingLinesAndNamesWhatFailed(t *testing.T) {
	var out bytes.Buffer
	s := &suite{out: &out, tests: newTestRun(&out), tools: &conformance.Tools{}}
	s.tests.follow(strings.NewReader(someFailed))
	code, err := s.finish(3 * time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if code != exitNot {
		t.Errorf("exit code %d, want %d", code, exitNot)
	}
	want := `    a_test.go:7: got 1, want 2
    --- FAIL: TestMany/one (0.00s)
--- FAIL: TestMany (0.00s)
FAIL
FAIL	m/a	0.003s
ok  	m/b	0.001s
c/c.go:3:1: syntax error
FAIL	m/c [build failed]

== summary
3 packages in 3s
failed: m/a TestMany/one
failed: m/c (package)
2 passed, 2 failed, 1 skipped
not conformant
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

func TestExitCodesTellWhatHappened(t *testing.T) {
	for _, c := range []struct {
		name    string
		events  string
		steps   []step
		missing error
		code    int
		last    string
	}{
		{"all passed", `{"Action":"pass","Package":"m/a","Test":"T"}`, nil, nil, exitConformant, "1 passed, 0 failed, 0 skipped\nconformant\n"},
		{"a step failed", `{"Action":"pass","Package":"m/a","Test":"T"}`, []step{{Name: "go vet", Outcome: failed, Detail: "x"}}, nil, exitNot, "1 passed, 1 failed, 0 skipped\nnot conformant\n"},
		{"no browser", `{"Action":"pass","Package":"m/a","Test":"T"}`, []step{{Name: "browser tests", Outcome: skipped, Detail: "x"}}, os.ErrNotExist, exitIncomplete, "1 passed, 0 failed, 1 skipped\nincomplete\n"},
		{"no browser and a failure", `{"Action":"fail","Package":"m/a","Test":"T"}`, nil, os.ErrNotExist, exitNot, "0 passed, 1 failed, 0 skipped\nnot conformant\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			s := &suite{out: &out, tests: newTestRun(&out), tools: &conformance.Tools{}, steps: c.steps, missing: c.missing, report: t.TempDir()}
			s.tests.follow(strings.NewReader(c.events))
			code, err := s.finish(time.Second)
			if err != nil || code != c.code {
				t.Errorf("exit code %d, %v, want %d", code, err, c.code)
			}
			if !strings.HasSuffix(out.String(), c.last) {
				t.Errorf("the end is not %q:\n%s", c.last, out.String())
			}
			if _, err := os.Stat(filepath.Join(s.report, "report.json")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestUsageErrorsHaveTheirOwnExitCode(t *testing.T) {
	for _, args := range [][]string{{"nonsense"}, {"--nonsense"}, {"-run", "("}, {"suite", "x"}} {
		if code := execute(context.Background(), args); code != exitUsage {
			t.Errorf("conformance %s: exit code %d, want %d", strings.Join(args, " "), code, exitUsage)
		}
	}
	if code := execute(context.Background(), []string{"--help"}); code != exitConformant {
		t.Errorf("--help: exit code %d", code)
	}
}

func TestFlagsAreTakenAsGoSpellsThemToo(t *testing.T) {
	got := doubleDashes([]string{"suite", "-run", "X", "-report=D", "--run=Y", "-r"})
	if diff := cmp.Diff([]string{"suite", "--run", "X", "--report=D", "--run=Y", "-r"}, got); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

func TestModuleIsFoundFromAnywhereInside(t *testing.T) {
	root, err := moduleRoot(".")
	if err == nil {
		t.Errorf("a relative folder led to %s", root)
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if root, err = moduleRoot(wd); err != nil || filepath.Join(root, "cmd", "conformance") != wd {
		t.Errorf("from %s: %s, %v", wd, root, err)
	}
	if root, err = moduleRoot(t.TempDir()); err == nil {
		t.Errorf("outside of the module: %s", root)
	}
}

func TestFiguresStandBesideTheirGoals(t *testing.T) {
	all := figures("pkg: m/a\nBenchmarkPage-2   \t       5\t       100 ns/op\t       120.0 goal:KB\t        64.50 KB\nBenchmarkOld \t 5\t 7 ns/op\nPASS\n")
	var out bytes.Buffer
	printFigures(&out, all)
	want := "Page                                     64.5 KB       goal 120\nOld                                         7 ns/op\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
}
