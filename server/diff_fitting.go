package server

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/diff"
	"github.com/bb-mcp/bb/server/quote"
)

// How an answer is shared out, in UTF-16 units of JSON. Everything stands in it
// twice, as text and as structured content: twice the diffs and twice a list
// leave room in an answer for what is around them.
const (
	diffUnits = 40_000
	listUnits = 17_000
	// laterListUnits is for the list of a call that goes on: what follows was
	// listed before.
	laterListUnits = 6_000
	// fileUnits is what one file has of the diffs as long as others need room
	// (DIFF-02).
	fileUnits = 10_000
	// leastUnits is room in which any diff gets on.
	leastUnits = 2_500
)

// filled is a with the diffs of its first files and as much of its list as an
// answer has room for. one says that a single file was asked for.
func (a DiffAnswer) filled(read []fileRead, one bool) DiffAnswer {
	for i := range read {
		a.Files[i].describe(read[i], a.of)
	}
	for room := diffUnits; ; room /= 2 {
		b := a
		b.Files = slices.Clone(a.Files)
		b.fill(read, one, room)
		// Only paths of thousands of characters make it more than one round.
		if room < leastUnits || units(b)+units(b.text()) <= maxResult-envelope {
			return b
		}
	}
}

// fill gives the files their diffs within room, and leaves out of the list what
// does not fit.
func (a *DiffAnswer) fill(read []fileRead, one bool, room int) {
	list, listed := listUnits, 0
	if a.of.Start > 0 {
		list = laterListUnits
	}
	for i, f := range a.Files {
		list -= max(units(f)+1, units(a.fileLine(i, f))+2)
		if i < len(read) {
			list -= lineCounts
		}
		if list < 0 && i > 0 {
			break
		}
		listed++
	}

	share := min(fileUnits, room)
	if one {
		share = room
	}
	var cut []int // the files that are larger than their share
	for i := range min(len(read), listed) {
		f := &a.Files[i]
		if f.Note == "" {
			t := a.write(read[i].diff, room, one)
			size := diff.Units(t.Text)
			if !t.Whole() || size > share {
				size = share
				cut = append(cut, i)
			}
			if size > room {
				break
			}
			f.set(t)
			room -= size
		}
		a.with++
	}
	if n := len(cut); n > 0 && cut[n-1] == a.with {
		cut = cut[:n-1] // there was no room for it
	}
	a.share(read, cut, share, room, one)

	a.Unlisted = len(a.Files) - listed
	a.Files = a.Files[:listed]
	if a.with < listed || a.Unlisted > 0 {
		a.LimitReached, a.NextStart = true, a.of.Start+a.with
	}
	a.LimitReached = a.LimitReached || a.Count.Total == nil
}

// lineCounts is room for the counts of lines, which are not known when the list
// is measured.
const lineCounts = 60

// share gives the files that are larger than their share what room is left
// besides: the smallest first, so that what it does not need goes to the next.
func (a *DiffAnswer) share(read []fileRead, cut []int, share, room int, one bool) {
	slices.SortStableFunc(cut, func(i, j int) int { return cmp.Compare(len(a.Files[i].Diff), len(a.Files[j].Diff)) })
	for n, i := range cut {
		t := a.write(read[i].diff, share+room/(len(cut)-n), one)
		a.Files[i].set(t)
		room -= max(diff.Units(t.Text)-share, 0)
	}
}

// write writes the diff of a file within limit.
func (a *DiffAnswer) write(d bitbucket.FileDiff, limit int, one bool) diff.Text {
	with := "path of this file and skip"
	if one {
		with = "skip"
	}
	const beyond = "Context 0 may bring more of it; get_file reads the file as it is now."
	return diff.Write(d, diff.Limits{Units: limit, Skip: a.of.Skip, Beyond: beyond, More: func(left, next int) string {
		return fmt.Sprintf("Cut here: %s left out; go on with %s %d.", plural(left, "line of this diff is", "lines of this diff are"), with, next)
	}})
}

// set takes over a diff.
func (f *DiffedFile) set(t diff.Text) {
	f.Diff, f.Skip, f.Added, f.Removed = t.Text, 0, nil, nil
	if !t.Whole() {
		f.Skip = t.Next
	}
	if !t.Truncated {
		f.Added, f.Removed = &t.Added, &t.Removed
	}
	if t.Text == "" && t.Whole() {
		f.Note = "There is nothing behind the lines skipped."
	}
}

// maxReason is how much is told of why a diff could not be read.
const maxReason = 200

// describe says why a file has no diff, where it has none.
func (f *DiffedFile) describe(r fileRead, of DiffRequest) {
	hunks := slices.ContainsFunc(r.diff.Hunks, func(h bitbucket.Hunk) bool { return len(h.Segments) > 0 })
	switch {
	case r.err != nil:
		why, _ := cut(reason(r.err), maxReason)
		f.Note = "Its diff could not be read: " + quote.Visible(why) + "."
	case r.missing && of.Whitespace == "ignore":
		f.Note = "Only white space changed, which was to be ignored."
	case r.missing:
		f.Note = "Bitbucket sent no diff of it."
	case r.diff.Binary:
		f.Note = "A binary file."
	case hunks || r.diff.Truncated:
	case of.Whitespace == "ignore":
		f.Note = "No line differs in more than white space, which was to be ignored."
	case f.Type == "ADD" || f.Type == "DELETE":
		f.Note = "The file is empty."
	case f.Executable != nil:
		f.Note = "Only its mode changed."
	default:
		f.Note = "Its content is the same."
	}
}
