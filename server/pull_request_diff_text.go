package server

import (
	"fmt"
	"strings"

	"github.com/bb-mcp/bb/server/quote"
)

// text is the answer as a report for a model.
func (a DiffAnswer) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s of pull request %s/%s #%d (%s): %s.", a.scopeWords(), a.Project, a.Repo, a.ID, strings.ToLower(a.state), a.countWords())
	if a.Note != "" {
		line("%s", a.Note)
	}
	if a.conflicted() {
		line("Where it conflicts, the diff shows the source's side alone, compared with where the branches parted.")
	}
	if a.of.Start > 0 && len(a.Files) == 0 {
		line("There is no file at start %d.", a.of.Start)
	}
	for i, f := range a.Files[:a.with] {
		line("%s", a.fileLine(i, f))
		if f.Diff != "" {
			line("%s", quote.Fence("diff", f.Diff))
		}
	}
	if a.with < len(a.Files) {
		line("Without their diff here; go on with start %d:", a.NextStart)
		for i, f := range a.Files[a.with:] {
			line("%s", a.fileLine(a.with+i, f))
		}
	}
	if a.Unlisted > 0 {
		line("%s not listed; start %d lists them.", plural(a.Unlisted, "more file is", "more files are"), a.of.Start+len(a.Files))
	}
	if a.Count.Total == nil {
		line("There are more files, which Bitbucket does not list; with path a file's diff can be read.")
	}
	return strings.TrimRight(b.String(), "\n")
}

// scopeWords say what the diff is of.
func (a DiffAnswer) scopeWords() string {
	switch {
	case a.Scope == diffCommit && a.Since == "":
		return "Changes of commit " + short(a.Commit)
	case a.Scope == diffCommit:
		return fmt.Sprintf("Changes of commit %s since its parent %s", short(a.Commit), short(a.Since))
	case a.Scope == diffUnreviewed:
		return fmt.Sprintf("Changes since your last review (%s to %s)", short(a.Since), short(a.Commit))
	}
	return fmt.Sprintf("All changes (up to %s)", short(a.Commit))
}

func (a DiffAnswer) countWords() string {
	where := ""
	if a.of.Path != "" {
		where = " at path " + quote.Name(a.of.Path)
	}
	if a.Count.Total != nil {
		return plural(*a.Count.Total, "file changed", "files changed") + where
	}
	return a.Count.words() + " files changed" + where
}

func (a DiffAnswer) conflicted() bool {
	for _, f := range a.Files[:a.with] {
		if f.Conflict != "" {
			return true
		}
	}
	return false
}

// fileLine is the line of file i of those listed. The number is what start
// begins with it.
func (a DiffAnswer) fileLine(i int, f DiffedFile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%d] %s", a.of.Start+i, f.words())
	if f.Added != nil && f.Removed != nil {
		fmt.Fprintf(&b, ", +%d -%d", *f.Added, *f.Removed)
	}
	if f.Comments > 0 {
		b.WriteString(", " + plural(f.Comments, "comment", "comments"))
	}
	if f.Conflict != "" {
		b.WriteString(", conflict (" + quote.Visible(f.Conflict) + ")")
	}
	if f.Note != "" {
		b.WriteString(". " + f.Note)
	}
	return b.String()
}
