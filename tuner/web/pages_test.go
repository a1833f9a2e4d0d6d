package web_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
)

// The pages are there without scripts, and what is typed becomes no markup.
func TestPages(t *testing.T) {
	s := newTestService(t)
	_, h := serve(t, s, "")
	if _, text, _ := ask(t, "GET", h.URL+"/bench", ""); !strings.Contains(text, "Nothing is recorded") {
		t.Errorf("no benchmark is recorded: %.300s", text)
	}
	s.bench(t)
	form := "Content-Type: application/x-www-form-urlencoded"
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/studies", "", 200, `<a href="/studies/first">first</a>`},
		{"GET", "/", "", 200, `<a href="/studies/first">`},
		{"GET", "/studies?q=nowhere", "", 200, "No study matches"},
		{"GET", "/studies/first", "", 200, `<button id="pause" class="primary"`},
		{"GET", "/studies/other", "", 404, "no study named"},
		{"GET", "/studies/first?tab=trials", "", 200, "the incumbent&#39;s challenge, rung 1 of 2, 2 blocks: behind the incumbent, trial 0: z = 3.2"},
		{"GET", "/studies/first?part=head", "", 200, `id="live"`},
		{"GET", "/studies/first?part=plots&tab=parameters", "", 200, `aria-label="Elo above the baseline by x"`},
		{"GET", "/studies/first?part=plots&seen=23-false", "", 204, ""},
		{"GET", "/studies/first?part=x", "", 400, "part: expected state"},
		{"GET", "/studies/first?x=%3Cscript%3E", "", 400, "expected parameters"},
		{"GET", "/studies/first?order=best&show=stopped&after=3", "", 200, `/studies/first/trials/5">5</a>`},
		{"GET", "/studies/first/trials/5", "", 200, "<h1>Trial 5"},
		{"GET", "/studies/first/trials/5", "", 200, `rel="prev" href="/studies/first/trials/4"`},
		{"GET", "/studies/first/trials/999", "", 404, "there is no trial 999: the study has"},
		{"GET", "/studies/first/trials/x", "", 404, "no trial"},
		{"GET", "/compare?s=first", "", 400, "Nothing was done: tick at least 2 rows first."},
		{"GET", "/compare?s=first&s=nobody", "", 404, "no study named"},
		{"GET", "/compare?s=first&s=nobody", "", 404, "What they proved"},
		{"GET", "/compare?s=first&s=%3Cb%3E", "", 404, "no study named"},
		{"GET", "/studies/first?tab=nothing", "", 400, "tab: expected summary, trials"},
		{"GET", "/studies?state=passed", "", 200, "No study matches"},
		{"GET", "/studies?state=running&q=FIRST&sort=gain", "", 200, `<a href="/studies/first">first</a>`},
		{"GET", "/studies?q=%25", "", 200, "No study matches"},
		{"GET", "/studies?state=lost", "", 400, "state: expected running"},
		{"GET", "/studies?sort=size", "", 400, "sort: expected newest"},
		{"GET", "/new/file?from=first", "", 200, "name: first-2"},
		{"GET", "/nowhere", "", 404, "All studies"},
		{"GET", "/new", "", 200, `name="low.x" value="0"`},
		{"GET", "/new?name=%22%3E%3Cscript%3E", "", 200, "&#34;&gt;&lt;script&gt;"},
		{"GET", "/bench", "", 200, `href="/bench/a.B/c%20sec/op`},
		{"GET", "/bench", "", 200, `</span> 1 Undecided</a></li>`},
		{"GET", "/bench", "", 200, `<svg class="spark"`},
		{"GET", "/bench?against=none", "", 404, "no run is named"},
		{"GET", "/bench?against=old", "", 200, `<option value="old" selected>`},
		{"GET", "/bench/a.B/c%20sec/op?against=old", "", 200, "against run:2"},
		{"GET", "/bench/a.B/c%20sec/op", "", 200, "<strong>4 % slower</strong> <span>(too few samples for an interval) against run:1"},
		{"POST", "/benchmarks/accept", "series=a.B/c+sec/op&source=run:3&reason=+", 400, "Say why: reason: expected 1 to 2000"},
		{"POST", "/benchmarks/accept", "series=a.B/c+sec/op&source=run:3&reason=so", 303, ""},
		{"GET", "/bench/a.B/c%20sec/op", "", 200, "there is nothing to compare yet"},
		{"GET", "/bench/a.B/c%20sec/op", "", 200, "<svg"},
		{"GET", "/bench/a.B/c%20sec/op", "", 200, "Where the time of run:3 went"},
		{"GET", "/bench/a.B/c%20sec/op", "", 200, `a.&lt;b&gt;slow&lt;/b&gt;</th><td class="n">25.0 %</td><td class="n">75.0 %</td><td class="n">&#43;50.0 %</td>`},
		{"GET", "/bench/a.B/c%20sec/op", "", 200, "old.cpu.pprof and new.cpu.pprof."},
		{"POST", "/studies/first/pause", "", 303, ""},
		{"POST", "/new/check", "name=first&tune=x&low.x=0.2", 200, "this name is taken; free: first-2"},
		{"POST", "/new/check", "name=fresh&tune=x&baseline=loaded", 200, "Forecast"},
		{"POST", "/new/forecast", "name=fresh&tune=x&baseline=loaded", 200, "8 of 10 cases"},
		{"POST", "/studies/first/note", "note=look+at+%3Cb%3E+again", 303, ""},
		{"GET", "/studies/first", "", 200, `<p class="note written">look at &lt;b&gt; again</p>`},
		{"POST", "/studies/first/note", "note=%00", 400, "note: expected a text"},
		{"POST", "/studies/nobody/note", "note=x", 404, ""},
		{"GET", "/studies/first?tab=trials&order=-x&min.x=0.2&max.x=0.9", "", 200, `name="min.x" value="0.2"`},
		{"GET", "/studies/first?tab=trials&order=y", "", 400, "order: expected latest"},
		{"GET", "/studies/first?tab=trials&min.x=a", "", 400, "min.x: expected a number"},
		{"GET", "/studies/first?tab=trials&min.y=1", "", 400, "expected a parameter of the study"},
		{"GET", "/studies/first/prove", "", 409, "has not ended"},
		{"POST", "/studies/first/prove", "blocks=x", 400, "expected a whole number from 1"},
		{"POST", "/new", "name=first&tune=x", 400, `class="errors"`},
		{"POST", "/studies/first/note", "note=a+%23slow+one", 303, ""},
		{"GET", "/studies?q=%23slow", "", 200, `<a class="tag" href="/studies?q=%23slow">#slow</a>`},
		{"GET", "/studies?sort=games", "", 200, `aria-sort="descending"><a href="/studies?sort=-games">Games</a>`},
		{"GET", "/studies?sort=-games", "", 200, `aria-sort="ascending"><a href="/studies?sort=games">Games</a>`},
		{"GET", "/studies?sort=-", "", 400, "sort: expected"},
		{"GET", "/studies", "", 200, "1 to 1 of 1"},
		{"POST", "/studies", "do=archive&s=first", 303, ""},
		{"GET", "/studies", "", 200, "No study matches"},
		{"GET", "/studies?archived=yes", "", 200, `<a href="/studies/first">first</a>`},
		{"GET", "/studies/first", "", 200, "#archived"},
		{"POST", "/studies", "do=restore&s=first", 303, ""},
		{"GET", "/studies?q=%23slow", "", 200, `<a href="/studies/first">first</a>`},
		{"POST", "/studies", "do=delete&s=first", 400, "expected pause, resume"},
		{"POST", "/studies", "do=pause", 400, "Nothing was done: tick at least 1 row first."},
		{"GET", "/compare?s=first", "", 400, "Nothing was done: tick at least 2 rows first."},
		{"POST", "/studies?q=%23slow", "do=archive&s=first", 303, ""},
		{"POST", "/studies?archived=yes&q=%23slow", "do=restore&s=first", 303, ""},
		{"POST", "/studies", "do=archive&s=nobody", 409, "Some were not changed"},
		{"GET", "/bench/?against=old", "", 303, ""},
		{"GET", "/studies/?sort=games", "", 301, ""},
		{"GET", "//elsewhere.example/", "", 307, `href="/elsewhere.example/"`},
		{"GET", "/static/live.js", "", 200, "EventSource"},
		{"GET", "/static/%2e%2e/server.go", "", 404, ""},
		{"GET", "/static/..%2fserver.go", "", 404, ""},
	} {
		status, text, header := ask(t, c.method, h.URL+c.path, c.body, form, "Accept: text/html")
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %d, %.300s; want %d and %q", c.method, c.path, status, text, c.status, c.want)
		}
		if to := header.Get("Location"); status == 301 && to != "/studies?sort=games" {
			t.Errorf("%s leads to %q", c.path, to)
		}
		if policy := header.Get("Content-Security-Policy"); strings.Contains(policy, "unsafe") {
			t.Error(policy)
		}
		if strings.Contains(text, " style=") || strings.Contains(text, " onclick=") {
			t.Errorf("%s holds what its policy forbids", c.path)
		}
	}
	_, _, header := ask(t, "GET", h.URL+"/static/style.css", "")
	if status, text, _ := ask(t, "GET", h.URL+"/static/style.css", "", "If-None-Match: "+header.Get("Etag")); status != 304 || text != "" {
		t.Errorf("a style sheet that the browser has: %d, %.80q", status, text)
	}
	if status, _, _ := ask(t, "POST", h.URL+"/studies/first/pause", "", form, "Sec-Fetch-Site: cross-site"); status != 403 {
		t.Errorf("a form of another origin: %d", status)
	}
}

