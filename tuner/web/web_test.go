package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/web"
	"sakusen/tuner/web/api"
)

const token = "a token of some length"

func serve(t testing.TB, s *testService, token string) (*web.Server, *httptest.Server) {
	t.Helper()
	server, err := web.New(web.Options{Service: s.Service, Commit: "test", Tokens: api.OnlyToken(token), Hosts: []string{"127.0.0.1", "localhost"}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(server)
	t.Cleanup(func() { server.Hub.Close(); h.Close() })
	return server, h
}

// badFile is a study file with two mistakes.
const badFile = "version: 2\nname: first\ngame: dominoes\n"

// asField returns a JSON document with one text, and what else it has.
func asField(name, text string, more ...string) string {
	quoted, _ := json.Marshal(text) // of a string there is no error
	return fmt.Sprintf("{%s}", strings.Join(append([]string{fmt.Sprintf("%q:%s", name, quoted)}, more...), ","))
}

// ask sends a request; headers are "Name: value".
func ask(t testing.TB, method, url, body string, headers ...string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(text), a.Header
}

const asJSON = "Content-Type: application/json"

// A client that is refused is told why, with the right status.
func TestGuard(t *testing.T) {
	_, h := serve(t, newTestService(t), token)
	bearer := "Authorization: Bearer " + token
	long := h.URL + "/api/v1?x=" + strings.Repeat("y", 5000)
	for _, c := range []struct {
		name, method, url, body string
		headers                 []string
		status                  int
		want                    string
	}{
		{"no token", "GET", "/api/v1", "", nil, 401, "bearer token"},
		{"wrong token", "GET", "/api/v1", "", []string{"Authorization: Bearer nope"}, 401, "bearer token"},
		{"token", "GET", "/api/v1", "", []string{bearer}, 200, `"sakusen"`},
		{"scheme in lower case", "GET", "/api/v1", "", []string{"Authorization: bearer " + token}, 200, ""},
		{"method of no operation", "OPTIONS", "/api/v1", "", []string{bearer}, 405, ""},
		{"forged cookie", "GET", "/api/v1", "", []string{"Cookie: sakusen_session=99999999999.00"}, 401, "login"},
		{"health", "GET", "/healthz", "", nil, 200, "ok"},
		{"metrics need it", "GET", "/metrics", "", nil, 401, ""},
		{"metrics", "GET", "/metrics", "", []string{bearer}, 200, "sakusen_studies_running 0"},
		{"another name", "GET", "/healthz", "", []string{"Host: evil.example"}, 421, "hosts"},
		{"another name with a port", "GET", "/healthz", "", []string{"Host: evil.example:80"}, 421, "hosts"},
		{"a known name", "GET", "/healthz", "", []string{"Host: LOCALHOST:99"}, 200, ""},
		{"another origin", "POST", "/api/v1/studies/first/pause", "{}", []string{bearer, asJSON, "Sec-Fetch-Site: cross-site"}, 403, "origin"},
		{"an old browser's origin", "POST", "/api/v1/studies/first/pause", "{}", []string{bearer, asJSON, "Origin: http://evil.example"}, 403, "origin"},
		{"a form", "POST", "/api/v1/studies/first/pause", "a=b", []string{bearer, "Content-Type: application/x-www-form-urlencoded"}, 415, "application/json"},
		{"no type", "DELETE", "/api/v1/studies/first", "{}", []string{bearer}, 415, ""},
		{"large", "POST", "/api/v1/studies", `{"spec":"` + strings.Repeat("x", 2<<20) + `"}`, []string{bearer, asJSON}, 413, "at most"},
		{"method", "PUT", "/api/v1/studies", "{}", []string{bearer, asJSON}, 405, ""},
		{"nothing there", "GET", "/api/v2", "", []string{bearer}, 404, "nothing at this path"},
	} {
		status, text, header := ask(t, c.method, h.URL+c.url, c.body, c.headers...)
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d, %.200s; want %d and %q", c.name, status, text, c.status, c.want)
		}
		if header.Get("Content-Security-Policy") == "" || header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", c.name, header)
		}
	}
	if status, _, _ := ask(t, "GET", long, "", bearer); status != 414 {
		t.Errorf("a long address: %d", status)
	}
}

