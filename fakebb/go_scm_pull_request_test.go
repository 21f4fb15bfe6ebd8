package fakebb_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drone/go-scm/scm"
	"github.com/google/go-cmp/cmp"
)

// H1
func TestGoSCMReadsChanges(t *testing.T) {
	withGoSCM(t, "bo", func(c goSCM) {
		ctx := context.Background()
		listed, response, err := c.PullRequests.ListChanges(ctx, ofCatalogue, 1, scm.ListOptions{})
		changes := must(c.T, listed, response, err)
		for _, want := range []scm.Change{{Path: "catalogue/prune.go"}, {Path: "catalogue/lineage_test.go", Added: true}, {Path: "docs/pruning.md"}} {
			if !slices.ContainsFunc(changes, func(got *scm.Change) bool { return *got == want }) {
				c.Errorf("%+v is not among the changes of #1: %v", want, paths(changes))
			}
		}
		pull, response, err := c.PullRequests.Find(ctx, ofCatalogue, 1)
		refs := must(c.T, pull, response, err)
		compared, response, err := c.Git.CompareChanges(ctx, ofCatalogue, refs.Head.Sha, refs.Base.Sha, scm.ListOptions{Size: 1000})
		if diff := cmp.Diff(changes, must(c.T, compared, response, err)); diff != "" {
			c.Errorf("what the branch has and its target lacks differs (-pull request +comparison):\n%s", diff)
		}

		// The driver says neither where a moved file was nor that one was
		// copied. Of a pull request it reads the first 25 changes only.
		pull, response, err = c.PullRequests.Find(ctx, ofCatalogue, 9)
		refs = must(c.T, pull, response, err)
		listed, response, err = c.Git.CompareChanges(ctx, ofCatalogue, refs.Head.Sha, refs.Base.Sha, scm.ListOptions{Size: 1000})
		var added, renamed, deleted int
		for _, change := range must(c.T, listed, response, err) {
			switch {
			case change.Added:
				added++
			case change.Renamed:
				renamed++
			case change.Deleted:
				deleted++
			}
		}
		if added == 0 || renamed == 0 || deleted == 0 {
			c.Errorf("#9 adds %d files, moves %d and deletes %d; want some of each", added, renamed, deleted)
		}
	})
}

func paths(changes []*scm.Change) []string {
	var all []string
	for _, change := range changes {
		all = append(all, change.Path)
	}
	return all
}

// H1
func TestGoSCMReadsPullRequests(t *testing.T) {
	withGoSCM(t, "bo", func(c goSCM) {
		ctx := context.Background()
		found, response, err := c.PullRequests.Find(ctx, ofCatalogue, 1)
		got := must(c.T, found, response, err)
		want := &scm.PullRequest{
			Number: 1, Title: "Prune the catalogue before the frost", Body: got.Body,
			Sha: got.Head.Sha, Ref: "refs/pull-requests/1/from", Source: "feature/prune", Target: "main", Fork: ofCatalogue,
			Link: c.base + "/projects/ORCH/repos/catalogue/pull-requests/1",
			Head: scm.Reference{Name: "feature/prune", Path: "refs/heads/feature/prune", Sha: got.Head.Sha},
			Base: scm.Reference{Name: "main", Path: "refs/heads/main", Sha: got.Base.Sha},
			Author: scm.User{
				Login: "amara", Name: "Amara Oyelaran", Email: "amara@example.com", Avatar: got.Author.Avatar,
			},
			// The driver reads whole seconds.
			Created: time.Date(2026, 11, 25, 9, 12, 4, 0, time.UTC).Local(),
			Updated: time.Date(2026, 11, 27, 14, 20, 0, 0, time.UTC).Local(),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			c.Errorf("#1 differs (-want +got):\n%s", diff)
		}
		if !strings.HasPrefix(got.Body, "Removes trees that have not borne fruit since `2021`") {
			c.Errorf("the description is %q", got.Body)
		}
		branch, response, err := c.Git.FindBranch(ctx, ofCatalogue, "main")
		if sha := must(c.T, branch, response, err).Sha; sha != got.Base.Sha {
			c.Errorf("main is at %s, the target of #1 at %s", sha, got.Base.Sha)
		}

		commits, response, err := c.PullRequests.ListCommits(ctx, ofCatalogue, 1, scm.ListOptions{})
		all := must(c.T, commits, response, err)
		if all[0].Sha != got.Sha || all[len(all)-1].Message != "Return how many trees were pruned" {
			c.Errorf("#1 has the commits from %q to %q", all[len(all)-1].Message, all[0].Message)
		}

		list, response, err := c.PullRequests.List(ctx, ofCatalogue, scm.PullRequestListOptions{Size: 100, Open: true})
		open := must(c.T, list, response, err)
		i := slices.IndexFunc(open, func(p *scm.PullRequest) bool { return p.Number == 1 })
		if i < 0 {
			c.Fatal("#1 is not among the open pull requests")
		}
		if diff := cmp.Diff(got, open[i]); diff != "" {
			c.Errorf("#1 differs (-one +list):\n%s", diff)
		}
		if slices.ContainsFunc(open, func(p *scm.PullRequest) bool { return p.Closed || p.Merged }) {
			c.Error("a closed pull request is among the open ones")
		}

		merged, response, err := c.PullRequests.Find(ctx, ofCatalogue, 2)
		second := must(c.T, merged, response, err)
		if !second.Merged || !second.Closed {
			c.Errorf("#2 is merged %t and closed %t", second.Merged, second.Closed)
		}
		// The driver looks for the merge commit where only the answer to a merge
		// has it.
		if second.Merge != "" {
			c.Errorf("the commit that merged #2 is %q: compare it with the activity", second.Merge)
		}
		declined, response, err := c.PullRequests.Find(ctx, ofCatalogue, 3)
		if third := must(c.T, declined, response, err); third.Merged || !third.Closed {
			c.Errorf("#3 is merged %t and closed %t", third.Merged, third.Closed)
		}
	})
}

// H1
func TestGoSCMReadsAComment(t *testing.T) {
	withGoSCM(t, "bo", func(c goSCM) {
		// The driver cannot list comments, but it can read one.
		if _, _, err := c.PullRequests.ListComments(context.Background(), ofCatalogue, 1, scm.ListOptions{}); !errors.Is(err, scm.ErrNotSupported) {
			c.Errorf("listing comments: %v", err)
		}
		id := 0
		activities := get(c.T, c.fake, "bo", c.contextPath+first+"/activities?limit=500")
		for _, a := range values[struct {
			Comment struct {
				ID   int
				Text string
			}
		}](c.T, activities) {
			if strings.HasPrefix(a.Comment.Text, "I like that the archive keeps the seasons.") {
				id = a.Comment.ID
			}
		}
		comment, response, err := c.PullRequests.FindComment(context.Background(), ofCatalogue, 1, id)
		got := must(c.T, comment, response, err)
		created := time.Date(2026, 11, 25, 11, 3, 17, 0, time.UTC).Local()
		want := &scm.Comment{
			ID: id, Body: "I like that the archive keeps the seasons. How long does the pruning take on the whole catalogue?",
			Author:  scm.User{Login: "bo", Name: "Bo Lindqvist", Email: "bo@example.com", Avatar: got.Author.Avatar},
			Created: created, Updated: created,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			c.Errorf("the comment differs (-want +got):\n%s", diff)
		}
	})
}
