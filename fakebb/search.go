package fakebb

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bb-mcp/bb/fakebb/content"
)

const (
	// maxSearchResults is how far the search server lets a client page.
	maxSearchResults = 1000
	// maxSearchedFile is the size up to which a file is in the index (belief).
	maxSearchedFile = 512 << 10
	// secondaryLimit is the limit of an entity that is not the one searched for.
	secondaryLimit = 10
)

// searchRequest is what is asked. Entities is what to look for; a key that is
// not known is ignored, as in every body.
type searchRequest struct {
	Query    string `json:"query"`
	Entities struct {
		Code         *searchWindow `json:"code"`
		Repositories *searchWindow `json:"repositories"`
	} `json:"entities"`
	Limits struct {
		Primary   int `json:"primary"`
		Secondary int `json:"secondary"`
	} `json:"limits"`
}

type searchWindow struct {
	Start int `json:"start"`
	Limit int `json:"limit"`
}

// searchJSON is what was found (bitbucket-rest.md 17).
type searchJSON struct {
	Scope        scopeJSON                  `json:"scope"`
	Code         *foundJSON[codeHitJSON]    `json:"code,omitempty"`
	Repositories *foundJSON[repositoryJSON] `json:"repositories,omitempty"`
	Query        searchedQueryJSON          `json:"query"`
}

// searchedQueryJSON says whether something else was searched for than asked.
type searchedQueryJSON struct {
	Substituted bool `json:"substituted"`
}

// foundJSON is a page of one entity. Its count is that of all that was found;
// that nextStart is left out on the last page is belief.
type foundJSON[T any] struct {
	Category   string `json:"category"`
	IsLastPage bool   `json:"isLastPage"`
	Count      int    `json:"count"`
	Start      int    `json:"start"`
	NextStart  *int   `json:"nextStart,omitempty"`
	Values     []T    `json:"values"`
}

// search answers a search over the default branches of what the caller may read.
// The code entity is the primary one where both are asked for (belief).
func search(x *exchange) (any, error) {
	body, err := x.readBody()
	if err != nil {
		return nil, err
	}
	var asked searchRequest
	if err := json.Unmarshal(body, &asked); err != nil {
		return nil, jsonFailure(err, anyObject)
	}
	if strings.TrimSpace(asked.Query) == "" {
		return nil, invalidArgument("A search query must be given.") // belief
	}
	q, err := parseSearch(asked.Query)
	if err != nil {
		return nil, err
	}
	j := searchJSON{Scope: scopeJSON{Type: globalScope}, Query: searchedQueryJSON{q.substituted}}
	category, limit := "primary", cmp.Or(asked.Limits.Primary, defaultLimit)
	if w := asked.Entities.Code; w != nil {
		if j.Code, err = pageOfHits(*w, category, limit, x.findCode(q), x.drawCodeHit); err != nil {
			return nil, err
		}
		category, limit = "secondary", cmp.Or(asked.Limits.Secondary, secondaryLimit)
	}
	if w := asked.Entities.Repositories; w != nil {
		if j.Repositories, err = pageOfHits(*w, category, limit, x.findRepositories(q), x.drawRepository); err != nil {
			return nil, err
		}
	}
	return j, nil
}

func pageOfHits[T, J any](w searchWindow, category string, limit int, all []T, draw func(T) J) (*foundJSON[J], error) {
	limit = cmp.Or(w.Limit, limit)
	switch {
	case w.Start < 0 || limit < 0:
		return nil, invalidArgument("The start and the limit of a search must not be negative.") // belief
	case w.Start > maxSearchResults-min(limit, maxSearchResults):
		return nil, invalidQuery("Offset", fmt.Sprintf("Only the first %d results of a search can be read.", maxSearchResults))
	}
	values, next := cut(window{w.Start, min(limit, maxSearchResults)}, all, everything)
	return &foundJSON[J]{
		Category: category, IsLastPage: next == nil, Count: len(all),
		Start: w.Start, NextStart: next, Values: drawAll(values, draw),
	}, nil
}

// codeHit is a file in which something was found.
type codeHit struct {
	repository     *repository
	path, text     string
	inText, inPath []span
}

