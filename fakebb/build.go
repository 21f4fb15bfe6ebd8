package fakebb

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// commitBuild is a build of a commit.
type commitBuild struct {
	repository       *repository
	commit           string
	key, parent      string
	name, state, url string
	description      string
	number           string
	ref              string // "" for a build that named no branch
	duration         time.Duration
	tests            *testResultsJSON
	created, updated int64
}

const (
	buildSuccessful = "SUCCESSFUL"
	buildFailed     = "FAILED"
	buildInProgress = "INPROGRESS"
	buildCancelled  = "CANCELLED"
	buildUnknown    = "UNKNOWN"
)

// buildStates are the states of a build, worst first.
var buildStates = []string{buildFailed, buildInProgress, buildSuccessful, buildCancelled, buildUnknown}

// counting are the builds that count for the pull request: those of the source
// commit for its branch or for no branch (bitbucket-rest.md 14.4).
func (s *store) counting(p *pullRequest, commit string) []*commitBuild {
	var found []*commitBuild
	for _, b := range s.builds[commit] {
		if b.ref == "" || b.ref == p.source.id() {
			found = append(found, b)
		}
	}
	return found
}

// buildJSON is a build read by its key. Its keys are in alphabetical order.
type buildJSON struct {
	BuildNumber string           `json:"buildNumber,omitempty"`
	CreatedDate int64            `json:"createdDate"`
	Description string           `json:"description,omitempty"`
	Duration    int64            `json:"duration,omitempty"`
	Key         string           `json:"key"`
	Name        string           `json:"name,omitempty"`
	Parent      string           `json:"parent,omitempty"`
	Ref         string           `json:"ref,omitempty"`
	State       string           `json:"state"`
	TestResults *testResultsJSON `json:"testResults,omitempty"`
	UpdatedDate int64            `json:"updatedDate"`
	URL         string           `json:"url"`
}

type testResultsJSON struct {
	Failed     int `json:"failed"`
	Skipped    int `json:"skipped"`
	Successful int `json:"successful"`
}

// listedBuildJSON is a build in the listing the pull request page reads: six
// attested keys, and after them those that are said to exist.
type listedBuildJSON struct {
	Key         string           `json:"key"`
	Parent      string           `json:"parent,omitempty"`
	Name        string           `json:"name,omitempty"`
	State       string           `json:"state"`
	URL         string           `json:"url"`
	UpdatedDate int64            `json:"updatedDate"`
	BuildNumber string           `json:"buildNumber,omitempty"`
	Description string           `json:"description,omitempty"`
	Duration    int64            `json:"duration,omitempty"`
	Ref         string           `json:"ref,omitempty"`
	TestResults *testResultsJSON `json:"testResults,omitempty"`
}

// legacyBuildJSON is a build in the older listing, which knows neither parent
// nor ref.
type legacyBuildJSON struct {
	State       string `json:"state"`
	Key         string `json:"key"`
	Name        string `json:"name,omitempty"`
	URL         string `json:"url"`
	Description string `json:"description,omitempty"`
	DateAdded   int64  `json:"dateAdded"`
}

type buildStatsJSON struct {
	Cancelled  int `json:"cancelled"`
	Successful int `json:"successful"`
	InProgress int `json:"inProgress"`
	Failed     int `json:"failed"`
	Unknown    int `json:"unknown"`
}

type pullRequestBuildsJSON struct {
	Page        pageJSON[listedBuildJSON] `json:"page"`
	PullRequest buildSidesJSON            `json:"pullRequest"`
}

type buildSidesJSON struct {
	FromRef shortRefJSON `json:"fromRef"`
	ToRef   shortRefJSON `json:"toRef"`
}

type shortRefJSON struct {
	ID           string `json:"id"`
	DisplayID    string `json:"displayId"`
	LatestCommit string `json:"latestCommit"`
}

// newestBuilds orders builds by their last update, the newest first.
func newestBuilds(builds []*commitBuild) []*commitBuild {
	return slices.SortedStableFunc(slices.Values(builds), func(a, b *commitBuild) int {
		return cmp.Or(cmp.Compare(b.updated, a.updated), strings.Compare(a.key, b.key))
	})
}

