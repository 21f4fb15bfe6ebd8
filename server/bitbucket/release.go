package bitbucket

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// Release is a release of Bitbucket Data Center.
type Release struct {
	Major, Minor, Patch int
	text                string
}

// Oldest and Newest bound the releases that are read.
var (
	Oldest = Release{Major: 8, Minor: 9, text: "8.9"}
	Newest = Release{Major: 10, text: "10.x"}
)

var releaseForm = regexp.MustCompile(`^(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?(?:[.-][\w.+-]{1,60})?$`)

// ParseRelease reads a release such as 9.4.16; what follows its numbers, as in
// 9.4.0-rc1, is kept for String.
func ParseRelease(text string) (Release, error) {
	m := releaseForm.FindStringSubmatch(text)
	if m == nil {
		return Release{}, fmt.Errorf("%q is not a release of Bitbucket", text)
	}
	r := Release{text: text}
	for i, into := range []*int{&r.Major, &r.Minor, &r.Patch} {
		*into, _ = strconv.Atoi(m[i+1]) // at most four digits; a patch that is left out is 0
	}
	return r, nil
}

// String is the release as Bitbucket writes it.
func (r Release) String() string { return r.text }

// AtLeast says whether r is that release or a later one.
func (r Release) AtLeast(major, minor int) bool {
	return r.Major > major || r.Major == major && r.Minor >= minor
}

// Supported says whether bb reads a Bitbucket of this release: from 8.9 to
// 10.x.
func (r Release) Supported() bool {
	return r.AtLeast(Oldest.Major, Oldest.Minor) && r.Major <= Newest.Major
}

// Feature is what only some of the releases that are read can do.
type Feature struct {
	Name         string
	Major, Minor int // the first release that has it
}

// The features (bitbucket-rest.md 10.1, 10.7, 16).
var (
	CodeOwners = Feature{"code owners", 8, 14}
	AutoMerge  = Feature{"auto-merge", 8, 15}
	Drafts     = Feature{"draft pull requests", 8, 18}

	features = []Feature{CodeOwners, AutoMerge, Drafts}
)

// Lacks is what the release cannot do.
func (r Release) Lacks() []Feature {
	return slices.DeleteFunc(slices.Clone(features), r.Has)
}

// Has says whether the release has f.
func (r Release) Has(f Feature) bool { return r.AtLeast(f.Major, f.Minor) }

// Release is the release of the Bitbucket that answers. It is asked for once;
// a failure is not kept.
func (c *Client) Release(ctx context.Context) (Release, error) {
	if r := c.release.Load(); r != nil {
		return *r, nil
	}
	select {
	case c.releaseRead <- struct{}{}:
		defer func() { <-c.releaseRead }()
	case <-ctx.Done():
		return Release{}, ctx.Err()
	}
	if r := c.release.Load(); r != nil {
		return *r, nil
	}
	p, err := c.ApplicationProperties(ctx)
	if err != nil {
		return Release{}, err
	}
	r, err := ParseRelease(p.Version)
	if err != nil {
		return Release{}, &Error{Kind: Unsupported, Cause: NotJSON, Method: "GET", Path: "/rest/" + api + "/application-properties", Messages: []string{err.Error()}}
	}
	c.release.Store(&r)
	return r, nil
}

// KnownRelease is the release as far as it was asked for; nil before.
func (c *Client) KnownRelease() *Release { return c.release.Load() }

// Need refuses what the release cannot do, before it is asked. A release that
// cannot be read refuses nothing: the request itself will say what is wrong.
func (c *Client) Need(ctx context.Context, f Feature) error {
	r, err := c.Release(ctx)
	if err != nil || r.Has(f) {
		return ctx.Err()
	}
	return &TooOldError{f, r}
}

// TooOldError is something that a release cannot do.
type TooOldError struct {
	Feature Feature
	Release Release
}

// Error names what is missing, the release there is and the one that has it.
func (e *TooOldError) Error() string {
	return fmt.Sprintf("this Bitbucket is %s; %s came with %d.%d", e.Release, e.Feature.Name, e.Feature.Major, e.Feature.Minor)
}
