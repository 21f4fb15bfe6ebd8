//go:build views

package conformance

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// H1
func TestAnMCPServerFromNPMReadsCommits(t *testing.T) {
	c := startNPMClient(t, "bo")
	type commit struct {
		Hash, Message, Author, Date string
		Merge                       bool `json:"is_merge"`
		Builds                      *struct {
			Successful, Failed int
			InProgress         int `json:"in_progress"`
		} `json:"build_status"`
	}
	var page struct {
		Commits []commit
		Head    string
		More    bool `json:"has_more"`
		Next    int  `json:"next_start"`
	}
	c.into(&page, "list_pr_commits", inCatalogue(map[string]any{"pull_request_id": 1, "include_build_status": true}))
	tip := page.Commits[0]
	if !strings.HasPrefix(tip.Message, "Keep the resting years in one place") || tip.Author != "amara" || tip.Date != "2026-11-27T14:19:37.000Z" {
		t.Errorf("the newest commit of #1 is %+v", tip)
	}
	if b := tip.Builds; b == nil || b.Failed != 1 || b.InProgress != 1 || b.Successful == 0 {
		t.Errorf("its builds are %+v", b)
	}
	last := page.Commits[len(page.Commits)-1]
	if last.Message != "Return how many trees were pruned" {
		t.Errorf("the oldest commit of #1 is %+v", last)
	}

	all := page.Commits
	for i := range all {
		all[i].Builds = nil
	}
	page.Commits = nil
	c.into(&page, "list_branch_commits", inCatalogue(map[string]any{"branch_name": "feature/prune", "limit": len(all)}))
	if diff := cmp.Diff(all, page.Commits); diff != "" || page.Head != tip.Hash || !page.More || page.Next != len(all) {
		t.Errorf("the branch begins otherwise than the pull request (-pull request +branch): head %q, more %t from %d\n%s", page.Head, page.More, page.Next, diff)
	}
	page.Commits = nil
	c.into(&page, "list_branch_commits", inCatalogue(map[string]any{"branch_name": "main", "search": "espalier", "include_merge_commits": false}))
	if len(page.Commits) != 2 || page.Commits[0].Message != "Draw espaliers as rows" {
		t.Errorf("main has of the espaliers %+v", page.Commits)
	}

	var detail struct {
		Files []struct{ Path, Type string }
	}
	// The hash is cut to 12 characters, which Bitbucket takes, too.
	c.into(&detail, "get_commit_detail", inCatalogue(map[string]any{"commit_id": tip.Hash, "detail": "files"}))
	want := []struct{ Path, Type string }{{"catalogue/nightly.go", "MODIFY"}, {"catalogue/prune.go", "MODIFY"}}
	if diff := cmp.Diff(want, detail.Files); diff != "" {
		t.Errorf("the files of %s differ (-want +got):\n%s", tip.Hash, diff)
	}
	diff := c.call("get_commit_detail", inCatalogue(map[string]any{"commit_id": tip.Hash}))
	c.has(diff, "(2 files)", "diff --git src://catalogue/nightly.go dst://catalogue/nightly.go", "that rested %d years")
	diff = c.call("get_commit_detail", inCatalogue(map[string]any{"commit_id": tip.Hash, "file_path": "catalogue/prune.go"}))
	c.has(diff, "(1 files)", "// [restYears] years, and returns how many it removed.")
}

