// Package requiredbuilds reads the rules by which a repository requires builds
// for merging: which of its conditions apply to a pull request, and how each
// required key stands. It is bb's own reading of what Bitbucket documents and
// was seen to do (bitbucket-rest.md 14.4 and 15, bitbucket-probed.md 1 and 2),
// not Bitbucket's verdict, and says "cannot tell" wherever that reading does
// not settle it. It does no I/O.
package requiredbuilds

// Kind is the type of a matcher, as its type.id on the wire.
type Kind string

// The kinds (bitbucket-rest.md 15). DefaultBranch is sent by 10.2 and later.
const (
	AnyRef        Kind = "ANY_REF"
	Branch        Kind = "BRANCH"
	Pattern       Kind = "PATTERN"
	ModelBranch   Kind = "MODEL_BRANCH"
	ModelCategory Kind = "MODEL_CATEGORY"
	DefaultBranch Kind = "DEFAULT_BRANCH"
)

// Matcher picks refs.
type Matcher struct {
	Kind Kind
	// ID is what is matched: a branch, a pattern, development or production, or
	// the id of a category. ANY_REF and DEFAULT_BRANCH need none.
	ID string
	// Inactive is true where Bitbucket said that the matcher is not active.
	Inactive bool
}

// Condition is one rule of a repository.
type Condition struct {
	ID int
	// Keys are the keys under which builds must report (buildParentKeys).
	Keys []string
	// Target is tested against the pull request's target, Exempt against its
	// source.
	Target Matcher
	Exempt *Matcher
	// NotForPullRequests is true for a rule of 10.2 and later that only a merge
	// queue heeds (requiredForPullRequest false).
	NotForPullRequests bool
}

// Model is a repository's branching model. A repository without one has the
// zero Model.
type Model struct {
	// Development and Production are full ref ids, or "" where the model has no
	// such branch.
	Development, Production string
	// Prefixes are those of the enabled categories, by id (FEATURE, …).
	Prefixes map[string]string
}

// Repository is what is known of the repository whose conditions are read.
type Repository struct {
	// Model is nil when it could not be read.
	Model *Model
	// DefaultBranch is a full ref id, or "" when it is not known.
	DefaultBranch string
}

// PullRequest is the pull request that conditions are held against.
type PullRequest struct {
	// Target and Source are full ref ids, such as refs/heads/main.
	Target, Source string
	// Fork is true when the source is in another repository than the target.
	Fork bool
}

// Answer says whether a condition applies. The zero Answer is CannotTell.
type Answer int

// The answers.
const (
	CannotTell Answer = iota
	Applies
	DoesNotApply
)

// String gives the answer in words.
func (a Answer) String() string {
	switch a {
	case Applies:
		return "applies"
	case DoesNotApply:
		return "does not apply"
	}
	return "cannot tell"
}

// Decision is an answer and why it is that one, in words that hold nothing a
// person wrote.
type Decision struct {
	Answer Answer
	Reason string
}

// Decide says whether c applies to p: its target matcher picks the target, and
// its exemption, if any, does not pick the source. Where one of the two settles
// it, the other need not be known.
//
// For a source in a fork, what is known is that the exemption is tested against
// the source ref (bitbucket-rest.md 15). That its id alone counts, wherever the
// ref is, is a belief, and followed for the kinds that compare ids and nothing
// else. A branching model and a default branch are a repository's, and whose is
// asked for a fork's ref is not known: a fork's ref that the model of the
// condition's repository would exempt cannot be told. One that it would not is
// taken as not exempt, as a fork seldom differs from its origin in these.
func Decide(c Condition, p PullRequest, r Repository) Decision {
	if c.NotForPullRequests {
		return Decision{DoesNotApply, "it is for merge queues, not for pull requests"}
	}
	target := match(c.Target, p.Target, r)
	if target.is == no {
		return Decision{DoesNotApply, "the target branch is not one it is for"}
	}
	exempt := matched{is: no}
	if c.Exempt != nil {
		exempt = match(*c.Exempt, p.Source, r)
		if p.Fork && exempt.is == yes && ofRepository(c.Exempt.Kind) {
			exempt = matched{unknown, "the source branch is in a fork, and whose branching model or default branch Bitbucket asks then is not known"}
		}
	}
	switch {
	case exempt.is == yes:
		return Decision{DoesNotApply, "the source branch is exempt"}
	case target.is == unknown:
		return Decision{CannotTell, "target branch: " + target.why}
	case exempt.is == unknown:
		return Decision{CannotTell, "exempt source branch: " + exempt.why}
	}
	return Decision{Applies, "the target branch is one it is for"}
}

// ofRepository says whether a kind asks more than the ref's id.
func ofRepository(k Kind) bool { return k == ModelBranch || k == ModelCategory || k == DefaultBranch }
