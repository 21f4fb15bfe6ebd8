package server_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
)

// storing is a fake in which one file holds other bytes than the scenario's.
type storing struct {
	fake *fakebb.Server
	path string // the end of the request's path
	data []byte
	// chunked leaves out how long the answer is.
	chunked bool
}

func (s storing) RoundTrip(r *http.Request) (*http.Response, error) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/raw/"+s.path):
		length := int64(len(s.data))
		header := http.Header{"Content-Type": {"application/octet-stream"}}
		if s.chunked {
			length = -1
		} else {
			header.Set("Content-Length", fmt.Sprint(length))
		}
		return &http.Response{StatusCode: 200, Request: r, Header: header, ContentLength: length, Body: io.NopCloser(bytes.NewReader(s.data))}, nil
	case strings.HasSuffix(r.URL.Path, "/browse/"+s.path) && r.URL.Query().Get("size") == "true":
		return &http.Response{StatusCode: 200, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(strings.NewReader(fmt.Sprintf(`{"size":%d}`, len(s.data))))}, nil
	}
	return s.fake.Transport().RoundTrip(r)
}

const storedFile = `{"project":"ORCH","repo":"catalogue","path":"README.md"%s}`

// stored reads a file of these bytes.
func stored(t testing.TB, data []byte, more string) (toolResult, server.FileAnswer) {
	t.Helper()
	fake := fakebb.New(fakebb.Options{})
	s, err := server.New(server.Options{Bitbucket: newClient(t, storing{fake: fake, path: "README.md", data: data}), Version: "test", Now: fake.Now})
	if err != nil {
		t.Fatal(err)
	}
	p := (&world{server: s}).connect(t, "modern", `{}`)
	raw := p.call("tools/call", fmt.Sprintf(`{"name":"get_file","arguments":%s}`, fmt.Sprintf(storedFile, more))).Result
	if n := len(utf16.Encode([]rune(string(raw)))); n > 120_000 {
		t.Errorf("%d bytes of a file give a result of %d units", len(data), n)
	}
	r := decode[toolResult](t, raw)
	if r.IsError {
		return r, server.FileAnswer{}
	}
	fits(t, p, "get_file", r.StructuredContent)
	return r, decode[server.FileAnswer](t, r.StructuredContent)
}

// T6
func TestAFileIsWhatItsContentIs(t *testing.T) {
	var picture, large, jar, tarball bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 20, 10))); err != nil {
		t.Fatal(err)
	}
	noise := image.NewNRGBA(image.Rect(0, 0, 400, 400))
	random := rand.New(rand.NewPCG(3, 4))
	for i := range noise.Pix {
		noise.Pix[i] = byte(random.Uint32())
	}
	if err := png.Encode(&large, noise); err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(&jar)
	for _, name := range []string{"META-INF/", "META-INF/MANIFEST.MF", "pear\u202e.class"} {
		if w, err := z.Create(name); err == nil && !strings.HasSuffix(name, "/") {
			w.Write([]byte("x"))
		}
	}
	z.Close()
	w := tar.NewWriter(&tarball)
	w.WriteHeader(&tar.Header{Name: "a", Size: 0})
	w.Close()
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("ab", 32) + "\nsize 12345\n"

	for name, test := range map[string]struct {
		data  []byte
		kind  string
		kinds string // of the content, by type
		says  []string
	}{
		"text":             {[]byte("one\ntwo\n"), "TEXT", "text", []string{"text, 2 lines, 8 bytes", "\n1\tone\n2\ttwo"}},
		"nothing":          {nil, "TEXT", "text", []string{"it is empty"}},
		"svg":              {[]byte("<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"), "TEXT", "text", []string{"1\t<svg"}},
		"not UTF-8":        {[]byte("\xe4\n"), "TEXT", "text", []string{"it is not UTF-8", "1\t\uFFFD"}},
		"byte order mark":  {[]byte("\xef\xbb\xbfpack\n"), "TEXT", "text", []string{"byte order mark", "\n1\tpack"}},
		"UTF-16":           {[]byte("\xff\xfep\x00\n\x00"), "BINARY", "text", []string{"UTF-16LE", "Its page: https://"}},
		"picture":          {picture.Bytes(), "IMAGE", "text image", []string{"image/png, 20 × 10 pixels"}},
		"large picture":    {large.Bytes(), "IMAGE", "text image", []string{"400 × 400 pixels", "it is shown as jpeg"}},
		"broken picture":   {picture.Bytes()[:40], "IMAGE", "text", []string{"cannot be decoded", "Its page: https://"}},
		"jar":              {jar.Bytes(), "ARCHIVE", "text", []string{"3 entries", `"META-INF/MANIFEST.MF" 1 byte`, `"pear\u202e.class"`}},
		"tar":              {tarball.Bytes(), "ARCHIVE", "text", []string{"1 entry", `- "a" 0 bytes`}},
		"pointer":          {[]byte(pointer), "LFS_POINTER", "text", []string{"Git LFS: 12345 bytes"}},
		"no pointer":       {[]byte(pointer[:60] + "\n"), "TEXT", "text", nil},
		"pdf":              {[]byte("%PDF-1.7\n\x00\x01"), "BINARY", "text", []string{"application/pdf", "Its page: https://"}},
		"program":          {[]byte("\x7fELF\x02\x01\x01\x00"), "BINARY", "text", []string{"application/x-elf"}},
		"unknown":          {[]byte{0, 1, 2, 3}, "BINARY", "text", []string{"application/octet-stream", "4 bytes"}},
		"too many pixels":  {pngClaiming(t, 30000), "IMAGE", "text", []string{"too many pixels"}},
		"hides a line end": {[]byte("x\u2028There is more; go on\x1b[1m\n"), "TEXT", "text", []string{"1\tx<U+2028>There is more; go on<U+001B>[1m"}},
	} {
		r, a := stored(t, test.data, "")
		if r.IsError {
			t.Errorf("%s: %s", name, r.text())
			continue
		}
		var kinds []string
		for _, c := range r.Content {
			if c.Type != "resource_link" {
				kinds = append(kinds, c.Type)
			}
		}
		if a.Kind != test.kind || strings.Join(kinds, " ") != test.kinds || a.Size == nil || *a.Size != int64(len(test.data)) {
			t.Errorf("%s: %s as %v, size %v", name, a.Kind, kinds, a.Size)
		}
		for _, says := range test.says {
			if !strings.Contains(r.text(), says) {
				t.Errorf("%s does not say %q:\n%s", name, says, r.text())
			}
		}
	}
}

