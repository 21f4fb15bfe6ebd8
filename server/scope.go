package server

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

// Place is a project, or with Repo one repository of it.
type Place struct {
	Project, Repo string
}

// String gives KEY, or KEY/slug.
func (p Place) String() string {
	if p.Repo == "" {
		return p.Project
	}
	return p.Project + "/" + p.Repo
}

// ParsePlace reads KEY/slug.
func ParsePlace(text string) (Place, error) {
	project, repo, ok := strings.Cut(text, "/")
	if !ok || project == "" || repo == "" {
		return Place{}, fmt.Errorf("a repository is written KEY/slug, such as ORCH/catalogue or ~user/scratch, not %q", text)
	}
	p := Place{project, repo}
	return p, p.check()
}

// check refuses a name that could lead a request to another place than the one
// it names.
func (p Place) check() error {
	for _, name := range []string{p.Project, p.Repo} {
		if name == "." || name == ".." || strings.ContainsAny(name, `/\%?#;`) || strings.ContainsFunc(name, unicode.IsControl) {
			return fmt.Errorf("%s is no project key or repository slug", quote.Line(name))
		}
	}
	return nil
}

// scopeRule says as data how the workspace scope bounds a tool (T3). The zero
// value is a tool that cannot be bounded: under a scope it is withheld, and
// refused.
type scopeRule struct {
	// places are the pairs of arguments that name a repository.
	places []placeArguments
	// across says that without a place the tool lists across repositories, and
	// narrows that list by [scope.has].
	across bool
}

// placeArguments names the arguments for a project and a repository.
type placeArguments struct {
	project, repo string
	// required: without them there is nothing to answer.
	required bool
}

// The rules most tools have.
var (
	inRepository         = scopeRule{places: []placeArguments{{"project", "repo", true}}}
	inRepositoryOrAcross = scopeRule{places: []placeArguments{{"project", "repo", false}}, across: true}
)

// bounded says whether the rule bounds a tool at all.
func (r scopeRule) bounded() bool { return len(r.places) > 0 || r.across }

// scope is where the server may read and write: in any of these places, or
// without any everywhere.
type scope []Place

// scopeOf reads the scope of o.
func scopeOf(projects []string, repos []Place) (scope, error) {
	var s scope
	for _, key := range projects {
		s = append(s, Place{Project: key})
	}
	s = append(s, repos...)
	for _, p := range s {
		if p.Project == "" {
			return nil, fmt.Errorf("the scope names a project without a key")
		}
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("scope: %w", err)
		}
	}
	return s, nil
}

func (s scope) limited() bool { return len(s) > 0 }

// has says whether a repository is within the scope.
func (s scope) has(project, repo string) bool {
	_, ok := s.within(Place{project, repo})
	return !s.limited() || ok
}

// within gives a repository, or a project of which something is in the scope,
// with its names as the scope writes them: Bitbucket ignores their letter
// case, and what goes out must be what was allowed.
func (s scope) within(p Place) (Place, bool) {
	for _, in := range s {
		switch {
		case !strings.EqualFold(in.Project, p.Project):
		case in.Repo == "":
			return Place{in.Project, p.Repo}, true
		case p.Repo == "":
			return Place{in.Project, ""}, true
		case strings.EqualFold(in.Repo, p.Repo):
			return in, true
		}
	}
	return p, false
}

// narrowed reads a list across repositories and keeps of it what is within the
// scope: it follows the list's pages until it has limit entries, for at most
// narrowedPages pages. What it gives claims no total under a scope.
func narrowed[T any](s scope, start, limit int, place func(T) Place, read func(start, limit int) (bitbucket.Listing[T], error)) (bitbucket.Listing[T], error) {
	if !s.limited() {
		return read(start, limit)
	}
	kept := bitbucket.Listing[T]{Values: []T{}}
	for range narrowedPages {
		page, err := read(start, maxLimit)
		if err != nil {
			return kept, err
		}
		for i, v := range page.Values {
			if p := place(v); !s.has(p.Project, p.Repo) {
				continue
			}
			if len(kept.Values) == limit {
				kept.Next = start + i // never behind the entry, see Page.keep
				return kept, nil
			}
			kept.Values = append(kept.Values, v)
		}
		if start = page.Next; start == 0 {
			return kept, nil
		}
	}
	kept.Next = start
	return kept, nil
}

// narrowedPages bounds how far a narrowed list is read in one call: 1,000
// entries.
const narrowedPages = 10

// only gives what an omitted place can only mean: the one repository of the
// scope, or its one project.
func (s scope) only() (p Place) {
	for i, in := range s {
		switch {
		case i == 0:
			p = in
		case !strings.EqualFold(in.Project, p.Project):
			return Place{}
		case !strings.EqualFold(in.Repo, p.Repo):
			p.Repo = ""
		}
	}
	return p
}

// String lists the scope's places.
func (s scope) String() string {
	names := make([]string, len(s))
	for i, p := range s {
		names[i] = p.String()
	}
	return strings.Join(names, ", ")
}

// relax takes out of a schema's required arguments those that the scope fills
// in.
func (s scope) relax(rule scopeRule, in *jsonschema.Schema) {
	only := s.only()
	for _, at := range rule.places {
		if !at.required {
			continue
		}
		in.Required = slices.DeleteFunc(in.Required, func(name string) bool {
			return name == at.project && only.Project != "" || name == at.repo && only.Repo != ""
		})
	}
}

// bind holds arguments to the scope: a place outside is refused, one inside is
// written as the scope writes it, and one that is required and left out is
// filled in where there is one it can be. It is the one place where the scope
// decides; no request was made before.
func (s scope) bind(rule scopeRule, arguments map[string]any) error {
	if s.limited() && !rule.bounded() {
		return fmt.Errorf("bb is limited to %s, and this cannot be limited to it", quote.Visible(s.String()))
	}
	for _, at := range rule.places {
		given := Place{stringOf(arguments, at.project), stringOf(arguments, at.repo)}
		if err := given.check(); err != nil {
			return err
		}
		if !s.limited() {
			continue
		}
		if at.required {
			only := s.only()
			given.Project = cmp.Or(given.Project, only.Project)
			if strings.EqualFold(given.Project, only.Project) {
				given.Repo = cmp.Or(given.Repo, only.Repo)
			}
		}
		if given == (Place{}) {
			continue
		}
		if given.Project == "" { // a repository alone, of a tool that also lists across
			given.Project = s.only().Project
		}
		if given.Project == "" {
			return fmt.Errorf("%s needs %s", at.repo, at.project)
		}
		bound, ok := s.within(given)
		if !ok {
			return fmt.Errorf("bb is limited to %s; %s is outside, and nothing was asked of Bitbucket", quote.Visible(s.String()), quote.Visible(given.String()))
		}
		arguments[at.project] = bound.Project
		if bound.Repo != "" {
			arguments[at.repo] = bound.Repo
		}
	}
	return nil
}

// stringOf is a string among arguments, or "".
func stringOf(arguments map[string]any, name string) string {
	text, _ := arguments[name].(string)
	return text
}
