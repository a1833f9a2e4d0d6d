package web

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"sakusen/tuner/serve/role"
)

// policy is what pages may load: nothing but what this server serves.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard checks every request before it reaches a handler.
func (s *Server) guard(next *http.ServeMux) http.Handler {
	origin := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store") // but for what is static
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if s.o.Secure {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		s.counts.add(r.Method)
		p := s.admit(w, r, origin)
		if p == nil {
			_, pattern := next.Handler(r)
			p = permit(s, r, pattern)
		}
		if p != nil {
			s.counts.refuse()
			s.o.Log.Debug("refused", "method", r.Method, "path", r.URL.Path, "from", s.asker(r), "status", p.Status, "why", p.Text)
			if p.Status == http.StatusUnauthorized && wantsPage(r) {
				http.Redirect(w, r, loginAt(r), http.StatusSeeOther)
				return
			}
			s.fail(w, r, p)
			return
		}
		leave, p := s.place(w, r)
		if p != nil {
			s.counts.refuse()
			s.fail(w, r, p)
			return
		}
		defer leave()
		began := time.Now()
		next.ServeHTTP(w, r)
		s.timed(r, began)
	})
}

// admit says why a request is refused.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, origin *http.CrossOriginProtection) *Problem {
	if !s.knows(r.Host) {
		return problem(http.StatusMisdirectedRequest, "this server does not go by that name (setting hosts)")
	}
	if len(r.URL.RequestURI()) > 4096 {
		return problem(http.StatusRequestURITooLong, "the address is too long")
	}
	if _, err := url.ParseQuery(r.URL.RawQuery); err != nil {
		return problem(http.StatusBadRequest, "the query is malformed: expected name=value pairs joined by &, other characters as %XX")
	}
	if !open(r.URL.Path) && s.role(r) == role.None {
		// Only wrong tokens are counted, so that a client without a token cannot lock out
		// others at the same address who have the right one.
		if r.Header.Get("Authorization") != "" && !s.guesses.take(s.asker(r)) {
			w.Header().Set("Retry-After", "1")
			return problem(http.StatusTooManyRequests, "too many wrong tokens; try again in a second")
		}
		w.Header().Set("WWW-Authenticate", `Bearer realm="sakusen"`)
		return problem(http.StatusUnauthorized, "expected a bearer token, or a login")
	}
	if site := r.Header.Get("Sec-Fetch-Site"); (site == "cross-site" || site == "same-site") && strings.HasPrefix(r.URL.Path, "/api/") {
		return problem(http.StatusForbidden, "a page of another origin must not use the API") // nor let it work by reading
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	if err := origin.Check(r); err != nil {
		return problem(http.StatusForbidden, "a page of another origin must not write here")
	}
	if !s.writes.take(s.asker(r)) {
		w.Header().Set("Retry-After", "1")
		return problem(http.StatusTooManyRequests, "too many writes; try again in a second")
	}
	if strings.HasPrefix(r.URL.Path, "/api/") && r.Method != http.MethodOptions {
		kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		// No form and no link sends DELETE, so one without a body needs no type.
		bare := r.Method == http.MethodDelete && r.ContentLength == 0 && r.Header.Get("Content-Type") == ""
		if !bare && (err != nil || kind != "application/json") {
			return problem(http.StatusUnsupportedMediaType, "expected Content-Type: application/json")
		}
	}
	if r.URL.Path == "/login" || r.URL.Path == "/logout" {
		// Anybody may send this request, so it must be small.
		if r.ContentLength < 0 || r.ContentLength > formBody {
			return problem(http.StatusRequestEntityTooLarge, "expected a form of at most 4096 bytes, of which the request says how many they are")
		}
	} else {
		if err := s.o.Service.Damage(); err != nil {
			return s.answerTo(r, err)
		}
	}
	r.Body = http.MaxBytesReader(w, r.Body, bodyLimit(r.URL.Path))
	return nil
}

// open tells the paths that need no token.
func open(path string) bool {
	return path == "/healthz" || path == "/readyz" || path == "/login" || strings.HasPrefix(path, "/static/")
}

// knows tells whether a host is one of the server's names.
func (s *Server) knows(host string) bool {
	return slices.Contains(s.access.Load().Hosts, hostOf(host))
}

// role is what the token or the login's cookie of a request allows.
func (s *Server) role(r *http.Request) role.Role {
	tokens := s.access.Load().Tokens
	if len(tokens) == 0 {
		return role.Administer
	}
	var found *role.Token
	if scheme, given, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		found = tokens.Find(given)
	} else {
		found = s.loggedIn(r)
	}
	if found == nil {
		return role.None
	}
	return found.Role
}

// permit says why a client must not do what the pattern of a route does, if it must
// not.
func permit(s *Server, r *http.Request, pattern string) *Problem {
	needs, ok := s.needs[pattern]
	if !ok || open(r.URL.Path) {
		return nil // nothing is there
	}
	if have := s.role(r); have < needs {
		return problem(http.StatusForbidden, fmt.Sprintf("this token may %s; this takes one that may %s (token_file)", have, needs))
	}
	return nil
}

// wantsPage tells whether a person asks, through a browser.
func wantsPage(r *http.Request) bool {
	return r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.Header.Get("Accept"), "text/html")
}
