package fakebb

import (
	"net/url"
	"strings"

	"github.com/bb-mcp/bb/fakebb/content"
)

// changeJSON is what became of one path, in the key order of recordings
// (commit-changes-rename.json, pr-changes-conflict.json): what is new has no
// srcExecutable, what is gone no executable.
type changeJSON struct {
	ContentID        string               `json:"contentId"`
	FromContentID    string               `json:"fromContentId"`
	Path             *pathJSON            `json:"path"`
	Executable       *bool                `json:"executable,omitempty"`
	PercentUnchanged int                  `json:"percentUnchanged"`
	Type             string               `json:"type"`
	NodeType         string               `json:"nodeType"`
	SrcPath          *pathJSON            `json:"srcPath,omitempty"`
	SrcExecutable    *bool                `json:"srcExecutable,omitempty"`
	Conflict         *conflictJSON        `json:"conflict,omitempty"`
	Links            changeLinksJSON      `json:"links"`
	Properties       changePropertiesJSON `json:"properties"`
}

// changeLinksJSON is the place of a change on its commit's page; a pull
// request's changes have a null there.
type changeLinksJSON struct {
	Self []*hrefJSON `json:"self"`
}

// changePropertiesJSON is git's own word, and with comments how many there are.
type changePropertiesJSON struct {
	GitChangeType    string `json:"gitChangeType"`
	ActiveComments   int    `json:"activeComments,omitempty"`
	OrphanedComments int    `json:"orphanedComments,omitempty"`
}

// conflictJSON is what the two sides of a merge did to a path: ours is the
// target.
type conflictJSON struct {
	OurChange   sideChangeJSON `json:"ourChange"`
	TheirChange sideChangeJSON `json:"theirChange"`
}

type sideChangeJSON struct {
	Type    string    `json:"type"`
	Path    *pathJSON `json:"path"`
	SrcPath *pathJSON `json:"srcPath,omitempty"`
}

// changeTypes are Bitbucket's words for git's; a path that became another kind
// of thing is modified (belief).
var changeTypes = map[content.ChangeType]string{
	content.Add: "ADD", content.Modify: "MODIFY", content.Delete: "DELETE",
	content.Rename: "MOVE", content.Copy: "COPY", content.TypeChange: "MODIFY",
}

// drawChange draws a change. The link is that of the commit's page, "" for the
// null a pull request's changes have.
func (x *exchange) drawChange(c content.Change, link string) changeJSON {
	// A deletion names the content it deletes on both sides, as recordings do.
	j := changeJSON{
		ContentID: c.NewID, FromContentID: c.OldID, Path: drawPath(c.Path),
		PercentUnchanged: c.Similarity, Type: changeTypes[c.Type], NodeType: "FILE",
		Links:      changeLinksJSON{[]*hrefJSON{nil}},
		Properties: changePropertiesJSON{GitChangeType: string(c.Type)},
	}
	if c.Type == content.TypeChange {
		j.Properties.GitChangeType = string(content.Modify)
	}
	if link != "" {
		j.Links.Self[0] = &hrefJSON{Href: link + "#" + fragment(c.Path)}
	}
	if c.Type == content.Delete {
		j.ContentID = c.OldID
	}
	if c.NewMode == content.Submodule || c.NewMode == 0 && c.OldMode == content.Submodule {
		j.NodeType = "SUBMODULE"
	}
	if c.NewMode != 0 {
		executable := c.NewMode == content.Executable
		j.Executable = &executable
	}
	if c.OldMode != 0 {
		executable := c.OldMode == content.Executable
		j.SrcExecutable = &executable
	}
	if c.Type == content.Rename || c.Type == content.Copy {
		j.SrcPath = drawPath(c.OldPath)
	}
	return j
}

// fragment is a path as the part of an address after the #.
func fragment(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}

func drawConflict(c content.Conflict) *conflictJSON {
	side := func(c content.Change) sideChangeJSON {
		j := sideChangeJSON{Type: changeTypes[c.Type], Path: drawPath(c.Path)}
		if c.Type == content.Rename || c.Type == content.Copy {
			j.SrcPath = drawPath(c.OldPath)
		}
		return j
	}
	return &conflictJSON{side(c.Ours), side(c.Theirs)}
}