// The token typed at the login page becomes a cookie that browsers send.
func TestLogin(t *testing.T) {
	s, h := serve(t, newTestService(t), token)
	status, _, header := ask(t, "GET", h.URL+"/", "", "Accept: text/html")
	if status != 303 || header.Get("Location") != "/login" {
		t.Errorf("a browser without a login: %d %v", status, header)
	}
	form := "Content-Type: application/x-www-form-urlencoded"
	if status, text, _ := ask(t, "POST", h.URL+"/login", "token=wrong", form); status != 401 || !strings.Contains(text, "token is wrong") {
		t.Errorf("a wrong token: %d %s", status, text)
	}
	status, _, header = ask(t, "POST", h.URL+"/login", "token="+strings.ReplaceAll(token, " ", "+"), form)
	cookie := header.Get("Set-Cookie")
	if status != 303 || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
		t.Fatalf("login: %d, %q", status, cookie)
	}
	sent := "Cookie: " + strings.SplitN(cookie, ";", 2)[0]
	if status, _, _ := ask(t, "GET", h.URL+"/api/v1", "", sent); status != 200 {
		t.Errorf("with the cookie: %d", status)
	}
	watcher, _, _ := s.Hub.Watch(0, false)
	s.SetAccess(web.Access{Tokens: api.OnlyToken(token), Hosts: []string{"127.0.0.1"}})
	if s.Hub.Watchers() != 1 {
		t.Error("other names end a stream of events")
	}
	s.SetAccess(web.Access{Tokens: api.OnlyToken("another token of length"), Hosts: []string{"127.0.0.1"}})
	if _, open := <-watcher.Events; open || s.Hub.Watchers() != 0 {
		t.Error("a stream of events outlives its token")
	}
	if status, _, _ := ask(t, "GET", h.URL+"/api/v1", "", sent); status != 401 {
		t.Errorf("with the cookie of another token: %d", status)
	}
	refused := 0
	for range 20 {
		if status, _, _ := ask(t, "POST", h.URL+"/login", "token=wrong", form); status == 429 {
			refused++
		}
	}
	if refused == 0 {
		t.Error("passwords may be guessed without end")
	}
}

