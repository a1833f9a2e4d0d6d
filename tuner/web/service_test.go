package web_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sakusen/bench/ledger"
	"sakusen/tuner/contest"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// firstFile is the file of study 7, of two batches of four trials.
const firstFile = `version: 1
name: first
game: dice
tune: {strategy: loaded, params: [{name: x}]}
baseline: loaded
sampler: {name: uniform, batch: 4}
race: {rungs: [2, 8], keep: 0.5}
budget: {trials: 8, games: 100000}
final: {top: 2, blocks: 20}
validation: {gain_elo: [0, 30], max_blocks: 100}
`

// cupFile is the file of tournament 7.
const cupFile = `version: 1
name: cup
game: dice
entrants: [loaded, "loaded(x=0.9)"]
format: round_robin
selfplay: false
blocks: 20
seed: 1
`

// testService is a service of a database that holds study 7, tournament 7 and run 8 of
// an experiment, all of which stand as running. Nothing is run unless a test does.
type testService struct {
	*service.Service
	db *sqlitedb.DB
}

// newTestService makes one with a study of eight trials.
func newTestService(t testing.TB) *testService {
	s := emptyTestService(t)
	s.log(t, "first", testLog())
	return s
}

// emptyTestService makes one whose study has no trial yet.
func emptyTestService(t testing.TB) *testService {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "secret")
	must(t, os.Mkdir(folder, 0o700))
	db, err := sqlitedb.Open(t.Context(), filepath.Join(folder, "x.db"), sqlitedb.Options{})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	served, err := service.Open(t.Context(), db, service.Options{
		Catalogue: arena.Catalogue{diceGame()}, Experiments: tables, Pool: arena.NewPool(1),
		Settings: service.Settings{Workers: 1, BaselineBranch: "main", Commit: "test"},
	})
	must(t, err)
	s := &testService{served, db}
	must(t, db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO sqlite_sequence (name, seq) VALUES ('sakusen_studies', 6), ('jobs', 6)")
		return err
	}))
	s.study(t, "first", tuner.Running)
	job := func(id int, err error, partial any) {
		must(t, err)
		text, err := json.Marshal(partial)
		must(t, err)
		must(t, s.Store().Jobs.SetState(t.Context(), id, tuner.Running, ""))
		must(t, s.Store().Jobs.SetProgress(t.Context(), id, 0, 0, 0, text))
	}
	cup, _, err := s.Tournaments().Submit(t.Context(), service.TournamentRequest{File: cupFile}, 0, false)
	number := func(v float64) stats.Number { return stats.Number{Value: v, Defined: true} }
	job(cup, err, contest.TournamentReport{
		Name: "cup", Game: "dice", Format: "round_robin", Entrants: []contest.TournamentEntrant{{Name: "<a>", Strategy: "loaded", Score: number(1)}},
		Table: [][]stats.Number{{{}}},
	})
	run, _, err := s.Experiments().Submit(t.Context(), service.ExperimentRequest{Name: "table"}, 0, false)
	yes, no := true, false
	job(run, err, experiment.Report{Name: "table", Rows: []experiment.Row{
		{Label: "<turn> 1", Metric: "log10", Agrees: &yes, Printed: experiment.Number(number(2)), Measured: experiment.Number(number(2))},
		{Label: "turn 2", Metric: "log10", Agrees: &no, Measured: experiment.Number(number(2))},
	}})
	if cup != 7 || run != 8 {
		t.Fatalf("tournament %d and run %d", cup, run)
	}
	return s
}

// study queues the first study under a name and moves it to a state.
func (s *testService) study(t testing.TB, name string, state tuner.State) {
	t.Helper()
	_, err := s.Studies().Files.Submit(t.Context(), service.Submission{Spec: strings.Replace(firstFile, "name: first", "name: "+name, 1)})
	must(t, err)
	must(t, s.open(t, name).SetState(t.Context(), state, ""))
}

func (s *testService) open(t testing.TB, name string) *store.Log {
	t.Helper()
	l, err := s.Store().Studies.Open(t.Context(), name)
	must(t, err)
	return l
}

// worker is a host whose games are played by the worker w.
type worker struct{ arena.Host }

