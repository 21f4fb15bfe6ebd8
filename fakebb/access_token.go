package fakebb

import (
	"net/http"
	"strconv"
)

// tokenRoutes are the HTTP access tokens there are, without their secrets, and
// what only administrators of the instance may read.
var tokenRoutes = []route{
	{method: "GET", path: "/rest/access-tokens/{version}/users/{userSlug}", answer: listTokens,
		evidence: "bitbucket-rest.md 1 [O]; that others' are refused is belief"},
	{method: "GET", path: "/rest/access-tokens/{version}/projects/{projectKey}", answer: listProjectTokens,
		evidence: "bitbucket-rest.md 1 [O]; that only administrators may read them is belief"},
	{method: "GET", path: "/rest/access-tokens/{version}" + inRepository, answer: listRepositoryTokens,
		evidence: "bitbucket-rest.md 1 [O]; that only administrators may read them is belief"},
	{method: "GET", path: api + "/admin/{path...}", answer: refuseAdministration,
		evidence: "bitbucket-rest.md 3 [P]; that it is so for every path is belief"},
}

// tokenJSON is an HTTP access token.
type tokenJSON struct {
	ID          string `json:"id"`
	CreatedDate int64  `json:"createdDate"`
	Name        string `json:"name"`
}

// tokenCreated is when every token was made.
const tokenCreated = 1788220800000

// listTokens answers one's own tokens: everyone has the one that [Token] is.
func listTokens(x *exchange) (any, error) {
	slug := x.vars["userSlug"]
	p := x.store.bySlug[slug]
	switch {
	case p == nil:
		return nil, noSuchUser(slug)
	case p != x.caller:
		return nil, notPermitted()
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	return pageOf(w, []*person{p}, everything, func(p *person) tokenJSON {
		return tokenJSON{ID: strconv.Itoa(tokenCreated/1000 + p.id), CreatedDate: tokenCreated, Name: "fakebb"}
	}), nil
}

// listProjectTokens answers an empty page to administrators: tokens belong to
// people here.
func listProjectTokens(x *exchange) (any, error) {
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	if !p.administeredBy(x.caller) {
		return nil, notPermitted()
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	return pageOf[tokenJSON](w, nil, everything, func(t tokenJSON) tokenJSON { return t }), nil
}

func listRepositoryTokens(x *exchange) (any, error) {
	if _, err := x.repository(); err != nil {
		return nil, err
	}
	return listProjectTokens(x)
}

// refuseAdministration answers everyone: nobody in a scenario administers the
// instance.
func refuseAdministration(*exchange) (any, error) {
	return nil, &failure{status: http.StatusUnauthorized, message: notPermitted().message,
		exception: "com.atlassian.plugins.rest.api.security.exception.AuthorizationException"}
}