// Every operation answers as it is described, and mistakes with 4xx.
func TestAPI(t *testing.T) {
	s := newTestService(t)
	s.study(t, "played", tuner.Queued)
	s.play(t, daemon.StudyKey("played"))
	s.bench(t)
	_, h := serve(t, s, "")
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/api/v1/studies", "", 200, `"next":null`},
		{"GET", "/api/v1/studies?limit=1", "", 200, `"next":7`},
		{"GET", "/api/v1/studies?limit=0", "", 400, "limit: expected an integer from 1 to 1000"},
		{"GET", "/api/v1/studies?after=9999999999999999999999", "", 400, "after"},
		{"GET", "/api/v1/studies/first", "", 200, `"entries":23`},
		{"GET", "/api/v1/studies/other", "", 404, "no study"},
		{"GET", "/api/v1/studies/..%2f..%2fetc%2fpasswd", "", 404, "no study"},
		{"GET", "/api/v1/studies/first%00", "", 404, "no study"},
		{"GET", "/api/v1/studies/first/trials?limit=2", "", 200, `"next":2`},
		{"GET", "/api/v1/studies/first/trials?order=best&limit=2", "", 200, `"next":2`},
		{"GET", "/api/v1/studies/first/trials?order=worst", "", 400, "expected latest, first or best"},
		{"GET", "/api/v1/studies/first/trials?order=best&show=x", "", 400, "expected all, complete"},
		{"GET", "/api/v1/studies/other/trials", "", 404, "no study"},
		{"GET", "/api/v1/studies/first/log?limit=1", "", 200, `"entries":[{"seq":1,"kind":"ask"`},
		{"GET", "/api/v1/studies/first/log?after=23", "", 200, `"entries":[]`},
		{"GET", "/api/v1/studies/played/export?force=true&format=yaml", "", 200, "study: played"},
		{"GET", "/api/v1/studies/first/export?format=yaml", "", 409, "first"},
		{"GET", "/api/v1/studies/first/export?force=perhaps", "", 400, "force"},
		{"GET", "/api/v1/studies/first/report", "", 200, "nothing yet"},
		{"GET", "/api/v1/studies/played/report?format=md&beside=first", "", 200, "# 2 studies side by side"},
		{"GET", "/api/v1/studies/played/report?format=svg", "", 200, "<svg xmlns"},
		{"GET", "/api/v1/studies/first/report?format=pdf", "", 400, "expected html, md or svg"},
		{"GET", "/api/v1/studies/first/report?beside=nobody", "", 404, "no study"},
		{"GET", "/api/v1/studies/first/report?beside=a&beside=b&beside=c&beside=d&beside=e&beside=f&beside=g&beside=h", "", 400, "expected one to 8 studies, got 9"},
		{"POST", "/api/v1/studies", asField("spec", firstFile), 201, `"first"`},
		{"POST", "/api/v1/studies", asField("spec", firstFile, `"check":true`), 200, `"first"`},
		{"POST", "/api/v1/studies", asField("spec", badFile, `"name":"a"`), 400, `"errors":["a:1:1: tune: expected`},
		{"POST", "/api/v1/studies", ``, 400, "spec"},
		{"POST", "/api/v1/studies", `{"spec":"name: first","path":"/etc/passwd"}`, 400, "unknown field"},
		{"POST", "/api/v1/studies", `{"spec":"name: first"}{}`, 400, "one JSON document"},
		{"POST", "/api/v1/studies", `{"spec":1e999}`, 400, "body"},
		{"POST", "/api/v1/studies", strings.Repeat("[", 100000), 400, "body"},
		{"POST", "/api/v1/studies", `{"spec":"name: first","priority":11}`, 400, "priority"},
		{"POST", "/api/v1/studies/first/pause", "{}", 200, `"paused"`},
		{"POST", "/api/v1/studies/first/resume", "", 200, `"queued"`},
		{"POST", "/api/v1/studies/first/stop", "{}", 200, `"stopped"`},
		{"POST", "/api/v1/studies/other/stop", "{}", 404, "no study"},
		{"POST", "/api/v1/studies/first/priority", `{"priority":3}`, 200, "first"},
		{"POST", "/api/v1/studies/first/priority", `{"priority":30}`, 400, "-10 to 10"},
		{"POST", "/api/v1/studies/first/priority", `{}`, 400, "-10 to 10"},
		{"DELETE", "/api/v1/studies/first", "", 200, "deleted"},
		{"DELETE", "/api/v1/studies/first", "", 404, "no study"},
		{"POST", "/api/v1/prune", `{"days":3}`, 200, `{"series":0,"runs":0,"blocks":0}`},
		{"POST", "/api/v1/prune", `{"days":-3}`, 400, "days"},
		{"GET", "/api/v1/games", "", 200, "dice"},
		{"GET", "/api/v1/games/dice/strategies", "", 200, "strategies"},
		{"GET", "/api/v1/bench/series", "", 200, "series"},
		{"GET", "/api/v1/bench/series/a.B/c sec/op", "", 200, `"title":"a.B/c sec/op"`},
	} {
		status, text, header := ask(t, c.method, strings.ReplaceAll(h.URL+c.path, " ", "%20"), c.body, asJSON)
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %d, %.200s; want %d and %q", c.method, c.path, status, text, c.status, c.want)
		}
		if status < 300 && strings.HasSuffix(c.path, "yaml") != (header.Get("Content-Type") == "application/yaml") {
			t.Errorf("%s %s is %s", c.method, c.path, header.Get("Content-Type"))
		}
	}
	must(t, s.db.Close())
	if status, text, _ := ask(t, "GET", h.URL+"/api/v1/studies", ""); status != 500 || strings.Contains(text, "secret") || strings.Contains(text, "closed") {
		t.Errorf("a fault of the server: %d %s", status, text)
	}
	if status, _, _ := ask(t, "GET", h.URL+"/readyz", ""); status != 503 {
		t.Errorf("not ready: %d", status)
	}
}

