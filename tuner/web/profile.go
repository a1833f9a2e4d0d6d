package web

import (
	"net"
	"net/http"
	"net/http/pprof"
	"slices"
	"strings"
)

// Profile serves Go's profiles under /debug/pprof/, for a listener of its own on
// the loopback interface: it asks for no token. Pages elsewhere reach it neither
// under another name nor from another site.
func Profile() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		peer, err := peerOf(r)
		site := r.Header.Get("Sec-Fetch-Site")
		switch {
		case err != nil || !peer.IsLoopback() || !slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, hostOf(r.Host)):
			write(w, http.StatusMisdirectedRequest, problem(0, "profiles are served to this machine alone"))
		case site != "" && site != "none" && site != "same-origin":
			write(w, http.StatusForbidden, problem(0, "a page of another site must not read profiles"))
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// hostOf is a host without its port, in lower case.
func hostOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}
