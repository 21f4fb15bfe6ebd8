// Package host is a small MCP Apps host in a browser: a page that calls the
// tool show of an MCP server, mounts the view in a sandbox proxy on a second
// origin as the specification asks, and keeps every message. `bb ai mcp
// preview` shows views with it and the browser tests drive it.
//
// The page is plain JavaScript: client.js speaks MCP to the server, host.js
// speaks MCP Apps to the view, sandbox.js stands between them. bare.html is
// the host without a page around it, for tests; index.html is the preview.
package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Example is a show call that the preview page offers.
type Example struct {
	Title     string         `json:"title"`
	Arguments map[string]any `json:"arguments"`
}

// Options say what a [Site] shows. The zero value serves the pages without a
// server behind them.
type Options struct {
	// MCP is a stateless streamable HTTP endpoint that speaks revision
	// 2026-07-28. It is served as /mcp of the host's origin, to that origin
	// only. Default: every call is answered 404.
	MCP http.Handler
	// Examples are offered by the preview page. Default: none.
	Examples []Example
	// Real is true when a real Bitbucket is behind MCP; the preview says so in
	// a red bar. Default: false.
	Real bool
	// Caption says what is behind MCP, such as "embedded fake, as Amara
	// Oyelaran". Default: nothing.
	Caption string
}

// Site is a host that is being served.
type Site struct {
	// URL is the preview page, such as http://127.0.0.1:8930/. Its origin is
	// the host's origin; the bare host is at bare.html below it.
	URL string
	// SandboxURL is the second origin, such as http://localhost:8931/.
	SandboxURL string

	servers []*http.Server
	once    sync.Once
	done    chan struct{}
}

// Start serves a host on addr, a loopback host and a port, until ctx ends or
// the site is closed. Port 0 takes a free port. The sandbox proxy gets the next
// port, or a free one when that is taken, under the name localhost; both answer
// on 127.0.0.1 and, where the machine has it, on ::1.
func Start(ctx context.Context, addr string, o Options) (*Site, error) {
	name, port, err := loopback(addr)
	if err != nil {
		return nil, err
	}
	pages, err := listen(name, port)
	if err != nil {
		return nil, fmt.Errorf("host on %s: %w", addr, err)
	}
	proxies, err := listenNext(pages.port)
	if err != nil {
		pages.close()
		return nil, fmt.Errorf("sandbox of the host on %s: %w", addr, err)
	}

	hostOrigin := "http://" + pages.authority(name)
	sandboxOrigin := "http://" + proxies.authority("localhost")
	s := &Site{URL: hostOrigin + "/", SandboxURL: sandboxOrigin + "/", done: make(chan struct{})}
	s.serve(pages, guard(hostOrigin, pageHandler(hostOrigin, sandboxOrigin, o)))
	s.serve(proxies, guard(sandboxOrigin, sandboxHandler(hostOrigin, sandboxOrigin)))
	go func() {
		select {
		case <-ctx.Done():
			s.Close()
		case <-s.done:
		}
	}()
	return s, nil
}

// serve answers h on every listener of l.
func (s *Site) serve(l listeners, h http.Handler) {
	for _, one := range l.all {
		server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
		s.servers = append(s.servers, server)
		// Serve returns when the server is closed; nothing else ends it.
		go server.Serve(one)
	}
}

// Close stops serving and closes every connection. Only the first call does
// something.
func (s *Site) Close() error {
	var failed error
	s.once.Do(func() {
		close(s.done)
		for _, server := range s.servers {
			failed = errors.Join(failed, server.Close())
		}
	})
	return failed
}

// config is what the pages learn from the server, as /config.json.
type config struct {
	Sandbox  string    `json:"sandbox"`
	Examples []Example `json:"examples"`
	Real     bool      `json:"real"`
	Caption  string    `json:"caption"`
}

// pageHandler serves the host's origin.
func pageHandler(hostOrigin, sandboxOrigin string, o Options) http.Handler {
	examples := o.Examples
	if examples == nil {
		examples = []Example{}
	}
	about, err := json.Marshal(config{Sandbox: sandboxOrigin + "/sandbox.html", Examples: examples, Real: o.Real, Caption: o.Caption})
	if err != nil {
		panic(fmt.Sprintf("host: the arguments of an example are not JSON: %v", err))
	}
	mux := http.NewServeMux()
	policy := pagePolicy(sandboxOrigin)
	for path, file := range map[string]string{
		"/{$}": "index.html", "/index.html": "index.html", "/bare.html": "bare.html",
		"/client.js": "client.js", "/channel.js": "channel.js", "/host.js": "host.js", "/context.js": "context.js", "/answers.js": "answers.js",
		"/messages.js": "messages.js", "/preview.js": "preview.js", "/preview.css": "preview.css", "/host.css": "host.css",
	} {
		mux.Handle("GET "+path, asset(file, policy))
	}
	mux.HandleFunc("GET /config.json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Write(about)
	})
	// A browser asks for an icon of its own accord; 404 would stand in its
	// console as an error.
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	if o.MCP != nil {
		mux.Handle("/mcp", o.MCP)
	}
	return mux
}
