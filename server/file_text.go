package server

import (
	"fmt"
	"path"
	"strings"

	"github.com/bb-mcp/bb/server/quote"
)

// text is the answer as a report for a model.
func (a FileAnswer) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s/%s at %s: %s.\n", quote.Name(a.Path), a.asked.Project, a.asked.Repo, revision(a.asked.At, a.Commit), a.words())
	for _, note := range a.Notes {
		fmt.Fprintf(&b, "Note: %s.\n", note)
	}
	switch {
	case a.Kind == fileLink:
		b.WriteString(a.linkWords())
	case a.Content != "":
		fmt.Fprintf(&b, "%s:\n%s\n", a.span("Line", "Lines"), quote.Numbered(a.shown))
	case len(a.Entries) > 0:
		fmt.Fprintf(&b, "%s:\n", a.span("Entry", "Entries"))
		for _, e := range a.Entries {
			b.WriteString(e.line())
		}
	}
	switch {
	case a.NextStart > 0 && isCommit(a.asked.At):
		fmt.Fprintf(&b, "There is more; go on with start %d.\n", a.NextStart)
	case a.NextStart > 0:
		fmt.Fprintf(&b, "There is more; go on with start %d, and at %s to stay at this commit.\n", a.NextStart, a.Commit)
	}
	if a.Kind == fileBinary || a.Kind == fileImage && a.picture == nil || a.LimitReached && a.NextStart == 0 {
		fmt.Fprintf(&b, "Its page: %s\n", a.URL)
	}
	return strings.TrimRight(b.String(), "\n")
}

// words say what the file is.
func (a FileAnswer) words() string {
	var words []string
	switch a.Kind {
	case fileText:
		words = append(words, "text")
		if a.Total != nil {
			words = append(words, plural(*a.Total, "line", "lines"))
		}
	case fileImage:
		words = append(words, "picture, "+a.Type)
		if a.Width > 0 {
			words = append(words, fmt.Sprintf("%d × %d pixels", a.Width, a.Height))
		}
	case fileArchive:
		words = append(words, "archive, "+a.Type)
		if a.Total != nil {
			words = append(words, plural(*a.Total, "entry", "entries"))
		}
	case fileLFS:
		words = append(words, "pointer of Git LFS")
	case fileLink:
		words = append(words, "symbolic link to "+quote.Name(a.Target))
	case fileSubmodule:
		words = append(words, "submodule, another repository at commit "+quote.Word(a.TargetCommit))
		if a.Target != "" {
			words = append(words, "cloned from "+quote.Name(a.Target))
		}
	default:
		words = append(words, "neither text nor a picture, "+a.Type)
	}
	if a.Size != nil {
		words = append(words, plural(int(*a.Size), "byte", "bytes"))
	}
	if a.Kind == fileBinary && a.ContentID != "" {
		words = append(words, "content "+a.ContentID)
	}
	return strings.Join(words, ", ")
}

// linkWords say which call reads what a link leads to.
func (a FileAnswer) linkWords() string {
	if path.IsAbs(a.Target) {
		return "It leads out of the repository.\n"
	}
	to := path.Join(path.Dir(a.Path), a.Target)
	if to == ".." || strings.HasPrefix(to, "../") {
		return "It leads out of the repository.\n"
	}
	return fmt.Sprintf("What it leads to would be %s.\n", quote.Name(to))
}

// span names the window.
func (a FileAnswer) span(one, many string) string {
	words := one + " " + fmt.Sprint(a.First)
	if a.Last > a.First {
		words = fmt.Sprintf("%s %d to %d", many, a.First, a.Last)
	}
	if a.Total != nil && *a.Total > a.Last-a.First+1 {
		words += fmt.Sprintf(" of %d", *a.Total)
	}
	return words
}

// line is an entry of an archive in the report.
func (e ArchiveEntry) line() string {
	switch {
	case strings.HasSuffix(e.Name, "/"):
		return "- " + quote.Name(e.Name) + "\n"
	case e.Link != "":
		return "- " + quote.Name(e.Name) + " link to " + quote.Name(e.Link) + "\n"
	}
	return fmt.Sprintf("- %s %s\n", quote.Name(e.Name), plural(int(e.Size), "byte", "bytes"))
}
