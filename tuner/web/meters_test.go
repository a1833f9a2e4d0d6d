package web_test

import (
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What operators look for is there: the process, Go, the build, studies by state, what
// they have done, and how long requests take, by routes that there are.
func TestMeters(t *testing.T) {
	s := newTestService(t)
	_, h := serve(t, s, "")
	read := func() string {
		t.Helper()
		status, text, header := ask(t, "GET", h.URL+"/metrics", "")
		if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/plain; version=0.0.4") {
			t.Fatalf("%d %v\n%s", status, header, text)
		}
		return text
	}
	read() // the first look, from which is counted
	must(t, s.db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE study_records SET games = games + 40")
		return err
	}))
	ask(t, "GET", h.URL+"/api/v1/studies/first", "")
	ask(t, "GET", h.URL+"/nothing/here/"+strings.Repeat("x", 100), "")
	text := read()
	for _, line := range []string{
		`process_start_time_seconds \d`, `process_resident_memory_bytes \d`, `go_goroutines \d`, `go_memstats_alloc_bytes \d`,
		`sakusen_build_info\{commit="[^"]+",goversion="go[^"]+",version="[^"]+"\} 1`,
		`sakusen_studies\{state="running"\} 1`, `sakusen_studies\{state="queued"\} 0`, `sakusen_studies\{state="failed"\} 0`,
		`sakusen_games_total 40`, `sakusen_blocks_total 0`, `sakusen_trials_total 0`, `sakusen_studies_running 0`, `sakusen_http_requests_total\{method="GET"\} \d`,
		`sakusen_http_request_duration_seconds_count\{method="GET",route="/api/v1/studies/\{study\}"\} 1`,
		`sakusen_http_request_duration_seconds_bucket\{method="GET",route="/metrics",le="10"\} 1`,
	} {
		if !regexp.MustCompile(`(?m)^` + line).MatchString(text) {
			t.Errorf("no %s", line)
		}
	}
	if err := expose(text); err != nil {
		t.Error(err)
	}
	if strings.Contains(text, "xxx") {
		t.Error("a path that somebody made up is a label")
	}
	if t.Failed() {
		t.Log(text)
	}
}

// expose reads metrics as strictly as Prometheus' text format is defined. Each name has its help
// and its kind once, before all of its samples; names and labels are well formed; no sample is
// there twice; the buckets of a histogram add up to all.
func expose(text string) error {
	const name, value = `[a-zA-Z_:][a-zA-Z0-9_:]*`, `"(?:[^"\\\n]|\\["\\n])*"`
	help := regexp.MustCompile(`^# HELP (` + name + `) \S.*$`)
	kind := regexp.MustCompile(`^# TYPE (` + name + `) (counter|gauge|histogram|summary)$`)
	sample := regexp.MustCompile(`^(` + name + `)(\{` + name + `=` + value + `(?:,` + name + `=` + value + `)*\})? (\S+)$`)
	le := regexp.MustCompile(`,le="([^"]+)"\}$`)
	if !strings.HasSuffix(text, "\n") {
		return errors.New("the last line does not end")
	}
	of, now, last, seen, counted := map[string]string{}, "", "", map[string]bool{}, map[string]float64{}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		bad := func(what string) error { return fmt.Errorf("line %d: %s: %s", i+1, what, line) }
		if m := help.FindStringSubmatch(line); m != nil {
			if _, ok := of[m[1]]; ok {
				return bad("a name for the second time")
			}
			of[m[1]], now = "", m[1]
			continue
		}
		if m := kind.FindStringSubmatch(line); m != nil {
			if m[1] != now || of[now] != "" {
				return bad("a kind without its help")
			}
			of[now] = m[2]
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil || seen[m[1]+m[2]] {
			return bad("no sample, or one that is there twice")
		}
		seen[m[1]+m[2]] = true
		x, err := strconv.ParseFloat(m[3], 64)
		part := strings.TrimPrefix(m[1], now)
		parts := map[string][]string{"histogram": {"_bucket", "_sum", "_count"}, "summary": {"", "_sum", "_count"}}[of[now]]
		switch {
		case err != nil || x < 0:
			return bad("no number")
		case !strings.HasPrefix(m[1], now) || parts == nil && part != "" || parts != nil && !slices.Contains(parts, part):
			return bad("a sample of another name than " + now)
		case part == "_bucket":
			end := le.FindStringSubmatch(m[2])
			if end == nil || x < counted[le.ReplaceAllString(m[2], "}")] {
				return bad("buckets do not count up")
			}
			counted[le.ReplaceAllString(m[2], "}")], last = x, end[1]
		case part == "_count" && of[now] == "histogram" && (last != "+Inf" || x != counted[m[2]]):
			return bad("the last bucket does not have all")
		}
	}
	return nil
}

// What is not well formed is found by expose.
func TestExpose(t *testing.T) {
	const a = "# HELP a A.\n# TYPE a "
	if err := expose(a + "gauge\na{x=\"}\\\"\\n,\"} 1e+06\na +Inf\n"); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "a 1\n", a + "gauge\na 1", a + "gauge\na 1\na 1\n", a + "gauge\nb 1\n", a + "gauge\na{x=\"\"\"} 1\n", a + "gauge\na one\n", a + "gauge\na 1\n" + a + "gauge\na 2\n",
		a + "histogram\na_bucket{x=\"\",le=\"1\"} 2\na_bucket{x=\"\",le=\"+Inf\"} 1\n", a + "histogram\na_bucket{x=\"\",le=\"1\"} 1\na_count{x=\"\"} 1\n"} {
		if expose(bad) == nil {
			t.Errorf("accepted: %q", bad)
		}
	}
}
