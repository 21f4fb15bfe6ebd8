package fakebb

import (
	"cmp"
	"slices"

	"github.com/bb-mcp/bb/fakebb/content"
)

// anchor is where a comment was made: on the diff of that moment.
type anchor struct {
	at   tips // where the two sides stood
	spot spot
}

// spot is a place in a diff: a file of a comparison, and a line of it or with
// line 0 the file itself.
type spot struct {
	comparison comparison
	change     content.Change
	line       int    // in the file that fileType names
	first      int    // the first of several lines that end with line, else 0
	lineType   string // ADDED, REMOVED or CONTEXT
	firstType  string
	fileType   string // FROM or TO
	diffType   string // EFFECTIVE or COMMIT
	orphaned   bool   // the line is no longer in the effective diff
}

// The types of diffs comments are on, on the wire.
const (
	diffEffective = "EFFECTIVE"
	diffCommit    = "COMMIT"
	diffRange     = "RANGE"
)

// isOn says whether the spot is on that file.
func (s spot) isOn(c content.Change) bool { return s.change == c }

// lines are all lines of the spot's file, changed or not.
func (s spot) lines() []content.Line {
	whole := s.comparison
	whole.context = wholeFile
	var lines []content.Line
	for _, h := range whole.diff(s.change).Hunks {
		lines = append(lines, h.Lines...)
	}
	return lines
}

// hunk is the hunk around the spot's line. A line far from every change is in
// none; then it is the lines around it.
func (s spot) hunk() (content.Hunk, bool) {
	for _, h := range s.comparison.diff(s.change).Hunks {
		if slices.ContainsFunc(h.Lines, func(l content.Line) bool { return isLine(l, s.line, s.fileType) }) {
			return h, true
		}
	}
	lines := s.lines()
	i := slices.IndexFunc(lines, func(l content.Line) bool { return isLine(l, s.line, s.fileType) })
	if i < 0 {
		return content.Hunk{}, false
	}
	around := lines[max(i-defaultContext, 0):min(i+defaultContext+1, len(lines))]
	return content.Hunk{
		OldStart: around[0].Old, OldLines: len(around),
		NewStart: around[0].New, NewLines: len(around), Lines: around,
	}, true
}

// typeOf is the type of a line of the spot's file, "" when there is no such
// line.
func typeOf(lines []content.Line, number int, fileType string) string {
	for _, l := range lines {
		if isLine(l, number, fileType) {
			return lineTypes[l.Kind]
		}
	}
	return ""
}

// anchor finds the line that a comment of the scenario is on.
func (b *builder) anchor(at place, p *pullRequest, moment tips, d lineDecl, line int) (*anchor, error) {
	s := spot{comparison: effectiveOf(p, moment), diffType: diffEffective, line: d.Line, first: d.From}
	if d.Commit.value != "" {
		id, err := b.commit(at, p.source.repository, d.Commit)
		if err != nil {
			return nil, err
		}
		s.comparison, s.diffType = ofCommit(p.repository, p.repository.commit(id)), diffCommit
	}
	a, err := anchorOn(at, s, d, line)
	if err != nil {
		return nil, err
	}
	a.at = moment
	return a, nil
}

// anchorOn finds the file and the line of a spot whose comparison is known.
func anchorOn(at place, known spot, d lineDecl, line int) (*anchor, error) {
	line = max(d.Path.line, line)
	a := &anchor{spot: known}
	s := &a.spot
	changes := s.comparison.changes()
	var ok bool
	if s.change, ok = changeOf(changes, d.Path.value, false); !ok {
		if s.change, ok = changeOf(changes, d.Path.value, true); !ok {
			return nil, at.errorf(line, "%q is not among the changes that the comment was made on", d.Path.value)
		}
	}
	if d.Line == 0 {
		if d.Side.value != "" || d.From != 0 {
			return nil, at.errorf(line, "a comment on a file has no side, and one on a line needs line")
		}
		return a, nil
	}
	switch d.Side.value {
	case "old":
		s.fileType = fromFile
	case "new":
		s.fileType = toFile
	default:
		return nil, at.errorf(max(d.Side.line, line), "a line needs side: old or new, not %q", d.Side.value)
	}
	lines := s.lines()
	if s.lineType = typeOf(lines, d.Line, s.fileType); s.lineType == "" {
		return nil, at.errorf(line, "line %d (%s) of %s is not in the diff the comment was made on", d.Line, d.Side.value, d.Path.value)
	}
	if d.From != 0 {
		if s.firstType = typeOf(lines, d.From, s.fileType); s.firstType == "" || d.From >= d.Line {
			return nil, at.errorf(line, "line %d (%s) of %s is no line before %d", d.From, d.Side.value, d.Path.value, d.Line)
		}
	}
	return a, nil
}

// spot is where a comment is today. A comment on the effective diff drifts with
// what is pushed to either side: its line is followed through the old and the
// new file (bitbucket-rest.md 13; the algorithm is belief). One whose line was
// changed or is gone is orphaned and stays where it was made.
func (p *pullRequest) spot(a *anchor) spot {
	now := tips{p.source.tip, p.target.tip}
	if a.spot.diffType != diffEffective || now == a.at {
		return a.spot
	}
	type key struct {
		anchor *anchor
		now    tips
	}
	return remember(&p.repository.memory, key{a, now}, func() spot {
		if s, ok := drift(a.spot, effectiveOf(p, now)); ok {
			return s
		}
		orphan := a.spot
		orphan.orphaned = true
		return orphan
	})
}