// What is typed into the form stays a text in the study file.
func TestFormInjection(t *testing.T) {
	_, h := serve(t, newTestService(t), "")
	body := url.Values{"name": {"x\nbaseline: evil"}, "tune": {"x"}, "low.x": {"1\nsampler: {}"}, "baseline": {`"{}`}}.Encode()
	_, text, _ := ask(t, "POST", h.URL+"/new/check", body, "Content-Type: application/x-www-form-urlencoded")
	for _, want := range []string{`name: &#34;x\nbaseline: evil&#34;`, `low: &#34;1\nsampler: {}&#34;`, `baseline: &#34;\&#34;{}&#34;`} {
		if !strings.Contains(text, want) {
			t.Errorf("the study file lacks %s:\n%s", want, text)
		}
	}
}

// What is vendored is what was published.
func TestVendored(t *testing.T) {
	sums, err := os.ReadFile("static/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(sums)) {
		sum, file, _ := strings.Cut(strings.TrimSpace(line), "  ")
		text, err := os.ReadFile("static/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if got := sha256.Sum256(text); hex.EncodeToString(got[:]) != sum {
			t.Errorf("%s is not the file that was vendored", file)
		}
	}
}

// Pages of benchmarks hear of what is recorded.
func TestRecordedIsTold(t *testing.T) {
	s, h := serve(t, newTestService(t), "")
	w, _, _ := s.Hub.Watch(0, false)
	defer s.Hub.Leave(w)
	if status, text, _ := ask(t, "POST", h.URL+"/api/v1/bench/runs", `{"runs":[`+asField("text", fmt.Sprintf(benchText, 7))+`]}`, "Content-Type: application/json"); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	if e := <-w.Events; e.Kind != "recorded" {
		t.Errorf("told %q", e.Kind)
	}
	_, text, _ := ask(t, "GET", h.URL+"/bench", "", "Accept: text/html")
	if !strings.Contains(text, `data-live="all" data-on="recorded"`) {
		t.Error("the page does not follow it")
	}
}
