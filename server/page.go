package server

import (
	"fmt"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// How many entries a list has by default and at most.
const (
	defaultLimit = 25
	maxLimit     = 100
)

// Page says how much of a list an answer holds (PAGING-01, PAGING-03).
type Page struct {
	Count        Count `json:"count"`
	LimitReached bool  `json:"limitReached"`
	NextStart    int   `json:"nextStart,omitempty"`

	start int // where the list began
}

// pageOf is what a list that was read from start says of itself. Only a list
// read from its beginning to its end says how many there are: a start may lie
// beyond the end, and pages skip what the caller may not see.
func pageOf[T any](l bitbucket.Listing[T], start int) Page {
	p := Page{Count: countOf(len(l.Values), l.Complete), LimitReached: l.Next != 0, NextStart: l.Next, start: start}
	if l.Total != nil {
		p.Count = counted(*l.Total)
	}
	return p
}

// keep says that only the first n entries were kept. An entry's own place is
// not known where Bitbucket skipped entries, but it is never before start+n:
// going on there repeats some at worst and loses none.
func (p *Page) keep(n int) {
	p.LimitReached, p.NextStart = true, p.start+n
}

// more is the line that says how to go on, or "".
func (p Page) more() string {
	switch {
	case !p.LimitReached:
		return ""
	case p.NextStart == 0:
		return "There are more than can be listed.\n"
	}
	return fmt.Sprintf("There are more; go on with start %d.\n", p.NextStart)
}

// of says how many there are, or how many were listed, in words: "3 branches",
// "25 branches (there are more)", "25 of 312 branches", "No branches from start
// 50 on". n is how many the answer lists.
func (p Page) of(n int, one, many string) string {
	switch total := p.Count.Total; {
	case total != nil && *total == 0:
		return "No " + many
	case n == 0 && p.start > 0:
		return fmt.Sprintf("No %s from start %d on", many, p.start)
	case total != nil && *total == n:
		return plural(n, one, many)
	case total != nil:
		return fmt.Sprintf("%d of %s", n, plural(*total, one, many))
	case p.LimitReached:
		return plural(n, one, many) + " (there are more)"
	}
	if p.start > 0 {
		return "the last " + plural(n, one, many)
	}
	if n == 0 {
		return "No " + many
	}
	return plural(n, one, many) // of those the scope or Bitbucket lets the caller see
}

// pageFrom gives limit entries from start of a list that Bitbucket gives whole,
// or that bb has to read whole to order it. count is how many there are; where
// that is more than all, or not known, the end of all is not the end of the
// list, and there is no start to go on with.
func pageFrom[T any](all []T, count Count, start, limit int) ([]T, Page) {
	if limit == 0 {
		limit = defaultLimit
	}
	from := min(start, len(all))
	to := min(from+limit, len(all))
	p := Page{Count: count, start: start}
	if to < len(all) {
		p.LimitReached, p.NextStart = true, to
	} else if count.Total == nil || *count.Total > len(all) {
		p.LimitReached = true
	}
	return all[from:to], p
}

// inOrder ends the heading of a list of n entries in some order.
func inOrder(n int, order string) string {
	if n == 0 {
		return "."
	}
	return ", " + order + ":"
}

// colon ends the heading of a list of n entries.
func colon(n int) string {
	if n == 0 {
		return "."
	}
	return ":"
}
