package fakebb

import (
	"slices"
	"unicode/utf16"

	"github.com/bb-mcp/bb/fakebb/content"
)

// Where Bitbucket cuts a diff (bitbucket-rest.md 2): the server properties
// page.max.diff.lines and page.max.source.length with their default values.
const (
	maxDiffLines  = 10000
	maxLineLength = 5000
)

// The types of lines and the files of a diff, on the wire.
const (
	lineAdded   = "ADDED"
	lineRemoved = "REMOVED"
	lineContext = "CONTEXT"
	fromFile    = "FROM"
	toFile      = "TO"
)

var lineTypes = map[byte]string{' ': lineContext, '+': lineAdded, '-': lineRemoved}

// diffsJSON is a diff of any number of files (bitbucket-rest.md 13).
type diffsJSON struct {
	FromHash     *string    `json:"fromHash"`
	ToHash       string     `json:"toHash"`
	ContextLines int        `json:"contextLines"`
	Whitespace   string     `json:"whitespace"`
	Diffs        []diffJSON `json:"diffs"`
	Truncated    bool       `json:"truncated"`
}

// diffJSON is the diff of one file. A binary one has no hunks.
type diffJSON struct {
	Source       *pathJSON           `json:"source"`
	Destination  *pathJSON           `json:"destination"`
	Binary       bool                `json:"binary,omitempty"`
	Hunks        *[]hunkJSON         `json:"hunks,omitempty"`
	LineComments []commentJSON       `json:"lineComments,omitempty"`
	FileComments []commentJSON       `json:"fileComments,omitempty"`
	Truncated    bool                `json:"truncated"`
	Properties   *diffPropertiesJSON `json:"properties,omitempty"`
}

// diffPropertiesJSON says of what commits a diff is. Current, in an activity,
// says that it is today's and not that of the comment.
type diffPropertiesJSON struct {
	ToHash   string `json:"toHash"`
	Current  *bool  `json:"current,omitempty"`
	FromHash string `json:"fromHash"`
}

type hunkJSON struct {
	Context         string        `json:"context,omitempty"`
	SourceLine      int           `json:"sourceLine"`
	SourceSpan      int           `json:"sourceSpan"`
	DestinationLine int           `json:"destinationLine"`
	DestinationSpan int           `json:"destinationSpan"`
	Segments        []segmentJSON `json:"segments"`
	Truncated       bool          `json:"truncated"`
}

type segmentJSON struct {
	Type      string     `json:"type"`
	Lines     []lineJSON `json:"lines"`
	Truncated bool       `json:"truncated"`
}

type lineJSON struct {
	Source      int    `json:"source"`
	Destination int    `json:"destination"`
	Line        string `json:"line"`
	Truncated   bool   `json:"truncated"`
	CommentIDs  []int  `json:"commentIds,omitempty"`
}

// placed is a root comment with where it is today.
type placed struct {
	comment *comment
	spot    spot
}

// diffArtist draws files until the diff has as many lines as Bitbucket sends.
type diffArtist struct {
	x         *exchange
	lines     int
	truncated bool
}

// drawDiffs draws a comparison with the comments on it.
func (x *exchange) drawDiffs(k comparison, comments []placed, properties bool) diffsJSON {
	j := diffsJSON{ToHash: k.to, ContextLines: k.context, Whitespace: "SHOW", Diffs: []diffJSON{}}
	if k.fromHash != "" {
		j.FromHash = &k.fromHash
	}
	if k.ignoreWhitespace {
		j.Whitespace = "IGNORE_ALL"
	}
	artist := diffArtist{x: x}
	for _, c := range k.changes() {
		if artist.truncated {
			break
		}
		file := artist.draw(c, k.diff(c), comments)
		if properties {
			file.Properties = &diffPropertiesJSON{ToHash: k.to, FromHash: k.fromHash}
		}
		j.Diffs = append(j.Diffs, file)
	}
	j.Truncated = artist.truncated
	return j
}

// draw draws the diff of one file. What is open when the diff is full is marked
// as truncated, and nothing follows.
func (a *diffArtist) draw(c content.Change, d content.FileDiff, comments []placed) diffJSON {
	var j diffJSON
	if c.OldPath != "" {
		j.Source = drawPath(c.OldPath)
	}
	if c.Type != content.Delete {
		j.Destination = drawPath(c.Path)
	}
	var here []placed
	for _, p := range comments {
		switch {
		case !p.spot.isOn(c):
		case p.spot.line == 0:
			j.FileComments = append(j.FileComments, a.x.drawComment(p.comment))
		default:
			here = append(here, p)
		}
	}
	if d.Binary {
		j.Binary = true
		return j
	}
	j.Hunks = &[]hunkJSON{}
	var drawn []*comment
	for _, h := range d.Hunks {
		if a.truncated {
			break
		}
		*j.Hunks = append(*j.Hunks, a.hunk(h, here, &drawn))
	}
	for _, c := range drawn {
		j.LineComments = append(j.LineComments, a.x.drawComment(c))
	}
	j.Truncated = a.truncated
	return j
}