// findCode finds files by what is in them and by their paths, most hits first
// (belief: the search server weighs more).
func (x *exchange) findCode(q searchQuery) []codeHit {
	var found []codeHit
	for r := range x.searched(q) {
		tip := r.branches[0].tip
		paths, err := r.git.Paths(tip, "")
		if err != nil {
			panic(err) // the tip is a commit of the store
		}
		for _, path := range paths {
			if hit, ok := searchFile(q, r, tip, path); ok {
				found = append(found, hit)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b codeHit) int { return cmp.Compare(len(b.inText), len(a.inText)) })
	return found
}

// searchFile says whether the query holds for a file, and where its words are.
func searchFile(q searchQuery, r *repository, tip, path string) (codeHit, bool) {
	file, err := r.git.File(tip, path)
	if err != nil {
		panic(err) // the path is one of the tip
	}
	if file.Mode == content.Submodule || len(file.Data) > maxSearchedFile || bytes.IndexByte(file.Data, 0) >= 0 {
		return codeHit{}, false
	}
	hit := codeHit{repository: r, path: path, text: text(string(file.Data))}
	words, pathWords := wordsOf(hit.text), wordsOf(path)
	has := func(p *phrase) bool {
		return p.in(hit.text, words) != nil || p.in(path, pathWords) != nil
	}
	if !q.root.holds(has, func(m *modifier) bool { return m.keepsRepository(r) && m.keepsFile(path) }) {
		return codeHit{}, false
	}
	for _, p := range q.root.phrases(nil) {
		hit.inText = append(hit.inText, p.in(hit.text, words)...)
		hit.inPath = append(hit.inPath, p.in(path, pathWords)...)
	}
	hit.inText, hit.inPath = inOrder(hit.inText), inOrder(hit.inPath)
	return hit, len(hit.inText)+len(hit.inPath) > 0
}

func inOrder(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return slices.Compact(spans)
}

// searched are the repositories that are searched: those the caller may read,
// and archived ones only for who asks for them.
func (x *exchange) searched(q searchQuery) func(yield func(*repository) bool) {
	archived := q.root.names("archived")
	return func(yield func(*repository) bool) {
		for _, p := range x.store.projects {
			for _, r := range p.repositories {
				if p.readableBy(x.caller) && len(r.branches) > 0 && (archived || !r.archived) && !yield(r) {
					return
				}
			}
		}
	}
}

// findRepositories finds repositories by their names. A modifier of files is for
// none of them (belief).
func (x *exchange) findRepositories(q searchQuery) []*repository {
	var found []*repository
	for r := range x.searched(q) {
		has := func(p *phrase) bool {
			lower := strings.ToLower(p.raw)
			return contains(r.name, lower) || contains(r.slug, lower)
		}
		if q.root.holds(has, func(m *modifier) bool { return m.keepsRepository(r) && !m.ofFiles() }) {
			found = append(found, r)
		}
	}
	return found
}

func (m *modifier) ofFiles() bool { return m.name == "lang" || m.name == "ext" || m.name == "path" }

// keepsRepository says whether a modifier lets files of the repository in; one
// of files does.
func (m *modifier) keepsRepository(r *repository) bool {
	switch m.name {
	case "project":
		return strings.EqualFold(m.value, r.project.key)
	case "repo":
		return strings.EqualFold(m.value, r.slug) || strings.EqualFold(m.value, r.project.key+"/"+r.slug)
	case "archived":
		return strings.EqualFold(m.value, fmt.Sprint(r.archived))
	case "fork":
		return strings.EqualFold(m.value, fmt.Sprint(r.origin != nil))
	}
	return true
}

// keepsFile says whether a modifier lets the file in; one of repositories does.
func (m *modifier) keepsFile(file string) bool {
	extension := strings.TrimPrefix(path.Ext(file), ".")
	switch m.name {
	case "ext":
		return strings.EqualFold(strings.TrimPrefix(m.value, "."), extension)
	case "lang":
		return slices.Contains(languages[strings.ToLower(m.value)], strings.ToLower(extension))
	case "path":
		return pathModifier(m.value).MatchString("/" + file)
	}
	return true
}

// pathModifier matches a file of that path and what is below it, at any depth;
// * is anything (belief).
func pathModifier(value string) *regexp.Regexp {
	quoted := strings.ReplaceAll(regexp.QuoteMeta(strings.Trim(value, "/")), `\*`, `.*`)
	return regexp.MustCompile(`(?is)/` + quoted + `(?:/|\z)`)
}

// languages are the extensions of the files of a language.
var languages = map[string][]string{
	"bash": {"sh", "bash"}, "shell": {"sh", "bash", "zsh"},
	"c": {"c", "h"}, "c++": {"cc", "cpp", "cxx", "hh", "hpp", "hxx"}, "cpp": {"cc", "cpp", "cxx", "hh", "hpp", "hxx"},
	"c#": {"cs"}, "csharp": {"cs"}, "css": {"css"}, "go": {"go"}, "groovy": {"groovy", "gradle"},
	"html": {"html", "htm"}, "java": {"java"}, "javascript": {"js", "jsx", "mjs", "cjs"}, "json": {"json"},
	"kotlin": {"kt", "kts"}, "markdown": {"md", "markdown"}, "php": {"php"}, "python": {"py"}, "ruby": {"rb"},
	"rust": {"rs"}, "scala": {"scala"}, "sql": {"sql"}, "swift": {"swift"}, "typescript": {"ts", "tsx"},
	"xml": {"xml", "xsd", "xsl"}, "yaml": {"yaml", "yml"},
}
