package site_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sakusen/bench"
	"sakusen/bench/changepoint"
	"sakusen/bench/ledger"
	"sakusen/bench/site"
)

func TestSite(t *testing.T) {
	one := ledger.Measure{History: ledger.History{Title: "example.com/m.<b>A</b> sec/op", Unit: "sec/op", Config: map[string]string{"machine": "big"}}}
	one.Standing = ledger.Standing{Title: "run:1", Reason: "the first run",
		Row: bench.Row{Series: bench.Series{Unit: "sec/op"}, Old: &bench.Summary{Center: 1e-6}, New: &bench.Summary{Center: 1.2e-6}, Better: -1,
			RatioLo: 1.15, RatioHi: 1.25, Verdict: bench.Worse}}
	one.Causes = []ledger.RecordedCause{{Run: 5, Commit: "cd", Against: "ab", Cause: bench.Cause{Kind: bench.CauseTime,
		Functions: []bench.FunctionPart{{Function: "m.<b>A</b>slow", Old: .25, New: .45}}}}}
	one.Changes = []ledger.LevelChange{{Change: bench.Change{Point: changepoint.Point{Index: 4, Before: 1e-6, After: 1.2e-6, P: 1e-9}, Worse: true, Alarm: true}}}
	for i := range 8 {
		one.Runs = append(one.Runs, ledger.Sample{Run: int64(i + 1), Commit: strings.Repeat("ab", 20), Center: 1e-6 + 0.2e-6*float64(i/4), N: 10})
	}
	series := []ledger.Measure{one, {History: ledger.History{Title: "one", Unit: "allocs/op", Runs: []ledger.Sample{{}}}}}
	s := site.Site{Title: "main", Made: time.Unix(0, 0), Verdicts: []ledger.Count{{Verdict: bench.Worse, Series: 1}, {Series: 1}}, Total: 2, Series: listed(series...)}
	dir := filepath.Join(t.TempDir(), "public")
	alarms, err := site.Write(dir, s)
	if err != nil || len(alarms) != 1 || alarms[0].Run != 5 || alarms[0].Text != "example.com/m.<b>A</b> sec/op: worse since ababababab, up by 20.00 %" {
		t.Fatalf("%+v, %v", alarms, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil || len(files) != 3 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || strings.Contains(string(text), "<b>A") || strings.Contains(string(text), "NaN") || !strings.HasSuffix(strings.TrimSpace(string(text)), "</html>") {
			t.Errorf("%s: %v %s", file, err, text)
		}
	}
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`1 Worse</span>`, `1 Not compared</span>`, `<strong>&#43;20 %</strong><br><small>&#43;15 to &#43;25 %</small>`,
		"worse, up by 20.00 % at ababababab", `<td class="n">1.200 µs</td>`, `<svg class="spark"`} {
		if !strings.Contains(string(index), want) {
			t.Errorf("no %q in %s", want, index)
		}
	}

	page, err := os.ReadFile(filepath.Join(dir, regexp.MustCompile(`[0-9a-f]{16}\.html`).FindString(string(index))))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<strong>20 % slower</strong> (&#43;15 to &#43;25 %) than run:1, the first run.`, "Where the time of run:5 went", "<code>m.&lt;b&gt;A&lt;/b&gt;slow</code>", "&#43;20.0 %"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in %s", want, page)
		}
	}

	var got []site.Alarm
	broken := true
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		var a site.Alarm
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			t.Error(err)
		}
		got = append(got, a)
	}))
	defer hook.Close()
	if n, err := site.Tell(context.Background(), dir, hook.URL, alarms); n != 0 || err == nil {
		t.Errorf("a webhook that fails: %d, %v", n, err)
	}
	broken = false
	for i, want := range []int{1, 0} {
		if n, err := site.Tell(context.Background(), dir, hook.URL, alarms); n != want || err != nil || len(got) != 1 || got[0] != alarms[0] {
			t.Errorf("time %d: %d, %v, %+v", i, n, err, got)
		}
	}
}

// listed returns series as a site is given them.
func listed(all ...ledger.Measure) iter.Seq2[[]ledger.Measure, error] {
	return func(yield func([]ledger.Measure, error) bool) {
		for part := range slices.Chunk(all, 300) {
			if !yield(part, nil) {
				return
			}
		}
	}
}

// The pages of many series are small and lead from one to the next, beside an
// index in small files that has every name once. What a longer list left is gone.
func TestSiteOfMany(t *testing.T) {
	var all []ledger.Measure
	for i := range 800 {
		m := ledger.Measure{History: ledger.History{Title: fmt.Sprintf("example.com/m.N%04d/%s sec/op", i, strings.Repeat("é<", 150)), Unit: "sec/op"}}
		for r := range 50 {
			m.Runs = append(m.Runs, ledger.Sample{Run: int64(r + 1), Center: 1e-6 + float64((i+7*r)%40)*1e-8, N: 10})
		}
		all = append(all, m)
	}
	for r := range 5000 { // of one, many runs
		all[2].Runs = append(all[2].Runs, ledger.Sample{Run: int64(r + 51), Commit: strings.Repeat("ab", 20), Center: 1e-6, N: 10})
	}
	dir := t.TempDir()
	write := func(n int) {
		t.Helper()
		if _, err := site.Write(dir, site.Site{Title: "main", Total: n, Series: listed(all[:n]...)}); err != nil {
			t.Fatal(err)
		}
	}
	count := func(pattern string) int {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || info.Size() > 100_000 {
				t.Errorf("%s: %v, %d bytes", file, err, info.Size())
			}
		}
		return len(files)
	}
	write(800)
	if n := count("*.html"); n < 808 || count("names-*.js") < 5 {
		t.Errorf("%d pages, %d files of names", n, count("names-*.js"))
	}
	seen, pages := map[string]int{}, 0
	for at := "index.html"; at != ""; pages++ {
		text, err := os.ReadFile(filepath.Join(dir, at))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`<a href="([0-9a-f]{16}\.html)">`).FindAllStringSubmatch(string(text), -1) {
			seen[m[1]]++
		}
		next := regexp.MustCompile(`<a href="([^"]*)" rel="next">`).FindStringSubmatch(string(text))
		if at = ""; next != nil {
			at = next[1]
		}
	}
	if pages != count("index*.html") || len(seen) != 800 {
		t.Errorf("%d pages lead to %d series", pages, len(seen))
	}
	names := ""
	for i := range count("names-*.js") {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("names-%d.js", i+1)))
		if err != nil || !strings.HasPrefix(string(text), fmt.Sprintf("found(%d, [\n", i+1)) {
			t.Fatalf("%v %.100s", err, text)
		}
		names += string(text)
	}
	for i := range 800 {
		if n := strings.Count(names, fmt.Sprintf(`["example.com/m.N%04d/`, i)); n != 1 {
			t.Errorf("series %d is %d times in the index", i, n)
		}
	}
	write(3)
	if count("index*.html") != 1 || count("names-*.js") != 1 {
		t.Error("files of a longer list are left")
	}
}
