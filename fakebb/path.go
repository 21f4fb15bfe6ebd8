package fakebb

import (
	"net/http"
	"strings"
)

// pathJSON is a path in its parts (bitbucket-rest.md 4).
type pathJSON struct {
	Components []string `json:"components"`
	Parent     string   `json:"parent"`
	Name       string   `json:"name"`
	Extension  string   `json:"extension,omitempty"`
	ToString   string   `json:"toString"`
}

// drawPath draws a path; the root has no components and an empty name.
func drawPath(path string) *pathJSON {
	if path == "" {
		return &pathJSON{Components: []string{}}
	}
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

// path is the path that ends the request's own. An encoded slash in it is
// refused, as the servlet container does (bug-log.md URI-02 [U]).
func (x *exchange) path(revision string) (string, error) {
	path := x.vars["path"]
	escaped := strings.TrimSuffix(x.request.URL.EscapedPath(), "/")
	if strings.Contains(strings.ToLower(lastDecoded(escaped, len(path))), "%2f") {
		return "", &failure{status: http.StatusBadRequest, empty: true}
	}
	return cleanPath(path, revision)
}

// lastDecoded is the end of an escaped text that has so many bytes unescaped.
func lastDecoded(escaped string, n int) string {
	i := len(escaped)
	for ; n > 0 && i > 0; n-- {
		if i >= 3 && escaped[i-3] == '%' {
			i -= 2
		}
		i--
	}
	return escaped[i:]
}

// cleanPath is the path a request names, without slashes at its ends. What is
// no path of a file, as .. is none, is refused as a path that does not exist.
func cleanPath(path, revision string) (string, error) {
	path = strings.Trim(path, "/")
	if path == "" {
		return "", nil
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." || strings.ContainsRune(part, 0) {
			return "", noSuchPath(path, revision)
		}
	}
	return path, nil
}
