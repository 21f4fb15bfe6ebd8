package bitbucket_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bb-mcp/bb/server/bitbucket"
)

const refusedToken = `{"errors":[{"message":"Authentication failed. Please check your credentials and try again.","exceptionName":"com.atlassian.bitbucket.auth.IncorrectPasswordAuthenticationException"}]}`

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// accepting accepts one token and refuses the others.
func accepting(token *atomic.Pointer[string], asked *atomic.Int32) answers {
	return func(r *http.Request) (*http.Response, error) {
		asked.Add(1)
		if r.Header.Get("Authorization") != "Bearer "+*token.Load() {
			return reply(401, envelopeJSON, refusedToken)
		}
		return pullRequest(r)
	}
}

// A token that was renewed while bb runs is taken up, once per refusal, by all
// calls that were refused together.
func TestATokenFileIsReadAgainWhenItsTokenIsRefused(t *testing.T) {
	file := write(t, "old\n")
	var good atomic.Pointer[string]
	var asked atomic.Int32
	good.Store(new("new"))
	c := client(t, bitbucket.Options{TokenFile: file, Token: "unused", Transport: accepting(&good, &asked)})
	_, err := c.PullRequest(t.Context(), "X", "y", 1)
	var failed *bitbucket.Error
	if !errors.As(err, &failed) || failed.Cause != bitbucket.TokenRefused || asked.Load() != 1 {
		t.Fatalf("with a refused token: asked %d times, %v; want once and TokenRefused", asked.Load(), err)
	}
	if err := os.WriteFile(file, []byte("new\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	asked.Store(0)
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			if _, err := c.PullRequest(t.Context(), "X", "y", 1); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := asked.Load(); n > 80 {
		t.Errorf("40 calls made %d requests, want each at most one more", n)
	}
	asked.Store(0)
	good.Store(new("newer"))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := c.PullRequest(t.Context(), "X", "y", 1); err == nil || !strings.Contains(err.Error(), "could not be read again") || asked.Load() != 1 {
		t.Errorf("without the file: asked %d times, %v", asked.Load(), err)
	}
}

// A call that was refused later than another finds the token that the other one
// read.
func TestATokenThatWasReadIsNotReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := write(t, "old")
		c := client(t, bitbucket.Options{TokenFile: file, Transport: answers(func(r *http.Request) (*http.Response, error) {
			if r.Header.Get("Authorization") == "Bearer new" {
				return pullRequest(r)
			}
			if strings.HasSuffix(r.URL.Path, "/2") {
				time.Sleep(time.Second)
			}
			return reply(401, envelopeJSON, refusedToken)
		})})
		late := make(chan error, 1)
		go func() {
			_, err := c.PullRequest(t.Context(), "X", "y", 2)
			late <- err
		}()
		synctest.Wait()
		if err := os.WriteFile(file, []byte("new"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := c.PullRequest(t.Context(), "X", "y", 1); err != nil {
			t.Error(err)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := <-late; err != nil {
			t.Error(err)
		}
	})
}

// Two tokens that are refused one after the other are not tried for ever.
func TestARefusedRequestIsRepeatedOnce(t *testing.T) {
	file := write(t, "0")
	asked := 0
	c := client(t, bitbucket.Options{TokenFile: file, Transport: answers(func(*http.Request) (*http.Response, error) {
		asked++
		os.WriteFile(file, []byte(strings.Repeat("x", asked)), 0o600)
		return reply(401, envelopeJSON, refusedToken)
	})})
	if _, err := c.PullRequest(t.Context(), "X", "y", 1); err == nil || asked != 2 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

// A permission is not a refused token.
func TestAMissingPermissionReadsNoTokenFile(t *testing.T) {
	file := write(t, "old")
	asked := 0
	c := client(t, bitbucket.Options{TokenFile: file, Transport: answers(func(*http.Request) (*http.Response, error) {
		asked++
		os.WriteFile(file, []byte("new"), 0o600)
		return reply(401, envelopeJSON, `{"errors":[{"message":"You are not permitted to access this resource","exceptionName":"com.atlassian.bitbucket.AuthorisationException"}]}`)
	})})
	if _, err := c.PullRequest(t.Context(), "X", "y", 1); err == nil || asked != 1 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

func TestATokenFileThatIsNoneIsRefused(t *testing.T) {
	for name, test := range map[string]struct{ path, want string }{
		"missing":     {filepath.Join(t.TempDir(), "nothing"), "nothing"},
		"a folder":    {t.TempDir(), "token file"},
		"empty":       {write(t, ""), "is empty"},
		"blank":       {write(t, " \n\n"), "is empty"},
		"two lines":   {write(t, "secret-one\nsecret-two\n"), "line break"},
		"control":     {write(t, "secret\x00one"), "control character"},
		"wide":        {write(t, "\xff\xfes\x00e\x00c\x00"), "control character"},
		"a large one": {write(t, strings.Repeat("secret", 20_000)), "larger than"},
	} {
		_, err := bitbucket.New(bitbucket.Options{URL: "https://bitbucket.example.com", TokenFile: test.path})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q and nothing of the file", name, err, test.want)
		}
	}
	if _, err := bitbucket.New(bitbucket.Options{URL: "https://bitbucket.example.com", Token: "secret\r\nX-Evil: 1"}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a token with a line break: %v", err)
	}
}

// AUTH-05
func TestNoTokenIsJudgedByItsShape(t *testing.T) {
	for _, token := range []string{"x", "MDM0MjM5NDc2MDxx/9nnBKG+x==", "BBDC-abc.def-ghi_jkl", strings.Repeat("long", 500), "a b", "ü", "Bearer x"} {
		for name, o := range map[string]bitbucket.Options{"file": {TokenFile: write(t, "\uFEFF"+token+"\n")}, "environment": {Token: token}} {
			got := ""
			o.Transport = answers(func(r *http.Request) (*http.Response, error) {
				got = r.Header.Get("Authorization")
				return pullRequest(r)
			})
			if _, err := client(t, o).PullRequest(t.Context(), "X", "y", 1); err != nil || got != "Bearer "+token {
				t.Errorf("%s %q: sent %q, %v", name, token, got, err)
			}
		}
	}
}

// AUTH-03: whatever a client is asked for, its credentials go along.
func TestEveryRequestShowsTheCredentials(t *testing.T) {
	requests := 0
	c := client(t, bitbucket.Options{Token: "t", Transport: answers(func(r *http.Request) (*http.Response, error) {
		requests++
		if r.Header.Get("Authorization") != "Bearer t" {
			t.Errorf("%s %s shows %q", r.Method, r.URL.Path, r.Header.Get("Authorization"))
		}
		return &http.Response{StatusCode: 404, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"errors":[{"message":"m"}]}`))}, nil
	})})
	v := reflect.ValueOf(c)
	context := reflect.TypeFor[interface{ Done() <-chan struct{} }]()
	for i := range v.NumMethod() {
		method, kind := v.Type().Method(i).Name, v.Method(i).Type()
		if kind.NumIn() == 0 || !kind.In(0).Implements(context) || method == "Need" { // Need asks by Release
			continue
		}
		arguments := []reflect.Value{reflect.ValueOf(t.Context())}
		for k := 1; k < kind.NumIn(); k++ {
			arguments = append(arguments, something(kind.In(k), 4))
		}
		before := requests
		if kind.IsVariadic() {
			v.Method(i).CallSlice(arguments)
		} else {
			v.Method(i).Call(arguments)
		}
		if requests == before {
			t.Errorf("%s made no request: give it arguments with which it does", method)
		}
	}
}

// something is a value of a type with as much in it as can be, so many types
// deep: a comment has replies, which are comments.
func something(of reflect.Type, deep int) reflect.Value {
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(1)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		if deep > 0 {
			v.Set(reflect.Append(v, something(of.Elem(), deep-1)))
		}
	case reflect.Pointer:
		if deep > 0 {
			v.Set(reflect.New(of.Elem()))
			v.Elem().Set(something(of.Elem(), deep-1))
		}
	case reflect.Struct:
		for i := range of.NumField() {
			if of.Field(i).IsExported() {
				v.Field(i).Set(something(of.Field(i).Type, deep))
			}
		}
	}
	return v
}
