package bitbucket_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// failed is the error of a read that is answered so.
func failed(t *testing.T, o bitbucket.Options, status int, contentType, body string, header ...string) *bitbucket.Error {
	t.Helper()
	o.Transport = answers(func(*http.Request) (*http.Response, error) {
		res, err := reply(status, contentType, body)
		res.Header.Set("X-Arequestid", "@1X2Y3Zx543x12x0")
		for i := 0; i+1 < len(header); i += 2 {
			res.Header.Set(header[i], header[i+1])
		}
		return res, err
	})
	var failed *bitbucket.Error
	synctest.Test(t, func(t *testing.T) {
		_, err := client(t, o).PullRequest(t.Context(), "X", "y", 1)
		if !errors.As(err, &failed) {
			t.Fatalf("%d %s: %v is no Error", status, body, err)
		}
	})
	return failed
}

// envelope is Bitbucket's list of errors with one.
func envelope(message, exception, more string) string {
	if exception != "" {
		exception = fmt.Sprintf(`,"exceptionName":"com.atlassian.bitbucket.%s"`, exception)
	}
	return fmt.Sprintf(`{"errors":[{"context":null,"message":%q%s%s}]}`, message, exception, more)
}

// T7. REST-02, REST-08, REST-13, REST-21: every kind of failure is told from
// the others, keeps Bitbucket's words and names the request.
func TestEveryFailureIsToldFromTheOthers(t *testing.T) {
	const html, text = "text/html;charset=UTF-8", "text/plain"
	token := bitbucket.Options{Token: "t"}
	for _, test := range []struct {
		name              string
		o                 bitbucket.Options
		status            int
		contentType, body string
		kind              bitbucket.Kind
		cause             bitbucket.Cause
		want              string
	}{
		{"refused token", token, 401, envelopeJSON, envelope("Authentication failed. Please check your credentials and try again.", "auth.IncorrectPasswordAuthenticationException", ""),
			bitbucket.Unauthenticated, bitbucket.TokenRefused, "Authentication failed."},
		{"refused without a word", token, 401, "", "", bitbucket.Unauthenticated, bitbucket.TokenRefused, "an empty answer"},
		{"nobody", bitbucket.Options{}, 401, envelopeJSON, `{"errors":[{"message":"m","exceptionName":"com.atlassian.plugins.rest.api.security.exception.AuthenticationRequiredException"}]}`,
			bitbucket.Unauthenticated, bitbucket.SignInRequired, "m"},
		{"somebody seen as nobody", token, 401, envelopeJSON, `{"errors":[{"message":"m","exceptionName":"com.atlassian.plugins.rest.api.security.exception.AuthenticationRequiredException"}]}`,
			bitbucket.Unauthenticated, bitbucket.TokenRefused, "m"},
		{"not permitted", token, 401, envelopeJSON, envelope("You are not permitted to access this resource", "AuthorisationException", ""), bitbucket.Denied, "", "not permitted"},
		{"administrators only", token, 401, envelopeJSON, `{"errors":[{"message":"m","exceptionName":"com.atlassian.plugins.rest.api.security.exception.AuthorizationException"}]}`, bitbucket.Denied, "", "m"},
		{"without licence", token, 401, envelopeJSON, envelope("m", "auth.NoAccessAuthenticationException", ""), bitbucket.Unauthenticated, bitbucket.NotLicensed, "m"},
		{"forbidden", token, 403, envelopeJSON, `{"errors":[]}`, bitbucket.Denied, "", `{"errors":[]}`},
		{"cross-site", token, 403, html, "XSRF check failed", bitbucket.Denied, bitbucket.CrossSiteRefused, "XSRF check failed"},
		{"unrouted", token, 404, envelopeJSON, `{"message":"HTTP 404 Not Found","status-code":404,"sub-code":-1}`, bitbucket.NotFound, bitbucket.NoEndpoint, "HTTP 404 Not Found"},
		{"unrouted in XML", token, 404, "application/xml", `<?xml version="1.0"?><status><status-code>404</status-code><message>HTTP 404 Not Found</message></status>`,
			bitbucket.NotFound, bitbucket.NoEndpoint, "XML: HTTP 404 Not Found"},
		{"another server", token, 404, html, "<!DOCTYPE html><html><head><title>404 &#8211; nginx</title>", bitbucket.Unsupported, bitbucket.NotJSON, `titled "404 – nginx"`},
		{"out of date", token, 409, envelopeJSON, envelope("You are attempting to modify a pull request based on out-of-date information.", "pull.PullRequestOutOfDateException", `,"currentVersion":3,"expectedVersion":-1`),
			bitbucket.Conflict, bitbucket.OutOfDate, "the current version is 3"},
		{"out of date, before 7", token, 409, envelopeJSON, envelope("m", "pull.PullRequestOutOfDateException", `,"pullRequest":{"id":2,"version":4}`), bitbucket.Conflict, bitbucket.OutOfDate, "the current version is 4"},
		{"comment out of date", token, 409, envelopeJSON, envelope("m", "comment.CommentOutOfDateException", ""), bitbucket.Conflict, bitbucket.OutOfDate, "m"},
		{"vetoed", token, 409, envelopeJSON, envelope("Merging the pull request has been vetoed.", "pull.PullRequestMergeVetoedException",
			`,"conflicted":false,"vetoes":[{"summaryMessage":"Not all required builds are successful yet","detailedMessage":"You still need one."},{"summaryMessage":"Two","detailedMessage":"Three"}]`),
			bitbucket.Conflict, bitbucket.Vetoed, "Not all required builds are successful yet: You still need one.; Two: Three"},
		{"conflicted", token, 409, envelopeJSON, envelope("The pull request has conflicts and cannot be merged.", "pull.PullRequestMergeVetoedException", `,"conflicted":true,"vetoes":[]`),
			bitbucket.Conflict, bitbucket.MergeConflicted, "has conflicts"},
		{"closed", token, 409, envelopeJSON, envelope("This pull request has already been merged.", "pull.IllegalPullRequestStateException", ""), bitbucket.Conflict, bitbucket.Closed, "already been merged"},
		{"duplicate", token, 409, envelopeJSON, envelope("Only one pull request may be open for a given source and target branch", "pull.DuplicatePullRequestException",
			`,"existingPullRequest":{"id":17,"toRef":{"repository":{"slug":"catalogue","project":{"key":"ORCH"}}}}`), bitbucket.Conflict, bitbucket.Duplicate, "pull request ORCH/catalogue #17"},
		{"nothing to merge", token, 409, envelopeJSON, envelope("m", "pull.EmptyPullRequestException", ""), bitbucket.Conflict, bitbucket.NothingNew, "m"},
		{"pushed meanwhile", token, 409, envelopeJSON, `{"errors":[{"message":"m","exceptionName":"com.atlassian.stash.scm.MergeException"}]}`, bitbucket.Conflict, bitbucket.PushedMeanwhile, "m"},
		{"comment with replies", token, 409, envelopeJSON, envelope("m", "comment.CommentDeletionException", ""), bitbucket.Conflict, bitbucket.CommentHasReplies, "m"},
		{"branch exists", token, 400, envelopeJSON, envelope("Branch 'x' already exists", "branch.DuplicateRefException", ""), bitbucket.Invalid, bitbucket.Duplicate, "already exists"},
		{"wrong method", token, 405, envelopeJSON, `{"message":"HTTP 405 Method Not Allowed"}`, bitbucket.Invalid, "", "Method Not Allowed"},
		{"wrong type", token, 415, "", "", bitbucket.Invalid, "", "an empty answer"},
		{"not acceptable", token, 406, "", "", bitbucket.Invalid, "", "an empty answer"},
		{"busy", token, 429, envelopeJSON, envelope("slow down", "", ""), bitbucket.Busy, bitbucket.RateLimited, "slow down"},
		{"fault", token, 500, envelopeJSON, envelope("boom", "", ""), bitbucket.Failed, "", "boom"},
		{"database", token, 500, envelopeJSON, envelope("A database error has occurred.", "DataStoreException", ""), bitbucket.Failed, bitbucket.DatabaseError, "A database error"},
		{"proxy", token, 502, html, "<html>\n<title>502 Bad Gateway</title>", bitbucket.Failed, "", `an HTML page titled "502 Bad Gateway"`},
		{"maintenance", token, 503, html, "<html><title>Bitbucket is in maintenance</title>", bitbucket.Failed, bitbucket.InMaintenance, "in maintenance"},
		{"login page", token, 200, html, `<!doctype html><title>Log in - Bitbucket</title>`, bitbucket.Unsupported, bitbucket.LoginPage, `titled "Log in - Bitbucket"`},
		{"login form", token, 200, html, `<html><form><input type="password"></form>`, bitbucket.Unsupported, bitbucket.LoginPage, "without a title"},
		{"login page with 401", token, 401, html, `<html><title>Sign in to your account</title>`, bitbucket.Unauthenticated, bitbucket.LoginPage, "Sign in"},
		{"another page", token, 200, html, `<html><title>Welcome</title>`, bitbucket.Unsupported, bitbucket.NotJSON, `"Welcome"`},
		{"plain text", token, 200, text, "hello\nthere", bitbucket.Unsupported, bitbucket.NotJSON, "text/plain, not JSON: hello"},
		{"XML", token, 200, "application/xml", "<a/>", bitbucket.Unsupported, bitbucket.NotJSON, "XML"},
		{"nothing", token, 200, "", "", bitbucket.Unsupported, bitbucket.NotJSON, "an empty answer"},
		{"wrong shape", token, 200, envelopeJSON, `[1,2]`, bitbucket.Unsupported, bitbucket.NotJSON, "cannot be read"},
		{"broken JSON", token, 200, envelopeJSON, `{"id":`, bitbucket.Unsupported, bitbucket.NotJSON, "cannot be read"},
		{"http to https", bitbucket.Options{URL: "http://localhost:8443"}, 400, text, "Client sent an HTTP request to an HTTPS server.", bitbucket.Unreachable, bitbucket.TLSWanted, "HTTPS server"},
		{"two fields", token, 400, envelopeJSON, `{"errors":[{"context":"title","message":"a"},{"context":"text","message":"b"}]}`, bitbucket.Invalid, "", "title: a; text: b"},
		{"a member of another type", token, 400, envelopeJSON, `{"errors":[{"message":"kept","details":"no list"}]}`, bitbucket.Invalid, "", "kept"},
		{"lines in a message", token, 400, envelopeJSON, `{"errors":[{"message":"a\n  b\tc"}]}`, bitbucket.Invalid, "", "a b c"},
	} {
		e := failed(t, test.o, test.status, test.contentType, test.body)
		if e.Kind != test.kind || e.Cause != test.cause || !strings.Contains(e.Error(), test.want) || !strings.Contains(e.Error(), "@1X2Y3Zx543x12x0") {
			t.Errorf("%s: %v\n  kind %d, cause %q; want %d, %q, the words %q and the request's id", test.name, e, e.Kind, e.Cause, test.kind, test.cause, test.want)
		}
		if !strings.Contains(e.Error(), "GET /rest/api/latest/projects/X/repos/y/pull-requests/1: ") {
			t.Errorf("%s: %v does not say what was asked", test.name, e)
		}
	}
}

