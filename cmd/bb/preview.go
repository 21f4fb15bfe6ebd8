package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/ui/host"
)

func previewCommand() *cobra.Command {
	var c connection
	var addr string
	cmd := &cobra.Command{
		Use:   "preview",
		Short: "Show every view in a browser, as a host draws it",
		Long: "Serves a page on this machine that shows the views as a host draws them, beside the messages between host and view\n" +
			"and the text the model got. On invented data, unless BITBUCKET_URL or --url names a Bitbucket.",
		Args: flagsOnly,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := c.backend(cmd.ErrOrStderr())
			if errors.Is(err, errNothingConfigured) {
				c.fake = fakebb.OrchardName
				b, err = c.backend(cmd.ErrOrStderr())
			}
			if err != nil {
				return err
			}
			s, err := c.server(b, nil)
			if err != nil {
				return err
			}
			o := host.Options{MCP: s.HTTPHandler()}
			if b.fake != nil {
				caller := strings.TrimPrefix(b.options.Token, fakebb.Token(""))
				o.Caption = "embedded fake, as " + caller
				if c.fake == fakebb.OrchardName {
					o.Examples = orchardExamples
				}
			} else {
				o.Real, o.Caption = true, b.options.URL
			}
			site, err := host.Start(cmd.Context(), addr, o)
			if err != nil {
				return err
			}
			defer site.Close()
			fmt.Fprintf(cmd.OutOrStdout(), "The views are at %s (%s). Stop with Ctrl+C.\n", site.URL, o.Caption)
			<-cmd.Context().Done()
			return nil
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8930", "address of the page; it must be on this machine")
	c.addBitbucketFlags(cmd)
	c.addExposureFlags(cmd)
	return cmd
}

// orchardExamples are the views of the scenario orchard worth looking at.
var orchardExamples = []host.Example{
	{Title: "#1 open, not mergeable", Arguments: map[string]any{"kind": "pull_request", "project": "ORCH", "repo": "catalogue", "id": 1}},
	{Title: "#7 clean", Arguments: map[string]any{"kind": "pull_request", "project": "ORCH", "repo": "catalogue", "id": 7}},
	{Title: "#2 merged", Arguments: map[string]any{"kind": "pull_request", "project": "ORCH", "repo": "catalogue", "id": 2}},
	{Title: "#3 declined", Arguments: map[string]any{"kind": "pull_request", "project": "ORCH", "repo": "catalogue", "id": 3}},
	{Title: "#4 draft", Arguments: map[string]any{"kind": "pull_request", "project": "ORCH", "repo": "catalogue", "id": 4}},
	{Title: "#8 conflicting", Arguments: map[string]any{"kind": "pull_request", "project": "ORCH", "repo": "catalogue", "id": 8}},
	{Title: "#10 waiting for a review", Arguments: map[string]any{"kind": "pull_request", "project": "ORCH", "repo": "catalogue", "id": 10}},
	{Title: "List of ORCH/catalogue", Arguments: map[string]any{"kind": "pull_requests", "project": "ORCH", "repo": "catalogue"}},
	{Title: "The caller's own, any state", Arguments: map[string]any{"kind": "pull_requests", "state": "ALL"}},
	{Title: "An empty list", Arguments: map[string]any{"kind": "pull_requests", "project": "ORCH", "repo": "paths"}},
}
