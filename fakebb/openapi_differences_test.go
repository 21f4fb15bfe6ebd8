package fakebb

import "regexp"

// openAPIDifference is a place where a real server answers otherwise than the
// document says.
type openAPIDifference struct {
	// operation and place are regular expressions of the whole of each: GET
	// /api/latest/users and $.values[].id.
	operation, place string
	evidence         string
	// schema is the document's schema that holds for what is there instead, or
	// for each element when it is a list. Empty: nothing is compared there.
	schema string
}

func (d openAPIDifference) is(operation, place string) bool {
	return wholly(d.operation, operation) && wholly(d.place, place)
}

var compiled = map[string]*regexp.Regexp{}

// wholly reports whether an expression matches all of a text.
func wholly(expression, text string) bool {
	if compiled[expression] == nil {
		compiled[expression] = regexp.MustCompile("^(?:" + expression + ")$")
	}
	return compiled[expression].MatchString(text)
}

const (
	anywhere     = `GET .*`
	inAPullThere = `GET .*/pull-requests/\{pullRequestId\}`
	pullLists    = `GET .*/(dashboard/)?pull-requests`
)

// openAPIDifferences are all of them. [L fix] in bitbucket-rest.md marks what
// others had to correct in the document, too.
var openAPIDifferences = []openAPIDifference{
	{anywhere, `\$(\.values\[\]|\.origin|\.fromRef|\.toRef|\.repository|\.project)*\.owner`,
		"bitbucket-rest.md 4 [F]: the owner of a personal project, error-409-out-of-date-with-pr.json", "RestApplicationUser"},
	{anywhere, `\$\.nextPageStart`,
		"bitbucket-rest.md 2 [P][F]: a streamed resource has null on its last page", ""},

	{`GET .*/webhooks/\{webhookId\}`, `\$\.(id|createdDate|updatedDate)`,
		"drone/go-scm's recorded webhook [F]: a webhook has an id and dates", ""},
	{`GET /access-tokens/.*`, `\$\.values\[\]\.createdDate`,
		"bitbucket-rest.md 4 [F]: dates are numbers of milliseconds", ""},

	// Users.
	{`GET /api/latest/users`, `\$\.values`,
		"bitbucket-rest.md 5.2 [L fix]: a page of users, not one", "RestApplicationUser"},
	{`GET /api/latest/users`, `\$\.(size|limit|isLastPage|start)`,
		"bitbucket-rest.md 5.2 [L fix]: a page of users, not one", ""},

	{`GET .*/diff-stats-summary.*`, `\$\.(filesChanged|linesAdded|linesRemoved)`,
		"bitbucket-rest.md 10.10 [I]: the document has a diff there, or nothing at all", ""},

	// Branches and files.
	{`GET .*/branches(/default)?`, `\$(\.values\[\])?\.isDefault`,
		"bitbucket-rest.md 7 [P][L fix]: default in the document, shape-9416-branches-details.json", ""},
	{`GET .*/branches`, `\$\.values\[\]\.metadata`,
		"bitbucket-rest.md 7 [P]: of plugins, shape-9416-branches-details.json", ""},
	{`GET .*/last-modified.*`, `\$\.(latestCommit|files\..*)`,
		"bitbucket-rest.md 8.4 [P][F]: the document has an example for a schema, last-modified.json", "RestCommit"},

	// Repositories.
	{`GET .*/labels`, `\$\.values`,
		"bitbucket-rest.md 6 [O][P]: a page of labels, not one", "RestLabel"},
	{`GET .*/labels`, `\$\.(size|limit|isLastPage|start)`,
		"bitbucket-rest.md 6 [O][P]: a page of labels, not one", ""},
	{`GET .*/settings/pull-requests.*`, `\$\.(requiredApprovers|requiredSuccessfulBuilds)`,
		"bitbucket-rest.md 17 [A]: numbers, pr-settings-merge-strategies.json", ""},
	{`GET .*/settings/pull-requests.*`, `\$\.(needsWork|com\.atlassian\.bitbucket\.server\..*:required(Approvers|Builds))`,
		"bitbucket-rest.md 17 [A], pr-settings-merge-strategies.json", ""},

	// Pull requests.
	{inAPullThere, `\$\.author`,
		"bitbucket-rest.md 10.1 [P], shape-9416-pr-get.json", "RestPullRequestParticipant"},
	{pullLists, `\$\.values\[\]\.author`,
		"bitbucket-rest.md 10.1 [P], shape-9416-pr-list.json", "RestPullRequestParticipant"},
	{pullLists, `\$\.values\[\]\.properties`,
		"bitbucket-rest.md 10.1 [P], shape-9416-pr-list.json", ""},
	{inAPullThere + `/merge`, `\$\.canMerge`,
		"bitbucket-rest.md 10.7 [P], shape-9416-merge-check.json", ""},

	// Activities: the document knows only what all kinds have.
	{inAPullThere + `/activities`, `\$\.values\[\]\.(added|removed)Reviewers`,
		"bitbucket-rest.md 11 [S][J], vcr-activities-all-states.json", "RestApplicationUser"},
	{inAPullThere + `/activities`, `\$\.values\[\]\.comment`,
		"bitbucket-rest.md 11 [S][F], shape-9416-activities-rescoped-comment.json", "RestComment"},
	{inAPullThere + `/activities`, `\$\.values\[\]\.commentAnchor`,
		"bitbucket-rest.md 11 [F], activities-inline-comment-with-diff.json", "RestCommentThreadDiffAnchor"},
	{inAPullThere + `/activities`, `\$\.values\[\]\.diff`,
		"bitbucket-rest.md 11 [F], activities-inline-comment-with-diff.json", "RestDiff"},
	{inAPullThere + `/activities`, `\$\.values\[\]\.commit`,
		"bitbucket-rest.md 11 [S], vcr-activities-all-states.json", "RestCommit"},
	{inAPullThere + `/activities`, `\$\.values\[\]\.(added|removed|commentAction|fromHash|previousFromHash|previousToHash|toHash)`,
		"bitbucket-rest.md 11 [P][F], shape-9416-activities-rescoped-comment.json", ""},

	// Changes and diffs, wherever they are.
	{`GET .*/diff(/?\{path\})?`, `\$\.diffs`,
		"bitbucket-rest.md 13 [A][F]: a diff of several files, diff-9x-vendor-mock.json", "RestDiff"},
	{`GET .*/diff(/?\{path\})?`, `\$\.(fromHash|toHash|contextLines|whitespace)`,
		"bitbucket-rest.md 13 [A][F]: a diff of several files, diff-9x-vendor-mock.json", ""},
	{inAPullThere + `/changes`, `\$\.values`,
		"bitbucket-rest.md 10.9 [P][F]: a page of changes, not one, pr-changes-conflict.json", "RestChange"},
	{inAPullThere + `/changes`, `\$\.(size|limit|isLastPage|start)`,
		"bitbucket-rest.md 10.9 [P][F]: a page of changes, not one, pr-changes-conflict.json", ""},
	{`GET .*/changes`, `\$\.(fromHash|toHash|properties)`,
		"bitbucket-rest.md 2 [P][F]: what the changes are between, commit-changes-rename.json", ""},
	{`GET .*changes`, `\$\.values\[\]\.properties`,
		"bitbucket-rest.md 9 [F]: the word of git, commit-changes-rename.json", ""},
	{anywhere, `\$(\..*)?\.(source|destination)`,
		"bitbucket-rest.md 13 [F]: null of a file that was added or deleted, diff-add-delete-context.json", ""},

	// Paths, everywhere.
	{anywhere, `\$(\..*)?\.toString`,
		"bitbucket-rest.md 4 [F]: every path has one, commit-changes-rename.json", ""},

	// Comments.
	{anywhere, `\$(\..*)?\.(anchor|commentAnchor)\.(path|srcPath)`,
		"bitbucket-rest.md 12 [F][A]: strings, comment-inline-created-9x.json", ""},
	{anywhere, `\$(\..*)?\.(anchor|commentAnchor)\.orphaned`,
		"bitbucket-rest.md 12 [F][A], comment-inline-created-9x.json", ""},
	{anywhere, `\$(\..*)?\.permittedOperations`,
		"bitbucket-rest.md 12 [P][A], comment-created-9x.json", ""},
	{inAPullThere + `/blocker-comments`, `\$\.(OPEN|RESOLVED)`,
		"bitbucket-rest.md 10.11 [O][P]: the counts of count=true", ""},

	// Commits.
	{anywhere, `\$(\..*)?\.(author|committer)\.(active|displayName|id|links|slug|type)`,
		"bitbucket-rest.md 4 [P]: a person Bitbucket knows is a whole user, commit-single.json", ""},
	{anywhere, `\$(\..*)?\.parents\[\]\.(author|committer)`,
		"bitbucket-rest.md 4 [P][S]: parents of a single commit are whole commits, commit-single.json", "RestPerson"},
	{anywhere, `\$(\..*)?\.parents\[\]\.parents`,
		"bitbucket-rest.md 4 [P][S]: parents of a single commit are whole commits, commit-single.json", "RestMinimalCommit"},
	{anywhere, `\$(\..*)?\.parents\[\]\.(authorTimestamp|committerTimestamp|message|properties)`,
		"bitbucket-rest.md 4 [P][S]: parents of a single commit are whole commits, commit-single.json", ""},
	{`GET .*/(commits|activities)`, `\$\.values\[\](\.commit)?\.properties`,
		"bitbucket-rest.md 4 [P]: what plugins add, shape-9416-activities-rescoped-comment.json", ""},
	{`GET .*/commits`, `\$\.(authorCount|totalCount)`,
		"bitbucket-rest.md 9 [P]: withCounts=true", ""},

	// Builds and reports.
	{`GET /build-status/latest/commits/\{commitId\}`, `\$\.values\[\]\.dateAdded`,
		"bitbucket-rest.md 14.2 [F], build-status-legacy.json", ""},
	{`GET /insights/.*`, `\$(\.values\[\])?\.data\[\]\.value`,
		"bitbucket-rest.md 17 [F]: text or a number, insight-report.json", ""},
	{`GET /insights/.*`, `\$\.totalCount`,
		"bitbucket-rest.md 17 [F], insight-annotations.json", ""},

	// Reviewers and required builds.
	{`GET .*/conditions`, `\$(\.values)?\[\]\.(refMatcher|exemptRefMatcher|sourceRefMatcher|targetRefMatcher)\.active`,
		"bitbucket-rest.md 15 [F][L], default-reviewer-conditions.json", ""},
	{`GET /required-builds/.*/conditions`, `\$\.values\[\]\.(refMatcher|exemptRefMatcher)\.type\.id`,
		"bitbucket-probed.md 2 [L]: DEFAULT_BRANCH is there, too", ""},
	{`GET /default-reviewers/.*/conditions`, `\$\[\]\.reviewerGroups`,
		"bitbucket-rest.md 16 [P]: groups beside the reviewers", "RestReviewerGroup"},
	{`GET /default-reviewers/.*/reviewers`, `\$\[\]\.(name|emailAddress|active|displayName|slug|type|links)`,
		"bitbucket-rest.md 16 [S][L]: users, not conditions, vcr-default-reviewers.json", ""},
	{anywhere, `\$(\..*|\[\].*)?\.users\[\]\.links`,
		"bitbucket-rest.md 4 [P][S]: a user has links; here the document shows a class of the server", ""},
}

