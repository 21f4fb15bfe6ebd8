package bitbucket

import (
	"context"
	"net/url"
	"strconv"
	"strings"
)

// Diff is the differences of any number of files (bitbucket-rest.md 13).
type Diff struct {
	ToHash string
	Diffs  []FileDiff
	// Truncated is true where Bitbucket reached its cap of lines: what follows
	// is missing.
	Truncated bool
}

// FileDiff is the difference of one file. A binary one has no hunks, nor has
// one whose content is the same.
type FileDiff struct {
	Source      *Path // nil: the file is new
	Destination *Path // nil: the file is gone
	Binary      bool
	Hunks       []Hunk
	Truncated   bool
}

// Path is the file's path, the old one of a file that is gone.
func (f FileDiff) Path() string {
	if f.Destination != nil {
		return f.Destination.String()
	}
	return f.Source.String()
}

// Hunk is a run of lines with the changes in it.
type Hunk struct {
	Context         string // the line above it that names its function
	SourceLine      int
	SourceSpan      int
	DestinationLine int
	DestinationSpan int
	Segments        []Segment
	Truncated       bool
}

// Segment is a run of lines of one type. In a block of changes those REMOVED
// come before those ADDED.
type Segment struct {
	Type      string // CONTEXT, ADDED, REMOVED
	Lines     []DiffLine
	Truncated bool
}

// DiffLine is one line. Both numbers are always there; of an added line only
// Destination means something, of a removed one only Source.
type DiffLine struct {
	Source      int
	Destination int
	Line        string
	Truncated   bool // cut by Bitbucket at 5,000 characters
}

// Looks says how a diff is read.
type Looks struct {
	// Context is how many unchanged lines stand around a change; nil leaves it
	// to Bitbucket, which gives 10.
	Context *int
	// IgnoreWhitespace leaves out what differs only in white space.
	IgnoreWhitespace bool
}

func (l Looks) query() url.Values {
	q := url.Values{"withComments": {"false"}}
	if l.Context != nil {
		q.Set("contextLines", strconv.Itoa(*l.Context))
	}
	if l.IgnoreWhitespace {
		q.Set("whitespace", "ignore-all")
	}
	return q
}

// OneFile narrows a diff to a file. The zero value is every file.
type OneFile struct {
	Path string
	// SrcPath is the path before a move or copy; without it Bitbucket shows a
	// file that was moved as a new one.
	SrcPath string
}

func (f OneFile) narrow(q url.Values, path []string) []string {
	if f.Path == "" {
		return path
	}
	if f.SrcPath != "" {
		q.Set("srcPath", f.SrcPath)
	}
	return append(path, strings.Split(f.Path, "/")...)
}

// PullRequestDiff reads the diff of a pull request: what merging it would
// bring, or with since what came after that commit up to until.
func (c *Client) PullRequestDiff(ctx context.Context, project, repo string, id int, since, until string, file OneFile, looks Looks) (Diff, error) {
	q := looks.query()
	if since != "" {
		q.Set("diffType", "RANGE")
		q.Set("sinceId", since)
		q.Set("untilId", until)
	}
	path := file.narrow(q, pullRequestPath(project, repo, id, "diff"))
	var d Diff
	err := c.do(ctx, get(api, q, path...), &d)
	return d, err
}

// CommitDiff reads the diff of a commit with its first parent.
func (c *Client) CommitDiff(ctx context.Context, project, repo, commit string, file OneFile, looks Looks) (Diff, error) {
	q := looks.query()
	path := file.narrow(q, place(project, repo, "commits", commit, "diff"))
	var d Diff
	err := c.do(ctx, get(api, q, path...), &d)
	return d, err
}
