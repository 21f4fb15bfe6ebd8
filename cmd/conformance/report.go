package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// report is what report.json holds.
type report struct {
	Verdict    string   `json:"verdict"` // conformant, not conformant or incomplete
	Passed     int      `json:"passed"`
	Failed     int      `json:"failed"`
	Skipped    int      `json:"skipped"`
	Seconds    float64  `json:"seconds"`
	Go         string   `json:"go"`
	Chromium   string   `json:"chromium,omitempty"`
	Missing    string   `json:"missing,omitempty"` // what could not be set up
	Steps      []step   `json:"steps"`
	Packages   []result `json:"packages"`
	Tests      []result `json:"tests"`
	Benchmarks []figure `json:"benchmarks,omitempty"`
}

// finish prints the summary, writes the report and gives the exit code.
func (s *suite) finish(took time.Duration) (int, error) {
	r := report{
		Seconds: took.Seconds(), Go: runtime.Version(), Chromium: s.tools.Chromium,
		Steps: s.steps, Packages: s.tests.Packages, Tests: s.tests.Tests, Benchmarks: s.benchmarks,
		Passed: s.tests.count(passed), Failed: s.tests.count(failed), Skipped: s.tests.count(skipped),
	}
	for _, one := range s.steps {
		switch one.Outcome {
		case passed:
			r.Passed++
		case failed:
			r.Failed++
		case skipped:
			r.Skipped++
		}
	}
	code := exitConformant
	r.Verdict = "conformant"
	switch {
	case r.Failed > 0:
		code, r.Verdict = exitNot, "not conformant"
	case s.missing != nil:
		code, r.Verdict = exitIncomplete, "incomplete"
	}
	if s.missing != nil {
		r.Missing = s.missing.Error()
	}

	s.heading("summary")
	fmt.Fprintf(s.out, "%d packages in %s\n", len(s.tests.Packages), took.Round(time.Second))
	for _, t := range s.tests.failures() {
		fmt.Fprintf(s.out, "failed: %s %s\n", strings.TrimPrefix(t.Package, module+"/"), t.Test)
	}
	for _, one := range s.steps {
		if one.Outcome != passed {
			fmt.Fprintf(s.out, "%s: %s: %s\n", one.Outcome, one.Name, one.Detail)
		}
	}
	if s.missing != nil {
		fmt.Fprintf(s.out, "not set up:\n  %s\n", strings.ReplaceAll(s.missing.Error(), "\n", "\n  "))
	}
	if s.report != "" {
		path := filepath.Join(s.report, "report.json")
		text, err := json.MarshalIndent(r, "", "  ")
		if err == nil {
			err = os.WriteFile(path, append(text, '\n'), 0o644)
		}
		if err != nil {
			return 0, failure{fmt.Errorf("report: %w", err)}
		}
		fmt.Fprintf(s.out, "report: %s\n", path)
	}
	fmt.Fprintf(s.out, "%d passed, %d failed, %d skipped\n", r.Passed, r.Failed, r.Skipped)
	fmt.Fprintln(s.out, r.Verdict)
	return code, nil
}