// undocumentedRoutes are those the document has not.
var undocumentedRoutes = map[string]string{
	"GET " + uiPull + "/builds":                      "bitbucket-rest.md 14.3 [U]: for Bitbucket's own pages",
	"GET " + uiPull + "/build-summaries":             "bitbucket-rest.md 14.3 [U]: for Bitbucket's own pages",
	"GET " + uiPull + "/merge":                       "bitbucket-rest.md 14.3 [U]: for Bitbucket's own pages",
	"GET " + uiPull + "/comments":                    "bitbucket-rest.md 14.3 [U]: for Bitbucket's own pages",
	"GET " + uiRepository + "/builds":                "bitbucket-rest.md 14.3 [U]: for Bitbucket's own pages",
	"GET " + uiRepository + "/build-summaries":       "bitbucket-rest.md 14.3 [U]: for Bitbucket's own pages",
	"GET " + uiRepository + "/code-owners":           "bitbucket-rest.md 16 [U]: for Bitbucket's own pages",
	"GET /rest/ui/{version}/dashboard/pull-requests": "bitbucket-rest.md 14.3 [U]: for Bitbucket's own pages",

	"GET " + branchUtils + inRepository + "/branchmodel":               "bitbucket-rest.md 7 [A][F][L], branch-model.json",
	"GET " + branchUtils + inRepository + "/branchmodel/configuration": "bitbucket-rest.md 7 [L]",
	"GET " + branchUtils + inProject + "/branchmodel/configuration":    "bitbucket-rest.md 7 [L]",
	"GET /rest/capabilities":                    "bitbucket-rest.md 5.1 [F], capabilities-context-path.json",
	"GET /rest/insights/{version}/capabilities": "bitbucket-rest.md 5.1 [P]",
	"POST /rest/search/{version}/search":        "bitbucket-rest.md 17 [F][D][P]: of the search plugin",
	"GET /rest/comment-likes/{version}" + inRepository + "/pull-requests/{pullRequestId}/comments/{commentId}/likes": "bitbucket-rest.md 12 [F]: the document has reactions alone, comment-likes.json",
}

// unspecifiedRoutes are those whose answer the document does not describe.
var unspecifiedRoutes = map[string]string{
	"GET " + repositories + "/webhooks":         "the OpenAPI document [O]: a page of webhooks",
	"GET " + repositories + "/browse/{path...}": "bitbucket-rest.md 8.1 [O][F]: a folder, a file, or what was asked of it",
	"GET " + repositories + "/diff/{path...}":   "bitbucket-rest.md 9 [O]: a diff as everywhere",
	"GET " + api + "/inbox/pull-requests":       "bitbucket-rest.md 10.2 [O]: a page of pull requests",
	"GET " + api + "/inbox/pull-requests/count": "bitbucket-rest.md 10.2 [P]: an object with a count",
}
