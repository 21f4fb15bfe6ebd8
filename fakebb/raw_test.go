package fakebb_test

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// H1
func TestFilesAreSentAsTheyAreStored(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, shelf)})
	for path, want := range map[string][2]string{
		shelfRepository + "/raw/docs/deep/one.txt?at=v1":        {"text/plain;charset=UTF-8", "one\ntwo\r\nthree"},
		shelfRepository + "/raw/docs/a%20b%23%25.md":            {"text/plain;charset=UTF-8", "# Hello\n<b>\n"},
		shelfRepository + "/browse/zeta.bin?raw":                {"application/octet-stream", "\x00\x01\x02\xff"},
		"/projects/P/repos/r/raw/run.sh?at=refs%2Fheads%2Fmain": {"text/plain;charset=UTF-8", "#!/bin/sh\n"},
		"/users/ada/repos/notes/raw/n.txt":                      {"text/plain;charset=UTF-8", "note\n"},
		shelfRepository + "/readme":                             {"text/plain;charset=UTF-8", "read *me*\n"},
		shelfRepository + "/readme?markup=true":                 {"text/html;charset=UTF-8", "<p>read *me*\n</p>\n"},
		shelfRepository + "/license":                            {"text/plain;charset=UTF-8", "mine\n"},
	} {
		r := get(t, s, "ada", path)
		if r.status != 200 || r.header.Get("Content-Type") != want[0] || r.body != want[1] {
			t.Errorf("%s: %d %s %q, want %q", path, r.status, r.header.Get("Content-Type"), r.body, want)
		}
	}
	r := get(t, s, "ada", shelfRepository+"/raw/docs/a%20b%23%25.md")
	if got := r.header.Get("Content-Disposition"); got != `inline; filename="a b#%.md"; filename*=UTF-8''a%20b%23%25.md` {
		t.Errorf("Content-Disposition %s", got)
	}
	var page struct{ Values []string }
	get(t, s, "ada", shelfRepository+"/files/docs?at=feature/x").into(t, &page)
	if diff := cmp.Diff([]string{"a b#%.md", "deep/1.txt"}, page.Values); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	get(t, s, "ada", shelfRepository+"/files?limit=2&start=1").into(t, &page)
	if diff := cmp.Diff([]string{"docs/a b#%.md", "docs/deep/one.txt"}, page.Values); diff != "" {
		t.Errorf("a page of files (-want +got):\n%s", diff)
	}
	var modified struct {
		Files        map[string]struct{ Message string }
		LatestCommit struct{ Message string }
	}
	get(t, s, "ada", shelfRepository+"/last-modified?at=main").into(t, &modified)
	if modified.Files["docs"].Message != "second" || modified.Files["run.sh"].Message != "first" || modified.LatestCommit.Message != "second" {
		t.Errorf("last modified: %+v", modified)
	}
}

