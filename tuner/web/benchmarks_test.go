package web_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"sakusen/bench/ledger"
	"sakusen/tuner/service"
)

// manyBenchmarks records so many benchmarks of three units, with names of so many characters;
// the last run is twice as slow in every 100th.
func (s *testService) manyBenchmarks(t *testing.T, n, runs, length int) {
	t.Helper()
	b, err := s.Benchmarks(t.Context())
	must(t, err)
	for r := range runs {
		var text strings.Builder
		for i := range n {
			if i%200 == 0 {
				fmt.Fprintf(&text, "pkg: example.com/m/p%02d\n", i/200)
			}
			name := fmt.Sprintf("N%05d/", i)
			name += strings.Repeat("é&", max(0, length-len(name))/3)
			allocs := 2
			if i%100 == 7 && r == runs-1 {
				allocs = 4
			}
			for k := range 3 {
				fmt.Fprintf(&text, "Benchmark%s 10 %d.%d ns/op 64 B/op %d allocs/op\n", name, 1000+i+r*7%11, k, allocs)
			}
		}
		_, err := b.Record(t.Context(), []service.BenchRun{{Text: text.String(), Origin: ledger.Origin{Commit: fmt.Sprint(r), Branch: "main"}}}, "")
		must(t, err)
	}
}

// However many benchmarks there are, and however long their names, a page is small; the pages
// together have each benchmark once, and search and verdicts choose among them.
func TestManyBenchmarks(t *testing.T) {
	const n = 600
	s := newTestService(t)
	s.manyBenchmarks(t, n, 12, 300)
	_, h := serve(t, s, "")
	get := func(path string) string {
		t.Helper()
		status, text, _ := ask(t, "GET", h.URL+path, "", "Accept: text/html")
		if status != 200 || len(text) > 100_000 {
			t.Fatalf("%s: %d, %d bytes", path, status, len(text))
		}
		return text
	}
	walk := func(path string) (names []string) {
		t.Helper()
		for path != "" {
			text := get(path)
			for _, m := range regexp.MustCompile(`<strong>(N\d{5})/`).FindAllStringSubmatch(text, -1) {
				names = append(names, m[1])
			}
			next := regexp.MustCompile(`id="next" href="([^"]*)"`).FindStringSubmatch(text)
			if path = ""; next != nil {
				path = html.UnescapeString(next[1])
			}
		}
		return names
	}
	distinct := func(names []string) int {
		all := map[string]bool{}
		for _, name := range names {
			all[name] = true
		}
		return len(all)
	}
	if names := walk("/bench"); len(names) != n || distinct(names) != n || names[0] != "N00007" || names[5] != "N00507" {
		t.Errorf("%d benchmarks, %d of them once, first %q", len(names), distinct(names), names[:min(7, len(names))])
	}
	if text := get("/bench"); !strings.Contains(text, "6 Worse</a>") || !strings.Contains(text, fmt.Sprintf("all %d</a>", n)) {
		t.Errorf("the verdicts: %.3000s", text)
	}
	for path, want := range map[string]int{"/bench?verdict=worse": 6, "/bench?q=p02": 200, "/bench?q=P02.n004&verdict=worse": 1, "/bench?q=n00123": 1, "/bench?q=nothing": 0,
		"/bench?q=" + url.QueryEscape("é&"): n, "/bench?verdict=better": 0, "/bench?skip=590": 10, "/bench?skip=1000": 0} {
		if names := walk(path); len(names) != want || distinct(names) != want {
			t.Errorf("%s: %d benchmarks, want %d", path, len(names), want)
		}
	}
	if text := get("/bench?q=" + url.QueryEscape(`"><b>`)); strings.Contains(text, `"><b>`) || !strings.Contains(text, "No benchmark matches") {
		t.Errorf("a search for markup: %.2000s", text)
	}
	for path, want := range map[string]int{"/bench?skip=-1": 400, "/bench?skip=x": 400, "/bench?q=" + strings.Repeat("x", 1001): 400} {
		if status, _, _ := ask(t, "GET", h.URL+path, "", "Accept: text/html"); status != want {
			t.Errorf("%.40s: %d, want %d", path, status, want)
		}
	}
	seen, after := map[string]bool{}, 0
	for pages := 0; ; pages++ {
		_, text, _ := ask(t, "GET", fmt.Sprintf("%s/api/v1/bench/series?after=%d", h.URL, after), "")
		var list struct {
			Series []struct{ Title string }
			Total  int
			Next   *int
		}
		must(t, json.Unmarshal([]byte(text), &list))
		if list.Total != 3*n || len(list.Series) != 100 {
			t.Fatalf("after %d: %d of %d series", after, len(list.Series), list.Total)
		}
		for _, l := range list.Series {
			seen[l.Title] = true
		}
		if list.Next == nil {
			break
		}
		after = *list.Next
	}
	if len(seen) != 3*n {
		t.Errorf("the pages of the API have %d series", len(seen))
	}
	_, text, _ := ask(t, "GET", h.URL+"/api/v1/bench/series?q=n00123&limit=2", "")
	if !strings.Contains(text, `"total":3`) || !strings.Contains(text, `"next":2`) {
		t.Errorf("a search of the API: %.300s", text)
	}
}

// The page of a series with many runs is small, and so is the API's answer.
func TestManyRuns(t *testing.T) {
	s := newTestService(t)
	s.manyBenchmarks(t, 1, 1100, 30)
	_, h := serve(t, s, "")
	title := url.PathEscape("example.com/m/p00.N00000/" + strings.Repeat("é&", 7) + " sec/op")
	if status, text, _ := ask(t, "GET", h.URL+"/bench/"+title, "", "Accept: text/html"); status != 200 || len(text) > 100_000 || !strings.Contains(text, "The last 200 of 1100 runs") {
		t.Errorf("%d, %d bytes", status, len(text))
	}
	for query, want := range map[string]int{"": 1000, "?limit=5": 5, "?limit=10000": 1100} {
		_, text, _ := ask(t, "GET", h.URL+"/api/v1/bench/series/"+title+query, "")
		var got struct {
			History struct {
				Runs   int
				Points []struct{ Run int }
			}
		}
		must(t, json.Unmarshal([]byte(text), &got))
		if p := got.History.Points; got.History.Runs != 1100 || len(p) != want || p[len(p)-1].Run != 1100 {
			t.Errorf("%s: %d points of %d runs", query, len(p), got.History.Runs)
		}
	}
}
