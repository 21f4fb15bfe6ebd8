package server

import "github.com/bb-mcp/bb/server/view"

// Count is how many there are: the whole where it is known, otherwise how many
// were seen, and there may be more.
type Count struct {
	Total      *int `json:"total,omitempty"`
	KnownSoFar *int `json:"knownSoFar,omitempty"`
}

// counted is a count that Bitbucket sent, or that was taken over a list known
// to be complete.
func counted(n int) Count { return Count{Total: &n} }

// countOf is the count of a list of which n were read.
func countOf(n int, complete bool) Count {
	if complete {
		return counted(n)
	}
	return Count{KnownSoFar: &n}
}

// is says whether the whole is known and is n.
func (c Count) is(n int) bool { return c.Total != nil && *c.Total == n }

func (c Count) view() view.Count {
	v := view.Count{Total: c.Total}
	if c.KnownSoFar != nil {
		v.KnownSoFar = *c.KnownSoFar
	}
	return v
}
