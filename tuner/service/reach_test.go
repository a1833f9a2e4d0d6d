package service_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"sakusen/strategies"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
)

// What a list says that a study can reach is what ends it first: its trials, its
// games, or the members of its space, of which conditions leave fewer.
func TestReachableTrials(t *testing.T) {
	const file = `version: 1
name: %s
game: battleship
tune: {strategy: mp, params: [%s]}
baseline: MP50
validation: {max_blocks: 100}
%s
`
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	must(t, err)
	defer db.Close()
	s, err := service.Open(t.Context(), db, service.Options{Catalogue: strategies.Catalogue()})
	must(t, err)
	for i, c := range []struct {
		params, more string
		want         int
	}{
		{"{name: start_squares, low: 10, high: 70}", "budget: {games: 400000}", 8},
		{"{name: place.kind, choices: [random, packed]}, {name: place.height, low: 2, high: 4}", "budget: {games: 400000}", 4},
		{"{name: start_squares, low: 10, high: 70}", "sampler: {name: uniform}\nbudget: {trials: 3, games: 400000}", 3},
		{"{name: start_squares, low: 10, high: 70}", "sampler: {name: uniform}\nrace: {rungs: [1000], method: none}\nfinal: {top: 1}\nbudget: {trials: 64, games: 8226}", 4},
		{"{name: start_squares, low: 10, high: 70}", "pool: [MP60]\nsampler: {name: uniform}\nrace: {rungs: [1000], method: none}\nfinal: {top: 1}\nbudget: {trials: 64, games: 20000}", 4},
	} {
		name := fmt.Sprintf("s%d", i)
		text := fmt.Appendf(nil, file, name, c.params, c.more)
		setup, err := studyfile.Read("x.yaml", text, strategies.Catalogue(), sampler.Kinds{})
		must(t, err)
		_, err = s.Studies().Files.Submit(t.Context(), service.Submission{Spec: string(text)})
		must(t, err)
		d, err := s.Studies().Show(t.Context(), name)
		must(t, err)
		if got := service.MostTrials(setup, sampler.Kinds{}); d.MaxTrials != c.want || got != c.want {
			t.Errorf("%s %s: the list says %d, the file %d, expected %d", c.params, c.more, d.MaxTrials, got, c.want)
		}
	}
}

// A list has the verdict of a study that was interrupted in the games behind it, and none of one that
// goes on searching.
func TestFallenVerdictIsListed(t *testing.T) {
	for _, verdict := range []string{"pass", ""} {
		db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
		must(t, err)
		defer db.Close()
		s, err := service.Open(t.Context(), db, service.Options{Catalogue: strategies.Catalogue()})
		must(t, err)
		_, err = s.Studies().Files.Submit(t.Context(), service.Submission{Spec: "version: 1\nname: s\ngame: battleship\ntune: {strategy: mp, params: [{name: start_squares, low: 10, high: 70}]}\nbaseline: MP50\nvalidation: {max_blocks: 100}\nbudget: {games: 400000}\n"})
		must(t, err)
		st, err := store.New(t.Context(), db)
		must(t, err)
		log, err := st.Studies.Open(t.Context(), "s")
		must(t, err)
		must(t, log.Append(t.Context(), entry.Entry{Kind: entry.KindValidation, Payload: []byte(`{"trial":3,"verdict":"pass"}`)}, nil))
		last := entry.KindEstimate
		if verdict == "" { // it goes on behind that verdict
			last = entry.KindGrow
		}
		must(t, log.Append(t.Context(), entry.Entry{Kind: last, Payload: []byte(`{}`)}, nil))
		list, err := s.Studies().List(t.Context(), store.Filter{Limit: 9})
		must(t, err)
		if b := list[0].Best; verdict != "" && (b == nil || b.Verdict != verdict || b.Trial != 3 || b.Value != nil) || verdict == "" && b != nil {
			t.Errorf("%q: %+v", verdict, b)
		}
	}
}
