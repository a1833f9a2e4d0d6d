package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/web"
	"sakusen/tuner/web/api"
)

// asked sends a request from a peer without a network.
func asked(h http.Handler, method, path, peer string, headers ...string) *httptest.ResponseRecorder {
	return askedIn(context.Background(), h, method, path, peer, headers...)
}

// refused asks with a context that is done: where the guard lets a request
// pass that it should not, a handler that streams ends at once.
func refused(h http.Handler, method, path, peer string, headers ...string) *httptest.ResponseRecorder {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	return askedIn(done, h, method, path, peer, headers...)
}

func askedIn(ctx context.Context, h http.Handler, method, path, peer string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, method, "http://localhost"+path, strings.NewReader("{}"))
	r.RemoteAddr = peer
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func newServer(t testing.TB, o web.Options) *web.Server {
	t.Helper()
	if o.Service == nil {
		o.Service = newTestService(t).Service
	}
	if o.Hosts == nil {
		o.Hosts = []string{"localhost", "127.0.0.1", "::1"}
	}
	server, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// A client cannot choose whose rate it uses up: X-Forwarded-For counts behind a
// proxy alone, and there only what the proxy wrote.
func TestForwardedFor(t *testing.T) {
	const pause = "/api/v1/studies/first/pause"
	refused := func(s *web.Server, peer func(i int) string, header func(i int) string) (n int) {
		for i := range 200 {
			if asked(s, "POST", pause, peer(i), header(i)).Code == http.StatusTooManyRequests {
				n++
			}
		}
		return n
	}
	one := func(int) string { return "192.0.2.7:999" }
	many := func(i int) string { return fmt.Sprintf("192.0.2.%d:999", i) }
	claims := func(i int) string { return fmt.Sprintf("X-Forwarded-For: 10.0.0.%d", i) }
	for _, c := range []struct {
		name    string
		proxied bool
		peer    func(int) string
		header  func(int) string
		bounded bool
	}{
		{"a client that claims many addresses", false, one, claims, true},
		{"many clients", false, many, func(int) string { return "X: y" }, false},
		{"clients of a proxy", true, one, claims, false},
		{"one beside the proxy that claims many", true, func(int) string { return "198.51.100.7:9" }, claims, true},
		{"a client of a proxy that claims many", true, one, func(i int) string { return fmt.Sprintf("X-Forwarded-For: 10.0.0.%d, 203.0.113.9", i) }, true},
		{"a client of a proxy that claims nonsense", true, one, func(i int) string { return fmt.Sprintf("X-Forwarded-For: <%d>", i) }, true},
		{"one network of IPv6", false, func(i int) string { return fmt.Sprintf("[2001:db8::%x]:9", i) }, func(int) string { return "X: y" }, true},
		{"IPv4 in IPv6", false, func(i int) string { return fmt.Sprintf("[::ffff:192.0.2.%d]:9", i) }, func(int) string { return "X: y" }, false},
	} {
		s := newServer(t, web.Options{Proxied: c.proxied, Proxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}})
		n := refused(s, c.peer, c.header)
		if c.bounded != (n > 0) {
			t.Errorf("%s: %d of 200 writes refused", c.name, n)
		}
	}
}

// Wrong tokens are bounded; a client that sends them locks out no client with the right
// one, from the same address or another.
func TestTokenGuesses(t *testing.T) {
	s := newServer(t, web.Options{Tokens: api.OnlyToken(token)})
	right := "Authorization: Bearer " + token
	for range 29 {
		if got := asked(s, "GET", "/api/v1", "192.0.2.1:1", "Authorization: Bearer wrong").Code; got != 401 {
			t.Fatalf("a wrong token: %d", got)
		}
	}
	if got := asked(s, "GET", "/api/v1", "192.0.2.1:1", right).Code; got != 200 {
		t.Errorf("the token after some wrong ones: %d", got)
	}
	for range 30 {
		asked(s, "GET", "/api/v1", "192.0.2.1:1", "Authorization: Bearer wrong")
	}
	if got := asked(s, "GET", "/api/v1", "192.0.2.1:1", "Authorization: Bearer wrong").Code; got != 429 {
		t.Errorf("a wrong token after too many: %d", got)
	}
	if got := asked(s, "GET", "/api/v1", "192.0.2.1:1", right).Code; got != 200 {
		t.Errorf("the token after too many wrong ones: %d", got)
	}
	if got := asked(s, "GET", "/api/v1", "192.0.2.2:1", right).Code; got != 200 {
		t.Errorf("another client: %d", got)
	}
}

