package fakebb_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/drone/go-scm/scm"
	"github.com/drone/go-scm/scm/driver/stash"
	"github.com/google/go-cmp/cmp"
)

// goSCM is the stash driver of go-scm, a client that knows nothing of the fake,
// and the fake it talks to over HTTP.
type goSCM struct {
	*testing.T
	*scm.Client
	fake              *fakebb.Server
	base, contextPath string
}

// withGoSCM runs a test at the root and below a context path. Every request
// the driver makes has to meet a route.
func withGoSCM(t *testing.T, user string, test func(goSCM)) {
	t.Helper()
	for _, contextPath := range []string{"", "/bitbucket"} {
		t.Run("at "+contextPath+"/", func(t *testing.T) {
			var fake *fakebb.Server
			ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fake.ServeHTTP(w, r) }))
			defer ts.Close()
			base := ts.URL + contextPath
			fake = fakebb.New(fakebb.Options{BaseURL: base})

			client, err := stash.New(base)
			if err != nil {
				t.Fatal(err)
			}
			client.Client = &http.Client{Transport: withToken{fakebb.Token(user), ts.Client().Transport}}
			test(goSCM{t, client, fake, base, contextPath})
			for _, r := range fake.Requests() {
				if r.Note != "" {
					t.Errorf("a request met no route: %s", r)
				}
			}
		})
	}
}

// withToken sends a token with every request.
type withToken struct {
	token string
	next  http.RoundTripper
}

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return w.next.RoundTrip(r)
}

// must fails the test when the driver did.
func must[T any](t *testing.T, v T, _ *scm.Response, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const ofCatalogue = "ORCH/catalogue"

// H1
func TestGoSCMReadsRepositories(t *testing.T) {
	withGoSCM(t, "amara", func(c goSCM) {
		ctx := context.Background()
		repository, response, err := c.Repositories.Find(ctx, ofCatalogue)
		got := must(c.T, repository, response, err)
		want := &scm.Repository{
			ID: got.ID, Namespace: "ORCH", Name: "catalogue", Branch: "main", Private: true,
			Clone: c.base + "/scm/orch/catalogue.git", CloneSSH: got.CloneSSH,
			Link: c.base + "/projects/ORCH/repos/catalogue/browse",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			c.Errorf("the repository differs (-want +got):\n%s", diff)
		}
		if !strings.HasPrefix(got.CloneSSH, "ssh://git@") || !strings.HasSuffix(got.CloneSSH, "/orch/catalogue.git") {
			c.Errorf("the SSH address is %q", got.CloneSSH)
		}

		all, response, err := c.Repositories.List(ctx, scm.ListOptions{Size: 100})
		names := repositoryNames(must(c.T, all, response, err))
		for name, visible := range map[string]bool{ofCatalogue: true, "ORCH/paths": true, "~AMARA/scratch": true, "VAULT/keys": false} {
			if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) != visible {
				c.Errorf("%s among the repositories of amara: want %t, got %v", name, visible, names)
			}
		}
		lister, ok := c.Repositories.(interface {
			ListNamespace(context.Context, string, scm.ListOptions) ([]*scm.Repository, *scm.Response, error)
		})
		if !ok {
			c.Fatal("the driver cannot list the repositories of a project")
		}
		inProject, response, err := lister.ListNamespace(ctx, "ORCH", scm.ListOptions{Size: 100})
		for _, name := range repositoryNames(must(c.T, inProject, response, err)) {
			if !strings.HasPrefix(name, "ORCH/") || !slices.Contains(names, name) {
				c.Errorf("%s is in the project ORCH and not in all of %v", name, names)
			}
		}
	})
}

func repositoryNames(repositories []*scm.Repository) []string {
	var names []string
	for _, r := range repositories {
		names = append(names, r.Namespace+"/"+r.Name)
	}
	return names
}

