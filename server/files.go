package server

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

func listFilesTool() Tool {
	return define(Tool{
		Name:        "list_files",
		Title:       "List files",
		Scope:       inRepository,
		Description: "Lists what a folder holds, directories first, or with recursive the paths of all files below it. Use it to find a path for get_file.",
	}, func(in *jsonschema.Schema) {
		named(in, "project", "repo")
		between(in, "limit", 1, maxLimit, defaultLimit)
		between(in, "start", 0, 0, 0)
	}, func(ctx context.Context, s *Server, in FileListing) (report[FilesAnswer], error) {
		a, err := s.Files(ctx, in)
		if err != nil {
			return report[FilesAnswer]{}, err
		}
		return listReport(a), nil
	})
}

// FileListing says which files are listed.
type FileListing struct {
	Project   string `json:"project"`
	Repo      string `json:"repo"`
	Path      string `json:"path,omitempty" jsonschema:"Folder; default: the top"`
	At        string `json:"at,omitempty" jsonschema:"Branch, tag or commit; default: the default branch"`
	Recursive bool   `json:"recursive,omitempty" jsonschema:"All files below, as paths"`
	Limit     int    `json:"limit,omitempty"`
	Start     int    `json:"start,omitempty"`
}

// FilesAnswer is what a folder holds.
type FilesAnswer struct {
	Path    string        `json:"path"`
	Commit  string        `json:"commit,omitempty" jsonschema:"What at is"`
	Entries []FolderEntry `json:"entries"`
	Page

	asked FileListing
}

// FolderEntry is one file or folder.
type FolderEntry struct {
	Path   string `json:"path" jsonschema:"From the top of the repository"`
	Type   string `json:"type,omitempty" jsonschema:"FILE, DIRECTORY, SUBMODULE"`
	Size   *int64 `json:"size,omitempty"`
	Commit string `json:"commit,omitempty" jsonschema:"Of a submodule"`
	URL    string `json:"url,omitempty"`
}

// Files answers what a folder holds, in two requests one after the other: the
// commit that a name stands for, so that every page of the list can be of the
// same, and the list. A commit's full id needs no asking.
func (s *Server) Files(ctx context.Context, in FileListing) (FilesAnswer, error) {
	if in.Limit == 0 {
		in.Limit = defaultLimit
	}
	a := FilesAnswer{Entries: []FolderEntry{}, asked: in}
	what := fmt.Sprintf("files of %s/%s", in.Project, in.Repo)
	var err error
	if a.Path, err = cleanPath(in.Path); err != nil {
		return a, err
	}
	commit, ok, err := s.tipOf(ctx, in.Project, in.Repo, in.At)
	if err != nil {
		return a, about(what, err)
	}
	if !ok {
		if a.Path != "" {
			return a, fmt.Errorf("%s: there is no path %s: the repository is empty", what, quote.Name(a.Path))
		}
		a.Count = counted(0)
		return a, nil
	}
	a.Commit = commit
	below := func(path string) string {
		if a.Path == "" {
			return path
		}
		return a.Path + "/" + path
	}
	if in.Recursive {
		list, err := s.o.Bitbucket.ListPaths(ctx, in.Project, in.Repo, a.Path, commit, in.Start, in.Limit)
		if err != nil {
			return a, about(what, s.whyNoFolder(ctx, in, a.Path, commit, err))
		}
		a.Page = pageOf(list, in.Start)
		for _, path := range list.Values {
			a.Entries = append(a.Entries, FolderEntry{Path: below(path)})
		}
		return a, nil
	}
	list, err := s.o.Bitbucket.ListChildren(ctx, in.Project, in.Repo, a.Path, commit, in.Start, in.Limit)
	if err != nil {
		return a, about(what, notFolder(a.Path, err))
	}
	a.Page = pageOf(list, in.Start)
	for _, e := range list.Values {
		x := FolderEntry{Path: below(e.Path.ToString), Type: e.Type, Size: e.Size}
		if e.Type == bitbucket.TypeSubmodule {
			x.Commit, x.URL, x.Size = e.ContentID, e.URL, nil
		}
		a.Entries = append(a.Entries, x)
	}
	return a, nil
}

