package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/bb-mcp/bb/server"
)

func serveCommand() *cobra.Command {
	var c connection
	var check bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve one MCP client on stdin and stdout",
		Args:  flagsOnly,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := c.backend(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			s, err := c.server(b, nil)
			if err != nil {
				return err
			}
			if check {
				return printCheck(cmd.Context(), s, cmd.OutOrStdout(), cmd.ErrOrStderr())
			}
			if v := os.Getenv("MCPGODEBUG"); v != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "bb: MCPGODEBUG=%s is set; it changes what goes over the wire\n", v)
			}
			return serve(cmd.Context(), s, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "ask Bitbucket who bb acts for, say what was found, and end")
	c.addBitbucketFlags(cmd)
	c.addExposureFlags(cmd)
	return cmd
}

// serve serves until in ends or ctx is cancelled. A cancelled ctx ends the
// input: the SDK cancels running calls only then, and would otherwise wait for
// them.
func serve(ctx context.Context, s *server.Server, in io.Reader, out io.Writer) error {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, in)
		w.CloseWithError(err)
	}()
	stop := context.AfterFunc(ctx, func() { w.Close() })
	defer stop()
	return s.Run(context.WithoutCancel(ctx), r, keepOpen{out})
}

// keepOpen is an output that the SDK may close without closing the process's.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }
