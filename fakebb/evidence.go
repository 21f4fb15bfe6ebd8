package fakebb

// behaviour is something the fake does on more than one route, with why we
// believe that Bitbucket does so. A route's own evidence stands in its table.
type behaviour struct{ what, evidence string }

// behaviours are the fake's, by the file that has them. A test fails when one
// has no evidence, and writes them with the routes into one table.
var behaviours = []behaviour{
	// auth.go, exchange.go
	{"a token or a password that is wrong is refused with 401, also where nobody need be named", "bitbucket-rest.md 1 [O], 3 [L]; that anonymous access does not help is belief"},
	{"who names nobody is refused with 401 AuthenticationRequiredException where a user is needed", "bitbucket-rest.md 3 [L]"},
	{"the checks run in the order authentication, project, repository, permission, entity, validation, state", "bitbucket-rest.md 3 [S][P][L]"},
	{"a project one may not see answers 401 AuthorisationException, and a repository that is none in it 404", "bitbucket-rest.md 3, 18.8 [P][L]"},
	{"api 1.0 and latest answer alike", "bitbucket-rest.md 1 [P]; for every module belief"},
	{"what the caller cannot accept is refused with 406 and no body", "bitbucket-rest.md 1 [L][P]"},
	{"another content type than JSON is refused with 415", "bitbucket-rest.md 1 [I], bug-log.md REST-03 [U]"},
	{"X-AREQUESTID is node, minute of the day, count of requests and requests in flight", "bitbucket-rest.md 1 [S]"},
	{"X-AUSERNAME is the caller's name, percent-encoded; absent for nobody", "bitbucket-rest.md 1 [S][U][L]"},
	{"Cache-Control, Pragma, Vary and X-Content-Type-Options are those of a recording", "vcr-response-headers.json [S]"},
	{"links come from the configured base URL with its context path, never from the request", "bitbucket-rest.md 1 [F][I]"},
	{"JSON has <, >, &, U+2028 and U+2029 as they are, and no line break at its end", "bitbucket-rest.md 18 [I][S]"},
	{"what is not known in a query or a body is ignored", "bitbucket-probed.md 7 [L]"},
	// errors.go, routes.go
	{"error elements leave empty keys out since 9, and have them with null before", "bitbucket-rest.md 3 [P][S]"},
	{"a path that no resource answers is the framework's own 404, as XML when JSON is not asked for", "bitbucket-rest.md 3 [P][L], bitbucket-probed.md 9 [L]"},
	{"a method that a path does not have is 405 with Allow", "bug-log.md REST-11 [U]; its body is belief"},
	{"the path with more literal segments wins, before the method is looked at", "that of the framework's specification (JAX-RS 3.7.2) [D]"},
	{"a segment is decoded by itself: %2F in one is part of it", "belief"},
	// page.go
	{"paged and streamed resources have two serialisations", "bitbucket-rest.md 2 [P][S][F]"},
	{"limit is clamped silently to the cap of the resource, and echoed", "bitbucket-rest.md 2 [S][D]"},
	{"a limit of 0 means the default of 25", "bitbucket-rest.md 2 [I]"},
	{"a negative start or limit is 400, one that is no number the framework's 404", "bitbucket-rest.md 2 [I]"},
	{"entries the caller may not see are skipped after fetching, so nextPageStart may be further on", "bitbucket-rest.md 2 [P]"},
	// user.go, commit.go, avatar.go
	{"avatarSize adds avatarUrl to users and projects", "bitbucket-rest.md 5.3 [O][D][A][U]"},
	{"the picture for who names nobody is the default one, with 200", "bitbucket-probed.md 6 [L]"},
	{"a token sees the pictures, unless the fake is told that it does not", "bitbucket-rest.md 5.3 [D][I]"},
	{"a commit's people are the users with their addresses, or name and address alone", "bitbucket-rest.md 4 [P][S]"},
	{"people in the commits of a pull request have no links", "bitbucket-rest.md 4 [P]"},
	{"a message names issues in properties.jira-key", "bitbucket-rest.md 4 [P]"},
	{"the keys of a user are in another order before 9", "bitbucket-rest.md 4 [P][S]"},
	{"services are not among the users that are listed", "belief"},
	// pull_request.go, assemble_pull_request.go
	{"version grows with edits and state, not with comments, tasks, approvals and pushes; updatedDate with edits, state and pushes", "bitbucket-rest.md 10.1 [L], bitbucket-probed.md 5 [L]"},
	{"properties are in lists and not in the single pull request", "bitbucket-rest.md 10.1 [P][L]"},
	{"lists count tasks up to 9 and not since 10", "bitbucket-probed.md 5 [L]"},
	{"commentCount counts replies, and neither tasks nor pending comments", "belief"},
	{"lists carry the merge result as it was cached, current or not", "bitbucket-rest.md 10.1 [P][L]"},
	{"drafts exist since 8.18", "bitbucket-rest.md 10.1 [P][O]"},
	// merge.go, required_build.go
	{"a conflict makes canMerge false and is no veto", "bitbucket-rest.md 10.7 [P][O][L]"},
	{"a closed pull request has no merge check: 409", "bitbucket-rest.md 10.7 [L], bug-log.md REST-18 [U]"},
	{"a draft is vetoed", "bitbucket-rest.md 10.7 [I][D]"},
	{"a required build is satisfied by one successful build with that parent, whatever its siblings and its own key are", "bitbucket-probed.md 1 [L]"},
	{"a condition applies when it matches the target and its exemption does not match the source", "bitbucket-probed.md 1 [L]"},
	{"builds of another branch than the source do not count; those without a branch do", "bitbucket-probed.md 1 [L], bitbucket-rest.md 14.4 [L]"},
	{"required builds tell pull requests from the merge queue since 10.2, and are for pull requests before", "bitbucket-rest.md 15 [L]"},
	// matcher.go, spring_pattern.go, branch_model.go
	{"a BRANCH is matched as a full ref in any letter case", "bitbucket-probed.md 2 [L]; heads/main as main bitbucket-rest.md 15 [L]"},
	{"a PATTERN is Spring's AntPathMatcher on the full ref, with **/ in front and ** behind a slash, in any letter case", "bitbucket-probed.md 2 [L]"},
	{"branches and categories of the branch model are matched in their letter case; a tag is of no category", "bitbucket-probed.md 2 [L]; tags belief"},
	{"DEFAULT_BRANCH is a matcher with the id #, in every release", "bitbucket-probed.md 2 [L], bitbucket-rest.md 15 [L]; its names are belief"},
	{"a matcher is not active where the model has no such branch or category, and matches nothing", "bitbucket-rest.md 15 [I]"},
	{"a ref of a fork is matched with the branch model of the repository that has the rule", "belief"},
	// reviewer.go, reviewer_group.go, code_owners.go
	{"the conditions of default reviewers of a repository include its project's, after its own", "bitbucket-rest.md 16 [O][P][F]"},
	{"default reviewers who may not read the repository are left out; the caller is not", "belief"},
	{"so many default reviewers as the condition says have to approve, the author not among them", "bitbucket-rest.md 10.7 [P][F][U]; the author is belief"},
	{"reviewer groups are listed for their own scope", "bitbucket-rest.md 16 [O]"},
	{"code owners come from the target's .bitbucket/CODEOWNERS and the changes since the merge base; the last line that matches decides", "bitbucket-rest.md 16 [D][U]"},
	{"a pattern of code owners that ends in /* does not reach into directories", "belief"},
	// settings.go, merge_check.go, hook.go
	{"settings are the project's where the repository has none", "bitbucket-rest.md 17 [O]"},
	{"vetoes come in the order builds, approvals, reviewers", "bitbucket-rest.md 10.7 [P][F]; that of the others is belief"},
	{"merge checks have the sentences that were seen", "bitbucket-rest.md 10.7 [P][F][U]; those of all reviewers, tasks and changes requested are belief"},
	// search.go, search_query.go, search_hit.go
	{"search finds whole words of default branches that the caller may read, in any letter case, and of paths", "bitbucket-rest.md 17 [D][F]; paths are belief"},
	{"of punctuation the search index has dots alone", "bug-log.md REST-12 [U]"},
	{"a query has at most 250 characters and 9 expressions, and a search 1,000 results", "bitbucket-rest.md 17 [D], bug-log.md REST-12 [U]; the sentences are belief"},
	{"what is no query is searched for word by word, and substituted says so", "bitbucket-rest.md 17 [F]; when is belief"},
	{"hits are HTML with <em>, in which quotes and slashes are escaped too", "bitbucket-rest.md 17 [F][D], bug-log.md REST-11 [U]"},
	{"archived repositories are searched only where the query says archived", "belief"},
	// activity.go, comment.go, anchor.go
	{"a thread is one item of the activity, at the date of its root; replies are in it", "bitbucket-rest.md 11 [S][L]"},
	{"a push to the source is an item, a push to the target alone is none", "bitbucket-rest.md 11 [I]"},
	{"a RESCOPED item lists at most five commits and counts all", "bitbucket-rest.md 11 [P][F][I]"},
	{"pending comments are their author's alone, everywhere", "bitbucket-rest.md 10.8 [O][L]; in the activity and the diff belief"},
	{"a comment drifts with pushes; one whose line is gone is orphaned and leaves the diff", "bitbucket-rest.md 13 [L]; the algorithm [I]"},
	{"a comment is named on exactly one line: a removed one by its old number, others by the new", "bitbucket-rest.md 13 [L]"},
	{"permittedOperations are the caller's: who wrote edits, who wrote the pull request or administers resolves, nothing with replies is deleted", "bitbucket-rest.md 12 [O][L][I]"},
	{"threads are resolved since 8, and comments have an empty list of tasks before", "bitbucket-rest.md 12 [S]; the release is belief"},
	// comparison.go, diff.go, diff_text.go, change.go
	{"the effective diff is two-way from the merge base to the source, and its fromHash the target's tip", "bitbucket-rest.md 13 [D][O][P][I]"},
	{"a file that was renamed is an addition unless srcPath is given", "bitbucket-rest.md 13 [O]"},
	{"an added line has the number of the next old line, a removed one of the next new", "bitbucket-rest.md 13 [F][A]"},
	{"a diff ends after 10,000 lines, and what is open is marked as truncated", "bitbucket-rest.md 2, 13 [O][I]"},
	{"a line is cut after 5,000 characters", "bitbucket-rest.md 2 [D]"},
	{"lines have neither the carriage return before their end nor a mark of a missing last line end", "bitbucket-rest.md 8.1, 13 [I]"},
	{"text that is not UTF-8 is shown as ISO-8859-1", "belief"},
	{"the text of a diff has the prefixes src:// and dst://", "bitbucket-probed.md 8 [L]"},
	{"the changes of a pull request are one page, and start is ignored", "bitbucket-rest.md 2 [D][L]; that a cut page names the next is belief"},
	{"a path that became another kind of thing is MODIFY", "bitbucket-rest.md 9 [I]"},
	// branch.go, browse.go, raw.go, path.go
	{"a branch is compared with the default branch, or with the branch, tag or commit that base names", "bitbucket-rest.md 7 [O][P]"},
	{"the one pull request from a branch is in its details, without links and description, and several are counted by state", "bitbucket-rest.md 7 [P][L], shape-9416-branches-details.json"},
	{"an encoded slash in the path of a file is refused with 400", "bug-log.md URI-02 [U]; that the answer is empty is belief"},
	{".., . and empty segments are no path: 404", "belief"},
	{"without at the default branch is meant, and sentences name it by its whole id", "bitbucket-rest.md 8.1 [P][O]; a repository without branches answers 404, in the words of belief"},
	{"of size, type and blame in browse the first decides; size and type need true, blame and noContent need no value", "bitbucket-rest.md 8.1 [O], the OpenAPI document's description"},
	{"a file is binary when there is a NUL in its first 8000 bytes", "git's own rule; that Bitbucket has it is belief"},
	{"a submodule is listed with the address that .gitmodules has for its path", "bitbucket-rest.md 8.1 [I]"},
	{"raw text is sent as plain text whatever it is, and nothing of it runs in a browser", "bitbucket-rest.md 8.2 [I]"},
	{"an archive is called after the repository and the branch or tag with its commit, or the id as it was asked for", "bitbucket-rest.md 8.5 [O], the OpenAPI document's description"},
	{"last-modified lists the last changed first", "belief; the document's example is so"},
	// history.go, compare.go
	{"a commit is compared with its first parent, one without parents with nothing", "bitbucket-rest.md 9 [O][F]"},
	{"changes beyond 1000 are on no page", "bitbucket-rest.md 2 [D], 9 [O]"},
	{"from and to of a comparison are the default branches unless named, and fromRepo must be readable and of the same fork network", "bitbucket-rest.md 9 [O]; the refusals are belief"},
	{"until is required for changes, diff and patch of a repository", "bitbucket-rest.md 9 [O], the OpenAPI document's description"},
	{"a patch by whole ids may be kept, another not", "bitbucket-rest.md 8.5 [O]; for how long is belief"},
	{"hashes, hunks, renames, copies, merge bases and conflicts are git's", "git 2.39, which the tests of fakebb/content compare with [L]"},
	// comparison.go, where git's answers need one
	{"a name is looked up as a branch, a tag, the source of a pull request and an id, whole or short", "bitbucket-rest.md 9 [O][I]"},
}
