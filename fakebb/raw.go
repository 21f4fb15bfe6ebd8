package fakebb

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bb-mcp/bb/fakebb/content"
)

// fileRoutes are files as they are stored, one by one and in archives.
var fileRoutes = []route{
	{method: "GET", path: repositories + "/raw/{path...}", answer: getRaw, produces: []string{anyMedia},
		evidence: "bitbucket-rest.md 8.2 [O][U]; types and headers [I]"},
	{method: "GET", path: inRepository + "/raw/{path...}", answer: getRaw, produces: []string{anyMedia},
		evidence: "bitbucket-rest.md 8.2 [U]"},
	{method: "GET", path: "/users/{userSlug}/repos/{repositorySlug}/raw/{path...}", answer: getPersonalRaw, produces: []string{anyMedia},
		evidence: "bitbucket-rest.md 8.2 [U], 4 [F]; that personal projects have it is belief"},
	{method: "GET", path: repositories + "/files/{path...}", answer: listFiles,
		evidence: "bitbucket-rest.md 8.3 [O][F][P], files-page-first.json; order [I]"},
	{method: "GET", path: repositories + "/last-modified/{path...}", answer: getLastModified,
		evidence: "bitbucket-rest.md 8.4 [P][F], last-modified.json"},
	{method: "GET", path: repositories + "/archive", answer: getArchive, produces: []string{anyMedia},
		evidence: "bitbucket-rest.md 8.5 [O]; the form of Content-Disposition is belief"},
	{method: "GET", path: repositories + "/readme", answer: getSpecial("README"), produces: []string{anyMedia}, evidence: specialEvidence},
	{method: "GET", path: repositories + "/license", answer: getSpecial("LICENSE", "LICENCE"), produces: []string{anyMedia}, evidence: specialEvidence},
	{method: "GET", path: repositories + "/contributing", answer: getSpecial("CONTRIBUTING"), produces: []string{anyMedia}, evidence: specialEvidence},
}

const specialEvidence = "bitbucket-rest.md 8.5 [O]; that letter case does not matter, and the sentence of the 404, is belief"

// maxFiles is the cap of a recursive listing (bitbucket-rest.md 2 [D]).
const maxFiles = 100000

func getRaw(x *exchange) (any, error) {
	x.streamed = true
	s, err := x.look()
	if err != nil {
		return nil, err
	}
	if s.path == "" {
		return nil, invalidArgument("The path parameter is required.")
	}
	return x.rawFile(s)
}

// getPersonalRaw finds the personal project of the user.
func getPersonalRaw(x *exchange) (any, error) {
	x.vars["projectKey"] = "~" + x.vars["userSlug"]
	return getRaw(x)
}

// rawFile answers the bytes of a file. Text is plain text, whatever it is the
// text of; with markup, or markup=true, Markdown is drawn as HTML. Nothing of it
// runs in a browser.
func (x *exchange) rawFile(s sight) (any, error) {
	f, err := s.file()
	if err != nil {
		return nil, err
	}
	a := answer{contentType: mediaTypeOf(f.Data), body: f.Data, header: map[string]string{
		"Content-Disposition":     disposition("inline", path.Base(s.path)),
		"Content-Security-Policy": "sandbox",
	}}
	if x.flag("markup") && (x.markup || x.query.Get("markup") == "") && isMarkdown(s.path) {
		a.contentType, a.body = "text/html;charset=UTF-8", []byte(x.html(text(string(f.Data))))
	}
	return a, nil
}

func isMarkdown(name string) bool {
	return slices.Contains([]string{".md", ".markdown"}, strings.ToLower(path.Ext(name)))
}

// mediaTypeOf guesses what a file is from what it holds.
func mediaTypeOf(data []byte) string {
	switch {
	case !content.IsBinary(data) && utf8.Valid(data):
		return textType
	case !content.IsBinary(data):
		return "text/plain;charset=ISO-8859-1" // as whom text takes it for
	}
	kind := http.DetectContentType(data)
	if strings.HasPrefix(kind, "text/") {
		kind = "application/octet-stream" // UTF-16, which is binary for git, or a page with a NUL in it
	}
	return kind
}

// notInFilenames are the characters that the plain form of a file's name in a
// header cannot have.
var notInFilenames = regexp.MustCompile(`[^ -~]|["\\]`)

// disposition names a file, also one whose name is not ASCII (RFC 6266).
func disposition(kind, name string) string {
	return fmt.Sprintf(`%s; filename="%s"; filename*=UTF-8''%s`,
		kind, notInFilenames.ReplaceAllString(name, "_"), url.PathEscape(name))
}

// listFiles answers the paths of all files below a directory, relative to it,
// in git's order.
func listFiles(x *exchange) (any, error) {
	s, err := x.look()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxFiles)
	if err != nil {
		return nil, err
	}
	if e, err := s.entry(); err != nil || s.path != "" && e.Mode != content.Directory {
		return nil, noSuchPath(s.path, s.name)
	}
	paths, err := s.repository.git.Paths(s.commit, s.path)
	if err != nil {
		return nil, noSuchPath(s.path, s.name)
	}
	return pageOf(w, paths, everything, func(p string) string {
		return strings.TrimPrefix(strings.TrimPrefix(p, s.path), "/")
	}), nil
}

