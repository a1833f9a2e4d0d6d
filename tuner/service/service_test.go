package service_test

import (
	"context"
	"path/filepath"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store/sqlitedb"
)

// small is a study of some seconds.
const small = `version: 1
name: small
game: battleship
tune:
  strategy: neighbour
  params: [{name: place.kind, choices: [random, packed]}, {name: place.height}, {name: place.width}]
baseline: RNB
sampler: {name: uniform, seed: 3, batch: 4}
race: {rungs: [16, 32]}
budget: {trials: 8, games: 4000}
final: {top: 2, blocks: 50}
validation: {gain_elo: [0, 30], max_blocks: 200}
`

// cup is a tournament of an instant.
const cup = `version: 1
name: cup
game: battleship
entrants: [R, RNB]
format: round_robin
selfplay: false
blocks: 20
seed: 2
`

// figure returns an experiment that plays nothing.
func figure() ([]experiment.Experiment, error) {
	return []experiment.Experiment{{
		Name: "figure", Doc: "A figure.", Source: "A paper",
		Run: func(_ context.Context, _ experiment.Options, add func(experiment.Row)) error {
			add(experiment.Row{Label: "one", Metric: "count"})
			return nil
		},
	}}, nil
}

// open opens a service of a new database.
func open(t testing.TB) *service.Service {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s, err := service.Open(t.Context(), db, service.Options{
		Catalogue: strategies.Catalogue(), Experiments: figure, Pool: arena.NewPool(1),
		Settings: service.Settings{Workers: 1, Commit: "test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// serve works on a service's queue until a study or job is done.
func serve(t testing.TB, s *service.Service, until daemon.Key) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan daemon.Event, 1)
	s.Watch(func(e daemon.Event) {
		if e.Kind == "state" && e.Key == until && (e.State == tuner.Done || e.State == tuner.Failed) {
			ended <- e
		}
	})
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	e := <-ended
	end()
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	if e.State != tuner.Done {
		t.Fatalf("%v is %s: %s", e.Key, e.State, e.Why)
	}
}

// must fails the test on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// only returns the error of what returns a state as well.
func only(_ tuner.State, err error) error { return err }

// refuses fails the test unless an error has a code.
func refuses(t testing.TB, err error, code service.Code) {
	t.Helper()
	if service.CodeOf(err) != code {
		t.Errorf("%v has the code %q, want %q", err, service.CodeOf(err), code)
	}
}
