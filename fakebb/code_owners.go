package fakebb

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bb-mcp/bb/fakebb/content"
)

// codeOwnersPath is where a branch says who owns its code.
const codeOwnersPath = ".bitbucket/CODEOWNERS"

// ownership is one line of a CODEOWNERS file: who owns what a pattern matches.
type ownership struct {
	pattern ownedPattern
	owners  []string // without the @
}

// parseCodeOwners reads a CODEOWNERS file. Lines are a pattern and owners; what
// begins with # is a comment. A line that Bitbucket could not read owns nothing,
// as does one with a pattern that git's ignore files would turn round with a !
// (belief).
func parseCodeOwners(text string) []ownership {
	var lines []ownership
	for line := range strings.Lines(text) {
		fields := ownerFields(strings.TrimSpace(line))
		if len(fields) == 0 {
			continue
		}
		pattern, ok := newOwnedPattern(fields[0])
		if !ok {
			continue
		}
		o := ownership{pattern: pattern}
		for _, field := range fields[1:] {
			if name, ok := strings.CutPrefix(field, "@"); ok && name != "" {
				o.owners = append(o.owners, name)
			}
		}
		lines = append(lines, o)
	}
	return lines
}

// ownerFields splits a line at white space that is neither escaped nor in
// quotes, up to a comment. The quotes of an owner go; the backslashes of the
// pattern stay.
func ownerFields(line string) []string {
	var fields []string
	var field strings.Builder
	quoted, escaped, begun := false, false, false
	for _, c := range line {
		space := (c == ' ' || c == '\t') && !escaped && !quoted
		switch {
		case c == '#' && !begun:
			return fields
		case space && begun:
			fields = append(fields, field.String())
			field.Reset()
			begun = false
		case space:
		case c == '"' && len(fields) > 0:
			quoted, begun = !quoted, true
		default:
			field.WriteRune(c)
			begun = true
		}
		escaped = c == '\\' && !escaped && len(fields) == 0
	}
	if begun {
		fields = append(fields, field.String())
	}
	return fields
}

// ownedPattern is a pattern as in git's ignore files.
type ownedPattern struct {
	glob glob
	// directory is a pattern with a slash at its end: it matches what is below.
	directory bool
	// flat is one that ends in /*: it matches files of the directory and not
	// what is further down, unlike in git (belief: as other CODEOWNERS files).
	flat bool
}

// newOwnedPattern reads a pattern; one without a slash, but at its end, matches
// at any depth.
func newOwnedPattern(pattern string) (ownedPattern, bool) {
	if strings.HasPrefix(pattern, "!") {
		return ownedPattern{}, false
	}
	p := ownedPattern{directory: strings.HasSuffix(pattern, "/"), flat: strings.HasSuffix(pattern, "/*")}
	pattern = strings.TrimSuffix(pattern, "/")
	if !strings.Contains(pattern, "/") {
		p.glob = append(p.glob, everySegment)
	}
	for text := range strings.SplitSeq(strings.TrimPrefix(pattern, "/"), "/") {
		s, ok := ignoreSegment(text)
		if !ok {
			return ownedPattern{}, false
		}
		p.glob = append(p.glob, s)
	}
	return p, true
}

func (p ownedPattern) matches(path string) bool {
	parts := strings.Split(path, "/")
	if !p.directory && p.glob.matches(parts) {
		return true
	}
	return !p.flat && append(slices.Clip(p.glob), oneSegment, everySegment).matches(parts)
}

