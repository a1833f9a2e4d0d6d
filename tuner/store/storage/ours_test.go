package storage

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
)

// racedStudy has a race that stops some of its trials.
const racedStudy = `version: 1
name: raced
game: laboratory
rules:
  - {name: dimensions, value: 2}
tune: {strategy: point}
baseline: point
sampler: {name: quasi, seed: 3}
race: {rungs: [8, 24], keep: 0.5}
final: {top: 1, blocks: 20}
validation: {max_blocks: 40}
budget: {trials: 12, games: 400}
`

// racedDatabase is a database that holds the study, run to its end.
func racedDatabase(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raced.db")
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := store.New(t.Context(), db, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	setup, err := studyfile.Read("raced.yaml", []byte(racedStudy), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	log, err := s.CreateStudy(t.Context(), store.Header{Name: setup.Name, Direction: goptuna.StudyDirectionMaximize, Game: "laboratory", Spec: "{}"})
	if err != nil {
		t.Fatal(err)
	}
	proposer, err := sampler.Kinds{}.New(setup.Sampler, setup.Tune.Params, setup.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	study, err := tuner.Open(t.Context(), setup, tuner.Options{Host: arena.NewPool(2), Proposer: proposer, Record: log})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := study.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return path
}

// A study of Sakusen's is read by goptuna, and refuses to be written; a study of
// one's own is kept beside it.
func TestStudiesOfSakusen(t *testing.T) {
	s := openAt(t, racedDatabase(t))
	study, err := goptuna.LoadStudy("raced", goptuna.StudyOptionStorage(s))
	if err != nil {
		t.Fatal(err)
	}
	trials, err := study.GetTrials()
	if err != nil || len(trials) == 0 {
		t.Fatalf("%d trials, %v", len(trials), err)
	}
	complete := 0
	for i, x := range trials {
		if x.Number != i || !x.State.IsFinished() || len(x.Params) == 0 || len(x.IntermediateValues) == 0 {
			t.Errorf("trial %d: %+v", i, x)
		}
		if x.State == goptuna.TrialStateComplete {
			complete++
		}
	}
	value, err := study.GetBestValue()
	params, err2 := study.GetBestParams()
	if err := errors.Join(err, err2); err != nil || len(params) == 0 {
		t.Fatalf("best %v at %v, %v", value, params, err)
	}
	for _, x := range trials {
		if x.State == goptuna.TrialStateComplete && x.Value > value {
			t.Errorf("trial %d has %v, more than the best, %v", x.Number, x.Value, value)
		}
	}
	if complete == 0 || complete == len(trials) {
		t.Errorf("%d of %d trials are complete; a race stops some", complete, len(trials))
	}
	_, err = s.CreateNewTrial(study.ID)
	_, err2 = s.CloneTrial(study.ID, trials[0])
	for i, err := range []error{err, err2, s.SetTrialUserAttr(trials[0].ID, "k", "v"), s.SetTrialValue(trials[0].ID, 1), s.DeleteStudy(study.ID),
		s.SetStudyDirection(study.ID, goptuna.StudyDirectionMinimize)} {
		if !errors.Is(err, ErrHasLog) {
			t.Errorf("%d: %v, want ErrHasLog", i, err)
		}
	}
	if err := s.SetStudyUserAttr(study.ID, "seen", "yes"); err != nil {
		t.Errorf("an attribute of the study: %v", err)
	}
	mine, err := goptuna.CreateStudy("mine", goptuna.StudyOptionStorage(s), goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize))
	if err != nil {
		t.Fatal(err)
	}
	err = mine.Optimize(func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		return x, err
	}, 5)
	if all, err2 := mine.GetTrials(); errors.Join(err, err2) != nil || len(all) != 5 {
		t.Errorf("%d trials, %v, %v", len(all), err, err2)
	}
	compareWithFile(t, s)
}