// REST-13, REST-26: what is missing is named from the outside in.
func TestWhatIsMissingIsNamed(t *testing.T) {
	for exception, want := range map[string]string{
		"project.NoSuchProjectException": "project", "repository.NoSuchRepositoryException": "repository", "pull.NoSuchPullRequestException": "pull request",
		"commit.NoSuchCommitException": "commit", "content.NoSuchPathException": "path", "user.NoSuchUserException": "user", "comment.NoSuchCommentException": "comment",
		"ref.NoSuchBranchException": "branch", "ref.NoSuchTagException": "tag", "repository.NoDefaultBranchException": "default branch", "x.AnotherException": "", "": "",
	} {
		e := failed(t, bitbucket.Options{}, 404, envelopeJSON, envelope("m", exception, ""))
		if e.Missing() != want || e.Cause == bitbucket.NoEndpoint {
			t.Errorf("%s: %q is missing, want %q; cause %q", exception, e.Missing(), want, e.Cause)
		}
	}
	if e := failed(t, bitbucket.Options{}, 404, envelopeJSON, `{"errors":[{"context":"reportKey","message":"No report found with key: qwerty"}]}`); e.Missing() != "report" {
		t.Errorf("a report: %q", e.Missing())
	}
	if e := failed(t, bitbucket.Options{}, 401, envelopeJSON, envelope("m", "project.NoSuchProjectException", "")); e.Missing() != "" {
		t.Errorf("a 401 says that a %s is missing", e.Missing())
	}
}

