package fakebb

import (
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

func selfLink(href string) *linksJSON { return &linksJSON{[]hrefJSON{{Href: href}}} }

// user draws a person with the link to their page.
func (x *exchange) user(p *person) userJSON {
	u := x.userWithoutLinks(p)
	u.Links = selfLink(x.server.base.String() + "/users/" + url.PathEscape(p.slug))
	return u
}

// userWithoutLinks draws a person as the commits of a pull request show them.
func (x *exchange) userWithoutLinks(p *person) userJSON {
	u := userJSON{
		Name: p.name, EmailAddress: p.email, Active: true, DisplayName: p.displayName,
		ID: p.id, Slug: p.slug, Type: "NORMAL",
		AvatarURL: x.avatarURL("/users/"+url.PathEscape(p.slug), p.id),
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
// the filter, by display name. Service users are not among them (belief).
func listUsers(x *exchange) (any, error) {
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	filter := strings.ToLower(x.query.Get("filter"))
	var found []*person
	for _, p := range x.store.people {
		if !p.service && (contains(p.name, filter) || contains(p.displayName, filter) || contains(p.email, filter)) {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(p, q *person) int { return compareNames(p.displayName, q.displayName) })
	return pageOf(w, found, everything, x.user), nil
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
