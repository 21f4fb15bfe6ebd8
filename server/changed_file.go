package server

import (
	"fmt"
	"strings"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

// ChangedFile is what became of one file, in Bitbucket's words
// (bitbucket-rest.md 9).
type ChangedFile struct {
	Path    string `json:"path"`
	OldPath string `json:"oldPath,omitempty"`
	Type    string `json:"type" jsonschema:"ADD, MODIFY, DELETE, MOVE or COPY"`
	// Executable is set where the mode changed.
	Executable *bool `json:"executable,omitempty" jsonschema:"Where it changed"`
	Submodule  bool  `json:"submodule,omitempty"`
}

func changedFile(c bitbucket.Change) ChangedFile {
	f := ChangedFile{Path: c.Path.String(), OldPath: c.SrcPath.String(), Type: c.Type, Submodule: c.NodeType == "SUBMODULE"}
	if c.Executable != nil && c.SrcExecutable != nil && *c.Executable != *c.SrcExecutable {
		f.Executable = c.Executable
	}
	return f
}

func changedFiles(changes []bitbucket.Change) []ChangedFile {
	files := make([]ChangedFile, len(changes))
	for i, c := range changes {
		files[i] = changedFile(c)
	}
	return files
}

// words are the file as a line of a report has it: MODIFY "path", from "path",
// now executable.
func (f ChangedFile) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", quote.Word(f.Type), quote.Name(f.Path))
	if f.OldPath != "" {
		b.WriteString(" from " + quote.Name(f.OldPath))
	}
	switch {
	case f.Executable == nil:
	case *f.Executable:
		b.WriteString(", now executable")
	default:
		b.WriteString(", no longer executable")
	}
	if f.Submodule {
		b.WriteString(", a submodule")
	}
	return b.String()
}
