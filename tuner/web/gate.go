package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

// gate checks requests, and refuses some, before a handler sees them.
type gate struct {
	failures
	o       *Options
	access  atomic.Pointer[Access]
	counts  *counts
	timed   func(r *http.Request, since time.Time)
	mux     *http.ServeMux        // of the routes
	needs   map[string]api.Role   // by the pattern of a route
	limits  map[string]int64      // of bodies in bytes, by path, where they are not the usual one
	ended   *shared[string, bool] // logins
	writes  *buckets              // by address, as the others
	logins  *buckets
	guesses *buckets      // wrong tokens of programs
	places  chan struct{} // of large requests
	bodies  *shares       // large ones, that are in memory before they have a place
}

func newGate(o *Options, f failures, c *counts) *gate {
	g := &gate{failures: f, o: o, counts: c, needs: map[string]api.Role{}, limits: map[string]int64{"/login": formBody, "/logout": formBody}, ended: newShared[string, bool](mostEnded),
		writes: newBuckets(20, 100), logins: newBuckets(0.2, 10), guesses: newBuckets(1, 30), places: make(chan struct{}, heavyPlaces), bodies: newShares(bodiesInAll, bodiesOfClient)}
	for _, op := range api.V1.All() {
		if op.Limit != maxBody {
			g.limits[op.Path] = op.Limit
		}
	}
	return g
}

// maxBody bounds a request's body, in bytes, where its operation does not. A study file takes
// some thousand.
const maxBody = 1 << 20

// bodyLimit returns the bound of a request's body, in bytes.
func (s *gate) bodyLimit(path string) int64 { return cmp.Or(s.limits[path], maxBody) }

// policy is what pages may load: nothing but what this server serves.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard checks every request before it reaches a handler.
func (s *gate) guard(next *http.ServeMux) http.Handler {
	origin := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cache-Control", "no-store") // but for what is static
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if s.o.Secure {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		s.counts.request(r.Method)
		role := s.role(r)
		if role == api.NoRole && r.ContentLength != 0 { // whatever it sends, and whether or not that is read
			http.NewResponseController(w).SetReadDeadline(time.Now().Add(smallPatience))
		}
		seat := PlaceOf(r.Context())
		// Without tokens everybody may do everything, so a slow body cannot be told from an
		// attack.
		if seat != nil && (s.tokens() || r.ContentLength == 0) && !seat.Shown(role) && !probe(r.URL.Path) {
			w.Header().Set("Connection", "close")
			s.counts.refused.Add(1)
			s.fail(w, r, &Problem{Status: http.StatusServiceUnavailable, RetryAfter: 5, Text: "too many connections of this client are open; try again in some seconds"})
			return
		}
		if seat != nil && r.ContentLength != 0 {
			seat.Shown(api.NoRole) // others may take its place until its body has arrived
		}
		p := s.admit(w, r, origin)
		if p == nil {
			_, pattern := next.Handler(r)
			p = s.permit(r, pattern)
		}
		if p != nil {
			s.counts.refused.Add(1)
			s.log.Debug("refused", "method", r.Method, "path", r.URL.Path, "from", s.asker(r), "status", p.Status, "why", p.Text)
			if p.Status == http.StatusUnauthorized && (wantsPage(r) || sendsForm(r)) {
				http.Redirect(w, r, s.loginAt(r), http.StatusSeeOther)
				return
			}
			s.fail(w, r, p)
			return
		}
		leave, p := s.place(w, r)
		if p != nil {
			s.counts.refused.Add(1)
			s.fail(w, r, p)
			return
		}
		defer leave()
		if seat != nil {
			seat.Shown(role)
		}
		began := time.Now()
		if role < api.Administer {
			r = r.WithContext(service.Submitting(r.Context()))
		}
		next.ServeHTTP(w, r)
		s.timed(r, began)
	})
}

// Place is a connection's place among the open ones, whose number is bounded.
type Place interface {
	// Shown notes the role of the connection's request, and reports whether it is answered:
	// beyond a client's share of the connections, only requests with a token are.
	Shown(role api.Role) bool
}

type placeKey struct{}

// PlaceOf returns the place of the connection of a request's context; nil where it has none.
func PlaceOf(ctx context.Context) Place {
	p, _ := ctx.Value(placeKey{}).(Place)
	return p
}

// WithPlace returns the context of a connection that has a place.
func WithPlace(ctx context.Context, p Place) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// probe reports whether a path is one of those by which a supervisor checks the server.
func probe(path string) bool { return path == "/healthz" || path == "/readyz" }

// tokens reports whether the server asks for a token.
func (s *gate) tokens() bool { return len(s.access.Load().Tokens) > 0 }

