package bitbucket_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server/bitbucket"
)

func TestAReleaseIsRead(t *testing.T) {
	for text, want := range map[string][3]int{
		"9.4.16": {9, 4, 16}, "8.9": {8, 9, 0}, "10.2.0": {10, 2, 0}, "9.4.0-rc1": {9, 4, 0}, "9.4-SNAPSHOT": {9, 4, 0}, "9.4.16.1": {9, 4, 16},
	} {
		r, err := bitbucket.ParseRelease(text)
		if err != nil || [3]int{r.Major, r.Minor, r.Patch} != want || r.String() != text {
			t.Errorf("%s is read as %+v, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "9", "nine.four", "-1.2", "9.x", "99999999.1"} {
		if r, err := bitbucket.ParseRelease(text); err == nil {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}

// The releases that are read, and what each can do.
func TestWhatAReleaseCanDoIsKnown(t *testing.T) {
	for text, want := range map[string]struct {
		supported bool
		has       string
	}{
		"7.21.0": {false, ""}, "8.8.9": {false, ""}, "8.9.0": {true, ""}, "8.14.0": {true, "code owners"},
		"8.15.0": {true, "code owners, auto-merge"}, "8.19.2": {true, "code owners, auto-merge, draft pull requests"},
		"9.0.0":  {true, "code owners, auto-merge, draft pull requests"},
		"9.4.16": {true, "code owners, auto-merge, draft pull requests"},
		"10.2.0": {true, "code owners, auto-merge, draft pull requests"},
		"11.0.0": {false, "code owners, auto-merge, draft pull requests"},
	} {
		r, err := bitbucket.ParseRelease(text)
		if err != nil {
			t.Fatal(err)
		}
		var has []string
		for _, f := range []bitbucket.Feature{bitbucket.CodeOwners, bitbucket.AutoMerge, bitbucket.Drafts} {
			if r.Has(f) {
				has = append(has, f.Name)
			}
		}
		if r.Supported() != want.supported || strings.Join(has, ", ") != want.has {
			t.Errorf("%s: supported %v, has %q; want %+v", text, r.Supported(), has, want)
		}
	}
}

// It is asked for once, also by many at the same time.
func TestTheReleaseIsAskedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		c := client(t, bitbucket.Options{Transport: answers(func(*http.Request) (*http.Response, error) {
			asked.Add(1)
			time.Sleep(time.Second)
			return reply(200, "application/json", `{"version":"8.9.0"}`)
		})})
		if c.KnownRelease() != nil {
			t.Error("the release is known before it is asked for")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if r, err := c.Release(t.Context()); err != nil || r.String() != "8.9.0" {
					t.Errorf("%v, %v", r, err)
				}
			})
		}
		synctest.Wait()
		if _, err := c.Release(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who cannot wait for it gets %v", err)
		}
		all.Wait()
		if asked.Load() != 1 || c.KnownRelease() == nil {
			t.Errorf("asked %d times", asked.Load())
		}
	})
}

// What a release cannot do is said without asking for it.
func TestWhatAReleaseCannotDoIsNotAskedFor(t *testing.T) {
	fake := fakebb.New(fakebb.Options{Release: "8.9"})
	c := client(t, bitbucket.Options{Token: fakebb.Token("amara"), Transport: fake.Transport()})
	for range 2 {
		if err := c.Need(t.Context(), bitbucket.AutoMerge); err == nil || err.Error() != "this Bitbucket is 8.9.0; auto-merge came with 8.15" {
			t.Errorf("Need says %v", err)
		}
	}
	if n := len(fake.Requests()); n != 1 {
		t.Errorf("%d requests were made, want 1", n)
	}
}

// A release that cannot be read refuses nothing, and is asked for again.
func TestAFailureToReadTheReleaseIsNotKept(t *testing.T) {
	var asked atomic.Int32
	c := client(t, bitbucket.Options{Transport: answers(func(*http.Request) (*http.Response, error) {
		switch asked.Add(1) {
		case 1:
			return reply(500, "", "")
		case 2:
			return reply(200, "application/json", `{"version":"unknown"}`)
		}
		return reply(200, "application/json", `{"version":"8.9.1"}`)
	})})
	if err := c.Need(t.Context(), bitbucket.Drafts); err != nil {
		t.Error(err)
	}
	if _, err := c.Release(t.Context()); err == nil || !strings.Contains(err.Error(), `"unknown" is not a release`) {
		t.Errorf("%v", err)
	}
	if r, err := c.Release(t.Context()); err != nil || r.Patch != 1 {
		t.Errorf("%v, %v", r, err)
	}
}
