package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/server"
)

const reviewersTool = "suggest_reviewers"

func inCatalogue(more string) string { return `{"project":"ORCH","repo":"catalogue"` + more + `}` }

// why are the people of an answer with their reasons.
func why(a server.ReviewersAnswer) []string {
	list := []string{}
	for _, r := range a.Reviewers {
		var reasons []string
		for _, w := range r.Why {
			reasons = append(reasons, strings.TrimSpace(w.Reason+" "+w.Of))
		}
		list = append(list, r.Name+": "+strings.Join(reasons, "; "))
	}
	return list
}

func TestEachReviewerIsSuggestedOnceWithEveryReasonAndNeverTheAuthor(t *testing.T) {
	p, o := listen(t, "bo", nil)
	a, text := good[server.ReviewersAnswer](t, p, reviewersTool, onPullRequest(1, ``))
	const main = "DEFAULT_REVIEWER any branch → main, of the repository"
	if diff := cmp.Diff([]string{
		"bo: " + main + "; CODE_OWNER; REVIEWER_GROUP Pruners",
		"chen: " + main + "; CODE_OWNER; REVIEWER_GROUP Pruners",
		"jorgen: CODE_OWNER; REVIEWER_GROUP Pruners",
		"sigrun: CODE_OWNER; REVIEWER_GROUP Pruners",
		"zoe: REVIEWER_GROUP Frost watch",
		"dalia+ops@example.com: REVIEWER_GROUP Frost watch",
	}, why(a)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a.Author != "amara" || !strings.Contains(text, "\"Amara Oyelaran\" (amara) is left out as its author") {
		t.Errorf("the author is %q:\n%s", a.Author, text)
	}
	if a.Reviewers[0].Status != "APPROVED" || a.Reviewers[1].Status != "NEEDS_WORK" || a.Reviewers[4].Status != "" || !strings.Contains(text, "already a reviewer (changes requested)") {
		t.Errorf("how they stand: %+v", a.Reviewers)
	}
	if asked := o.forget(); len(asked) != 6 {
		t.Errorf("%d requests: %q", len(asked), asked)
	}
	// amara is in Frost watch, and the author here is another.
	a, _ = good[server.ReviewersAnswer](t, p, reviewersTool, onPullRequest(11, ``))
	if a.Author != "zoe" || !slices.ContainsFunc(a.Reviewers, func(r server.SuggestedReviewer) bool { return r.Name == "amara" }) {
		t.Errorf("#11: author %q, %q", a.Author, why(a))
	}
}

// REST-14, REST-22 of bug-log.md
func TestABranchIsFoundByItsExactNameAndQualifiedForTheEndpointsThatNeedIt(t *testing.T) {
	p, o := listen(t, "amara", nil)
	for _, name := range []string{"feature/frost-table", "refs/heads/feature/frost-table"} {
		a, _ := good[server.ReviewersAnswer](t, p, reviewersTool, inCatalogue(fmt.Sprintf(`,"source":%q,"target":"release/2026.11"`, name)))
		if a.Author != "amara" { // who would open it
			t.Errorf("author %q", a.Author)
		}
		if got := why(a)[1]; got != "dalia+ops@example.com: DEFAULT_REVIEWER pattern feature/frost* → any branch, of the repository; CODE_OWNER; REVIEWER_GROUP Frost watch" {
			t.Errorf("%s: %s", name, got)
		}
		asked := o.forget()
		if len(asked) != 8 {
			t.Errorf("%d requests: %q", len(asked), asked)
		}
		for _, endpoint := range []string{"/reviewers?", "/code-owners?"} {
			i := slices.IndexFunc(asked, func(r string) bool { return strings.Contains(r, endpoint) && !strings.Contains(r, "settings") })
			if i < 0 {
				t.Fatalf("%s was not asked: %q", endpoint, asked)
			}
			_, query, _ := strings.Cut(asked[i], "?")
			q, _ := url.ParseQuery(query)
			if q.Get("sourceRefId") != "refs/heads/feature/frost-table" || q.Get("targetRefId") != "refs/heads/release/2026.11" {
				t.Errorf("%s: %q", endpoint, q)
			}
			if endpoint == "/reviewers?" && (q.Get("sourceRepoId") != "1101" || q.Get("targetRepoId") != "1101") {
				t.Errorf("%s: %q", endpoint, q)
			}
		}
	}
	for arguments, want := range map[string]string{
		`,"source":"feature/frost","target":"main"`:       `source: ORCH/catalogue has no branch "feature/frost"; names like it: "feature/frost-table"`,
		`,"source":"feature/frost-table","target":"v1.0"`: `target: ORCH/catalogue has no branch "v1.0"`,
		`,"source":"main","target":"main"`:                "the same branch",
		`,"source":"main"`:                                "source and target go together",
		`,"target":"main"`:                                "source and target go together",
		`,"id":1,"source":"x","target":"main"`:            "give id alone",
		``:                                                "say for what",
		`,"text":"  "`:                                    "say for what",
		`,"source":"x","target":"main","sourceRepo":"catalogue"`:                "sourceProject and sourceRepo go together",
		`,"text":"x","sourceProject":"~zoe","sourceRepo":"x"`:                   "say where source is",
		`,"source":"x","target":"main","sourceProject":"NONE","sourceRepo":"x"`: "Check the project key",
	} {
		if got := bad(t, p, reviewersTool, inCatalogue(arguments)); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q in it", arguments, got, want)
		}
	}
	if got := bad(t, p, reviewersTool, `{"project":"ORCH","repo":"paths","source":"FEATURE/x","target":"main"}`); !strings.Contains(got, `names like it: "feature/x", "Feature/X"`) &&
		!strings.Contains(got, `names like it: "Feature/X", "feature/x"`) {
		t.Errorf("letter case: %s", got)
	}
}

