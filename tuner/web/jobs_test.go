package web_test

import (
	"net/url"
	"strings"
	"testing"
)

// patchFile is the file of a test of a patch.
const patchFile = `version: 1
name: tweak
game: dice
test: {new: "loaded(x=0.9)", base: loaded}
stages: [{bounds: [0, 20], max_games: 400}]
`

// Tournaments and experiments answer as they are described, and mistakes with
// 4xx.
func TestJobs(t *testing.T) {
	s := newTestService(t)
	_, h := serve(t, s, "")
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/api/v1/tournaments", "", 200, `"tournaments":[{"id":7`},
		{"GET", "/api/v1/tournaments?limit=1", "", 200, `"next":7`},
		{"GET", "/api/v1/tournaments?before=7", "", 200, `"tournaments":[]`},
		{"GET", "/api/v1/tournaments?before=-1", "", 400, "before"},
		{"GET", "/api/v1/tournaments?limit=1e9", "", 400, "limit"},
		{"GET", "/api/v1/tournaments/7", "", 200, `"partial":{"name":"cup"`},
		{"GET", "/api/v1/tournaments/8", "", 404, "no tournament 8"},
		{"GET", "/api/v1/tournaments/07", "", 404, "no tournament"},
		{"GET", "/api/v1/tournaments/99999999999999999999", "", 404, "no tournament"},
		{"GET", "/api/v1/tournaments/..%2f..%2fetc%2fpasswd", "", 404, "no tournament"},
		{"GET", "/api/v1/tournaments/'%20OR%201=1%20--", "", 404, "no tournament"},
		{"POST", "/api/v1/tournaments", asField("file", cupFile), 200, `{"id":7}`},
		{"POST", "/api/v1/tournaments", asField("file", cupFile, `"seed":"18446744073709551615"`), 201, `{"id":9}`},
		{"POST", "/api/v1/tournaments", asField("file", cupFile, `"check":true`), 200, `{"id":null}`},
		{"POST", "/api/v1/tournaments", asField("file", badFile, `"file_name":"c"`), 400, `"errors":["c:1:1: `},
		{"POST", "/api/v1/tournaments", ``, 400, "file: expected"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","path":"/etc/passwd"}`, 400, "unknown field"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","file_name":"` + strings.Repeat("x", 300) + `"}`, 400, "file_name: expected at most"},
		{"POST", "/api/v1/studies", `{"spec":"name: first","name":"` + strings.Repeat("x", 300) + `"}`, 400, "name: expected at most"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","blocks":-1}`, 400, "blocks"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","blocks":1099511627777}`, 400, "blocks"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","blocks":1e300}`, 400, "body"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","seed":-4}`, 400, "seed"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","seed":"18446744073709551616"}`, 400, "seed"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","seed":{}}`, 400, "seed"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","priority":11}`, 400, "priority"},
		{"POST", "/api/v1/tournaments", strings.Repeat(`{"file":`, 20000), 400, "body"},
		{"POST", "/api/v1/tournaments/7/pause", "{}", 200, `"paused"`},
		{"POST", "/api/v1/tournaments/7/resume", "", 200, `"queued"`},
		{"POST", "/api/v1/tournaments/7/stop", "{}", 200, `"stopped"`},
		{"POST", "/api/v1/tournaments/7/stop", `{"force":true}`, 400, "unknown field"},
		{"POST", "/api/v1/tournaments/8/stop", "{}", 404, "no tournament 8"},
		{"POST", "/api/v1/tournaments/7/priority", `{"priority":3}`, 200, `"id":7`},
		{"POST", "/api/v1/tournaments/7/priority", `{"priority":30}`, 400, "-10 to 10"},
		{"POST", "/api/v1/tournaments/7/priority", `{}`, 400, "-10 to 10"},
		{"POST", "/api/v1/tournaments/77/priority", `{}`, 404, "no tournament 77"},
		{"POST", "/api/v1/tournaments/77/stop", `{"force":true}`, 404, "no tournament 77"},
		{"POST", "/api/v1/experiments/runs/7/priority", `{}`, 404, "no experiment 7"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","blocks":"many"}`, 400, "body: blocks: expected an integer, got string"},
		{"POST", "/api/v1/tournaments", `[]`, 400, "body: expected an object, got array"},
		{"DELETE", "/api/v1/tournaments/7", "", 200, `{"deleted":7}`},
		{"DELETE", "/api/v1/tournaments/19", "", 404, "no tournament 19"},
		{"GET", "/api/v1/tests", "", 200, `{"tests":[],"next":null}`},
		{"GET", "/api/v1/tests/8", "", 404, "no test 8"},
		{"POST", "/api/v1/tests", asField("file", patchFile, `"check":true`), 200, `{"id":null}`},
		{"POST", "/api/v1/tests", asField("file", patchFile, `"priority":11`), 400, "priority"},
		{"POST", "/api/v1/tests", asField("file", badFile, `"file_name":"c"`), 400, `"errors":["c:1:1`},
		{"POST", "/api/v1/tests", `{}`, 400, "file: expected"},
		{"GET", "/api/v1/experiments", "", 200, `"last_run":{"id":8`},
		{"GET", "/api/v1/experiments/runs", "", 200, `"runs":[{"id":8`},
		{"GET", "/api/v1/experiments/runs/8", "", 200, `"name":"table"`},
		{"GET", "/api/v1/experiments/runs/7", "", 404, "no experiment 7"},
		{"GET", "/api/v1/experiments/table", "", 404, "nothing at this path"},
		{"POST", "/api/v1/experiments/runs", `{"name":"table","games":5,"seed":3}`, 201, `{"id":10}`},
		{"POST", "/api/v1/experiments/runs", `{"name":"./evil.yaml"}`, 400, "no experiment"},
		{"POST", "/api/v1/experiments/runs", `{"name":"table","keep":"/tmp/x"}`, 400, "unknown field"},
		{"POST", "/api/v1/experiments/runs", `{}`, 400, "name: expected"},
		{"POST", "/api/v1/tests", asField("file", patchFile), 201, `{"id":11}`},
		{"POST", "/api/v1/tests", asField("file", patchFile), 200, `{"id":11}`},
		{"GET", "/api/v1/tests/11", "", 200, `"kind":"test"`},
		{"GET", "/api/v1/tournaments/11", "", 404, "no tournament 11"},
		{"POST", "/api/v1/tests/11/pause", "{}", 200, `"paused"`},
		{"POST", "/api/v1/tests/11/resume", "{}", 200, `"queued"`},
		{"POST", "/api/v1/tests/11/stop", "{}", 200, `"stopped"`},
		{"DELETE", "/api/v1/tests/11", "", 200, `{"deleted":11}`},
		{"POST", "/api/v1/experiments/runs/8/pause", "{}", 200, `"paused"`},
		{"DELETE", "/api/v1/experiments/runs/8", "", 200, `{"deleted":8}`},
	} {
		status, text, _ := ask(t, c.method, h.URL+c.path, c.body, asJSON)
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %d, %.200s; want %d and %q", c.method, c.path, status, text, c.status, c.want)
		}
	}
	if status, _, _ := ask(t, "POST", h.URL+"/api/v1/tournaments", "file=x", "Content-Type: application/x-www-form-urlencoded"); status != 415 {
		t.Errorf("a form: %d", status)
	}
	if status, _, _ := ask(t, "POST", h.URL+"/api/v1/tournaments/7/stop", "{}", asJSON, "Sec-Fetch-Site: cross-site"); status != 403 {
		t.Errorf("another origin: %d", status)
	}
}

