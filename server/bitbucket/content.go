package bitbucket

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
)

// The types of an [Entry].
const (
	TypeFile      = "FILE"
	TypeDirectory = "DIRECTORY"
	TypeSubmodule = "SUBMODULE"
)

// Entry is what is at a path (bitbucket-rest.md 8.1). As a child of a directory
// its path is relative to that.
type Entry struct {
	Path      Path
	Type      string // TypeFile, TypeDirectory, TypeSubmodule; links are files
	Size      *int64 // bytes of a file
	ContentID string // of a file its blob, of a submodule its commit
	URL       string // where a submodule is cloned from, when that is known
}

// browsed is what the browse endpoint answers, which depends on what is at the
// path.
type browsed struct {
	Entry
	Children *page[Entry]
	Lines    json.RawMessage
	Binary   bool
}

// browsePath is the request for a path at a ref or commit; at "" is the
// default branch. A path goes out segment by segment: an encoded slash is
// refused (bug-log.md URI-02).
func browsePath(kind, project, repo, path, at string) request {
	q := url.Values{}
	if at != "" {
		q.Set("at", at)
	}
	segments := []string{kind}
	if path != "" {
		segments = append(segments, strings.Split(path, "/")...)
	}
	return get(api, q, place(project, repo, segments...)...)
}

// NotDirectory is the error for a listing of what is a file or a submodule.
type NotDirectory struct{ Entry Entry }

// Error says what is at the path.
func (e *NotDirectory) Error() string {
	return "the path is a " + strings.ToLower(e.Entry.Type) + ", not a directory"
}

// ListChildren reads what a directory holds, directories first. path "" is the
// top. For anything else the error is a [NotDirectory].
func (c *Client) ListChildren(ctx context.Context, project, repo, path, at string, start, limit int) (Listing[Entry], error) {
	return readPages(browsePath("browse", project, repo, path, at), start, limit, func(r request) (page[Entry], error) {
		var b browsed
		if err := c.do(ctx, r, &b); err != nil {
			return page[Entry]{}, err
		}
		if b.Children == nil {
			return page[Entry]{}, &NotDirectory{b.entry(path)}
		}
		return *b.Children, nil
	})
}

// Entry says what is at a path, without reading it.
func (c *Client) Entry(ctx context.Context, project, repo, path, at string) (Entry, error) {
	r := browsePath("browse", project, repo, path, at)
	r.query.Set("limit", "1")
	var b browsed
	err := c.do(ctx, r, &b)
	return b.entry(path), err
}

func (b browsed) entry(path string) Entry {
	e := b.Entry
	switch {
	case b.Children != nil:
		e.Type = TypeDirectory
	case b.Lines != nil || b.Binary || e.Type == "":
		e.Type = TypeFile
	}
	e.Path.ToString = path
	return e
}

// ListPaths reads the paths of all files below a directory, relative to it.
func (c *Client) ListPaths(ctx context.Context, project, repo, path, at string, start, limit int) (Listing[string], error) {
	return readList[string](ctx, c, browsePath("files", project, repo, path, at), start, limit)
}

// File is the content of a file as it is stored (bitbucket-rest.md 8.2).
type File struct {
	Data []byte
	// Whole is false when the file has more than was read.
	Whole bool
	// Size is how many bytes the file has, or -1 when that is not known.
	Size int64
}

// ReadFile reads at most limit bytes of a file.
func (c *Client) ReadFile(ctx context.Context, project, repo, path, at string, limit int64) (File, error) {
	a, err := c.send(ctx, browsePath("raw", project, repo, path, at), "*/*", limit)
	if err != nil {
		return File{}, err
	}
	f := File{Data: a.data, Whole: a.whole, Size: int64(len(a.data))}
	if !a.whole {
		f.Size = -1
		if n, err := strconv.ParseInt(a.header.Get("Content-Length"), 10, 64); err == nil && n > int64(len(a.data)) {
			f.Size = n
		}
	}
	return f, nil
}

// FileSize asks how many bytes a file has.
func (c *Client) FileSize(ctx context.Context, project, repo, path, at string) (int64, error) {
	r := browsePath("browse", project, repo, path, at)
	r.query.Set("size", "true")
	var s struct{ Size int64 }
	err := c.do(ctx, r, &s)
	return s.Size, err
}

// ArchiveOf reads a tar archive of one path, at most limit bytes of it. Unlike
// the other endpoints it tells a symbolic link from a file.
func (c *Client) ArchiveOf(ctx context.Context, project, repo, path, at string, limit int64) ([]byte, error) {
	q := url.Values{"format": {"tar"}, "path": {path}}
	if at != "" {
		q.Set("at", at)
	}
	a, err := c.send(ctx, get(api, q, place(project, repo, "archive")...), "*/*", limit)
	return a.data, err
}