func TestReviewersOfAPullRequestFromAFork(t *testing.T) {
	p, o := listen(t, "amara", nil)
	arguments := inCatalogue(`,"source":"wasp-warning","target":"main","sourceProject":"~zoe","sourceRepo":"catalogue"`)
	if _, text := good[server.ReviewersAnswer](t, p, reviewersTool, arguments); !strings.Contains(text, `from "~zoe/catalogue:wasp-warning" to "main"`) {
		t.Error(text)
	}
	if asked := o.forget(); !slices.ContainsFunc(asked, func(r string) bool {
		return strings.Contains(r, "/code-owners?") && strings.Contains(r, "sourceRepo=~ZOE%2Fcatalogue")
	}) || len(asked) != 9 {
		t.Errorf("%d requests: %q", len(asked), asked)
	}
	// T3: a fork is a place too.
	w := newWorld(t, "amara", func(o *server.Options) { o.Projects = []string{"ORCH"} })
	if got := bad(t, w.connect(t, "modern", `{}`), reviewersTool, arguments); !strings.Contains(got, "outside") {
		t.Errorf("a fork outside the scope: %s", got)
	}
}

// answers.md 19: how a model finds the login of a person.
func TestATextFindsThePeopleWhoMayReadTheRepository(t *testing.T) {
	p, o := listen(t, "bo", nil)
	a, text := good[server.ReviewersAnswer](t, p, reviewersTool, inCatalogue(`,"text":"Åström"`))
	if diff := cmp.Diff([]string{"zoe: REVIEWER_GROUP Frost watch; NAME_MATCHES"}, why(a)); diff != "" || *a.Count.Total != 1 || !strings.Contains(text, "\"Zoë Åström\" (zoe)") {
		t.Errorf("(-want +got):\n%s\n%s", diff, text)
	}
	asked := o.forget()
	if len(asked) != 3 || !slices.ContainsFunc(asked, func(r string) bool {
		_, query, _ := strings.Cut(r, "?")
		q, _ := url.ParseQuery(query)
		return q.Get("filter") == "Åström" && q.Get("permission.1") == "REPO_READ" && q.Get("permission.1.projectKey") == "ORCH" && q.Get("permission.1.repositorySlug") == "catalogue"
	}) {
		t.Errorf("requests: %q", asked)
	}
	// With a pull request its author is no reviewer, whatever the text.
	if a, _ := good[server.ReviewersAnswer](t, p, reviewersTool, onPullRequest(1, `,"text":"amara"`)); len(a.Reviewers) != 0 || *a.Count.Total != 0 {
		t.Errorf("%q", why(a))
	}
	if a, text := good[server.ReviewersAnswer](t, p, reviewersTool, inCatalogue(`,"text":"nobody at all"`)); len(a.Reviewers) != 0 || !strings.HasPrefix(text, "Nobody whose name") {
		t.Error(text)
	}
	p, _ = listen(t, "bo", func(r *http.Request) (int, string) {
		path := r.URL.Path
		if strings.HasSuffix(path, "/users") {
			return 500, `{"errors":[{"message":"A database error has occurred."}]}`
		}
		return 0, ""
	})
	if got := bad(t, p, reviewersTool, inCatalogue(`,"text":"x"`)); !strings.Contains(got, "A database error") {
		t.Error(got)
	}
}

