// Command fakebb is a Bitbucket Data Center that is not one, on a port: for
// people who write clients of Bitbucket. It prints its URL and the tokens of
// its people, and a line for every request.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/fakebb/markdown"
	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "fakebb:", err)
		os.Exit(1)
	}
}

// flags are what the command line says.
type flags struct {
	addr, contextPath, scenario, release string
}

func command() *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "fakebb",
		Short: "A Bitbucket Data Center that is not one, on a port",
		Long: `fakebb answers as the REST API of Bitbucket Data Center does, with the data of a
scenario. A request is made with the token of a person of the scenario
(Authorization: Bearer fake-NAME), or with the name and that token as basic
authentication (curl -u NAME:fake-NAME).`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.serve(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:7990", "the address to listen on; port 0 takes a free one")
	c.Flags().StringVar(&f.contextPath, "context-path", "", "the path below which Bitbucket is, such as /bitbucket")
	c.Flags().StringVar(&f.scenario, "scenario", fakebb.OrchardName, "what is in this Bitbucket: a scenario's name or a scenario file")
	c.Flags().StringVar(&f.release, "release", "9.4.16", "the release that is answered for, in two or three numbers, of 7 to 10; known best are 7.21, 8.9, 8.19, 9.4.16 and 10.2")
	return c
}

// serve answers requests until ctx ends. out gets the URL and the tokens, logs
// a line per request.
func (f flags) serve(ctx context.Context, out, logs io.Writer) error {
	scenario, err := fakebb.Find(f.scenario)
	if err != nil {
		return fmt.Errorf("--scenario: %w", err)
	}
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return err
	}
	defer listener.Close()

	if strings.ContainsAny(f.contextPath, "?#%\\ ") {
		return fmt.Errorf("--context-path: %q is not a path such as /bitbucket", f.contextPath)
	}
	base := "http://" + listener.Addr().String()
	if path := strings.Trim(f.contextPath, "/"); path != "" {
		base += "/" + path
	}
	logger := log.New(logs, "", log.LstdFlags)
	server, err := fakebb.Open(fakebb.Options{
		Scenario: scenario, BaseURL: base, Release: f.release, Running: true, Markdown: markdown.HTML,
		Log: func(r fakebb.Request) { logger.Print(r) },
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s is Bitbucket %s with the scenario %s; nothing in it is real.\n", base, server.Release(), scenario.Name())
	for _, u := range scenario.Users() {
		// Names are by strangers: what would turn or hide the line is written out.
		name := strconv.QuoteToGraphic(u.DisplayName)
		fmt.Fprintf(out, "  %-32s %s\n", fakebb.Token(u.Name), name[1:len(name)-1])
	}

	h := &http.Server{Handler: server, ReadHeaderTimeout: 10 * time.Second, ErrorLog: logger}
	stopped := context.AfterFunc(ctx, func() {
		patience, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if h.Shutdown(patience) != nil {
			h.Close()
		}
	})
	defer stopped()
	if err := h.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
