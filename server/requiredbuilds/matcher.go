package requiredbuilds

import "strings"

// verdict is whether a matcher picks a ref.
type verdict int

const (
	unknown verdict = iota
	yes
	no
)

// matched is a verdict and, where it is unknown, why.
type matched struct {
	is  verdict
	why string
}

func whether(ok bool) matched {
	if ok {
		return matched{is: yes}
	}
	return matched{is: no}
}

func cannot(why string) matched { return matched{unknown, why} }

const heads = "refs/heads/"

// letterCase is why a match that only the case of letters beyond ASCII decides
// is unknown: Java's patterns ignore the case of ASCII letters, its comparison
// of strings that of all, and releases differ in which one they use.
const letterCase = "only the case of letters beyond ASCII decides"

// match says whether m picks the ref with the full id ref in r. Branches and
// patterns ignore the case of letters, as Bitbucket does by default; its
// property plugin.bitbucket-ref-restriction.case.insensitive can change that
// and cannot be read, and the default is what is followed. The branching
// model's kinds are exact (bitbucket-probed.md 2).
func match(m Matcher, ref string, r Repository) matched {
	if m.Kind == AnyRef {
		return matched{is: yes}
	}
	if ref == "" {
		return cannot("the branch is not known")
	}
	if m.Inactive {
		return cannot("the rule is not active, as its branching model no longer has what it names")
	}
	switch m.Kind {
	case Branch:
		return matchBranch(m.ID, ref)
	case Pattern:
		return matchPattern(m.ID, ref)
	case ModelBranch:
		return matchModelBranch(m.ID, ref, r.Model)
	case ModelCategory:
		return matchModelCategory(m.ID, ref, r.Model)
	case DefaultBranch:
		if r.DefaultBranch == "" {
			return cannot("the default branch is not known")
		}
		return whether(ref == r.DefaultBranch)
	}
	return cannot("the kind of the rule is not one bb knows")
}

// matchBranch reads id as given or qualified: master, heads/master and
// refs/heads/master are the same branch.
func matchBranch(id, ref string) matched {
	if id == "" {
		return cannot("the rule names no branch")
	}
	same := func(equal func(a, b string) bool) bool {
		return equal(id, ref) || equal(heads+id, ref) || hasFoldedPrefix(id, "heads/") && equal("refs/"+id, ref)
	}
	switch {
	case hasFoldedPrefix(id, "heads/") && strings.EqualFold(heads+id, ref):
		// A branch that is itself called heads/…: the two readings differ.
		return cannot("the rule's branch begins with heads/ and can be read in two ways")
	case same(equalASCII):
		return matched{is: yes}
	case same(strings.EqualFold):
		return cannot(letterCase)
	}
	return matched{is: no}
}

func matchModelBranch(id, ref string, m *Model) matched {
	if m == nil {
		return cannot("the branching model could not be read")
	}
	switch id {
	case "development":
		return whether(ref == m.Development)
	case "production":
		return whether(ref == m.Production)
	}
	return cannot("the rule names a branch of the branching model that bb does not know")
}

func matchModelCategory(id, ref string, m *Model) matched {
	if m == nil {
		return cannot("the branching model could not be read")
	}
	prefix, enabled := m.Prefixes[id]
	switch {
	case !enabled:
		// A category that is not enabled has no branches (bitbucket-rest.md 15).
		return matched{is: no}
	case prefix == "":
		return cannot("the category has no prefix")
	}
	branch, isBranch := strings.CutPrefix(ref, heads)
	if !isBranch {
		// A tag, or a ref of another kind, is in no category of branches.
		return matched{is: no}
	}
	return whether(strings.HasPrefix(branch, prefix))
}

// equalASCII compares without regard to the case of ASCII letters.
func equalASCII(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lower(rune(a[i])) != lower(rune(b[i])) {
			return false
		}
	}
	return true
}

func lower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

func hasFoldedPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && equalASCII(s[:len(prefix)], prefix)
}
