package fakebb

import (
	"regexp"
	"strconv"
	"strings"
)

// fileDiff is the diff of one file between two commits.
type fileDiff struct {
	path     string
	from, to *commit
	hunks    []hunk
}

type hunk struct {
	context           string
	source, sourceEnd int // the first line in the old file, and the one after the last
	dest, destEnd     int
	lines             []diffLine
}

// diffLine is a line of a hunk. Both numbers are always there; of an ADDED line
// source is the number that the next old line has, of a REMOVED one dest
// likewise (bitbucket-rest.md 13).
type diffLine struct {
	kind         string
	source, dest int
	text         string
}

const (
	lineAdded   = "ADDED"
	lineRemoved = "REMOVED"
	lineContext = "CONTEXT"
	fromFile    = "FROM"
	toFile      = "TO"
)

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$`)

// newFileDiff reads hunks as git writes them.
func newFileDiff(at place, r *repository, d diffDecl) (*fileDiff, error) {
	diff := &fileDiff{path: d.Path.value}
	if diff.path == "" || d.Hunks.value == "" {
		return nil, at.errorf(max(d.Path.line, d.Hunks.line, 1), "a diff needs path and hunks")
	}
	var err error
	if diff.from, err = findCommit(at, r, d.From); err != nil {
		return nil, err
	}
	if diff.to, err = findCommit(at, r, d.To); err != nil {
		return nil, err
	}
	line := d.Hunks.line
	for text := range strings.Lines(d.Hunks.value) {
		line++
		text = strings.TrimSuffix(text, "\n")
		if m := hunkHeader.FindStringSubmatch(text); m != nil {
			h := hunk{context: m[5]}
			h.source, h.sourceEnd = span(m[1], m[2])
			h.dest, h.destEnd = span(m[3], m[4])
			diff.hunks = append(diff.hunks, h)
			continue
		}
		if len(diff.hunks) == 0 {
			return nil, at.errorf(line, "hunks begin with a line such as @@ -2,40 +2,51 @@")
		}
		h := &diff.hunks[len(diff.hunks)-1]
		l := diffLine{source: h.source, dest: h.dest}
		if len(h.lines) > 0 {
			last := h.lines[len(h.lines)-1]
			l.source, l.dest = last.after()
		}
		// An editor may have taken the one blank of an empty line.
		switch {
		case text == "":
			l.kind = lineContext
		case text[0] == ' ':
			l.kind, l.text = lineContext, text[1:]
		case text[0] == '+':
			l.kind, l.text = lineAdded, text[1:]
		case text[0] == '-':
			l.kind, l.text = lineRemoved, text[1:]
		default:
			return nil, at.errorf(line, "a line of a hunk begins with a blank, + or -, not with %q", text[:1])
		}
		h.lines = append(h.lines, l)
	}
	for _, h := range diff.hunks {
		source, dest := h.source, h.dest
		if len(h.lines) > 0 {
			source, dest = h.lines[len(h.lines)-1].after()
		}
		if source != h.sourceEnd || dest != h.destEnd {
			return nil, at.errorf(d.Hunks.line, "the hunk at -%d +%d has other numbers of lines than its header says", h.source, h.dest)
		}
	}
	return diff, nil
}

// span reads the begin and length of a hunk's side.
func span(begin, length string) (first, end int) {
	first, _ = strconv.Atoi(begin)
	n := 1
	if length != "" {
		n, _ = strconv.Atoi(length)
	}
	return first, first + n
}

// after returns the numbers the next line has.
func (l diffLine) after() (source, dest int) {
	switch l.kind {
	case lineAdded:
		return l.source, l.dest + 1
	case lineRemoved:
		return l.source + 1, l.dest
	}
	return l.source + 1, l.dest + 1
}

// find returns the hunk and kind of a line that is numbered in one of the two
// files, nil when no hunk has it.
func (d *fileDiff) find(number int, fileType string) (*hunk, string) {
	for i := range d.hunks {
		for _, l := range d.hunks[i].lines {
			if l.is(number, fileType) {
				return &d.hunks[i], l.kind
			}
		}
	}
	return nil, ""
}

// is says whether the line has that number in that file.
func (l diffLine) is(number int, fileType string) bool {
	if fileType == fromFile {
		return l.kind != lineAdded && l.source == number
	}
	return l.kind != lineRemoved && l.dest == number
}

// newAnchor finds the line of a comment in the pull request's diffs.
func newAnchor(at place, p *pullRequest, d lineDecl, line int) (*anchor, error) {
	to := p.source.tip.id
	if d.Diff.value != "" {
		to = d.Diff.value
	}
	a := &anchor{line: d.Line, orphaned: d.Outdated}
	switch d.Side.value {
	case "old":
		a.fileType = fromFile
	case "new":
		a.fileType = toFile
	default:
		return nil, at.errorf(max(d.Side.line, line), "side of a line is %q, not old or new", d.Side.value)
	}
	for _, diff := range p.diffs {
		if diff.path != d.Path.value || diff.to.id != to {
			continue
		}
		var h *hunk
		if h, a.lineType = diff.find(d.Line, a.fileType); h == nil {
			return nil, at.errorf(d.Path.line, "line %d (%s) of %s is in no hunk of the diff to %s", d.Line, d.Side.value, d.Path.value, to)
		}
		a.diff = diff
		return a, nil
	}
	return nil, at.errorf(max(d.Path.line, line), "there is no diff of %q to %s", d.Path.value, to)
}

// pathJSON is a path in its parts (bitbucket-rest.md 4).
type pathJSON struct {
	Components []string `json:"components"`
	Parent     string   `json:"parent"`
	Name       string   `json:"name"`
	Extension  string   `json:"extension,omitempty"`
	ToString   string   `json:"toString"`
}

func drawPath(path string) *pathJSON {
	components := strings.Split(path, "/")
	name := components[len(components)-1]
	j := &pathJSON{
		Components: components, Parent: strings.Join(components[:len(components)-1], "/"),
		Name: name, ToString: path,
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		j.Extension = name[i+1:]
	}
	return j
}

// diffJSON is the diff of a file as an activity carries it.
type diffJSON struct {
	Source      *pathJSON          `json:"source"`
	Destination *pathJSON          `json:"destination"`
	Hunks       []hunkJSON         `json:"hunks"`
	Truncated   bool               `json:"truncated"`
	Properties  diffPropertiesJSON `json:"properties"`
}

type diffPropertiesJSON struct {
	ToHash   string `json:"toHash"`
	Current  bool   `json:"current"`
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

// drawHunkOf draws the diff a comment was made on, cut to the hunk around its
// line. Other comments on lines of that hunk are named there too.
func (x *exchange) drawHunkOf(c *comment) *diffJSON {
	a := c.anchor
	h, _ := a.diff.find(a.line, a.fileType)
	j := &diffJSON{
		Destination: drawPath(a.diff.path),
		Hunks:       []hunkJSON{x.drawHunk(h, x.commentsOn(c.pullRequest, a.diff))},
		// Current says that it is today's diff and not that of the comment.
		Properties: diffPropertiesJSON{a.diff.to.id, a.diff.to == c.pullRequest.source.tip, a.diff.from.id},
	}
	if h.sourceEnd > 0 {
		j.Source = drawPath(a.diff.path)
	}
	if h.destEnd == 0 {
		j.Destination = nil
	}
	return j
}

// commentsOn are the root comments on a diff that the caller sees, oldest
// first.
func (x *exchange) commentsOn(p *pullRequest, d *fileDiff) []*comment {
	return x.visibleComments(p, func(c *comment) bool { return c.anchor != nil && c.anchor.diff == d })
}

func (x *exchange) drawHunk(h *hunk, comments []*comment) hunkJSON {
	j := hunkJSON{
		Context: h.context, SourceLine: h.source, SourceSpan: h.sourceEnd - h.source,
		DestinationLine: h.dest, DestinationSpan: h.destEnd - h.dest,
	}
	for i, l := range h.lines {
		if i == 0 || h.lines[i-1].kind != l.kind {
			j.Segments = append(j.Segments, segmentJSON{Type: l.kind})
		}
		line := lineJSON{Source: l.source, Destination: l.dest, Line: l.text}
		for _, c := range comments {
			if c.anchor.lineType == l.kind && l.is(c.anchor.line, c.anchor.fileType) {
				line.CommentIDs = append(line.CommentIDs, c.id)
			}
		}
		last := &j.Segments[len(j.Segments)-1]
		last.Lines = append(last.Lines, line)
	}
	return j
}
