package fakebb

import (
	"fmt"
	"net/http"
)

// failure is an answer that is not a success. There is one constructor per
// thing that can go wrong; the sentences and class names are those of
// bitbucket-rest.md 3.
type failure struct {
	status int
	// context, message and exception fill the one element of the errors array.
	context, message, exception string
	// unrouted answers with the body of the REST framework instead of
	// Bitbucket's own.
	unrouted bool
	// empty answers with no body at all.
	empty bool
	// allow are the methods a 405 names; note goes into the log and a header.
	allow, note string
}

// Error returns the sentence Bitbucket sends.
func (f *failure) Error() string {
	if f.message == "" {
		return http.StatusText(f.status)
	}
	return f.message
}

const bitbucketPackage = "com.atlassian.bitbucket."

func authenticationRequired() *failure {
	// The sentence is belief; status and class are pinned by live tests [L].
	return &failure{status: http.StatusUnauthorized,
		message:   "Client must be authenticated to access this resource.",
		exception: "com.atlassian.plugins.rest.api.security.exception.AuthenticationRequiredException"}
}

func authenticationFailed() *failure {
	return &failure{status: http.StatusUnauthorized,
		message:   "Authentication failed. Please check your credentials and try again.",
		exception: bitbucketPackage + "auth.IncorrectPasswordAuthenticationException"}
}

func notPermitted() *failure {
	return &failure{status: http.StatusUnauthorized,
		message:   "You are not permitted to access this resource",
		exception: bitbucketPackage + "AuthorisationException"}
}

func noSuchUser(slug string) *failure {
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("User %s does not exist.", slug),
		exception: bitbucketPackage + "user.NoSuchUserException"}
}

func noSuchProject(key string) *failure {
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Project %s does not exist.", key),
		exception: bitbucketPackage + "project.NoSuchProjectException"}
}

func noSuchRepository(projectKey, slug string) *failure {
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Repository %s/%s does not exist.", projectKey, slug),
		exception: bitbucketPackage + "repository.NoSuchRepositoryException"}
}

func noSuchPullRequest(id int, in *repository) *failure {
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Pull request %d does not exist in %s/%s.", id, in.project.key, in.slug),
		exception: bitbucketPackage + "pull.NoSuchPullRequestException"}
}

func noSuchCommit(id string, in *repository) *failure {
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Commit '%s' does not exist in repository '%s'.", id, in.slug),
		exception: bitbucketPackage + "commit.NoSuchCommitException"}
}

func noSuchPath(path, revision string) *failure {
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf(`The path "%s" does not exist at revision "%s"`, path, revision),
		exception: bitbucketPackage + "content.NoSuchPathException"}
}

func noSuchBranch(name string, in *repository) *failure {
	// Class and sentence are belief.
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Branch '%s' does not exist in repository '%s'.", name, in.slug),
		exception: bitbucketPackage + "ref.NoSuchBranchException"}
}

func noSuchTag(name string, in *repository) *failure {
	// Class and sentence are belief.
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Tag '%s' does not exist in repository '%s'.", name, in.slug),
		exception: bitbucketPackage + "ref.NoSuchTagException"}
}

func noDefaultBranch(in *repository) *failure {
	// Class and sentence are belief.
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("%s has no default branch.", in),
		exception: bitbucketPackage + "repository.NoDefaultBranchException"}
}

func noSuchComment(id int64) *failure {
	// Class and sentence are belief.
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Comment %d does not exist.", id),
		exception: bitbucketPackage + "comment.NoSuchCommentException"}
}

func noSuchActivity(id int64) *failure {
	// Class and sentence are belief.
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Activity %d does not exist.", id),
		exception: bitbucketPackage + "pull.NoSuchPullRequestActivityException"}
}

func noAutoMerge(p *pullRequest) *failure {
	// Class and sentence are belief; the document names only the status.
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Auto-merge has not been requested for pull request %d.", p.id),
		exception: bitbucketPackage + "pull.NoSuchPullRequestAutoMergeRequestException"}
}

func noSuchBuild(key, commit string) *failure {
	// Belief: the document names only the status.
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Build status with key '%s' does not exist for commit '%s'.", key, commit),
		exception: bitbucketPackage + "build.NoSuchBuildStatusException"}
}

