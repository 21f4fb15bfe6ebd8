package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bb-mcp/bb/fakebb"
)

// output is what a command prints, for several goroutines.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// start runs the command until the test ends, and returns the URL it prints.
func start(t *testing.T, args ...string) (url string, out, logs *output) {
	t.Helper()
	out, logs = &output{}, &output{}
	c := command()
	c.SetArgs(append([]string{"--addr", "127.0.0.1:0"}, args...))
	c.SetOut(out)
	c.SetErr(logs)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the command ended with %v", err)
		}
	})
	for range 500 {
		if url, _, ok := strings.Cut(out.String(), " is Bitbucket "); ok {
			return url, out, logs
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no URL was printed: %s", out)
	return "", nil, nil
}

func ask(t *testing.T, url, user string) (int, string) {
	t.Helper()
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+fakebb.Token(user))
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(body)
}

// H1: on a port, with the URL, the tokens and a line per request.
func TestTheFakeIsServedOnAPort(t *testing.T) {
	url, out, logs := start(t, "--context-path", "/bitbucket/", "--release", "8.9")
	if !strings.HasSuffix(url, "/bitbucket") {
		t.Errorf("URL %s has no context path", url)
	}
	for _, want := range []string{"fake-amara", "fake-dalia+ops@example.com", "Bitbucket 8.9"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in what is printed:\n%s", want, out)
		}
	}
	status, body := ask(t, url+"/rest/api/latest/projects/ORCH/repos/catalogue/pull-requests/1", "bo")
	if status != 200 || !strings.Contains(body, url+"/projects/ORCH/repos/catalogue/pull-requests/1") {
		t.Errorf("%d %s", status, body)
	}
	if strings.Contains(body, `"draft"`) {
		t.Error("8.9 knows no drafts")
	}
	if status, _ := ask(t, url+"/rest/api/latest/projects/ORCH/repos/catalogue/pull-request/1", "bo"); status != 404 {
		t.Errorf("a path that is none: %d", status)
	}
	for _, want := range []string{"/pull-requests/1 200 bo", `"pull-request" should be "pull-requests"`} {
		if !strings.Contains(logs.String(), want) {
			t.Errorf("%q is not in the log:\n%s", want, logs)
		}
	}
}

func TestWhatCannotBeServedIsSaid(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"--scenario vineyard", "orchard"},
		{"--release nine", `"nine" is not a release`},
		{"--context-path /a?b", `"/a?b" is not a path such as /bitbucket`},
		{"--addr nowhere", "nowhere"},
		{"extra", "unknown command"},
	} {
		c := command()
		c.SetArgs(strings.Fields("--addr 127.0.0.1:0 " + test.args))
		c.SetOut(io.Discard)
		c.SetErr(io.Discard)
		if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("fakebb %s: %v, want %q", test.args, err, test.want)
		}
	}
}
