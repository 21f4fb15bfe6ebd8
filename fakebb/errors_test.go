package fakebb_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// H1: sentences, classes and statuses of bitbucket-rest.md 3.
func TestErrorsAreBitbuckets(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	const notPermitted = `{"errors":[{"message":"You are not permitted to access this resource","exceptionName":"com.atlassian.bitbucket.AuthorisationException"}]}`
	const required = `{"errors":[{"message":"Client must be authenticated to access this resource.","exceptionName":"com.atlassian.plugins.rest.api.security.exception.AuthenticationRequiredException"}]}`
	const unrouted = `{"message":"HTTP 404 Not Found","status-code":404,"sub-code":-1}`
	insights := "/rest/insights/latest/projects/ORCH/repos/catalogue/commits/" + tip + "/reports"
	for _, test := range []struct {
		user, path string
		status     int
		body       string
	}{
		{"", first, 401, required},
		{"", rest + "/users", 401, required},
		{"", rest + "/projects/NOPE", 401, required}, // authentication comes first
		{"amara", rest + "/projects/NOPE", 404, `{"errors":[{"message":"Project NOPE does not exist.","exceptionName":"com.atlassian.bitbucket.project.NoSuchProjectException"}]}`},
		{"amara", rest + "/projects/orch/repos/nosuch/pull-requests/1", 404, `{"errors":[{"message":"Repository ORCH/nosuch does not exist.","exceptionName":"com.atlassian.bitbucket.repository.NoSuchRepositoryException"}]}`},
		{"amara", rest + "/projects/VAULT/repos/nosuch", 404, `{"errors":[{"message":"Repository VAULT/nosuch does not exist.","exceptionName":"com.atlassian.bitbucket.repository.NoSuchRepositoryException"}]}`},
		{"amara", rest + "/projects/VAULT", 401, notPermitted},
		{"amara", rest + "/projects/VAULT/repos/keys", 401, notPermitted},
		{"amara", rest + "/projects/VAULT/repos/keys/pull-requests/99", 401, notPermitted}, // permission before entity
		{"zoe", rest + "/projects/VAULT/repos/keys/pull-requests/99", 404, `{"errors":[{"message":"Pull request 99 does not exist in VAULT/keys.","exceptionName":"com.atlassian.bitbucket.pull.NoSuchPullRequestException"}]}`},
		{"amara", catalogue + "/pull-requests/one", 404, unrouted},
		{"amara", catalogue + "/pull-requests/99999999999", 404, unrouted},
		{"amara", catalogue + "/commits/0000000", 404, `{"errors":[{"message":"Commit '0000000' does not exist in repository 'catalogue'.","exceptionName":"com.atlassian.bitbucket.commit.NoSuchCommitException"}]}`},
		{"amara", rest + "/users/nobody", 404, `{"errors":[{"message":"User nobody does not exist.","exceptionName":"com.atlassian.bitbucket.user.NoSuchUserException"}]}`},
		{"amara", catalogue + "/pull-requests/2/merge", 409, `{"errors":[{"message":"This pull request has already been merged.","exceptionName":"com.atlassian.bitbucket.pull.IllegalPullRequestStateException"}]}`},
		{"amara", catalogue + "/pull-requests/3/merge", 409, `{"errors":[{"message":"This pull request has already been declined.","exceptionName":"com.atlassian.bitbucket.pull.IllegalPullRequestStateException"}]}`},
		{"amara", insights + "/qwerty/annotations", 404, `{"errors":[{"context":"reportKey","message":"No report found with key: qwerty"}]}`},
		{"amara", rest + "/nowhere", 404, unrouted},
		{"amara", "/rest/api/2.0/projects", 404, unrouted},
		{"amara", rest + "/projects/../users", 404, unrouted},
	} {
		r := get(t, s, test.user, test.path)
		if r.status != test.status {
			t.Errorf("GET %s as %q: %d, want %d", test.path, test.user, r.status, test.status)
		}
		if diff := cmp.Diff(test.body, r.body); diff != "" {
			t.Errorf("GET %s as %q (-want +got):\n%s", test.path, test.user, diff)
		}
		if got := r.header.Get("Content-Type"); got != "application/json;charset=UTF-8" {
			t.Errorf("GET %s: Content-Type %q", test.path, got)
		}
	}
}

