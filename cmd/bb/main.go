// Command bb is an MCP server for Bitbucket Data Center, with views for the
// person: bb ai mcp serve.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bb:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use:           "bb",
		Short:         "Bitbucket Data Center for people and their AI clients",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	ai := &cobra.Command{Use: "ai", Short: "For AI clients"}
	mcp := &cobra.Command{Use: "mcp", Short: "The MCP server and what belongs to it"}
	mcp.AddCommand(serveCommand(), toolsCommand(), previewCommand(), recordCommand())
	ai.AddCommand(mcp)
	root.AddCommand(ai, &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run:   func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), "bb", version()) },
	})
	return root
}

// version is the module's version, or the revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel-" + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}
