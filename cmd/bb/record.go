package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/bb-mcp/bb/cassettes"
	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
)

func recordCommand() *cobra.Command {
	var c connection
	var out string
	cmd := &cobra.Command{
		Use:   "record",
		Short: "Record the requests of a set of calls as cassettes",
		Long: "Makes the calls of the stories (DIR/stories.yaml, or bb's own) and records what Bitbucket answered, one folder each,\n" +
			"scrubbed by the rules in DIR/scrub.yaml beside those that always hold. Read a recording of a real Bitbucket before you share it.",
		Args: flagsOnly,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := c.backend(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			stories, err := cassettes.Stories(out)
			if err != nil {
				return err
			}
			c.views = server.ViewsAlways
			for _, story := range stories {
				answer, err := c.record(cmd.Context(), b, out, story)
				if err != nil {
					return fmt.Errorf("story %s: %w", story.Name, err)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", story.Name, answer)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder for the recordings")
	if err := cmd.MarkFlagRequired("out"); err != nil {
		panic(err)
	}
	c.addBitbucketFlags(cmd)
	return cmd
}

// record makes the calls of one story and records their requests. It says in a
// word how they ended: a story may be about an error.
func (c *connection) record(ctx context.Context, b *backend, out string, story cassettes.Story) (string, error) {
	head := cassettes.Head{Story: story.Name, About: story.About, MadeBy: cassettes.FromBitbucket, Date: time.Now().UTC().Format(time.DateOnly)}
	one := *b
	transport, err := bitbucket.NewTransport(b.options)
	if err != nil {
		return "", err
	}
	if b.fake != nil {
		// A fake of its own for each story: its clock stands still, and no
		// story sees what another one did.
		s, err := scenario(c.fake)
		if err != nil {
			return "", err
		}
		fake := fakebb.New(fakebb.Options{Scenario: s})
		one.fake, transport = fake, fake.Transport()
		one.options.Token = fakebb.Token(story.As)
		head.MadeBy, head.As, head.Date = cassettes.FromFake, story.As, fake.Now().UTC().Format(time.DateOnly)
	}
	release, err := one.release(ctx)
	if err != nil {
		return "", err
	}
	head.Release = release
	if head.Scrub, err = cassettes.Rules(out, b.options.URL, head.MadeBy); err != nil {
		return "", err
	}

	recorder, err := cassettes.Record(out, head, transport)
	if err != nil {
		return "", err
	}
	failed := 0
	for _, call := range story.Calls {
		isError, err := c.call(ctx, &one, recorder, call)
		if err != nil {
			return "", errors.Join(fmt.Errorf("%s: %w", call.Name, err), recorder.Discard())
		}
		if isError {
			failed++
		}
	}
	answer := "recorded"
	if failed > 0 {
		answer = fmt.Sprintf("recorded; %d of %d calls answer an error", failed, len(story.Calls))
	}
	return answer, recorder.Save()
}

// call makes a call as a client that draws views, on a server of its own. It
// says whether the answer is an error.
func (c *connection) call(ctx context.Context, b *backend, transport http.RoundTripper, call cassettes.Call) (bool, error) {
	s, err := c.server(b, transport)
	if err != nil {
		return false, err
	}
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := s.MCP().Connect(ctx, theirs, nil); err != nil {
		return false, err
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bb-record", Version: version()}, nil).Connect(ctx, ours, nil)
	if err != nil {
		return false, err
	}
	defer session.Close()
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: call.Tool, Arguments: call.Arguments})
	if err != nil {
		return false, err
	}
	return res.IsError, nil
}

// release asks the backend which Bitbucket it is.
func (b *backend) release(ctx context.Context) (string, error) {
	client, err := bitbucket.New(b.options)
	if err != nil {
		return "", err
	}
	p, err := client.ApplicationProperties(ctx)
	return p.Version, err
}