// drift moves a spot to another comparison of the same pull request.
func drift(s spot, to comparison) (spot, bool) {
	made, git := s.comparison, s.comparison.repository.git
	before, after, path := made.to, to.to, s.change.Path
	// What is gone is followed through the old files.
	old := s.fileType == fromFile || s.line == 0 && s.change.Type == content.Delete
	if old {
		before, after, path = made.from, to.from, s.change.OldPath
	}
	now := path
	if _, err := git.File(after, path); err != nil {
		// The file is elsewhere, or nowhere any more.
		between := comparison{repository: made.repository, from: before, to: after}
		c, ok := changeOf(between.changes(), path, true)
		if !ok || c.Type != content.Rename {
			return spot{}, false
		}
		now = c.Path
	}
	moved := s
	moved.comparison = to
	var ok bool
	if moved.change, ok = changeOf(to.changes(), now, old); !ok {
		return spot{}, false
	}
	if s.line == 0 {
		return moved, true
	}
	oldFile, err1 := git.File(before, path)
	newFile, err2 := git.File(after, now)
	if cmp.Or(err1, err2) != nil {
		return spot{}, false
	}
	follow := func(line int, lineType string) (int, string, bool) {
		if oldFile.ID != newFile.ID {
			line = mapLine(oldFile.Data, newFile.Data, line)
		}
		kind := typeOf(moved.lines(), line, s.fileType)
		return line, kind, line > 0 && (kind == lineType || kind == lineContext)
	}
	if moved.line, moved.lineType, ok = follow(s.line, s.lineType); !ok {
		return spot{}, false
	}
	if s.first != 0 {
		if moved.first, moved.firstType, ok = follow(s.first, s.firstType); !ok {
			// Of several lines the last is what holds the comment.
			moved.first, moved.firstType = 0, ""
		}
	}
	return moved, true
}

// mapLine is where a line of a text is in another version of it, 0 when it was
// changed or is gone.
func mapLine(old, new []byte, line int) int {
	hunks := content.DiffTexts(old, new, content.DiffOptions{}).Hunks
	moved := line
	for _, h := range hunks {
		// Without lines around, a hunk is changed lines only.
		start := h.OldStart
		if h.OldLines == 0 {
			start++ // nothing of the old text; git names the line before
		}
		if line < start {
			break
		}
		if line < start+h.OldLines {
			return 0
		}
		moved += h.NewLines - h.OldLines
	}
	return moved
}

// anchorJSON is the place of a comment (bitbucket-rest.md 12). One on a file
// has no line.
type anchorJSON struct {
	FromHash        string               `json:"fromHash,omitempty"`
	ToHash          string               `json:"toHash"`
	Line            int                  `json:"line,omitempty"`
	LineType        string               `json:"lineType,omitempty"`
	FileType        string               `json:"fileType,omitempty"`
	Path            string               `json:"path"`
	SrcPath         string               `json:"srcPath,omitempty"`
	DiffType        string               `json:"diffType"`
	Orphaned        bool                 `json:"orphaned"`
	MultilineMarker *multilineMarkerJSON `json:"multilineMarker,omitempty"`
	MultilineSpan   *multilineSpanJSON   `json:"multilineSpan,omitempty"`
}

// multilineMarkerJSON is the first of several lines a comment is on.
type multilineMarkerJSON struct {
	StartLine     int    `json:"startLine"`
	StartLineType string `json:"startLineType"`
}

// multilineSpanJSON is what the lines of a comment cover in the two files.
type multilineSpanJSON struct {
	DstSpanEnd   int `json:"dstSpanEnd"`
	DstSpanStart int `json:"dstSpanStart"`
	SrcSpanEnd   int `json:"srcSpanEnd"`
	SrcSpanStart int `json:"srcSpanStart"`
}

func drawAnchor(s spot) *anchorJSON {
	j := &anchorJSON{
		FromHash: s.comparison.fromHash, ToHash: s.comparison.to,
		Line: s.line, LineType: s.lineType, FileType: s.fileType,
		Path: s.change.Path, DiffType: s.diffType, Orphaned: s.orphaned,
	}
	if s.change.OldPath != "" && s.change.OldPath != s.change.Path {
		j.SrcPath = s.change.OldPath
	}
	if s.first == 0 {
		return j
	}
	j.MultilineMarker = &multilineMarkerJSON{s.first, s.firstType}
	span := &multilineSpanJSON{}
	in := false
	for _, l := range s.lines() {
		in = in || isLine(l, s.first, s.fileType)
		if !in {
			continue
		}
		if l.Kind != '+' {
			span.SrcSpanStart = cmp.Or(span.SrcSpanStart, l.Old)
			span.SrcSpanEnd = l.Old
		}
		if l.Kind != '-' {
			span.DstSpanStart = cmp.Or(span.DstSpanStart, l.New)
			span.DstSpanEnd = l.New
		}
		if isLine(l, s.line, s.fileType) {
			break
		}
	}
	j.MultilineSpan = span
	return j
}
