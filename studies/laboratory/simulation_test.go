package laboratory_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"sync"
	"testing"

	"sakusen/engines/arena"
	engine "sakusen/engines/laboratory"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/strategies/laboratory/point"
	"sakusen/studies/laboratory"
	"sakusen/tuner/sampler"
	"sakusen/tuner/stats"
	"sakusen/tuner/studyfile"
)

// runs is the number of simulated studies and tests of each kind. The published
// numbers are those of 1 000: go test ./studies/laboratory -run Simulated -studies 1000 -v
var runs = flag.Int("studies", 20, "simulated studies and tests of each kind")

// parallel is how many of them run at the same time.
var parallel = flag.Int("parallel", 2, "studies at the same time")

// number returns the number of runs, five where few cases are enough.
func number() int {
	if suite.Few() {
		return min(*runs, 5)
	}
	return *runs
}

// tolerance returns how far a share of n may lie from its chance p in 99 of 100 cases.
func tolerance(p float64, n int) float64 { return 2.6 * math.Sqrt(p*(1-p)/float64(n)) }

// each runs n jobs, some at the same time.
func each(n int, job func(i int)) {
	var group sync.WaitGroup
	slots := make(chan struct{}, max(1, *parallel))
	for i := range n {
		slots <- struct{}{}
		group.Add(1)
		go func() {
			defer func() { <-slots; group.Done() }()
			job(i)
		}()
	}
	group.Wait()
}