// lastModifiedJSON says of each file and directory in a directory which commit
// changed it last.
type lastModifiedJSON struct {
	Files        object     `json:"files"`
	LatestCommit commitJSON `json:"latestCommit"`
}

func getLastModified(x *exchange) (any, error) {
	if _, err := x.repository(); err != nil {
		return nil, err
	}
	if x.query.Get("at") == "" {
		// As many characters as the sentence of 9.4.16, whose words are unknown.
		return nil, invalidArgument("A commit or a ref must be given to list changes of.")
	}
	s, err := x.look()
	if err != nil {
		return nil, err
	}
	if e, err := s.entry(); err != nil || s.path != "" && e.Mode != content.Directory {
		return nil, noSuchPath(s.path, s.name)
	}
	children, latest, err := s.repository.git.LastModified(s.commit, s.path)
	if err != nil {
		return nil, noSuchPath(s.path, s.name)
	}
	j := lastModifiedJSON{Files: object{}, LatestCommit: x.drawCommit(latest)}
	// They come out as the history is walked, the last changed first (belief; the
	// document's example is so).
	names := slices.SortedFunc(maps.Keys(children), func(a, b string) int {
		return cmp.Or(children[b].Committer.When.Compare(children[a].Committer.When), strings.Compare(a, b))
	})
	for _, name := range names {
		j.Files = append(j.Files, member{name, x.drawCommit(children[name])})
	}
	return j, nil
}

// archiveTypes are the media types of the forms of archives. The document has
// these two, and does not say which form has which.
var archiveTypes = map[content.ArchiveFormat]string{
	content.Zip: "application/octet-stream", content.Tar: "application/x-tar",
	content.TarGz: "application/octet-stream", content.Tgz: "application/octet-stream",
}

// getArchive answers the files at a revision, of the paths that are named, as
// zip when no other format is asked for.
func getArchive(x *exchange) (any, error) {
	x.streamed = true
	s, err := x.look()
	if err != nil {
		return nil, err
	}
	format := content.ArchiveFormat(cmp.Or(x.query.Get("format"), string(content.Zip)))
	kind := archiveTypes[format]
	if kind == "" {
		return nil, invalidArgument(fmt.Sprintf("The format '%s' is not supported; supported are zip, tar, tar.gz and tgz.", format))
	}
	options := content.ArchiveOptions{Format: format}
	for _, p := range x.query["path"] {
		if p, err = cleanPath(p, s.name); err != nil {
			return nil, err
		}
		if _, err := s.repository.git.Entry(s.commit, p); err != nil {
			return nil, noSuchPath(p, s.name) // status and sentence are belief
		}
		options.Paths = append(options.Paths, p)
	}
	if prefix := strings.Trim(x.query.Get("prefix"), "/"); prefix != "" {
		if prefix, err = cleanPath(prefix, s.name); err != nil {
			return nil, invalidArgument("The prefix is no path.")
		}
		options.Prefix = prefix + "/"
	}
	var b bytes.Buffer
	if err := s.repository.git.Archive(&b, s.commit, options); err != nil {
		panic(err) // format, commit and paths are known
	}
	name := cmp.Or(x.query.Get("filename"), s.archiveName()+"."+string(format))
	return answer{contentType: kind, body: b.Bytes(), header: map[string]string{"Content-Disposition": disposition("attachment", name)}}, nil
}

// archiveName is how an archive is called without its ending: for the
// repository and the branch or tag with its commit, or for the id as it was
// asked for (bitbucket-rest.md 8.5 [O]).
func (s sight) archiveName() string {
	name, ref := s.name, false
	if b := s.repository.branch(s.name); b != nil {
		name, ref = b.name, true
	} else if t := s.repository.tag(s.name); t != nil {
		name, ref = t.name, true
	}
	name = s.repository.slug + "-" + strings.ReplaceAll(name, "/", "-")
	if ref {
		name += "@" + s.commit[:displayIDLength]
	}
	return name
}

// specialExtensions are those of files that a repository says something about
// itself with, the preferred first.
var specialExtensions = []string{".md", ".txt", ""}

// getSpecial answers the file at the top of a repository that has one of these
// names, in any letter case, and one of the extensions.
func getSpecial(names ...string) func(*exchange) (any, error) {
	return func(x *exchange) (any, error) {
		x.streamed = true
		s, err := x.look()
		if err != nil {
			return nil, err
		}
		entries, err := s.repository.git.Entries(s.commit, "")
		if err != nil {
			panic(err) // the top of a commit is a directory
		}
		for _, extension := range specialExtensions {
			for _, e := range entries {
				called := func(name string) bool { return strings.EqualFold(name+extension, e.Name) }
				if typeOfEntry(e.Mode) == typeFile && slices.ContainsFunc(names, called) {
					s.path = e.Name
					return x.rawFile(s)
				}
			}
		}
		return nil, noSuchPath(names[0], s.name)
	}
}
