package fakebb

import (
	"cmp"
	"slices"
	"strings"
)

// repositoryRoutes are projects and repositories, in every list of them.
var repositoryRoutes = []route{
	{method: "GET", path: api + "/projects", answer: listProjects,
		evidence: "bitbucket-rest.md 6 [O], skipped entries 2 [P]"},
	{method: "GET", path: api + "/projects/{projectKey}", answer: getProject,
		evidence: "bitbucket-rest.md 6, 4 [O][P]"},
	{method: "GET", path: api + "/projects/{projectKey}/avatar.png", answer: getProjectAvatar, anonymous: true, produces: []string{anyMedia},
		evidence: "bitbucket-rest.md 5.3 [O]"},
	{method: "GET", path: api + "/projects/{projectKey}/repos", answer: listRepositories,
		evidence: "bitbucket-rest.md 6 [P]"},
	{method: "GET", path: repositories, answer: getRepository,
		evidence: "bitbucket-rest.md 6, 4 [P]; defaultBranch since 10 4 [P][I]"},
	{method: "GET", path: api + "/repos", answer: searchRepositories,
		evidence: "bitbucket-rest.md 6 [O]"},
	{method: "GET", path: api + "/profile/recent/repos", answer: listRecentRepositories,
		evidence: "bitbucket-rest.md 5.4 [O][P]; what makes a repository recent is belief"},
	{method: "GET", path: repositories + "/forks", answer: listForks,
		evidence: "bitbucket-rest.md 6 [O][P]"},
	{method: "GET", path: repositories + "/related", answer: listRelated,
		evidence: "bitbucket-rest.md 6 [O][P]"},
	{method: "GET", path: repositories + "/labels", answer: listLabels,
		evidence: "bitbucket-rest.md 6 [O][P]"},
	{method: "GET", path: repositories + "/participants", answer: listRepositoryParticipants,
		evidence: "bitbucket-rest.md 6 [O][P]"},
	{method: "GET", path: repositories + "/permissions/users", answer: listPermittedUsers,
		evidence: "bitbucket-rest.md 6 [P][O]"},
	{method: "GET", path: repositories + "/permissions/groups", answer: listPermittedGroups,
		evidence: "bitbucket-rest.md 6 [O]; the refusal as for users [P]"},
}

// permission is what a person may do with a project and its repositories.
type permission int

const (
	mayNothing permission = iota
	mayRead
	mayWrite
	mayAdminister
)

// permissionOf is what that person may do. Everyone who reads a project writes
// to it, unless the scenario names who does.
func (p *project) permissionOf(who *person) permission {
	switch {
	case p.administeredBy(who):
		return mayAdminister
	case !p.readableBy(who):
		return mayNothing
	case p.writers == nil || p.writers[who]:
		return mayWrite
	}
	return mayRead
}

// permissions are the names of permissions, without PROJECT_ or REPO_.
var permissions = map[string]permission{"READ": mayRead, "VIEW": mayRead, "WRITE": mayWrite, "CREATE": mayAdminister, "ADMIN": mayAdminister}

// permission reads a permission such as REPO_WRITE from the query. Another word
// is refused with 400 (belief).
func (x *exchange) permission(name, prefix string) (permission, error) {
	value := strings.ToUpper(x.query.Get(name))
	if value == "" {
		return mayRead, nil
	}
	word, ok := strings.CutPrefix(value, prefix)
	if p := permissions[word]; ok && p != mayNothing {
		return p, nil
	}
	return mayNothing, invalidArgument(name + ": '" + x.query.Get(name) + "' is not a permission of this resource")
}

// everyRepository are all repositories by name, then by project.
func (s *store) everyRepository() []*repository {
	var all []*repository
	for _, p := range s.projects {
		all = append(all, p.repositories...)
	}
	slices.SortStableFunc(all, func(q, r *repository) int { return compareNames(q.name, r.name) })
	return all
}

// searchRepositories answers the repositories the caller may see, as far as
// name, project and the other parameters pick them.
func searchRepositories(x *exchange) (any, error) {
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	needed, err := x.permission("permission", "REPO_")
	if err != nil {
		return nil, err
	}
	archived, err := x.choice("archived", "ACTIVE", "ACTIVE", "ARCHIVED", "ALL")
	if err != nil {
		return nil, err
	}
	visibility, err := x.choice("visibility", "", "PUBLIC", "PRIVATE")
	if err != nil {
		return nil, err
	}
	state, err := x.choice("state", "AVAILABLE", "AVAILABLE", "INITIALISING", "INITIALISATION_FAILED")
	if err != nil {
		return nil, err
	}
	name, project := strings.ToLower(x.query.Get("name")), strings.ToLower(x.query.Get("projectname"))
	key := x.query.Get("projectkey")
	found := slices.DeleteFunc(x.store.everyRepository(), func(r *repository) bool {
		return !contains(r.name, name) || !contains(r.project.name, project) ||
			key != "" && !strings.EqualFold(r.project.key, key) ||
			archived == "ACTIVE" && r.archived || archived == "ARCHIVED" && !r.archived ||
			visibility == "PUBLIC" || // nothing in a scenario is
			state != "AVAILABLE"
	})
	visible := func(r *repository) bool { return r.project.permissionOf(x.caller) >= needed }
	return pageOf(w, found, visible, x.drawRepository), nil
}