func (w worker) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	return w.Host.Play(ctx, s, func(r *arena.Run) error {
		r.Worker = "w"
		return observe(r)
	})
}

// play lets the worker w run a study or a job from its place in the queue to its
// end.
func (s *testService) play(t testing.TB, key daemon.Key) {
	t.Helper()
	must(t, s.Run(t.Context(), key, worker{arena.NewPool(1)}, func(tuner.Progress) {}))
}

// bench records three runs of a benchmark.
func (s *testService) bench(t testing.TB) {
	t.Helper()
	b, err := s.Benchmarks(t.Context())
	must(t, err)
	for i := range 3 {
		run := service.BenchRun{Name: "b", Text: fmt.Sprintf(benchText, i), Origin: ledger.Origin{Commit: fmt.Sprint(i), Branch: "main"}}
		if i == 2 {
			run.Against = "1"
			run.Causes = []bench.Cause{{Pkg: "a", Name: "B/c", Kind: bench.CauseTime, Files: [2]string{"old.cpu.pprof", "new.cpu.pprof"},
				Functions: []bench.FunctionPart{{Function: "a.<b>slow</b>", Old: .25, New: .75}}}}
		}
		_, err := b.Record(t.Context(), []service.BenchRun{run}, []string{"", "old", ""}[i])
		must(t, err)
	}
}

// benchText is a run of a benchmark in package a, with a digit left open.
const benchText = "pkg: a\nBenchmarkB/c 10 5.%d ns/op\n"

// tables lists the one experiment that can be run.
func tables() ([]experiment.Experiment, error) {
	seed := uint64(1)
	return []experiment.Experiment{{Name: "table", Doc: "A <table>.", Source: "A paper", Games: 100, Seed: &seed,
		Run: func(context.Context, experiment.Options, func(experiment.Row)) error { return nil }}}, nil
}

// diceGame returns a game of nothing but chance: the higher throw wins.
func diceGame() *arena.Game {
	return arena.Enter(arena.Definition[dice, thrower]{
		Name: "dice", Doc: "The highest throw wins.", Source: "ours", FreshChance: true,
		Declare:    func(r *dice, f *param.Fields) { f.Int(&r.sides, "sides", 6, param.Range(2, 20), "of each die") },
		Seats:      func(*dice) int { return 2 },
		Components: []string{"pips"},
		Metrics:    []arena.Metric{{Name: "pips", Doc: "pips thrown, pips", Of: "pips"}},
		Referee:    func(r *dice) (arena.Referee[thrower], error) { return r, nil },
	}, arena.Strategy[dice, thrower]{Name: "loaded", Doc: "Throws a die that may be loaded.", Source: "ours",
		New: func(f *param.Fields, r *dice) arena.Maker[thrower] {
			c := new(loaded)
			c.Declare(f, r)
			return func() (thrower, error) { return c.Player(r) }
		}})
}

type dice struct{ sides int }

// Play implements arena.Referee.
func (r *dice) Play(fx *arena.Fixture, players []thrower, out *arena.Outcome) error {
	best, sums := 0, make([]int, len(players))
	for seat, p := range players {
		chance := fx.Stream(seat, 0)
		sums[seat] = p.throw(r.sides, &chance)
		best = max(best, sums[seat])
		out.Count(seat, 0, int64(sums[seat]))
		out.Transcript.Add(uint64(sums[seat]))
	}
	out.Share(func(seat int) bool { return sums[seat] == best })
	return nil
}

type thrower interface {
	throw(sides int, chance *arena.Stream) int
}

// loaded throws its highest number with probability x.
type loaded struct {
	x    float64
	kind string
}

func (c *loaded) Declare(f *param.Fields, _ *dice) {
	f.Float(&c.x, "x", 0.5, param.Grid(0, 1, 0.1), "how often the die shows its highest number")
	f.Choice(&c.kind, "kind", "a", []string{"a", "b"}, "of no effect")
}

func (c *loaded) Player(*dice) (thrower, error) { return c, nil }

func (c *loaded) throw(sides int, chance *arena.Stream) int {
	if chance.Float64() < c.x {
		return sides
	}
	return 1 + chance.IntN(sides)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// only returns the error of what returns a state as well.
func only(_ tuner.State, err error) error { return err }