// pngClaiming is a small file of a picture with many pixels of one colour.
func pngClaiming(t testing.TB, w int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, w, 1000), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// T6. What is too large to be read is described, with its size, and the part of
// a text that is read is said to be one.
func TestALargeFileIsDescribedAndNotRead(t *testing.T) {
	text := bytes.Repeat([]byte("A line of thirty-one letters..\n"), 1<<19) // 16 MiB
	r, a := stored(t, text, `,"start":200000,"limit":3`)
	if a.Total != nil || a.First != 200000 || a.Last != 200002 || a.NextStart != 200003 || *a.Size != int64(len(text)) || a.ContentID != "" {
		t.Errorf("a window of a large text: %+v", a)
	}
	if !strings.Contains(r.text(), "only its first 8 MiB") {
		t.Errorf("it is not said that not all is read: %.500s", r.text())
	}
	if r, _ := stored(t, text, `,"start":500000`); !r.IsError || !strings.Contains(r.text(), "beyond the first 8 MiB") {
		t.Errorf("a window beyond what is read: %.300s", r.text())
	}
	binary := append([]byte{0, 1, 2}, text...)
	if r, a := stored(t, binary, ""); a.Kind != "BINARY" || *a.Size != int64(len(binary)) || !strings.Contains(r.text(), "larger than 8 MiB") {
		t.Errorf("a large binary: %.300s", r.text())
	}
	var picture bytes.Buffer
	noise := image.NewNRGBA(image.Rect(0, 0, 700, 700))
	random := rand.New(rand.NewPCG(5, 6))
	for i := range noise.Pix {
		noise.Pix[i] = byte(random.Uint32())
	}
	if err := png.Encode(&picture, noise); err != nil || picture.Len() < 1<<20 {
		t.Fatal(err, picture.Len())
	}
	if r, a := stored(t, picture.Bytes(), ""); a.Kind != "IMAGE" || len(r.Content) > 2 || !strings.Contains(r.text(), "larger than 1 MiB") {
		t.Errorf("a large picture: %.300s", r.text())
	}
}

// T6. The size of a file whose answer does not say how long it is, is asked for.
func TestTheSizeOfALargeFileIsAskedFor(t *testing.T) {
	fake := fakebb.New(fakebb.Options{})
	data := append([]byte{0}, make([]byte, 9<<20)...)
	s, err := server.New(server.Options{Bitbucket: newClient(t, storing{fake, "README.md", data, true}), Version: "test", Now: fake.Now})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.File(t.Context(), server.FileWindow{Project: "ORCH", Repo: "catalogue", Path: "README.md"})
	if err != nil || a.Size == nil || *a.Size != int64(len(data)) {
		t.Errorf("%+v, %v", a.Size, err)
	}
}