// admit explains why a request is refused.
func (s *gate) admit(w http.ResponseWriter, r *http.Request, origin *http.CrossOriginProtection) *Problem {
	if !s.knows(r.Host) {
		return problem(http.StatusMisdirectedRequest, "this host name is not one of the server's (setting hosts)")
	}
	if len(r.URL.RequestURI()) > 4096 {
		return problem(http.StatusRequestURITooLong, "the address is too long")
	}
	if _, err := url.ParseQuery(r.URL.RawQuery); err != nil {
		return problem(http.StatusBadRequest, "the query is malformed: expected name=value pairs joined by &, and other characters as %XX")
	}
	if !open(r.URL.Path) && s.role(r) == api.NoRole {
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
		return problem(http.StatusForbidden, "a page of another origin may not use the API") // nor make it work by reading
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	if err := origin.Check(r); err != nil {
		return problem(http.StatusForbidden, "a page of another origin may not change anything here")
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
			return problem(http.StatusRequestEntityTooLarge, "expected a form of at most 4096 bytes, with its length in the header Content-Length")
		}
	} else {
		if err := s.service.Queue().Damage(); err != nil {
			return s.answerTo(r, err)
		}
	}
	r.Body = http.MaxBytesReader(w, r.Body, s.bodyLimit(r.URL.Path))
	return nil
}

// open reports whether a path needs no token.
func open(path string) bool {
	return path == "/healthz" || path == "/readyz" || path == "/login" || strings.HasPrefix(path, "/static/")
}

// knows reports whether a host is one of the server's names.
func (s *gate) knows(host string) bool {
	return slices.Contains(s.access.Load().Hosts, hostOf(host))
}

// role returns what the token or the login's cookie of a request allows.
func (s *gate) role(r *http.Request) api.Role {
	tokens := s.access.Load().Tokens
	if len(tokens) == 0 {
		return api.Administer
	}
	var found *api.Token
	if scheme, given, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		found = tokens.Find(given)
	} else {
		found = s.loggedIn(r)
	}
	if found == nil {
		return api.NoRole
	}
	return found.Role
}

// permit returns a problem if the client's role does not permit the route of a pattern.
func (s *gate) permit(r *http.Request, pattern string) *Problem {
	needs, ok := s.needs[pattern]
	if !ok || open(r.URL.Path) {
		return nil // nothing is there
	}
	if have := s.role(r); have < needs {
		return problem(http.StatusForbidden, fmt.Sprintf("the role of this token is %s; this needs the role %s (token_file)", have, needs))
	}
	return nil
}

// may reports whether a role may send a form to a path, or to the paths of a pattern.
func (s *gate) may(role api.Role, path string) (bool, error) {
	_, pattern := s.mux.Handler(&http.Request{Method: http.MethodPost, URL: &url.URL{Path: path}})
	needs, ok := s.needs[pattern]
	if !ok {
		return false, fmt.Errorf("%s accepts no form", path)
	}
	return role >= needs, nil
}

// wantsPage reports whether a person asks, through a browser.
func wantsPage(r *http.Request) bool {
	return r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// asker returns the client's identity, to limit its rate: the address of the connection or, behind
// a proxy, the address that the proxy names; one that is not listed as a proxy is a client. Only
// the last address of X-Forwarded-For counts, which the proxy itself wrote; the client can write
// the others. An IPv6 client has a whole network of addresses and is identified by that.
func (s *gate) asker(r *http.Request) string {
	peer, err := peerOf(r)
	if err != nil {
		return r.RemoteAddr
	}
	if s.o.Proxied && slices.ContainsFunc(s.o.Proxies, func(p netip.Prefix) bool { return p.Contains(peer) }) {
		if all := r.Header.Values("X-Forwarded-For"); len(all) > 0 {
			list := strings.Split(all[len(all)-1], ",")
			if a, err := parseAddress(list[len(list)-1]); err == nil {
				peer = a
			}
		}
	}
	return ClientOf(peer)
}

// ClientOf returns the client of an address: all addresses of this machine are one client,
// and so are all of a network of IPv6.
func ClientOf(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	if a.IsLoopback() {
		return "loopback"
	}
	if network, err := a.Prefix(64); err == nil && a.Is6() {
		return network.String()
	}
	return a.String()
}

// peerOf returns the address at the other end of the connection.
func peerOf(r *http.Request) (netip.Addr, error) { return parseAddress(r.RemoteAddr) }

// parseAddress reads an address with or without a port and zone.
func parseAddress(text string) (netip.Addr, error) {
	text = strings.TrimSpace(text)
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return a.Unmap().WithZone(""), err
}

const (
	cookieName = "sakusen_session"
	// securePrefix makes browsers keep a cookie to this host, path / and TLS.
	securePrefix = "__Host-"
	// belowPrefix is for a cookie of another path, which then other paths of the host do not get.
	belowPrefix = "__Secure-"
	// sessionTime is how long a login lasts.
	sessionTime = 30 * 24 * time.Hour
)

// loginPages log people in and out.
type loginPages struct{ *Server }

// loginView is the page at which the token is typed.
type loginView struct {
	Text, Next string
	Wrong      bool
}

func (s loginPages) loginPage(w http.ResponseWriter, r *http.Request) error {
	s.ask(w, r, http.StatusOK, "The token is in the file that the server's setting token_file names.")
	return nil
}

// ask shows the page of the login.
func (s loginPages) ask(w http.ResponseWriter, r *http.Request, status int, text string) {
	v := loginView{Text: text, Next: wanted(r), Wrong: status != http.StatusOK}
	s.render(w, r, status, "login", v)
}

// sendsForm reports whether a person sends a form, through a browser.
func sendsForm(r *http.Request) bool {
	return r.Method == http.MethodPost && !strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.Header.Get("Accept"), "text/html") && r.Header.Get("HX-Request") == ""
}

