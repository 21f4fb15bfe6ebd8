package server

// window gives limit entries from start of a list that Bitbucket gives whole,
// or bb has to read whole to order it. count is how many there are.
func window[T any](all []T, count Count, start, limit int) ([]T, Page) {
	if limit == 0 {
		limit = defaultLimit
	}
	from := min(start, len(all))
	to := min(from+limit, len(all))
	p := Page{Count: count, start: start}
	if to < len(all) {
		p.LimitReached, p.NextStart = true, to
	}
	return all[from:to], p
}
