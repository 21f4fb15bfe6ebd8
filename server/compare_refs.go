package server

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

func compareRefsTool() Tool {
	return define(Tool{
		Name:  "compare_refs",
		Title: "Compare refs",
		Scope: scopeRule{places: []placeArguments{{"project", "repo", true}, {"sourceProject", "sourceRepo", false}}},
		Description: "Lists the commits that source has and target lacks, and the files source changed since they parted. " +
			"What target has and source lacks is not in it: swap the two for that.",
	}, func(in *jsonschema.Schema) {
		named(in, "project", "repo")
		between(in, "limit", 1, maxLimit, defaultLimit)
		between(in, "start", 0, 0, 0)
	}, func(ctx context.Context, s *Server, in Comparison) (report[ComparisonAnswer], error) {
		a, err := s.Compare(ctx, in)
		return listReport(a), err
	})
}

// Comparison names two refs. They pass to Bitbucket as they are: a tag or a
// commit must not be taken for a branch (bug-log.md REST-14).
type Comparison struct {
	Project       string `json:"project"`
	Repo          string `json:"repo"`
	Source        string `json:"source,omitempty" jsonschema:"Branch, tag or commit; else the default branch"`
	Target        string `json:"target,omitempty" jsonschema:"Branch, tag or commit; else the default branch"`
	SourceProject string `json:"sourceProject,omitempty" jsonschema:"Of the fork that source is in"`
	SourceRepo    string `json:"sourceRepo,omitempty"`
	Limit         int    `json:"limit,omitempty" jsonschema:"Of commits, and of files"`
	Start         int    `json:"start,omitempty"`
}

// check says what does not fit together.
func (c Comparison) check() error {
	if (c.SourceProject == "") != (c.SourceRepo == "") {
		return errors.New("sourceProject and sourceRepo go together: they name the fork that source is in")
	}
	if c.SourceProject == "" && c.Source == c.Target {
		if c.Source == "" {
			return errors.New("give source or target, or both: the default branch would be compared with itself")
		}
		return fmt.Errorf("source and target are both %q; name two", c.Source)
	}
	return nil
}

// ComparisonAnswer is what source has and target lacks.
type ComparisonAnswer struct {
	Project      string        `json:"project"`
	Repo         string        `json:"repo"`
	CommitCount  Count         `json:"commitCount"`
	Commits      []CommitEntry `json:"commits" jsonschema:"Newest first"`
	FileCount    Count         `json:"fileCount"`
	Files        []ChangedFile `json:"files" jsonschema:"Changed by source"`
	LimitReached bool          `json:"limitReached" jsonschema:"True when there are more"`
	NextStart    int           `json:"nextStart,omitempty"`

	of             Comparison
	commits, files Page
}

// Compare answers a comparison in two requests side by side.
func (s *Server) Compare(ctx context.Context, c Comparison) (ComparisonAnswer, error) {
	a := ComparisonAnswer{Project: c.Project, Repo: c.Repo, Commits: []CommitEntry{}, Files: []ChangedFile{}, of: c}
	if err := c.check(); err != nil {
		return a, err
	}
	r := bitbucket.Range{Source: c.Source, Target: c.Target}
	if c.SourceRepo != "" {
		r.SourceRepository = c.SourceProject + "/" + c.SourceRepo
	}
	limit := limitOf(c.Limit)
	var commits bitbucket.Listing[bitbucket.Commit]
	var files bitbucket.Listing[bitbucket.Change]
	err := together(ctx, func(ctx context.Context) (err error) {
		commits, err = s.o.Bitbucket.CompareCommits(ctx, c.Project, c.Repo, r, c.Start, limit)
		return err
	}, func(ctx context.Context) (err error) {
		files, err = s.o.Bitbucket.CompareChanges(ctx, c.Project, c.Repo, r, c.Start, limit)
		return err
	})
	if err != nil {
		return a, about(fmt.Sprintf("comparison in %s/%s of source %s with target %s", c.Project, c.Repo, refName(c.Source), refName(c.Target)), err)
	}
	a.Commits, a.commits = commitEntries(commits.Values), pageOf(commits, c.Start)
	a.Files, a.files = changedFiles(files.Values), pageOf(files, c.Start)
	a.settle()
	return a, nil
}

// refName is a ref as it was given.
func refName(name string) string {
	if name == "" {
		return "(the default branch)"
	}
	return quote.Name(name)
}

// settle takes over what the two lists say of themselves. Both go on where the
// first of them stopped: the other repeats some at worst and loses none.
func (a *ComparisonAnswer) settle() {
	a.CommitCount, a.FileCount = a.commits.Count, a.files.Count
	a.LimitReached, a.NextStart = false, 0
	for _, p := range []Page{a.commits, a.files} {
		if p.LimitReached && (!a.LimitReached || p.NextStart < a.NextStart) {
			a.LimitReached, a.NextStart = true, p.NextStart
		}
	}
}

// length is that of the longer list: both are cut to as many entries.
func (a *ComparisonAnswer) length() int { return max(len(a.Commits), len(a.Files)) }

func (a *ComparisonAnswer) keep(n int) {
	if n < len(a.Commits) {
		a.Commits = a.Commits[:n]
		a.commits.keep(n)
	}
	if n < len(a.Files) {
		a.Files = a.Files[:n]
		a.files.keep(n)
	}
	a.settle()
}

// text is the answer as a report for a model.
func (a *ComparisonAnswer) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	source, target := refName(a.of.Source), refName(a.of.Target)
	if a.of.SourceRepo != "" {
		source += fmt.Sprintf(" of %s/%s", a.of.SourceProject, a.of.SourceRepo)
	}
	line("In %s/%s, source %s compared with target %s.", a.Project, a.Repo, source, target)
	switch {
	case len(a.Commits) == 0 && a.commits.start > 0:
		line("The list of commits ends before start %d.", a.commits.start)
	case len(a.Commits) == 0:
		line("Source has no commit that target lacks. Whether target has some that source lacks is another question: swap the two.")
	default:
		line("%s that source has and target lacks, newest first:", a.commits.of(len(a.Commits), "commit", "commits"))
		for _, c := range a.Commits {
			line("- %s", c.words())
		}
	}
	b.WriteString(filesText(a.Files, a.files, "by source since the two parted"))
	if a.LimitReached {
		line("There are more; go on with start %d.", a.NextStart)
	}
	return strings.TrimRight(b.String(), "\n")
}
