package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner/config"
	"sakusen/tuner/serve"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/web"
	"sakusen/tuner/web/api"
)

// daemonToken is that of the servers which hostile requests meet.
const daemonToken = "0123456789abcdef"

// hostileDaemon returns a server of a real database with a finished study, once open and once
// behind a token. Nothing runs.
func hostileDaemon(t testing.TB) (open, locked http.Handler) {
	t.Helper()
	dir := t.TempDir()
	settings, err := config.Load(config.Source{Env: func(string) (string, bool) { return "", false }, Flags: map[string]string{"database": dir + "/daemon.db"}})
	if err != nil {
		t.Fatal(err)
	}
	a := cli.NewInside(settings, io.Discard)
	clitest.WriteFile(t, dir, "served-0.yaml", fmt.Sprintf(clitest.ServedStudy, 0, "RNB", "uniform"))
	if p := clitest.Launch(t, "", "tune", dir+"/served-0.yaml", "--db", dir+"/daemon.db"); p.Code == clitest.ExitInternal {
		t.Fatal(p.Err)
	}
	db, err := sqlitedb.Open(context.Background(), dir+"/daemon.db", sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s, err := service.Open(context.Background(), db, a.ServiceOptions())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Benchmarks(context.Background()); err != nil {
		t.Fatal(err)
	}
	a.ReadIn(func(folder string) func(string) ([]byte, error) {
		t.Errorf("a request made rules look for files in %q", folder)
		return nil
	})
	servers := [2]*web.Server{}
	for i, token := range []string{"", daemonToken} {
		servers[i], err = serve.New(s, &serve.Endpoint{Tokens: api.OnlyToken(token)}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7171}, slog.New(slog.DiscardHandler), a.DaemonOptions())
		if err != nil {
			t.Fatal(err)
		}
	}
	return servers[0], servers[1]
}

// hostile sends a request as it would come over the wire, and tells what is wrong
// with the answer; nil where a server refuses to read such a request at all.
func hostile(open, locked http.Handler, method, target, headers, body string) error {
	raw := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", method, target, headers, len(body), body)
	parse := func() *http.Request {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
		if err != nil {
			return nil
		}
		peer := crc32.ChecksumIEEE([]byte(raw)) // many, so that bounds on rates are rarely met
		r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:1", peer&255, peer>>8&255, peer>>16&255)
		return r
	}
	r := parse()
	if r == nil {
		return nil
	}
	if r.URL.Path == "/api/v1/events" {
		return nil // answered for as long as the asker stays
	}
	w := httptest.NewRecorder()
	open.ServeHTTP(w, r)
	if w.Code >= 500 {
		return fmt.Errorf("%d %.300s", w.Code, w.Body)
	}
	if w.Code >= 400 && strings.HasPrefix(r.URL.Path, "/api/") && r.Method != http.MethodHead {
		var p web.Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || len(p.Text) < 5 {
			return fmt.Errorf("%d says nothing: %.300s", w.Code, w.Body)
		}
	}
	if strings.Contains(w.Body.String(), "SQL logic error") || strings.Contains(w.Body.String(), "goroutine ") {
		return fmt.Errorf("%d tells too much: %.300s", w.Code, w.Body)
	}
	// Behind a token nothing of that comes through.
	r = parse()
	if strings.Contains(strings.ToLower(r.Header.Get("Authorization")+r.Header.Get("Cookie")), daemonToken) {
		return nil
	}
	w = httptest.NewRecorder()
	locked.ServeHTTP(w, r)
	free := r.URL.Path == "/healthz" || r.URL.Path == "/readyz" || r.URL.Path == "/login" || strings.HasPrefix(r.URL.Path, "/static/")
	if w.Code < 300 && !free || w.Code >= 500 {
		return fmt.Errorf("without the token: %d %.300s", w.Code, w.Body)
	}
	return nil
}

