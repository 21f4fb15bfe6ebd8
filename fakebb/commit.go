package fakebb

import (
	"regexp"
	"slices"
)

// displayIDLength is how much of a commit's id people are shown.
const displayIDLength = 11

// commitIDJSON is a commit that is only named.
type commitIDJSON struct {
	ID        string `json:"id"`
	DisplayID string `json:"displayId"`
}

// commitJSON is a commit (bitbucket-rest.md 4). Parents are commitIDJSON, or
// on a single commit and a merge commitJSON.
type commitJSON struct {
	ID                 string                `json:"id"`
	DisplayID          string                `json:"displayId"`
	Author             any                   `json:"author"`
	AuthorTimestamp    int64                 `json:"authorTimestamp"`
	Committer          any                   `json:"committer"`
	CommitterTimestamp int64                 `json:"committerTimestamp"`
	Message            string                `json:"message"`
	Parents            []any                 `json:"parents"`
	Properties         *commitPropertiesJSON `json:"properties,omitempty"`
}

// commitPropertiesJSON is what the Jira plugin adds: the issues a message
// names.
type commitPropertiesJSON struct {
	JiraKey []string `json:"jira-key"`
}

func drawCommitID(c *commit) commitIDJSON {
	return commitIDJSON{c.id, c.id[:displayIDLength]}
}

// drawCommit draws a commit as lists show it.
func (x *exchange) drawCommit(c *commit) commitJSON {
	return x.commitBy(c, x.user)
}

// drawPullRequestCommit draws a commit as a pull request's commits show it: its
// people have no links.
func (x *exchange) drawPullRequestCommit(c *commit) commitJSON {
	return x.commitBy(c, x.userWithoutLinks)
}

// drawCommitWithParents draws a commit whose parents are commits themselves.
func (x *exchange) drawCommitWithParents(c *commit) commitJSON {
	j := x.drawCommit(c)
	for i, parent := range c.parents {
		j.Parents[i] = x.drawCommit(parent)
	}
	return j
}

var issueKeys = regexp.MustCompile(`\b[A-Z][A-Z0-9_]+-[1-9][0-9]*\b`)

func (x *exchange) commitBy(c *commit, user func(*person) userJSON) commitJSON {
	var author any
	if c.author.unknown {
		author = strangerJSON{c.author.name, c.author.email}
	} else {
		author = user(c.author)
	}
	// Git knows seconds.
	at := c.at.Unix() * 1000
	j := commitJSON{
		ID: c.id, DisplayID: c.id[:displayIDLength],
		Author: author, AuthorTimestamp: at, Committer: author, CommitterTimestamp: at,
		Message: c.message,
		Parents: make([]any, len(c.parents)),
	}
	for i, parent := range c.parents {
		j.Parents[i] = drawCommitID(parent)
	}
	if keys := issueKeys.FindAllString(c.message, -1); keys != nil {
		slices.Sort(keys)
		j.Properties = &commitPropertiesJSON{slices.Compact(keys)}
	}
	return j
}

// findCommit finds the commit of the path: a full or short id, or a branch.
func (x *exchange) findCommit() (*repository, *commit, error) {
	r, err := x.repository()
	if err != nil {
		return nil, nil, err
	}
	id := x.vars["commitId"]
	if c := r.commit(id); c != nil {
		return r, c, nil
	}
	return nil, nil, noSuchCommit(id, r)
}

func getCommit(x *exchange) (any, error) {
	_, c, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	return x.drawCommitWithParents(c), nil
}

func listPullRequestCommits(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxCommits)
	if err != nil {
		return nil, err
	}
	commits := p.commitsAdded()
	page := streamOf(w, commits, x.drawPullRequestCommit)
	if x.query.Get("withCounts") == "true" {
		authors := map[*person]bool{}
		for _, c := range commits {
			authors[c.author] = true
		}
		total, by := len(commits), len(authors)
		page.AuthorCount, page.TotalCount = &by, &total
	}
	return page, nil
}
