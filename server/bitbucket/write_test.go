package bitbucket

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

type answering func(*http.Request) (*http.Response, error)

func (f answering) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A write is sent once, whatever happens to it: it may have been done.
func TestAWriteIsNeverSentTwice(t *testing.T) {
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
		for name, fail := range map[string]answering{
			"reset": func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNRESET },
			"429":   answerOf(429), "502": answerOf(502), "503": answerOf(503), "504": answerOf(504),
		} {
			asked := 0
			c, err := New(Options{URL: "https://bitbucket.example.com", Token: "t", Transport: answering(func(r *http.Request) (*http.Response, error) {
				asked++
				return fail(r)
			})})
			if err != nil {
				t.Fatal(err)
			}
			var failed *Error
			err = c.do(t.Context(), request{method: method, module: api, path: []string{"x"}}, nil)
			if !errors.As(err, &failed) || asked != 1 || !failed.Write {
				t.Errorf("%s %s: sent %d times, %v", method, name, asked, err)
			}
		}
	}
}

func answerOf(status int) answering {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(""))}, nil
	}
}

// REST-02, REST-03: a write without a body has one of a type, and says that it
// comes from no page.
func TestAWriteIsTakenForNoCrossSiteRequest(t *testing.T) {
	c, err := New(Options{URL: "https://bitbucket.example.com", Token: "t", Transport: answering(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("X-Atlassian-Token") != "no-check" {
			t.Errorf("%s: X-Atlassian-Token is %q", r.Method, r.Header.Get("X-Atlassian-Token"))
		}
		if r.Method != http.MethodDelete {
			if body, _ := io.ReadAll(r.Body); string(body) != "{}" || r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s: the body is %q of type %q", r.Method, body, r.Header.Get("Content-Type"))
			}
		}
		return answerOf(204)(r)
	})})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
		if err := c.do(t.Context(), request{method: method, module: api, path: []string{"x"}}, nil); err != nil {
			t.Error(err)
		}
	}
}