// H1
func TestAnMCPServerFromNPMReadsBranches(t *testing.T) {
	c := startNPMClient(t, "bo")
	var page struct {
		Branches []struct {
			Name    string
			Commit  string `json:"latest_commit"`
			Default bool   `json:"is_default"`
		}
	}
	c.into(&page, "list_branches", inCatalogue(map[string]any{"limit": 100}))
	commits := map[string]string{}
	for _, b := range page.Branches {
		commits[b.Name] = b.Commit
		if b.Default != (b.Name == "main") {
			t.Errorf("%s is the default branch: %t", b.Name, b.Default)
		}
	}
	if commits["feature/prune"] == "" || commits["feature/prune"] != commits["release/2026.11"] || commits["main"] == "" {
		t.Errorf("the branches are %+v", page.Branches)
	}

	var branch struct {
		Branch struct {
			Commit struct{ ID, Message, Author, Date string } `json:"latest_commit"`
		}
		Open   []listedPull `json:"open_pull_requests"`
		Merged []listedPull `json:"merged_pull_requests"`
	}
	c.into(&branch, "get_branch", inCatalogue(map[string]any{"branch_name": "feature/prune", "include_merged_prs": true}))
	if got := branch.Branch.Commit; !strings.HasPrefix(got.ID, commits["feature/prune"]) || got.Author != "amara" ||
		!strings.HasPrefix(got.Message, "Keep the resting years in one place") || got.Date != "2026-11-27T14:19:37.000Z" {
		t.Errorf("the branch stands at %+v", got)
	}
	if len(branch.Open) != 1 || branch.Open[0].ID != 1 || branch.Open[0].Target != "main" || len(branch.Merged) != 0 {
		t.Errorf("from the branch are open %+v, merged %+v", branch.Open, branch.Merged)
	}
}

// H1
func TestAnMCPServerFromNPMReadsFiles(t *testing.T) {
	c := startNPMClient(t, "bo")
	// The client writes a submodule like a folder: to it, all that is no file
	// is one.
	root := c.call("list_directory_content", inCatalogue(nil))
	c.has(root, "\ncatalogue/\n", "\ndocs/\n", "\nREADME.md", "\n.gitignore\n")
	folder := c.call("list_directory_content", inCatalogue(map[string]any{"path": "catalogue", "branch": "feature/prune"}))
	c.has(folder, "ORCH/catalogue:catalogue @ feature/prune — ", "\nlineage_test.go", "\nprune.go")

	prune := inCatalogue(map[string]any{"file_path": "catalogue/prune.go", "branch": "feature/prune"})
	whole := c.call("get_file_content", prune)
	c.has(whole, "\n1: package catalogue\n2: \n", ": const restYears = 5\n")
	total := regexp.MustCompile(`^catalogue/prune\.go @ feature/prune lines 1-(\d+) of (\d+) lines`).FindStringSubmatch(whole)
	if total == nil || total[1] != total[2] {
		t.Fatalf("the file is\n%s", whole)
	}
	lines := strings.Split(strings.SplitN(whole, "\n\n", 2)[1], "\n")
	prune["start_line"], prune["line_count"] = 3, 4
	window := c.call("get_file_content", prune)
	c.has(window, "catalogue/prune.go @ feature/prune lines 3-6 (more lines exist — continue with start_line=7)\n\n"+strings.Join(lines[2:6], "\n"))
	delete(prune, "line_count")
	prune["start_line"] = -3
	// Counting from the end the client reads the raw file, and takes the empty
	// text after its last line break for a line.
	n, _ := strconv.Atoi(total[1])
	c.has(c.call("get_file_content", prune), fmt.Sprintf("lines %d-%d of %d\n\n%d: \treturn false\n%d: }\n%d: ", n-1, n+1, n+1, n-1, n, n+1))

	delete(prune, "start_line")
	blame := c.call("get_file_blame", prune)
	var commits struct {
		Commits []struct{ Hash, Message string }
	}
	c.into(&commits, "list_pr_commits", inCatalogue(map[string]any{"pull_request_id": 1}))
	for _, commit := range commits.Commits {
		if strings.HasPrefix(commit.Message, "ORCH-283 Name the years a tree may rest") {
			at := 0
			for i, line := range lines {
				if strings.HasSuffix(line, ": const restYears = 5") {
					at = i + 1
				}
			}
			c.has(blame, "\n  "+commit.Hash[:11]+"  Amara Oyelaran  2026-11-26T10:03:48.000Z")
			prune["start_line"], prune["line_count"] = at, 1
			c.has(c.call("get_file_blame", prune), fmt.Sprintf("lines:\n  %d: %s", at, commit.Hash[:11]))
		}
	}
	if got := strings.Count(blame, "Amara Oyelaran"); got < 4 {
		t.Errorf("%d commits of amara made the file:\n%s", got, blame)
	}
}