// studies runs the study file n times with seeds of its own.
func studies(t *testing.T, n int, file func(seed int) string) []laboratory.Outcome {
	t.Helper()
	out := make([]laboratory.Outcome, n)
	errs := make([]error, n)
	each(n, func(i int) {
		spec, err := studyfile.Read("simulated", []byte(file(i+1)), strategies.Catalogue(), sampler.Kinds{})
		if err == nil {
			out[i], err = laboratory.Study(context.Background(), spec)
		}
		errs[i] = err
	})
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// summary counts what a simulation promises.
func summary(t *testing.T, name string, out []laboratory.Outcome) (passed, covered, half float64) {
	t.Helper()
	gain, games := 0.0, 0.0
	for _, o := range out {
		gain += o.Truth
		games += float64(o.Games)
		if o.Verdict == "pass" {
			passed++
		}
		// The baseline itself has no interval, and needs none.
		if o.CI == nil || o.CI[0] <= o.Truth && o.Truth <= o.CI[1] {
			covered++
		}
		if o.CI != nil {
			half = math.Max(half, (o.CI[1]-o.CI[0])/2)
		}
	}
	n := float64(len(out))
	t.Logf("%s: %d studies of %.0f games: true gain %.1f Elo, exported %.3f, truth inside the interval %.3f, widest half-width %.1f Elo",
		name, len(out), games/n, gain/n, passed/n, covered/n, half)
	return passed / n, covered / n, half
}

// A study of a landscape without any gain exports something in at most alpha of
// all runs, whatever was searched, and its intervals hold the truth. The bounds
// lie so far apart that the few games reach them: with the usual [0, 10] no study
// of 1 000 exported anything.
func TestSimulatedNoGain(t *testing.T) {
	for _, c := range []struct{ name, rules, rest string }{
		{"pairs", "", ""},
		{"pairs with draws, seats, common blocks, luck of blocks",
			", {name: draw_rate, value: 0.5}, {name: seat_elo, value: 80}, {name: correlation, value: 0.6}, {name: noise, value: 60}",
			"sampler: {name: quasi}\n"},
		{"four seats", ", {name: players, value: 4}", "sampler: {name: quasi}\n"},
	} {
		out := studies(t, number(), func(seed int) string {
			return fmt.Sprintf("version: 1\nname: no-gain-%d\ngame: laboratory\nrules: [{name: headroom, value: 0}, {name: dimensions, value: 2}%s]\n"+
				"tune: {strategy: point}\nbaseline: point\nbudget: {games: 3000}\nvalidation: {gain_elo: [0, 60]}\n%s", seed, c.rules, c.rest)
		})
		passed, covered, _ := summary(t, c.name, out)
		const alpha = 0.025
		if passed > alpha+tolerance(alpha, len(out)) {
			t.Errorf("%s: %.3f of studies export nothing for a gain, alpha is %v", c.name, passed, alpha)
		}
		if least := 0.93 - slack(len(out)); covered < least {
			t.Errorf("%s: the truth is inside %.3f of the intervals, expected %.3f", c.name, covered, least)
		}
	}
}

// slack returns what chance may take from a promised share in few runs.
func slack(n int) float64 {
	if n >= 1000 {
		return 0
	}
	return tolerance(0.95, n)
}

// A planted gain of 30 Elo is exported in at least 90 % of studies of 20 000
// games; where the validation plays all of its blocks (plan: fixed), its interval
// is at most 15 Elo to each side. The plan that stops early exports as often and
// knows the gain less exactly.
func TestSimulatedPower(t *testing.T) {
	suite.All(t)
	for _, c := range []struct {
		dimensions int
		plan       string
	}{{1, "group"}, {4, "group"}, {1, "fixed"}, {4, "fixed"}} {
		dimensions := c.dimensions
		out := studies(t, max(10, number()/2), func(seed int) string {
			return fmt.Sprintf("version: 1\nname: planted-%d\ngame: laboratory\nrules: [{name: headroom, value: 30}, {name: dimensions, value: %d}, {name: landscape_seed, value: %d}]\n"+
				"tune: {strategy: point}\nbaseline: point\nsampler: {seed: %d}\nbudget: {trials: 100000, games: 20000}\nvalidation: {plan: %s}\n", seed, dimensions, seed, seed, c.plan)
		})
		passed, covered, half := summary(t, fmt.Sprintf("+30 Elo, %d parameters, plan %s", dimensions, c.plan), out)
		if least := 0.9 - tolerance(0.9, len(out)); passed < least {
			t.Errorf("%d parameters: exported %.3f, expected at least %.3f", dimensions, passed, least)
		}
		if least := 0.93 - slack(len(out)); covered < least {
			t.Errorf("%d parameters: the truth is inside %.3f of the intervals, expected %.3f", dimensions, covered, least)
		}
		if c.plan == "fixed" && half > 15 {
			t.Errorf("%d parameters: a validated half-width of %.1f Elo", dimensions, half)
		}
	}
}

// A sequential test of games, played block by block, errs at most as often as it
// says, in pairs and with more seats.
func TestSimulatedSequentialTests(t *testing.T) {
	for _, c := range []struct {
		name  string
		rules []string
		elo   [2]float64
	}{
		{"pairs", nil, [2]float64{0, 30}},
		{"pairs with draws and seats", []string{"draw_rate", "0.6", "seat_elo", "100"}, [2]float64{0, 30}},
		{"pairs with luck of blocks", []string{"noise", "200"}, [2]float64{0, 30}},
		{"four seats", []string{"players", "4"}, [2]float64{0, 40}},
		{"six seats, seats", []string{"players", "6", "seat_elo", "100"}, [2]float64{0, 40}},
	} {
		for i, truth := range c.elo {
			rules, candidate := planted(t, truth, c.rules)
			const alpha, beta = 0.05, 0.05
			n := number()
			verdicts, lengths := make([]stats.Result, n), make([]int64, n)
			each(n, func(run int) {
				verdicts[run], lengths[run] = sequential(t, rules, candidate, uint64(run), stats.Test{
					Hypotheses: stats.Hypotheses{Model: stats.Logistic, Elo0: c.elo[0], Elo1: c.elo[1]},
					Alpha:      alpha, Beta: beta, MinBlocks: stats.FewBlocks, MaxBlocks: 4000,
				})
			})
			wrong, blocks := 0, int64(0)
			for k, v := range verdicts {
				if v.Verdict == [2]stats.Verdict{stats.H1, stats.H0}[i] {
					wrong++
				}
				blocks += lengths[k]
			}
			share := float64(wrong) / float64(n)
			t.Logf("%s, truth %v: wrong verdict in %.3f of %d tests, %.0f blocks on average", c.name, truth, share, n, float64(blocks)/float64(n))
			if share > alpha+tolerance(alpha, n) {
				t.Errorf("%s, truth %v: wrong verdict in %.3f of tests", c.name, truth, share)
			}
		}
	}
}

// planted finds a point of a given true Elo, between the default parameters and
// the top.
func planted(t *testing.T, elo float64, pairs []string) (*arena.Ruleset, arena.Entrant) {
	t.Helper()
	given := param.Values{{Name: "dimensions", Text: "1"}, {Name: "headroom", Text: "200"}}
	if elo == 0 {
		given[1].Text = "0" // everything is level, and another point is another player
	}
	for i := 0; i < len(pairs); i += 2 {
		given = append(given, param.Value{Name: pairs[i], Text: pairs[i+1]})
	}
	game, err := strategies.Catalogue().Game("laboratory")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(given)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	open, err := engine.Open(given)
	if err != nil {
		t.Fatal(err)
	}
	low, high := 0.5, open.Top().X[0]
	var at arena.Entrant
	for range 60 {
		middle := (low + high) / 2
		if elo == 0 {
			middle = high
		}
		if at, err = rules.Entrant(fmt.Sprintf("point(x1=%v)", middle)); err != nil {
			t.Fatal(err)
		}
		got, err := point.Elo(given, at.Params)
		if err != nil {
			t.Fatal(err)
		}
		if got < elo {
			low = middle
		} else {
			high = middle
		}
	}
	return rules, at
}

// sequential plays a test to its end, looking every 16 blocks, and tells its
// blocks.
func sequential(t *testing.T, rules *arena.Ruleset, candidate arena.Entrant, seed uint64, test stats.Test) (stats.Result, int64) {
	base, err := rules.Entrant("point")
	if err != nil {
		t.Error(err)
		return stats.Result{}, 0
	}
	s := arena.Series{Ruleset: rules, Seed: seed, Entrants: []arena.Entrant{candidate}}
	for len(s.Entrants) < rules.Seats {
		s.Entrants = append(s.Entrants, base)
	}
	pool := arena.NewPool(1)
	all := arena.NewTally(rules.Seats, len(rules.Components))
	for {
		s.From, s.To = s.To, min(s.To+16, test.MaxBlocks)
		tally, err := pool.Play(context.Background(), s, nil)
		if err == nil {
			err = all.Merge(tally)
		}
		if err != nil {
			t.Error(err)
			return stats.Result{}, 0
		}
		r, err := test.Judge(stats.Rotated(rules.Seats, all.Entrants[0].Scores))
		if err != nil {
			t.Error(err)
			return r, all.Blocks
		}
		if r.Done() {
			return r, all.Blocks
		}
	}
}