// REST-06: nothing that Bitbucket says is lost, and nothing floods.
func TestAllOfBitbucketsWordsAreKeptWithinBounds(t *testing.T) {
	e := failed(t, bitbucket.Options{}, 400, envelopeJSON, `{"errors":[{"context":null,"message":"Errors encountered while adding some reviewers to this pull request.","details":["one","two"],
		"exceptionName":"com.atlassian.bitbucket.pull.InvalidPullRequestReviewersException","reviewerErrors":[{"context":"bob","message":"bob is not a user.","exceptionName":null}],
		"validReviewers":[{"user":{"name":"alice"}},{"name":"carol"}]},{"message":"and more"}]}`)
	want := []string{"Errors encountered while adding some reviewers to this pull request.", "one", "two", "bob: bob is not a user.", "and more"}
	if !slices.Equal(e.Words(), want) || !slices.Equal(e.ValidReviewers, []string{"alice", "carol"}) {
		t.Errorf("the words are %q, valid reviewers %q", e.Words(), e.ValidReviewers)
	}
	many := strings.TrimSuffix(strings.Repeat(`{"message":"`+strings.Repeat("é", 5000)+`"},`, 200), ",")
	e = failed(t, bitbucket.Options{}, 400, envelopeJSON, `{"errors":[`+many+`]}`)
	if words := e.Words(); len(words) != 21 || words[20] != "and 180 more" || len([]rune(e.Error())) > 13_000 {
		t.Errorf("200 long messages are %d words of %d characters, the last %q", len(words), len(e.Error()), words[len(words)-1])
	}
}

