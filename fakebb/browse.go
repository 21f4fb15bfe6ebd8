package fakebb

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bb-mcp/bb/fakebb/content"
)

// browseRoutes are directories and files as the web interface reads them.
var browseRoutes = []route{
	{method: "GET", path: repositories + "/browse/{path...}", answer: browse, produces: []string{mediaJSON, anyMedia},
		evidence: "bitbucket-rest.md 8.1 [O][F][P][D], browse-lines.json, browse-blame.json; order and submodules [I]; the default limit of 500 is belief"},
}

// The caps of what is browsed (bitbucket-rest.md 2 [D][I]).
const (
	maxChildren      = 500
	maxSourceLines   = 5000
	defaultLineLimit = 500
)

// sight is what a request looks at: a path at a revision.
type sight struct {
	repository *repository
	commit     string
	name       string // what the request calls the revision
	path       string
}

// look reads the path and the revision of a request, which is the default
// branch when none is given.
func (x *exchange) look() (sight, error) {
	r, err := x.repository()
	if err != nil {
		return sight{}, err
	}
	x.streamed = x.streamed || x.flag("raw")
	s := sight{repository: r, name: x.query.Get("at")}
	if s.name == "" && len(r.branches) > 0 {
		s.name = r.branches[0].id()
	}
	if s.name == "" {
		return sight{}, noDefaultBranch(r)
	}
	if s.commit, err = x.revision(r, s.name); err != nil {
		return sight{}, err
	}
	s.path, err = x.path(s.name)
	return s, err
}

// entry is what is at the path.
func (s sight) entry() (content.Entry, error) {
	e, err := s.repository.git.Entry(s.commit, s.path)
	if err != nil {
		return e, noSuchPath(s.path, s.name)
	}
	return e, nil
}

// file is the content of the file at the path. A directory and a submodule are
// none.
func (s sight) file() (content.File, error) {
	f, err := s.repository.git.File(s.commit, s.path)
	if err != nil || f.Mode == content.Submodule {
		return f, noSuchPath(s.path, s.name)
	}
	return f, nil
}

// The types of what a directory holds.
const (
	typeFile      = "FILE"
	typeDirectory = "DIRECTORY"
	typeSubmodule = "SUBMODULE"
)

func typeOfEntry(m content.Mode) string {
	switch m {
	case content.Directory:
		return typeDirectory
	case content.Submodule:
		return typeSubmodule
	}
	return typeFile
}

type typeJSON struct {
	Type string `json:"type"`
}

type sizeJSON struct {
	Size int `json:"size"`
}

// browse answers a directory or a window of a file. Of size, type and blame the
// first that is asked for decides (bitbucket-rest.md 8.1 [O]); what is no file
// has no size.
func browse(x *exchange) (any, error) {
	if !x.flag("raw") && negotiate(x.request, []string{mediaJSON}) == "" {
		return nil, notAcceptable()
	}
	s, err := x.look()
	if err != nil {
		return nil, err
	}
	e, err := s.entry()
	if err != nil {
		return nil, err
	}
	directory := e.Mode == content.Directory
	switch {
	case x.query.Get("size") == "true":
		return sizeJSON{e.Size}, nil
	case x.query.Get("type") == "true":
		return typeJSON{typeOfEntry(e.Mode)}, nil
	case x.flag("raw") && !directory:
		return x.rawFile(s)
	case directory:
		return x.listChildren(s)
	case e.Mode == content.Submodule:
		// As its directory lists it, but with its whole path (belief).
		j := drawChild(e, s.submodules())
		j.Path = drawPath(s.path)
		return j, nil
	case x.flag("blame") && x.flag("noContent"):
		w, err := x.linesWindow()
		if err != nil {
			return nil, err
		}
		return x.blame(s, w)
	}
	return x.readLines(s)
}

// flag says whether a parameter is given and not false: ?raw is as good as
// ?raw=true. Not every parameter is read so; ?size is as good as ?size=false.
func (x *exchange) flag(name string) bool {
	values, ok := x.query[name]
	return ok && !strings.EqualFold(values[0], "false")
}

// directoryJSON is what a directory holds.
type directoryJSON struct {
	Path     *pathJSON           `json:"path"`
	Revision string              `json:"revision"`
	Children pageJSON[childJSON] `json:"children"`
}

// childJSON is an entry of a directory. A directory has node where others have
// contentId; a file has a size, a submodule the address it is cloned from when
// that is known.
type childJSON struct {
	Path      *pathJSON `json:"path"`
	Node      string    `json:"node,omitempty"`
	ContentID string    `json:"contentId,omitempty"`
	Type      string    `json:"type"`
	Size      *int      `json:"size,omitempty"`
	URL       string    `json:"url,omitempty"`
}

// listChildren answers a directory: directories first, then the others by name.
func (x *exchange) listChildren(s sight) (any, error) {
	w, err := x.windowOf(maxChildren, maxChildren)
	if err != nil {
		return nil, err
	}
	entries, err := s.repository.git.Entries(s.commit, s.path)
	if err != nil {
		return nil, noSuchPath(s.path, s.name)
	}
	slices.SortStableFunc(entries, func(a, b content.Entry) int {
		return cmp.Or(cmp.Compare(rankOf(a), rankOf(b)), strings.Compare(a.Name, b.Name))
	})
	urls := s.submodules()
	return directoryJSON{
		Path: drawPath(s.path), Revision: s.name,
		Children: pageOf(w, entries, everything, func(e content.Entry) childJSON { return drawChild(e, urls) }),
	}, nil
}

