package host

import (
	"crypto/rand"
	"slices"
	"sync"
)

const (
	// maxViewBytes is the largest post of a view: the largest page anybody
	// reported is under 3 MB.
	maxViewBytes = 8 << 20
	// maxViews and maxStoredBytes bound what was posted and not loaded yet. A
	// page loads its view at once, so few are ever waiting; the oldest go first.
	maxViews       = 32
	maxStoredBytes = 32 << 20
)

// stored is a view between its post and its loading.
type stored struct {
	HTML string `json:"html"`
	CSP  *CSP   `json:"csp"`

	id string
}

// store keeps views until they are loaded, once. The zero value is empty.
type store struct {
	mu    sync.Mutex
	views []stored // oldest first
	bytes int
}

// put keeps a view and gives the random name under which it can be taken.
func (s *store) put(v stored) string {
	v.id = rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.views = append(s.views, v)
	s.bytes += len(v.HTML)
	for len(s.views) > maxViews || s.bytes > maxStoredBytes {
		s.bytes -= len(s.views[0].HTML)
		s.views = slices.Delete(s.views, 0, 1)
	}
	return v.id
}

// take gives the view of that name and forgets it.
func (s *store) take(id string) (stored, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.views, func(v stored) bool { return v.id == id })
	if i < 0 {
		return stored{}, false
	}
	v := s.views[i]
	s.bytes -= len(v.HTML)
	s.views = slices.Delete(s.views, i, i+1)
	return v, true
}