// listPullRequestBuilds answers the internal listing. Without a commitId it is
// the source's tip (belief).
func listPullRequestBuilds(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxUIBuilds)
	if err != nil {
		return nil, err
	}
	commit := cmp.Or(x.query.Get("commitId"), p.source.tip)
	side := func(r *ref) shortRefJSON { return shortRefJSON{r.id(), r.branch, r.tip} }
	return pullRequestBuildsJSON{
		Page:        pageOf(w, newestBuilds(x.store.counting(p, commit)), everything, drawListedBuild),
		PullRequest: buildSidesJSON{side(p.source), side(p.target)},
	}, nil
}

func drawListedBuild(b *commitBuild) listedBuildJSON {
	return listedBuildJSON{
		Key: b.key, Parent: b.parent, Name: b.name, State: b.state, URL: b.url, UpdatedDate: b.updated,
		BuildNumber: b.number, Description: b.description, Duration: b.duration.Milliseconds(),
		Ref: b.ref, TestResults: b.tests,
	}
}

// getBuild answers one build of a commit, by its key.
func getBuild(x *exchange) (any, error) {
	r, c, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	key := x.query.Get("key")
	if key == "" {
		// As many characters as the sentence of 9.4.16, whose words are unknown.
		return nil, invalidArgument("The key of the build status to be retrieved must be given.")
	}
	for _, b := range x.store.builds[c] {
		if b.repository == r && b.key == key {
			return buildJSON{
				BuildNumber: b.number, CreatedDate: b.created, Description: b.description,
				Duration: b.duration.Milliseconds(), Key: b.key, Name: b.name, Parent: b.parent, Ref: b.ref,
				State: b.state, TestResults: b.tests, UpdatedDate: b.updated, URL: b.url,
			}, nil
		}
	}
	return nil, noSuchBuild(key, c)
}

// listCommitBuilds answers the older listing: by commit, over all repositories,
// for any branch.
func listCommitBuilds(x *exchange) (any, error) {
	w, err := x.window(maxBuilds)
	if err != nil {
		return nil, err
	}
	order, err := x.choice("orderBy", "NEWEST", "NEWEST", "OLDEST", "STATUS")
	if err != nil {
		return nil, err
	}
	builds := newestBuilds(x.store.builds[strings.ToLower(x.vars["commitId"])])
	builds = builds[:min(len(builds), maxBuilds)]
	switch order {
	case "OLDEST":
		slices.Reverse(builds)
	case "STATUS":
		slices.SortStableFunc(builds, func(a, b *commitBuild) int {
			return cmp.Compare(slices.Index(buildStates, a.state), slices.Index(buildStates, b.state))
		})
	}
	return pageOf(w, builds, everything, func(b *commitBuild) legacyBuildJSON {
		return legacyBuildJSON{
			State: b.state, Key: b.key, Name: b.name, URL: b.url, Description: b.description, DateAdded: b.updated,
		}
	}), nil
}

// stats are the counts of a commit's builds over all repositories; they know no
// branches (bitbucket-rest.md 14.4).
func (s *store) stats(commit string) buildStatsJSON { return countBuilds(s.builds[commit]) }

func countBuilds(builds []*commitBuild) buildStatsJSON {
	var j buildStatsJSON
	for _, b := range builds {
		switch b.state {
		case buildCancelled:
			j.Cancelled++
		case buildSuccessful:
			j.Successful++
		case buildInProgress:
			j.InProgress++
		case buildFailed:
			j.Failed++
		default:
			j.Unknown++
		}
	}
	return j
}

func getBuildStats(x *exchange) (any, error) {
	return x.store.stats(strings.ToLower(x.vars["commitId"])), nil
}

// getManyBuildStats answers the counts of several commits; one without builds
// is left out.
func getManyBuildStats(x *exchange) (any, error) {
	body, err := x.readBody()
	if err != nil {
		return nil, err
	}
	var commits []string
	if err := json.Unmarshal(body, &commits); err != nil {
		return nil, jsonFailure(err, listOfTexts)
	}
	answer := object{}
	for _, commit := range commits {
		known := slices.ContainsFunc(answer, func(m member) bool { return m.key == commit })
		if !known && len(x.store.builds[commit]) > 0 {
			answer = append(answer, member{commit, x.store.stats(commit)})
		}
	}
	return answer, nil
}
