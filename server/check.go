package server

import (
	"context"
	"errors"
	"fmt"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

// CheckAnswer is what a server finds when it asks Bitbucket who it is, before
// a client does. What was found before an error is there.
type CheckAnswer struct {
	URL string
	// Demo is true when the data is invented.
	Demo    bool
	Release string
	// Person is whom bb acts for, nil when Bitbucket names nobody.
	Person *Person
	// Scope are the places bb is limited to; empty for none.
	Scope          []string
	Exposed, Tools int // tools exposed, and tools there are
	// Warnings are what will work less well than it should.
	Warnings []string
}

// Check asks Bitbucket for its release, for something that only who is signed
// in may see, and for each place of the scope, and says who bb acts for. It
// makes three requests and one for each place, at most three deep.
func (s *Server) Check(ctx context.Context) (CheckAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.CallTimeout)
	defer cancel()
	a := CheckAnswer{URL: s.o.Bitbucket.URL(), Demo: s.o.Demo, Exposed: len(s.tools), Tools: len(Catalogue())}
	bb := s.o.Bitbucket
	release, err := bb.Release(ctx)
	if err != nil {
		return a, s.explain(ctx, about("reading which Bitbucket this is", err))
	}
	a.Release = release.String()
	switch {
	case !release.AtLeast(bitbucket.Oldest.Major, bitbucket.Oldest.Minor):
		a.Warnings = append(a.Warnings, fmt.Sprintf("Bitbucket %s is too old: bb reads %s to %s, and much of this one will fail", quote.Visible(a.Release), bitbucket.Oldest, bitbucket.Newest))
	case !release.Supported():
		a.Warnings = append(a.Warnings, fmt.Sprintf("Bitbucket %s is newer than bb knows: it reads %s to %s, and some of this one may fail", quote.Visible(a.Release), bitbucket.Oldest, bitbucket.Newest))
	}
	for _, f := range release.Lacks() {
		a.Warnings = append(a.Warnings, fmt.Sprintf("Bitbucket %s has no %s, which came with %d.%d", quote.Visible(a.Release), f.Name, f.Major, f.Minor))
	}
	if _, err := bb.ListOwnPullRequests(ctx, "OPEN", "", 0, 1); err != nil {
		return a, s.explain(ctx, about("reading as the person bb acts for", err))
	}
	a.Person = s.caller(ctx)

	failed := make([]error, len(s.scope))
	parts := partsOf(ctx)
	for i, p := range s.scope {
		a.Scope = append(a.Scope, p.String())
		parts.read(p.String(), func(ctx context.Context) error {
			if err := bb.CheckPlace(ctx, p.Project, p.Repo); err != nil {
				failed[i] = s.explain(ctx, about("scope "+p.String(), err))
			}
			return nil
		})
	}
	if _, err := parts.wait(); err != nil {
		return a, s.explain(ctx, err)
	}
	return a, errors.Join(failed...)
}