// ignoreSegment reads one segment of a pattern of git's ignore files: *, ?,
// classes such as [a-z] and [!a-z], and \ before what is meant as it is.
func ignoreSegment(text string) (segment, bool) {
	switch text {
	case "**":
		return everySegment, true
	case "*":
		return oneSegment, true
	case "":
		return segment{}, false
	}
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	characters := []rune(text)
	for i := 0; i < len(characters); i++ {
		switch c := characters[i]; c {
		case '*':
			b.WriteString(`.*`)
		case '?':
			b.WriteString(`.`)
		case '[':
			class, length := ignoreClass(characters[i:])
			if length == 0 {
				return segment{}, false
			}
			b.WriteString(class)
			i += length - 1
		case '\\':
			if i++; i == len(characters) {
				return segment{}, false
			}
			b.WriteString(regexp.QuoteMeta(string(characters[i])))
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	b.WriteString(`\z`)
	whole, err := regexp.Compile(b.String())
	if err != nil {
		return segment{}, false
	}
	return segment{takes: whole.MatchString}, true
}

// classSpecial is what a class of a regular expression has that one of git's has
// not.
var classSpecial = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `^`, `\^`)

// ignoreClass reads a class and returns it as a regular expression's, and its
// length, 0 for one that does not end.
func ignoreClass(text []rune) (class string, length int) {
	begin, negated := 1, ""
	if len(text) > 1 && (text[1] == '!' || text[1] == '^') {
		begin, negated = 2, "^"
	}
	// A ] at the beginning is one of the characters.
	for end := begin + 1; end < len(text); end++ {
		if text[end] == ']' {
			return "[" + negated + classSpecial.Replace(string(text[begin:end])) + "]", end + 1
		}
	}
	return "", 0
}

// ownersOf are the names of the owners of a path: those of the last line that
// matches it, also when that line names nobody.
func ownersOf(lines []ownership, path string) []string {
	for _, o := range slices.Backward(lines) {
		if o.pattern.matches(path) {
			return o.owners
		}
	}
	return nil
}

// codeOwnersJSON is the internal answer.
type codeOwnersJSON struct {
	CodeOwners []userJSON `json:"codeOwners"`
}

// listCodeOwners answers who owns what a pull request would change: the file is
// the target branch's, the changes those since the merge base. An owner is a
// user or a reviewer group of the repository or its project; who is neither, and
// who may not read the repository, is left out. The caller is not, although an
// author cannot review (belief).
func listCodeOwners(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	if !x.server.release.codeOwners() {
		return nil, notFound("code owners are there since 8.14")
	}
	source := r
	if name := x.query.Get("sourceRepo"); name != "" {
		if source, err = x.namedRepository(name); err != nil {
			return nil, err
		}
		if source.git != r.git {
			return nil, invalidArgument(fmt.Sprintf("%s is not in the same hierarchy as %s/%s", name, r.project.key, r.slug)) // belief
		}
	}
	from, to := x.query.Get("sourceRefId"), x.query.Get("targetRefId")
	// That these are refused is known, the sentences are belief.
	switch {
	case from == "":
		return nil, invalidArgument("The source ref must be specified")
	case to == "":
		return nil, invalidArgument("The target ref must be specified")
	case source == r && qualified(from) == qualified(to):
		return nil, invalidArgument("The source and target refs must be different")
	}
	sourceTip, err := x.revision(source, from)
	if err != nil {
		return nil, err
	}
	targetTip, err := x.revision(r, to)
	if err != nil {
		return nil, err
	}
	j := codeOwnersJSON{CodeOwners: []userJSON{}}
	for _, p := range x.store.codeOwners(r, sourceTip, targetTip) {
		j.CodeOwners = append(j.CodeOwners, x.user(p))
	}
	return j, nil
}

// codeOwners are the owners of what changed, in the order of the paths and of
// the file.
func (s *store) codeOwners(r *repository, source, target string) []*person {
	file, err := r.git.File(target, codeOwnersPath)
	if err != nil || file.Mode == content.Submodule {
		return nil // the branch has no such file
	}
	lines := parseCodeOwners(text(string(file.Data)))
	var owners []*person
	for _, c := range (comparison{repository: r, from: mergeBase(r.git, target, source), to: source}).changes() {
		for _, name := range ownersOf(lines, c.Path) {
			for _, p := range s.ownersNamed(r, name) {
				if r.project.readableBy(p) && !slices.Contains(owners, p) {
					owners = append(owners, p)
				}
			}
		}
	}
	return owners
}

// ownersNamed are the people behind a name in a CODEOWNERS file of the repository: the
// user, or the members of the group.
func (s *store) ownersNamed(r *repository, name string) []*person {
	for _, p := range s.people {
		if strings.EqualFold(p.name, name) {
			return []*person{p}
		}
	}
	if g := findGroup(slices.Concat(r.reviewerGroups, r.project.reviewerGroups), name); g != nil {
		return g.users
	}
	return nil
}

// namedRepository finds the repository of a name such as KEY/slug, with the
// checks of one in a path.
func (x *exchange) namedRepository(name string) (*repository, error) {
	key, slug, _ := strings.Cut(name, "/")
	p := x.store.byKey[strings.ToUpper(key)]
	if p == nil {
		return nil, noSuchProject(key)
	}
	r := p.repository(slug)
	if r == nil {
		return nil, noSuchRepository(p.key, slug)
	}
	if !p.readableBy(x.caller) {
		return nil, notPermitted()
	}
	return r, nil
}
