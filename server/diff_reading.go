package server

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// How a diff is read. A small one takes one request. Of a large one Bitbucket
// sends 10,000 lines at most, near a megabyte, of which an answer has room for
// a tenth: its files are asked for one by one, no more than may fit.
const (
	wholeDiffFiles = 100
	diffsRead      = 16
)

// fileRead is what came of reading the diff of a file.
type fileRead struct {
	diff bitbucket.FileDiff
	// missing says that Bitbucket answered without the file: what it is asked
	// to ignore is all that changed.
	missing bool
	err     error
}

// reading are the diffs that were read.
type reading struct {
	// files are those of the first candidates. It ends before the first that
	// was not read.
	files []fileRead
	// moved says that a diff is of a newer commit than the list.
	moved bool
}

// read reads the diffs of the first of candidates, which are of whole changes.
func (c compared) read(ctx context.Context, candidates []bitbucket.Change, whole int) (reading, error) {
	var r reading
	if len(candidates) == 0 {
		return r, nil
	}
	found := map[string]fileRead{}
	refused, complete := error(nil), false
	if whole <= wholeDiffFiles && c.complete && (len(candidates) > 1 || whole == 1) {
		d, err := c.diff(ctx, bitbucket.OneFile{})
		switch {
		case err == nil:
			r.moved = c.other(d)
			complete = !d.Truncated
			for _, f := range d.Diffs {
				if !f.Truncated {
					found[f.Path()] = fileRead{diff: f}
				}
			}
		case ctx.Err() != nil:
			return r, err
		case !perFile(err):
			refused = err
		}
	}

	var mu sync.Mutex
	var beside side
	asked := 0
	r.files = make([]fileRead, 0, len(candidates))
	results := make([]*fileRead, len(candidates))
	for i, change := range candidates {
		f, ok := found[change.Path.String()]
		switch {
		case ok:
			results[i] = &f
		case refused != nil:
			results[i] = &fileRead{err: refused}
		case complete:
			results[i] = &fileRead{missing: true}
		case asked < diffsRead:
			asked++
			beside.run(func() {
				one, moved := c.readFile(ctx, change)
				mu.Lock()
				results[i], r.moved = &one, r.moved || moved
				mu.Unlock()
			})
		}
	}
	beside.wait()
	if err := ctx.Err(); err != nil {
		return r, err
	}
	for _, f := range results {
		if f == nil {
			break
		}
		r.files = append(r.files, *f)
	}
	return r, nil
}

// perFile says whether a whole diff that was refused may be had by its files:
// it was too large, or took too long (DIFF-15).
func perFile(err error) bool {
	var failed *bitbucket.Error
	if !errors.As(err, &failed) {
		return false
	}
	switch failed.Kind {
	case bitbucket.Failed, bitbucket.Invalid, bitbucket.Unsupported, bitbucket.Unreachable:
		return true
	}
	return false
}

func (c compared) readFile(ctx context.Context, change bitbucket.Change) (read fileRead, moved bool) {
	d, err := c.diff(ctx, bitbucket.OneFile{Path: change.Path.String(), SrcPath: change.SrcPath.String()})
	if err != nil {
		return fileRead{err: err}, false
	}
	for _, f := range d.Diffs {
		if f.Path() == change.Path.String() {
			f.Truncated = f.Truncated || d.Truncated
			return fileRead{diff: f}, c.other(d)
		}
	}
	return fileRead{missing: true}, c.other(d)
}

// other says whether d is of another commit than the list of files.
func (c compared) other(d bitbucket.Diff) bool {
	return d.ToHash != "" && !strings.HasPrefix(d.ToHash, strings.ToLower(c.commit))
}
