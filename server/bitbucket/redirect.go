package bitbucket

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// maxRedirects is how many redirects in a row are followed.
const maxRedirects = 5

type placesKey struct{}

// WithPlaces bounds where the requests of a context may be redirected to:
// allowed says whether a repository, or with repo "" a project, may be read. A
// moved repository answers its old address with a redirect to the new one,
// which may be outside what the caller was given.
func WithPlaces(ctx context.Context, allowed func(project, repo string) bool) context.Context {
	return context.WithValue(ctx, placesKey{}, allowed)
}

// redirectRefusal is why a redirect is not followed.
type redirectRefusal struct {
	cause Cause
	words string
}

// Error says where the redirect leads and why it is not followed.
func (r *redirectRefusal) Error() string { return r.words }

// checkRedirect lets a redirect through that a moved repository answers with:
// to the same host, where the credentials were meant for, as the same method,
// of the same Bitbucket's REST API, and within the bounds of [WithPlaces].
func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	// Without the query: it may hold what only a login page is to see.
	to := &url.URL{Scheme: req.URL.Scheme, Host: req.URL.Host, Path: req.URL.Path, RawPath: req.URL.RawPath}
	refuse := func(cause Cause, format string, args ...any) error {
		return &redirectRefusal{cause, fmt.Sprintf(format, args...)}
	}
	rest := strings.Contains(to.Path, "/rest/")
	switch {
	case !rest && looksLikeLogin(to.Host+to.Path):
		return refuse(LoginPage, "redirected to a login page, %s, which is not followed", to)
	case origin(req.URL) != origin(first.URL):
		return refuse(RedirectedElsewhere, "redirected to %s, which is not followed: the credentials are for %s://%s alone", to, first.URL.Scheme, first.URL.Host)
	case len(via) > maxRedirects:
		return refuse(RedirectedElsewhere, "redirected more than %d times, at last to %s", maxRedirects, to)
	case req.Method != first.Method:
		return refuse(RedirectedElsewhere, "redirected to %s in a way that would turn the %s into a %s, which is not followed", to, first.Method, req.Method)
	case !rest || !sameAPI(first.URL.Path, to.Path):
		return refuse(RedirectedElsewhere, "redirected to %s, which is no part of Bitbucket's REST API and is not followed", to)
	}
	allowed, ok := req.Context().Value(placesKey{}).(func(project, repo string) bool)
	if !ok {
		return nil
	}
	project, repo, climbs := placeIn(to)
	before, _, _ := placeIn(first.URL)
	switch {
	case climbs || project == "" && before != "":
		return refuse(MovedOutOfScope, "redirected to %s, which names no repository and is not followed", to)
	case project == "" || allowed(project, repo):
		return nil
	case repo == "":
		return refuse(MovedOutOfScope, "the project has moved to %s, outside the scope", project)
	}
	return refuse(MovedOutOfScope, "the repository has moved to %s/%s, outside the scope", project, repo)
}

// sameAPI says whether a redirect stays with Bitbucket: below its context path,
// or at another one for the very same request. What else the host serves may
// have a /rest/ of its own.
func sameAPI(from, to string) bool {
	context, asked, _ := strings.Cut(from, "/rest/")
	elsewhere, moved, _ := strings.Cut(to, "/rest/")
	return elsewhere == context || moved == asked
}

// placeIn finds the project, and the repository when there is one, that an
// address of the REST API names. climbs says that a server might read the
// address as that of another place than the one it names.
func placeIn(u *url.URL) (project, repo string, climbs bool) {
	_, path, _ := strings.Cut(u.EscapedPath(), "/rest/")
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if name, err := url.PathUnescape(s); err == nil {
			segments[i] = name
		}
		climbs = climbs || segments[i] == "." || segments[i] == ".."
	}
	for i, s := range segments {
		repos := i+3 < len(segments) && segments[i+2] == "repos"
		switch {
		case s == "projects" && i+1 < len(segments):
			project = segments[i+1]
		case s == "users" && repos: // the other spelling of a personal project (URI-01)
			project = "~" + segments[i+1]
		default:
			continue
		}
		if repos {
			repo = segments[i+3]
		}
		break
	}
	return project, repo, climbs || strings.ContainsAny(project+repo, `/\`)
}
