// Package archive lists what a zip, tar, tar.gz or tar.bz2 archive holds. It
// unpacks nothing, judges an archive by its content and not by its name, and
// does bounded work, whatever the archive claims.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"io"
	"strings"
)

// The bounds of one listing.
const (
	// MaxEntries is how many entries are listed.
	MaxEntries = 10_000
	// MaxUnpacked is how many bytes of a compressed tar are unpacked to find its
	// entries: at some 200 MB a second a third of a second.
	MaxUnpacked = 64 << 20
	// maxName is how many bytes of an entry's name are kept.
	maxName = 1024
)

// Format is a format of archives.
type Format string

// The formats that are listed.
const (
	Zip     Format = "zip" // and what is built on it: jar, war, docx, apk, …
	Tar     Format = "tar"
	TarGzip Format = "tar.gz"
	TarBz2  Format = "tar.bz2"
)

// Entry is a file or a directory in an archive.
type Entry struct {
	// Name is valid UTF-8; U+FFFD stands for bytes that are none. That of a
	// directory ends in a slash.
	Name string
	Size int64  // unpacked, in bytes, as the archive claims
	Link string // where a symbolic or hard link leads
}

// Listing is what was found in an archive.
type Listing struct {
	Format  Format
	Entries []Entry // in the archive's order
	// Complete is true when these are all entries.
	Complete bool
	// Why says why the listing is not complete, otherwise "".
	Why string
}

// ErrNotArchive is the error for what is no archive of a known format, or one
// that is broken from its beginning.
var ErrNotArchive = errors.New("no archive that can be listed")

// List lists the archive in data. whole says that data is all of it: of a zip,
// whose directory is at its end, a part cannot be listed.
func List(data []byte, whole bool) (Listing, error) {
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")), bytes.HasPrefix(data, []byte("PK\x05\x06")):
		if !whole {
			return Listing{}, ErrNotArchive
		}
		return listZip(data)
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return Listing{}, ErrNotArchive
		}
		return listTar(TarGzip, &bounded{r: z, left: MaxUnpacked}, whole)
	case bytes.HasPrefix(data, []byte("BZh")):
		return listTar(TarBz2, &bounded{r: bzip2.NewReader(bytes.NewReader(data)), left: MaxUnpacked}, whole)
	case len(data) > 262 && string(data[257:262]) == "ustar":
		return listTar(Tar, bytes.NewReader(data), whole)
	}
	return Listing{}, ErrNotArchive
}

// errBound ends the unpacking of a compressed tar.
var errBound = errors.New("bound reached")

// bounded is a reader that fails when it has given so many bytes.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errBound
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// Reasons for a listing that is not complete.
const (
	whyEntries  = "it has more entries than are listed"
	whyUnpacked = "more would have to be unpacked than is"
	whyPart     = "only its beginning was read"
	whyBroken   = "it is broken after these"
)

func listZip(data []byte) (Listing, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if z == nil || err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return Listing{}, ErrNotArchive
	}
	l := Listing{Format: Zip, Entries: []Entry{}, Complete: true}
	for _, f := range z.File {
		if len(l.Entries) == MaxEntries {
			l.Complete, l.Why = false, whyEntries
			break
		}
		l.Entries = append(l.Entries, Entry{Name: nameOf(f.Name), Size: sizeOf(int64(f.UncompressedSize64))})
	}
	return l, nil
}

func listTar(format Format, r io.Reader, whole bool) (Listing, error) {
	l := Listing{Format: format, Entries: []Entry{}}
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if errors.Is(err, tar.ErrInsecurePath) {
			err = nil
		}
		switch {
		case err == nil && len(l.Entries) == MaxEntries:
			l.Why = whyEntries
			return l, nil
		case err == nil:
			name := nameOf(h.Name)
			if h.Typeflag == tar.TypeDir && !strings.HasSuffix(name, "/") {
				name += "/"
			}
			l.Entries = append(l.Entries, Entry{Name: name, Size: sizeOf(h.Size), Link: nameOf(h.Linkname)})
			continue
		case len(l.Entries) == 0:
			// A tar without entries is all zeroes, which is no archive worth the name;
			// anything compressed may be something else than a tar.
			return Listing{}, ErrNotArchive
		case err == io.EOF && whole:
			l.Complete = true
		case errors.Is(err, errBound):
			l.Why = whyUnpacked
		case !whole:
			l.Why = whyPart
		default:
			l.Why = whyBroken
		}
		return l, nil
	}
}

func nameOf(name string) string {
	if len(name) > maxName {
		name = name[:maxName] + "…"
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}

// sizeOf is the size an archive claims, which may be nonsense.
func sizeOf(n int64) int64 { return max(n, 0) }