// H1
func TestGoSCMReadsBranchesAndTags(t *testing.T) {
	withGoSCM(t, "bo", func(c goSCM) {
		ctx := context.Background()
		found, response, err := c.Git.FindBranch(ctx, ofCatalogue, "feature/prune")
		branch := must(c.T, found, response, err)
		pull, response, err := c.PullRequests.Find(ctx, ofCatalogue, 1)
		if want := must(c.T, pull, response, err).Head; *branch != want {
			c.Errorf("the branch is %v, the source of #1 %v", *branch, want)
		}
		all, response, err := c.Git.ListBranches(ctx, ofCatalogue, scm.ListOptions{Size: 100})
		branches := must(c.T, all, response, err)
		if !slices.ContainsFunc(branches, func(r *scm.Reference) bool { return *r == *branch }) {
			c.Errorf("%v is not among the branches", *branch)
		}

		// Pages of two, as the driver walks them, give the same.
		var walked []*scm.Reference
		for page := 1; page != 0; {
			some, response, err := c.Git.ListBranches(ctx, ofCatalogue, scm.ListOptions{Page: page, Size: 2})
			walked = append(walked, must(c.T, some, response, err)...)
			page = response.Page.Next
		}
		if diff := cmp.Diff(branches, walked); diff != "" {
			c.Errorf("in pages the branches differ (-one page +pages of two):\n%s", diff)
		}
		filtered, response, err := c.Git.(interface {
			ListBranchesV2(context.Context, string, scm.BranchListOptions) ([]*scm.Reference, *scm.Response, error)
		}).ListBranchesV2(ctx, ofCatalogue, scm.BranchListOptions{SearchTerm: "FEATURE/PR"})
		if diff := cmp.Diff([]*scm.Reference{branch}, must(c.T, filtered, response, err)); diff != "" {
			c.Errorf("the branches with a part of the name differ (-want +got):\n%s", diff)
		}
		if _, _, err := c.Git.FindBranch(ctx, ofCatalogue, "nosuch"); !errors.Is(err, scm.ErrNotFound) {
			c.Errorf("a branch that is not there: %v", err)
		}

		listed, response, err := c.Git.ListTags(ctx, ofCatalogue, scm.ListOptions{Size: 100})
		tags := must(c.T, listed, response, err)
		// The driver puts a name into the query as it is, so that it finds no
		// tag whose name has a + or the like.
		for _, name := range []string{"v1.0", "v1.1"} {
			found, response, err := c.Git.FindTag(ctx, ofCatalogue, name)
			tag := must(c.T, found, response, err)
			if tag.Path != "refs/tags/"+name || len(tag.Sha) != 40 {
				c.Errorf("the tag %s is %v", name, *tag)
			}
			if !slices.ContainsFunc(tags, func(r *scm.Reference) bool { return *r == *tag }) {
				c.Errorf("%v is not among the tags", *tag)
			}
		}
	})
}

// H1
func TestGoSCMReadsCommits(t *testing.T) {
	withGoSCM(t, "bo", func(c goSCM) {
		ctx := context.Background()
		all, response, err := c.Git.ListCommits(ctx, ofCatalogue, scm.CommitListOptions{Ref: "refs/heads/feature/prune"})
		commits := must(c.T, all, response, err)
		tip := commits[0]
		want := scm.Signature{
			Name: "Amara Oyelaran", Login: "amara", Email: "amara@example.com",
			Date: time.Date(2026, 11, 27, 14, 19, 37, 0, time.UTC).Local(), Avatar: tip.Author.Avatar,
		}
		if diff := cmp.Diff(want, tip.Author); diff != "" {
			c.Errorf("the author of %q differs (-want +got):\n%s", tip.Message, diff)
		}
		if !strings.HasPrefix(tip.Message, "Keep the resting years in one place\n\n") {
			c.Errorf("the newest commit is %q", tip.Message)
		}
		found, response, err := c.Git.FindCommit(ctx, ofCatalogue, tip.Sha)
		if diff := cmp.Diff(tip, must(c.T, found, response, err)); diff != "" {
			c.Errorf("the commit differs (-list +one):\n%s", diff)
		}

		some, response, err := c.Git.ListCommits(ctx, ofCatalogue, scm.CommitListOptions{Ref: tip.Sha, Path: "docs/pruning.md"})
		onPath := must(c.T, some, response, err)
		for _, commit := range onPath {
			changes, response, err := c.Git.ListChanges(ctx, ofCatalogue, commit.Sha, scm.ListOptions{Size: 1000})
			if !slices.Contains(paths(must(c.T, changes, response, err)), "docs/pruning.md") {
				c.Errorf("%q does not change docs/pruning.md", commit.Message)
			}
		}
		if len(onPath) == 0 || len(onPath) == len(commits) {
			c.Errorf("%d of %d commits changed docs/pruning.md", len(onPath), len(commits))
		}

		// Of somebody Bitbucket does not know the driver loses the name: it
		// reads displayName only, which such a person has not.
		foreign, response, err := c.Git.ListCommits(ctx, ofCatalogue, scm.CommitListOptions{Ref: tip.Sha, Path: "catalogue/index.go"})
		for _, commit := range must(c.T, foreign, response, err) {
			if commit.Author.Email != "gala@pippin.example" || commit.Author.Name != "" || commit.Author.Login != "" {
				c.Errorf("the author of %q is %+v", commit.Message, commit.Author)
			}
		}
	})
}

