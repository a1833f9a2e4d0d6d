package service_test

import (
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
)

// A study that a sampler of the user's own has searched can be begun with, and what is said
// of how far it can reach is by that sampler.
func TestBeginFromOwnSampler(t *testing.T) {
	kinds := sampler.Kinds{Own: []sampler.Own{{Name: "own", New: func(s tuner.SamplerSpec, space tuner.Space, fixed param.Values) (tuner.Proposer, error) {
		return sampler.Kinds{}.New(tuner.SamplerSpec{Name: "surface", Seed: s.Seed, Batch: s.Batch}, space, fixed)
	}}}}
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	must(t, err)
	defer db.Close()
	s, err := service.Open(t.Context(), db, service.Options{Catalogue: strategies.Catalogue(), Pool: arena.NewPool(1), Samplers: kinds})
	must(t, err)
	tune := func(text string) (*tuner.Setup, *tuner.Result) {
		setup, err := studyfile.Read("x.yaml", []byte(text), strategies.Catalogue(), kinds)
		must(t, err)
		signatures, err := setup.Ruleset.Signatures(t.Context(), setup.Strategies()...)
		must(t, err)
		r, err := s.Studies().Tune(t.Context(), service.StudyFile{Setup: setup, Signatures: signatures}, arena.NewPool(2), nil, nil)
		must(t, err)
		return setup, r
	}
	text := strings.Replace(hills, "budget: {games: 4000}", "budget: {trials: 24, games: 4000}", 1)
	tune(text + "sampler: {name: own}\n")
	next := strings.Replace(text, "name: first", "name: next", 1)
	if _, r := tune(next + "sampler: {name: tpe}\nbegin_from: first\n"); r.Begun == nil || r.Begun.Points == 0 {
		t.Errorf("it begins with %+v", r.Begun)
	}
	waits := strings.NewReplacer("name: first", "name: waits", "trials: 24", "trials: 1000").Replace(text) + "sampler: {name: own}\n"
	setup, err := studyfile.Read("x.yaml", []byte(waits), strategies.Catalogue(), kinds)
	must(t, err)
	_, err = s.Studies().Files.Submit(t.Context(), service.Submission{Spec: waits})
	must(t, err)
	d, err := s.Studies().Show(t.Context(), "waits")
	must(t, err)
	if want, other := service.MostTrials(setup, kinds), service.MostTrials(setup, sampler.Kinds{}); d.MaxTrials != want || want == other {
		t.Errorf("it can reach %d trials, want %d; without its sampler %d", d.MaxTrials, want, other)
	}
}
