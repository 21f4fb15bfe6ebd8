package server

import (
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bb-mcp/bb/server/quote"
	"github.com/bb-mcp/bb/server/uri"
)

// linkTo is the link to the resource that an answer is (R10), to attach it or
// to read it again.
func linkTo(n uri.Name) *mcp.ResourceLink {
	place := Place{n.Project, n.Repo}.String()
	var name string
	switch n.Kind {
	case uri.PullRequest:
		name = fmt.Sprintf("%s #%d", place, n.ID)
	case uri.Diff, uri.Threads:
		name = fmt.Sprintf("%s #%d %s", place, n.ID, n.Kind)
	case uri.Commit:
		name = place + " " + short(n.Commit)
	case uri.File:
		name = place + " " + n.Path
	}
	return &mcp.ResourceLink{URI: n.String(), Name: quote.Visible(name), MIMEType: "text/plain"}
}

// linksResources says whether the revision that is spoken has resource links.
// An SDK of an older one loses the whole result over them (go-sdk.md 1.2).
func linksResources(req *mcp.CallToolRequest) bool { return req.ProtocolVersion() >= "2025-06-18" }
