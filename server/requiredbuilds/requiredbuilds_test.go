package requiredbuilds

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// V17: target and exemption together; what one of them settles, the other need
// not.
func TestWhichConditionsApply(t *testing.T) {
	any, main := Matcher{Kind: AnyRef}, Matcher{Kind: Branch, ID: "main"}
	strange := Matcher{Kind: "REGEX", ID: "x"}
	from := func(source string, fork bool) PullRequest {
		return PullRequest{Target: "refs/heads/main", Source: full(source), Fork: fork}
	}
	for _, c := range []struct {
		name   string
		target Matcher
		exempt *Matcher
		p      PullRequest
		want   Answer
	}{
		{"any target", any, nil, from("x", false), Applies},
		{"the target", main, nil, from("x", false), Applies},
		{"another target", Matcher{Kind: Branch, ID: "x"}, nil, from("x", false), DoesNotApply},
		{"an unknown kind", strange, nil, from("x", false), CannotTell},
		{"an inactive rule", Matcher{Kind: ModelCategory, ID: "FEATURE", Inactive: true}, nil, from("x", false), CannotTell},

		{"an exempt source", main, &Matcher{Kind: Branch, ID: "X"}, from("x", false), DoesNotApply},
		{"another source is exempt", main, &Matcher{Kind: Branch, ID: "y"}, from("x", false), Applies},
		{"the target's name is no exemption", main, &Matcher{Kind: Branch, ID: "main"}, from("x", false), Applies},
		{"every source is exempt", main, &any, from("x", false), DoesNotApply},
		{"an exempt pattern", main, &Matcher{Kind: Pattern, ID: "{k:Feature|Bugfix}/**"}, from("feature/x", false), DoesNotApply},
		{"an exempt category", main, &Matcher{Kind: ModelCategory, ID: "FEATURE"}, from("feature/x", false), DoesNotApply},
		{"an exempt default branch", any, &Matcher{Kind: DefaultBranch}, from("main", false), DoesNotApply},
		{"an unknown exemption", main, &strange, from("x", false), CannotTell},
		{"an unknown target and an exempt source", strange, &any, from("x", false), DoesNotApply},
		{"another target and an unknown exemption", Matcher{Kind: Branch, ID: "x"}, &strange, from("x", false), DoesNotApply},
		{"both unknown", strange, &strange, from("x", false), CannotTell},

		{"a fork's exempt branch", main, &Matcher{Kind: Branch, ID: "x"}, from("x", true), DoesNotApply},
		{"a fork's branch of an exempt pattern", main, &Matcher{Kind: Pattern, ID: "feature/*"}, from("feature/x", true), DoesNotApply},
		{"a fork where every source is exempt", main, &any, from("x", true), DoesNotApply},
		{"a fork's branch that is not exempt", main, &Matcher{Kind: Branch, ID: "y"}, from("x", true), Applies},
		{"a fork's branch of an exempt category", main, &Matcher{Kind: ModelCategory, ID: "FEATURE"}, from("feature/x", true), CannotTell},
		{"a fork's branch of no exempt category", main, &Matcher{Kind: ModelCategory, ID: "FEATURE"}, from("x", true), Applies},
		{"a fork's branch called as the exempt development branch", any, &Matcher{Kind: ModelBranch, ID: "development"}, from("main", true), CannotTell},
		{"a fork's branch called as the exempt default branch", any, &Matcher{Kind: DefaultBranch}, from("main", true), CannotTell},
		{"a fork's other branch", any, &Matcher{Kind: DefaultBranch}, from("x", true), Applies},
		{"no exemption for a fork", main, nil, from("main", true), Applies},
	} {
		got := Decide(Condition{Target: c.target, Exempt: c.exempt}, c.p, orchard)
		if got.Answer != c.want || got.Reason == "" {
			t.Errorf("%s: %v because %q, want %v", c.name, got.Answer, got.Reason, c.want)
		}
	}
	if got := Decide(Condition{Target: any, NotForPullRequests: true}, from("x", false), orchard); got.Answer != DoesNotApply {
		t.Errorf("a rule of a merge queue: %+v", got)
	}
}