func noSuchDeployment(key, commit string) *failure {
	// Belief: the document names only the status.
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Deployment with key '%s' does not exist for commit '%s'.", key, commit),
		exception: bitbucketPackage + "deployment.NoSuchDeploymentException"}
}

func noSuchAttachment(id int, in *repository) *failure {
	// Class and sentence are belief.
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Attachment %d does not exist in %s.", id, in),
		exception: bitbucketPackage + "attachment.NoSuchAttachmentException"}
}

func noSuchWebhook(id int, in *repository) *failure {
	// Class and sentence are belief.
	return &failure{status: http.StatusNotFound,
		message:   fmt.Sprintf("Webhook %d does not exist in %s.", id, in),
		exception: bitbucketPackage + "webhook.NoSuchWebhookException"}
}

func noSuchReport(key string) *failure {
	return &failure{status: http.StatusNotFound,
		context: "reportKey", message: "No report found with key: " + key}
}

func invalidArgument(message string) *failure {
	return &failure{status: http.StatusBadRequest,
		message: message, exception: bitbucketPackage + "validation.ArgumentValidationException"}
}

// mismatchedInput is a body of the wrong JSON type; the message is that of the
// JSON library.
func mismatchedInput(message string) *failure {
	return &failure{status: http.StatusBadRequest,
		message: message, exception: "com.fasterxml.jackson.databind.exc.MismatchedInputException"}
}

func malformedBody(message string) *failure {
	return &failure{status: http.StatusBadRequest,
		message: message, exception: "com.fasterxml.jackson.core.JsonParseException"}
}

func alreadyClosed(state string) *failure {
	word := "declined"
	if state == stateMerged {
		word = "merged"
	}
	return &failure{status: http.StatusConflict,
		message:   fmt.Sprintf("This pull request has already been %s.", word),
		exception: bitbucketPackage + "pull.IllegalPullRequestStateException"}
}

// notFound is the answer to a path that nothing answers, and to a path or
// query value that does not convert to its type.
func notFound(note string) *failure {
	return &failure{status: http.StatusNotFound, unrouted: true, note: note}
}

func methodNotAllowed(allow, note string) *failure {
	return &failure{status: http.StatusMethodNotAllowed, unrouted: true, allow: allow, note: note}
}

func notAcceptable() *failure { return &failure{status: http.StatusNotAcceptable, empty: true} }

func unsupportedMediaType() *failure {
	return &failure{status: http.StatusUnsupportedMediaType, unrouted: true}
}

// errorsJSON is Bitbucket's envelope of errors.
type errorsJSON struct {
	Errors []any `json:"errors"`
}

// errorJSON is an element since 9: empty keys are left out.
type errorJSON struct {
	Context       string `json:"context,omitempty"`
	Message       string `json:"message"`
	ExceptionName string `json:"exceptionName,omitempty"`
}

// errorWithNullsJSON is an element up to 8.x.
type errorWithNullsJSON struct {
	Context       *string `json:"context"`
	Message       string  `json:"message"`
	ExceptionName *string `json:"exceptionName"`
}

// statusJSON is what the REST framework says about a path nothing answers.
type statusJSON struct {
	Message    string `json:"message"`
	StatusCode int    `json:"status-code"`
	SubCode    int    `json:"sub-code"`
}

// draw returns the failure as an answer of that release. Whoever did not ask
// for JSON gets the framework's own errors as XML.
func (f *failure) draw(r release, wantsJSON bool) answer {
	a := answer{status: f.status, note: f.note, allow: f.allow}
	switch {
	case f.empty:
	case f.unrouted && !wantsJSON:
		a.contentType = "application/xml;charset=UTF-8"
		a.body = fmt.Appendf(nil, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`+
			`<status><status-code>%d</status-code><sub-code>-1</sub-code><message>HTTP %d %s</message></status>`,
			f.status, f.status, http.StatusText(f.status))
	case f.unrouted:
		a.contentType = jsonType
		a.body = encode(statusJSON{
			Message:    fmt.Sprintf("HTTP %d %s", f.status, http.StatusText(f.status)),
			StatusCode: f.status,
			SubCode:    -1,
		})
	default:
		a.contentType = jsonType
		var element any = errorJSON{f.context, f.message, f.exception}
		if r.nullKeysInErrors() {
			element = errorWithNullsJSON{orNull(f.context), f.message, orNull(f.exception)}
		}
		a.body = encode(errorsJSON{[]any{element}})
	}
	return a
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
