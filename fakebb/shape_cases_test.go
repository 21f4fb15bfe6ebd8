package fakebb_test

import "github.com/bb-mcp/bb/fakebb"

var (
	onSeven       = fakebb.Options{Release: "7.21.0"}
	onSevenBelow  = fakebb.Options{Release: "7.21.0", BaseURL: "https://bitbucket.example.com/bitbucket"}
	olderComments = map[string]string{
		"severity":       "came with 7.2",
		"state":          "came with 7.2",
		"transitionable": "came with 7.2",
	}
)

// ofADiff are the keys that some diffs have: a binary file has no hunks, a
// comment is on few lines.
var ofADiff = []string{"hunks", "binary", "context", "extension", "commentIds", "lineComments", "fileComments", "properties"}

const (
	latestCommitMetadata = "$.values[].metadata.com.atlassian.bitbucket.server.bitbucket-branch:latest-commit-metadata"
	branchUtils          = "/rest/branch-utils/1.0/projects/ORCH/repos/catalogue"
	defaultReviewers     = "/rest/default-reviewers/1.0/projects/ORCH/repos/catalogue"
	insightsOf           = "/rest/insights/latest/projects/ORCH/repos/catalogue/commits/"
)

// payloadCases are the payloads, each with the request that answers alike.
var payloadCases = []payloadCase{
	// What bitbucket-rest.md shows of 9.4, where no payload does.
	{reference: "bitbucket-rest.md 4/1", path: rest + "/users/amara?avatarSize=64"},
	{reference: "bitbucket-rest.md 4/2", path: rest + "/projects/ORCH"},
	{reference: "bitbucket-rest.md 4/3", path: catalogue, except: map[string]string{"description": "the one shown has a project without"}},
	{reference: "bitbucket-rest.md 4/4", path: catalogue + "/commits?until={tip 1}&limit=3", ours: "$.values[]", optional: []string{"properties"},
		except: map[string]string{"$.committer": "the one shown is nobody Bitbucket knows"}},
	{reference: "bitbucket-rest.md 5.1/1", path: rest + "/application-properties"},
	{reference: "bitbucket-rest.md 7/1", path: catalogue + "/branches"},
	{reference: "bitbucket-rest.md 8.1/1", path: catalogue + "/browse/catalogue", meets: []string{"$.children.values[].contentId"}},
	{reference: "bitbucket-rest.md 8.1/1", path: catalogue + "/browse", part: "$.children", ours: "$.children", optional: []string{"extension"},
		meets: []string{"$.children.values[].node", "$.children.values[].contentId"}},
	{reference: "bitbucket-rest.md 13/1", path: first + "/diff?withComments=true", optional: append([]string{"resolvedDate", "resolver"}, ofADiff...),
		meets: []string{"$.diffs[].lineComments[].permittedOperations.transitionable", "$.diffs[].hunks[].segments[].lines[].commentIds"},
		except: map[string]string{
			"$.diffs[].lineComments[].author": "the one shown is shortened",
			"$.diffs[].source":                "null of a file that was added",
			"$.diffs[].properties":            "toHash is first in the recording, activities-inline-comment-with-diff.json",
		}},
	{reference: "bitbucket-rest.md 14.1/1", path: catalogue + "/commits/{tip 1}/builds?key=catalogue-unit"},
	{reference: "bitbucket-rest.md 14.3/1", path: "/rest/ui/latest/projects/ORCH/repos/catalogue/pull-requests/1/builds",
		optional: []string{"buildNumber", "description", "duration", "ref", "testResults"}}, // there are more keys than the ones shown
	{reference: "bitbucket-rest.md 15/1", path: "/rest/required-builds/latest/projects/ORCH/repos/catalogue/conditions", optional: []string{"exemptRefMatcher"}},

	{reference: "bitbucket-rest.md 17", path: "/rest/search/latest/search",
		body: `{"query":"project:ORCH prune","entities":{"code":{"start":0,"limit":2}}}`,
		text: `{"scope":{"type":"GLOBAL"},"code":{"category":"primary","isLastPage":false,"count":9,"start":0,"nextStart":2,` +
			`"values":[{"repository":{},"file":"a.go","hitContexts":[[{"line":1,"text":"a"}]],"pathMatches":[{"text":"a","match":true}],"hitCount":1}]},` +
			`"query":{"substituted":false}}`,
		optional: []string{"match"}, meets: []string{"$.code.nextStart", "$.code.values[].hitContexts[][].line"},
		except: map[string]string{"$.code.values[].repository": "its keys are not described"}},

	// Pull requests.
	{reference: "shape-9416-pr-get.json", user: "amara", path: first},
	{reference: "shape-9416-pr-list.json", user: "amara", path: catalogue + "/pull-requests?limit=1"},
	{reference: "shape-9416-pr-list.json", user: "amara", path: rest + "/dashboard/pull-requests?limit=1"},
	{reference: "shape-9416-pr-list.json", user: "amara", path: rest + "/inbox/pull-requests", part: "$.values", ours: "$.values"},
	{reference: "shape-9416-merge-check.json", user: "amara", path: first + "/merge"},
	{reference: "error-409-merge-vetoes.json", part: "$.errors[].vetoes", path: first + "/merge", ours: "$.vetoes"},
	{reference: "pr-draft-flag-9x.json", path: catalogue + "/pull-requests/4?avatarSize=64",
		optional: []string{"description"}},
	{reference: "pr-participant-approved.json", path: catalogue + "/pull-requests/7/participants",
		ours: "$.values[]", optional: []string{"lastReviewedCommit"}},
	{reference: "pr-open-context-path.json", path: first, options: onSevenBelow, optional: []string{"description"},
		except: map[string]string{"properties": "taken from a list by whoever saved it; an answer of one has none"}},
	{reference: "pr-list-context-path.json", path: catalogue + "/pull-requests", options: onSevenBelow,
		optional: []string{"description", "commentCount"}, // left out when zero on some releases
		except: map[string]string{
			"origin": "of the fork of #11", "owner": "of the fork of #11", "public": "of the fork of #11, as in error-409-out-of-date-with-pr.json",
		}},
	{reference: "pr-merged-no-reviewers.json", path: catalogue + "/pull-requests/2", options: onSeven,
		optional: []string{"description"}, except: map[string]string{"hierarchyId": "6.x had none"}},
	{reference: "vcr-pr-declined.json", path: catalogue + "/pull-requests/3", options: onSeven, optional: []string{"description"},
		except: map[string]string{"hierarchyId": "6.x had none"}},
	{reference: "error-409-out-of-date-with-pr.json", part: "$.errors[].pullRequest.fromRef.repository",
		path: catalogue + "/pull-requests/11", ours: "$.fromRef.repository", options: onSeven, unordered: true,
		meets:    []string{"$.fromRef.repository.origin.slug", "$.fromRef.repository.project.owner"},
		optional: []string{"description"}, except: map[string]string{"hierarchyId": "6.x had none"}},

	// Activities.
	{reference: "shape-9416-activities-rescoped-comment.json", user: "chen", path: first + "/activities",
		optional: []string{"commentAnchor", "diff", "threadResolvedDate", "threadResolver", "resolvedDate", "resolver", "properties"}},
	{reference: "activities-inline-comment-with-diff.json", user: "chen", path: first + "/activities",
		part: "$[COMMENTED].diff", ours: "$.values[COMMENTED].diff", optional: []string{"context", "commentIds", "extension"},
		except: map[string]string{
			"$.source":                     "a file that was added",
			"$.hunks[].segments[].lines[]": "keys that went through another program",
		}},
	{reference: "activities-inline-comment-with-diff.json", user: "chen", path: first + "/activities",
		part: "$[COMMENTED].commentAnchor", ours: "$.values[COMMENTED].commentAnchor"},
	{reference: "activities-opened-avatarurl-9x.json", path: first + "/activities?avatarSize=64", meets: []string{"$.values[OPENED].user.avatarUrl"}},
	{reference: "activities-minimal.json", path: catalogue + "/pull-requests/2/activities", options: onSeven, except: olderComments},
	{reference: "vcr-activities-all-states.json", path: catalogue + "/pull-requests/2/activities", options: onSeven,
		meets:    []string{"$.values[MERGED].commit.parents[].parents[].id", "$.values[APPROVED]"},
		optional: []string{"properties"},
		except: map[string]string{
			"severity": "came with 7.2", "state": "came with 7.2", "transitionable": "came with 7.2",
			"$.values[MERGED].commit.parents[].author":    "nobody that server knew",
			"$.values[MERGED].commit.parents[].committer": "nobody that server knew",
		}},
	{reference: "vcr-activities-all-states.json", path: catalogue + "/pull-requests/3/activities", options: onSeven,
		meets: []string{"$.values[REVIEWED]", "$.values[DECLINED]", "$.values[OPENED]"}, except: olderComments},

	// Comments.
	{reference: "comment-inline-created-9x.json", user: "chen", path: first + "/review",
		ours: "$.values[]", optional: []string{"anchor", "html", "avatarUrl"}},
	{reference: "comment-created-9x.json", path: first + "/comments/{comment 1}?markup=true&avatarSize=64"},
	{reference: "vcr-comment-created-7x.json", path: first + "/comments/{comment 1}", options: onSeven},
	{reference: "comments-on-path-with-anchor.json", path: first + "/comments?path=catalogue/prune.go", options: onSeven,
		meets:    []string{"$.values[].anchor", "$.values[].comments[]"},
		optional: []string{"resolvedDate", "resolver"},
		except: map[string]string{
			"severity": "came with 7.2", "state": "came with 7.2", "transitionable": "came with 7.2", "orphaned": "the recording is of 4.x or 5.x",
		}},
	{reference: "comment-likes.json", path: "/rest/comment-likes/1.0/projects/ORCH/repos/catalogue/pull-requests/1/comments/{comment 1}/likes"},

	// Changes and diffs.
	{reference: "commit-changes-rename.json", path: catalogue + "/commits/{moves 9}/changes", meets: []string{"$.values[MOVE].srcPath"}, optional: []string{"extension"}},
	{reference: "compare-changes.json", path: catalogue + "/compare/changes?from={tip 9}&to=refs/heads/main&limit=1000", optional: []string{"extension"},
		meets: []string{"$.values[MOVE].srcPath", "$.values[ADD].path", "$.values[MODIFY].path", "$.values[DELETE].path"}},
	{reference: "pr-changes-conflict.json", path: catalogue + "/pull-requests/8/changes", optional: []string{"extension", "conflict"}},
	{reference: "pr-changes-conflict.json", path: catalogue + "/pull-requests/9/changes?limit=1000", optional: []string{"extension", "conflict", "activeComments"},
		meets: []string{"$.values[ADD].path", "$.values[DELETE].path"}},
	{reference: "pr-changes-conflict.json", path: catalogue + "/pull-requests/8/changes",
		part: "$.values[DELETE].conflict", ours: "$.values[MODIFY].conflict", optional: []string{"extension"}},
	{reference: "pr-changes-move-percent.json", path: catalogue + "/pull-requests/9/changes?limit=1000",
		part: "$.values[MOVE]", ours: "$.values[MOVE]", optional: []string{"extension"},
		except: map[string]string{"properties": "Atlassian's example leaves them out", "$.links.self[]": "Atlassian's example has a link where servers have null, as in pr-changes-conflict.json"}},
	{reference: "diff-9x-vendor-mock.json", path: first + "/diff", optional: []string{"context", "commentIds", "lineComments", "properties"},
		except: map[string]string{"$.diffs[].source": "null of a file that was added, as in diff-pr-many-files.json"}},
	{reference: "diff-9x-vendor-mock.json", path: catalogue + "/commits/{tip 1}/diff", optional: ofADiff},
	{reference: "diff-9x-vendor-mock.json", path: catalogue + "/diff/docs/pruning.md?until={tip 1}&since=refs/heads/main", optional: ofADiff},
	{reference: "diff-9x-vendor-mock.json", path: catalogue + "/compare/diff/docs/pruning.md?from={tip 1}&to=refs/heads/main", optional: ofADiff},
	{reference: "diff-pr-many-files.json", path: catalogue + "/pull-requests/9/diff", optional: ofADiff, except: map[string]string{
		"truncated":             "the recording is of 4.x or 5.x",
		"$.diffs[].source":      "null of a file that was added, as in diff-add-delete-context.json",
		"$.diffs[].destination": "null of a file that was deleted, as in diff-add-delete-context.json",
	}},
	{reference: "diff-pr-many-files.json", user: "chen", path: first + "/activities",
		part: "$.diffs[].hunks", ours: "$.values[COMMENTED].diff.hunks", optional: []string{"context", "commentIds"}},
	{reference: "diff-add-delete-context.json", path: catalogue + "/pull-requests/9/diff", ours: "$.diffs", unordered: true,
		optional: ofADiff},

	// Files.
	{reference: "browse-lines.json", path: catalogue + "/browse/catalogue/prune.go?limit=500"},
	{reference: "browse-blame.json", path: catalogue + "/browse/catalogue/index.go?blame=true", part: "$.blame", ours: "$.blame"},
	{reference: "files-page-first.json", path: catalogue + "/files?limit=3"},
	{reference: "last-modified.json", path: catalogue + "/last-modified?at=refs/heads/main", named: []string{"$.files"}, optional: []string{"properties"},
		except: map[string]string{
			"$.latestCommit.author":    "nobody Bitbucket knows, in Atlassian's example",
			"$.latestCommit.committer": "nobody Bitbucket knows, in Atlassian's example",
			"$.files.*.author":         "nobody Bitbucket knows, in Atlassian's example",
			"$.files.*.committer":      "nobody Bitbucket knows, in Atlassian's example",
		}},

	// Commits and branches.
	{reference: "commit-single.json", path: catalogue + "/commits/{tip 3}", options: onSeven, meets: []string{"$.parents[].parents[].id"}},
	{reference: "shape-9416-branches-details.json", path: catalogue + "/branches?details=true&orderBy=MODIFICATION&limit=2", optional: []string{"properties"}},
	{reference: "branches-metadata-5x.json", path: catalogue + "/branches?details=true&limit=1", options: onSeven,
		except: map[string]string{
			"type": "left out by whoever saved it", "latestCommit": "left out by whoever saved it",
			"committer": "left out by whoever saved it", "committerTimestamp": "left out by whoever saved it",
			"cancelled": "came with 7.x", "unknown": "came with 7.x",
			latestCommitMetadata + ".author": "nobody that server knew",
			"com.atlassian.bitbucket.server.bitbucket-ref-metadata:outgoing-pull-request-metadata": "that branch had no pull request",
		}},
	{reference: "branch-model.json", path: branchUtils + "/branchmodel", optional: []string{"production"}},

	// Reviewers and settings.
	{reference: "vcr-default-reviewers.json", options: onSeven,
		path: defaultReviewers + "/reviewers?sourceRepoId={repository 1}&targetRepoId={repository 1}&sourceRefId=refs/heads/feature/prune&targetRefId=refs/heads/main"},
	{reference: "default-reviewer-conditions.json", path: defaultReviewers + "/conditions", options: onSeven, unordered: true,
		optional: []string{"reviewerGroups"}},
	{reference: "pr-settings-merge-strategies.json", path: catalogue + "/settings/pull-requests"},
	{reference: "capabilities-context-path.json", path: "/rest/capabilities", options: onSevenBelow, named: []string{"$.capabilities"}},

	// Builds and reports.
	{reference: "build-status-legacy.json", path: "/rest/build-status/1.0/commits/{tip 1}", optional: []string{"description"}},
	{reference: "build-status-legacy-multiline.json", path: "/rest/build-status/1.0/commits/{tip 1}", unordered: true, optional: []string{"description"}},
	{reference: "insight-report.json", path: insightsOf + "{tip 1}/reports/com.example.coverage", optional: []string{"link"}},
	{reference: "insight-report.json", path: insightsOf + "{tip 1}/reports", ours: "$.values[]", optional: []string{"link"}},
	{reference: "insight-annotations.json", path: insightsOf + "{tip 1}/reports/com.example.coverage/annotations"},
}

// payloadsLeftOut are those nothing of the fake is compared with.
var payloadsLeftOut = map[string]string{
	"activities-likes-and-legacy-task.json": "tasks under a comment went away with 7.2, and likedBy is on one of those",

	"error-400-validation-two.json":     "an answer to a repository that is created",
	"error-409-empty-pr.json":           "an answer to a pull request that is created",
	"vcr-error-409-duplicate-pr.json":   "an answer to a pull request that is created",
	"vcr-error-409-merge-conflict.json": "an answer to a merge",
}
