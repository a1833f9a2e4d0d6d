package studies

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// manySpec and manyResult are those of a study of twelve parameters with a pool of opponents.
var (
	manySpec   = `{"doc":"Which point of the hill is best?","objective":{"of":"score","over":"worst"},"tune":{"params":[` + strings.TrimSuffix(strings.Repeat(`{"name":"x","domain":{"low":"0","high":"1","step":"0"},"scale":"linear"},`, 12), ",") + `]}}`
	manyResult = `{"best":{"trial":7,"value":0.6,"params":{` + numbered(`"x%d":"0.8812345678901234"`, 12) + `},"claimed":{"score":0.6,"elo":70.4}},"validation":{"elo":40.5,"ci95":[30,51],"verdict":"pass","pool":[` +
		numbered(`{"entrant":"point(x1=0.%d)","elo":90,"ci95":[60,120],"blocks":400,"distinct":400,"standing":"weaker"}`, 4) + `]},"set_back":[` +
		numbered(`{"parameters":["x%d"],"to":{"x":"0.5"},"elo_lost":12,"ci95":[3,21],"blocks":400,"games":800,"told":true,"games_for_10_elo":1200}`, 12) + `]}`
)

// numbered repeats a format with the numbers from 0, with commas between.
func numbered(format string, n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(format, i))
	}
	return strings.Join(all, ",")
}

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
			Name: fmt.Sprintf("study-%04d", i), Game: "laboratory", Strategy: "point", Baseline: "point()", Spec: manySpec,
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
			err = l.Finish(t.Context(), json.RawMessage(manyResult))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A thousand studies are listed by pages, the youngest first, each with its best.
// SAKUSEN_MANY_STUDIES sets their number; with -v the medians of 20 requests and the
// processor time of one, of server and client together, are printed.
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
			for _, want := range []string{"40 Elo", "30 to 51", "Passed", "60 %", "20 of at most"} {
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
	for _, path := range []string{"/", "/studies", fmt.Sprintf("/studies?skip=%d", n/2), "/studies?sort=gain", "/studies?sort=name", "/studies?sort=games", "/studies?sort=state", "/studies?sort=ended", "/studies?state=passed&sort=gain", "/studies?q=study", "/studies?archived=yes", "/api/v1/studies", "/api/v1/studies?limit=1000"} {
		median, cpu := requests(t, h.URL+path)
		t.Logf("%-40s %d studies: median %.2f ms, %.2f ms of processor time", path, n, median, cpu)
	}
}
