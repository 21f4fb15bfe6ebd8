package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/bb-mcp/bb/server"
)

func toolsCommand() *cobra.Command {
	var c connection
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "List every tool and kind of view, and what a set of flags exposes",
		Long: "Lists every tool and kind of view. With the flags of serve it says what serve would expose with them, and of the rest why not.\n" +
			"It asks nothing of Bitbucket and needs no credentials.",
		Args: flagsOnly,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := c.exposure()
			if err != nil {
				return err
			}
			tools, kinds, err := server.Exposure(o)
			if err != nil {
				return err
			}
			if asJSON {
				return writeToolsJSON(cmd.OutOrStdout(), tools, kinds)
			}
			return writeTools(cmd.OutOrStdout(), tools, kinds)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, with descriptions")
	c.addExposureFlags(cmd)
	return cmd
}

func writeTools(out io.Writer, tools []server.Exposed, kinds []server.ExposedKind) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TOOL\tACCESS\tEXPOSED\tTITLE")
	for _, t := range tools {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", t.Name, access(t.Tool), yesOrWhy(t.Hidden), t.Title)
	}
	fmt.Fprintln(w, "\nKIND OF show\tNEEDS\tEXPOSED\t")
	for _, k := range kinds {
		fmt.Fprintf(w, "%s\t%s\t%s\t\n", k.Name, k.Needs, yesOrWhy(k.Hidden))
	}
	return w.Flush()
}

func access(t server.Tool) string {
	if t.Writes {
		return "writes"
	}
	return "reads"
}

func yesOrWhy(hidden string) string {
	if hidden == "" {
		return "yes"
	}
	return "no: " + hidden
}

func writeToolsJSON(out io.Writer, tools []server.Exposed, kinds []server.ExposedKind) error {
	type tool struct {
		Name        string `json:"name"`
		Title       string `json:"title"`
		Description string `json:"description,omitempty"`
		Writes      bool   `json:"writes"`
		Exposed     bool   `json:"exposed"`
		Hidden      string `json:"hidden,omitempty"`
	}
	type kind struct {
		Name    string `json:"name"`
		Needs   string `json:"needs"`
		Exposed bool   `json:"exposed"`
		Hidden  string `json:"hidden,omitempty"`
	}
	list := struct {
		Tools []tool `json:"tools"`
		Kinds []kind `json:"kinds"`
	}{}
	for _, t := range tools {
		list.Tools = append(list.Tools, tool{t.Name, t.Title, t.Description, t.Writes, t.Hidden == "", t.Hidden})
	}
	for _, k := range kinds {
		list.Kinds = append(list.Kinds, kind{k.Name, k.Needs, k.Hidden == "", k.Hidden})
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(list)
}