// H1
func TestArchivesHoldTheFiles(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, shelf)})
	names := func(r reply, format string) (names []string) {
		t.Helper()
		if format == "zip" {
			z, err := zip.NewReader(strings.NewReader(r.body), int64(len(r.body)))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range z.File {
				names = append(names, f.Name)
			}
			return names
		}
		var stream io.Reader = strings.NewReader(r.body)
		if format != "tar" {
			z, err := gzip.NewReader(stream)
			if err != nil {
				t.Fatal(err)
			}
			stream = z
		}
		for tr := tar.NewReader(stream); ; {
			h, err := tr.Next()
			if err == io.EOF {
				return names
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.Typeflag != tar.TypeXGlobalHeader {
				names = append(names, h.Name)
			}
		}
	}
	for _, format := range []string{"zip", "tar", "tar.gz", "tgz"} {
		r := get(t, s, "ada", shelfRepository+"/archive?at=main&path=docs/deep&path=run.sh&prefix=r/&format="+format)
		want := []string{"r/docs/", "r/docs/deep/", "r/docs/deep/one.txt", "r/run.sh"}
		got := names(r, format)
		if len(got) > 0 && got[0] == "r/" {
			got = got[1:]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
		kind := "application/octet-stream"
		if format == "tar" {
			kind = "application/x-tar"
		}
		if got := r.header.Get("Content-Type"); got != kind {
			t.Errorf("%s: Content-Type %s, want %s", format, got, kind)
		}
	}
}

// H1: nothing that a file holds runs in a browser.
func TestRawFilesHaveTheTypeOfWhatTheyHold(t *testing.T) {
	s := oddFiles(t)
	for path, want := range map[string]string{
		"page.html":                       "text/plain;charset=UTF-8",
		"page.html?markup":                "text/plain;charset=UTF-8",
		"latin.txt":                       "text/plain;charset=ISO-8859-1",
		"utf16.txt":                       "application/octet-stream",
		"picture.png":                     "image/png",
		"empty.txt":                       "text/plain;charset=UTF-8",
		"docs/Guide.MARKDOWN?markup":      "text/html;charset=UTF-8",
		"docs/Guide.MARKDOWN?markup=true": "text/html;charset=UTF-8",
		"docs/Guide.MARKDOWN?markup=no":   "text/plain;charset=UTF-8",
	} {
		r := get(t, s, "ada", shelfRepository+"/raw/"+path)
		if got := r.header.Get("Content-Type"); r.status != 200 || got != want || r.header.Get("Content-Security-Policy") != "sandbox" {
			t.Errorf("%s: %d %s, policy %q, want %s, sandbox", path, r.status, got, r.header.Get("Content-Security-Policy"), want)
		}
	}
	want := `inline; filename="___.txt"; filename*=UTF-8''%C3%A4%22%5C.txt`
	if got := get(t, s, "ada", shelfRepository+"/raw/docs/%C3%A4%22%5C.txt").header.Get("Content-Disposition"); got != want {
		t.Errorf("Content-Disposition %s, want %s", got, want)
	}
}

// H1
func TestTheReadmeIsTheMarkedUpOneFirst(t *testing.T) {
	s := oddFiles(t)
	for path, want := range map[string]string{"/readme": "*marked*\n", "/license": "bare\n", "/contributing": "bare\n"} {
		if r := get(t, s, "ada", shelfRepository+path); r.status != 200 || r.body != want {
			t.Errorf("%s: %d %q, want %q", path, r.status, r.body, want)
		}
	}
}

// H1
func TestAnArchiveIsCalledAfterWhatItIsOf(t *testing.T) {
	scenario := parse(t, attic)
	s := fakebb.New(fakebb.Options{Scenario: scenario})
	tip, base := scenario.Commit("P/r", "merge"), scenario.Commit("P/r", "base")
	for query, want := range map[string]string{
		"":                                "r-main@" + tip[:11] + ".zip",
		"?at=" + base:                     "r-" + base + ".zip",
		"?at=" + base[:9] + "&format=tar": "r-" + base[:9] + ".tar",
		"?at=refs/heads/main&format=tgz":  "r-main@" + tip[:11] + ".tgz",
		"?at=rel/1&format=tar.gz":         "r-rel-1@" + scenario.Commit("P/r", "topic-1")[:11] + ".tar.gz",
		"?filename=x%22y%0d%0a.bin":       "x_y__.bin",
	} {
		r := get(t, s, "ada", shelfRepository+"/archive"+query)
		if got := r.header.Get("Content-Disposition"); !strings.HasPrefix(got, `attachment; filename="`+want+`"; filename*=UTF-8''`) {
			t.Errorf("%s: %d %s, want %s", query, r.status, got, want)
		}
	}
}

// H1
func TestWhatWasModifiedLastComesFirst(t *testing.T) {
	s := fakebb.New(fakebb.Options{Scenario: parse(t, attic)})
	r := get(t, s, "ada", shelfRepository+"/last-modified?at=topic")
	var places []int
	for _, name := range []string{`"d.txt":{`, `"a.txt":{`, `"dir":{`, `"latestCommit":{`} {
		places = append(places, strings.Index(r.body, name))
	}
	if places[0] < 0 || !slices.IsSorted(places) {
		t.Errorf("d.txt, a.txt, dir and latestCommit are at %v of %s", places, r.body)
	}
	want := "A commit or a ref must be given to list changes of."
	if r := get(t, s, "ada", shelfRepository+"/last-modified/dir"); r.status != 400 || !strings.Contains(r.body, want) || len(want) != 51 {
		t.Errorf("without at: %d %s", r.status, r.body)
	}
}