// hunk draws one hunk, and notes the comments that are on lines of it.
func (a *diffArtist) hunk(h content.Hunk, comments []placed, drawn *[]*comment) hunkJSON {
	j := hunkJSON{
		Context: text(h.Section), SourceLine: h.OldStart, SourceSpan: h.OldLines,
		DestinationLine: h.NewStart, DestinationSpan: h.NewLines, Segments: []segmentJSON{},
	}
	for i, l := range h.Lines {
		if a.lines == maxDiffLines {
			a.truncated, j.Truncated = true, true
			if last := len(j.Segments) - 1; last >= 0 {
				j.Segments[last].Truncated = true
			}
			break
		}
		a.lines++
		if i == 0 || h.Lines[i-1].Kind != l.Kind {
			j.Segments = append(j.Segments, segmentJSON{Type: lineTypes[l.Kind]})
		}
		line := lineJSON{Source: l.Old, Destination: l.New}
		// Of an empty side the numbers stand where the hunk begins, as recorded
		// for files that are new or gone (diff-add-delete-context.json).
		if h.OldLines == 0 {
			line.Source = h.OldStart
		}
		if h.NewLines == 0 {
			line.Destination = h.NewStart
		}
		line.Line, line.Truncated = cutLine(text(l.Text))
		for _, p := range comments {
			if p.spot.lineType == lineTypes[l.Kind] && isLine(l, p.spot.line, p.spot.fileType) {
				line.CommentIDs = append(line.CommentIDs, p.comment.id)
				if !slices.Contains(*drawn, p.comment) {
					*drawn = append(*drawn, p.comment)
				}
			}
		}
		segment := &j.Segments[len(j.Segments)-1]
		segment.Lines = append(segment.Lines, line)
	}
	return j
}

// isLine says whether a line of a diff has that number in that file.
func isLine(l content.Line, number int, fileType string) bool {
	if fileType == fromFile {
		return l.Kind != '+' && l.Old == number
	}
	return l.Kind != '-' && l.New == number
}

// cutLine cuts a line after as many characters (of UTF-16) as Bitbucket shows.
func cutLine(line string) (string, bool) {
	if len(line) <= maxLineLength {
		return line, false
	}
	n := 0
	for i, r := range line {
		if n += utf16.RuneLen(r); n > maxLineLength {
			return line[:i], true
		}
	}
	return line, false
}

// drawHunkOf draws the diff a comment is on as the activity shows it, cut to
// the hunk around its line. Other comments on lines of that hunk are named
// there too. A comment on a file has no hunks.
func (x *exchange) drawHunkOf(c *comment) *diffJSON {
	s := c.spot()
	current := s.comparison.to == c.pullRequest.source.tip
	change := s.change
	d := content.FileDiff{}
	if s.line > 0 {
		if h, ok := s.hunk(); ok {
			d.Hunks = []content.Hunk{h}
		}
	}
	artist := diffArtist{x: x}
	others := x.placedOn(c.pullRequest)[fileKey{s.comparison, s.change}]
	j := artist.draw(change, d, others)
	j.LineComments = nil
	j.Properties = &diffPropertiesJSON{ToHash: s.comparison.to, Current: &current, FromHash: s.comparison.fromHash}
	return &j
}

// placed are the root comments of a pull request that the caller sees and that
// are on something, with where they are.
func (x *exchange) placed(p *pullRequest) []placed {
	var all []placed
	for _, c := range slices.Backward(p.roots()) {
		if c.anchor != nil && c.visibleTo(x.caller) {
			all = append(all, placed{c, c.spot()})
		}
	}
	return all
}

// fileKey is one file of a comparison.
type fileKey struct {
	comparison comparison
	change     content.Change
}

// placedOn are the comments that are on lines, by file. It is made once for a
// request.
func (x *exchange) placedOn(p *pullRequest) map[fileKey][]placed {
	if x.onFiles == nil {
		x.onFiles = map[fileKey][]placed{}
		for _, c := range x.placed(p) {
			if c.spot.line > 0 {
				key := fileKey{c.spot.comparison, c.spot.change}
				x.onFiles[key] = append(x.onFiles[key], c)
			}
		}
	}
	return x.onFiles
}
