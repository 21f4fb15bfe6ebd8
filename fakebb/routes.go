package fakebb

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// route is one thing the fake answers.
type route struct {
	method string
	// path is a pattern: {name} captures a segment, {name}.diff one that ends
	// so, {version} only latest and 1.0, and {name...} at the end whatever
	// follows, nothing included.
	path string
	// evidence is why we believe that Bitbucket answers so: a section of
	// bitbucket-rest.md or bitbucket-probed.md with the marks of its sources.
	evidence string
	// anonymous lets in who names nobody.
	anonymous bool
	// produces are the media types the route has, JSON when there are none.
	produces []string
	// answer makes what is sent as JSON, or an answer value that is sent as it
	// is.
	answer func(*exchange) (any, error)
}

const (
	api          = "/rest/api/{version}"
	inRepository = "/projects/{projectKey}/repos/{repositorySlug}"
	repositories = api + inRepository
	onePull      = repositories + "/pull-requests/{pullRequestId}"
	uiRepository = "/rest/ui/{version}" + inRepository
	uiPull       = uiRepository + "/pull-requests/{pullRequestId}"
	oneCommit    = repositories + "/commits/{commitId}"
	buildStatus  = "/rest/build-status/{version}/commits"
)

// routes is everything the fake answers: every room has a table of its own. A
// test fails when a route has no evidence.
var routes = slices.Concat(
	coreRoutes,
	historyRoutes,
	compareRoutes,
	branchRoutes,
	browseRoutes,
	fileRoutes,
	diffStatsRoutes,
	rulesRoutes,
	commentRoutes,
	pullRequestDiffRoutes,
	mergeRoutes,
	buildRoutes,
	repositoryRoutes,
	instanceRoutes,
	insightRoutes,
	jiraRoutes,
	markupRoutes,
	suggestionRoutes,
	pushLogRoutes,
	tokenRoutes,
	deploymentRoutes,
	attachmentRoutes,
	webhookRoutes,
)

// coreRoutes are the instance, its people, projects and pull requests.
var coreRoutes = []route{
	{method: "GET", path: api + "/users", answer: listUsers,
		evidence: "bitbucket-rest.md 5.2 [O][L]"},
	{method: "GET", path: api + "/users/{userSlug}", answer: getUser,
		evidence: "bitbucket-rest.md 5.2 [O][P]"},
	{method: "GET", path: api + "/users/{userSlug}/settings", answer: getUserSettings,
		evidence: "bitbucket-rest.md 5.2 [O]"},
	{method: "GET", path: "/users/{userSlug}/avatar.png", answer: getUserAvatar, anonymous: true, produces: []string{anyMedia},
		evidence: "bitbucket-rest.md 5.3 [D][A][U], bitbucket-probed.md 6"},
	{method: "GET", path: "/projects/{projectKey}/avatar.png", answer: getProjectAvatar, anonymous: true, produces: []string{anyMedia},
		evidence: "bitbucket-rest.md 5.3 [D]"},

	{method: "GET", path: repositories + "/pull-requests", answer: listPullRequests,
		evidence: "bitbucket-rest.md 10.2 [O][P], shape-9416-pr-list.json"},
	{method: "GET", path: onePull, answer: getPullRequest,
		evidence: "bitbucket-rest.md 10.1, 10.3 [O][P], shape-9416-pr-get.json"},
	{method: "GET", path: onePull + "/activities", answer: listActivities,
		evidence: "bitbucket-rest.md 11 [O][S][P][F], shape-9416-activities-rescoped-comment.json"},
	{method: "GET", path: onePull + "/commits", answer: listPullRequestCommits,
		evidence: "bitbucket-rest.md 10.9, 4 [O][P]"},
	{method: "GET", path: onePull + "/participants", answer: listParticipants,
		evidence: "bitbucket-rest.md 10.8 [O][P]"},

	{method: "GET", path: api + "/dashboard/pull-requests", answer: listDashboard,
		evidence: "bitbucket-rest.md 10.2 [O]"},
	{method: "GET", path: api + "/inbox/pull-requests", answer: listInbox,
		evidence: "bitbucket-rest.md 10.2 [O][I]"},
	{method: "GET", path: api + "/inbox/pull-requests/count", answer: countInbox,
		evidence: "bitbucket-rest.md 10.2 [P]"},
}

// closestRouteHeader names, on an answer of the fake to a path it does not
// know, the route that comes closest. No Bitbucket sends it.
const closestRouteHeader = "X-Fakebb-Closest-Route"

// match finds the route of a request below the base URL's context path, and
// what the path captured.
func (b baseURL) match(r *http.Request) (*route, map[string]string, error) {
	path, ok := strings.CutPrefix(r.URL.EscapedPath(), b.path)
	if !ok || !strings.HasPrefix(path, "/") {
		return nil, nil, notFound(fmt.Sprintf("every path of this Bitbucket begins with %s/", b.path))
	}
	// Segments are split before they are decoded: %2F in one is part of it. An
	// empty last one is a slash too many.
	segments := strings.Split(strings.TrimSuffix(path[1:], "/"), "/")

	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	found, vars, allowed := choose(routes, method, segments)
	switch {
	case found != nil:
		return found, vars, nil
	case allowed != nil:
		return nil, nil, methodNotAllowed(strings.Join(allowed, ","), "the fake has no "+method+" here; so far it reads only")
	}
	return nil, nil, notFound(closest(segments))
}

