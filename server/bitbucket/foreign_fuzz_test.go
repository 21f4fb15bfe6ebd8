package bitbucket_test

import (
	"errors"
	"net/http"
	"testing"
	"unicode/utf8"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// Whatever comes instead of an answer, there is an error with bounded words
// and none of its lines.
func FuzzAnAnswerThatIsNone(f *testing.F) {
	for _, seed := range []string{
		"", "{}", `{"errors":[{"message":"m","vetoes":[{}],"conflicted":true}]}`, `{"errors":[{"message":1}]}`, `{"errors":{}}`, `{"message":"HTTP 404 Not Found"}`,
		"<!doctype html><title>Log in</title>", "<html><title>\xff&#x202e;</title", `<?xml version="1.0"?><status><message>x</message>`, "<", "XSRF check failed", "\x00\x01", "<!--",
	} {
		for _, status := range []int{200, 401, 404, 409, 500} {
			f.Add(status, "text/html", []byte(seed))
		}
		f.Add(400, "application/json", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, status int, contentType string, body []byte) {
		if status < 200 || status > 599 || status/100 == 3 || status == 429 || status == 502 || status == 503 || status == 504 {
			return
		}
		c, err := bitbucket.New(bitbucket.Options{URL: "https://bitbucket.example.com", Transport: answers(func(*http.Request) (*http.Response, error) {
			return reply(status, contentType, string(body))
		})})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.ListReports(t.Context(), "X", "y", "c", 1)
		var failed *bitbucket.Error
		if err == nil || !errors.As(err, &failed) {
			if status > 299 {
				t.Fatalf("%d %q: %v", status, body, err)
			}
			return
		}
		if n := utf8.RuneCountInString(err.Error()); n > 14_000 || len(failed.Words()) == 0 {
			t.Errorf("%d %q: %d characters, %d words", status, body, n, len(failed.Words()))
		}
		for _, w := range failed.Words() {
			for _, r := range w {
				if r == '\n' || r == '\r' {
					t.Errorf("%d %q: %q is more than one line", status, body, w)
				}
			}
		}
	})
}
