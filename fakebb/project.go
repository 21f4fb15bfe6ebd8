package fakebb

import (
	"crypto/sha1"
	"encoding/hex"
	"net/url"
	"strings"
)

// projectJSON is a project (bitbucket-rest.md 4).
type projectJSON struct {
	Key         string     `json:"key"`
	ID          int        `json:"id"`
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Public      bool       `json:"public"`
	Type        string     `json:"type"`
	Links       *linksJSON `json:"links,omitempty"`
	AvatarURL   string     `json:"avatarUrl,omitempty"`
}

// personalProjectJSON is a person's own project, in the key order of a
// recording.
type personalProjectJSON struct {
	Key       string     `json:"key"`
	ID        int        `json:"id"`
	Name      string     `json:"name"`
	Type      string     `json:"type"`
	Owner     userJSON   `json:"owner"`
	Links     *linksJSON `json:"links,omitempty"`
	AvatarURL string     `json:"avatarUrl,omitempty"`
}

// repositoryJSON is a repository (bitbucket-rest.md 4).
type repositoryJSON struct {
	Slug          string               `json:"slug"`
	ID            int                  `json:"id"`
	Name          string               `json:"name"`
	Description   string               `json:"description,omitempty"`
	HierarchyID   string               `json:"hierarchyId"`
	ScmID         string               `json:"scmId"`
	State         string               `json:"state"`
	StatusMessage string               `json:"statusMessage"`
	Forkable      bool                 `json:"forkable"`
	DefaultBranch string               `json:"defaultBranch,omitempty"`
	Origin        *repositoryJSON      `json:"origin,omitempty"`
	Project       any                  `json:"project"`
	Public        bool                 `json:"public"`
	Archived      *bool                `json:"archived,omitempty"`
	Links         *repositoryLinksJSON `json:"links,omitempty"`
}

type repositoryLinksJSON struct {
	Clone []hrefJSON `json:"clone"`
	Self  []hrefJSON `json:"self"`
}

// drawProject draws a project, or a personal one.
func (x *exchange) drawProject(p *project) any {
	if p.owner != nil {
		return personalProjectJSON{
			Key: p.key, ID: p.id, Name: p.name, Type: "PERSONAL", Owner: x.user(p.owner),
			Links:     x.link(x.pageOf(p)),
			AvatarURL: x.avatarURL("/users/"+url.PathEscape(p.owner.slug), p.owner.id),
		}
	}
	return projectJSON{
		Key: p.key, ID: p.id, Name: p.name, Description: p.description, Type: "NORMAL",
		Links:     x.link(x.pageOf(p)),
		AvatarURL: x.avatarURL("/projects/"+url.PathEscape(p.key), p.id),
	}
}

// pageOf is the address of a project's web page.
func (x *exchange) pageOf(p *project) string {
	if p.owner != nil {
		return x.server.base.String() + "/users/" + url.PathEscape(p.owner.slug)
	}
	return x.server.base.String() + "/projects/" + url.PathEscape(p.key)
}

// pageOfRepository is the address below which a repository's web pages are.
func (x *exchange) pageOfRepository(r *repository) string {
	return x.pageOf(r.project) + "/repos/" + url.PathEscape(r.slug)
}

func (x *exchange) drawRepository(r *repository) repositoryJSON {
	scm := strings.ToLower(r.project.key) + "/" + r.slug + ".git"
	web := url.URL{Scheme: x.server.base.scheme, Host: x.server.base.host}
	if x.caller != nil {
		web.User = url.User(x.caller.name)
	}
	j := repositoryJSON{
		Slug: r.slug, ID: r.id, Name: r.name, Description: r.description,
		HierarchyID: r.hierarchyID(), ScmID: "git", State: "AVAILABLE", StatusMessage: "Available",
		Forkable: true, Project: x.drawProject(r.project),
		Links: &repositoryLinksJSON{
			Clone: []hrefJSON{
				{Href: web.String() + x.server.base.path + "/scm/" + scm, Name: "http"},
				{Href: "ssh://git@" + x.server.base.hostname() + ":7999/" + scm, Name: "ssh"},
			},
			Self: []hrefJSON{{Href: x.pageOfRepository(r) + "/browse"}},
		},
	}
	if x.linkless {
		j.Links = nil
	}
	if x.server.release.archives() {
		j.Archived = &r.archived
	}
	if r.origin != nil {
		origin := x.drawRepository(r.origin)
		origin.Origin = nil // one level
		j.Origin = &origin
	}
	return j
}

// hierarchyID is what the repositories of one fork network share: 20
// hexadecimal digits.
func (r *repository) hierarchyID() string {
	for r.origin != nil {
		r = r.origin
	}
	sum := sha1.Sum([]byte(r.project.key + "/" + r.slug))
	return hex.EncodeToString(sum[:10])
}

// lookUpProject finds the project of the path, in any letter case.
func (x *exchange) lookUpProject() (*project, error) {
	key := x.vars["projectKey"]
	if p := x.store.byKey[strings.ToUpper(key)]; p != nil {
		return p, nil
	}
	return nil, noSuchProject(key)
}

// project finds the project of the path and checks that the caller may see it.
func (x *exchange) project() (*project, error) {
	p, err := x.lookUpProject()
	if err != nil {
		return nil, err
	}
	if !p.readableBy(x.caller) {
		return nil, notPermitted()
	}
	return p, nil
}

// repository finds the repository of the path. That it does not exist is said
// before that it may not be seen (bitbucket-rest.md 3).
func (x *exchange) repository() (*repository, error) {
	p, err := x.lookUpProject()
	if err != nil {
		return nil, err
	}
	r := p.repository(x.vars["repositorySlug"])
	if r == nil {
		return nil, noSuchRepository(p.key, x.vars["repositorySlug"])
	}
	if !p.readableBy(x.caller) {
		return nil, notPermitted()
	}
	return r, nil
}

// listProjects answers the projects the caller may see. Personal ones are not
// listed.
func listProjects(x *exchange) (any, error) {
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	name := strings.ToLower(x.query.Get("name"))
	var found []*project
	for _, p := range x.store.projects {
		if p.owner == nil && contains(p.name, name) {
			found = append(found, p)
		}
	}
	needed, err := x.permission("permission", "PROJECT_")
	if err != nil {
		return nil, err
	}
	visible := func(p *project) bool { return p.permissionOf(x.caller) >= needed }
	return pageOf(w, found, visible, x.drawProject), nil
}

func getProject(x *exchange) (any, error) {
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	return x.drawProject(p), nil
}

func listRepositories(x *exchange) (any, error) {
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	return pageOf(w, p.repositories, everything, x.drawRepository), nil
}

func getRepository(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	j := x.drawRepository(r)
	if x.server.release.defaultBranchInRepository() && len(r.branches) > 0 {
		j.DefaultBranch = r.branches[0].id()
	}
	return j, nil
}