func TestAVersionThatMovedIsGiven(t *testing.T) {
	e := failed(t, bitbucket.Options{}, 409, envelopeJSON, envelope("m", "pull.PullRequestOutOfDateException", `,"currentVersion":1,"expectedVersion":-1`))
	if e.CurrentVersion == nil || *e.CurrentVersion != 1 || e.ExpectedVersion == nil || *e.ExpectedVersion != -1 {
		t.Errorf("%+v", e)
	}
}

// After some wrong passwords no credentials help until a person logs in.
func TestACaptchaIsToldFromARefusedToken(t *testing.T) {
	body := envelope("Authentication failed.", "auth.IncorrectPasswordAuthenticationException", "")
	for header, login := range map[string]string{
		"CAPTCHA_CHALLENGE; login-url=https://bitbucket.example.com/login": "https://bitbucket.example.com/login",
		"CAPTCHA_CHALLENGE": "",
		"CAPTCHA_CHALLENGE; login-url=javascript:alert(1)": "",
	} {
		e := failed(t, bitbucket.Options{Token: "t"}, 401, envelopeJSON, body, "X-Authentication-Denied-Reason", header)
		if e.Cause != bitbucket.CaptchaRequired || e.LoginURL != login {
			t.Errorf("%s: cause %q, log in at %q", header, e.Cause, e.LoginURL)
		}
	}
}
