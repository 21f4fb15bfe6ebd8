package content

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// ArchiveFormat is a form of archive, by the names git knows them under.
type ArchiveFormat string

// The formats of archives; tgz is another name of tar.gz.
const (
	Tar   ArchiveFormat = "tar"
	TarGz ArchiveFormat = "tar.gz"
	Tgz   ArchiveFormat = "tgz"
	Zip   ArchiveFormat = "zip"
)

// ArchiveOptions say what an archive holds; the zero value is everything as tar.
type ArchiveOptions struct {
	// Format is Tar when empty.
	Format ArchiveFormat
	// Prefix is put before every path as it is; a directory ends with a slash.
	Prefix string
	// Paths are files and directories to keep to; all when empty.
	Paths []string
}

// Archive writes the files of a commit as git archive does: executable files
// and symbolic links stay what they are, a submodule is an empty directory, and
// everything carries the commit's date. A tar names the commit in its global
// header, a zip in its comment.
func (s *Store) Archive(w io.Writer, commit string, opt ArchiveOptions) error {
	items, c, err := s.archiveItems(commit, opt)
	if err != nil {
		return err
	}
	switch opt.Format {
	case Tar, "":
		err = writeTar(w, c, items)
	case TarGz, Tgz:
		gz := gzip.NewWriter(w)
		if err = writeTar(gz, c, items); err == nil {
			err = gz.Close()
		}
	case Zip:
		err = writeZip(w, c, items)
	default:
		return fmt.Errorf("archive format %q: %w", opt.Format, ErrInvalid)
	}
	if err != nil {
		return fmt.Errorf("archive of %s: %w", c.ID, err)
	}
	return nil
}

// archiveItem is a path of an archive; a directory ends with a slash.
type archiveItem struct {
	path string
	mode Mode
	data []byte
}

func (s *Store) archiveItems(commit string, opt ArchiveOptions) ([]archiveItem, CommitInfo, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c, err := s.commitAt(commit)
	if err != nil {
		return nil, CommitInfo{}, err
	}
	for _, path := range opt.Paths {
		if _, ok := s.find(c.tree, path); !ok {
			return nil, CommitInfo{}, fmt.Errorf("path %q at commit %s: %w", path, commit, ErrNotFound)
		}
	}
	wanted := func(path string) (whole, part bool) {
		whole = len(opt.Paths) == 0
		for _, p := range opt.Paths {
			whole = whole || isWithin(path, p)
			part = part || isWithin(p, path)
		}
		return whole, part
	}
	var items []archiveItem
	var walk func(tree hash, dir string)
	walk = func(tree hash, dir string) {
		for _, n := range s.trees[tree] {
			path := join(dir, n.name)
			whole, part := wanted(path)
			switch {
			case n.mode == Directory && (whole || part):
				items = append(items, archiveItem{opt.Prefix + path + "/", Directory, nil})
				walk(n.id, path)
			case n.mode == Submodule && whole:
				items = append(items, archiveItem{opt.Prefix + path + "/", Directory, nil})
			case n.mode != Directory && whole:
				items = append(items, archiveItem{opt.Prefix + path, n.mode, s.blobs[n.id]})
			}
		}
	}
	walk(c.tree, "")
	return items, c.copyInfo(), nil
}

// permissions are those git archive gives with its default tar.umask.
func (i archiveItem) permissions() int64 {
	switch i.mode {
	case Executable, Directory:
		return 0o775
	case Symlink:
		return 0o777
	}
	return 0o664
}

func writeTar(w io.Writer, c CommitInfo, items []archiveItem) error {
	tw := tar.NewWriter(w)
	err := tw.WriteHeader(&tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header", PAXRecords: map[string]string{"comment": c.ID}})
	if err != nil {
		return err
	}
	for _, item := range items {
		h := &tar.Header{
			Name: item.path, Mode: item.permissions(), Size: int64(len(item.data)), Typeflag: tar.TypeReg,
			ModTime: time.Unix(c.Committer.When.Unix(), 0), Uname: "root", Gname: "root",
		}
		body := item.data
		switch item.mode {
		case Directory:
			h.Typeflag = tar.TypeDir
		case Symlink:
			h.Typeflag, h.Linkname, h.Size, body = tar.TypeSymlink, string(item.data), 0, nil
		}
		if err := tw.WriteHeader(h); err != nil {
			return err
		}
		if _, err := tw.Write(body); err != nil {
			return err
		}
	}
	return tw.Close()
}

func writeZip(w io.Writer, c CommitInfo, items []archiveItem) error {
	zw := zip.NewWriter(w)
	if err := zw.SetComment(c.ID); err != nil {
		return err
	}
	for _, item := range items {
		h := &zip.FileHeader{Name: item.path, Method: zip.Deflate, Modified: c.Committer.When}
		mode := fs.FileMode(item.permissions())
		switch item.mode {
		case Directory:
			mode |= fs.ModeDir
			h.Method = zip.Store
		case Symlink:
			mode |= fs.ModeSymlink
		}
		h.SetMode(mode)
		f, err := zw.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := f.Write(item.data); err != nil {
			return err
		}
	}
	return zw.Close()
}
