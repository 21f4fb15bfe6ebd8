package ui

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The bounds of the page as it is served; the smallest page on the reference
// SDK is 218 KB, 56 KB compressed, with nothing in it.
const (
	maxRaw  = 120 * 1000
	maxGzip = 35 * 1000
)

// V9
func TestPageIsSmall(t *testing.T) {
	var zipped bytes.Buffer
	w, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(Page())); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("page: %d bytes, %d compressed", len(Page()), zipped.Len())
	if len(Page()) > maxRaw {
		t.Errorf("page: %d bytes, want at most %d", len(Page()), maxRaw)
	}
	if zipped.Len() > maxGzip {
		t.Errorf("page: %d bytes compressed, want at most %d", zipped.Len(), maxGzip)
	}
}

// V9, V38
func TestPageIsOneDocumentWithOneScriptAndOneStyle(t *testing.T) {
	page := Page()
	if !strings.HasPrefix(page, "<!doctype html>\n<html lang=\"en\"") || !strings.HasSuffix(page, "</html>\n") {
		t.Errorf("page begins %.40q and ends %q", page, page[len(page)-20:])
	}
	for _, once := range []string{"<html", "<head>", "<title>", "<body>", "<style>", "</style>", "<script>", "</script>", "<main>", `<meta charset="utf-8">`, "'use strict';"} {
		if n := strings.Count(page, once); n != 1 {
			t.Errorf("page has %d times %s, want it once", n, once)
		}
	}
	// Nothing is fetched: no address of any kind stands in an attribute.
	if found := regexp.MustCompile(`<(?:link|base|iframe|object|img)\b|<[a-z]+ [^>]*\b(?:src|href|on[a-z]+|style)=`).FindString(page); found != "" {
		t.Errorf("page has %q, which asks for something beside it", found)
	}
	if strings.Index(page, "<style>") > strings.Index(page, "<body>") || strings.Index(page, "<script>") < strings.Index(page, "<main>") {
		t.Error("page: the style belongs before the body, and the script after what it fills")
	}
}

// V9
func TestPageIsTheSameEveryTime(t *testing.T) {
	if diff := cmp.Diff(assemble("page.html"), Page()); diff != "" {
		t.Errorf("page differs (-again +first):\n%s", diff)
	}
}

func TestPageLeavesOutCommentsAndIndentation(t *testing.T) {
	left := regexp.MustCompile(`^\s|^//|/\*|\*/|@type`)
	for i, line := range strings.Split(strings.TrimSuffix(Page(), "\n"), "\n") {
		if line == "" || left.MatchString(line) {
			t.Errorf("line %d: %q", i+1, line)
		}
	}
}

// files are the sources of one kind, by name.
func files(t *testing.T, pattern string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(names), err)
	}
	found := map[string]string{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = string(b)
	}
	return found
}

// payload.js holds types for the checker and nothing that runs.
func TestPageNamesEveryScriptAndStyle(t *testing.T) {
	html := source("page.html")
	for name, text := range files(t, "*.js") {
		if name == "payload.js" {
			if got := strip(text); got != "'use strict';\n" {
				t.Errorf("payload.js runs %q", got)
			}
			continue
		}
		if !strings.Contains(html, `<script src="`+name+`"></script>`) {
			t.Errorf("page.html does not name %s", name)
		}
		if !strings.HasPrefix(text, "'use strict';\n") {
			t.Errorf("%s: want 'use strict' on its first line", name)
		}
	}
	for name := range files(t, "*.css") {
		if !strings.Contains(html, `<link rel="stylesheet" href="`+name+`">`) {
			t.Errorf("page.html does not name %s", name)
		}
	}
}

// strip knows lines, not tokens; this compares the tokens. It fails when a
// template spans lines, or when a string holds what looks like a comment.
func TestStrippingLeavesEveryToken(t *testing.T) {
	for name, text := range files(t, "*.js") {
		want, err := tokens(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := tokens(strip(text))
		if err != nil {
			t.Fatalf("%s, stripped: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: stripping changes it (-want +got):\n%s", name, diff)
		}
	}
	for _, bad := range []string{"const a = `one\n  two`;", "const a = '/** @type {x} */ ';", "const a = `\n// no comment\n`;"} {
		want, _ := tokens(bad)
		if got, _ := tokens(strip(bad)); cmp.Equal(want, got) {
			t.Errorf("stripping changes %q, and the test does not see it", bad)
		}
	}
}

func TestSourcesStayInsideTheirElementAndTheirName(t *testing.T) {
	closing := regexp.MustCompile(`(?i)</(?:script|style)|<!--|<script`)
	global := regexp.MustCompile(`(?m)^(?:const|let|var|function|class|async)\b.*`)
	for _, pattern := range []string{"*.js", "*.css"} {
		for name, text := range files(t, pattern) {
			if found := closing.FindString(text); found != "" {
				t.Errorf("%s: %q would end the page's element", name, found)
			}
			// One name for all: bb.
			for _, found := range global.FindAllString(text, -1) {
				if !strings.HasPrefix(found, "const bb = ") {
					t.Errorf("%s: a global of its own: %s", name, found)
				}
			}
		}
	}
}

func lookNode(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not on the PATH")
	}
	return node
}

// The tests of what is pure in the page (numbers, text, Markdown, the protocol)
// are written in its own language: testdata/*.test.mjs.
func TestPureScripts(t *testing.T) {
	node := lookNode(t)
	tests, err := filepath.Glob("testdata/*.test.mjs")
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	slices.Sort(tests)
	for _, file := range tests {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(node, "--test", "--test-reporter=tap", file)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("node --test ui/%s: %v\n%s", file, err, failures(string(out)))
			}
		})
	}
}

// failures are the parts of a TAP report that failed, or all of it.
func failures(tap string) string {
	found := regexp.MustCompile(`(?m)^not ok .*\n(?:  .*\n)*`).FindAllString(tap, -1)
	if len(found) == 0 {
		return tap
	}
	return strings.Join(found, "\n")
}
