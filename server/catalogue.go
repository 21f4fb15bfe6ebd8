package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
	"github.com/bb-mcp/bb/server/view"
)

// Tool is one tool as data. What it does with a call is in the handler that
// register binds to a server.
type Tool struct {
	Name        string
	Title       string
	Description string
	// Writes is true for a tool that changes something in Bitbucket.
	Writes bool
	// Scope says how the workspace scope bounds it.
	Scope scopeRule
	// register adds the tool to a server.
	register func(*Server)
}

// Catalogue is every tool bb has, by name. show comes last: what it offers
// depends on the others.
func Catalogue() []Tool {
	return []Tool{
		compareRefsTool(),
		getBuildStatusTool(),
		getCommitTool(),
		getFileTool(),
		getPullRequestDiffTool(),
		getPullRequestTool(),
		listBranchesTool(),
		listCodeInsightsTool(),
		listCommitsTool(),
		listFilesTool(),
		listPullRequestActivityTool(),
		listPullRequestCommitsTool(),
		listPullRequestThreadsTool(),
		listPullRequestsTool(),
		listRequiredBuildsTool(),
		listTagsTool(),
		searchCodeTool(),
		searchRepositoriesTool(),
		suggestReviewersTool(),
		showTool(),
	}
}

// kind is a kind of view as show offers it: it is offered while the tool whose
// answer it shows is exposed (V4).
type kind struct {
	name        string
	tool        string
	description string
}

// allKinds are the kinds of show, in the order the schema names them.
var allKinds = []kind{
	{view.KindPullRequest, "get_pull_request", "one pull request with what needs attention, reviewers, builds, description and newest activity (project, repo, id)"},
	{view.KindPullRequests, "list_pull_requests", "pull requests of a repository (project, repo, state), or without project and repo those of the person bb acts for (state, role)"},
}

// expose decides which tools and kinds the server has.
func (s *Server) expose() error {
	list, err := exposure(Catalogue(), s.o, s.scope)
	if err != nil {
		return err
	}
	for _, e := range list {
		if e.Hidden == "" {
			s.tools = append(s.tools, e.Tool)
		} else {
			s.hidden = append(s.hidden, e.Name)
		}
	}
	if len(s.tools) == 0 {
		return errors.New("no tool is left to expose; bb ai mcp tools with the same flags says why")
	}
	if s.has(showName) {
		s.kinds = kindsOf(toolNames(s.tools))
	}
	return nil
}

func toolNames(tools []Tool) []string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	return names
}

// has says whether a tool is exposed.
func (s *Server) has(name string) bool { return slices.Contains(toolNames(s.tools), name) }

// definition is the tool as tools/list shows it, without schemas.
func (t Tool) definition() *mcp.Tool {
	no, writes := false, t.Writes
	return &mcp.Tool{
		Name:        t.Name,
		Title:       t.Title,
		Description: t.Description,
		// All four are said: the protocol's default for the two pointers is true.
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !writes, DestructiveHint: &writes, IdempotentHint: !writes, OpenWorldHint: &no},
	}
}

// report is a tool's answer: text and structuredContent, each complete for a
// model by itself.
type report[Out any] struct {
	text string
	data Out
	// images follow the text.
	images []*mcp.ImageContent
	// resource is what the answer can be read again as (R10), when it is one
	// resource.
	resource *mcp.ResourceLink
}

// define completes t with a handler. adjust may narrow the schema of the
// arguments, which is inferred from In.
func define[In, Out any](t Tool, adjust func(*jsonschema.Schema), answer func(context.Context, *Server, In) (report[Out], error)) Tool {
	t.register = func(s *Server) {
		def := t.definition()
		rule := func(map[string]any) scopeRule { return t.Scope }
		addTool(s, def, rule, adjust, answerSchema[Out], func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, error) {
			r, err := answer(ctx, s, in)
			if err != nil {
				return nil, err
			}
			data, err := quote.JSON(r.data)
			if err != nil {
				return nil, err
			}
			res := &mcp.CallToolResult{Content: text(r.text), StructuredContent: data}
			for _, image := range r.images {
				res.Content = append(res.Content, image)
			}
			if r.resource != nil && linksResources(req) {
				res.Content = append(res.Content, r.resource)
			}
			return res, nil
		})
	}
	return t
}

