package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/server/archive"
)

func zipped(t testing.TB, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		w, err := z.Create(name)
		if err == nil && !strings.HasSuffix(name, "/") {
			_, err = w.Write([]byte("pear"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(w, zeroes{}, h.Size); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// T6
func TestAnArchiveIsListedByItsContent(t *testing.T) {
	files := []tar.Header{
		{Name: "orchard", Typeflag: tar.TypeDir}, {Name: "orchard/pear.txt", Size: 4, Typeflag: tar.TypeReg},
		{Name: "orchard/link", Typeflag: tar.TypeSymlink, Linkname: "../../etc/passwd"},
	}
	tarEntries := []archive.Entry{{Name: "orchard/"}, {Name: "orchard/pear.txt", Size: 4}, {Name: "orchard/link", Link: "../../etc/passwd"}}
	for name, test := range map[string]struct {
		data []byte
		want archive.Listing
	}{
		"zip": {zipped(t, "orchard/", "orchard/pear.txt", "../up.txt"), archive.Listing{Format: archive.Zip, Complete: true,
			Entries: []archive.Entry{{Name: "orchard/"}, {Name: "orchard/pear.txt", Size: 4}, {Name: "../up.txt", Size: 4}}}},
		"empty zip":       {zipped(t), archive.Listing{Format: archive.Zip, Complete: true, Entries: []archive.Entry{}}},
		"zip with a name": {zipped(t, "gr\xfc\xdfe.txt"), archive.Listing{Format: archive.Zip, Complete: true, Entries: []archive.Entry{{Name: "gr\uFFFDe.txt", Size: 4}}}},
		"tar":             {tarred(t, files...), archive.Listing{Format: archive.Tar, Complete: true, Entries: tarEntries}},
		"tar.gz":          {gzipped(t, tarred(t, files...)), archive.Listing{Format: archive.TarGzip, Complete: true, Entries: tarEntries}},
	} {
		got, err := archive.List(test.data, true)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWhatIsNoArchiveIsRefused(t *testing.T) {
	for name, data := range map[string][]byte{
		"nothing": {}, "text": []byte("PK\n"), "one compressed file": gzipped(t, []byte("only text\n")),
		"half a zip": zipped(t, "a", "b")[:40], "a broken gzip": []byte("\x1f\x8b\x08\x00\x00"), "a broken bzip2": []byte("BZh9nonsense"),
	} {
		if l, err := archive.List(data, true); !errors.Is(err, archive.ErrNotArchive) {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
	if _, err := archive.List(zipped(t, "a"), false); !errors.Is(err, archive.ErrNotArchive) {
		t.Errorf("the beginning of a zip: %v", err)
	}
}

// T6. An archive that unpacks to more than its bound is listed as far as that,
// in bounded time, and says so.
func TestABombIsListedAsFarAsTheBound(t *testing.T) {
	bomb := gzipped(t, tarred(t, tar.Header{Name: "small", Size: 10}, tar.Header{Name: "bomb", Size: 2 * archive.MaxUnpacked}, tar.Header{Name: "behind", Size: 1}))
	start := time.Now()
	l, err := archive.List(bomb, true)
	if err != nil || l.Complete || l.Why == "" || len(l.Entries) != 2 {
		t.Errorf("a bomb of %d bytes gives %+v, %v", len(bomb), l, err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

// T6
func TestALongListingIsCutAndSaysSo(t *testing.T) {
	names := make([]string, archive.MaxEntries+1)
	for i := range names {
		names[i] = fmt.Sprintf("%d/", i)
	}
	if l, err := archive.List(zipped(t, names...), true); err != nil || l.Complete || l.Why == "" || len(l.Entries) != archive.MaxEntries {
		t.Errorf("%d entries give %d, complete %v, why %q, %v", len(names), len(l.Entries), l.Complete, l.Why, err)
	}
	data := tarred(t, tar.Header{Name: "a", Size: 1000}, tar.Header{Name: "b", Size: 1000})
	if l, err := archive.List(data[:1700], false); err != nil || l.Complete || l.Why == "" || len(l.Entries) != 1 {
		t.Errorf("the beginning of a tar gives %+v, %v", l, err)
	}
}

func FuzzListing(f *testing.F) {
	f.Add(zipped(f, "a/", "a/b"), true)
	f.Add(tarred(f, tar.Header{Name: "a", Size: 3}, tar.Header{Name: "l", Typeflag: tar.TypeSymlink, Linkname: "a"}), true)
	f.Add(gzipped(f, tarred(f, tar.Header{Name: "a", Size: 3})), false)
	f.Add([]byte("BZh91AY&SY"), true)
	f.Fuzz(func(t *testing.T, data []byte, whole bool) {
		l, err := archive.List(data, whole)
		if err != nil && len(l.Entries) > 0 {
			t.Errorf("an error (%v) with entries", err)
		}
		if err == nil && l.Complete != (l.Why == "") {
			t.Errorf("complete is %v, and why %q", l.Complete, l.Why)
		}
		for _, e := range l.Entries {
			if !utf8.ValidString(e.Name) || !utf8.ValidString(e.Link) || e.Size < 0 {
				t.Errorf("entry %+v", e)
			}
		}
	})
}