// The description has exactly the operations that there are.
func TestOpenAPI(t *testing.T) {
	s, h := serve(t, newTestService(t), "")
	_, text, _ := ask(t, "GET", h.URL+"/api/v1/openapi.json", "")
	var doc struct {
		OpenAPI string                                `json:"openapi"`
		Paths   map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil || doc.OpenAPI != "3.0.3" {
		t.Fatal(err, doc.OpenAPI)
	}
	described := map[string]bool{}
	for path, methods := range doc.Paths {
		for m := range methods {
			described[strings.ToUpper(m)+" "+path] = true
		}
	}
	for _, r := range s.Operations() {
		r = strings.Replace(r, "...}", "}", 1)
		if !described[r] {
			t.Errorf("%s is not described", r)
		}
		delete(described, r)
	}
	for r := range described {
		t.Errorf("%s is described and not there", r)
	}
}

// stream reads events until the stream ends or n have come.
func stream(t testing.TB, url string, n int, headers ...string) []string {
	t.Helper()
	ctx, cancel := context.WithDeadline(t.Context(), suite.Deadline(t))
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", url+"/api/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer a.Body.Close()
	var out []string
	in := bufio.NewScanner(a.Body)
	for len(out) < n && in.Scan() {
		if kind, ok := strings.CutPrefix(in.Text(), "event: "); ok {
			in.Scan()
			out = append(out, kind+" "+strings.TrimPrefix(in.Text(), "data: "))
		}
	}
	return out
}

// Who comes back is told what was missed, or that it is forgotten.
func TestEvents(t *testing.T) {
	s, h := serve(t, newTestService(t), "")
	silent, _, _ := s.Hub.Watch(0, false)
	first := silent.Since // ids begin behind those of former lives
	s.Hub.Leave(silent)
	if first < 1e15 {
		t.Errorf("ids begin at %d: those of a former life may come again", first)
	}
	after := func(n int) string { return fmt.Sprintf("Last-Event-ID: %d", first+uint64(n)) }
	for i := range 10 {
		s.Hub.Publish("state", i)
	}
	if got := stream(t, h.URL, 3, after(7)); strings.Join(got, ",") != "state 7,state 8,state 9" {
		t.Errorf("missed: %q", got)
	}
	for _, other := range []string{"Last-Event-ID: 7", "Last-Event-ID: 18446744073709551615", after(70)} {
		if got := stream(t, h.URL, 1, other); strings.Join(got, ",") != "reset {}" {
			t.Errorf("of another life: %q", got)
		}
	}
	for i := range 5000 {
		s.Hub.Publish("state", i)
	}
	if got := stream(t, h.URL, 2, after(3)); got[0] != "reset {}" || got[1] != "state 904" {
		t.Errorf("forgotten: %q", got)
	}
	for _, bad := range []string{"x", "-1", "1e3", "99999999999999999999"} {
		if status, _, _ := ask(t, "GET", h.URL+"/api/v1/events", "", "Last-Event-ID: "+bad); status != 400 {
			t.Errorf("no number: %s: %d", bad, status)
		}
	}
}

// All watchers hear that one client may have; one that does not read is dropped, and nobody
// waits for it. One more is refused, and other requests of that client are answered.
func TestManyWatchers(t *testing.T) {
	s, h := serve(t, newTestService(t), "")
	var group sync.WaitGroup
	for range web.MostStreams {
		group.Go(func() {
			if got := stream(t, h.URL, 50); len(got) != 50 {
				t.Errorf("a watcher heard %d events", len(got))
			}
		})
	}
	for end := suite.Deadline(t); s.Hub.Watchers() < web.MostStreams && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	if status, _, header := ask(t, "GET", h.URL+"/api/v1/events", ""); status != 503 || header.Get("Retry-After") == "" {
		t.Errorf("one too many: %d", status)
	}
	if status, _, _ := ask(t, "GET", h.URL+"/api/v1/now", ""); status != 200 {
		t.Errorf("beside them: %d", status)
	}
	silent, _, _ := s.Hub.Watch(0, false)
	data := bytes.Repeat([]byte("x"), 100)
	for i := range 600 {
		s.Hub.Publish("progress", string(data))
		if i%20 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	group.Wait()
	n := 0
	for range silent.Events {
		n++
	}
	if n == 0 || n >= 600 {
		t.Errorf("the silent watcher was sent %d events before it was dropped", n)
	}
}
