package bitbucket

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// envelope is how Bitbucket says what went wrong, and how its REST framework
// does for a path that nothing answers (bitbucket-rest.md section 3).
type envelope struct {
	Errors []struct {
		Context         string
		Message         string
		ExceptionName   string
		Details         []string
		ReviewerErrors  []struct{ Context, Message string }
		ValidReviewers  []validReviewer
		Conflicted      bool
		Vetoes          []Veto
		CurrentVersion  *int
		ExpectedVersion *int
		// The whole pull request, from before 7.
		PullRequest         *struct{ Version *int }
		ExistingPullRequest *PullRequest
	}
	Message string
}

// validReviewer is a participant, or on some releases the user itself.
type validReviewer struct {
	Name string
	User struct{ Name string }
}

// refused reads an answer whose status is not 2xx: Bitbucket's envelope, or
// whatever came instead of it. auth is what was sent as Authorization.
func (c *Client) refused(o outgoing, auth string, res *http.Response, data []byte) *Error {
	e := &Error{Status: res.StatusCode, Method: o.method, Path: o.target, RequestID: requestID(res.Header),
		RetryAfter: retryAfter(res.Header, c.now())}
	own := e.readEnvelope(data)
	e.Kind = e.kindOf()
	e.findCause(auth)

	var foreign foreign
	if !own {
		foreign = foreignAnswer(res.Header, data)
		e.say(foreign.words)
		e.judgeForeign(foreign, c.base.Scheme)
	}
	if res.StatusCode == http.StatusUnauthorized {
		e.readCaptcha(res.Header)
	}
	if e.Cause == ProxySignIn {
		if proxy := c.proxyOf(res.Request); proxy != "" {
			e.say("the answer is from the proxy " + proxy)
		}
	}
	if len(e.Messages) == 0 {
		e.say(http.StatusText(res.StatusCode) + ", without a reason")
	}
	return e
}

// readEnvelope takes over what Bitbucket says, all of it, and says whether the
// answer was Bitbucket's.
func (e *Error) readEnvelope(data []byte) bool {
	var v envelope
	err := json.Unmarshal(data, &v)
	if err != nil {
		// One member that is of another type than expected hides the others
		// from nobody: what could be read was.
		var mismatch *json.UnmarshalTypeError
		if !errors.As(err, &mismatch) || len(v.Errors) == 0 {
			return false
		}
	}
	e.enveloped = len(v.Errors) > 0
	for i, one := range v.Errors {
		if i == 0 {
			e.context = one.Context
		}
		message := one.Message
		if one.Context != "" {
			message = one.Context + ": " + message
		}
		e.say(message)
		for _, d := range one.Details {
			e.say(d)
		}
		for _, r := range one.ReviewerErrors {
			e.say(r.Context + ": " + r.Message)
		}
		for _, r := range one.ValidReviewers {
			if name := cmp.Or(r.User.Name, r.Name); name != "" && len(e.ValidReviewers) < maxMessages {
				e.ValidReviewers = append(e.ValidReviewers, oneLine(name, maxName))
			}
		}
		for _, veto := range one.Vetoes {
			e.Vetoes = append(e.Vetoes, veto)
			e.say(strings.TrimSuffix(veto.SummaryMessage, ".") + ": " + veto.DetailedMessage)
		}
		if one.Conflicted && e.Cause == "" {
			e.Cause = MergeConflicted
		}
		if one.CurrentVersion != nil {
			e.CurrentVersion, e.ExpectedVersion = one.CurrentVersion, one.ExpectedVersion
		} else if p := one.PullRequest; p != nil && p.Version != nil && e.CurrentVersion == nil {
			e.CurrentVersion = p.Version
		}
		if p := one.ExistingPullRequest; p != nil && p.ID != 0 {
			e.Existing = p
		}
		if e.Exception == "" {
			e.Exception = one.ExceptionName
		}
	}
	e.say(v.Message)
	e.Said = len(e.Messages)
	if p := e.Existing; p != nil {
		e.say(fmt.Sprintf("there is already pull request %s/%s #%d", p.ToRef.Repository.Project.Key, p.ToRef.Repository.Slug, p.ID))
	}
	return len(v.Errors) > 0 || v.Message != ""
}

// findCause names the cause of what Bitbucket itself answered.
func (e *Error) findCause(auth string) {
	for _, k := range classes {
		if e.is(k.class) && !(k.cause == Vetoed && e.Cause == MergeConflicted && len(e.Vetoes) == 0) {
			e.Cause = k.cause
		}
	}
	switch {
	case strings.HasSuffix(e.Exception, "OutOfDateException"):
		e.Cause = OutOfDate
		if e.CurrentVersion != nil {
			e.say(fmt.Sprintf("the current version is %d", *e.CurrentVersion))
		}
	case e.Cause == SignInRequired && auth != "":
		// Something was sent, and Bitbucket saw nobody.
		e.Cause = TokenRefused
	case e.Cause != "":
	case e.Status == http.StatusUnauthorized && e.Kind == Unauthenticated && auth == "":
		e.Cause = SignInRequired
	case e.Status == http.StatusUnauthorized && e.Kind == Unauthenticated:
		e.Cause = TokenRefused
	case e.Status == http.StatusNotFound && !e.enveloped:
		e.Cause = NoEndpoint
	case e.Status == http.StatusTooManyRequests:
		e.Cause = RateLimited
	case e.Status == http.StatusServiceUnavailable:
		e.Cause = InMaintenance
	case e.Status == http.StatusProxyAuthRequired:
		e.Cause = ProxySignIn
	}
}

// judgeForeign names the cause of what something else than Bitbucket's REST
// API answered.
func (e *Error) judgeForeign(f foreign, scheme string) {
	switch {
	case scheme == "http" && e.Status == http.StatusBadRequest && f.wantsTLS:
		e.Kind, e.Cause = Unreachable, TLSWanted
	case e.Status == http.StatusForbidden && f.crossSite:
		e.Cause = CrossSiteRefused
	case f.login:
		e.Cause = LoginPage
		if e.Status == http.StatusNotFound {
			e.Kind = Unsupported
		}
	case f.html && e.Status == http.StatusNotFound:
		// Bitbucket answers an unknown path below /rest/ in JSON or XML.
		e.Kind, e.Cause = Unsupported, NotJSON
	}
}

// readCaptcha reads the header by which Bitbucket says that after some wrong
// passwords it wants a person to log in.
func (e *Error) readCaptcha(h http.Header) {
	reason, login, _ := strings.Cut(h.Get("X-Authentication-Denied-Reason"), ";")
	if !strings.HasPrefix(strings.TrimSpace(reason), "CAPTCHA") {
		return
	}
	e.Kind, e.Cause = Unauthenticated, CaptchaRequired
	address, _ := strings.CutPrefix(strings.TrimSpace(login), "login-url=")
	if u, err := url.Parse(address); err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") {
		e.LoginURL = u.String()
	}
}