func rankOf(e content.Entry) int {
	if e.Mode == content.Directory {
		return 0
	}
	return 1
}

// drawChild draws an entry; urls are those of submodules, by path.
func drawChild(e content.Entry, urls map[string]string) childJSON {
	j := childJSON{Path: drawPath(e.Name), Type: typeOfEntry(e.Mode)}
	switch j.Type {
	case typeDirectory:
		j.Node = e.ID
	case typeFile:
		j.ContentID, j.Size = e.ID, &e.Size
	default:
		j.ContentID, j.URL = e.ID, urls[e.Path]
	}
	return j
}

// submodules reads from .gitmodules where the submodules are cloned from, by
// path.
func (s sight) submodules() map[string]string {
	urls := map[string]string{}
	f, err := s.repository.git.File(s.commit, ".gitmodules")
	if err != nil {
		return urls
	}
	path, url := "", ""
	for line := range strings.Lines(text(string(f.Data))) {
		if strings.HasPrefix(strings.TrimSpace(line), "[") {
			path, url = "", ""
		}
		key, value, _ := strings.Cut(line, "=")
		switch value = strings.Trim(strings.TrimSpace(value), `"`); strings.TrimSpace(key) {
		case "path":
			path = value
		case "url":
			url = value
		}
		if path != "" && url != "" {
			urls[path] = url
		}
	}
	return urls
}

// linesJSON is a window of a file. Its key order is that of a recording
// (browse-lines.json).
type linesJSON struct {
	Lines         []textJSON   `json:"lines"`
	Start         int          `json:"start"`
	Size          int          `json:"size"`
	IsLastPage    bool         `json:"isLastPage"`
	Limit         int          `json:"limit"`
	NextPageStart *int         `json:"nextPageStart"`
	Blame         *[]blameJSON `json:"blame,omitempty"`
}

type textJSON struct {
	Text string `json:"text"`
}

// binaryJSON is a file that has no lines.
type binaryJSON struct {
	Binary bool      `json:"binary"`
	Path   *pathJSON `json:"path"`
}

func (x *exchange) linesWindow() (window, error) { return x.windowOf(defaultLineLimit, maxSourceLines) }

func (x *exchange) readLines(s sight) (any, error) {
	f, err := s.file()
	if err != nil {
		return nil, err
	}
	w, err := x.linesWindow()
	if err != nil {
		return nil, err
	}
	if content.IsBinary(f.Data) {
		return binaryJSON{true, drawPath(s.path)}, nil
	}
	values, next := cut(w, linesOf(text(string(f.Data))), everything)
	j := linesJSON{
		Lines: drawAll(values, drawLine),
		Start: w.start, Size: len(values), IsLastPage: next == nil, Limit: w.limit, NextPageStart: next,
	}
	if x.flag("blame") {
		blame, err := x.blame(s, w)
		if err != nil {
			return nil, err
		}
		j.Blame = &blame
	}
	return j, nil
}

// linesOf are the lines of a text. The end of the last line begins no other.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// drawLine draws a line without a carriage return at its end, a long one cut.
// Nothing says that it was.
func drawLine(line string) textJSON {
	shown, _ := cutLine(strings.TrimSuffix(line, "\r"))
	return textJSON{shown}
}

// blameJSON says where lines that follow each other come from.
type blameJSON struct {
	Author            any    `json:"author"`
	AuthorTimestamp   int64  `json:"authorTimestamp"`
	CommitHash        string `json:"commitHash"`
	DisplayCommitHash string `json:"displayCommitHash"`
	CommitID          string `json:"commitId"`
	CommitDisplayID   string `json:"commitDisplayId"`
	FileName          string `json:"fileName"`
	LineNumber        int    `json:"lineNumber"`
	SpannedLines      int    `json:"spannedLines"`
}

// blame are the origins of the lines of a window, cut at its ends.
func (x *exchange) blame(s sight, w window) ([]blameJSON, error) {
	ranges, err := s.repository.git.Blame(s.commit, s.path)
	if err != nil {
		return nil, noSuchPath(s.path, s.name)
	}
	if f, err := s.file(); err != nil || content.IsBinary(f.Data) {
		return []blameJSON{}, nil // what has no lines has no blame (belief)
	}
	first, end := w.start+1, w.start+1+w.limit
	all := []blameJSON{}
	for _, b := range ranges {
		from, to := max(b.Line, first), min(b.Line+b.Lines, end)
		if from >= to {
			continue
		}
		c := s.repository.commit(b.Commit)
		all = append(all, blameJSON{
			Author: x.signed(c.Author, x.user), AuthorTimestamp: c.Author.When.Unix() * 1000,
			CommitHash: c.ID, DisplayCommitHash: c.ID[:displayIDLength], CommitID: c.ID, CommitDisplayID: c.ID[:displayIDLength],
			FileName: b.Path, LineNumber: from, SpannedLines: to - from,
		})
	}
	return all, nil
}
