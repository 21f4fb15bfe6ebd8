package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

// about says what was asked, for the error of an answer function.
func about(what string, err error) error {
	return fmt.Errorf("%s: %w", what, err)
}

// explain gives a failed call the words a model can act on: what was asked,
// what came back in Bitbucket's own words with the request's id, and what can
// be done.
func (s *Server) explain(ctx context.Context, err error) error {
	asked := func(cause error) string { return quote.Visible(strings.TrimSuffix(err.Error(), cause.Error())) }
	switch {
	case ctx.Err() == nil:
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%sBitbucket did not answer within %v. Try again, or ask for less", asked(context.DeadlineExceeded), s.o.CallTimeout)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%sthe client cancelled the call", asked(context.Canceled))
	}
	var old *bitbucket.TooOldError
	if errors.As(err, &old) {
		return fmt.Errorf("%s. There is no other way to ask this Bitbucket for it", quote.Visible(err.Error()))
	}
	var failed *bitbucket.Error
	if !errors.As(err, &failed) {
		return err
	}
	words := quote.Visible(strings.TrimSuffix(err.Error(), failed.Error()) + failed.Asked())
	said, id := saidWords(failed), failed.Request()
	if len(said) > 1 { // read better as a list
		words = strings.TrimSuffix(words, " ") + "\n- " + strings.Join(said, "\n- ") + "\n"
		id = strings.TrimPrefix(id, " ")
	} else {
		words += strings.TrimSuffix(strings.Join(said, ""), ".")
	}
	words += id
	for _, todo := range []string{s.remedy(ctx, failed), unknownOutcome(failed)} {
		switch {
		case todo == "":
		case strings.HasSuffix(words, "\n"):
			words += todo
		default:
			words += ". " + todo
		}
	}
	words = strings.TrimSuffix(words, "\n")
	return errors.New(words)
}

// saidWords are what came back: Bitbucket's own words, which repeat names that
// anybody may have given, in quotation marks, then ours.
func saidWords(e *bitbucket.Error) []string {
	words := slices.Clone(e.Words())
	for i := range words {
		if i < e.Said {
			words[i] = quote.Line(strings.TrimSuffix(words[i], "."))
		} else {
			words[i] = quote.Visible(words[i])
		}
	}
	return words
}

// unknownOutcome warns of a write that may have happened all the same.
func unknownOutcome(e *bitbucket.Error) string {
	switch {
	case !e.Write || e.Kind != bitbucket.Unreachable && e.Status < 500:
		return ""
	case e.Cause == bitbucket.CutOff, e.Cause == bitbucket.BrokenOff, e.Status >= 500:
		return "It is not known whether it was done: read what is there now before trying again"
	}
	return ""
}

// remedy is what the person or the model can do about a failure, or "".
func (s *Server) remedy(ctx context.Context, e *bitbucket.Error) string {
	if todo := s.remedyOfCause(ctx, e); todo != "" {
		return todo
	}
	switch e.Kind {
	case bitbucket.NotFound:
		if todo, ok := missingRemedies[e.Missing()]; ok {
			return todo
		}
		return "Bitbucket does not have it under this name"
	case bitbucket.Unauthenticated:
		return "The credentials bb runs with are missing, wrong or expired: the person who set bb up has to give it a valid token"
	case bitbucket.Denied:
		return s.whoMayNot(e)
	case bitbucket.Unreachable:
		return fmt.Sprintf("Check that %s can be reached from where bb runs (network, proxy, certificate)", s.o.Bitbucket.URL())
	case bitbucket.Unsupported:
		return fmt.Sprintf("Check that %s is the address of a Bitbucket Data Center, with its context path; a proxy may stand in front of it", s.o.Bitbucket.URL())
	case bitbucket.Invalid:
		if len(e.ValidReviewers) > 0 {
			return "These reviewers would be accepted: " + quotedList(e.ValidReviewers)
		}
	case bitbucket.Failed:
		return "Bitbucket itself failed; try again, and if it stays, its operator finds the request by its id"
	}
	return ""
}

func (s *Server) whoMayNot(e *bitbucket.Error) string {
	what := "see it"
	if e.Write {
		what = "do this"
	}
	who := s.o.Bitbucket.Caller()
	if who == "" {
		return "The credentials bb runs with may not " + what
	}
	return fmt.Sprintf("bb acts for %s, who may not %s; somebody who administers it can grant access", quote.Word(who), what)
}

