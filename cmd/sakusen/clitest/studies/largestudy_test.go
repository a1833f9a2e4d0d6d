package studies

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/web"
)

// largeStudy is a study of any number of trials of a game that costs next to
// nothing.
const largeStudy = `version: 1
name: %s
game: laboratory
rules:
  - {name: dimensions, value: 4}
  - {name: headroom, value: 60}
  - {name: landscape_seed, value: 1}
tune:
  strategy: point
baseline: point
sampler: {name: uniform, seed: 3, batch: 250}
race: {rungs: [2, 16, 24], keep: 0.3, incumbent: true}
budget: {trials: %d, games: 9000000}
final: {top: 5, blocks: 100}
validation: {gain_elo: [0, 30], max_blocks: 1000}
`

// runLarge runs such a study.
func runLarge(t testing.TB, db, name string, trials int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".yaml")
	if err := os.WriteFile(file, fmt.Appendf(nil, largeStudy, name, trials), 0o644); err != nil {
		t.Fatal(err)
	}
	if p := clitest.Launch(t, "", "--db", db, "--quiet", "tune", file); p.Code != 0 && p.Code != clitest.ExitNegative && p.Code != clitest.ExitInconclusive {
		t.Fatalf("tune: %d\n%s", p.Code, p.Err)
	}
}

// entriesRead returns the number of entries of logs that a server has read for pages.
func entriesRead(t testing.TB, h *httptest.Server) (n int) {
	t.Helper()
	text, _ := get(t, h.URL+"/metrics")
	_, text, found := strings.Cut(text, "\nsakusen_log_entries_read_total ")
	if _, err := fmt.Sscan(text, &n); err != nil || !found {
		t.Fatalf("the metrics do not say how many entries were read: %v", err)
	}
	return n
}

// serveDatabase serves a database as the daemon does, without running studies.
func serveDatabase(t testing.TB, path string) *httptest.Server {
	t.Helper()
	db, err := sqlitedb.OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s, err := service.Open(t.Context(), db, service.Options{Catalogue: strategies.Catalogue()})
	if err != nil {
		t.Fatal(err)
	}
	server, err := web.New(web.Options{Service: s, Hosts: []string{"127.0.0.1"}, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(server)
	t.Cleanup(h.Close)
	return h
}

// get asks for a page and returns it with the time that it took.
func get(t testing.TB, url string) (string, time.Duration) {
	t.Helper()
	began := time.Now()
	a, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v %.300s", url, a.StatusCode, err, text)
	}
	return string(text), time.Since(began)
}

// processorTime returns the processor time of this process so far, 0 where that is not known.
var processorTime = func() time.Duration { return 0 }

// requests asks for a page 20 times and returns the median time, and the processor time of one
// request, of server and client together, in ms.
func requests(t testing.TB, url string) (median, cpu float64) {
	t.Helper()
	var times []time.Duration
	before := processorTime()
	for range 20 {
		_, d := get(t, url)
		times = append(times, d)
	}
	slices.Sort(times)
	return times[10].Seconds() * 1000, (processorTime() - before).Seconds() * 1000 / 20
}

// studyPaths are all pages and answers that touch a study; {study} is its name and
// {middle} a number in the middle of its trials.
var studyPaths = []string{
	"/", "/studies/{study}", "/studies/{study}?order=best", "/studies/{study}?order=best&show=stopped&after={middle}", "/studies/{study}?from={middle}&to=0",
	"/studies/{study}?x=x1&y=x3", "/studies/{study}?tab=race", "/studies/{study}?part=head", "/studies/{study}?part=plots", "/studies/{study}?part=trials",
	"/api/v1/studies", "/api/v1/studies/{study}", "/api/v1/studies/{study}/trials", "/api/v1/studies/{study}/trials?from={middle}",
	"/api/v1/studies/{study}/trials?order=best", "/api/v1/studies/{study}/log", "/api/v1/studies/{study}/log?after={middle}",
	"/api/v1/studies/{study}/export?format=json&force=true",
}

// What is served of a study does not grow with its trials, and its log is read
// once. SAKUSEN_LARGE_STUDY sets the number of trials; with -v the medians of 20
// requests of each page are printed.
func TestLargeStudy(t *testing.T) {
	suite.All(t)
	trials := 2500
	if text := os.Getenv("SAKUSEN_LARGE_STUDY"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		trials = n
	}
	small := trials / 5
	db := filepath.Join(t.TempDir(), "large.db")
	runLarge(t, db, "small", small)
	runLarge(t, db, "large", trials)
	h := serveDatabase(t, db)
	for _, name := range []string{"small", "large"} {
		get(t, h.URL+"/api/v1/studies/"+name+"/trials?order=best&limit=1") // waits until the log is read
	}
	read := entriesRead(t, h)
	size := map[string]int{}
	for _, path := range studyPaths {
		for _, study := range []struct {
			name   string
			trials int
		}{{"small", small}, {"large", trials}} {
			url := h.URL + strings.NewReplacer("{study}", study.name, "{middle}", strconv.Itoa(study.trials/2)).Replace(path)
			text, first := get(t, url)
			if study.name == "small" {
				size[path] = len(text)
			} else if len(text) > 2*size[path]+4096 {
				t.Errorf("%s takes %d bytes of %d trials and %d of %d", path, size[path], small, len(text), trials)
			}
			if testing.Verbose() {
				median, cpu := requests(t, url)
				t.Logf("%-62s %7d trials: median %8.2f ms, %8.2f ms of processor time, first %8.2f ms, %7d bytes", path, study.trials,
					median, cpu, first.Seconds()*1000, len(text))
			}
		}
	}
	if again := entriesRead(t, h); again != read {
		t.Errorf("the log was read again: %d entries, then %d", read, again)
	}
	t.Logf("%d entries read", read)
}
