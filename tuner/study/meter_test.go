package study_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/study"
)

// The time left is that of the games left of the budget at the speed so far.
func TestTimeLeft(t *testing.T) {
	s := read(t, fmt.Sprintf(flat, .5, 3, ""))
	p, err := sampler.Kinds{}.New(s.Sampler, s.Tune.Params, s.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	told, least := 0, int64(100000)
	progress := func(p tuner.Progress) {
		if p.PerSecond == 0 {
			if p.Left != 0 {
				t.Errorf("nothing is played and %v are left", p.Left)
			}
			return
		}
		told++
		left := float64(max(0, p.MaxGames-p.Games))
		if p.Expected != 0 && (p.Expected < p.Games || p.Expected > p.MaxGames) {
			t.Errorf("%d games are expected, %d of %d played", p.Expected, p.Games, p.MaxGames)
		}
		least = min(least, max(p.Expected, 1))
		if p.MaxGames != 100000 || math.Abs(p.Left.Seconds()*p.PerSecond-left) > 1e-6*left+2e-9*p.PerSecond {
			t.Errorf("%d of %d games at %g games/s: %v left", p.Games, p.MaxGames, p.PerSecond, p.Left)
		}
	}
	st, err := study.Open(context.Background(), s, study.Options{Host: arena.NewPool(2), Proposer: p, Record: newMemory(), Progress: progress})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if least != 1 && least > 50000 { // the trials end it
		t.Errorf("at least %d of 100000 games are expected", least)
	}
	if told == 0 {
		t.Error("nothing was told")
	}
}

// A search of a model ends with its games, however few parameter sets there are, unless its
// trials end it before.
func TestGamesOfAModelAreExpected(t *testing.T) {
	small := strings.Replace(least, "climber}", "climber, params: [{name: n}, {name: kind}]}", 1)
	for budget, wholly := range map[string]bool{
		"budget: {games: 2000}\n": true, "budget: {trials: 4, games: 100000}\nsampler: {name: surface, batch: 2}\nrace: {method: none, rungs: [2]}\n": false,
	} {
		s := read(t, small+budget)
		p, err := sampler.Kinds{}.New(s.Sampler, s.Tune.Params, s.Tune.Fix)
		if err != nil {
			t.Fatal(err)
		}
		most, ends, search := int64(0), int64(0), int64(0) // expected while the search goes on; its games, as expected and played
		st, err := study.Open(t.Context(), s, study.Options{Host: arena.NewPool(2), Proposer: p, Record: newMemory(), Progress: func(p tuner.Progress) {
			if p.Phase == "tune" {
				most = max(most, p.Expected)
				ends = p.Expected - p.Proof
			}
			if p.Phase != "tune" && search == 0 {
				search = p.Games
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := most == s.Budget.Games; got != wholly {
			t.Errorf("%s: at most %d games of %d are expected", budget, most, s.Budget.Games)
		}
		if off := ends - search; wholly && max(off, -off) > s.Budget.Games/50 {
			t.Errorf("%s: the search is expected to end with game %d, and ends with %d", budget, ends, search)
		}
	}
}

// The part of a study that is done never falls, whatever is played behind the verdict: the games after a
// pass are expected before it.
func TestShareNeverFalls(t *testing.T) {
	s := read(t, strings.Replace(least, "climber}", "climber, params: [{name: n}, {name: kind}]}", 1)+"budget: {trials: 24, games: 20000}\nsampler: {name: uniform, batch: 4}\nrace: {rungs: [8, 32]}\nfinal: {top: 2, blocks: 40}\nvalidation: {max_blocks: 800}\n")
	p, err := sampler.Kinds{}.New(s.Sampler, s.Tune.Params, s.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	share, phases := 0.0, map[string]float64{}
	st, err := study.Open(t.Context(), s, study.Options{Host: arena.NewPool(2), Proposer: p, Record: newMemory(), Progress: func(p tuner.Progress) {
		if p.Expected == 0 {
			return
		}
		now := float64(p.Games) / float64(p.Expected)
		if now < share-0.01 || now > 1 {
			t.Errorf("%s: %.3f of the games after %.3f: %d of %d", p.Phase, now, share, p.Games, p.Expected)
		}
		if share = now; phases[p.Phase] == 0 {
			phases[p.Phase] = now
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := st.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.Validation == nil || r.Validation.Verdict != "pass" || phases["estimate"] == 0 {
		t.Fatalf("it does not pass: %+v, %v", r.Validation, phases)
	}
}

// A study that goes on expects as many games as one that was not interrupted, and does not prove again
// what is decided.
func TestResumedForecast(t *testing.T) {
	s := read(t, strings.Replace(least, "climber}", "climber, params: [{name: n}, {name: kind}]}", 1)+"budget: {trials: 24, games: 20000}\nsampler: {name: uniform, batch: 4}\nrace: {rungs: [8, 32]}\nfinal: {top: 2, blocks: 40}\nvalidation: {max_blocks: 800}\n")
	record := newMemory()
	first := map[string][2]int64{} // games, and those expected, when a phase was first told
	run := func(until string) (phases []string) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		p, err := sampler.Kinds{}.New(s.Sampler, s.Tune.Params, s.Tune.Fix)
		if err != nil {
			t.Fatal(err)
		}
		st, err := study.Open(ctx, s, study.Options{Host: arena.NewPool(2), Proposer: p, Record: record, Progress: func(p tuner.Progress) {
			if len(phases) == 0 || phases[len(phases)-1] != p.Phase {
				phases = append(phases, p.Phase)
				now := [2]int64{p.Games, p.Expected}
				if was, ok := first[p.Phase]; ok && p.Phase != "tune" && was != now {
					t.Errorf("%s: %d of %d games are told where it were %d of %d", p.Phase, now[0], now[1], was[0], was[1])
				}
				first[p.Phase] = now
			}
			if p.Phase == until {
				stop()
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.Run(ctx); err == nil != (until == "") {
			t.Fatalf("until %q: %v", until, err)
		}
		return phases
	}
	for _, until := range []string{"validation", "estimate", ""} {
		run(until)
	}
	record.entries = record.entries[:len(record.entries)-1] // as it was before the estimate
	if phases := run(""); slices.Contains(phases, "validation") {
		t.Errorf("what was decided is proved again: %v", phases)
	}
}