// T6. A window names the call that brings the next one, at the same commit.
func TestWindowsOfAFileAreReadOneAfterTheOther(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", `{}`)
	whole := decode[server.FileAnswer](t, p.tool("get_file", `{"project":"ORCH","repo":"catalogue","path":"catalogue/prune.go"}`).StructuredContent)
	var parts strings.Builder
	for start, at := 1, "main"; start > 0; {
		arguments := fmt.Sprintf(`{"project":"ORCH","repo":"catalogue","path":"/catalogue/./prune.go","at":%q,"start":%d,"limit":7}`, at, start)
		r := p.tool("get_file", arguments)
		a := decode[server.FileAnswer](t, r.StructuredContent)
		parts.WriteString(a.Content)
		if a.LimitReached != (a.NextStart > 0) || a.Commit != whole.Commit || !strings.Contains(r.text(), strings.TrimSuffix(a.Content, "\n")) {
			t.Fatalf("%s: %+v\n%s", arguments, a, r.text())
		}
		if at == "main" && !strings.Contains(r.text(), fmt.Sprintf("start %d, and at %s", a.NextStart, a.Commit)) {
			t.Errorf("%s does not name the next call: %s", arguments, r.text())
		}
		start, at = a.NextStart, a.Commit
	}
	if diff := cmp.Diff(whole.Content, parts.String()); diff != "" || whole.LimitReached {
		t.Errorf("windows (-whole +parts):\n%s", diff)
	}
}

// URI-02. A file is read under every awkward name, at every awkward ref.
func TestAFileIsReadUnderEveryName(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", `{}`)
	for start := 0; ; {
		list := decode[server.FilesAnswer](t, p.tool("list_files", fmt.Sprintf(`{"project":"ORCH","repo":"paths","recursive":true,"start":%d}`, start)).StructuredContent)
		for _, e := range list.Entries {
			name, _ := json.Marshal(e.Path)
			r := p.tool("get_file", fmt.Sprintf(`{"project":"ORCH","repo":"paths","path":%s}`, name))
			if a := decode[server.FileAnswer](t, r.StructuredContent); r.IsError || a.Path != e.Path || a.Commit != list.Commit {
				t.Errorf("%q: %s", e.Path, r.text())
			}
		}
		if !list.LimitReached {
			if start == 0 && len(list.Entries) < 40 {
				t.Errorf("%d files", len(list.Entries))
			}
			break
		}
		start = list.NextStart
	}
	for start := 0; ; {
		branches := decode[server.BranchesAnswer](t, p.tool("list_branches", fmt.Sprintf(`{"project":"ORCH","repo":"paths","start":%d}`, start)).StructuredContent)
		for _, b := range branches.Branches {
			name, _ := json.Marshal("refs/heads/" + b.Name)
			r := p.tool("get_file", fmt.Sprintf(`{"project":"ORCH","repo":"paths","path":"README.md","at":%s}`, name))
			if a := decode[server.FileAnswer](t, r.StructuredContent); r.IsError || a.Commit != b.Commit {
				t.Errorf("%q: %s", b.Name, r.text())
			}
		}
		if !branches.LimitReached {
			break
		}
		start = branches.NextStart
	}
}

// REST-26. What is no file, or not there, is named.
func TestWhatIsNoFileIsNamed(t *testing.T) {
	p := newWorld(t, "amara").connect(t, "modern", `{}`)
	for _, test := range []struct {
		arguments, want string
		works           bool
	}{
		{`"path":"kinds/link"`, `symbolic link to "run.sh"`, true},
		{`"path":"kinds/link"`, `What it leads to would be "kinds/run.sh"`, true},
		{`"path":"kinds/nowhere"`, `It leads out of the repository`, true},
		{`"path":"kinds/module"`, `another repository at commit 5b0d1f6f3a7c9e2148d60c7be95a3f1d20c84e67`, true},
		{`"path":"kinds/empty"`, `text, 0 lines, 0 bytes`, true},
		{`"path":"kinds"`, `it is a folder, not a file; list_files lists it`, false},
		{`"path":"/"`, `is the top folder; list_files lists it`, false},
		{`"path":"a/../b"`, `climbs with ".."`, false},
		{`"path":"nope.txt"`, `\"nope.txt\" does not exist`, false},
		{`"path":"README.md","at":"nope"`, `nope`, false},
		{`"path":"README.md","start":2`, `beyond its end: it has 1 line`, false},
		{`"path":"README.md","start":0`, `start`, false},
		{`"path":"README.md","limit":401`, `limit`, false},
		{`"path":""`, `path`, false},
	} {
		r := p.tool("get_file", `{"project":"ORCH","repo":"paths",`+test.arguments+`}`)
		if r.IsError == test.works || !strings.Contains(r.text(), test.want) {
			t.Errorf("%s: %v %s, want %q", test.arguments, r.IsError, r.text(), test.want)
		}
	}
	if r := p.tool("get_file", `{"project":"NURS","repo":"greenhouse","path":"a"}`); !r.IsError || !strings.Contains(r.text(), "the repository is empty") {
		t.Errorf("of an empty repository: %s", r.text())
	}
}
