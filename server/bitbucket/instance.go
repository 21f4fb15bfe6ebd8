package bitbucket

import "context"

// ApplicationProperties say which Bitbucket answers (bitbucket-rest.md 5.1).
type ApplicationProperties struct {
	Version     string // such as 9.4.16
	DisplayName string // "Bitbucket", or what the operator called it
}

// ApplicationProperties reads them; Bitbucket gives them to anyone.
func (c *Client) ApplicationProperties(ctx context.Context) (ApplicationProperties, error) {
	var p ApplicationProperties
	err := c.do(ctx, get(api, nil, "application-properties"), &p)
	return p, err
}

// CheckPlace asks for a project, or with repo for a repository of it, and
// fails when it is not there or may not be read.
func (c *Client) CheckPlace(ctx context.Context, project, repo string) error {
	path := []string{"projects", project}
	if repo != "" {
		path = place(project, repo)
	}
	return c.do(ctx, get(api, nil, path...), nil)
}
