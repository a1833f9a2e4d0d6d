package studies

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// manyStudies writes studies with twenty trials and an incumbent each, every
// second of them ended.
func manyStudies(t testing.TB, path string, n int) {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := store.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		l, err := s.Studies.Create(t.Context(), store.Header{
			Name: fmt.Sprintf("study-%04d", i), Game: "laboratory", Strategy: "point", Baseline: "point()", Spec: "{}",
			BudgetTrials: 100, BudgetGames: 10000,
		})
		if err != nil {
			t.Fatal(err)
		}
		err = l.Append(t.Context(), entry.Entry{Kind: entry.KindIncumbent, Payload: json.RawMessage(`{"trial":7,"blocks":8,"value":0.6,"bound":0.5}`)},
			func(trials tuner.Trials) error {
				for number := range 20 {
					if err := trials.Create(number); err != nil {
						return err
					}
				}
				return nil
			})
		if err == nil && i%2 == 0 {
			err = l.Finish(t.Context(), json.RawMessage(`{"best":{"trial":7,"value":0.6,"claimed":{"score":0.6,"elo":70.4}},"validation":{"elo":40.5,"ci95":[30,51],"verdict":"pass"}}`))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A thousand studies are listed by pages, the youngest first, each with its best.
// SAKUSEN_MANY_STUDIES sets their number; with -v the medians of 20 requests are
// printed.
func TestManyStudies(t *testing.T) {
	n := 200
	if text := os.Getenv("SAKUSEN_MANY_STUDIES"); text != "" {
		given, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		n = given
	}
	path := filepath.Join(t.TempDir(), "many.db")
	manyStudies(t, path, n)
	h := serveDatabase(t, path)
	seen := map[string]bool{}
	pages := 0
	for at := "/studies"; at != ""; pages++ {
		text, _ := get(t, h.URL+at)
		for _, part := range strings.Split(text, `<a href="/studies/`)[1:] {
			name, _, _ := strings.Cut(part, `"`)
			if seen[name] {
				t.Errorf("%s is listed twice", name)
			}
			seen[name] = true
		}
		if at == "/studies" {
			for _, want := range []string{"40 Elo", "30 to 51", "Proved", "60 %", "20 of at most"} {
				if !strings.Contains(text, want) {
					t.Errorf("the list lacks %q", want)
				}
			}
		}
		_, next, _ := strings.Cut(text, `id="next" rel="next" href="`)
		at, _, _ = strings.Cut(next, `"`)
	}
	if len(seen) != n {
		t.Errorf("%d of %d studies are listed", len(seen), n)
	}
	for _, path := range []string{"/", "/studies", fmt.Sprintf("/studies?skip=%d", n/2), "/studies?state=proved&sort=gain", "/studies?q=study", "/api/v1/studies", "/api/v1/studies?limit=1000"} {
		var times []time.Duration
		for range 20 {
			_, d := get(t, h.URL+path)
			times = append(times, d)
		}
		slices.Sort(times)
		t.Logf("%-30s %d studies: median %.2f ms", path, n, times[10].Seconds()*1000)
	}
}
