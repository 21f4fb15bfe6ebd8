package fakebb

// The caps of pages, Bitbucket's server properties page.max.* with their
// default values (bitbucket-rest.md 2). A larger limit is clamped silently.
const (
	defaultLimit  = 25
	maxActivities = 500
	maxCommits    = 100
	maxBuilds     = 100  // of the older module: "newest 100 only"
	maxUIBuilds   = 2000 // of the listing the pull request page reads
	maxValues     = 1000 // everything else
)

// window is the part of a list that was asked for, clamped.
type window struct{ start, limit int }

// window reads start and limit. A value that is no number is the framework's
// 404, a negative one Bitbucket's 400; both are belief. A limit of 0 means the
// default.
func (x *exchange) window(most int) (window, error) { return x.windowOf(defaultLimit, most) }

// windowOf is window with another default limit.
func (x *exchange) windowOf(otherwise, most int) (window, error) {
	w := window{limit: otherwise}
	for _, p := range []struct {
		name string
		into *int
	}{{"start", &w.start}, {"limit", &w.limit}} {
		text := x.query.Get(p.name)
		if text == "" {
			continue
		}
		n, err := parseNumber(text)
		if err != nil {
			return window{}, notFound("")
		}
		if n < 0 {
			return window{}, invalidArgument("The " + p.name + " of a page must not be negative.")
		}
		*p.into = n
	}
	if w.limit == 0 {
		w.limit = otherwise
	}
	w.limit = min(w.limit, most)
	return w, nil
}

// pageJSON is a page of a paged resource.
type pageJSON[T any] struct {
	Size          int  `json:"size"`
	Limit         int  `json:"limit"`
	IsLastPage    bool `json:"isLastPage"`
	Values        []T  `json:"values"`
	Start         int  `json:"start"`
	NextPageStart *int `json:"nextPageStart,omitempty"`
}

// streamJSON is a page of a streamed resource. The two counts are those of
// withCounts.
type streamJSON[T any] struct {
	Values        []T  `json:"values"`
	Size          int  `json:"size"`
	IsLastPage    bool `json:"isLastPage"`
	Start         int  `json:"start"`
	Limit         int  `json:"limit"`
	NextPageStart *int `json:"nextPageStart"`
	AuthorCount   *int `json:"authorCount,omitempty"`
	TotalCount    *int `json:"totalCount,omitempty"`
}

// cut returns the values of a window of all, and where the next page begins,
// nil on the last page. What is not visible is skipped after it was fetched,
// so a next page may begin further on than this one is long.
func cut[T any](w window, all []T, visible func(T) bool) (values []T, next *int) {
	for i := w.start; i < len(all); i++ {
		if !visible(all[i]) {
			continue
		}
		if len(values) == w.limit {
			return values, &i
		}
		values = append(values, all[i])
	}
	return values, nil
}

// everything is the visible of a list that hides nothing.
func everything[T any](T) bool { return true }

// pageOf returns a page of all, each value drawn.
func pageOf[T, J any](w window, all []T, visible func(T) bool, draw func(T) J) pageJSON[J] {
	values, next := cut(w, all, visible)
	return pageJSON[J]{
		Size: len(values), Limit: w.limit, IsLastPage: next == nil,
		Values: drawAll(values, draw), Start: w.start, NextPageStart: next,
	}
}

// streamOf is pageOf for streamed resources.
func streamOf[T, J any](w window, all []T, draw func(T) J) streamJSON[J] {
	values, next := cut(w, all, everything)
	return streamJSON[J]{
		Values: drawAll(values, draw), Size: len(values), IsLastPage: next == nil,
		Start: w.start, Limit: w.limit, NextPageStart: next,
	}
}

// drawAll draws each value. The list is never null.
func drawAll[T, J any](values []T, draw func(T) J) []J {
	drawn := make([]J, len(values))
	for i, v := range values {
		drawn[i] = draw(v)
	}
	return drawn
}
