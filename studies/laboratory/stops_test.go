package laboratory_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/engines/suite"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/stats"
	"sakusen/tuner/studyfile"
)

// The gain that a pass reports is right on average within 1 Elo whenever the test stopped, also
// at rare stopping times. The default validation of a study of so many games is simulated
// alone, without draws, until each third of stopping times has n passes.
func TestSimulatedStops(t *testing.T) {
	n, most := number(), 400*number()
	budgets := []int{2000, 5000, 20000}
	if suite.Few() {
		budgets, most = budgets[:1], 40*n
	}
	all := quotes{}
	for _, games := range budgets {
		for _, gain := range []float64{10, 20, 40, 80} {
			stopped(t, n, most, games, gain, &all)
		}
	}
	t.Logf("of all %d intervals %.4f hold", all.n, float64(all.held)/float64(all.n))
}

// stopped runs a cell of TestSimulatedStops, of at most so many validations.
func stopped(t *testing.T, n, most, games int, gain float64, all *quotes) {
	s, err := studyfile.Read("book.yaml", []byte(strings.NewReplacer("NAME", "book", "SEED", "1").Replace(cell(games, gain))), book(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	alpha, err := stats.AttemptAlpha(s.Validation.Alpha, 1)
	if err != nil {
		t.Fatal(err)
	}
	test, err := stats.Group{
		Elo0: s.Validation.Elo[0], Elo1: s.Validation.Elo[1], Seats: 2,
		Alpha: alpha, Beta: s.Validation.Beta, MaxBlocks: s.Validation.MaxBlocks,
	}.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(games), uint64(gain)))
	p := stats.Score(gain, 2)
	draw := func(counts []int64, blocks int64) {
		won := int64(distuv.Binomial{N: float64(blocks), P: p * p, Src: rng}.Rand())
		half := int64(0)
		if rest := blocks - won; rest > 0 {
			half = int64(distuv.Binomial{N: float64(rest), P: 2 * p / (1 + p), Src: rng}.Rand())
		}
		counts[4], counts[2], counts[0] = counts[4]+won, counts[2]+half, counts[0]+blocks-won-half
	}
	var told [4]quotes // all passes, then the thirds of stopping times
	tests, due := 0, 0
	for ; tests < most && due < 3 && told[0].n < 40*n; tests++ {
		b := stats.Blocks{Seats: 2, Games: 2, Counts: make([]int64, 5)}
		for at := int64(0); ; {
			to := test.MaxBlocks
			for _, l := range test.Looks() {
				if l > at {
					to = l
					break
				}
			}
			draw(b.Counts, to-at)
			at = to
			look, err := test.Judge(b)
			if err != nil {
				t.Fatal(err)
			}
			if !look.Done() {
				continue
			}
			if look.Verdict != stats.H1 {
				break
			}
			later := stats.Blocks{Seats: 2, Games: 2, Counts: make([]int64, 5)}
			draw(later.Counts, test.MaxBlocks-at+s.Validation.Held())
			var e entry.Measured
			e.Measure(later)
			if e.Elo == nil {
				t.Fatalf("%+v: nothing is told: %s", later, e.Reason)
			}
			third := 1 + min(2, int(3*(at-1)/test.MaxBlocks))
			for _, q := range []*quotes{&told[0], &told[third], all} {
				q.count(*e.Elo, *e.EloCI, b.Estimate().Elo.Value, later.N(), gain)
			}
			if told[third].n == n {
				due++
			}
			break
		}
	}
	name := fmt.Sprintf("%d games, %+.0f Elo", games, gain)
	t.Logf("%s: %d passes of %d, of %d blocks and %d held back", name, told[0].n, tests, test.MaxBlocks, s.Validation.Held())
	for i, when := range []string{"all", "first third", "second third", "last third"} {
		q := &told[i]
		if q.n == 0 {
			continue
		}
		t.Logf("| %s | %s | %v |", name, when, q)
		if mean, se := q.mean(); q.n >= 30 && math.Abs(mean) > 1+2.6*se {
			t.Errorf("%s, %s: the gain to quote is off by %+.2f +- %.2f Elo on average, expected at most 1", name, when, mean, se)
		}
		if held := float64(q.held) / float64(q.n); q.n >= 30 && held < 0.945-tolerance(0.945, q.n) {
			t.Errorf("%s, %s: the truth is inside %.3f of the intervals that are told, expected .945", name, when, held)
		}
	}
}
