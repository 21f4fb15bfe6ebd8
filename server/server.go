// Package server is what an MCP client talks to: Bitbucket Data Center as
// tools for a model and as views for a person.
//
// The catalogue ([Catalogue]) lists every tool as data. A tool's handler calls
// an answer function, which reads from Bitbucket; show draws the same answers
// as the payload of a view (package view), so that what the model is told and
// what the person sees cannot disagree.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/semaphore"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// DefaultCallTimeout bounds one call, down to the socket. Clients give up
// after a minute too.
const DefaultCallTimeout = 60 * time.Second

// The settings of Options.Views.
const (
	ViewsAuto   = "auto"   // believe the capability a client declares
	ViewsAlways = "always" // for a client that draws views and does not say so
	ViewsNever  = "never"  // no show, no view, nothing declared
)

// Options say what a server serves.
type Options struct {
	// Bitbucket is where answers come from. Required.
	Bitbucket *bitbucket.Client
	// Version is the program's version.
	Version string
	// Demo says that the data is invented. The server's name, its instructions
	// and every view then say so.
	Demo bool
	// Views is one of the Views constants. Default: ViewsAuto.
	Views string
	// Tools is an allow list of tool names; empty allows all.
	Tools []string
	// Exclude is a deny list of tool names, which wins over Tools.
	Exclude []string
	// ReadOnly exposes only tools that write nothing.
	ReadOnly bool
	// Projects and Repos are the workspace scope: what is in none of them is
	// refused. Empty: everything the credentials may see.
	Projects []string
	Repos    []Place
	// Now is the clock. Default: time.Now.
	Now func() time.Time
	// CallTimeout bounds one call. Default: DefaultCallTimeout.
	CallTimeout time.Duration
	// Logger gets what an operator wants to know. Default: none.
	Logger *slog.Logger
}

// Server is an MCP server over one Bitbucket.
type Server struct {
	o     Options
	tools []Tool // those exposed, by name
	kinds []kind // the kinds of show whose tool is exposed
	scope scope
	// definitions complete a tool's definition and give its arguments.
	definitions map[string]func() arguments
	people      people
	hidden      []string // tools that are not exposed
	rules       rulesKept
	// pictures is held while a picture is decoded.
	pictures sync.Mutex
	mcp      *mcp.Server
}

// New checks o and builds the server. It makes no request.
func New(o Options) (*Server, error) {
	if o.Bitbucket == nil {
		return nil, errors.New("server: no Bitbucket client given")
	}
	switch o.Views {
	case "":
		o.Views = ViewsAuto
	case ViewsAuto, ViewsAlways, ViewsNever:
	default:
		return nil, fmt.Errorf("views are %s, %s or %s, not %q", ViewsAuto, ViewsAlways, ViewsNever, o.Views)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.CallTimeout <= 0 {
		o.CallTimeout = DefaultCallTimeout
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{o: o, people: people{turn: semaphore.NewWeighted(1)}, definitions: map[string]func() arguments{}}
	var err error
	if s.scope, err = scopeOf(o.Projects, o.Repos); err != nil {
		return nil, err
	}
	if err := s.expose(); err != nil {
		return nil, err
	}
	s.build()
	return s, nil
}

// build makes the SDK's server and registers what is exposed.
func (s *Server) build() {
	// The members that are set claim no listChanged: nothing changes while the
	// server runs. A nil struct would have the SDK claim logging as well.
	caps := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	if len(s.kinds) > 0 {
		caps.Resources = &mcp.ResourceCapabilities{}
		caps.AddExtension(uiExtension, map[string]any{"mimeTypes": []string{uiMIMEType}})
	}
	title := "Bitbucket Data Center"
	if s.o.Demo {
		title += " (demo data)"
	}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: s.name(), Title: title, Version: s.o.Version}, &mcp.ServerOptions{
		Instructions: s.instructions(),
		Capabilities: caps,
		SetCacheable: cacheable,
		Logger:       s.o.Logger,
	})
	s.mcp.AddReceivingMiddleware(
		recovered(s.o.Logger),
		negotiatedVersion,
		validErrorData,
		s.complete,
		s.cleanArguments,
		hideViewPage,
	)
	for _, t := range s.tools {
		t.register(s)
	}
	if len(s.kinds) > 0 {
		s.addViewPage()
	}
}

// name is the server's name; it tells invented data from real.
func (s *Server) name() string {
	if s.o.Demo {
		return "bb-demo"
	}
	return "bb"
}

// cacheable sets how long and for whom an answer may be kept. Lists are the
// same for every connection. The page is the program's own, the same for
// everyone, and may be kept; a host that reads it again after an hour gets
// the page of a newer program.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "public"
	c.TTLMs = 5 * 60 * 1000
	if p, ok := req.GetParams().(*mcp.ReadResourceParams); ok {
		c.TTLMs = 60 * 60 * 1000
		if p.URI != uiURI {
			c.CacheScope, c.TTLMs = "private", 0
		}
	}
}

// MCP is the SDK's server, for a transport of the caller's choice.
func (s *Server) MCP() *mcp.Server { return s.mcp }

// Run serves one client on in and out, one JSON-RPC message a line, until in
// ends or ctx is cancelled.
func (s *Server) Run(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	return s.mcp.Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
}

// HTTPHandler serves streamable HTTP, stateless, so that it speaks the
// revision that has no sessions (2026-07-28). Requests from a page of another
// origin are refused.
func (s *Server) HTTPHandler() http.Handler {
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		JSONResponse:                 true,
		PropagateRequestCancellation: true,
		Logger:                       s.o.Logger,
	})
	return http.NewCrossOriginProtection().Handler(h)
}