func TestErrorsBefore9CarryNullKeys(t *testing.T) {
	s := fakebb.New(fakebb.Options{Release: "8.19"})
	want := `{"errors":[{"context":null,"message":"Project dev does not exist.","exceptionName":"com.atlassian.bitbucket.project.NoSuchProjectException"}]}`
	if got := get(t, s, "amara", rest+"/projects/dev").body; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := get(t, s, "", rest+"/application-properties").body,
		`{"version":"8.19.0","buildNumber":"8019000","buildDate":"1768254573030","displayName":"Bitbucket"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The texts of 9.4.16 that are known by their length alone.
func TestErrorTextsAreAsLongAsRealOnes(t *testing.T) {
	r := get(t, fakebb.New(fakebb.Options{}), "amara", catalogue+"/commits/"+tip+"/builds")
	var envelope struct {
		Errors []struct{ Message, ExceptionName string }
	}
	if err := json.Unmarshal([]byte(r.body), &envelope); err != nil || len(envelope.Errors) != 1 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	e := envelope.Errors[0]
	if r.status != 400 || utf8.RuneCountInString(e.Message) != 58 || e.ExceptionName != "com.atlassian.bitbucket.validation.ArgumentValidationException" {
		t.Errorf("%d %s", r.status, r.body)
	}
}

func TestWhoAsksIsReadFromTokenOrPassword(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	const wrong = `{"errors":[{"message":"Authentication failed. Please check your credentials and try again.","exceptionName":"com.atlassian.bitbucket.auth.IncorrectPasswordAuthenticationException"}]}`
	for _, test := range []struct {
		name   string
		header string
		basic  [2]string
		path   string
		status int
		user   string
	}{
		{"token", "Bearer fake-zoe", [2]string{}, first, 200, "zoe"},
		{"token of a name with @", "Bearer fake-dalia+ops@example.com", [2]string{}, first, 200, "dalia%2Bops%40example.com"},
		{"service user", "Bearer fake-orchard-ci", [2]string{}, first, 200, "orchard-ci"},
		{"scheme in another case", "bearer fake-zoe", [2]string{}, first, 200, "zoe"},
		{"password", "", [2]string{"bo", "fake-bo"}, first, 200, "bo"},
		{"wrong token", "Bearer zoe", [2]string{}, first, 401, ""},
		{"token of nobody", "Bearer fake-eve", [2]string{}, first, 401, ""},
		{"password of another", "", [2]string{"bo", "fake-zoe"}, first, 401, ""},
		{"unknown scheme", "Digest x", [2]string{}, first, 401, ""},
		{"wrong where nobody may ask", "Bearer wrong", [2]string{}, rest + "/application-properties", 401, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := ask(t, s, "GET", test.path, func(r *http.Request) {
				if test.header != "" {
					r.Header.Set("Authorization", test.header)
				} else {
					r.SetBasicAuth(test.basic[0], test.basic[1])
				}
			})
			if r.status != test.status || r.header.Get("X-AUSERNAME") != test.user {
				t.Errorf("%d as %q, want %d as %q", r.status, r.header.Get("X-AUSERNAME"), test.status, test.user)
			}
			if test.status == 401 && r.body != wrong {
				t.Errorf("body %s", r.body)
			}
		})
	}
}

func TestWhoDoesNotTakeJSONGets406WithoutABody(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	for accept, status := range map[string]int{
		"":                                  200,
		"*/*":                               200,
		"application/*;q=0.5":               200,
		"text/html, application/json;q=0.9": 200,
		"text/plain":                        406,
		"text/html,application/xhtml+xml":   406,
	} {
		r := ask(t, s, "GET", first, func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer fake-bo")
			if accept != "" {
				r.Header.Set("Accept", accept)
			}
		})
		if r.status != status || status == 406 && (r.body != "" || r.header.Get("Content-Type") != "") {
			t.Errorf("Accept %q: %d %q %q, want %d", accept, r.status, r.header.Get("Content-Type"), r.body, status)
		}
	}
}

func TestAnUnroutedPathIsXMLForWhoDidNotAskForJSON(t *testing.T) {
	r := ask(t, fakebb.New(fakebb.Options{}), "GET", rest+"/nowhere", func(*http.Request) {})
	if r.status != 404 || !strings.HasPrefix(r.body, "<?xml") || !strings.HasPrefix(r.header.Get("Content-Type"), "application/xml") {
		t.Errorf("%d %s %s", r.status, r.header.Get("Content-Type"), r.body)
	}
}
