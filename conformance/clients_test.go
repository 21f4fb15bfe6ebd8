//go:build views

package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// npmClient is @nexus2520/bitbucket-mcp-server, somebody else's MCP server for
// Bitbucket, which reads from the fake as it would from a real one. It mixes
// versions of the API, asks for diffs as text, reads build summaries and blame,
// unpacks archives and searches by POST.
type npmClient struct {
	testing.TB
	session *mcp.ClientSession
	fake    *fakebb.Server
	base    string // with a context path
}

// clientTime is how long one call may take; the client itself gives up later.
const clientTime = 20 * time.Second

// startNPMClient starts the client for a user. When the test ends, every
// request must have met a route.
func startNPMClient(t *testing.T, user string) *npmClient {
	t.Helper()
	script := filepath.Join(filepath.Dir(tools.Driver), "node_modules", "@nexus2520", "bitbucket-mcp-server", "build", "index.js")
	if _, err := os.Stat(script); err != nil {
		t.Fatal(err)
	}
	var fake *fakebb.Server
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fake.ServeHTTP(w, r) }))
	t.Cleanup(ts.Close)
	base := ts.URL + "/bitbucket"
	fake = fakebb.New(fakebb.Options{BaseURL: base})

	command := exec.Command(tools.Node, script)
	command.Env = []string{ // and no proxy
		"PATH=" + os.Getenv("PATH"),
		"BITBUCKET_BASE_URL=" + base,
		"BITBUCKET_USERNAME=" + user,
		"BITBUCKET_TOKEN=" + fakebb.Token(user),
		"BITBUCKET_RATE_LIMIT_RPS=0",
		"BITBUCKET_RETRY_MAX=0",
		"BITBUCKET_REF_RESOLVE_TTL_MS=0",
	}
	ctx, cancel := context.WithTimeout(t.Context(), clientTime)
	defer cancel()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "conformance", Version: "1"}, nil).
		Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the client did not end well: %v", err)
		}
		for _, r := range fake.Requests() {
			if r.Note != "" {
				t.Errorf("a request met no route: %s", r)
			}
		}
	})
	return &npmClient{t, session, fake, base}
}

// call calls a tool and returns its text.
func (c *npmClient) call(tool string, arguments map[string]any) string {
	c.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), clientTime)
	defer cancel()
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		c.Fatalf("%s %v: %v", tool, arguments, err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		c.Fatalf("%s %v: %s\n%s", tool, arguments, text, c.log())
	}
	return text
}

// into calls a tool that answers JSON.
func (c *npmClient) into(v any, tool string, arguments map[string]any) {
	c.Helper()
	text := c.call(tool, arguments)
	if err := json.Unmarshal([]byte(text), v); err != nil {
		c.Fatalf("%s %v: %v in %s", tool, arguments, err, text)
	}
}

func (c *npmClient) log() string {
	var lines []string
	for _, r := range c.fake.Requests() {
		lines = append(lines, r.String())
	}
	return strings.Join(lines, "\n")
}

// asked counts the requests to paths that end so.
func (c *npmClient) asked(suffix string) int {
	n := 0
	for _, r := range c.fake.Requests() {
		if strings.HasSuffix(r.Path, suffix) {
			n++
		}
	}
	return n
}

