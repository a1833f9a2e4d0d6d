package witness_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/external"
	"sakusen/engines/external/elsewhere"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

// studyFile is a study file and how it is run.
type studyFile struct {
	setup *tuner.Setup
	study.Options
}

// read returns the study of a file, of games that the program knows unless others are given.
func read(t *testing.T, name string, games ...*arena.Game) *studyFile {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	catalogue := arena.Catalogue(games)
	if len(games) == 0 {
		catalogue = strategies.Catalogue()
	}
	setup, err := studyfile.Read(name+".yaml", text, catalogue, sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	return &studyFile{setup: setup, Options: study.Options{Host: arena.NewPool(2)}}
}

// run runs a study, from wherever its log ends, with a sampler of its own.
func (s *studyFile) run(t *testing.T, record tuner.Record) (*tuner.Result, error) {
	t.Helper()
	o := s.Options
	o.Record = record
	var err error
	if o.Proposer, err = (sampler.Kinds{}).New(s.setup.Sampler, s.setup.Tune.Params, s.setup.Tune.Fix); err != nil {
		t.Fatal(err)
	}
	st, err := study.Open(t.Context(), s.setup, o)
	if err != nil {
		t.Fatal(err)
	}
	return st.Run(t.Context())
}

// whole runs a study to its end.
func (s *studyFile) whole(t *testing.T) (*store.Memory, *tuner.Result) {
	t.Helper()
	record := store.NewMemory()
	r, err := s.run(t, record)
	if err != nil {
		t.Fatal(err)
	}
	return record, r
}

// ways are the studies that are not simply run from their beginning to their end.
var ways = map[string]func(t *testing.T, name string) (*store.Memory, *tuner.Result){
	"interrupted": interrupted, "begun": begun, "grown": grown, "elsewhere": told, "engine": engine,
}

// play runs the study of a file to its end.
func play(t *testing.T, name string) (*store.Memory, *tuner.Result) {
	if way := ways[name]; way != nil {
		return way(t, name)
	}
	return read(t, name).whole(t)
}

var errInterrupted = errors.New("interrupted")

// fragile is a record that fails once it has so many entries of a kind.
type fragile struct {
	*store.Memory
	kind entry.Kind
	left int
}

func (f *fragile) Append(ctx context.Context, e entry.Entry, change func(tuner.Trials) error) error {
	if f.left == 0 {
		return errInterrupted
	}
	if err := f.Memory.Append(ctx, e, change); err != nil {
		return err
	}
	if e.Kind == f.kind {
		f.left--
	}
	return nil
}

// interrupted ends a study after rung entry 37 and runs it again.
func interrupted(t *testing.T, name string) (*store.Memory, *tuner.Result) {
	s, record := read(t, name), store.NewMemory()
	if _, err := s.run(t, &fragile{record, entry.KindRung, 37}); !errors.Is(err, errInterrupted) {
		t.Fatalf("it is not interrupted: %v", err)
	}
	r, err := s.run(t, record)
	if err != nil {
		t.Fatal(err)
	}
	return record, r
}

// begun runs a study that begins with the games of another one.
func begun(t *testing.T, name string) (*store.Memory, *tuner.Result) {
	s := read(t, name)
	from := read(t, s.setup.BeginFrom)
	record, _ := from.whole(t)
	s.Begun = func(ctx context.Context) (*entry.Begun, error) {
		search, err := study.ReadSearch(ctx, from.setup, record.Log(), true)
		if err != nil {
			return nil, err
		}
		return search.Begun(s.setup), nil
	}
	return s.whole(t)
}

// grown runs a study to its verdict, and on with twice the games to another one.
func grown(t *testing.T, name string) (*store.Memory, *tuner.Result) {
	s := read(t, name)
	record, _ := s.whole(t)
	before := entry.Spent{Trials: s.setup.Budget.Trials, Games: s.setup.Budget.Games}
	after := entry.Spent{Trials: 2 * before.Trials, Games: 2 * before.Games}
	payload, err := json.Marshal(entry.Grow{From: before, To: after})
	if err == nil {
		err = record.Append(t.Context(), entry.Entry{Kind: entry.KindGrow, Payload: payload}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.setup.Budget.Trials, s.setup.Budget.Games = after.Trials, after.Games
	r, err := s.run(t, record)
	if err != nil {
		t.Fatal(err)
	}
	return record, r
}

// engine runs a study of a program that is asked in JSON Lines.
func engine(t *testing.T, name string) (*store.Memory, *tuner.Result) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("its program needs /bin/sh")
	}
	script, err := filepath.Abs("testdata/bot.sh")
	if err != nil {
		t.Fatal(err)
	}
	engines, err := external.Open([]external.Entry{{Name: "bot", Protocol: external.JSONLines, Command: []string{"/bin/sh", script}, Files: []string{script}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engines.Close)
	record, r := read(t, name, engines.External()).whole(t)
	if r.Class != "" {
		t.Errorf("the class is %s, as %s", r.Class, r.Why)
	}
	return record, r
}

// blocks is a cache in memory of whole runs.
type blocks map[string][]*arena.Run

func keyOf(key tuner.BlockKey) string { return fmt.Sprint(key) }

// Load implements tuner.Blocks.
func (b blocks) Load(_ context.Context, key tuner.BlockKey, from, to int64) iter.Seq2[*arena.Run, error] {
	runs := b[keyOf(key)]
	return func(yield func(*arena.Run, error) bool) {
		for at := from; at < to; at++ {
			for _, run := range runs {
				if run.From == at && !yield(run, nil) {
					return
				}
			}
		}
	}
}

// Save implements tuner.Blocks. It keeps each block as a run.
func (b blocks) Save(_ context.Context, key tuner.BlockKey, run *arena.Run) error {
	for i := range run.Blocks {
		from := run.From + int64(i)
		one := arena.NewRun(run.Seats, run.Components, run.Rotations, from, 1)
		one.Join(run.Slice(from, from+1))
		b[keyOf(key)] = append(b[keyOf(key)], one)
	}
	return nil
}

// told runs a study whose games are played elsewhere: whenever results are missing,
// they are told, and the study goes on from its log.
func told(t *testing.T, name string) (*store.Memory, *tuner.Result) {
	s, record, cache := read(t, name), store.NewMemory(), blocks{}
	for range 10_000 {
		awaited := &tuner.Awaited{}
		s.Host, s.Blocks = awaited, cache
		r, err := s.run(t, record)
		if err == nil {
			return record, r
		}
		if !errors.Is(err, tuner.ErrAwaited) {
			t.Fatal(err)
		}
		for _, series := range awaited.Missing() {
			tell(t, s.setup, series, cache)
		}
	}
	t.Fatal("the study does not end")
	return nil, nil
}

// tell plays a series elsewhere and tells its results to the cache.
func tell(t *testing.T, setup *tuner.Setup, series arena.Series, cache blocks) {
	skill := func(e arena.Entrant) float64 {
		var x [2]float64
		for i, name := range []string{"aim", "depth"} {
			text, _ := e.Params.Get(name)
			x[i], _ = strconv.ParseFloat(text, 64)
		}
		return -(x[0]-0.7)*(x[0]-0.7) - (x[1]-7)*(x[1]-7)/100
	}
	ahead := skill(series.Entrants[0]) - skill(series.Entrants[1])
	game, err := setup.Declaration().Game(func(block int64, rotation int) (*elsewhere.Answer, bool) {
		won := rand.New(rand.NewPCG(series.Seed, uint64(block))).Float64() < .5+ahead
		ranks := []int{1, 2}
		if won == (rotation == 1) {
			ranks = []int{2, 1}
		}
		return &elsewhere.Answer{Ranks: ranks, Errors: make([]bool, 2)}, true
	})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := game.OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	played := series
	played.Ruleset, played.Entrants = rules, nil
	for _, e := range series.Entrants {
		again, err := rules.Entrant(e.Canonical())
		if err != nil {
			t.Fatal(err)
		}
		played.Entrants = append(played.Entrants, again)
	}
	host := &tuner.CachedHost{Host: arena.NewPool(1), Blocks: cache}
	if _, err := host.Play(t.Context(), played, nil); err != nil {
		t.Fatal(err)
	}
}
