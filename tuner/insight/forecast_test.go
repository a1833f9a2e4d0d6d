package insight_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

const hill = `version: 1
name: hill
game: laboratory
tune: {strategy: point, params: [{name: x1}, {name: x2}]}
baseline: point
`

func setup(t *testing.T, more string) *tuner.Setup {
	t.Helper()
	s, err := studyfile.Read("hill.yaml", []byte(hill+more), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What a study really plays lies between what is forecast at least and at most,
// whatever its race, and whatever ends its search.
func TestGamesOfStudies(t *testing.T) {
	for name, more := range map[string]string{
		"halving":   "sampler: {name: uniform, batch: 8}\nrace: {rungs: [8, 16], method: halving}\nbudget: {trials: 24, games: 9000}\nfinal: {top: 2, blocks: 100}\nvalidation: {gain_elo: [0, 30], max_blocks: 400}\n",
		"none":      "sampler: {name: quasi, batch: 8}\nrace: {rungs: [16], method: none}\nbudget: {trials: 20, games: 9000}\nfinal: {top: 2, blocks: 100}\nvalidation: {gain_elo: [0, 30], max_blocks: 400}\n",
		"games":     "sampler: {name: quasi, batch: 8}\nrace: {rungs: [8, 16], method: halving}\nbudget: {trials: 2000, games: 3000}\nfinal: {top: 2, blocks: 100}\nvalidation: {gain_elo: [0, 30], max_blocks: 400}\n",
		"surface":   "budget: {games: 6000}\n",
		"incumbent": "sampler: {name: tpe, batch: 8}\nrace: {rungs: [8, 16, 32], method: halving, incumbent: true}\nbudget: {trials: 24, games: 20000}\nfinal: {top: 2, blocks: 100}\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t, more)
			proposer, err := sampler.Kinds{}.New(s.Sampler, s.Tune.Params, s.Tune.Fix)
			if err != nil {
				t.Fatal(err)
			}
			_, answers := proposer.(tuner.Answerer)
			f, err := insight.ForecastOf(s, answers, 1, insight.Known{})
			if err != nil {
				t.Fatal(err)
			}
			var last tuner.Progress
			st, err := study.Open(t.Context(), s, study.Options{
				Host: arena.NewPool(1), Proposer: proposer, Record: store.NewMemory(), Progress: func(p tuner.Progress) { last = p },
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := st.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if slack := f.Games.Most / 20; last.Games > f.Games.Most+slack || last.Games < f.Games.Least-slack {
				t.Errorf("it played %d games; forecast were %d to %d: %+v", last.Games, f.Games.Least, f.Games.Most, f.Games)
			}
			if name == "games" && f.Games.EndedBy != "games" || name == "none" && f.Games.EndedBy != "trials" {
				t.Errorf("the search is said to be ended by %s", f.Games.EndedBy)
			}
		})
	}
}

// The time of a study has that of the blocks that are played again before its verdict.
func TestTimeOfBlocksPlayedAgain(t *testing.T) {
	for more, again := range map[string]float64{
		"budget: {games: 4000}\n": 1.1, "budget: {games: 4000}\nvalidation: {replay: 0}\n": 1, "budget: {games: 100000}\n": 1.01,
	} {
		f, err := insight.ForecastOf(setup(t, more), true, 1, insight.Known{PerSecond: 10})
		if err != nil {
			t.Fatal(err)
		}
		if want := float64(f.Games.Most) / 10 * again; math.Abs(f.Seconds[1]-want) > 0.002*want || !strings.HasPrefix(f.Lines()[0], "Time: about") {
			t.Errorf("%s: %g s, expected %g; %s", more, f.Seconds[1], want, f.Lines()[0])
		}
	}
}

// The gain that is called provable is proved in 8 of 10 cases, and takes more with
// every attempt.
func TestProof(t *testing.T) {
	s := setup(t, "budget: {games: 40000}\nvalidation: {gain_elo: [0, 5], max_blocks: 3000}\n")
	var before float64
	for n := 1; n <= 3; n++ {
		f, err := insight.ForecastOf(s, true, n, insight.Known{SD: 0.3, PerSecond: 1000})
		if err != nil {
			t.Fatal(err)
		}
		p := f.Proof
		at := p.Curve[4] // the gain itself
		if p.Gain == nil || *p.Gain <= before || math.Abs(at.Elo-*p.Gain) > 1e-9 || math.Abs(at.Pass-0.8) > 0.02 {
			t.Errorf("attempt %d: %+v", n, p)
		}
		before = *p.Gain
		if p.Needs <= 3000 || *p.Chance > 0.5 {
			t.Errorf("5 Elo in 3 000 blocks: %+v", p)
		}
		said := strings.Join(f.Lines(), "\n")
		if _, rest, ok := strings.Cut(said, "for 80 it takes about "); !ok || !strings.Contains(strings.Split(rest, " ")[0], "00") {
			t.Errorf("blocks of which two digits are known: %s", said)
		}
		if n > 1 != strings.Contains(said, "stricter") || !strings.Contains(said, "8 of 10 cases") || !strings.Contains(said, "1000 games a second") {
			t.Error(said)
		}
		for _, c := range said {
			if c > 126 {
				t.Errorf("%q is not ASCII", c)
			}
		}
	}
}

// A probe finds the spread that a longer match has, and stores nothing.
func TestProbe(t *testing.T) {
	s := setup(t, "")
	k := insight.Probe(t.Context(), s, arena.NewPool(1), insight.Patience)
	if !(k.PerSecond > 0) || k.Games < 8 || k.SD < 0.2 || k.SD > 0.5 {
		t.Errorf("%+v", k)
	}
}

// Intervals of scores lie in 0 to 1, have a width whatever the blocks were, and
// cover what they should, also after few blocks.
func TestIntervalOfFewBlocks(t *testing.T) {
	c := insight.NewLog(&tuner.Spec{Objective: tuner.Objective{Of: "score"}}, &arena.Ruleset{Seats: 2})
	for _, v := range []struct {
		value, e float64
		blocks   int64
	}{{0.5, 0, 2}, {0, 0, 2}, {1, 0, 8}, {0.25, 0.25, 2}, {0.999, 0.01, 1000}} {
		lo, hi := c.Interval(v.value, v.e, v.blocks)
		if !(lo >= 0 && hi <= 1 && hi-lo > 0.001 && lo <= v.value && v.value <= hi) {
			t.Errorf("%v: %g to %g", v, lo, hi)
		}
	}
	if lo, hi := c.Interval(0.55, 0.005, 10000); math.Abs(lo-0.5402) > 2e-4 || math.Abs(hi-0.5598) > 2e-4 {
		t.Errorf("of many blocks it is %g to %g", lo, hi)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for _, blocks := range []int64{2, 8, 64} {
		covered := 0
		const samples = 4000
		for range samples {
			p, sum, squares := 0.62, 0.0, 0.0
			for range blocks {
				x := 0.0
				for range 2 {
					if random.Float64() < p {
						x += 0.5
					}
				}
				sum, squares = sum+x, squares+x*x
			}
			mean := sum / float64(blocks)
			se := math.Sqrt(max(0, squares/float64(blocks)-mean*mean) / float64(blocks-1))
			if lo, hi := c.Interval(mean, se, blocks); lo <= p && p <= hi {
				covered++
			}
		}
		if share := float64(covered) / samples; share < 0.93 {
			t.Errorf("after %d blocks %.3f of the intervals cover the truth", blocks, share)
		}
	}
}

// A forecast speaks of the bounds that a study may have: of the gain that it calls provable, or
// that none is.
func TestProofOfAnyBounds(t *testing.T) {
	for _, bounds := range []string{"[-1000, -900]", "[-400, -300]", "[-300, -200]", "[-3, -2]", "[0, 10]", "[300, 400]", "[900, 1000]"} {
		for _, blocks := range []int{16, 60, 3000} {
			s := setup(t, fmt.Sprintf("budget: {games: 40000}\nvalidation: {gain_elo: %s, max_blocks: %d}\n", bounds, blocks))
			f, err := insight.ForecastOf(s, true, 1, insight.Known{SD: 0.35, PerSecond: 1000})
			if err != nil {
				t.Errorf("%s, %d blocks: %v", bounds, blocks, err)
				continue
			}
			if p := f.Proof; p.Gain == nil != (len(p.Curve) == 0) || p.Gain != nil && math.Abs(p.Curve[4].Pass-0.8) > 0.02 {
				t.Errorf("%s, %d blocks: %+v", bounds, blocks, p)
			}
		}
	}
}