// The pages of tournaments and experiments are there without scripts, and what
// is typed becomes no markup.
func TestJobPages(t *testing.T) {
	s := newTestService(t)
	_, h := serve(t, s, "")
	form := "Content-Type: application/x-www-form-urlencoded"
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/tournaments", "", 200, `<a href="/tournaments/7">cup`},
		{"GET", "/tournaments?q=nothing", "", 200, "No tournament matches"},
		{"GET", "/tournaments?state=passed", "", 400, "state: expected running, waiting, paused, failed, done"},
		{"GET", "/tournaments?sort=gain", "", 400, "sort: expected"},
		{"GET", "/tournaments?skip=x", "", 400, "skip"},
		{"GET", "/tournaments?q=CUP&sort=games", "", 200, `aria-sort="descending"><a href="/tournaments?q=CUP&amp;sort=-games">Games</a>`},
		{"POST", "/tournaments/7/note", "note=look+%23slow+%3Cb%3E", 303, ""},
		{"GET", "/tournaments/7", "", 200, "look #slow &lt;b&gt;</textarea>"},
		{"GET", "/tournaments?q=%23slow", "", 200, `<a class="tag" href="/tournaments?q=%23slow">#slow</a>`},
		{"POST", "/tournaments", "do=archive&s=7", 409, " and would go on unseen: pause or stop it, then archive it."},
		{"POST", "/tournaments", "do=pause&s=7", 303, ""},
		{"POST", "/tournaments", "do=archive&s=7", 303, ""},
		{"GET", "/tournaments", "", 200, "No tournament matches"},
		{"POST", "/tournaments", "do=archive&s=7", 303, ""},
		{"GET", "/tournaments?archived=yes", "", 200, `<a href="/tournaments/7">cup</a>`},
		{"POST", "/tournaments", "do=restore&s=7", 303, ""},
		{"POST", "/tournaments", "do=resume&s=7", 303, ""},
		{"POST", "/tournaments", "do=pause&s=7&s=8&s=x", 409, "Some were not changed:</strong> no tournament 8; no tournament 0."},
		{"GET", "/tournaments?state=paused", "", 200, "1 to 1 of 1"},
		{"POST", "/tournaments", "do=resume&s=7", 303, ""},
		{"POST", "/experiments/runs", "do=stop&s=7", 409, "no experiment 7"},
		{"POST", "/experiments/runs", "do=burn&s=7", 400, "expected pause, resume"},
		{"GET", "/tournaments/7", "", 200, "&lt;a&gt;</th>"},
		{"GET", "/tournaments/7", "", 200, `action="/tournaments/7/pause"`},
		{"GET", "/tournaments/7", "", 200, "name: cup\n"},
		{"GET", "/tournaments/8", "", 404, "no tournament 8"},
		{"GET", "/tournaments/..%2f", "", 404, "no tournament"},
		{"POST", "/tournaments/7/pause", "", 303, ""},
		{"GET", "/tournaments/7", "", 200, `<details id="remove"><summary>Delete this tournament</summary><form method="post" action="/tournaments/7/delete">`},
		{"POST", "/tournaments/7/resume", "", 303, ""},
		{"POST", "/tournaments/7/delete", "", 303, ""},
		{"POST", "/tournaments/19/delete", "", 404, "no tournament 19"},
		{"GET", "/new/tournament?example=", "", 200, "version: 1\nname: "},
		{"GET", "/new/tournament?example=", "", 200, `name="blocks" value=""`},
		{"GET", "/new/tournament", "", 200, `name="blocks" value="100"`},
		{"GET", "/new/tournament", "", 200, `name="entrants"`},
		{"GET", "/new/tournament", "", 200, `<div id="check" aria-live="polite"><p class="hint">`},
		{"POST", "/new/tournament/check", "game=dice&blocks=100", 200, `data-field="entrants"`},
		{"POST", "/new/tournament", "game=dice&entrants=a%0Ab&blocks=many&rules=x&seed=q&priority=70", 400, `id="wrong-blocks" data-field="blocks"`},
		{"POST", "/new/tournament/edit", "game=dice&entrants=loaded%0Aloaded(x%3D0.2)&blocks=7", 200, "entrants: [&#34;loaded&#34;, &#34;loaded(x=0.2)&#34;]\nblocks: 7"},
		{"GET", "/new/tournament?example=battleship-table2", "", 200, `<option value="battleship-table2" selected>`},
		{"POST", "/new/tournament", url.Values{"file": {cupFile}}.Encode(), 303, ""},
		{"POST", "/new/tournament", url.Values{"file": {badFile}, "blocks": {"-1"}, "seed": {"q"}, "priority": {"70"}}.Encode(), 400, `<li><span class="what">form.yaml:3:7: game: expected`},
		{"POST", "/new/tournament", "file=x&blocks=-1&seed=q&priority=70", 400, `<span class="what">blocks: expected a whole number from 1 on, got &#34;-1&#34;</span>`},
		{"POST", "/new/tournament", "file=</textarea><script>", 400, "&lt;/textarea&gt;&lt;script&gt;"},
		{"POST", "/new/tournament/check", url.Values{"file": {badFile}}.Encode(), 200, `<li><span class="what">form.yaml:1:10: version: expected`},
		{"POST", "/new/tournament/check", url.Values{"file": {cupFile}}.Encode(), 200, "Nothing is wrong with it."},
		{"POST", "/new/tournament", "check=yes&game=dice&entrants=loaded%0Aloaded(x%3D0.2)&blocks=100", 200, "Games: 200 in each pairing, 200 in all; pairings: 1.</p><p>To show: a gap of 70 Elo"},
		{"POST", "/new/test/check", "game=dice&new=loaded&base=loaded(x%3D0.2)&max_games=10000", 200, "Games of stage 1: on average about 9700 at one of the bounds and 9900 between them, at most 10\u202f000."},
		{"GET", "/tests", "", 200, "No test yet"},
		{"GET", "/tests/7", "", 404, "no test 7"},
		{"GET", "/new/test", "", 200, `data-slider="1000 10000000"`},
		{"POST", "/new/test", "new=%3Cb%3E&base=q&bounds=free&elo0=1&elo1=x&priority=70&rules=a", 400, `<li id="wrong-rules" data-field="rules">rules: <span class="what">expected NAME=VALUE, got &#34;a&#34;</span></li>`},
		{"POST", "/new/test", "new=%22%3E%3Cb%3E&base=q", 400, `value="&#34;&gt;&lt;b&gt;"`},
		{"POST", "/new/test", "game=dice&new=loaded&base=nobody", 400, `<small class="bad said">expected`},
		{"GET", "/experiments", "", 200, "A &lt;table&gt;."},
		{"GET", "/experiments", "", 200, `value="100"`},
		{"GET", "/experiments?find=A+PAPER+tab", "", 200, "1 to 1 of 1"},
		{"GET", "/experiments?find=%3Cb%3Enone", "", 200, "No experiment matches."},
		{"GET", "/experiments?first=2", "", 200, "1 to 1 of 1"},
		{"GET", "/experiments?first=0", "", 400, "first: expected an integer from 1"},
		{"POST", "/experiments", "name=table&games=3", 303, ""},
		{"POST", "/experiments", "name=../x&games=3", 400, "no experiment &#34;../x&#34;"},
		{"POST", "/experiments", "name=table&games=much", 400, "games: expected a whole number"},
		{"GET", "/experiments/runs/8", "", 200, "&lt;turn&gt; 1"},
		{"GET", "/experiments/runs/8", "", 200, `<span class="agrees yes"><span aria-hidden="true">✓</span> yes</span>`},
		{"GET", "/experiments/runs/7", "", 404, "no experiment 7"},
		{"POST", "/experiments/runs/8/stop", "", 303, ""},
	} {
		status, text, _ := ask(t, c.method, h.URL+c.path, c.body, form, "Accept: text/html")
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s %s %s: %d, %.600s; want %d and %q", c.method, c.path, c.body, status, text, c.status, c.want)
		}
		if strings.Contains(text, " style=") || strings.Contains(text, " onclick=") {
			t.Errorf("%s holds what its policy forbids", c.path)
		}
	}
	if status, _, _ := ask(t, "POST", h.URL+"/new/tournament", "file=name:+cup", form, "Sec-Fetch-Site: cross-site"); status != 403 {
		t.Errorf("a form of another origin: %d", status)
	}
}