// missingRemedies say how to find the right name of what does not exist.
var missingRemedies = map[string]string{
	"project":        "Check the project key; a personal project is written ~user",
	"repository":     "Check the repository slug: it is the name in the address, in lower case",
	"pull request":   "Check the number; list_pull_requests lists those of the repository",
	"commit":         "Check the commit or name, and its letter case; list_branches and list_tags find names, and refs/heads/… or refs/tags/… says which is meant where there are both",
	"branch":         "Check the name, and its letter case; list_branches finds names",
	"tag":            "Check the name, and its letter case; list_tags finds names",
	"ref":            "Check the name, and its letter case; list_branches and list_tags find names, and refs/heads/… or refs/tags/… says which is meant where there are both",
	"default branch": "The repository has no default branch, perhaps because it is empty: name a branch, tag or commit",
	"path":           "The repository and the revision exist, the path does not: check it and its letter case; list_files lists what a folder holds",
	"user":           "Check the user name: it is the login, not the full name",
	"comment":        "It may have been deleted since it was read",
	"report":         "There is no report of this key on this commit",
}

// remedyOfCause is the remedy where more is known than the kind of a failure.
func (s *Server) remedyOfCause(ctx context.Context, e *bitbucket.Error) string {
	url := s.o.Bitbucket.URL()
	switch e.Cause {
	case bitbucket.TokenRefused:
		return "The credentials bb runs with are wrong, expired or revoked: the person who set bb up has to give it a valid token"
	case bitbucket.SignInRequired:
		return "bb runs without credentials, and this needs some: the person who set bb up has to give it a token (BITBUCKET_TOKEN or --token-file)"
	case bitbucket.CaptchaRequired:
		where := e.LoginURL
		if where == "" {
			where = url + "/login"
		}
		return fmt.Sprintf("After some wrong passwords Bitbucket wants a person to log in: the person bb acts for has to log in once in a browser at %s and answer the CAPTCHA; trying again before that does not help", quote.Visible(where))
	case bitbucket.NotLicensed:
		return "The user whose credentials bb has needs a licence for Bitbucket; an administrator can give one"
	case bitbucket.CrossSiteRefused:
		return "Bitbucket takes the request for one from another site; a proxy in front of it may drop the header X-Atlassian-Token"
	case bitbucket.MovedOutOfScope:
		return "bb is limited to a scope; nothing was read from the new place"
	case bitbucket.NoEndpoint:
		return s.noEndpoint(ctx)
	case bitbucket.RateLimited:
		if e.RetryAfter > 0 {
			return fmt.Sprintf("Bitbucket limits how often it is asked, and asks to wait %s; try again then", waitWords(e.RetryAfter))
		}
		return "Bitbucket limits how often it is asked; wait a minute and try again"
	case bitbucket.InMaintenance:
		return "Bitbucket is starting, in maintenance or overloaded; try again in some minutes"
	case bitbucket.TooLarge:
		return "Ask for less, such as a lower limit or one file"
	case bitbucket.DatabaseError:
		if e.Write {
			return "Bitbucket's database failed. A character outside the basic plane, such as an emoji, in the text can be the cause where the database cannot store it"
		}
	case bitbucket.OutOfDate:
		if e.CurrentVersion != nil {
			return fmt.Sprintf("It was changed since it was read, and is at version %d now. Read it again and look at what changed before repeating this", *e.CurrentVersion)
		}
		return "It was changed since it was read. Read it again and look at what changed before repeating this"
	case bitbucket.Vetoed:
		return "Nothing was merged. Each reason has to go first"
	case bitbucket.MergeConflicted:
		return "Nothing was merged. The conflicts have to be resolved in the source branch first"
	case bitbucket.Closed:
		return "It is not open any more; get_pull_request says how it ended"
	case bitbucket.Duplicate:
		if p := e.Existing; p != nil {
			return quote.Visible(fmt.Sprintf("Use the one there is: %s/%s #%d %s", p.ToRef.Repository.Project.Key, p.ToRef.Repository.Slug, p.ID, p.Links.URL()))
		}
	case bitbucket.NothingNew:
		return "The source has no commit that the target lacks; check that source and target are not exchanged and that the source was pushed"
	case bitbucket.PushedMeanwhile:
		return "Nothing was merged, because the target was pushed to meanwhile; read the pull request again before repeating this"
	case bitbucket.CommentHasReplies:
		return "A comment with replies cannot be deleted"
	}
	return s.remedyOfConnection(e)
}