// V17: the state of a key.
func TestHowAKeyStands(t *testing.T) {
	listed := func(builds ...Build) Builds { return Builds{Values: builds, Complete: true, Parents: true} }
	part := func(builds ...Build) Builds { return Builds{Values: builds, Parents: true} }
	ci := func(state string, at int64) Build { return Build{Key: "b", Parent: "ci", State: state, Updated: at} }
	for _, c := range []struct {
		name string
		b    Builds
		want State
	}{
		{"one successful", listed(ci("SUCCESSFUL", 1)), Successful},
		{"a failed sibling, newer", listed(ci("SUCCESSFUL", 1), ci("FAILED", 2)), Successful},
		{"nothing", listed(), Missing},
		{"its own key without a parent", listed(Build{Key: "ci", State: "SUCCESSFUL"}), Missing},
		{"another parent", listed(Build{Parent: "ci-2", State: "SUCCESSFUL"}), Missing},
		{"another letter case", listed(Build{Parent: "CI", State: "SUCCESSFUL"}), Missing},
		{"failed", listed(ci("FAILED", 1)), Failed},
		{"running after it failed", listed(ci("FAILED", 1), ci("INPROGRESS", 2)), InProgress},
		{"failed after it ran", listed(ci("INPROGRESS", 1), ci("FAILED", 2)), Failed},
		{"failed in the same moment", listed(ci("INPROGRESS", 1), ci("FAILED", 1), ci("CANCELLED", 1)), Failed},
		{"cancelled", listed(ci("CANCELLED", 1)), Cancelled},
		{"unknown", listed(ci("UNKNOWN", 1)), Unknown},
		{"a state of a later release", listed(ci("PAUSED", 1)), "PAUSED"},
		{"no state", listed(ci("", 1)), Unknowable},
		{"a part of the builds, one successful", part(ci("SUCCESSFUL", 1)), Successful},
		{"a part of the builds, one failed", part(ci("FAILED", 1)), Unknowable},
		{"a part of the builds", part(), Unknowable},
		{"no parents told", Builds{Values: []Build{ci("SUCCESSFUL", 1)}, Complete: true}, Unknowable},
		{"nothing read", Builds{}, Unknowable},
	} {
		if got := StateOf("ci", c.b); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if got := StateOf("", listed(Build{State: "SUCCESSFUL"})); got != Missing {
		t.Errorf("a build without a parent reports under the empty key: %s", got)
	}
}

// V17: what the conditions come to.
func TestWhatTheConditionsComeTo(t *testing.T) {
	p := PullRequest{Target: "refs/heads/main", Source: "refs/heads/x"}
	builds := Builds{Complete: true, Parents: true, Values: []Build{{Parent: "green", State: "SUCCESSFUL"}, {Parent: "red", State: "FAILED"}}}
	applies := func(keys ...string) Condition { return Condition{Keys: keys, Target: Matcher{Kind: AnyRef}} }
	perhaps := func(keys ...string) Condition { return Condition{Keys: keys, Target: Matcher{Kind: "REGEX"}} }
	never := func(keys ...string) Condition { return Condition{Keys: keys, Target: Matcher{Kind: Branch, ID: "y"}} }
	for _, c := range []struct {
		name       string
		conditions []Condition
		builds     Builds
		met, known bool
	}{
		{"no conditions", nil, builds, true, true},
		{"none that applies", []Condition{never("red")}, builds, true, true},
		{"a successful one", []Condition{applies("green")}, builds, true, true},
		{"a failed one", []Condition{applies("green"), applies("green", "red")}, builds, false, true},
		{"a missing one", []Condition{applies("blue")}, builds, false, true},
		{"one that may be required and is successful", []Condition{perhaps("green")}, builds, true, true},
		{"one that may be required and failed", []Condition{applies("green"), perhaps("red")}, builds, false, false},
		{"one that failed and one that may be required", []Condition{applies("red"), perhaps("blue")}, builds, false, true},
		{"nothing is required, nothing was read", nil, Builds{}, true, true},
		{"nothing was read", []Condition{applies("green")}, Builds{}, false, false},
		{"a failed one beside one that cannot be told", []Condition{applies("", "red")}, builds, false, true},
	} {
		met, known := Evaluate(c.conditions, p, orchard, c.builds).Met()
		if met != c.met || known != c.known {
			t.Errorf("%s: met %v, known %v; want %v, %v", c.name, met, known, c.met, c.known)
		}
	}
	v := Evaluate([]Condition{perhaps("red", "odd"), applies("green", "red"), applies("red")}, p, orchard, builds)
	want := Verdict{Required: []Key{{"green", Successful}, {"red", Failed}}, Possible: []Key{{"odd", Missing}}}
	want.Decisions = v.Decisions
	if diff := cmp.Diff(want, v); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}
