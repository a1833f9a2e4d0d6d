package web_test

import (
	"context"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/web"
	"sakusen/tuner/web/api"
)

const (
	looks = "looks-0123456789"
	adds  = "adds--0123456789"
	rules = "rules-0123456789"
)

func threeRoles(t *testing.T) api.Tokens {
	t.Helper()
	name := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(name, []byte("read "+looks+"\nsubmit "+adds+"\nadminister "+rules+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tokens, err := api.ReadTokens(name)
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

// Each operation takes the role that it must, of any caller in any way: by its token
// or by a cookie. What a later operation needs has to be said here.
func TestRoles(t *testing.T) {
	s := newServer(t, web.Options{Tokens: threeRoles(t)})
	submit := map[string]bool{
		"POST /api/v1/studies": true, "POST /api/v1/forecast": true, "POST /api/v1/tournaments": true, "POST /api/v1/experiments/runs": true, "POST /api/v1/tests": true, "POST /new/test": true,
		"POST /api/v1/blocks": true, "POST /api/v1/studies/{study}/asks": true, "POST /api/v1/studies/{study}/results": true, "POST /api/v1/bench/runs": true,
		"POST /api/v1/studies/{study}/prove": true, "POST /studies/{study}/prove": true,
		"POST /new": true, "POST /new/file": true, "POST /new/tournament": true, "POST /experiments": true,
	}
	look := map[string]bool{"POST /api/v1/films": true, "POST /new/tournament/edit": true, "POST /new/test/check": true, "POST /new/test/edit": true, "POST /new/check": true, "POST /new/tournament/check": true, "POST /watch/record": true}
	operations := s.Operations()
	for _, page := range []string{"/", "/new", "/bench", "/watch", "/metrics"} {
		operations = append(operations, "GET "+page)
	}
	for of := range submit {
		operations = append(operations, of)
	}
	for of := range look {
		operations = append(operations, of)
	}
	for _, does := range []string{"pause", "resume", "stop", "priority", "delete"} {
		operations = append(operations, "POST /studies/{study}/"+does, "POST /studies/{study}/note")
		if does != "priority" { // the pages of jobs do not change it
			operations = append(operations, "POST /tournaments/{id}/"+does, "POST /tests/{id}/"+does)
		}
	}
	for _, operation := range operations {
		method, path, _ := strings.Cut(operation, " ")
		path = strings.NewReplacer("{study}", "nobody", "{id}", "77", "{number}", "1", "{game}", "laboratory", "{name}", "x", "{series...}", "x").Replace(path)
		least := api.Administer
		switch {
		case method == "GET" || look[operation]:
			least = api.Read
		case submit[operation]:
			least = api.Submit
		}
		for given, have := range map[string]api.Role{looks: api.Read, adds: api.Submit, rules: api.Administer} {
			w := refused(s, method, path, "192.0.2."+fmt.Sprint(len(given)+int(have))+":1", "Authorization: Bearer "+given)
			if got := w.Code != http.StatusForbidden; got != (have >= least) && w.Code != http.StatusTooManyRequests {
				t.Errorf("%s with %v: %d %s", operation, have, w.Code, w.Body)
			}
			if w.Code == http.StatusForbidden && !strings.Contains(w.Body.String(), fmt.Sprintf("the role of this token is %v", have)) {
				t.Errorf("%s with %v: %s", operation, have, w.Body)
			}
		}
	}
}

// A login may do what its token may; no more after the token has lost a role.
func TestLoginHasARole(t *testing.T) {
	s := newServer(t, web.Options{Tokens: threeRoles(t)})
	r := httptest.NewRequest("POST", "http://localhost/login", strings.NewReader("token="+adds))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	cookie, _, _ := strings.Cut(w.Header().Get("Set-Cookie"), ";")
	for path, want := range map[string]int{"/api/v1/studies/nobody/stop": 403, "/api/v1/studies": 400} {
		if got := asked(s, "POST", path, "192.0.2.1:1", "Cookie: "+cookie).Code; got != want {
			t.Errorf("%s: %d, expected %d", path, got, want)
		}
	}
	if page := asked(s, "GET", "/studies/first", "192.0.2.1:1", "Cookie: "+cookie).Body.String(); strings.Contains(page, `/stop"`) || !strings.Contains(page, `href="/new"`) {
		t.Errorf("what the login may do: %s", page)
	}
	name := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(name, []byte("read "+adds), 0o600); err != nil {
		t.Fatal(err)
	}
	fewer, err := api.ReadTokens(name)
	if err != nil {
		t.Fatal(err)
	}
	s.SetAccess(web.Access{Tokens: fewer, Hosts: []string{"localhost"}})
	if got := asked(s, "GET", "/api/v1", "192.0.2.1:1", "Cookie: "+cookie).Code; got != 401 {
		t.Errorf("the login of a token that has another role: %d", got)
	}
	// Another process has never heard of the login, even with the same tokens: that
	// is what the package role promises of signatures.
}

// No page has a form, a button or a link to a form that would be refused to who sees it, and each
// has all the others: every page is looked at by each role, and the guard's table decides.
func TestPagesHaveTheFormsThatOneMaySend(t *testing.T) {
	testService := newTestService(t)
	for _, state := range []tuner.State{tuner.Paused, tuner.Stopped} {
		testService.study(t, string(state), state)
	}
	testService.even(t)
	testService.bench(t)
	foreign, err := goptunadb.New(t.Context(), testService.db)
	must(t, err)
	_, err = foreign.CreateNewStudy("by hand/1?")
	must(t, err)
	var resting []int // those that the testService has stand as running
	job := func(id int, _ bool, err error) {
		must(t, err)
		resting = append(resting, id)
	}
	job(testService.Tournaments().Submit(t.Context(), service.TournamentRequest{File: cupFile, Blocks: 21}, 0, false))
	job(testService.Experiments().Submit(t.Context(), service.ExperimentRequest{Name: "table", Seed: new(param.Seed(9))}, 0, false))
	job(testService.Patches().Submit(t.Context(), service.PatchRequest{File: patchFile}, 0, false))
	for _, id := range resting {
		must(t, testService.Store().Jobs.SetState(t.Context(), id, tuner.Stopped, ""))
	}
	job(testService.Patches().Submit(t.Context(), service.PatchRequest{File: strings.Replace(patchFile, "400", "500", 1)}, 0, false))
	s := newServer(t, web.Options{Service: testService.Service, Tokens: threeRoles(t)})

	form := regexp.MustCompile(`(?s)<form[^>]*>.*?</form>`)
	posts := regexp.MustCompile(`^<form[^>]* method="post"`)
	to := regexp.MustCompile(`\s(?:action|formaction|hx-post)="([^"]*)"`)
	gets := regexp.MustCompile(` formmethod="get" formaction="[^"]*"`)
	link := regexp.MustCompile(`\s(?:href|data-src)="(/[^"]*)"`)
	// seen returns the patterns of forms that a token finds on all pages that links lead to and
	// on those that it types.
	seen := func(token string) map[string]string {
		found, visited := map[string]string{}, map[string]bool{}
		visit := []string{"/"}
		for _, page := range s.Pages() {
			visit = append(visit, strings.NewReplacer("{$}", "", "{study}", "even", "{number}", "0", "{id}", "7", "{series...}", "a.B/c sec").Replace(page))
		}
		for i := 0; i < len(visit); i++ {
			path := html.UnescapeString(visit[i])
			path, _, _ = strings.Cut(path, "#")
			if visited[path] || strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/static/") || len(visited) > 2000 {
				continue
			}
			visited[path] = true
			text := asked(s, "GET", strings.ReplaceAll(path, " ", "%20"), "192.0.2.1:1", "Authorization: Bearer "+token).Body.String()
			for _, f := range form.FindAllString(text, -1) {
				if !posts.MatchString(f) {
					continue
				}
				for _, at := range to.FindAllStringSubmatch(gets.ReplaceAllString(f, ""), -1) {
					found[s.FormAt(html.UnescapeString(at[1]))] = path
				}
			}
			for _, l := range link.FindAllStringSubmatch(text, -1) {
				visit = append(visit, l[1])
			}
		}
		t.Logf("%s: %d pages, %d forms", token, len(visited), len(found))
		return found
	}
	for token, role := range map[string]api.Role{looks: api.Read, adds: api.Submit, rules: api.Administer} {
		found := seen(token)
		for pattern, needs := range s.Forms() {
			page, is := found[pattern]
			switch {
			case is && needs > role:
				t.Errorf("%v: %s has the form %s, which takes %v", role, page, pattern, needs)
			case !is && needs <= role && needs > api.Read:
				t.Errorf("%v: no page has the form %s", role, pattern)
			}
			delete(found, pattern)
		}
		for pattern, page := range found {
			t.Errorf("%v: %s has a form for %q, which nothing answers", role, page, pattern)
		}
		for _, path := range []string{"/studies", "/tournaments", "/tests", "/"} {
			text := asked(s, "GET", path, "192.0.2.1:1", "Authorization: Bearer "+token).Body.String()
			if strings.Contains(text, `href="/new`) != (role >= api.Submit) {
				t.Errorf("%v: %s: a link to a form for a new one", role, path)
			}
		}
	}
}

// Large bodies that come slowly hold no place of large requests, not even with the
// right token: others are served in that time.
func TestSlowBodiesHoldNoPlace(t *testing.T) {
	s := newServer(t, web.Options{})
	served := httptest.NewServer(s)
	defer served.Close()
	for range 4 {
		c, err := net.Dial("tcp", served.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /api/v1/studies HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 70000\r\n\r\n{")
	}
	time.Sleep(50 * time.Millisecond) // what is looked for would come later, too
	large := httptest.NewRequest("POST", "http://localhost/api/v1/studies", strings.NewReader(`{"name":"`+strings.Repeat("x", 70000)+`"}`))
	large.RemoteAddr = "192.0.2.1:1"
	large.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	began := time.Now()
	s.ServeHTTP(w, large)
	if w.Code != http.StatusBadRequest {
		t.Errorf("a large request beside slow ones: %d after %v: %.200s", w.Code, time.Since(began), w.Body)
	}
}

// place notes what its connection has shown last.
type place struct{ role atomic.Int32 }

func (p *place) Shown(role api.Role) bool {
	p.role.Store(int32(role))
	return true
}

// Who has a token and does not send what was announced makes room for others, and is cut off.
func TestSlowBodiesMakeRoom(t *testing.T) {
	t.Parallel()
	p := new(place)
	served := httptest.NewUnstartedServer(newServer(t, web.Options{Tokens: threeRoles(t)}))
	served.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context { return web.WithPlace(ctx, p) }
	served.Start()
	defer served.Close()
	c, err := net.Dial("tcp", served.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	p.role.Store(-1)
	fmt.Fprintf(c, "POST /api/v1/studies HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", adds)
	for p.role.Load() != int32(api.NoRole) {
		if time.Sleep(time.Millisecond); time.Now().After(suite.Deadline(t)) {
			t.Fatalf("it has shown %d", p.role.Load())
		}
	}
	c.SetReadDeadline(suite.Deadline(t))
	if text, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 408 ") {
		t.Errorf("%s, %v", text, err)
	}
}

// What is wrong with a long text is said without sending the text back.
func TestMistakesAreShort(t *testing.T) {
	s := newServer(t, web.Options{})
	body := fmt.Sprintf(`{"spec":"version: 1\nname: x\ngame: battleship\nbaseline: %s\n"}`, strings.Repeat("y", 850000))
	r := httptest.NewRequest("POST", "http://localhost/api/v1/studies", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusBadRequest || w.Body.Len() > 20000 {
		t.Errorf("%d, %d bytes", w.Code, w.Body.Len())
	}
}

// Who may submit gives no study a larger budget that is there, and none a priority above others';
// an administrator does both.
func TestSubmitHasNoSayInOthers(t *testing.T) {
	s := newServer(t, web.Options{Tokens: threeRoles(t)})
	send := func(token, path, body string) int {
		r := httptest.NewRequest("POST", path, strings.NewReader(body))
		r.Host = "localhost"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	study := func(games int, more string) string {
		return fmt.Sprintf(`{"spec":"version: 1\nname: big\ngame: dice\ntune: {strategy: loaded, params: [{name: x}]}\nbaseline: loaded\nbudget: {games: %d}\n"%s}`, games, more)
	}
	for i, c := range []struct {
		token, path, body string
		want              int
	}{
		{adds, "/api/v1/studies", study(20000, `,"priority":1`), 403}, {adds, "/api/v1/studies", study(20000, `,"priority":10`), 403},
		{adds, "/api/v1/studies", study(20000, `,"priority":10,"check":true`), 403}, {adds, "/api/v1/studies", study(20000, `,"priority":-3`), 201},
		{adds, "/api/v1/studies", study(20000, ""), 201}, {adds, "/api/v1/studies", study(40000, ""), 403}, {adds, "/api/v1/studies", study(20001, `,"check":true`), 403},
		{rules, "/api/v1/studies", study(40000, `,"priority":4`), 201}, {adds, "/api/v1/studies", study(40001, ""), 403},
		{adds, "/api/v1/experiments/runs", `{"name":"x","priority":2}`, 403}, {adds, "/api/v1/tournaments", `{"file":"x","priority":1}`, 403}, {looks, "/api/v1/forecast", study(20000, ""), 403},
	} {
		if got := send(c.token, c.path, c.body); got != c.want && !(c.want == 201 && got == 200) {
			t.Errorf("%d %s %s: %d, expected %d", i, c.path, c.body, got, c.want)
		}
	}
}