// remedyOfConnection is the remedy where the way to Bitbucket is the cause.
func (s *Server) remedyOfConnection(e *bitbucket.Error) string {
	url := s.o.Bitbucket.URL()
	switch e.Cause {
	case bitbucket.LoginPage:
		return fmt.Sprintf("A login page stands in front of %s: REST requests with a token have to get past it; its operator can exempt /rest/", url)
	case bitbucket.RedirectedElsewhere:
		return fmt.Sprintf("If the new address is right, set it instead of %s (BITBUCKET_URL or --url)", url)
	case bitbucket.NameUnknown:
		return fmt.Sprintf("Check the host name in %s, and whether bb runs in a network that knows it (VPN, proxy)", url)
	case bitbucket.ConnectionRefused:
		return fmt.Sprintf("Check host and port in %s, and that Bitbucket runs", url)
	case bitbucket.TimedOut:
		return fmt.Sprintf("Check that %s can be reached from where bb runs; a firewall may be in the way, or a proxy be needed (HTTPS_PROXY)", url)
	case bitbucket.CutOff, bitbucket.BrokenOff:
		return "Try again; if it stays, something between bb and Bitbucket closes connections"
	case bitbucket.AuthorityUnknown:
		return "Give bb the certificate of that authority, and of those between, in PEM form: --ca-file or BB_CA_FILE"
	case bitbucket.WrongHostName:
		return fmt.Sprintf("Set Bitbucket's address (now %s) with a host name that the certificate names", url)
	case bitbucket.CertificateExpired:
		return "Bitbucket's operator has to renew it; if it is valid, check the clock of the machine bb runs on"
	case bitbucket.CertificateWanted:
		return "Give bb a client certificate that Bitbucket accepts: --client-cert and --client-key, or BB_CLIENT_CERT and BB_CLIENT_KEY"
	case bitbucket.PlainHTTPAnswered:
		return fmt.Sprintf("Set Bitbucket's address (now %s) with the port that speaks https", url)
	case bitbucket.TLSWanted:
		return fmt.Sprintf("Set Bitbucket's address (now %s) with https", url)
	case bitbucket.ProxySignIn:
		return "Set the proxy with its credentials (HTTPS_PROXY=http://user:password@host:port), or except Bitbucket from it (NO_PROXY)"
	case bitbucket.ProxyRefused, bitbucket.ProxyUnreachable, bitbucket.ProxySettingInvalid:
		return "Check HTTPS_PROXY and HTTP_PROXY, or except Bitbucket from the proxy with NO_PROXY"
	}
	return ""
}

// noEndpoint says why an address of the REST API is not answered: the release,
// which is asked for when that is not known yet, or the base URL.
func (s *Server) noEndpoint(ctx context.Context) string {
	r, err := s.o.Bitbucket.Release(ctx)
	switch {
	case err != nil:
		return fmt.Sprintf("Nothing of Bitbucket answers there: check %s, with its context path", s.o.Bitbucket.URL())
	case !r.Supported():
		return fmt.Sprintf("This is Bitbucket %s; bb reads %s to %s", quote.Visible(r.String()), bitbucket.Oldest, bitbucket.Newest)
	}
	return fmt.Sprintf("This Bitbucket (%s) has no such address: its release lacks it, or an app that brings it is off", quote.Visible(r.String()))
}

// waitWords is a time to wait as a person says it.
func waitWords(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}

// reason is why one part of an answer could not be read, short enough to
// stand in a view: Bitbucket's words, without the request.
func reason(err error) string {
	var failed *bitbucket.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "Bitbucket did not answer in time"
	case !errors.As(err, &failed):
		return err.Error()
	case failed.Kind == bitbucket.Unreachable:
		return "Bitbucket could not be reached"
	}
	return strings.TrimSuffix(strings.Join(failed.Words(), "; "), ".")
}
