package fakebb

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// userJSON is a person Bitbucket knows, in the key order of 9.4
// (bitbucket-rest.md 4).
type userJSON struct {
	Name         string     `json:"name"`
	EmailAddress string     `json:"emailAddress,omitempty"`
	Active       bool       `json:"active"`
	DisplayName  string     `json:"displayName"`
	ID           int        `json:"id"`
	Slug         string     `json:"slug"`
	Type         string     `json:"type"`
	Links        *linksJSON `json:"links,omitempty"`
	AvatarURL    string     `json:"avatarUrl,omitempty"`

	older bool // in the key order of before 9
}

// userBefore9JSON is a person in the key order of before 9.
type userBefore9JSON struct {
	Name         string     `json:"name"`
	EmailAddress string     `json:"emailAddress,omitempty"`
	ID           int        `json:"id"`
	DisplayName  string     `json:"displayName"`
	Active       bool       `json:"active"`
	Slug         string     `json:"slug"`
	Type         string     `json:"type"`
	Links        *linksJSON `json:"links,omitempty"`
	AvatarURL    string     `json:"avatarUrl,omitempty"`
}

// MarshalJSON writes the keys in the order of the release.
func (u userJSON) MarshalJSON() ([]byte, error) {
	if u.older {
		return encode(userBefore9JSON{
			u.Name, u.EmailAddress, u.ID, u.DisplayName, u.Active, u.Slug, u.Type, u.Links, u.AvatarURL,
		}), nil
	}
	type plain userJSON
	return encode(plain(u)), nil
}

// strangerJSON is a commit's author whom Bitbucket cannot match to a user.
type strangerJSON struct {
	Name         string `json:"name"`
	EmailAddress string `json:"emailAddress,omitempty"`
}

// linksJSON are the links of most things: where their page is.
type linksJSON struct {
	Self []hrefJSON `json:"self"`
}

type hrefJSON struct {
	Href string `json:"href"`
	Name string `json:"name,omitempty"`
}

// link is the link to the page of what is drawn, nil where nothing has links.
func (x *exchange) link(href string) *linksJSON {
	if x.linkless {
		return nil
	}
	return &linksJSON{[]hrefJSON{{Href: href}}}
}

// user draws a person with the link to their page.
func (x *exchange) user(p *person) userJSON {
	u := x.userWithoutLinks(p)
	u.Links = x.link(x.server.base.String() + "/users/" + url.PathEscape(p.slug))
	return u
}

// userWithoutLinks draws a person as the commits of a pull request show them.
func (x *exchange) userWithoutLinks(p *person) userJSON {
	u := userJSON{
		Name: p.name, EmailAddress: p.email, Active: true, DisplayName: p.displayName,
		ID: p.id, Slug: p.slug, Type: "NORMAL",
		AvatarURL: x.avatarURL("/users/"+url.PathEscape(p.slug), p.id),
		older:     x.server.release.olderUserKeys(),
	}
	if p.service {
		u.Type = "SERVICE"
	}
	return u
}

// avatarURL is where the picture of a user or project is, relative to the host,
// when the request asked for it (bitbucket-rest.md 5.3).
func (x *exchange) avatarURL(owner string, id int) string {
	if x.avatar <= 0 {
		return ""
	}
	// The time of the last upload; it only has to change with the picture.
	const uploaded = 1790000000000
	return x.server.base.path + owner + "/avatar.png?s=" + strconv.Itoa(x.avatar) +
		"&v=" + strconv.Itoa(uploaded+id)
}

// listUsers answers the people whose name, display name or address contains
// the filter and who have the permissions asked for, by display name. Service
// users are not among them (belief).
func listUsers(x *exchange) (any, error) {
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	allowed, err := x.permissionFilters()
	if err != nil {
		return nil, err
	}
	filter := strings.ToLower(x.query.Get("filter"))
	found := slices.DeleteFunc(x.store.byDisplayName(), func(p *person) bool {
		return p.service || !p.matches(filter) ||
			slices.ContainsFunc(allowed, func(may func(*person) bool) bool { return !may(p) }) ||
			x.query.Get("group") != "" // nobody is in a group
	})
	return pageOf(w, found, everything, x.user), nil
}