// attacks returns hostile requests: method, target, headers and body.
func attacks() (out [][4]string) {
	add := func(method, target, headers, body string) {
		out = append(out, [4]string{method, target, headers, body})
	}
	names := []string{
		"' OR 1=1 --", "served-0'; DROP TABLE studies; --", "served-0\" UNION SELECT * FROM studies", "%", "_", "*", "served-0%00", "%00",
		"..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e", "%252e%252e%252f", "....//", "..;/", "%c0%ae%c0%ae%c0%af", "%e0%80%af", "%ff%fe", "%ed%a0%80", "%u002e", "served-0/", "served-0//", "./served-0", "served-0%20", "served-0@1", "@",
		"<script>alert(1)</script>", "${jndi:ldap://x}", "{{7*7}}", "%0d%0aSet-Cookie:x=1", strings.Repeat("a", 101), strings.Repeat("a", 3000), "🙂", "NaN", "null", "-0",
	}
	numbers := []string{
		"0", "-1", "1.5", "1e3", "1e400", "NaN", "Infinity", "0x10", "٣", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616",
		strings.Repeat("9", 400), "1;2", "1' OR '1'='1", "", "%00", "true", "[]", "1+1", " 1", "1%20",
	}
	for _, n := range names {
		n = strings.ReplaceAll(n, " ", "%20")
		for _, what := range []string{"", "/trials", "/log", "/blocks", "/export"} {
			add("GET", "/api/v1/studies/"+n+what, "", "")
		}
		for _, what := range []string{"/pause", "/drop", "/priority"} {
			add("POST", "/api/v1/studies/"+n+what, "", `{"worker":"x","priority":1}`)
		}
		for _, path := range []string{"/studies/", "/static/", "/bench/", "/api/v1/games/", "/api/v1/bench/series/", "/api/v1/tournaments/", "/api/v1/experiments/runs/", "/"} {
			add("GET", path+n, "", "")
		}
		add("PUT", "/api/v1/bench/baselines/"+n, "", `{"source":"latest"}`)
		add("DELETE", "/api/v1/studies/"+n, "", "")
		quoted, _ := json.Marshal(n)
		add("POST", "/api/v1/bench/accept", "", fmt.Sprintf(`{"series":%s,"source":%s,"reason":%s}`, quoted, quoted, quoted))
		add("POST", "/api/v1/studies", "", fmt.Sprintf(`{"spec":%s,"name":%s}`, quoted, quoted))
		add("POST", "/api/v1/tournaments", "", fmt.Sprintf(`{"file":%s}`, quoted))
		add("POST", "/api/v1/experiments/runs", "", fmt.Sprintf(`{"name":%s}`, quoted))
		add("GET", "/api/v1/studies/served-0/export?format="+url.QueryEscape(n), "", "")
		add("GET", "/api/v1/bench/series?series="+n, "", "")
	}
	for _, n := range numbers {
		q := strings.ReplaceAll(n, " ", "%20")
		for _, path := range []string{
			"/api/v1/studies?after=", "/api/v1/studies?limit=", "/api/v1/studies/served-0/trials?from=", "/api/v1/studies/served-0/log?after=",
			"/api/v1/studies/served-0/blocks?after=", "/api/v1/studies/served-0/blocks?limit=", "/api/v1/tournaments?after=", "/api/v1/experiments/runs/", "/studies?skip=", "/studies/served-0?from=",
			"/api/v1/studies/served-0/trials/",
		} {
			add("GET", path+q, "", "")
		}
		for _, v := range []string{n, `"` + n + `"`} {
			add("POST", "/api/v1/prune", "", `{"dry_run":true,"days":`+v+`}`)
			add("POST", "/api/v1/studies/served-0/priority", "", `{"priority":`+v+`}`)
			add("POST", "/api/v1/bench/prune", "", `{"dry_run":true,"days":`+v+`}`)
			add("POST", "/api/v1/blocks", "", `{"game":"battleship","rules":"r","signatures":"s","entrants":["a","b"],"seed":"1","from":`+v+`,"blocks":`+v+`,"seats":`+v+`,"components":`+v+`,"rotations":`+v+`,"digests":[],"values":[]}`)
			add("POST", "/api/v1/films", "", `{"game":"battleship","entrants":["R","R"],"seed":`+v+`,"block":`+v+`}`)
			add("POST", "/api/v1/experiments/runs", "", `{"name":"battleship-table-1","check":true,"games":`+v+`}`)
		}
		add("GET", "/api/v1/studies", "Last-Event-ID: "+n+"\r\n", "")
	}
	for _, spec := range []string{
		"version: 1e400", "a: &a [*a]", "<<: *x", strings.Repeat("- ", 20000), strings.Repeat("[", 100000), strings.Repeat("a:\n ", 5000), "\x00", "\xff\xfe", "!!python/object/apply:os.system [id]",
		"version: 1\nname: ../../x\ngame: battleship", "version: 1\nname: x\ngame: battleship\nbudget: {trials: 9999999999999999999999}", "version: 1\nname: x\ngame: battleship\nexternal: {command: id}",
		"version: 1\nname: x\ngame: tubstap\nrules: {map: /etc/passwd}", "{}", "[]", "null", "1", strings.Repeat("x", 200000),
	} {
		quoted, _ := json.Marshal(spec)
		add("POST", "/api/v1/studies", "", `{"check":true,"spec":`+string(quoted)+`}`)
		add("POST", "/api/v1/tournaments", "", `{"check":true,"file":`+string(quoted)+`}`)
		add("POST", "/new/check", "", "yaml="+url.QueryEscape(spec))
		add("POST", "/api/v1/bench/runs", "", `{"runs":[{"text":`+string(quoted)+`}]}`)
	}
	for _, path := range []string{"/etc/passwd", "../../etc/passwd", "maps/x.tbsmap", "file:///etc/passwd", "http://127.0.0.1:1/x", "-", "/dev/zero", "$(id)", "|id", "C:\\x", "\\\\host\\share"} {
		text, _ := json.Marshal(path)
		spec := fmt.Sprintf("version: 1\nname: m\ngame: tubstap\nrules: [{name: map, value: %q}]\ntune:\n  strategy: uct\n", path)
		quoted, _ := json.Marshal(spec)
		add("POST", "/api/v1/studies", "", fmt.Sprintf(`{"check":true,"name":%s,"spec":%s}`, text, quoted))
		cup, _ := json.Marshal(fmt.Sprintf("version: 1\nname: m\ngame: tubstap\nrules: [{name: map, value: %q}]\nentrants: [random, random]\nblocks: 1\n", path))
		add("POST", "/api/v1/tournaments", "", fmt.Sprintf(`{"check":true,"file":%s}`, cup))
		add("POST", "/api/v1/tournaments", "", fmt.Sprintf(`{"check":true,"file":%s}`, text))
		add("POST", "/api/v1/experiments/runs", "", fmt.Sprintf(`{"check":true,"name":%s}`, text))
		add("POST", "/api/v1/films", "", fmt.Sprintf(`{"game":"tubstap","rules":{"map":%s},"entrants":["random","random"],"seed":"1"}`, text))
		add("GET", "/api/v1/films?game=tubstap&entrant=random&entrant=random&seed=1&rule.map="+url.QueryEscape(path), "", "")
		add("GET", "/watch/film?game=tubstap&entrant=random&entrant=random&seed=1&rule.map="+url.QueryEscape(path), "", "")
	}
	for _, body := range []string{
		"", "{", "}", "null", "[]", "{}{}", `{"spec":{}}`, `{"spec":[1,2]}`, `{"spec":null}`, `{"a":1,"a":2}`, strings.Repeat("[", 1000000), strings.Repeat(`{"a":`, 100000), `{"spec":"` + strings.Repeat("\\u0000", 1000) + `"}`,
		"\xef\xbb\xbf{}", `{"spec":"\ud800"}`, `{"__proto__":{}}`, `{"SPEC":"x"}`, "{\"spec\":\"\xff\"}",
	} {
		for _, path := range []string{
			"/api/v1/studies", "/api/v1/prune", "/api/v1/studies/served-0/pause", "/api/v1/studies/served-0/priority", "/api/v1/studies/served-0/drop", "/api/v1/blocks",
			"/api/v1/bench/runs", "/api/v1/bench/accept", "/api/v1/bench/prune", "/api/v1/tournaments", "/api/v1/experiments/runs", "/api/v1/films",
		} {
			add("POST", path, "", body)
		}
	}
	for _, method := range []string{"TRACE", "CONNECT", "OPTIONS", "PATCH", "PROPFIND", "HEAD", "get", "GETT", "PRI", "DELETE", "PUT"} {
		for _, target := range []string{"/api/v1/studies", "/api/v1/studies/served-0", "*", "/", "http://evil.example/api/v1/studies", "//evil.example/api/v1", "localhost:1"} {
			if method != "DELETE" || !strings.HasSuffix(target, "served-0") { // that is no attack
				add(method, target, "", "{}")
			}
		}
	}
	for _, h := range []string{
		"X-HTTP-Method-Override: DELETE", "X-Forwarded-Host: evil.example", "X-Original-URL: /api/v1/studies", "Authorization: Bearer \x00", "Authorization: Bearer " + strings.Repeat("a", 60000),
		"Cookie: " + strings.Repeat("sakusen_session=1.2; ", 2000), "Cookie: sakusen_session=9999999999999999999999.x", "Cookie: __Host-sakusen_session=9999999999.", "Accept: " + strings.Repeat("text/html,", 3000),
		"Content-Type: application/json; charset=\"", "Content-Encoding: gzip", "Transfer-Encoding: chunked", "Expect: 100-continue", "Range: bytes=0-0,1-1", "If-Match: *", "Upgrade: websocket\r\nConnection: Upgrade",
		"Origin: http://localhost", "Sec-Fetch-Site: none", "Referer: javascript:alert(1)", "Content-Length: 5", "HX-Request: true", "HX-Target: <script>",
	} {
		for _, target := range []string{"/api/v1/studies", "/", "/studies/served-0", "/new", "/static/style.css"} {
			add("GET", target, h+"\r\n", "")
		}
		add("POST", "/api/v1/studies/served-0/pause", h+"\r\n", "{}")
	}
	return out
}

