package content_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/fakebb/content"
)

// archived is what a reader finds in an archive at a path.
type archived struct {
	Mode fs.FileMode
	Body string
	Time int64
}

func archiveCommit(t *testing.T) *made {
	m := newMade(t)
	m.add(map[string]content.File{
		"README.md":     {Data: []byte("# Orchard\n")},
		"bin/run.sh":    {Data: []byte("#!/bin/sh\n"), Mode: content.Executable},
		"bin/latest":    {Data: []byte("run.sh"), Mode: content.Symlink},
		"src/grüße.txt": {Data: []byte("hallo")},
		"lib":           {Mode: content.Submodule, ID: strings.Repeat("ab", 20)},
	})
	return m
}

func wantArchived(prefix string) map[string]archived {
	when := at(0).Unix()
	return map[string]archived{
		prefix + "README.md":     {0o664, "# Orchard\n", when},
		prefix + "bin/":          {fs.ModeDir | 0o775, "", when},
		prefix + "bin/run.sh":    {0o775, "#!/bin/sh\n", when},
		prefix + "bin/latest":    {fs.ModeSymlink | 0o777, "run.sh", when},
		prefix + "lib/":          {fs.ModeDir | 0o775, "", when},
		prefix + "src/":          {fs.ModeDir | 0o775, "", when},
		prefix + "src/grüße.txt": {0o664, "hallo", when},
	}
}

func readTar(t *testing.T, r io.Reader) map[string]archived {
	found := map[string]archived{}
	tr := tar.NewReader(r)
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		body, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		found[h.Name] = archived{h.FileInfo().Mode(), string(body) + h.Linkname, h.ModTime.Unix()}
	}
}

func TestArchivesKeepModesLinksAndDates(t *testing.T) {
	m := archiveCommit(t)
	for _, format := range []content.ArchiveFormat{"", content.Tar, content.TarGz, content.Tgz, content.Zip} {
		var out bytes.Buffer
		if err := m.Archive(&out, m.ids[0], content.ArchiveOptions{Format: format, Prefix: "orchard-1/"}); err != nil {
			t.Fatal(err)
		}
		var got map[string]archived
		switch format {
		case content.TarGz, content.Tgz:
			gz, err := gzip.NewReader(&out)
			if err != nil {
				t.Fatal(err)
			}
			got = readTar(t, gz)
		case content.Zip:
			got = readZip(t, out.Bytes())
		default:
			got = readTar(t, &out)
		}
		if diff := cmp.Diff(wantArchived("orchard-1/"), got); diff != "" {
			t.Errorf("archive as %q (-want +got):\n%s", format, diff)
		}
	}
}

func readZip(t *testing.T, data []byte) map[string]archived {
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]archived{}
	for _, f := range zr.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		found[f.Name] = archived{f.Mode(), string(body), f.Modified.Unix()}
	}
	return found
}

func TestArchivesHoldWhatGitArchivesHold(t *testing.T) {
	git := newProgram(t)
	m := archiveCommit(t)
	git.load(m.specs, m.ids)
	for _, paths := range [][]string{nil, {"bin"}, {"bin/run.sh", "src"}} {
		args := append([]string{"archive", "--format=tar", "--prefix=p/", m.ids[0]}, paths...)
		want := readTar(t, strings.NewReader(git.run(nil, args...)))
		delete(want, "p/") // git has an entry for the prefix
		var out bytes.Buffer
		if err := m.Archive(&out, m.ids[0], content.ArchiveOptions{Prefix: "p/", Paths: paths}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, readTar(t, &out)); diff != "" {
			t.Errorf("archive of %v (-git +content):\n%s", paths, diff)
		}
	}
}

func TestArchivesRefuseWhatIsNotThere(t *testing.T) {
	m := archiveCommit(t)
	if err := m.Archive(io.Discard, m.ids[0], content.ArchiveOptions{Paths: []string{"nowhere"}}); !errors.Is(err, content.ErrNotFound) {
		t.Errorf("archive of a missing path: %v, want not found", err)
	}
	if err := m.Archive(io.Discard, m.ids[0], content.ArchiveOptions{Format: "rar"}); !errors.Is(err, content.ErrInvalid) {
		t.Errorf("archive as rar: %v, want invalid", err)
	}
}