// permissionFilters reads permission, permission.1 and on: a permission of the
// instance, or with a project or repository beside it one of that. Whoever asks
// may only ask about what they see.
func (x *exchange) permissionFilters() ([]func(*person) bool, error) {
	var filters []func(*person) bool
	for _, name := range []string{"permission", "permission.1", "permission.2", "permission.3", "permission.4", "permission.5"} {
		value := strings.ToUpper(x.query.Get(name))
		kind, word, _ := strings.Cut(value, "_")
		needed := permissions[word]
		switch {
		case value == "":
			continue
		case value == "LICENSED_USER":
			continue // everyone in a scenario has a licence
		case value == "ADMIN", value == "SYS_ADMIN", value == "PROJECT_CREATE":
			filters = append(filters, func(*person) bool { return false })
		case needed == mayNothing || kind != "PROJECT" && kind != "REPO":
			return nil, invalidArgument(name + ": '" + x.query.Get(name) + "' is not a permission")
		default:
			p, err := x.permissionScope(name, kind)
			if err != nil {
				return nil, err
			}
			filters = append(filters, func(who *person) bool { return p.permissionOf(who) >= needed })
		}
	}
	return filters, nil
}

// permissionScope is the project that a permission of it, or of a repository in
// it, is asked about.
func (x *exchange) permissionScope(name, kind string) (*project, error) {
	key, slug := x.query.Get(name+".projectKey"), x.query.Get(name+".repositorySlug")
	projectID, repositoryID := x.query.Get(name+".projectId"), x.query.Get(name+".repositoryId")
	var found *project
	for _, p := range x.store.projects {
		if strings.EqualFold(p.key, key) || projectID == strconv.Itoa(p.id) {
			found = p
		}
		for _, r := range p.repositories {
			if repositoryID == strconv.Itoa(r.id) {
				found, slug = p, r.slug
			}
		}
	}
	switch {
	case key == "" && projectID == "" && repositoryID == "":
		return nil, invalidArgument("A project or repository must be given for the permission " + x.query.Get(name) + ".")
	case found == nil:
		return nil, noSuchProject(cmp.Or(key, projectID, repositoryID))
	case kind == "REPO" && found.repository(slug) == nil:
		return nil, noSuchRepository(found.key, slug)
	case !found.readableBy(x.caller):
		return nil, notPermitted()
	}
	return found, nil
}

// byDisplayName are all people in the order lists have them.
func (s *store) byDisplayName() []*person {
	return slices.SortedStableFunc(slices.Values(s.people), func(p, q *person) int {
		return compareNames(p.displayName, q.displayName)
	})
}

// matches says whether a person's name, display name or address contains a text
// in lower case.
func (p *person) matches(lower string) bool {
	return contains(p.name, lower) || contains(p.displayName, lower) || contains(p.email, lower)
}

// contains says whether text contains lower, in any letter case.
func contains(text, lower string) bool { return strings.Contains(strings.ToLower(text), lower) }

func getUser(x *exchange) (any, error) {
	slug := x.vars["userSlug"]
	if p := x.store.bySlug[strings.ToLower(slug)]; p != nil {
		return x.user(p), nil
	}
	return nil, noSuchUser(slug)
}

// settingsJSON are a user's settings; the fake keeps none.
type settingsJSON struct{}

// getUserSettings answers one's own settings alone.
func getUserSettings(x *exchange) (any, error) {
	slug := x.vars["userSlug"]
	switch p := x.store.bySlug[strings.ToLower(slug)]; p {
	case nil:
		return nil, noSuchUser(slug)
	case x.caller:
		return settingsJSON{}, nil
	}
	return nil, notPermitted()
}
