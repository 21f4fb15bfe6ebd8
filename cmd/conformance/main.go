// Command conformance sets up what the tests of this module need, runs all of
// them and says how it went.
//
// Exit codes: 0 conformant, 1 not, 2 usage, 3 incomplete (something could not be
// set up, so that not everything ran).
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

const (
	exitConformant = 0
	exitNot        = 1
	exitUsage      = 2
	exitIncomplete = 3
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := execute(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// execute runs the command line and gives its exit code.
func execute(ctx context.Context, args []string) int {
	code := exitConformant
	s := &suite{out: os.Stdout}
	run := func(cmd *cobra.Command, _ []string) error {
		if _, err := regexp.Compile(s.pattern); err != nil {
			return fmt.Errorf("-run: %w", err)
		}
		var err error
		code, err = s.execute(cmd.Context())
		return err
	}
	flags := func(cmd *cobra.Command) *cobra.Command {
		cmd.Flags().StringVar(&s.pattern, "run", "", "run only the tests that match this `REGEXP`, as go test does")
		cmd.Flags().StringVar(&s.report, "report", "", "write report.json and pictures of failed browser tests into this `DIR`")
		cmd.Args = cobra.NoArgs
		return cmd
	}
	root := flags(&cobra.Command{
		Use:           "conformance",
		Short:         "Set up what the tests need and run all of them",
		RunE:          run,
		SilenceErrors: true,
		SilenceUsage:  true,
	})
	root.AddCommand(flags(&cobra.Command{Use: "suite", Short: "Set up what the tests need and run all of them (the default)", RunE: run}))
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetArgs(doubleDashes(args))
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		var f failure
		if errors.As(err, &f) {
			return exitNot
		}
		return exitUsage
	}
	return code
}

// failure is an error that is none of the command line's.
type failure struct{ error }

// doubleDashes makes -run and -report, as Go's own tools spell them, --run and
// --report.
func doubleDashes(args []string) []string {
	fixed := make([]string, len(args))
	for i, arg := range args {
		fixed[i] = arg
		for _, name := range []string{"run", "report"} {
			if arg == "-"+name || strings.HasPrefix(arg, "-"+name+"=") {
				fixed[i] = "-" + arg
			}
		}
	}
	return fixed
}
