package bitbucket

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Kind is what sort of failure an error is, so that a caller can say what to
// do about it.
type Kind int

// The kinds.
const (
	Failed          Kind = iota // Bitbucket failed: a 5xx, or a status that says nothing more
	NotFound                    // there is no such project, repository, pull request, …
	Unauthenticated             // the credentials were missing or refused
	Denied                      // signed in, and not permitted
	Conflict                    // the request does not fit what there is now
	Invalid                     // the request was wrong
	Busy                        // Bitbucket asks to wait: its rate limit
	Unsupported                 // the answer is not what a Bitbucket of a supported release sends
	Unreachable                 // no answer came
)

// Error is a request that did not work.
type Error struct {
	Kind      Kind
	Status    int // HTTP status; 0 when no answer came
	Method    string
	Path      string // as sent, without host, context path and query
	Messages  []string
	Exception string // the full Java class of the first error that named one
	RequestID string // X-AREQUESTID, by which an operator finds the request in the log
}

// Error gives what was asked, the status, Bitbucket's own words and the
// request's id.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: ", e.Method, e.Path)
	if e.Status != 0 {
		fmt.Fprintf(&b, "%d: ", e.Status)
	}
	b.WriteString(strings.Join(e.Messages, "; "))
	if e.RequestID != "" {
		fmt.Fprintf(&b, " (request %s)", e.RequestID)
	}
	return b.String()
}

// The last part of the exception class by which Bitbucket tells apart
// failures of one status (bitbucket-rest.md section 3).
const (
	noSuchProject     = "NoSuchProjectException"
	noSuchRepository  = "NoSuchRepositoryException"
	noSuchPullRequest = "NoSuchPullRequestException"
	noSuchCommit      = "NoSuchCommitException"
	noSuchRef         = "NoSuchRefException"
	noSuchBranch      = "NoSuchBranchException"
	noSuchTag         = "NoSuchTagException"
	noSuchPath        = "NoSuchPathException"
	notPermitted      = "AuthorisationException"
	notPermittedREST  = "AuthorizationException"
)

// Missing names what a NotFound error says does not exist: "project",
// "repository", "pull request", "ref" (a branch, a tag or a commit), "path", or
// "" when Bitbucket did not say.
func (e *Error) Missing() string {
	switch {
	case e.Kind != NotFound:
	case e.names(noSuchProject):
		return "project"
	case e.names(noSuchRepository):
		return "repository"
	case e.names(noSuchPullRequest):
		return "pull request"
	case e.names(noSuchCommit), e.names(noSuchRef), e.names(noSuchBranch), e.names(noSuchTag):
		return "ref"
	case e.names(noSuchPath):
		return "path"
	}
	return ""
}

// names says whether the exception is of that class, in whatever package.
func (e *Error) names(class string) bool { return strings.HasSuffix(e.Exception, class) }

// answeredError reads Bitbucket's error envelope, or whatever came instead of
// it: a failed cross-site check is plain text, an unknown route may be XML, a
// proxy answers HTML.
func answeredError(method, path string, res *http.Response, data []byte) error {
	e := &Error{Status: res.StatusCode, Method: method, Path: path, RequestID: res.Header.Get("X-Arequestid")}
	var envelope struct {
		Errors []struct {
			Context        string
			Message        string
			ExceptionName  string
			ReviewerErrors []struct{ Context, Message string }
			Details        []string
		}
		Message string // an unrouted path: {"message","status-code","sub-code"}
	}
	if json.Unmarshal(data, &envelope) == nil {
		for _, one := range envelope.Errors {
			message := one.Message
			if one.Context != "" {
				message = one.Context + ": " + message
			}
			e.Messages = append(e.Messages, message)
			e.Messages = append(e.Messages, one.Details...)
			for _, r := range one.ReviewerErrors {
				e.Messages = append(e.Messages, r.Context+": "+r.Message)
			}
			if e.Exception == "" {
				e.Exception = one.ExceptionName
			}
		}
		if envelope.Message != "" {
			e.Messages = append(e.Messages, envelope.Message)
		}
	}
	if len(e.Messages) == 0 {
		e.Messages = []string{firstLine(data)}
	}
	e.Kind = kindOf(res.StatusCode, e.Exception)
	return e
}

func kindOf(status int, exception string) Kind {
	switch status {
	case http.StatusUnauthorized:
		// Bitbucket answers 401 for "signed in, not permitted" too.
		if strings.HasSuffix(exception, "."+notPermitted) || strings.HasSuffix(exception, "."+notPermittedREST) {
			return Denied
		}
		return Unauthenticated
	case http.StatusForbidden:
		return Denied
	case http.StatusNotFound:
		return NotFound
	case http.StatusConflict:
		return Conflict
	case http.StatusTooManyRequests:
		return Busy
	case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusUnsupportedMediaType:
		return Invalid
	}
	return Failed
}