// PAGING-01 of bug-log.md
func TestReviewersAreListedToALimitAndFromAStart(t *testing.T) {
	p, _ := listen(t, "bo", nil)
	a, text := good[server.ReviewersAnswer](t, p, reviewersTool, onPullRequest(1, `,"limit":2,"start":1`))
	if len(a.Reviewers) != 2 || a.Reviewers[0].Name != "chen" || !a.LimitReached || a.NextStart != 3 || *a.Count.Total != 6 || !strings.HasPrefix(text, "2 of 6 people") {
		t.Errorf("%+v\n%s", a, text)
	}
	if a, _ := good[server.ReviewersAnswer](t, p, reviewersTool, onPullRequest(1, `,"start":60`)); len(a.Reviewers) != 0 || a.LimitReached {
		t.Errorf("%+v", a)
	}
}

func TestWhatCannotBeAskedOfReviewersIsNamedAndTheNumberIsNotClaimed(t *testing.T) {
	for word, want := range map[string]struct {
		status    int
		body      string
		part, why string
		counted   bool
	}{
		"/code-owners":                              {404, `{"message":"null for uri: x","status-code":404}`, "codeOwners", "this Bitbucket gives code owners to its own pages only", false},
		"/ORCH/settings/reviewer-groups":            {401, `{"errors":[{"message":"You are not permitted to access this resource","exceptionName":"com.atlassian.bitbucket.AuthorisationException"}]}`, "projectReviewerGroups", "You are not permitted to access this resource", false},
		"/repos/catalogue/settings/reviewer-groups": {500, `{"errors":[{"message":"Broken."}]}`, "reviewerGroups", "Broken", false},
		"/conditions":                               {500, `{"errors":[{"message":"Broken."}]}`, "defaultReviewerConditions", "Broken", true},
		"/reviewers":                                {500, `{"errors":[{"message":"Broken."}]}`, "defaultReviewers", "Broken", false},
	} {
		p, _ := listen(t, "bo", func(r *http.Request) (int, string) {
			path := r.URL.Path
			if strings.HasSuffix(path, word) {
				return want.status, want.body
			}
			return 0, ""
		})
		a, text := good[server.ReviewersAnswer](t, p, reviewersTool, onPullRequest(1, ``))
		if diff := cmp.Diff([]server.UnavailablePart{{Part: want.part, Why: want.why}}, a.Unavailable); diff != "" || (a.Count.Total != nil) != want.counted || !strings.Contains(text, `"`+want.why+`".`) {
			t.Errorf("%s (-want +got):\n%s\n%+v\n%s", word, diff, a.Count, text)
		}
		if len(a.Reviewers) == 0 {
			t.Errorf("%s: the rest is not answered", word)
		}
	}
}

// T6
func TestAPersonWithVeryManyReasonsDoesNotFillTheAnswer(t *testing.T) {
	var groups []string
	for i := range 900 {
		groups = append(groups, fmt.Sprintf(`{"id":%d,"name":%q,"users":[{"name":"eve","displayName":"Eve"}]}`, i, fmt.Sprint(i, strings.Repeat("<", 1000))))
	}
	p, _ := listen(t, "bo", func(r *http.Request) (int, string) {
		path := r.URL.Path
		if strings.HasSuffix(path, "/ORCH/settings/reviewer-groups") {
			return 200, onePage(groups...)
		}
		return 0, ""
	})
	a, text := good[server.ReviewersAnswer](t, p, reviewersTool, onPullRequest(1, ``))
	eve := a.Reviewers[len(a.Reviewers)-1]
	if eve.Name != "eve" || len(eve.Why) != 10 || eve.MoreWhy != 890 || !strings.Contains(text, "890 more reasons") {
		t.Errorf("%s has %d reasons and %d more", eve.Name, len(eve.Why), eve.MoreWhy)
	}
}