// H1
func TestGoSCMReadsFiles(t *testing.T) {
	withGoSCM(t, "bo", func(c goSCM) {
		ctx := context.Background()
		for ref, want := range map[string]string{
			"refs/heads/main":          "A tree leaves it when it was felled.",
			"refs/heads/feature/prune": "or when it has borne nothing for five years.",
		} {
			file, response, err := c.Contents.Find(ctx, ofCatalogue, "docs/pruning.md", ref)
			if got := string(must(c.T, file, response, err).Data); !strings.HasPrefix(got, "# Pruning\n") || !strings.Contains(got, want) {
				c.Errorf("docs/pruning.md at %s is %q", ref, got)
			}
		}
		// Every file is a file to the driver, its paths are those of the whole
		// repository when no folder is asked for.
		list, response, err := c.Contents.List(ctx, ofCatalogue, "", "refs/heads/main", scm.ListOptions{Size: 1000})
		var all, below []string
		for _, file := range must(c.T, list, response, err) {
			all = append(all, file.Path)
			if rest, ok := strings.CutPrefix(file.Path, "catalogue/"); ok {
				below = append(below, rest)
			}
		}
		for _, want := range []string{"README.md", "go.mod", ".gitignore", "catalogue/prune.go", "docs/pruning.md"} {
			if !slices.Contains(all, want) {
				c.Errorf("%s is not among the files %v", want, all)
			}
		}
		list, response, err = c.Contents.List(ctx, ofCatalogue, "catalogue", "refs/heads/main", scm.ListOptions{Size: 1000})
		var folder []string
		for _, file := range must(c.T, list, response, err) {
			folder = append(folder, file.Path)
		}
		if diff := cmp.Diff(below, folder); diff != "" {
			c.Errorf("the files of the folder differ (-of all files +of the folder):\n%s", diff)
		}
		if _, response, err := c.Contents.Find(ctx, ofCatalogue, "nosuch.md", "refs/heads/main"); response.Status != http.StatusNotFound {
			c.Errorf("a file that is not there: %d, %v", response.Status, err)
		}
	})
}

// H1
func TestGoSCMKnowsWhoItIs(t *testing.T) {
	withGoSCM(t, "zoe", func(c goSCM) {
		user, response, err := c.Users.Find(context.Background())
		got := must(c.T, user, response, err)
		want := &scm.User{Login: "zoe", Name: "Zoë Åström", Email: "zoe@example.com", Avatar: got.Avatar}
		if diff := cmp.Diff(want, got); diff != "" {
			c.Errorf("who am I differs (-want +got):\n%s", diff)
		}
	})
}

// The driver takes the name that whoami answers for a slug. Of a name with an @
// it knows better and searches, but puts the name into the query as it is, so
// that the + of this one arrives as a space; and it forgets the context path.
func TestGoSCMAsksForANameThatIsNoSlug(t *testing.T) {
	fake := fakebb.New(fakebb.Options{})
	ts := httptest.NewServer(fake)
	defer ts.Close()
	client, err := stash.New(ts.URL)
	if err != nil {
		t.Fatal(err)
	}
	client.Client = &http.Client{Transport: withToken{fakebb.Token("dalia+ops@example.com"), ts.Client().Transport}}
	if _, _, err := client.Users.Find(context.Background()); !errors.Is(err, scm.ErrNotFound) {
		t.Errorf("found, or %v", err)
	}
	var asked []string
	for _, r := range fake.Requests() {
		asked = append(asked, r.String())
	}
	want := []string{
		"GET /plugins/servlet/applinks/whoami 200 dalia+ops@example.com",
		"GET /rest/api/1.0/users/dalia+ops@example.com 404 dalia+ops@example.com",
		"GET /rest/api/1.0/users?filter=dalia+ops@example.com 200 dalia+ops@example.com",
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("the requests differ (-want +got):\n%s", diff)
	}
}

// The driver cannot read builds: it can store them only.
func TestGoSCMHasNoListOfBuilds(t *testing.T) {
	client, err := stash.New(fakebb.DefaultBaseURL)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := client.Repositories.ListStatus(context.Background(), ofCatalogue, tip, scm.ListOptions{}); !errors.Is(err, scm.ErrNotSupported) {
		t.Errorf("listing builds: %v; if it can now, compare them with the scenario", err)
	}
}
