package bitbucket

import (
	"context"
	"net/http"
	"net/url"
)

// RepositoryFilter says which repositories are searched for.
type RepositoryFilter struct {
	Name    string // in the name, in any letter case; "" for all
	Project string // key; "" for all
}

// SearchRepositories reads the repositories that the caller may read, archived
// ones included, by name (bitbucket-rest.md 6). An unknown project has none.
func (c *Client) SearchRepositories(ctx context.Context, f RepositoryFilter, start, limit int) (Listing[Repository], error) {
	q := url.Values{"archived": {"ALL"}}
	if f.Name != "" {
		q.Set("name", f.Name)
	}
	if f.Project != "" {
		q.Set("projectkey", f.Project)
	}
	return readList[Repository](ctx, c, get(api, q, "repos"), start, limit)
}

// ListRepositories reads the repositories of a project.
func (c *Client) ListRepositories(ctx context.Context, project string, start, limit int) (Listing[Repository], error) {
	return readList[Repository](ctx, c, get(api, nil, "projects", project, "repos"), start, limit)
}

// ListProjects reads the projects whose name contains name, in any letter case.
// Personal projects are not among them.
func (c *Client) ListProjects(ctx context.Context, name string, start, limit int) (Listing[Project], error) {
	q := url.Values{}
	if name != "" {
		q.Set("name", name)
	}
	return readList[Project](ctx, c, get(api, q, "projects"), start, limit)
}

// Project reads one project.
func (c *Client) Project(ctx context.Context, key string) (Project, error) {
	var p Project
	err := c.do(ctx, get(api, nil, "projects", key), &p)
	return p, err
}

// Repository reads one repository.
func (c *Client) Repository(ctx context.Context, project, repo string) (Repository, error) {
	var r Repository
	err := c.do(ctx, get(api, nil, place(project, repo)...), &r)
	return r, err
}

// CodeHit is a file in which something was found.
type CodeHit struct {
	Repository Repository
	File       string
	// HitContexts are lines that follow each other, with those that match among
	// them.
	HitContexts [][]HitLine
	HitCount    int
}

// HitLine is a line of a file, as HTML: escaped, with <em> around what was
// found.
type HitLine struct {
	Line int
	Text string
}

// CodeSearch is a page of what was found.
type CodeSearch struct {
	Listing[CodeHit]
	// Substituted is true when the query was not understood as it was written,
	// and its words were searched for.
	Substituted bool
}

// SearchCode searches the default branches of what the caller may read. It is
// served by POST only (bug-log.md REST-11), and by a search server that may be
// missing or not answer.
func (c *Client) SearchCode(ctx context.Context, query string, start, limit int) (CodeSearch, error) {
	type window struct {
		Start int `json:"start"`
		Limit int `json:"limit"`
	}
	type limits struct {
		Primary   int `json:"primary"`
		Secondary int `json:"secondary"`
	}
	type entities struct {
		Code window `json:"code"`
	}
	r := request{method: http.MethodPost, module: "search/latest", path: []string{"search"}, reads: true, body: struct {
		Query    string   `json:"query"`
		Entities entities `json:"entities"`
		Limits   limits   `json:"limits"`
	}{query, entities{window{start, limit}}, limits{limit, limit}}}
	var found struct {
		Code struct {
			IsLastPage bool
			Count      *int
			NextStart  *int
			Values     []CodeHit
		}
		Query struct{ Substituted bool }
	}
	s := CodeSearch{Listing: Listing[CodeHit]{Values: []CodeHit{}}}
	if err := c.do(ctx, r, &found); err != nil {
		return s, err
	}
	s.Values = append(s.Values, found.Code.Values...)
	s.Total, s.Substituted = found.Code.Count, found.Query.Substituted
	s.Complete = found.Code.IsLastPage && start == 0
	if next := found.Code.NextStart; !found.Code.IsLastPage && next != nil && *next > start {
		s.Next = *next
	}
	return s, nil
}