// choose finds the route of a path and method. Without one, allowed are the
// methods the path has. As in JAX-RS, the path with the most literal segments
// is chosen first and the method afterwards: /commits/stats is never the commit
// "stats".
func choose(table []route, method string, segments []string) (found *route, vars map[string]string, allowed []string) {
	most := -1
	for i := range table {
		captured, rank, ok := table[i].captures(segments)
		if !ok || rank < most {
			continue
		}
		if rank > most {
			most, found, allowed = rank, nil, nil
		}
		if table[i].method == method {
			found, vars = &table[i], captured
		}
		allowed = append(allowed, table[i].method)
		if table[i].method == http.MethodGet {
			allowed = append(allowed, http.MethodHead)
		}
	}
	return found, vars, allowed
}

// captures matches the route's path, and counts its literal segments. A path
// that ends with its last segment counts half a segment more than one that
// goes on: /tags is no tag without a name.
func (r *route) captures(segments []string) (vars map[string]string, rank int, ok bool) {
	literal := 0
	pattern := strings.Split(r.path[1:], "/")
	rest := ""
	if last := pattern[len(pattern)-1]; strings.HasSuffix(last, "...}") {
		rest, pattern = last[1:len(last)-4], pattern[:len(pattern)-1]
	}
	if len(segments) < len(pattern) || rest == "" && len(segments) > len(pattern) {
		return nil, 0, false
	}
	vars = map[string]string{}
	for i, p := range pattern {
		value, err := url.PathUnescape(segments[i])
		if err != nil || value == "" {
			return nil, 0, false
		}
		if p == "{version}" {
			if value != "latest" && value != "1.0" {
				return nil, 0, false
			}
			continue
		}
		name, suffix, captured := capture(p)
		if !captured {
			if p != value {
				return nil, 0, false
			}
			literal++
			continue
		}
		if value, ok = strings.CutSuffix(value, suffix); !ok || value == "" {
			return nil, 0, false
		}
		vars[name] = value
		if suffix != "" {
			literal++
		}
	}
	if rest == "" {
		return vars, 2*literal + 1, true
	}
	var path []string
	for _, segment := range segments[len(pattern):] {
		value, err := url.PathUnescape(segment)
		if err != nil {
			return nil, 0, false
		}
		path = append(path, value)
	}
	vars[rest] = strings.Join(path, "/")
	return vars, 2 * literal, true
}

// capture splits a segment of a pattern that captures: {name}.diff.
func capture(segment string) (name, suffix string, ok bool) {
	if !strings.HasPrefix(segment, "{") {
		return "", "", false
	}
	return strings.Cut(segment[1:], "}")
}

// closest says which route comes closest to a path and where they differ, so
// that a client's author sees the typo.
func closest(segments []string) string {
	// A segment is only compared with words of this table; of a long one the
	// beginning is enough.
	const most = 64
	segments = slices.Clone(segments)
	for i, segment := range segments {
		segments[i] = segment[:min(len(segment), most)]
	}
	if segments[0] != "rest" {
		// Without the head of every REST path.
		for i := range routes {
			if _, _, ok := routes[i].captures(append([]string{"rest"}, segments...)); ok {
				return fmt.Sprintf("%s %s; /rest is missing", routes[i].method, routes[i].path)
			}
		}
	}
	best := slices.MinFunc(routes, func(a, b route) int {
		return cmp.Compare(a.distance(segments), b.distance(segments))
	})
	pattern := best.fixed()
	for i, p := range pattern {
		switch {
		case i >= len(segments):
			return fmt.Sprintf("%s %s; the path ends before %s", best.method, best.path, p)
		case p == "{version}" && segments[i] != "latest" && segments[i] != "1.0":
			return fmt.Sprintf("%s %s; %q should be latest or 1.0", best.method, best.path, segments[i])
		case !strings.HasPrefix(p, "{") && p != segments[i]:
			return fmt.Sprintf("%s %s; %q should be %q", best.method, best.path, segments[i], p)
		}
	}
	if len(segments) > len(pattern) && !strings.HasSuffix(best.path, "...}") {
		return fmt.Sprintf("%s %s; %q is too much", best.method, best.path, segments[len(pattern)])
	}
	return fmt.Sprintf("%s %s; a segment is empty or wrongly encoded", best.method, best.path)
}

// fixed are the segments of the path that are always there.
func (r *route) fixed() []string {
	pattern := strings.Split(r.path[1:], "/")
	if strings.HasSuffix(r.path, "...}") {
		pattern = pattern[:len(pattern)-1]
	}
	return pattern
}

// distance is how far a path is from the route: the edits of its literal
// segments, and six for a segment too few or too many, which is more than a
// typo in one and less than another word.
func (r *route) distance(segments []string) int {
	const missing = 6
	const otherWord = 12
	pattern := r.fixed()
	tooMany := len(segments) - len(pattern)
	if strings.HasSuffix(r.path, "...}") {
		tooMany = min(tooMany, 0)
	}
	d := missing * max(tooMany, -tooMany)
	for i := range min(len(pattern), len(segments)) {
		switch p := pattern[i]; {
		case p == "{version}":
			if segments[i] != "latest" && segments[i] != "1.0" {
				d++
			}
		case !strings.HasPrefix(p, "{"):
			if n := edits(p, segments[i]); 2*n <= len(p) {
				d += n
			} else {
				d += otherWord + n
			}
		}
	}
	return d
}

// edits is the number of bytes to insert, delete or replace between a and b.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
