package requiredbuilds

import "slices"

// Build is one build of the pull request's latest source commit, for its
// source branch or for none.
type Build struct {
	// Key is the build's own key, which plays no part here.
	Key string
	// Parent is the key it reports under, or "".
	Parent string
	// State is SUCCESSFUL, FAILED, INPROGRESS, CANCELLED, UNKNOWN, or a state of
	// a later release.
	State string
	// Updated is when it last reported, in Unix milliseconds.
	Updated int64
}

// Builds are the builds that were read. The zero Builds say nothing.
type Builds struct {
	Values []Build
	// Complete is true when these are all there are.
	Complete bool
	// Parents is true when the listing says under which key a build reports;
	// the public one does not (bitbucket-rest.md 14.2).
	Parents bool
}

// State is how a required key stands.
type State string

// The states of a key.
const (
	Unknowable State = "CANNOT_TELL" // the builds that were read do not settle it
	Successful State = "SUCCESSFUL"  // one successful build reports under it
	Failed     State = "FAILED"      // none is successful and the newest failed
	InProgress State = "INPROGRESS"  // none is successful and the newest is running
	Cancelled  State = "CANCELLED"   // none is successful and the newest was cancelled
	Unknown    State = "UNKNOWN"     // none is successful and the newest is in the state Bitbucket calls unknown
	Missing    State = "MISSING"     // no build reports under it
)

// StateOf says how a key stands: one successful build that reports under
// exactly it is enough, whatever became of the others; otherwise the newest one
// speaks. A state of a later release is given as Bitbucket writes it. A
// successful build is enough even where not all builds were read.
func StateOf(key string, b Builds) State {
	if !b.Parents {
		return Unknowable
	}
	var newest *Build
	for i, x := range b.Values {
		if x.Parent != key || key == "" {
			continue
		}
		if x.State == string(Successful) {
			return Successful
		}
		// Of several at the same moment the one that failed is named.
		if newest == nil || x.Updated > newest.Updated || x.Updated == newest.Updated && x.State == string(Failed) {
			newest = &b.Values[i]
		}
	}
	switch {
	case !b.Complete || newest != nil && newest.State == "":
		return Unknowable
	case newest == nil:
		return Missing
	}
	return State(newest.State)
}

// Key is a required key and how it stands.
type Key struct {
	Key   string
	State State
}

// Verdict is what the conditions come to for a pull request.
type Verdict struct {
	// Decisions are those of the conditions, in their order.
	Decisions []Decision
	// Required are the keys of the conditions that apply, each once, in the
	// conditions' order.
	Required []Key
	// Possible are the keys of conditions of which it cannot be told whether
	// they apply, where none that applies requires them too.
	Possible []Key
}

// Evaluate holds all conditions of a repository against a pull request.
func Evaluate(conditions []Condition, p PullRequest, r Repository, b Builds) Verdict {
	v := Verdict{Decisions: make([]Decision, len(conditions))}
	has := func(keys []Key, key string) bool {
		return slices.ContainsFunc(keys, func(k Key) bool { return k.Key == key })
	}
	for i, c := range conditions {
		v.Decisions[i] = Decide(c, p, r)
		if v.Decisions[i].Answer != Applies {
			continue
		}
		for _, key := range c.Keys {
			if !has(v.Required, key) {
				v.Required = append(v.Required, Key{key, StateOf(key, b)})
			}
		}
	}
	for i, c := range conditions {
		if v.Decisions[i].Answer != CannotTell {
			continue
		}
		for _, key := range c.Keys {
			if !has(v.Required, key) && !has(v.Possible, key) {
				v.Possible = append(v.Possible, Key{key, StateOf(key, b)})
			}
		}
	}
	return v
}

// Met says whether every required build is successful. A key that may be
// required leaves it open only while it has no successful build.
func (v Verdict) Met() (met, known bool) {
	known = true
	for _, k := range v.Required {
		switch k.State {
		case Successful:
		case Unknowable:
			known = false
		default:
			return false, true
		}
	}
	for _, k := range v.Possible {
		known = known && k.State == Successful
	}
	return known, known
}