// listRecentRepositories answers the repositories in whose pull requests the
// caller did something, the last first.
func listRecentRepositories(x *exchange) (any, error) {
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	needed, err := x.permission("permission", "REPO_")
	if err != nil {
		return nil, err
	}
	last := map[*repository]int64{}
	for _, p := range x.store.pullRequests {
		for _, a := range p.activities {
			if a.by == x.caller {
				last[p.repository] = max(last[p.repository], a.at)
			}
		}
	}
	var recent []*repository
	for _, r := range x.store.everyRepository() {
		if last[r] > 0 && r.project.permissionOf(x.caller) >= needed {
			recent = append(recent, r)
		}
	}
	slices.SortStableFunc(recent, func(q, r *repository) int { return cmp.Compare(last[r], last[q]) })
	return pageOf(w, recent, everything, x.drawRepository), nil
}

// listForks answers the repositories that were forked from this one.
func listForks(x *exchange) (any, error) {
	return x.relatives(func(r, other *repository) bool { return other.origin == r })
}

// listRelated answers the other repositories of the fork network.
func listRelated(x *exchange) (any, error) {
	return x.relatives(func(r, other *repository) bool { return other != r && other.git == r.git })
}

func (x *exchange) relatives(related func(r, other *repository) bool) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(x.store.everyRepository(), func(other *repository) bool { return !related(r, other) })
	visible := func(r *repository) bool { return r.project.readableBy(x.caller) }
	return pageOf(w, found, visible, x.drawRepository), nil
}

type labelJSON struct {
	Name string `json:"name"`
}

func listLabels(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	return pageOf(w, r.labels, everything, func(name string) labelJSON { return labelJSON{name} }), nil
}

// listRepositoryParticipants answers who takes part in the pull requests to, or
// with direction=OUTGOING from, a repository; by display name.
func listRepositoryParticipants(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	role, err := x.choice("role", "", roleAuthor, roleReviewer, roleParticipant)
	if err != nil {
		return nil, err
	}
	direction, err := x.choice("direction", "INCOMING", "INCOMING", "OUTGOING")
	if err != nil {
		return nil, err
	}
	filter := strings.ToLower(x.query.Get("filter"))
	taking := map[*person]bool{}
	for _, p := range x.store.pullRequests {
		side := p.target
		if direction == "OUTGOING" {
			side = p.source
		}
		for _, part := range p.everyone() {
			if side.repository == r && (role == "" || part.role == role) && part.person.matches(filter) {
				taking[part.person] = true
			}
		}
	}
	found := slices.DeleteFunc(x.store.byDisplayName(), func(p *person) bool { return !taking[p] })
	return pageOf(w, found, everything, x.user), nil
}

// permittedUserJSON is what a person may do with a repository.
type permittedUserJSON struct {
	User       userJSON `json:"user"`
	Permission string   `json:"permission"`
}

// administered finds the repository of the path for an administrator; others
// are refused.
func (x *exchange) administered() (*repository, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	if !r.project.administeredBy(x.caller) {
		return nil, notPermitted()
	}
	return r, nil
}

// listPermittedUsers answers whom a repository's project names, by display
// name, with the most that each may do.
func listPermittedUsers(x *exchange) (any, error) {
	r, err := x.administered()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	filter := strings.ToLower(x.query.Get("filter"))
	found := slices.DeleteFunc(x.store.byDisplayName(), func(p *person) bool {
		return !p.matches(filter) || !r.project.readers[p] && !r.project.writers[p] && !r.project.administeredBy(p)
	})
	return pageOf(w, found, everything, func(p *person) permittedUserJSON {
		word := map[permission]string{mayRead: "REPO_READ", mayWrite: "REPO_WRITE", mayAdminister: "REPO_ADMIN"}
		return permittedUserJSON{x.user(p), word[r.project.permissionOf(p)]}
	}), nil
}

// listPermittedGroups answers an empty page: a scenario has no groups of users.
func listPermittedGroups(x *exchange) (any, error) {
	if _, err := x.administered(); err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	return pageOf(w, []string{}, everything, func(name string) labelJSON { return labelJSON{name} }), nil
}
