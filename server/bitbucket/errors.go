package bitbucket

import (
	"fmt"
	"net/http"
	"strings"
	"time"
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

// Cause is why a request failed, where more is known than its [Kind].
type Cause string

// The causes.
const (
	// Unauthenticated.
	TokenRefused     Cause = "the credentials were refused"
	SignInRequired   Cause = "no credentials were sent"
	CaptchaRequired  Cause = "a CAPTCHA has to be answered"
	NotLicensed      Cause = "the user has no licence"
	ProxySignIn      Cause = "the proxy wants credentials" // also Unreachable
	CrossSiteRefused Cause = "the cross-site check failed" // Denied
	MovedOutOfScope  Cause = "moved out of the scope"      // Denied

	// NotFound.
	NoEndpoint Cause = "nothing answers under this address"

	// Conflict, and Duplicate also Invalid.
	OutOfDate         Cause = "changed since it was read"
	Vetoed            Cause = "vetoed"
	MergeConflicted   Cause = "conflicts"
	Closed            Cause = "already closed"
	Duplicate         Cause = "there is one already"
	NothingNew        Cause = "nothing to merge"
	PushedMeanwhile   Cause = "pushed to meanwhile"
	CommentHasReplies Cause = "the comment has replies"

	// Failed and Busy.
	RateLimited   Cause = "rate limited"
	InMaintenance Cause = "in maintenance"
	DatabaseError Cause = "database error"

	// Unsupported.
	LoginPage           Cause = "a login page"
	NotJSON             Cause = "not JSON"
	TooLarge            Cause = "too large"
	RedirectedElsewhere Cause = "redirected elsewhere"
	TLSWanted           Cause = "http spoken to an https port" // also Unreachable

	// Unreachable.
	NameUnknown         Cause = "the host name is unknown"
	ConnectionRefused   Cause = "the connection was refused"
	TimedOut            Cause = "the connection timed out"
	CutOff              Cause = "the connection was closed before an answer came"
	BrokenOff           Cause = "the answer broke off"
	AuthorityUnknown    Cause = "the certificate is signed by an unknown authority"
	WrongHostName       Cause = "the certificate is for another host"
	CertificateExpired  Cause = "the certificate is out of date"
	CertificateWanted   Cause = "a client certificate is wanted"
	PlainHTTPAnswered   Cause = "https spoken to an http port"
	ProxyRefused        Cause = "the proxy refused"
	ProxyUnreachable    Cause = "the proxy cannot be reached"
	ProxySettingInvalid Cause = "the proxy setting is invalid"
)

// Error is a request that did not work.
type Error struct {
	Kind      Kind
	Cause     Cause // "" where nothing more is known than Kind
	Status    int   // HTTP status; 0 when no answer came
	Method    string
	Path      string   // as sent, without host, context path and query
	Messages  []string // each on one line; at most maxMessages
	Said      int      // how many of Messages, the first ones, are Bitbucket's own words
	Left      int      // how many more messages there were
	Exception string   // the full Java class of the first error that named one
	RequestID string   // X-AREQUESTID, by which an operator finds the request in the log
	// Write says that the request was to change something. Where no answer came
	// it is not known whether it did.
	Write bool

	// RetryAfter is how long Bitbucket asked to wait; 0 when it did not.
	RetryAfter time.Duration
	// CurrentVersion is the version there is now, with OutOfDate where Bitbucket
	// says so; ExpectedVersion is the one that was sent, -1 for none.
	CurrentVersion, ExpectedVersion *int
	// Vetoes are all of Bitbucket's reasons against merging, with Vetoed.
	Vetoes []Veto
	// Existing is the pull request there is already, with Duplicate.
	Existing *PullRequest
	// ValidReviewers are the names of those of the reviewers sent who would be
	// accepted.
	ValidReviewers []string // at most maxMessages
	// LoginURL is the page on which a CAPTCHA is answered, or "".
	LoginURL string

	context   string // the field that the first message is about
	enveloped bool   // Bitbucket's own list of errors came
}

// Bounds of what is kept of an answer's words: how many messages or names, and
// the characters of each.
const (
	maxMessages = 20
	maxMessage  = 600
	maxName     = 200
)

// oneLine is text on one line, of most characters at most.
func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// say adds a message, on one line.
func (e *Error) say(message string) {
	switch message = oneLine(message, maxMessage); {
	case message == "":
	case len(e.Messages) == maxMessages:
		e.Left++
	default:
		e.Messages = append(e.Messages, message)
	}
}

// Words are Bitbucket's own words, or those for what came instead of them,
// with how many were left out.
func (e *Error) Words() []string {
	if e.Left == 0 {
		return e.Messages
	}
	return append(e.Messages[:len(e.Messages):len(e.Messages)], fmt.Sprintf("and %d more", e.Left))
}

// Error gives what was asked, the status, Bitbucket's own words and the
// request's id.
func (e *Error) Error() string {
	return e.Asked() + strings.Join(e.Words(), "; ") + e.Request()
}

// Asked is the start of Error: the request and the status of its answer.
func (e *Error) Asked() string {
	asked := fmt.Sprintf("%s %s: ", e.Method, e.Path)
	if e.Status != 0 {
		asked += fmt.Sprintf("%d: ", e.Status)
	}
	return asked
}

// Request is the end of Error: the request's id.
func (e *Error) Request() string {
	if e.RequestID == "" {
		return ""
	}
	return fmt.Sprintf(" (request %s)", e.RequestID)
}

// is says whether the failure's exception is of that class, named by the last
// part of its name: the packages moved between releases.
func (e *Error) is(class string) bool {
	return e.Exception == class || strings.HasSuffix(e.Exception, "."+class)
}

// missing are the classes by which Bitbucket says what does not exist
// (bitbucket-rest.md section 3; that of a branch, a tag and a comment are
// belief).
var missing = []struct{ class, what string }{
	{"NoSuchProjectException", "project"},
	{"NoSuchRepositoryException", "repository"},
	{"NoSuchPullRequestException", "pull request"},
	{"NoSuchCommitException", "commit"},
	{"NoSuchPathException", "path"},
	{"NoSuchUserException", "user"},
	{"NoSuchCommentException", "comment"},
	{"NoSuchBranchException", "branch"},
	{"NoSuchTagException", "tag"},
	{"NoSuchRefException", "ref"},
	{"NoSuchObjectException", "commit"},
	{"NoDefaultBranchException", "default branch"},
	{"NoSuchBuildStatusException", "build"},
	{"NoSuchAttachmentException", "attachment"},
}

// Missing names what a NotFound error says does not exist: "project",
// "repository", "pull request", "commit", "path", "user", "comment",
// "branch", "tag", "ref", "default branch", "build", "attachment", "report",
// or "" when Bitbucket did not say.
func (e *Error) Missing() string {
	if e.Kind != NotFound {
		return ""
	}
	for _, m := range missing {
		if e.is(m.class) {
			return m.what
		}
	}
	if e.context == "reportKey" { // it comes without a class
		return "report"
	}
	return ""
}

// classes are the classes by which Bitbucket tells apart failures of one
// status (bitbucket-rest.md section 3).
var classes = []struct {
	class string
	cause Cause
}{
	{"AuthenticationRequiredException", SignInRequired},
	{"NoAccessAuthenticationException", NotLicensed},
	{"CommentDeletionException", CommentHasReplies},
	{"PullRequestMergeVetoedException", Vetoed},
	{"IllegalPullRequestStateException", Closed},
	{"DuplicatePullRequestException", Duplicate},
	{"DuplicateRefException", Duplicate},
	{"EmptyPullRequestException", NothingNew},
	{"MergeException", PushedMeanwhile},
	{"DataStoreException", DatabaseError},
}

// kindOf gives a status its kind. An exception of its own class says that a
// 401 is a permission: Bitbucket answers so to who is signed in.
func (e *Error) kindOf() Kind {
	switch e.Status {
	case http.StatusUnauthorized:
		if e.is("AuthorisationException") || e.is("AuthorizationException") {
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
	case http.StatusProxyAuthRequired:
		return Unreachable
	case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusUnsupportedMediaType:
		return Invalid
	}
	return Failed
}
