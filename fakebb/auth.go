package fakebb

import (
	"net/http"
	"strings"
)

// authenticate returns who asks: the person of a token or password, or nil for
// a request that names nobody. A request that names somebody and is wrong is
// refused even where nobody would be let in (bitbucket-rest.md 1).
func (s *store) authenticate(r *http.Request) (*person, error) {
	header := r.Header.Get("Authorization")
	if header == "" {
		return nil, nil
	}
	scheme, credentials, _ := strings.Cut(header, " ")
	switch strings.ToLower(scheme) {
	case "bearer":
		name, ok := strings.CutPrefix(strings.TrimSpace(credentials), Token(""))
		if p := s.byName[name]; ok && p != nil {
			return p, nil
		}
	case "basic":
		name, password, ok := r.BasicAuth()
		if p := s.byName[name]; ok && p != nil && password == Token(name) {
			return p, nil
		}
	}
	return nil, authenticationFailed()
}
