package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/quote"
)

// printCheck asks Bitbucket once and says what bb would do with it: which
// Bitbucket, for whom, in which scope, with how many tools. What is doubtful
// goes to stderr; what does not work is the error.
func printCheck(ctx context.Context, s *server.Server, out, stderr io.Writer) error {
	a, err := s.Check(ctx)
	if a.Release != "" {
		invented := ""
		if a.Demo {
			invented = ", invented data (--fake)"
		}
		fmt.Fprintf(out, "Bitbucket: %s, release %s%s\n", a.URL, quote.Visible(a.Release), invented)
	}
	if err != nil {
		return err
	}
	who := "nobody that Bitbucket names"
	if p := a.Person; p != nil {
		who = quote.Visible(fmt.Sprintf("%s (%s)", p.DisplayName, p.Name))
	}
	fmt.Fprintf(out, "Acts for:  %s\n", who)
	scope := "everything these credentials may see"
	if len(a.Scope) > 0 {
		scope = strings.Join(a.Scope, ", ")
	}
	fmt.Fprintf(out, "Scope:     %s\n", scope)
	fmt.Fprintf(out, "Tools:     %d of %d exposed\n", a.Exposed, a.Tools)
	for _, w := range a.Warnings {
		fmt.Fprintln(stderr, "bb:", w)
	}
	return nil
}
