// Package uri builds and reads the URIs by which bb names what is in
// Bitbucket: bitbucket://projects/{project}/repos/{repo}/…. They are names
// that bb resolves with its own credentials, and no addresses of pages.
//
// Every value is escaped as UTF-8 bytes, so that building cannot fail and
// reading gives back what was built, for any strings; the URI template library
// that the MCP SDK routes with escapes other than ASCII wrongly (go-sdk.md 6).
package uri

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

const scheme = "bitbucket://"

// Kind is what a URI names.
type Kind string

// The kinds, by the word that tells them apart in a URI.
const (
	PullRequest Kind = "pull request"
	Diff        Kind = "diff"
	Threads     Kind = "threads"
	File        Kind = "file"
	Commit      Kind = "commit"
)

// Name is what a URI says.
type Name struct {
	Kind          Kind
	Project, Repo string
	ID            int    // of a pull request, for PullRequest, Diff and Threads
	Path          string // of a File, without a slash at its beginning
	At            string // a File's ref or commit; "" is the default branch
	Commit        string // for Commit
}

// String builds the URI. Project, Repo and what the kind needs must not be
// empty.
func (n Name) String() string {
	base := scheme + "projects/" + escape(n.Project) + "/repos/" + escape(n.Repo) + "/"
	switch n.Kind {
	case PullRequest:
		return base + "pull-requests/" + strconv.Itoa(n.ID)
	case Diff, Threads:
		return base + "pull-requests/" + strconv.Itoa(n.ID) + "/" + string(n.Kind)
	case Commit:
		return base + "commits/" + escape(n.Commit)
	}
	segments := strings.Split(n.Path, "/")
	for i, s := range segments {
		segments[i] = escape(s)
	}
	file := base + "files/" + strings.Join(segments, "/")
	if n.At != "" {
		file += "?at=" + escape(n.At)
	}
	return file
}

// Parse reads a URI that String built, or a person or another client wrote:
// values may be raw where they cannot be misread.
func Parse(text string) (Name, error) {
	rest, ok := strings.CutPrefix(text, scheme)
	if !ok {
		return Name{}, fmt.Errorf("a URI of bb begins with %s", scheme)
	}
	if strings.Contains(rest, "#") {
		return Name{}, errors.New("the URI has a fragment; # in a name is written %23")
	}
	rest, query, hasQuery := strings.Cut(rest, "?")
	raw := strings.Split(rest, "/")
	if len(raw) < 6 || raw[0] != "projects" || raw[2] != "repos" {
		return Name{}, fmt.Errorf("a URI of bb has the form %sprojects/KEY/repos/slug/…", scheme)
	}
	values := make([]string, len(raw))
	for i, s := range raw {
		v, err := url.PathUnescape(s)
		if err != nil {
			return Name{}, fmt.Errorf("%q in the URI is no escaped name", s)
		}
		values[i] = v
	}
	n := Name{Project: values[1], Repo: values[3]}
	if n.Project == "" || n.Repo == "" {
		return Name{}, errors.New("the URI names no project or no repository")
	}
	if hasQuery && raw[4] != "files" {
		return Name{}, errors.New("only the URI of a file takes ?at=")
	}
	switch raw[4] {
	case "pull-requests":
		return n.pullRequest(raw[5:])
	case "commits":
		if n.Kind, n.Commit = Commit, values[5]; n.Commit == "" || len(values) > 6 {
			return Name{}, errors.New("the URI of a commit ends in commits/COMMIT")
		}
		return n, nil
	case "files":
		if n.Kind, n.Path = File, strings.Join(values[5:], "/"); n.Path == "" {
			return Name{}, errors.New("the URI of a file ends in files/PATH")
		}
		if hasQuery {
			return n.at(query)
		}
		return n, nil
	}
	return Name{}, fmt.Errorf("%q is none of pull-requests, files, commits", raw[4])
}

func (n Name) pullRequest(rest []string) (Name, error) {
	id, err := strconv.Atoi(rest[0])
	if err != nil || id < 1 || rest[0][0] == '+' {
		return Name{}, fmt.Errorf("%q is no number of a pull request", rest[0])
	}
	n.Kind, n.ID = PullRequest, id
	if len(rest) == 2 {
		n.Kind = Kind(rest[1])
	}
	if len(rest) > 2 || n.Kind != PullRequest && n.Kind != Diff && n.Kind != Threads || len(rest) == 2 && n.Kind == PullRequest {
		return Name{}, errors.New("the URI of a pull request ends in its number, or in /diff or /threads after it")
	}
	return n, nil
}

// at reads a file's query: exactly one at, or none; an empty one is none.
func (n Name) at(query string) (Name, error) {
	value, ok := strings.CutPrefix(query, "at=")
	if !ok || strings.Contains(value, "&") {
		return Name{}, errors.New("the URI of a file takes one query, ?at=REF; & in a name is written %26")
	}
	at, err := url.PathUnescape(value) // + is a plus: it is common in names of branches
	if err != nil {
		return Name{}, fmt.Errorf("%q in the URI is no escaped name", value)
	}
	n.At = at
	return n, nil
}

// escape writes every byte but the unreserved of RFC 3986 as %XX.
func escape(text string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&15])
	}
	return b.String()
}
