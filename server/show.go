package server

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bb-mcp/bb/server/view"
	"github.com/bb-mcp/bb/ui"
)

const (
	showName    = "show"
	uiExtension = "io.modelcontextprotocol/ui"
	uiURI       = ui.URI
	uiMIMEType  = ui.MIMEType
)

// maxShowText bounds the text for the model beside a view, in UTF-16 units.
const maxShowText = 1500

// ShowCall is the arguments of show. Which of them a kind takes is in the
// kind's description.
type ShowCall struct {
	Kind    string `json:"kind" jsonschema:"What to show"`
	Project string `json:"project,omitempty"`
	Repo    string `json:"repo,omitempty"`
	ID      int    `json:"id,omitempty"`
	State   string `json:"state,omitempty" jsonschema:"For pull_requests: only those in this state"`
	Role    string `json:"role,omitempty" jsonschema:"For pull_requests without project and repo: only where the person has this role"`
	Limit   int    `json:"limit,omitempty" jsonschema:"For pull_requests: how many at most"`
	Start   int    `json:"start,omitempty" jsonschema:"For pull_requests: where to go on"`
}

// showTool shows a view to the person. It writes nothing, and is the only tool
// that carries a view (V2).
func showTool() Tool {
	t := Tool{Name: showName, Title: "Show to the person", Scope: inRepositoryOrAcross}
	t.register = func(s *Server) {
		def := t.definition()
		def.Description = s.showDescription()
		def.Meta = mcp.Meta{
			"ui": map[string]any{"resourceUri": uiURI, "visibility": []string{"model"}},
			// The key of hosts that are older than the extension's first revision.
			"ui/resourceUri": uiURI,
		}
		addTool(s, def, scopeOfKind, s.adjustShow, nil, func(ctx context.Context, req *mcp.CallToolRequest, in ShowCall) (*mcp.CallToolResult, error) {
			if !s.rendersViews(req.ClientCapabilities()) {
				return &mcp.CallToolResult{Content: text(s.nothingShown(in))}, nil
			}
			payload, told, err := s.draw(ctx, in)
			if err != nil {
				return nil, err
			}
			return &mcp.CallToolResult{Content: text(told), Meta: mcp.Meta{view.MetaKey: payload}}, nil
		})
	}
	return t
}

// scopeOfKind is the scope rule of the tool whose answer a kind shows.
func scopeOfKind(arguments map[string]any) scopeRule {
	for _, k := range allKinds {
		if k.name != stringOf(arguments, "kind") {
			continue
		}
		for _, t := range Catalogue() {
			if t.Name == k.tool {
				return t.Scope
			}
		}
	}
	return inRepositoryOrAcross
}

// showDescription tells the model when to show, and what there is to show.
func (s *Server) showDescription() string {
	var b strings.Builder
	b.WriteString("Shows the person an interactive view of what you found. The other tools answer you; call this once your answer is ready, " +
		"for a person who is there to see it, and never while you work on your own. Kinds:")
	for _, k := range s.kinds {
		fmt.Fprintf(&b, " %s: %s.", k.name, k.description)
	}
	return b.String()
}

// adjustShow narrows the schema to what the exposed kinds take.
func (s *Server) adjustShow(in *jsonschema.Schema) {
	names := make([]string, len(s.kinds))
	for i, k := range s.kinds {
		names[i] = k.name
	}
	among(in, "kind", "", names...)
	between(in, "id", 1, 0, 0)
	if slices.Contains(names, view.KindPullRequests) {
		among(in, "state", "", pullRequestStates...)
		among(in, "role", "", pullRequestRoles...)
		between(in, "limit", 1, maxLimit, 0)
		between(in, "start", 0, 0, -1)
		return
	}
	for _, p := range []string{"state", "role", "limit", "start"} {
		delete(in.Properties, p)
	}
	in.PropertyOrder = slices.DeleteFunc(in.PropertyOrder, func(p string) bool { return in.Properties[p] == nil })
}

// rendersViews says whether the client draws views. A client that says so is
// believed (V6): nothing can confirm it before show has answered.
func (s *Server) rendersViews(c *mcp.ClientCapabilities) bool {
	if s.o.Views == ViewsAlways {
		return true
	}
	if c == nil {
		return false
	}
	extension, _ := c.Extensions[uiExtension].(map[string]any)
	types, _ := extension["mimeTypes"].([]any)
	return slices.Contains(types, any(uiMIMEType))
}

// nothingShown is the answer to a client that draws no views: nothing was read
// for it (V5).
func (s *Server) nothingShown(in ShowCall) string {
	answered := "Answer in words."
	for _, k := range s.kinds {
		if k.name == in.Kind {
			answered = fmt.Sprintf("Answer in words; %s has the same facts.", k.tool)
		}
	}
	return "Nothing was shown: this client draws no views. " + answered
}

// draw makes a view's payload and the short text beside it.
func (s *Server) draw(ctx context.Context, in ShowCall) (*view.Payload, string, error) {
	var p *view.Payload
	var facts string
	switch in.Kind {
	case view.KindPullRequest:
		if in.Project == "" || in.Repo == "" || in.ID == 0 {
			return nil, "", fmt.Errorf("kind %s needs project, repo and id", in.Kind)
		}
		var err error
		if p, facts, err = s.drawPullRequest(ctx, Target{in.Project, in.Repo, in.ID}); err != nil {
			return nil, "", err
		}
	case view.KindPullRequests:
		a, err := s.PullRequests(ctx, Listing{in.Project, in.Repo, in.State, in.Role, in.Limit, in.Start})
		if err != nil {
			return nil, "", err
		}
		p, facts = s.drawPullRequests(ctx, a), a.text()
	default:
		return nil, "", fmt.Errorf("there is no kind %q", in.Kind)
	}
	p.Version, p.Kind, p.Demo, p.Now = view.Version, in.Kind, s.o.Demo, s.o.Now().UnixMilli()
	p.Server = view.Server{Name: "bb", Version: s.o.Version}
	p.Call = in.arguments()
	return p, shownText(facts), nil
}

// arguments gives the call as a client would send it.
func (in ShowCall) arguments() map[string]any {
	raw, _ := json.Marshal(in)
	var m map[string]any
	_ = json.Unmarshal(raw, &m)
	return m
}

// shownText is what the model is told beside a view: the facts, so that it can
// talk about what the person sees, and what to do when no view appears.
func shownText(facts string) string {
	const told = "A view was sent to the person. If they see no view, answer in words instead.\n\n"
	const more = "\n(cut; the tools have the rest)"
	kept, left := cut(facts, maxShowText-len(told)-len(more))
	if left > 0 {
		kept += more
	}
	return told + kept
}

// addViewPage registers the page that draws every view. It holds no data, so
// it is the same for every connection (V9).
func (s *Server) addViewPage() {
	empty := []string{}
	meta := mcp.Meta{"ui": map[string]any{
		// Four empty lists say that the page asks for no network at all.
		"csp":           map[string]any{"connectDomains": empty, "resourceDomains": empty, "frameDomains": empty, "baseUriDomains": empty},
		"prefersBorder": true,
	}}
	s.mcp.AddResource(&mcp.Resource{URI: uiURI, Name: "view", Title: "Bitbucket view", MIMEType: uiMIMEType},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			// The page is put together when it is first read, not at start.
			page := &mcp.ResourceContents{URI: uiURI, MIMEType: uiMIMEType, Text: ui.Page(), Meta: meta}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{page}}, nil
		})
}