// Whatever is sent, the answer is no fault of the server, says what is wrong, and
// without the token there is none.
func TestHostileRequests(t *testing.T) {
	open, locked := hostileDaemon(t)
	all := attacks()
	for _, a := range all {
		if err := hostile(open, locked, a[0], a[1], a[2], a[3]); err != nil {
			t.Errorf("%s %.200q, headers %.100q, body %.200q: %v", a[0], a[1], a[2], a[3], err)
		}
	}
	w := httptest.NewRecorder()
	open.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/api/v1/studies/served-0", nil))
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"served-0"`) {
		t.Errorf("the study did not survive: %d %s", w.Code, w.Body)
	}
	t.Logf("%d hostile requests", len(all))
}

// FuzzServe sends random requests to a server of a real database.
func FuzzServe(f *testing.F) {
	for i, a := range attacks() {
		if len(a[1])+len(a[2])+len(a[3]) < 400 && i%20 == 0 {
			f.Add(a[0], a[1], a[2], a[3])
		}
	}
	open, locked := hostileDaemon(f)
	f.Fuzz(func(t *testing.T, method, target, headers, body string) {
		if err := hostile(open, locked, method, target, headers, body); err != nil {
			t.Errorf("%s %q, headers %q, body %q: %v", method, target, headers, body, err)
		}
	})
}