// Hosts that are not ours are refused however they are written.
func TestHosts(t *testing.T) {
	s := newServer(t, web.Options{})
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST:1": 200, "127.0.0.1": 200, "127.0.0.1:80": 200, "[::1]": 200, "[::1]:80": 200,
		"evil.example": 421, "localhost.evil.example": 421, "127.0.0.1.nip.io": 421, "localhost.": 421, "0.0.0.0": 421,
		"[::ffff:127.0.0.1]": 421, "2130706433": 421, "0177.0.0.1": 421, "127.1": 421, "localhost:80:80": 421, "": 421, "[": 421,
	} {
		r := httptest.NewRequest("GET", "/api/v1", nil)
		r.Host = host
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("Host: %s: %d, want %d", host, w.Code, want)
		}
	}
}

// Headers that ask for another method, path or host change nothing.
func TestHeaderTricks(t *testing.T) {
	s := newServer(t, web.Options{Tokens: api.OnlyToken(token)})
	for _, h := range []string{
		"X-HTTP-Method-Override: DELETE", "X-HTTP-Method: DELETE", "X-Method-Override: DELETE", "X-Original-URL: /healthz", "X-Rewrite-URL: /login",
		"X-Forwarded-Host: localhost", "X-Forwarded-Prefix: /static", "Forwarded: for=127.0.0.1;host=localhost", "X-Real-IP: 127.0.0.1",
		"Authorization: Basic c2FrdXNlbjo=", "Authorization: bearer", "Authorization: Bearer", "Cookie: sakusen_session=", "Cookie: sakusen_session=1.2.3",
	} {
		if w := asked(s, "GET", "/api/v1/studies", "192.0.2.1:1", h); w.Code != 401 {
			t.Errorf("%s: %d", h, w.Code)
		}
		if w := asked(s, "GET", "/api/v1/studies", "192.0.2.1:1", "Host: evil.example", h); w.Code != 421 {
			t.Errorf("another host with %s: %d", h, w.Code)
		}
	}
}

// Every answer tells browsers what they may do with it; cookies are bound to the
// host where there is TLS.
func TestHeaders(t *testing.T) {
	for _, secure := range []bool{false, true} {
		s := newServer(t, web.Options{Tokens: api.OnlyToken(token), Secure: secure})
		for _, path := range []string{"/", "/api/v1", "/api/v1/openapi.json", "/healthz", "/metrics", "/login", "/nothing"} {
			h := asked(s, "GET", path, "192.0.2.1:1", "Authorization: Bearer "+token).Header()
			for name, want := range map[string]string{
				"Content-Security-Policy": "frame-ancestors 'none'", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
				"Referrer-Policy": "same-origin", "Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin",
			} {
				if !strings.Contains(h.Get(name), want) {
					t.Errorf("%s: %s is %q, want %q", path, name, h.Get(name), want)
				}
			}
			if (h.Get("Strict-Transport-Security") != "") != secure {
				t.Errorf("%s: secure %v: %v", path, secure, h)
			}
		}
		r := httptest.NewRequest("POST", "http://localhost/login", strings.NewReader("token="+strings.ReplaceAll(token, " ", "+")))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		cookie := w.Header().Get("Set-Cookie")
		if strings.HasPrefix(cookie, "__Host-") != secure || strings.Contains(cookie, "; Secure") != secure || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
			t.Errorf("secure %v: %d %q", secure, w.Code, cookie)
		}
	}
}

// Profiles are for this machine, and are nowhere on the server that others reach.
func TestProfile(t *testing.T) {
	p := web.Profile()
	for _, c := range []struct {
		peer, header string
		want         int
	}{
		{"127.0.0.1:9", "X: y", 200}, {"[::1]:9", "X: y", 200}, {"192.0.2.1:9", "X: y", 421}, {"127.0.0.1:9", "Host: evil.example", 421},
		{"127.0.0.1:9", "Sec-Fetch-Site: cross-site", 403}, {"127.0.0.1:9", "Sec-Fetch-Site: none", 200},
	} {
		if w := asked(p, "GET", "/debug/pprof/", c.peer, c.header); w.Code != c.want {
			t.Errorf("%s, %s: %d", c.peer, c.header, w.Code)
		}
	}
	if w := asked(p, "GET", "/debug/pprof/heap?debug=1", "127.0.0.1:9"); w.Code != 200 || !strings.Contains(w.Body.String(), "heap profile") {
		t.Errorf("heap: %d", w.Code)
	}
	s := newServer(t, web.Options{})
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/vars", "/api/v1/debug/pprof/"} {
		if w := asked(s, "GET", path, "127.0.0.1:9"); w.Code != 404 {
			t.Errorf("%s on the server itself: %d", path, w.Code)
		}
	}
}

