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
