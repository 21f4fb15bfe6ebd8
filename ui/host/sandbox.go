package host

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"net/http"
	"path"
	"strings"
)

//go:embed *.html *.js *.css
var files embed.FS

// asset answers one embedded file under a policy.
func asset(name, policy string) http.Handler {
	content, err := files.ReadFile(name)
	if err != nil {
		panic("host: " + err.Error())
	}
	return document(name, content, policy)
}

func document(name string, content []byte, policy string) http.Handler {
	kind := map[string]string{".html": "text/html", ".js": "text/javascript", ".css": "text/css"}[path.Ext(name)]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		w.Header().Set("Content-Security-Policy", policy)
		w.Write(content)
	})
}

// hostPlace is where sandbox.html names the one origin it talks to.
const hostPlace = "{host}"

// sandboxHandler serves the second origin: the proxy of the specification, and
// the views it loads. A view is loaded by its URL and not as srcdoc, so that
// its policy is a header it cannot touch and test clocks reach it.
func sandboxHandler(hostOrigin, sandboxOrigin string) http.Handler {
	page, err := files.ReadFile("sandbox.html")
	if err != nil {
		panic("host: " + err.Error())
	}
	page = bytes.ReplaceAll(page, []byte(hostPlace), []byte(hostOrigin))
	kept := &store{}
	policy := proxyPolicy(hostOrigin)
	mux := http.NewServeMux()
	mux.Handle("GET /sandbox.html", document("sandbox.html", page, policy))
	mux.Handle("GET /sandbox.js", asset("sandbox.js", policy))
	mux.Handle("GET /sandbox.css", asset("sandbox.css", policy))
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })

	mux.HandleFunc("POST /views", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			http.Error(w, "want application/json", http.StatusUnsupportedMediaType)
			return
		}
		var v stored
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxViewBytes)).Decode(&v)
		if big := (*http.MaxBytesError)(nil); errors.As(err, &big) {
			http.Error(w, "the view is larger than this host keeps", http.StatusRequestEntityTooLarge)
			return
		}
		if err != nil || v.HTML == "" {
			http.Error(w, "want {html, csp}", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		json.NewEncoder(w).Encode(map[string]string{"url": "/views/" + kept.put(v), "policy": Policy(v.CSP)})
	})
	mux.HandleFunc("GET /views/{id}", func(w http.ResponseWriter, r *http.Request) {
		v, ok := kept.take(r.PathValue("id"))
		if !ok {
			http.Error(w, "no such view, or it was loaded already", http.StatusNotFound)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", Policy(v.CSP))
		// A policy of its own, so that the first is the view's to the letter.
		h.Add("Content-Security-Policy", "frame-ancestors "+sandboxOrigin+" "+hostOrigin)
		w.Write([]byte(v.HTML))
	})
	return mux
}
