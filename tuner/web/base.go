package web

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

// base is the path of a proxy below which browsers see the server, such as /sakusen; empty
// for none. Handlers, routes and templates know nothing of it: it is taken off what comes in
// and put before what goes out, which is pages, redirects, cookies and the API's description.
type base string

// addresses matches the attributes in which pages name paths of the server.
var addresses = regexp.MustCompile(`( (?:href|src|action|formaction|hx-(?:get|post)|data-(?:address|beside|events|film|page|src|trial))=")(/(?:[^/]|$))`)

// page returns HTML of templates with the path before its addresses. Text of others cannot
// look like an attribute there, since its quotes are escaped.
func (b base) page(html []byte) []byte {
	if b == "" {
		return html
	}
	return addresses.ReplaceAll(html, []byte("${1}"+string(b)+"${2}"))
}

// description returns the API's description with the path as its server.
func (b base) description() []byte {
	return bytes.Replace(api.Description, []byte(`"url": "/"`), fmt.Appendf(nil, `"url": "%s/"`, b), 1)
}

// cookiePath is the path of the server's cookies.
func (b base) cookiePath() string { return string(b) + "/" }

// handler takes the path off requests, of which a proxy may have taken it already, and puts
// it before the addresses to which they are redirected.
func (b base) handler(next http.Handler) http.Handler {
	if b == "" {
		return next
	}
	stripped := http.StripPrefix(string(b), next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w = &based{w, b}
		switch {
		case r.URL.Path == string(b):
			http.Redirect(w, r, "/", http.StatusMovedPermanently)
		case strings.HasPrefix(r.URL.Path, string(b)+"/"):
			stripped.ServeHTTP(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// check refuses a path that begins as one of the server's own: a request behind a proxy that
// takes the path off would mean two things.
func (b base) check(routes []route) error {
	first, _, _ := strings.Cut(strings.TrimPrefix(string(b), "/"), "/")
	for _, r := range append(routes, route{pattern: "/static/"}) {
		if own, _, _ := strings.Cut(strings.TrimPrefix(r.pattern, "/"), "/"); b != "" && own == first {
			return service.New(service.Invalid, fmt.Sprintf("base_path: expected a path that does not begin with one of the server's own such as /%s, got %s", own, b))
		}
	}
	return nil
}

// based is an answer whose redirects lead below a path.
type based struct {
	http.ResponseWriter
	base base
}

// WriteHeader implements http.ResponseWriter.
func (w *based) WriteHeader(status int) {
	if to := w.Header().Get("Location"); strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") {
		w.Header().Set("Location", string(w.base)+to)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (w *based) Unwrap() http.ResponseWriter { return w.ResponseWriter }
