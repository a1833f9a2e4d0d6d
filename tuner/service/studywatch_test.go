package service_test

import (
	"path/filepath"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
)

// Whoever watches a study sees its trials with intervals while they play, in the
// order of their values, and its final; what was read is not read again.
func TestWatch(t *testing.T) {
	const file = `version: 1
name: hill
game: laboratory
tune: {strategy: point, params: [{name: x1}, {name: x2}]}
baseline: point
sampler: {name: quasi, batch: 8}
race: {rungs: [8, 16], method: halving}
final: {top: 3, blocks: 50}
budget: {trials: 24, games: 9000}
validation: {gain_elo: [0, 30], max_blocks: 400}
`
	setup, err := studyfile.Read("x.yaml", []byte(file), strategies.Catalogue(), sampler.Kinds{})
	must(t, err)
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	must(t, err)
	defer db.Close()
	s, err := service.Open(t.Context(), db, service.Options{Catalogue: strategies.Catalogue()})
	must(t, err)
	signatures, err := setup.Ruleset.Signatures(t.Context(), setup.Strategies()...)
	must(t, err)
	watcher := s.Studies().Watch("hill")
	seen := 0
	_, err = s.Studies().Tune(t.Context(), service.StudyFile{Setup: setup, Signatures: signatures}, arena.NewPool(1), func(now tuner.Progress) {
		l, err := watcher.Look(t.Context(), 5)
		must(t, err)
		if len(l.Rows) > 5 {
			t.Errorf("%d rows", len(l.Rows))
		}
		for i, r := range l.Rows {
			if !(r.Low < r.Value && r.Value < r.High) || r.Blocks == 0 || len(r.Params) != 2 {
				t.Errorf("row %+v", r)
			}
			if i > 0 && l.Rows[i-1].End == r.End && l.Rows[i-1].Value < r.Value {
				t.Errorf("rows are not in order: %+v", l.Rows)
			}
			seen++
		}
	}, nil)
	must(t, err)
	l, err := watcher.Look(t.Context(), 40)
	must(t, err)
	if len(l.Rows) != 24 || len(l.Finals) != 3 || l.Study.State != "done" || l.Finals[0].Value < l.Finals[2].Value {
		t.Errorf("%d rows after %d on the way, finals %+v, %s", len(l.Rows), seen, l.Finals, l.Study.State)
	}
	if seen == 0 {
		t.Error("nothing was seen while it ran")
	}
}
