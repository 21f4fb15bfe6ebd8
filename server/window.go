package server

// window gives limit entries from start of a list that Bitbucket gives whole,
// or that bb has to read whole to order it. count is how many there are; where
// that is more than all, or not known, the end of all is not the end of the
// list, and there is no start to go on with.
func window[T any](all []T, count Count, start, limit int) ([]T, Page) {
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
