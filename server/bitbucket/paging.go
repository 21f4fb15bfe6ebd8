package bitbucket

import (
	"context"
	"maps"
	"net/url"
	"strconv"
	"strings"
)

// Listing is what was read of a list.
type Listing[T any] struct {
	Values []T
	// Complete is true when the list was read from its beginning to its end, so
	// that len(Values) is how many there are.
	Complete bool
	// Next is where to go on reading when there is more, otherwise 0.
	Next int
	// Total is Bitbucket's own count of the whole, where it sent one.
	Total *int
}

// page is one page of a list, in either of Bitbucket's two serialisations
// (bitbucket-rest.md section 2).
type page[T any] struct {
	IsLastPage    bool
	Values        []T
	NextPageStart *int
	TotalCount    *int
}

// readList reads a list that is answered as pages; see [readPages].
func readList[T any](ctx context.Context, c *Client, r request, start, want int) (Listing[T], error) {
	return readPages(r, start, want, func(r request) (p page[T], err error) {
		err = c.do(ctx, r, &p)
		return p, err
	})
}

// maxEmptyPages is how many pages without an entry a list may have: Bitbucket
// sends some where it leaves out what the caller may not see.
const maxEmptyPages = 20

// readPages reads the pages of r's list from start until it has want values or
// the list ends; read makes one request. It goes by nextPageStart alone, which
// may skip entries that the caller may not see, and asks again where the
// server clamps the limit.
func readPages[T any](r request, start, want int, read func(request) (page[T], error)) (Listing[T], error) {
	list := Listing[T]{Values: []T{}}
	query := maps.Clone(r.query)
	if query == nil {
		query = url.Values{}
	}
	r.query = query
	for at, empty := start, 0; ; {
		query.Set("start", strconv.Itoa(at))
		query.Set("limit", strconv.Itoa(want-len(list.Values)))
		p, err := read(r)
		if err != nil {
			return list, err
		}
		// More than was asked for is not taken: what is left out is asked for next.
		if left := want - len(list.Values); len(p.Values) > left {
			list.Values = append(list.Values, p.Values[:left]...)
			list.Next = at + left
			return list, nil
		}
		list.Values = append(list.Values, p.Values...)
		if p.TotalCount != nil && *p.TotalCount >= 0 {
			list.Total = p.TotalCount
		}
		if len(p.Values) == 0 {
			empty++
		}
		switch {
		case p.IsLastPage:
			list.Complete = start == 0
			return list, nil
		case p.NextPageStart == nil || *p.NextPageStart <= at:
			return list, &Error{Kind: Unsupported, Method: r.method, Path: "/rest/" + r.module + "/" + strings.Join(r.path, "/"),
				Messages: []string{"the list names no next page, though it is not at its end"}}
		case empty > maxEmptyPages:
			return list, &Error{Kind: Unsupported, Method: r.method, Path: "/rest/" + r.module + "/" + strings.Join(r.path, "/"),
				Messages: []string{"page after page of the list is empty, and it does not end"}}
		case len(list.Values) >= want:
			list.Next = *p.NextPageStart
			return list, nil
		}
		at = *p.NextPageStart
	}
}
