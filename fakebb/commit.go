package fakebb

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bb-mcp/bb/fakebb/content"
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

func drawCommitID(id string) commitIDJSON {
	return commitIDJSON{id, id[:displayIDLength]}
}

// drawCommit draws a commit as lists show it.
func (x *exchange) drawCommit(c content.CommitInfo) commitJSON {
	return x.commitBy(c, x.user)
}

// drawPullRequestCommit draws a commit as a pull request's commits show it: its
// people have no links.
func (x *exchange) drawPullRequestCommit(c content.CommitInfo) commitJSON {
	return x.commitBy(c, x.userWithoutLinks)
}

// drawCommitWithParents draws a commit whose parents are commits themselves.
func (x *exchange) drawCommitWithParents(r *repository, id string) commitJSON {
	c := r.commit(id)
	j := x.drawCommit(c)
	for i, parent := range c.Parents {
		j.Parents[i] = x.drawCommit(r.commit(parent))
	}
	return j
}

var issueKeys = regexp.MustCompile(`\b[A-Z][A-Z0-9_]+-[1-9][0-9]*\b`)

func (x *exchange) commitBy(c content.CommitInfo, user func(*person) userJSON) commitJSON {
	// Git knows seconds.
	j := commitJSON{
		ID: c.ID, DisplayID: c.ID[:displayIDLength],
		Author: x.signed(c.Author, user), AuthorTimestamp: c.Author.When.Unix() * 1000,
		Committer: x.signed(c.Committer, user), CommitterTimestamp: c.Committer.When.Unix() * 1000,
		Message: strings.TrimRight(c.Message, "\n"),
		Parents: make([]any, len(c.Parents)),
	}
	for i, parent := range c.Parents {
		j.Parents[i] = drawCommitID(parent)
	}
	if keys := issueKeys.FindAllString(c.Message, -1); keys != nil {
		slices.Sort(keys)
		j.Properties = &commitPropertiesJSON{slices.Compact(keys)}
	}
	return j
}

// signed draws who made a commit: the user with that address, or else what the
// commit says.
func (x *exchange) signed(by content.Signature, user func(*person) userJSON) any {
	if p := x.store.byEmail[strings.ToLower(by.Email)]; p != nil {
		return user(p)
	}
	return strangerJSON{by.Name, by.Email}
}

// findCommit finds the commit of the path: a full or short id, or a ref.
func (x *exchange) findCommit() (*repository, string, error) {
	r, err := x.repository()
	if err != nil {
		return nil, "", err
	}
	id, err := x.revision(r, x.vars["commitId"])
	return r, id, err
}

// revision is the commit that a name names.
func (x *exchange) revision(r *repository, name string) (string, error) {
	if id, ok := r.resolve(name); ok {
		return id, nil
	}
	return "", noSuchCommit(name, r)
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
	x.count(&page, commits)
	return page, nil
}

// count adds the counts that withCounts asks for.
func (x *exchange) count(page *streamJSON[commitJSON], commits []content.CommitInfo) {
	if x.query.Get("withCounts") != "true" {
		return
	}
	authors := map[string]bool{}
	for _, c := range commits {
		authors[strings.ToLower(c.Author.Email)] = true
	}
	total, by := len(commits), len(authors)
	page.AuthorCount, page.TotalCount = &by, &total
}
