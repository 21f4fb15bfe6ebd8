package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// figure is one number a benchmark reported. Goal is nil where it has none: a
// benchmark that has a goal for a unit reports it as that unit with "goal:"
// before it.
type figure struct {
	Package   string   `json:"package"`
	Benchmark string   `json:"benchmark"`
	Unit      string   `json:"unit"`
	Value     float64  `json:"value"`
	Goal      *float64 `json:"goal,omitempty"`
}

const goalPrefix = "goal:"

// runBenchmarks runs every benchmark a few times and prints its figures beside
// the goals. A figure over its goal is said and fails nothing: machines differ.
func (s *suite) runBenchmarks(ctx context.Context) {
	packages, err := benchmarked(s.root)
	if err != nil || len(packages) == 0 {
		s.step("benchmarks", func() error { return errors.Join(err) })
		return
	}
	var said bytes.Buffer
	s.step("benchmarks", func() error {
		// One package after the other, so that none disturbs another's figures.
		args := append([]string{"test", "-p", "1", "-run", "^$", "-bench", ".", "-benchtime", "5x"}, s.tags()...)
		cmd := exec.CommandContext(ctx, "go", append(args, packages...)...)
		cmd.Dir = s.root
		cmd.Stdout, cmd.Stderr = &said, &said
		err := cmd.Run()
		if err != nil {
			io.Copy(s.out, &said)
		}
		return err
	})
	s.benchmarks = figures(said.String())
	printFigures(s.out, s.benchmarks)
}

var benchmarkFunction = regexp.MustCompile(`(?m)^func Benchmark[A-Z_0-9]`)

// benchmarked lists the packages below root that have benchmarks.
func benchmarked(root string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil || !benchmarkFunction.Match(source) {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if name := "./" + filepath.ToSlash(dir); !slices.Contains(found, name) {
			found = append(found, name)
		}
		return err
	})
	return found, err
}

// figures reads the output of go test -bench.
func figures(output string) []figure {
	var found []figure
	pkg := ""
	for line := range strings.Lines(output) {
		fields := strings.Fields(line)
		if len(fields) == 2 && fields[0] == "pkg:" {
			pkg = fields[1]
		}
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name, _, _ := strings.Cut(fields[0], "-")
		goals := map[string]float64{}
		var these []figure
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				continue
			}
			unit, isGoal := strings.CutPrefix(fields[i+1], goalPrefix)
			if isGoal {
				goals[unit] = value
			} else {
				these = append(these, figure{Package: pkg, Benchmark: name, Unit: unit, Value: value})
			}
		}
		for _, f := range these {
			if goal, ok := goals[f.Unit]; ok {
				f.Goal = &goal
			}
			found = append(found, f)
		}
	}
	return found
}

// printFigures prints a line for each figure that has a goal, and for the others
// only when their benchmark has none with one.
func printFigures(out io.Writer, all []figure) {
	withGoal := map[string]bool{}
	for _, f := range all {
		if f.Goal != nil {
			withGoal[f.Package+f.Benchmark] = true
		}
	}
	for _, f := range all {
		name := strings.TrimPrefix(f.Benchmark, "Benchmark")
		switch {
		case f.Goal != nil && f.Value > *f.Goal:
			fmt.Fprintf(out, "%-34s %10.4g %-8s over the goal of %g\n", name, f.Value, f.Unit, *f.Goal)
		case f.Goal != nil:
			fmt.Fprintf(out, "%-34s %10.4g %-8s goal %g\n", name, f.Value, f.Unit, *f.Goal)
		case !withGoal[f.Package+f.Benchmark]:
			fmt.Fprintf(out, "%-34s %10.4g %s\n", name, f.Value, f.Unit)
		}
	}
}
