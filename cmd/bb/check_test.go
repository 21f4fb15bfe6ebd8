package main

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
)

// check runs bb ai mcp serve --check.
func check(t *testing.T, env []string, args ...string) (out, stderr string, ok bool) {
	t.Helper()
	cmd := bb(t, env, append([]string{"ai", "mcp", "serve", "--check"}, args...)...)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	printed, err := cmd.Output()
	return string(printed), complaints.String(), err == nil
}

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// T7, T8: who bb acts for, which Bitbucket it is, in what scope, with how many
// tools; over TLS with an authority of its own, a token from a file, and under
// a context path.
func TestCheckSaysWhatBBWouldDo(t *testing.T) {
	web := httptest.NewUnstartedServer(fakebb.New(fakebb.Options{BaseURL: "https://dev.example.com/bitbucket"}))
	web.Config.ErrorLog = log.New(io.Discard, "", 0) // it sees a client that does not trust it
	web.StartTLS()
	defer web.Close()
	authority := file(t, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw})))
	token := file(t, "fake-bo\n")
	for name, run := range map[string]struct{ env, args []string }{
		"flags":                      {nil, []string{"--url", web.URL + "/bitbucket/", "--ca-file", authority, "--token-file", token}},
		"environment":                {[]string{"BITBUCKET_URL=" + web.URL + "/bitbucket", "BB_CA_FILE=" + authority, "BITBUCKET_TOKEN=fake-bo"}, nil},
		"flags beat the environment": {[]string{"BITBUCKET_URL=https://nowhere.invalid", "BB_CA_FILE=/nowhere.pem", "BITBUCKET_TOKEN=fake-amara"}, []string{"--url", web.URL + "/bitbucket", "--ca-file", authority, "--token-file", token}},
	} {
		out, stderr, ok := check(t, run.env, append(run.args, "--project", "ORCH", "--repo", "~zoe/catalogue")...)
		if !ok || stderr != "" {
			t.Errorf("%s: %s%s", name, out, stderr)
		}
		for _, want := range []string{"Bitbucket: " + web.URL + "/bitbucket, release 9.4.16\n", "Acts for:  Bo Lindqvist (bo)\n", "Scope:     ORCH, ~zoe/catalogue\n", "exposed\n"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is not in %q", name, want, out)
			}
		}
	}
	out, stderr, ok := check(t, []string{"BITBUCKET_TOKEN=fake-bo"}, "--url", web.URL+"/bitbucket")
	if ok || out != "" || !strings.Contains(stderr, "Acme Co") || !strings.Contains(stderr, "--ca-file") {
		t.Errorf("without the authority: %q %q", out, stderr)
	}
}

func TestCheckFailsWhereServingWould(t *testing.T) {
	web := httptest.NewServer(fakebb.New(fakebb.Options{}))
	defer web.Close()
	login := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>Log in</title>")
	}))
	defer login.Close()
	old := httptest.NewServer(fakebb.New(fakebb.Options{Release: "7.21"}))
	defer old.Close()
	for _, test := range []struct {
		name string
		env  []string
		args []string
		want string
	}{
		{"a refused token", []string{"BITBUCKET_TOKEN=secret"}, []string{"--url", web.URL}, "valid token"},
		{"no token", nil, []string{"--url", web.URL}, "bb runs without credentials"},
		{"a login page", []string{"BITBUCKET_TOKEN=secret"}, []string{"--url", login.URL}, "login page"},
		{"a wrong scope", []string{"BITBUCKET_TOKEN=fake-bo"}, []string{"--url", web.URL, "--project", "ORHC"}, "Project ORHC does not exist"},
		{"nothing there", nil, []string{"--url", "http://127.0.0.1:1"}, "nothing accepts connections"},
		{"a proxy that is not there", []string{"HTTPS_PROXY=http://amara:secret@127.0.0.1:1"}, []string{"--url", "https://bitbucket.example.com"}, "the proxy 127.0.0.1:1 cannot be reached"},
		{"a proxy setting that is none", []string{"HTTPS_PROXY=amara:secret@%zz"}, []string{"--url", "https://bitbucket.example.com"}, "is not the address of a proxy"},
		{"Bitbucket Cloud", nil, []string{"--url", "https://bitbucket.org/team"}, "Bitbucket Cloud"},
	} {
		out, stderr, ok := check(t, test.env, test.args...)
		if ok || !strings.Contains(stderr, test.want) || strings.Contains(stderr+out, "secret") || strings.Contains(out, "Acts for") {
			t.Errorf("%s: ended well: %v, %q %q; want %q", test.name, ok, out, stderr, test.want)
		}
	}
	if out, stderr, ok := check(t, []string{"BITBUCKET_TOKEN=fake-bo"}, "--url", old.URL); !ok || !strings.Contains(stderr, "7.21.0 is too old") || !strings.Contains(out, "Bo Lindqvist") {
		t.Errorf("an old release: %v, %q %q", ok, out, stderr)
	}
}

// What can be known without a request is said before a client waits for it.
func TestFilesAreReadAtStart(t *testing.T) {
	web := httptest.NewServer(fakebb.New(fakebb.Options{}))
	defer web.Close()
	for _, test := range []struct {
		env, args []string
		want      string
	}{
		{nil, []string{"--ca-file", "/nowhere/ca.pem"}, "/nowhere/ca.pem"},
		{[]string{"BB_CA_FILE=" + file(t, "hello")}, nil, "holds no certificate"},
		{nil, []string{"--client-cert", "/nowhere/c.pem"}, "--client-key"},
		{[]string{"BB_CLIENT_KEY=/nowhere/k.pem"}, nil, "BB_CLIENT_CERT"},
		// The environment does not fill half a pair that the flags give.
		{[]string{"BB_CLIENT_KEY=/nowhere/k.pem"}, []string{"--client-cert", "/nowhere/c.pem"}, "--client-key"},
		{nil, []string{"--token-file", file(t, " \n")}, "is empty"},
		{[]string{"BITBUCKET_TOKEN=secret\nsecret"}, nil, "line break"},
	} {
		cmd := bb(t, test.env, append([]string{"ai", "mcp", "serve", "--url", web.URL}, test.args...)...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err == nil || len(out) != 0 || !strings.Contains(stderr.String(), test.want) || strings.Contains(stderr.String(), "secret") {
			t.Errorf("%v %v: %v, %q, %q; want %q", test.env, test.args, err, out, stderr.String(), test.want)
		}
	}
}

// Invented data needs no certificates.
func TestTheFakeDoesWithoutFiles(t *testing.T) {
	out, stderr, ok := check(t, []string{"BB_CA_FILE=/nowhere"}, "--fake", "--ca-file", "/nowhere", "--token-file", "/nowhere")
	if !ok || !strings.Contains(out, "Amara Oyelaran (amara)") || !strings.Contains(stderr, "--ca-file is not used") || !strings.Contains(stderr, "--token-file is not used") {
		t.Errorf("%v, %q %q", ok, out, stderr)
	}
}