// notFolder explains the listing of what is no folder.
func notFolder(path string, err error) error {
	var not *bitbucket.NotDirectory
	if !errors.As(err, &not) {
		return err
	}
	if not.Entry.Type == bitbucket.TypeSubmodule {
		return fmt.Errorf("%s is a submodule, another repository at commit %s; get_file says which", quote.Name(path), not.Entry.ContentID)
	}
	return fmt.Errorf("%s is a file, not a folder; get_file reads it", quote.Name(path))
}

// whyNoFolder explains a recursive listing that was not found, which the
// endpoint answers for a file as for nothing; one more request tells.
func (s *Server) whyNoFolder(ctx context.Context, in FileListing, path, commit string, err error) error {
	var failed *bitbucket.Error
	if path == "" || !errors.As(err, &failed) || failed.Missing() != "path" {
		return err
	}
	if e, other := s.o.Bitbucket.Entry(ctx, in.Project, in.Repo, path, commit); other == nil && e.Type != bitbucket.TypeDirectory {
		return notFolder(path, &bitbucket.NotDirectory{Entry: e})
	}
	return err
}

// tipOf is the commit that at stands for. A full id is its own, without a
// request. ok is false for a repository without a commit.
func (s *Server) tipOf(ctx context.Context, project, repo, at string) (commit string, ok bool, err error) {
	if isCommit(at) {
		return at, true, nil
	}
	c, ok, err := s.o.Bitbucket.Tip(ctx, project, repo, at)
	return c.ID, ok, err
}

// isCommit says whether a name is a commit's full id: no name of a branch is
// looked up before it.
func isCommit(name string) bool {
	return len(name) == 40 && strings.Trim(name, "0123456789abcdef") == ""
}

// cleanPath is the path of a file or folder as Bitbucket takes it: "", "/" and
// "." are the top. What would climb out is refused.
func cleanPath(path string) (string, error) {
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		switch {
		case part == "" || part == ".":
		case part == "..":
			return "", fmt.Errorf("path %s climbs with \"..\"; give the path from the top of the repository", quote.Name(path))
		case strings.ContainsRune(part, 0):
			return "", fmt.Errorf("path %s holds a null character, which no path does", quote.Name(path))
		default:
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/"), nil
}

func (a *FilesAnswer) length() int { return len(a.Entries) }

func (a *FilesAnswer) keep(n int) {
	a.Entries = a.Entries[:n]
	a.Page.keep(n)
}

// text is the answer as a report for a model.
func (a *FilesAnswer) text() string {
	var b strings.Builder
	where := fmt.Sprintf("%s/%s", a.asked.Project, a.asked.Repo)
	if a.Commit == "" {
		return fmt.Sprintf("%s is empty: it has no commit, and so no files.", where)
	}
	if a.Path != "" {
		where += " " + quote.Name(a.Path)
	}
	holds := a.of(len(a.Entries), "entry", "entries") + " in"
	if a.asked.Recursive {
		holds = a.of(len(a.Entries), "file", "files") + " below"
	}
	fmt.Fprintf(&b, "%s %s at %s%s\n", holds, where, revision(a.asked.At, a.Commit), colon(len(a.Entries)))
	for _, e := range a.Entries {
		b.WriteString("- " + quote.Name(e.Path))
		switch {
		case e.Type == bitbucket.TypeDirectory:
			b.WriteString(" directory")
		case e.Type == bitbucket.TypeSubmodule:
			b.WriteString(" submodule at " + quote.Word(e.Commit))
			if e.URL != "" {
				b.WriteString(" of " + quote.Name(e.URL))
			}
		case e.Size != nil:
			fmt.Fprintf(&b, " %s", plural(int(*e.Size), "byte", "bytes"))
		}
		b.WriteString("\n")
	}
	if a.LimitReached && !isCommit(a.asked.At) {
		fmt.Fprintf(&b, "There are more; go on with start %d, and at %s to stay at this commit.\n", a.NextStart, a.Commit)
	} else {
		b.WriteString(a.more())
	}
	return strings.TrimRight(b.String(), "\n")
}

// revision says what was read: the name asked for, and the commit it is.
func revision(at, commit string) string {
	switch {
	case at == "":
		return "commit " + commit + " (the default branch)"
	case at == commit:
		return "commit " + commit
	}
	return fmt.Sprintf("commit %s (%s)", commit, quote.Name(at))
}
