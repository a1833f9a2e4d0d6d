package store

import (
	"path/filepath"
	"testing"

	"sakusen/tuner/store/sqlitedb"
)

// The outcome by which lists are filtered is what a study's page calls it.
func TestOutcomes(t *testing.T) {
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const mean, worst = `{"objective":{"over":"mean"},"validation":{"elo":[0,10]}}`, `{"objective":{"over":"worst"},"validation":{"elo":[0,10]}}`
	for _, c := range []struct{ state, spec, result, want string }{
		{"running", mean, "", "running"}, {"queued", mean, "", "waiting"}, {"stopped", mean, "", "paused"}, {"failed", "no JSON", "no JSON", "failed"},
		{"done", mean, `{"best":null}`, "no answer"}, {"done", mean, `{"best":{},"validation":null}`, "not tested"}, {"done", mean, "no JSON", "no answer"},
		{"done", mean, `{"best":{},"validation":{"verdict":"inconclusive"}}`, "undecided"},
		{"done", mean, `{"best":{},"validation":{"verdict":"fail"}}`, "not passed"},
		{"done", mean, `{"best":{},"validation":{"verdict":"pass","elo":9,"estimate":{"elo":5}}}`, "passed"},
		{"done", mean, `{"best":{},"validation":{"verdict":"pass","elo":9,"estimate":{"elo":-1}}}`, "in doubt"},
		{"done", mean, `{"best":{},"validation":{"verdict":"pass","estimate":{"metric":{"gain":-1}}}}`, "in doubt"},
		{"done", `{"validation":{"elo":[-20,0]}}`, `{"best":{},"validation":{"verdict":"pass","elo":9,"estimate":{"elo":-1}}}`, "passed"},
		{"done", mean, `{"best":{},"validation":{"verdict":"pass","elo":90,"pool":[{"elo":-3,"ci95":[-5,-1]}]}}`, "passed"},
		{"done", worst, `{"best":{},"validation":{"verdict":"pass","elo":90,"pool":[{"elo":3,"ci95":[1,5]},{"elo":-3,"ci95":[-5,-1]}]}}`, "in doubt"},
		{"done", worst, `{"best":{},"validation":{"verdict":"pass","elo":90,"pool":[{"elo":3,"ci95":[-1,5]}]}}`, "in doubt"},
		{"done", worst, `{"best":{},"validation":{"verdict":"pass","elo":90,"pool":[{"elo":95,"ci95":[-1,500]}]}}`, "passed"},
		{"done", `{"objective":{"over":"mean","objectives":[{"over":"worst"}]}}`, `{"best":{},"validation":{"verdict":"pass","elo":90,"pool":[{"elo":3,"ci95":[-1,5]}]}}`, "in doubt"},
	} {
		var got string
		if err := db.Reader().QueryRowContext(t.Context(), "SELECT "+outcomeSQL+" FROM (SELECT ? AS state, ? AS spec, ? AS result) r", c.state, c.spec, c.result).Scan(&got); err != nil || got != c.want {
			t.Errorf("%s %s %s: %s %v, want %s", c.state, c.spec, c.result, got, err, c.want)
		}
	}
}