// loginAt returns the address of the login that leads on to where a request wanted to go, and from a
// form back to its page, which fills it in again (theme.js).
func (s *gate) loginAt(r *http.Request) string {
	to := r.URL.RequestURI()
	if from, err := url.Parse(r.Referer()); r.Method == http.MethodPost && err == nil && from.Host == r.Host {
		if to = strings.TrimPrefix(from.RequestURI(), s.o.Base); to != "/" {
			return "/login?next=" + url.QueryEscape(to)
		}
	}
	if r.Method != http.MethodGet || to == "/" || r.URL.Query().Has("part") {
		return "/login"
	}
	return "/login?next=" + url.QueryEscape(to)
}

// wanted returns where a login is to lead: a page of this server, else nothing.
func wanted(r *http.Request) string {
	to := r.FormValue("next")
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		return ""
	}
	return to
}

// login exchanges the token for a cookie, which contains its end and a signature that this
// process makes for the token. Another token, another role of it or another process ends
// all logins, and logging out ends this one.
func (s loginPages) login(w http.ResponseWriter, r *http.Request) error {
	given := r.PostFormValue("token")
	tokens := s.gate.access.Load().Tokens
	if len(tokens) == 0 {
		http.Redirect(w, r, "/", http.StatusSeeOther) // there is nothing to log in to
		return nil
	}
	found := tokens.Find(given)
	if found == nil {
		if !s.gate.logins.take(s.gate.asker(r)) {
			w.Header().Set("Retry-After", "5")
			s.ask(w, r, http.StatusTooManyRequests, "Too many attempts; try again in a few seconds.")
			return nil
		}
		s.ask(w, r, http.StatusUnauthorized, "The token is wrong.")
		return nil
	}
	end := strconv.FormatInt(time.Now().Add(sessionTime).Unix(), 10) + "-" + rand.Text() // each login is one of its own
	s.gate.setCookie(w, end+"."+found.Sign(sessionText+end), int(sessionTime.Seconds()))
	http.Redirect(w, r, cmp.Or(wanted(r), "/"), http.StatusSeeOther)
	return nil
}

func (s loginPages) logout(w http.ResponseWriter, r *http.Request) error {
	if c, err := r.Cookie(s.gate.cookieName()); err == nil && s.gate.loggedIn(r) != nil {
		s.gate.ended.put(c.Value, true)
	}
	s.gate.setCookie(w, "", -1)
	http.Redirect(w, r, "/login", http.StatusSeeOther)
	return nil
}

func (s *gate) cookieName() string {
	switch {
	case s.o.Secure && s.o.Base != "":
		return belowPrefix + cookieName
	case s.o.Secure:
		return securePrefix + cookieName
	}
	return cookieName
}

func (s *gate) setCookie(w http.ResponseWriter, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(), Value: value, Path: base(s.o.Base).cookiePath(), MaxAge: age,
		HttpOnly: true, Secure: s.o.Secure, SameSite: http.SameSiteStrictMode,
	})
}

// sessionText heads what a cookie's signature is of.
const sessionText = "sakusen session\n"

// loggedIn returns the token by which the sender of a request has logged in; nil where
// the request carries no valid cookie.
func (s *gate) loggedIn(r *http.Request) *api.Token {
	c, err := r.Cookie(s.cookieName())
	if err != nil {
		return nil
	}
	end, signature, ok := strings.Cut(c.Value, ".")
	if _, over := s.ended.get(c.Value); over || !ok {
		return nil
	}
	found := s.access.Load().Tokens.Signer(sessionText+end, signature)
	end, _, _ = strings.Cut(end, "-")
	if at, err := strconv.ParseInt(end, 10, 64); err != nil || time.Now().Unix() >= at {
		return nil
	}
	return found
}