// has fails the test for each text that is not in another.
func (c *npmClient) has(text string, wants ...string) {
	c.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			c.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

// inCatalogue are the arguments of a tool that reads ORCH/catalogue.
func inCatalogue(more map[string]any) map[string]any {
	arguments := map[string]any{"workspace": "ORCH", "repository": "catalogue"}
	for name, value := range more {
		arguments[name] = value
	}
	return arguments
}

// listedPull is a pull request in the client's lists.
type listedPull struct {
	ID            int      `json:"id"`
	Title         string   `json:"title"`
	Author        string   `json:"author"`
	Source        string   `json:"source_branch"`
	Target        string   `json:"destination_branch"`
	Updated       string   `json:"updated_on"`
	Reviewers     []string `json:"reviewers"`
	OpenTaskCount int      `json:"open_task_count"`
	Repository    string   `json:"repository"`
}

// H1
func TestAnMCPServerFromNPMListsPullRequests(t *testing.T) {
	c := startNPMClient(t, "amara")
	tools, err := c.session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 25 {
		t.Fatalf("%d tools, %v; want the 25 of release 3.0.0", len(tools.Tools), err)
	}
	var page struct {
		Pulls []listedPull `json:"pull_requests"`
	}
	c.into(&page, "list_pull_requests", inCatalogue(map[string]any{"limit": 100}))
	i := slices.IndexFunc(page.Pulls, func(p listedPull) bool { return p.ID == 1 })
	if i < 0 {
		t.Fatalf("#1 is not among %+v", page.Pulls)
	}
	want := listedPull{
		ID: 1, Title: "Prune the catalogue before the frost", Author: "Amara Oyelaran",
		Source: "feature/prune", Target: "main", Updated: "2026-11-27T14:20:00.604Z",
		Reviewers: []string{"Bo Lindqvist (APPROVED)", "Chen Wei (NEEDS_WORK)"}, OpenTaskCount: 2,
	}
	if diff := cmp.Diff(want, page.Pulls[i]); diff != "" {
		t.Errorf("#1 differs (-want +got):\n%s", diff)
	}

	// Pages of two add up. What the client calls total_count is the length of
	// the page.
	var walked []listedPull
	for start := 0; ; {
		var part struct {
			Pulls []listedPull `json:"pull_requests"`
			More  bool         `json:"has_more"`
			Next  int          `json:"next_start"`
		}
		c.into(&part, "list_pull_requests", inCatalogue(map[string]any{"limit": 2, "start": start}))
		walked = append(walked, part.Pulls...)
		if !part.More {
			break
		}
		start = part.Next
	}
	if diff := cmp.Diff(page.Pulls, walked); diff != "" {
		t.Errorf("in pages of two the list differs (-one page +pages):\n%s", diff)
	}

	c.into(&page, "list_pull_requests", inCatalogue(map[string]any{"state": "MERGED"}))
	if !slices.ContainsFunc(page.Pulls, func(p listedPull) bool { return p.ID == 2 }) {
		t.Errorf("#2 is not among the merged ones: %+v", page.Pulls)
	}
	c.into(&page, "list_pull_requests", inCatalogue(map[string]any{"author": "zoe", "state": "ALL"}))
	for _, p := range page.Pulls {
		if p.Author != "Zoë Åström" {
			t.Errorf("#%d of %s is among those of zoe", p.ID, p.Author)
		}
	}
	// The dashboard: amara's own, of every repository.
	c.into(&page, "list_pull_requests", map[string]any{"workspace": "ORCH", "role": "AUTHOR", "limit": 100})
	for _, want := range []string{"ORCH/catalogue", "ORCH/weather-station", "~AMARA/scratch"} {
		if !slices.ContainsFunc(page.Pulls, func(p listedPull) bool { return strings.EqualFold(p.Repository, want) && p.Author == "Amara Oyelaran" }) {
			t.Errorf("nothing of amara's in %s: %+v", want, page.Pulls)
		}
	}
}

// H1
func TestAnMCPServerFromNPMReadsAPullRequest(t *testing.T) {
	c := startNPMClient(t, "amara")
	type comment struct {
		Author  string
		Text    string
		Path    string `json:"file_path"`
		Line    int    `json:"line_number"`
		Task    bool   `json:"is_task"`
		Replies []comment
	}
	var pull struct {
		Title, Description, State, Author string
		Commit                            string                          `json:"source_commit"`
		URL                               string                          `json:"web_url"`
		Comments                          []comment                       `json:"active_comments"`
		Changes                           []struct{ Path, Status string } `json:"file_changes"`
		Tasks                             []struct{ Text, State string }
		Warnings                          []string
	}
	c.into(&pull, "get_pull_request", inCatalogue(map[string]any{"pull_request_id": 1, "include_tasks": true, "comment_limit": 100}))
	if pull.Title != "Prune the catalogue before the frost" || pull.State != "OPEN" || pull.Author != "Amara Oyelaran" ||
		pull.URL != c.base+"/projects/ORCH/repos/catalogue/pull-requests/1" || len(pull.Commit) != 40 || pull.Warnings != nil {
		t.Errorf("#1 is %+v", pull)
	}
	c.has(pull.Description, "Trees that were *felled* leave as before; **nothing is deleted from the archive**.")

	find := func(text string) *comment {
		i := slices.IndexFunc(pull.Comments, func(x comment) bool { return strings.HasPrefix(x.Text, text) })
		if i < 0 {
			t.Errorf("no comment begins with %q: %+v", text, pull.Comments)
			return &comment{}
		}
		return &pull.Comments[i]
	}
	if general := find("I like that the archive keeps the seasons."); general.Author != "Bo Lindqvist" || general.Path != "" ||
		len(general.Replies) != 1 || general.Replies[0].Author != "Amara Oyelaran" || len(general.Replies[0].Replies) != 1 {
		t.Errorf("the general comment is %+v", general)
	}
	if inline := find("`before` could stand right above"); inline.Path != "catalogue/prune.go" || inline.Line == 0 {
		t.Errorf("the comment on a line is %+v", inline)
	}
	if task := find("A tree planted this year has no yield yet."); !task.Task || task.Author != "Chen Wei" {
		t.Errorf("the task is %+v", task)
	}
	if left := find("The lineage page still links felled trees"); left.Path != "catalogue/prune.go" || left.Line == 0 {
		t.Errorf("the comment on a line of the left is %+v", left)
	}
	// Its line is gone, and such threads the client leaves out.
	if slices.ContainsFunc(pull.Comments, func(x comment) bool { return strings.HasPrefix(x.Text, "Please do not write the year") }) {
		t.Error("an outdated comment is among the active ones")
	}

	for _, want := range []struct{ Path, Status string }{
		{"catalogue/prune.go", "modified"}, {"catalogue/lineage_test.go", "added"}, {"docs/pruning.md", "modified"},
	} {
		if !slices.Contains(pull.Changes, want) {
			t.Errorf("%+v is not among the changes %+v", want, pull.Changes)
		}
	}
	states := map[string]string{}
	for _, task := range pull.Tasks {
		states[task.Text] = task.State
	}
	for text, state := range map[string]string{
		"Say in the comment where the five comes from.":                                  "RESOLVED",
		"Mention in the release notes that felled trees keep their page in the archive.": "OPEN",
		"A tree planted this year has no yield yet. Keep the young ones.":                "OPEN",
	} {
		if states[text] != state {
			t.Errorf("the task %q is %q, want %q", text, states[text], state)
		}
	}

	// Who merged is in the activity only.
	var merged struct {
		By     string `json:"merged_by"`
		Closed string `json:"closed_on"`
		State  string
	}
	c.into(&merged, "get_pull_request", inCatalogue(map[string]any{"pull_request_id": 2, "include_comments": false, "include_file_changes": false}))
	if merged.By != "Bo Lindqvist" || merged.State != "MERGED" || !strings.HasPrefix(merged.Closed, "2026-11-20T15:40:30") {
		t.Errorf("#2 is %+v", merged)
	}
}

// The client asks for diffs as text and never as JSON, release 3.0.0 at least.
//
// H1
func TestAnMCPServerFromNPMReadsDiffs(t *testing.T) {
	c := startNPMClient(t, "bo")
	whole := c.call("get_pull_request_diff", inCatalogue(map[string]any{"pull_request_id": 1}))
	c.has(whole,
		"diff --git src://catalogue/prune.go dst://catalogue/prune.go\n",
		"--- src://catalogue/prune.go\n+++ dst://catalogue/prune.go\n@@ ",
		"new file mode 100644\n", "--- /dev/null\n+++ dst://catalogue/lineage_test.go\n@@ -0,0 +1",
		"\n+const restYears = 5\n", "\n-The catalogue is pruned every night. A tree leaves it when it was felled.\n")
	count := strings.Count(whole, "\ndiff --git ")
	c.has(whole, fmt.Sprintf("PR #1 diff (%d files)", count))

	one := c.call("get_pull_request_diff", inCatalogue(map[string]any{"pull_request_id": 1, "file_path": "docs/pruning.md", "context_lines": 0}))
	c.has(one, "PR #1 diff (1 files)", "diff --git src://docs/pruning.md dst://docs/pruning.md\n", "\n@@ -3")
	if strings.Contains(one, "prune.go") || strings.Contains(one, "\n # Pruning") {
		t.Errorf("the diff of one file without context is\n%s", one)
	}
	some := c.call("get_pull_request_diff", inCatalogue(map[string]any{"pull_request_id": 1, "include_patterns": []string{"*.md"}, "ignore_whitespace": true}))
	c.has(some, fmt.Sprintf("[filtered: 1/%d files shown;", count), "dst://docs/pruning.md")

	// The place of a snippet comes from the diff of its file. One that is not
	// there ends before anything is written.
	_, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "add_comment", Arguments: inCatalogue(map[string]any{
		"pull_request_id": 1, "comment_text": "Why?", "file_path": "catalogue/prune.go", "code_snippet": "nowhere()",
	})})
	if err == nil || !strings.Contains(err.Error(), "Code snippet not found in catalogue/prune.go") {
		t.Errorf("a snippet that is not in the diff: %v", err)
	}
}
