package bitbucket_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// redirecting redirects the first request to a location and records every
// request after it.
func redirecting(t *testing.T, status int, to string) (url string, after *[]string) {
	t.Helper()
	after = new([]string)
	first := true
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if first {
			first = false
			http.Redirect(w, r, strings.ReplaceAll(to, "HOST", r.Host), status)
			return
		}
		*after = append(*after, r.Method+" "+r.URL.EscapedPath()+" "+r.Header.Get("Authorization"))
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodPost { // the counts of builds
			w.Write([]byte(`{}`))
			return
		}
		w.Write([]byte(`{"id":1}`))
	}))
	t.Cleanup(web.Close)
	return web.URL, after
}

// AUTH-04: redirects stay where the credentials were meant for.
func TestARedirectIsFollowedOnlyWhereItMay(t *testing.T) {
	for _, test := range []struct {
		name, to string
		status   int
		cause    bitbucket.Cause // "": followed
		want     string
	}{
		{"a moved repository", "/rest/api/latest/projects/NEW/repos/y/pull-requests/1", 307, "", ""},
		{"the same host in full", "http://HOST/rest/api/latest/projects/NEW/repos/y/pull-requests/1", 308, "", ""},
		{"another context path", "/bitbucket/rest/api/latest/projects/X/repos/y/pull-requests/1", 302, "", ""},
		{"another application of the host", "/jira/rest/api/latest/issues/1", 307, bitbucket.RedirectedElsewhere, "no part of Bitbucket's REST API"},
		{"a repository named so", "/rest/api/latest/projects/X/repos/login/pull-requests/1", 307, "", ""},
		{"another host", "http://elsewhere.example.com/rest/api/latest/projects/X?token=1", 307, bitbucket.RedirectedElsewhere, "http://elsewhere.example.com/rest/api/latest/projects/X,"},
		{"another port", "http://127.0.0.1:1/rest/api/latest/projects/X", 307, bitbucket.RedirectedElsewhere, "not followed"},
		{"another scheme", "https://HOST/rest/api/latest/projects/X", 301, bitbucket.RedirectedElsewhere, "https://"},
		{"a login page", "/login?next=/rest/api", 302, bitbucket.LoginPage, "a login page"},
		{"a login page elsewhere", "https://sso.example.com/saml2/idp?SAMLRequest=abc", 302, bitbucket.LoginPage, "https://sso.example.com/saml2/idp,"},
		{"the start page", "/dashboard", 302, bitbucket.RedirectedElsewhere, "no part of Bitbucket's REST API"},
	} {
		url, after := redirecting(t, test.status, test.to)
		err := read(t, bitbucket.Options{URL: url, Token: "t"})
		if test.cause == "" {
			if err != nil || len(*after) != 1 || !strings.HasSuffix((*after)[0], " Bearer t") {
				t.Errorf("%s: %v, then %q", test.name, err, *after)
			}
			continue
		}
		if err == nil || err.Cause != test.cause || !strings.Contains(err.Error(), test.want) || len(*after) != 0 {
			t.Errorf("%s: %v, then %q; want %s and %q", test.name, err, *after, test.cause, test.want)
		}
	}
}

// A downgrade would show the credentials to everyone on the way.
func TestARedirectToPlainHTTPIsNotFollowed(t *testing.T) {
	reached := false
	c := bitbucket.Options{Token: "t", Transport: answers(func(r *http.Request) (*http.Response, error) {
		if r.URL.Scheme == "http" {
			reached = true
		}
		res, err := reply(307, "text/html", "")
		res.Header.Set("Location", "http://bitbucket.example.com/rest/api/latest/projects/X")
		return res, err
	})}
	if err := read(t, c); err == nil || err.Cause != bitbucket.RedirectedElsewhere || reached {
		t.Errorf("reached %v: %v", reached, err)
	}
}

func TestRedirectsEnd(t *testing.T) {
	asked := 0
	c := bitbucket.Options{Transport: answers(func(r *http.Request) (*http.Response, error) {
		asked++
		res, err := reply(307, "text/html", "")
		res.Header.Set("Location", r.URL.Path)
		return res, err
	})}
	if err := read(t, c); err == nil || asked != 6 || !strings.Contains(err.Error(), "more than 5 times") {
		t.Errorf("asked %d times: %v", asked, err)
	}
}

// A POST that became a GET on the way would ask for something else.
func TestAPostIsNotTurnedIntoAGet(t *testing.T) {
	for status, followed := range map[int]bool{301: false, 302: false, 303: false, 307: true, 308: true} {
		url, after := redirecting(t, status, "/rest/build-status/1.0/commits/stats")
		_, err := client(t, bitbucket.Options{URL: url, Token: "t"}).CountBuilds(t.Context(), []string{"c"})
		if (err == nil) != followed || (len(*after) == 1) != followed {
			t.Errorf("%d: %v, then %q", status, err, *after)
		}
	}
}

// T3: a repository that moved is followed no further than the caller may go.
func TestARedirectStaysWithinThePlaces(t *testing.T) {
	allowed := func(project, repo string) bool { return project == "X" || project == "~amara" && repo == "scratch" }
	for to, want := range map[string]string{
		"/rest/api/latest/projects/X/repos/z/pull-requests/1":                    "",
		"/rest/api/latest/projects/~amara/repos/scratch/pull-requests/1":         "",
		"/rest/api/latest/projects/%7Eamara/repos/scratch/pull-requests/1":       "",
		"/rest/api/latest/users/amara/repos/scratch/pull-requests/1":             "",
		"/rest/api/latest/projects/VAULT/repos/keys/pull-requests/1":             "moved to VAULT/keys, outside the scope",
		"/rest/api/latest/projects/V%41ULT/repos/keys/browse/projects/X":         "moved to VAULT/keys, outside the scope",
		"/rest/api/latest/users/zoe/repos/catalogue/pull-requests/1":             "moved to ~zoe/catalogue, outside the scope",
		"/rest/api/latest/projects/VAULT":                                        "moved to VAULT, outside the scope",
		"/rest/api/latest/projects/X/repos/../../VAULT/repos/keys":               "outside the scope",
		"/rest/api/latest/projects/X/repos/z/%2e%2e/%2e%2e/%2e%2e/VAULT/repos/k": "names no repository",
		"/rest/api/latest/projects/X%2F..%2FVAULT/repos/keys":                    "names no repository",
		"/rest/api/latest/dashboard/pull-requests":                               "names no repository",
	} {
		url, after := redirecting(t, 307, "http://HOST"+to)
		ctx := bitbucket.WithPlaces(t.Context(), allowed)
		_, err := client(t, bitbucket.Options{URL: url, Token: "t"}).PullRequest(ctx, "X", "y", 1)
		if want == "" {
			if err != nil || len(*after) != 1 {
				t.Errorf("%s: %v, then %q", to, err, *after)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || len(*after) != 0 {
			t.Errorf("%s: %v, then %q; want %q", to, err, *after, want)
		}
	}
}
