package web_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sakusen/tuner/service"
	"sakusen/tuner/web"
	"sakusen/tuner/web/api"
)

// behind serves a testService below a path of a proxy, which takes the path off what it passes on,
// or does not. What is asked of the proxy elsewhere is a mistake.
func behind(t *testing.T, o web.Options, strip bool) (*web.Server, string) {
	t.Helper()
	o.Hosts = []string{"127.0.0.1"}
	server, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	inside := httptest.NewServer(server)
	at, err := url.Parse(inside.URL)
	if err != nil {
		t.Fatal(err)
	}
	pass := http.Handler(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(at) }, FlushInterval: -1})
	if strip {
		pass = http.StripPrefix(o.Base, pass)
	}
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, o.Base+"/") {
			t.Errorf("%s %s was asked for, which is not below %s", r.Method, r.URL, o.Base)
		}
		pass.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { server.Close(); outside.Close(); inside.Close() })
	return server, outside.URL
}

var (
	anyAddress = regexp.MustCompile(` ([a-z-]+)="(/[^"]*)"`) // in any attribute
	quotedPath = regexp.MustCompile("[\"'`]/[a-z][^\"'`]*")
)

// Below a path of a proxy nothing on any page leads out of it, whether the proxy takes the
// path off or not: links, forms, scripts, styles, parts, redirects, streams.
func TestBelowAPath(t *testing.T) {
	const base = "/up/sakusen"
	for _, strip := range []bool{true, false} {
		s := newTestService(t)
		s.bench(t)
		server, origin := behind(t, web.Options{Service: s.Service, Base: base, Commit: "test"}, strip)
		asked, links := map[string]bool{}, 0
		var todo []string
		for _, route := range server.AllRoutes() {
			if path, get := strings.CutPrefix(route, "GET "); get && !strings.HasSuffix(path, "/events") {
				todo = append(todo, base+path)
			}
		}
		for ; len(todo) > 0 && len(asked) < 600; todo = todo[1:] {
			path, _, _ := strings.Cut(todo[0], "#")
			if asked[path] {
				continue
			}
			asked[path] = true
			status, text, header := ask(t, "GET", origin+path, "", "Accept: text/html")
			if to := header.Get("Location"); status >= 500 || to != "" && !strings.HasPrefix(to, base+"/") {
				t.Errorf("%s: %d, to %q", path, status, to)
			}
			if !strings.HasPrefix(header.Get("Content-Type"), "text/html") {
				continue
			}
			for _, m := range anyAddress.FindAllStringSubmatch(text, -1) {
				links++
				to := html.UnescapeString(m[2])
				if to != base && !strings.HasPrefix(to, base+"/") || strings.HasPrefix(to, base+base) {
					t.Errorf("%s: %s leads out of the path: %s", path, m[1], to)
				}
				if m[1] == "href" || m[1] == "src" || strings.HasPrefix(m[1], "data-") && m[1] != "data-events" {
					todo = append(todo, to)
				}
			}
		}
		if len(asked) < 60 || links < 1000 {
			t.Errorf("only %d pages with %d addresses", len(asked), links)
		}
		if status, _, header := ask(t, "POST", origin+base+"/studies/first/pause", "", "Content-Type: application/x-www-form-urlencoded"); status != 303 || header.Get("Location") != base+"/studies/first" {
			t.Errorf("a form: %d to %s", status, header.Get("Location"))
		}
		if status, text, header := ask(t, "POST", origin+base+"/api/v1/studies", asField("spec", strings.Replace(firstFile, "name: first", "name: second", 1)), asJSON); status != 201 || header.Get("Location") != base+"/api/v1/studies/second" {
			t.Errorf("the API: %d at %s: %s", status, header.Get("Location"), text)
		}
		var description struct{ Servers []struct{ URL string } }
		if _, text, _ := ask(t, "GET", origin+base+"/api/v1/openapi.json", ""); json.Unmarshal([]byte(text), &description) != nil || len(description.Servers) != 1 || description.Servers[0].URL != base+"/" {
			t.Errorf("the description's servers: %+v", description.Servers)
		}
		server.Hub.Publish("progress", map[string]string{"study": "first"})
		if lines := stream(t, origin+base, 1, "Last-Event-ID: 1"); len(lines) != 1 {
			t.Errorf("events: %q", lines)
		}
	}
	// Scripts name no path of their own.
	scripts, _ := filepath.Glob("static/*.js")
	for _, file := range scripts {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := quotedPath.FindString(string(text)); found != "" && !strings.Contains(file, ".min.") {
			t.Errorf("%s: %s", file, found)
		}
	}
}

// A login below a path leads there and on, and its cookie is for that path.
func TestLoginBelowAPath(t *testing.T) {
	const base = "/sakusen"
	for _, secure := range []bool{false, true} {
		_, origin := behind(t, web.Options{Service: newTestService(t).Service, Base: base, Tokens: api.OnlyToken(token), Secure: secure}, !secure)
		status, _, header := ask(t, "GET", origin+base+"/studies/first", "", "Accept: text/html")
		if to := header.Get("Location"); status != 303 || to != base+"/login?next=%2Fstudies%2Ffirst" {
			t.Errorf("%d to %s", status, to)
		}
		status, _, header = ask(t, "POST", origin+base+"/login", "next=%2Fstudies%2Ffirst&token="+url.QueryEscape(token), "Content-Type: application/x-www-form-urlencoded")
		cookie, err := http.ParseSetCookie(header.Get("Set-Cookie"))
		want := map[bool]string{false: "sakusen_session", true: "__Secure-sakusen_session"}[secure]
		if status != 303 || header.Get("Location") != base+"/studies/first" || err != nil || cookie.Path != base+"/" || cookie.Name != want {
			t.Fatalf("%d to %s, cookie %v, %v", status, header.Get("Location"), cookie, err)
		}
		login := "Cookie: " + cookie.Name + "=" + cookie.Value
		if status, text, _ := ask(t, "GET", origin+base+"/studies/first", "", login, "Accept: text/html"); status != 200 || !strings.Contains(text, `action="`+base+`/logout"`) {
			t.Errorf("logged in: %d", status)
		}
		if _, text, header := ask(t, "GET", origin+base+"/", "", login); !strings.Contains(header.Get("Set-Cookie"), "Path="+base+"/") {
			t.Errorf("the visit's cookie: %s, %.60s", header.Get("Set-Cookie"), text)
		}
	}
	// What the token cannot do is not in the pages.
	for role, want := range map[api.Role]bool{api.Read: false, api.Administer: true} {
		tokens := api.OnlyToken(token)
		tokens[0].Role = role
		_, origin := behind(t, web.Options{Service: newTestService(t).Service, Base: base, Tokens: tokens}, true)
		_, text, _ := ask(t, "GET", origin+base+"/studies/first", "", "Authorization: Bearer "+token)
		for _, has := range []string{`action="/sakusen/studies/first/stop"`, `href="/sakusen/new"`} {
			if strings.Contains(text, has) != want {
				t.Errorf("%v: %s: %v, expected %v", role, has, !want, want)
			}
		}
	}
	for _, own := range []string{"/studies", "/api/x", "/static", "/bench/a"} {
		if _, err := web.New(web.Options{Service: newTestService(t).Service, Base: own, Hosts: []string{"localhost"}}); service.CodeOf(err) != service.Invalid || !strings.Contains(err.Error(), fmt.Sprintf("got %s", own)) {
			t.Errorf("%s: %v", own, err)
		}
	}
}