// H1
func TestAnMCPServerFromNPMSearches(t *testing.T) {
	c := startNPMClient(t, "bo")
	grep := inCatalogue(map[string]any{"query": `restYears\b`, "glob": "*.go", "branch": "feature/prune", "context": 1})
	found := c.call("grep", grep)
	c.has(found, "\ncatalogue/prune.go\n", ": const restYears = 5\n", "\ncatalogue/nightly.go\n")
	if strings.Contains(found, "FALLBACK") || c.asked("/archive") != 1 {
		t.Errorf("%d archives were read:\n%s", c.asked("/archive"), found)
	}
	// What was unpacked is kept, and is all there. Of what it does not search
	// the client warns: first of every binary file, then of those that the glob
	// names.
	again := c.call("grep", grep)
	c.has(again, "engine: snapshot")
	hits := func(answer string) string {
		_, lines, _ := strings.Cut(answer, "\n")
		lines, _, _ = strings.Cut(lines, "\n\nWARNING")
		return lines
	}
	first, second := hits(found), hits(again)
	if diff := cmp.Diff(first, second); diff != "" || c.asked("/archive") != 1 {
		t.Errorf("from memory the client finds other lines (-archive +memory):\n%s", diff)
	}
	inDocs := c.call("grep", inCatalogue(map[string]any{"query": "felled", "path": "docs", "mode": "files"}))
	c.has(inDocs, "\ndocs/pruning.md", "1 files")

	c.has(c.call("grep", inCatalogue(map[string]any{"glob": "*.md", "branch": "main"})), "\nREADME.md\n", "\ndocs/pruning.md\n")
	c.has(c.call("grep", inCatalogue(map[string]any{"glob": "*.md", "path": "docs"})), "\ndocs/pruning.md")

	code := c.call("search_code", map[string]any{"workspace": "ORCH", "repository": "catalogue", "query": "reindex", "ext": "go"})
	c.has(code, `search_code "reindex" in ORCH/catalogue`, "\ncatalogue/catalogue.go\n", "func (c *Catalogue) reindex() {")
	c.has(c.call("search_code", map[string]any{"workspace": "ORCH", "query": "kilograms"}), "catalogue/prune.go", "Yield float64 // kilograms")
	// Nothing on the default branch: the client looks whether there are files
	// at all.
	c.has(c.call("search_code", inCatalogue(map[string]any{"query": "restYears"})), "0 matching lines in 0 files", "INDEX_GAP_LIKELY")

	c.has(c.call("search_repositories", map[string]any{"query": "weather"}), "ORCH/weather-station — Reads the stations between the rows")
	c.has(c.call("search_repositories", map[string]any{"query": "catalogue", "workspace": "ORCH"}), "ORCH/catalogue — The catalogue service, every tree with its seasons")
}

// H1
func TestAnMCPServerFromNPMFindsItsWay(t *testing.T) {
	c := startNPMClient(t, "amara")
	var projects struct {
		Projects []struct{ Key, Name, Description string }
	}
	c.into(&projects, "list_projects", map[string]any{})
	keys := map[string]string{}
	for _, p := range projects.Projects {
		keys[p.Key] = p.Name + ": " + p.Description
	}
	if keys["ORCH"] != "Orchard: Everything that grows, and what we know about it" || keys["VAULT"] != "" {
		t.Errorf("amara sees the projects %v", keys)
	}
	var repositories struct {
		Repositories []struct{ Slug, Project string }
	}
	c.into(&repositories, "list_repositories", map[string]any{"workspace": "ORCH"})
	var inProject []string
	for _, r := range repositories.Repositories {
		inProject = append(inProject, r.Project+"/"+r.Slug)
	}
	for _, want := range []string{"ORCH/catalogue", "ORCH/paths", "ORCH/weather-station"} {
		if !slices.Contains(inProject, want) {
			t.Errorf("%s is not among %v", want, inProject)
		}
	}
	c.into(&repositories, "list_repositories", map[string]any{"name": "scratch"})
	if got := repositories.Repositories; len(got) != 1 || got[0].Slug != "scratch" {
		t.Errorf("of that name are %+v", got)
	}
}
