package fakebb

const (
	inProject        = "/projects/{projectKey}"
	settingsOf       = repositories + "/settings"
	projectSettings  = api + inProject + "/settings"
	defaultReviewers = "/rest/default-reviewers/{version}"
	branchUtils      = "/rest/branch-utils/{version}"
)

// rulesRoutes are who reviews, what is needed to merge, and how a repository is
// set up and searched.
var rulesRoutes = []route{
	{method: "GET", path: "/rest/required-builds/{version}" + inRepository + "/conditions", answer: listConditions,
		evidence: "bitbucket-rest.md 15 [O][P][L], bitbucket-probed.md 1, 2"},

	{method: "GET", path: defaultReviewers + inProject + "/conditions", answer: listProjectDefaultReviewers,
		evidence: "bitbucket-rest.md 16 [O], default-reviewer-conditions.json"},
	{method: "GET", path: defaultReviewers + inRepository + "/conditions", answer: listDefaultReviewers,
		evidence: "bitbucket-rest.md 16 [O][P][F], default-reviewer-conditions.json"},
	{method: "GET", path: defaultReviewers + inRepository + "/reviewers", answer: findDefaultReviewers,
		evidence: "bitbucket-rest.md 16 [S][L], vcr-default-reviewers.json"},
	{method: "GET", path: settingsOf + "/reviewer-groups", answer: listReviewerGroups,
		evidence: "bitbucket-rest.md 16 [O]"},
	{method: "GET", path: settingsOf + "/reviewer-groups/{reviewerGroupId}", answer: getReviewerGroup,
		evidence: "bitbucket-rest.md 16 [O]"},
	{method: "GET", path: settingsOf + "/reviewer-groups/{reviewerGroupId}/users", answer: listReviewerGroupUsers,
		evidence: "bitbucket-rest.md 16 [O]"},
	{method: "GET", path: projectSettings + "/reviewer-groups", answer: listProjectReviewerGroups,
		evidence: "bitbucket-rest.md 16 [O]"},
	{method: "GET", path: projectSettings + "/reviewer-groups/{reviewerGroupId}", answer: getProjectReviewerGroup,
		evidence: "bitbucket-rest.md 16 [O]"},
	{method: "GET", path: uiRepository + "/code-owners", answer: listCodeOwners,
		evidence: "bitbucket-rest.md 16 [D][U]"},

	{method: "GET", path: settingsOf + "/pull-requests", answer: getPullRequestSettings,
		evidence: "bitbucket-rest.md 17 [A][O], pr-settings-merge-strategies.json"},
	{method: "GET", path: projectSettings + "/pull-requests/{scmId}", answer: getProjectPullRequestSettings,
		evidence: "bitbucket-rest.md 17 [O], pr-settings-merge-strategies.json"},
	{method: "GET", path: settingsOf + "/auto-merge", answer: getAutoMergeSettings,
		evidence: "bitbucket-rest.md 17 [O]"},
	{method: "GET", path: projectSettings + "/auto-merge", answer: getProjectAutoMergeSettings,
		evidence: "bitbucket-rest.md 17 [O]"},
	{method: "GET", path: settingsOf + "/auto-decline", answer: getAutoDeclineSettings,
		evidence: "bitbucket-rest.md 17 [O]"},
	{method: "GET", path: projectSettings + "/auto-decline", answer: getProjectAutoDeclineSettings,
		evidence: "bitbucket-rest.md 17 [O]"},
	{method: "GET", path: settingsOf + "/hooks", answer: listHooks,
		evidence: "bitbucket-rest.md 17 [O]"},
	{method: "GET", path: projectSettings + "/hooks", answer: listProjectHooks,
		evidence: "bitbucket-rest.md 17 [O]"},

	{method: "GET", path: branchUtils + inRepository + "/branchmodel", answer: getBranchModel,
		evidence: "bitbucket-rest.md 7 [A][F][L], branch-model.json"},
	{method: "GET", path: branchUtils + inRepository + "/branchmodel/configuration", answer: getBranchModelConfiguration,
		evidence: "bitbucket-rest.md 7 [A][F][L]"},
	{method: "GET", path: branchUtils + inProject + "/branchmodel/configuration", answer: getProjectBranchModelConfiguration,
		evidence: "bitbucket-rest.md 7, for a project belief"},
	{method: "GET", path: branchUtils + inRepository + "/branches/info/{commitId}", answer: listBranchesOfCommit,
		evidence: "bitbucket-rest.md 7 [O]"},

	{method: "POST", path: "/rest/search/{version}/search", answer: search,
		evidence: "bitbucket-rest.md 17 [F][D][U]"},
}
