package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// jobAttacks returns hostile requests about tournaments and experiments: method, target,
// headers and body. Tournament 1 and run 2 exist.
func jobAttacks() (out [][4]string) {
	add := func(method, target, body string) { out = append(out, [4]string{method, target, "", body}) }
	ids := []string{
		"0", "-1", "01", "+1", "1.0", "1e0", "0x1", "１", "9223372036854775808", strings.Repeat("9", 300), "1%00", "1%20", "%201", "1'%20OR%201=1%20--",
		"..%2f1", "%2e%2e", "1;2", "runs", "null", "NaN", "<script>", strings.Repeat("a", 3000),
	}
	for _, id := range ids {
		for _, path := range []string{"/api/v1/tournaments/", "/api/v1/experiments/runs/", "/tournaments/", "/experiments/runs/"} {
			add("GET", path+id, "")
			add("DELETE", path+id, "")
			for _, what := range []string{"pause", "resume", "stop", "priority", "delete"} {
				add("POST", path+id+"/"+what, "{}")
			}
		}
		add("GET", "/tournaments?before="+id, "")
		add("GET", "/experiments?before="+id+"&limit="+id, "")
		add("GET", "/api/v1/tournaments?limit="+id, "")
		add("GET", "/new/tournament?example="+id, "")
	}
	for _, v := range []string{
		"0", "-1", "1.5", "1e3", "1e400", "9223372036854775807", "9223372036854775808", "18446744073709551616", strings.Repeat("9", 400),
		"true", "[]", "{}", "null", `""`, `"x"`, `"-0"`, `"1e3"`, `" 1"`, `"٣"`, `"0x10"`,
	} {
		for _, field := range []string{"games", "simulations", "seed", "priority", "check", "name", "keep", "path"} {
			add("POST", "/api/v1/experiments/runs", fmt.Sprintf(`{"name":"tubstap-figure4","check":true,%q:%s}`, field, v))
		}
		for _, field := range []string{"blocks", "seed", "priority", "file", "file_name", "url", "command"} {
			add("POST", "/api/v1/tournaments", fmt.Sprintf(`{"file":"name: x","check":true,%q:%s}`, field, v))
		}
		form := url.Values{"file": {"version: 1"}, "blocks": {v}, "seed": {v}, "priority": {v}, "games": {v}, "simulations": {v}, "name": {v}}.Encode()
		for _, path := range []string{"/new/tournament", "/new/tournament/check", "/experiments"} {
			add("POST", path, form)
		}
	}
	const head = "version: 1\nname: x\n"
	for _, file := range []string{
		head + "game: tubstap\nrules: [{name: map, value: /etc/passwd}]\nentrants: [muct, switch]", head + "game: tubstap\nrules: [{name: map, value: 'generate(1,99999,99999)'}]\nentrants: [muct, switch]",
		head + "game: tubstap\nrules: [{name: map, value: file:///etc/passwd}]\nentrants: [muct, switch]", head + "game: external\nentrants: [{command: id}]",
		head + "game: battleship\nentrants: [R, 'R - R']", head + "game: battleship\nentrants: []", head + "game: battleship\nentrants: {R: 1}", head + "game: battleship\nentrants: [R, R]",
		head + "game: daifugo-solve\nentrants: [x]", head + "game: battleship\nentrants: [R, CB]\nblocks: 99999999999999", head + "game: battleship\nentrants: [R, CB]\nformat: listed\npairings: [[R], [R, R, R], R, {}, [[R, R]]]",
		head + "game: battleship\nentrants: [R, CB]\nmetrics: [{name: w, of: score, seat: 3}, {seat: 0}, 1]\nexpect: [{label: R, metric: w, printed: NaN}, 3]",
		head + "game: laboratory\nrules: [{name: size, value: 99999999999}]\nentrants: [point]", "name: x\n" + strings.Repeat("k: 1\n", 3000), strings.Repeat("{a: ", 20000), "a: *b", "\x00", "\xff", "%YAML 9.9\n---\n",
	} {
		quoted, _ := json.Marshal(file)
		add("POST", "/api/v1/tournaments", `{"check":true,"file":`+string(quoted)+`}`)
		add("POST", "/new/tournament/check", "file="+url.QueryEscape(file))
	}
	return out
}

// Whatever is sent about tournaments and experiments, the answer is no fault of
// the server, and what was there is there.
func TestHostileJobs(t *testing.T) {
	open, locked := hostileDaemon(t)
	for _, body := range [][2]string{
		{"/api/v1/tournaments", `{"file":"version: 1\nname: cup\ngame: battleship\nentrants: [R, CB]\n"}`},
		{"/api/v1/experiments/runs", `{"name":"battleship-table3","games":3}`},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "http://localhost"+body[0], strings.NewReader(body[1]))
		r.Header.Set("Content-Type", "application/json")
		if open.ServeHTTP(w, r); w.Code != 201 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	all, forms := jobAttacks(), 0
	for _, a := range all {
		if err := hostile(open, locked, a[0], a[1], a[2], a[3]); err != nil {
			t.Errorf("%s %.200q, body %.200q: %v", a[0], a[1], a[3], err)
		}
		if a[0] != "POST" || strings.HasPrefix(a[1], "/api/") || a[3] == "{}" {
			continue
		}
		r, w := httptest.NewRequest("POST", "http://localhost"+a[1], strings.NewReader(a[3])), httptest.NewRecorder()
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if open.ServeHTTP(w, r); w.Code >= 500 || w.Code >= 300 && w.Code < 400 {
			t.Errorf("POST %s, form %.200q: %d %.300s", a[1], a[3], w.Code, w.Body)
		}
		forms++
	}
	for _, path := range []string{"/api/v1/tournaments/1", "/api/v1/experiments/runs/2"} {
		w := httptest.NewRecorder()
		if open.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+path, nil)); w.Code != 200 || !strings.Contains(w.Body.String(), `"state":"queued"`) {
			t.Errorf("%s did not survive: %d %.300s", path, w.Code, w.Body)
		}
	}
	t.Logf("%d hostile requests, %d forms", len(all), forms)
}