// operations returns those that are declared, with parameters filled in.
func operations() (out []struct{ method, path string }) {
	for _, o := range api.V1.All() {
		path := regexp.MustCompile(`\{[a-z.]+\}`).ReplaceAllString(o.Path, "first")
		out = append(out, struct{ method, path string }{o.Method, path})
	}
	return out
}

// No operation that is described lets anybody in without the token, and no write
// a page of another site, an old form, or a database that must not be written.
func TestEveryOperationIsGuarded(t *testing.T) {
	locked := newServer(t, web.Options{Tokens: api.OnlyToken(token)})
	free := newServer(t, web.Options{})
	damaged := newTestService(t)
	damaged.Failed(&sqlitedb.DamagedError{Path: "x.db", What: "a test says so"})
	still := newServer(t, web.Options{Service: damaged.Service})
	writes := 0
	for i, o := range operations() {
		peer := fmt.Sprintf("192.0.2.%d:1", i)
		for _, h := range []string{"X: y", "Authorization: Bearer wrong", "Authorization: Basic eDp5", "Cookie: sakusen_session=9999999999.00"} {
			if w := refused(locked, o.method, o.path, peer, h); w.Code != 401 {
				t.Errorf("%s %s with %s: %d", o.method, o.path, h, w.Code)
			}
		}
		if w := refused(free, o.method, o.path, peer, "Host: evil.example"); w.Code != 421 {
			t.Errorf("%s %s by another name: %d", o.method, o.path, w.Code)
		}
		for _, h := range []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"} {
			if w := refused(free, o.method, o.path, peer, h); w.Code != 403 {
				t.Errorf("%s %s with %s: %d", o.method, o.path, h, w.Code)
			}
		}
		if o.method == "GET" {
			continue
		}
		writes++
		for _, h := range []string{
			"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: http://evil.example", "Origin: null",
			"Origin: http://localhost:9", "Origin: https://localhost.evil.example",
		} {
			if w := refused(free, o.method, o.path, peer, h); w.Code != 403 {
				t.Errorf("%s %s with %s: %d", o.method, o.path, h, w.Code)
			}
		}
		for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx", "text/json"} {
			done, cancel := context.WithCancel(context.Background())
			cancel()
			r := httptest.NewRequestWithContext(done, o.method, "http://localhost"+o.path, strings.NewReader("{}"))
			r.RemoteAddr = peer
			if kind != "" {
				r.Header.Set("Content-Type", kind)
			}
			w := httptest.NewRecorder()
			free.ServeHTTP(w, r)
			if w.Code != 415 {
				t.Errorf("%s %s as %q: %d", o.method, o.path, kind, w.Code)
			}
		}
		if w := refused(still, o.method, o.path, peer); w.Code != 503 {
			t.Errorf("%s %s on a damaged database: %d", o.method, o.path, w.Code)
		}
	}
	if writes < 7 {
		t.Errorf("%d writes are described", writes)
	}
	for i, route := range free.AllRoutes() { // pages too
		method, path, _ := strings.Cut(route, " ")
		peer := fmt.Sprintf("198.51.100.%d:1", i)
		anybody := path == "/healthz" || path == "/readyz" || path == "/login"
		if w := refused(locked, method, path, peer); strings.Contains(w.Body.String(), "bearer token") == anybody {
			t.Errorf("%s without the token: %d", route, w.Code)
		}
		if method == "GET" {
			continue
		}
		for _, h := range []string{"Sec-Fetch-Site: cross-site", "Origin: http://evil.example", "Origin: null"} {
			if w := refused(free, method, path, peer, h); w.Code != 403 {
				t.Errorf("%s with %s: %d", route, h, w.Code)
			}
		}
	}
}

// What is refused is in the log for who looks for it, without the token.
func TestRefusalsAreLogged(t *testing.T) {
	var said bytes.Buffer
	s := newServer(t, web.Options{Tokens: api.OnlyToken(token), Log: slog.New(slog.NewJSONHandler(&said, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	asked(s, "GET", "/api/v1", "192.0.2.1:1", "Authorization: Bearer guess\twith control characters")
	var line struct{ Msg, From, Path string }
	if err := json.Unmarshal(said.Bytes(), &line); err != nil || line.Msg != "refused" || line.From != "192.0.2.1" || strings.Contains(said.String(), "guess") {
		t.Errorf("%v %s", err, &said)
	}
}
