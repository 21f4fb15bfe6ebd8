package server

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

// about says what was asked, for the error of an answer function.
func about(what string, err error) error {
	return fmt.Errorf("%s: %w", what, err)
}

// explain gives a failed call the words a model can act on: what was asked,
// what came back in Bitbucket's own words with the request's id, and what can
// be done.
func (s *Server) explain(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		return fmt.Errorf("%w: Bitbucket did not answer within %v. Try again, or ask for less", errNoAnswer, s.o.CallTimeout)
	}
	var failed *bitbucket.Error
	if !errors.As(err, &failed) {
		return err
	}
	if todo := s.remedy(failed); todo != "" {
		return fmt.Errorf("%s. %s", quote.Visible(err.Error()), todo)
	}
	return errors.New(quote.Visible(err.Error()))
}

var errNoAnswer = errors.New("no answer in time")

// remedy is what the person or the model can do about a failure, or "".
func (s *Server) remedy(e *bitbucket.Error) string {
	switch e.Kind {
	case bitbucket.NotFound:
		switch e.Missing() {
		case "project":
			return "Check the project key; a personal project is written ~user"
		case "repository":
			return "Check the repository slug: it is the name in the address, in lower case"
		case "pull request":
			return "Check the number; list_pull_requests lists those of the repository"
		case "ref":
			return "Check the name; list_branches and list_tags find names, and refs/heads/… or refs/tags/… says which is meant where there are both"
		case "path":
			return "Check the path, whose letter case counts, and at; list_files lists what a folder holds"
		}
		return "Bitbucket does not have it under this name, or this release lacks the endpoint"
	case bitbucket.Unauthenticated:
		return "The credentials bb runs with are missing, wrong or expired: the person who set bb up has to give it a valid token"
	case bitbucket.Denied:
		who := s.o.Bitbucket.Caller()
		if who == "" {
			return "The credentials bb runs with may not see it"
		}
		return fmt.Sprintf("bb acts for %s, who may not see it; somebody who administers it can grant access", quote.Visible(who))
	case bitbucket.Busy:
		return "Bitbucket limits how often it is asked; wait a minute and try again"
	case bitbucket.Unreachable:
		return fmt.Sprintf("Check that %s can be reached from where bb runs (network, proxy, certificate)", s.o.Bitbucket.URL())
	case bitbucket.Unsupported:
		return fmt.Sprintf("Check that %s is the address of a Bitbucket Data Center; a login page or a proxy may stand in front of it", s.o.Bitbucket.URL())
	case bitbucket.Failed:
		return "Bitbucket itself failed; try again, and if it stays, its operator finds the request by its id"
	}
	return ""
}

// reason is why one part of an answer could not be read, short enough to
// stand in a view: Bitbucket's words, without the request.
func reason(err error) string {
	var failed *bitbucket.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "Bitbucket did not answer in time"
	case !errors.As(err, &failed):
		return err.Error()
	case failed.Kind == bitbucket.Unreachable:
		return "Bitbucket could not be reached"
	}
	return strings.TrimSuffix(strings.Join(failed.Messages, "; "), ".")
}
