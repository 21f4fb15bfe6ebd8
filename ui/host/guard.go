package host

import (
	"net/http"
	"net/url"
)

// guard answers only requests that were made to origin by its name, and writes
// only for pages of origin. The first keeps out a page of another site whose
// name was made to point to this machine (DNS rebinding); the second keeps out
// a page that posts here in the person's name (cross-site request forgery).
// Nothing here is for callers outside a browser, so a write without an Origin is
// refused too.
func guard(origin string, next http.Handler) http.Handler {
	u, err := url.Parse(origin)
	if err != nil {
		panic("host: origin " + origin + ": " + err.Error())
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if r.Host != u.Host {
			http.Error(w, "this is "+origin+", and nothing is served under another name", http.StatusMisdirectedRequest)
			return
		}
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		sent := r.Header.Get("Origin")
		// A browser sends no Origin with most reads; where it sends one, it says
		// who asks.
		if sent != origin && !(reads && sent == "") {
			http.Error(w, "only pages of "+origin+" may ask this", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
