package web_test

import (
	"database/sql"
	"regexp"
	"strings"
	"testing"
)

// What operators look for is there: the process, Go, the build, studies by state, what
// they have done, and how long requests take, by routes that there are.
func TestMeters(t *testing.T) {
	s := newShelf(t)
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
	if strings.Contains(text, "xxx") {
		t.Error("a path that somebody made up is a label")
	}
	if t.Failed() {
		t.Log(text)
	}
}