// addTool registers a tool with the SDK: its arguments are held to the scope,
// checked against their schema and decoded into an In, the call is bounded in
// time, and an error of the handler becomes the tool's answer.
//
// The SDK's own generic registration does the same and infers and resolves
// every schema at start, which took most of the time to start. Here a tool is
// registered with schemas that say nothing yet, which are completed when the
// tools are first listed or the tool is first called (see Server.complete);
// answers, which is nil for a tool without structured content, gives the one
// of the answer. That answers fit their schema is held by tests.
func addTool[In any](s *Server, def *mcp.Tool, rule func(arguments map[string]any) scopeRule, adjust func(*jsonschema.Schema), answers func() *jsonschema.Schema,
	handle func(context.Context, *mcp.CallToolRequest, In) (*mcp.CallToolResult, error)) {
	schema, answer := &jsonschema.Schema{Type: "object"}, &jsonschema.Schema{Type: "object"}
	def.InputSchema = schema
	if answers != nil {
		def.OutputSchema = answer
	}
	s.definitions[def.Name] = sync.OnceValue(func() arguments {
		in := schemaFor[In]()
		if adjust != nil {
			adjust(in)
		}
		describe(in)
		s.scope.relax(rule(nil), in)
		*schema = *in
		if answers != nil {
			*answer = *answers()
		}
		return argumentsOf(in)
	})
	resolved := sync.OnceValues(func() (*jsonschema.Resolved, error) {
		return schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	})
	s.mcp.AddTool(def, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, cancel := context.WithTimeout(ctx, s.o.CallTimeout)
		defer cancel()
		r, err := resolved()
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", def.Name, err)
		}
		in, err := readArguments[In](r, req.Params.Arguments, func(arguments map[string]any) error {
			return s.scope.bind(rule(arguments), arguments)
		})
		if err != nil {
			return failure(fmt.Errorf("arguments of %s: %w", def.Name, err)), nil
		}
		if s.scope.limited() {
			ctx = bitbucket.WithPlaces(ctx, s.scope.has) // a repository that moved may have moved out of it
		}
		defer reportProgress(ctx, req)()
		result, err := handle(ctx, req, in)
		if err != nil {
			result = failure(s.explain(ctx, err))
		}
		s.sayHidden(result)
		if n := units(result); n > maxResult {
			// Answers bound what they hold; this is for what nobody thought of.
			s.o.Logger.ErrorContext(ctx, "answer too large", "tool", def.Name, "units", n)
			return failure(fmt.Errorf("the answer would be %d characters, more than the %d that clients take; ask for less, such as limit 1 or another start", n, maxResult)), nil
		}
		return result, nil
	})
}

// sayHidden tells a model of the tools that an answer names and this server does
// not expose, which it would look for in vain.
func (s *Server) sayHidden(result *mcp.CallToolResult) {
	for _, c := range result.Content {
		t, ok := c.(*mcp.TextContent)
		if !ok {
			continue
		}
		var named []string
		for _, name := range s.hidden {
			if name != showName && strings.Contains(t.Text, name) {
				named = append(named, name)
			}
		}
		if len(named) > 0 {
			t.Text += "\n(Not exposed by this server: " + strings.Join(named, ", ") + ".)"
		}
		return
	}
}

// failure is a tool's answer that says what went wrong.
func failure(err error) *mcp.CallToolResult {
	told, left := cut(err.Error(), maxFailure)
	if left > 0 {
		told += fmt.Sprintf("… (%d more characters)", left)
	}
	return &mcp.CallToolResult{Content: text(told), IsError: true}
}

// maxFailure bounds what is told of a failure, in UTF-16 units: it may repeat
// what a model or a server sent, however long.
const maxFailure = 4_000

func text(t string) []mcp.Content { return []mcp.Content{&mcp.TextContent{Text: t}} }
