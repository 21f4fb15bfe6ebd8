package server

import (
	"net/url"
	"strings"
	"time"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// Time is a moment in Unix milliseconds; a model reads it as RFC 3339 in UTC.
type Time int64

// String gives t as RFC 3339, to the second, in UTC.
func (t Time) String() string { return time.UnixMilli(int64(t)).UTC().Format(time.RFC3339) }

// MarshalText gives t as String does.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText gives.
func (t *Time) UnmarshalText(text []byte) error {
	at, err := time.Parse(time.RFC3339, string(text))
	*t = Time(at.UnixMilli())
	return err
}

// repositoryURL is a repository's page in Bitbucket without the "browse" that
// its own link ends in, so that other pages can be named below it.
func repositoryURL(r bitbucket.Repository) string {
	return strings.TrimSuffix(r.Links.URL(), "/browse")
}

// branch is one side of a pull request that goes into repository home.
func branch(r bitbucket.Ref, home bitbucket.Repository) Branch {
	b := Branch{Branch: r.DisplayID, Commit: r.LatestCommit, repoURL: repositoryURL(r.Repository)}
	if b.repoURL != "" {
		b.url = b.repoURL + "/browse?at=" + url.QueryEscape(r.ID)
	}
	if r.Repository.ID != home.ID {
		b.Project, b.Repo = r.Repository.Project.Key, r.Repository.Slug
	}
	return b
}

// commitURL is a commit's page.
func commitURL(repoURL, commit string) string {
	if repoURL == "" || commit == "" {
		return ""
	}
	return repoURL + "/commits/" + url.PathEscape(commit)
}

// short is how Bitbucket writes a commit: eleven digits.
func short(commit string) string { return commit[:min(11, len(commit))] }
