package fakebb

import (
	"fmt"
	"strings"
)

// release is a release of Bitbucket. The methods say what changed with which;
// they are the one place that knows.
type release struct{ major, minor, patch int }

func parseRelease(s string) (release, error) {
	if s == "" {
		s = defaultRelease
	}
	var r release
	parts := strings.Split(s, ".")
	into := []*int{&r.major, &r.minor, &r.patch}
	if len(parts) < 2 || len(parts) > len(into) {
		return release{}, fmt.Errorf("%q is not a release such as 9.4.16", s)
	}
	for i, part := range parts {
		n, err := parseNumber(part)
		if err != nil {
			return release{}, fmt.Errorf("%q is not a release such as 9.4.16", s)
		}
		*into[i] = n
	}
	if r.major < 7 || r.major > 10 {
		return release{}, fmt.Errorf("%q is not one the fake knows: they are 7 to 10", s)
	}
	return r, nil
}

func (r release) String() string { return fmt.Sprintf("%d.%d.%d", r.major, r.minor, r.patch) }

// since says whether the release is that one or a later one.
func (r release) since(major, minor int) bool {
	return r.major > major || r.major == major && r.minor >= minor
}

// nullKeysInErrors says whether an error element carries its empty keys with
// null (bitbucket-rest.md 3 [S][F][P]).
func (r release) nullKeysInErrors() bool { return !r.since(9, 0) }

// olderUserKeys says whether a user has the keys in the order of before 9
// (bitbucket-rest.md 4 [P][S]).
func (r release) olderUserKeys() bool { return !r.since(9, 0) }

// drafts says whether pull requests can be drafts (bitbucket-rest.md 10.1
// [P][O]).
func (r release) drafts() bool { return r.since(8, 18) }

// typeInRefs says whether the sides of a pull request have a type
// (bitbucket-rest.md 4 [P][A][S]).
func (r release) typeInRefs() bool { return r.since(8, 0) }

// archives says whether a repository can be archived (pr-open-context-path.json
// [F]; that it came with 8.0 is belief).
func (r release) archives() bool { return r.since(8, 0) }

// tasksInComments says whether comments have the empty list of the tasks of
// older releases (bitbucket-rest.md 12 [S]).
func (r release) tasksInComments() bool { return !r.since(8, 0) }

// threadsResolve says whether a thread can be resolved (payloads README; that
// it came with 8.0 is belief).
func (r release) threadsResolve() bool { return r.since(8, 0) }

// taskCounters says whether the lists of pull requests count tasks
// (bitbucket-probed.md 5 [L]).
func (r release) taskCounters() bool { return !r.since(10, 0) }

// defaultBranchInRepository says whether a single repository names its default
// branch (bitbucket-rest.md 4 [P][I]).
func (r release) defaultBranchInRepository() bool { return r.since(10, 0) }

// autoMerges says whether auto-merge exists (bitbucket-rest.md 10.7 [O]).
func (r release) autoMerges() bool { return r.since(8, 15) }

// diffStats says whether diffs can be summarised (bitbucket-rest.md 10.10 [O]).
func (r release) diffStats() bool { return r.since(9, 1) }

// codeOwners says whether code owners exist (bitbucket-rest.md 16 [D]).
func (r release) codeOwners() bool { return r.since(8, 14) }

// requiredForWhat says whether required builds say what they are required for
// (bitbucket-rest.md 15 [L]).
func (r release) requiredForWhat() bool { return r.since(10, 2) }

// changesRequested says whether what was "needs work" is called "changes
// requested" (bitbucket-ui-wording.md 1 [D]).
func (r release) changesRequested() bool { return r.since(8, 10) }

// knows says whether the release has that kind of item in its activity.
func (r release) knows(a *activity) bool {
	return r.autoMerges() || a.action != actionAutoMerge && a.action != actionAutoMergeCancelled
}
