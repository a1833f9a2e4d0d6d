package stats

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"sakusen/engines/suite"
)

// runs is the number of simulated tests in each case. The published numbers are
// those of 1 000: go test ./tuner/stats -run Simulated -runs 1000 -v
var runs = flag.Int("runs", 30, "simulated sequential tests in each case")

// source draws block scores: a game with a luck of its own in every block.
type source struct {
	name   string
	seats  int
	counts int       // cells of the histogram
	even   []float64 // distribution of the block score among equals
}

func sources() []source {
	return []source{
		// The balanced book of vdbergh/pentanomial, README.
		{"pairs with draws", 2, 5, []float64{.0159, .2189, .5303, .2189, .0159}},
		// Two independent games that know no draw.
		{"pairs without draws", 2, 5, []float64{.25, 0, .5, 0, .25}},
		// The seat decides nearly everything.
		{"pairs decided by the seat", 2, 5, []float64{.04, .01, .9, .01, .04}},
		{"four seats", 4, 49, seatsOf(4, 12, .25, 0)},
		{"five seats with shared wins", 5, 301, seatsOf(5, 60, .17, .09)},
	}
}

// seatsOf returns the distribution of a block of independent games: won by one with
// the given chance, or shared by three with the other. The mean is made 1/seats
// by tilting.
func seatsOf(seats, scale int, win, third float64) []float64 {
	p := []float64{1}
	for range seats {
		q := make([]float64, len(p)+scale)
		for i, x := range p {
			q[i+scale] += x * win
			q[i+scale/3] += x * third
			q[i] += x * (1 - win - third)
		}
		p = q
	}
	return tilted(p, func(mean, _ float64) float64 { return mean - 1/float64(seats) })
}

// tilted multiplies the chances by e^(b score), b such that rising(mean, sd) is 0.
func tilted(p []float64, rising func(mean, sd float64) float64) []float64 {
	q := make([]float64, len(p))
	lo, hi := -60.0, 60.0
	for range 80 {
		b := (lo + hi) / 2
		total, mean, square := 0.0, 0.0, 0.0
		for i, x := range p {
			s := float64(i) / float64(len(p)-1)
			q[i] = x * math.Exp(b*s)
			total += q[i]
			mean += q[i] * s
			square += q[i] * s * s
		}
		for i := range q {
			q[i] /= total
		}
		mean /= total
		if rising(mean, math.Sqrt(square/total-mean*mean)) < 0 {
			lo = b
		} else {
			hi = b
		}
	}
	return q
}

// at returns the distribution of the block score at a strength.
func (s source) at(model Model, elo float64) []float64 {
	if model == Logistic {
		return tilted(s.even, func(mean, _ float64) float64 { return mean - Score(elo, s.seats) })
	}
	return tilted(s.even, func(mean, sd float64) float64 {
		return (mean-1/float64(s.seats))/sd - perBlock(elo, s.seats)
	})
}

// play runs one test to its end.
func play(t *testing.T, test Test, seats int, p []float64, every int64, rng *rand.Rand) (Blocks, Result) {
	t.Helper()
	cumulative := make([]float64, len(p))
	sum := 0.0
	for i, x := range p {
		sum += x
		cumulative[i] = sum
	}
	b := Rotated(seats, make([]int64, len(p)))
	for n := int64(1); ; n++ {
		u, cell := rng.Float64()*sum, 0
		for cumulative[cell] < u {
			cell++
		}
		b.Counts[cell]++
		if n%every != 0 && n < test.MaxBlocks {
			continue
		}
		r, err := test.Judge(b)
		if err != nil {
			t.Fatal(err)
		}
		if r.Done() {
			return b, r
		}
		if n >= test.MaxBlocks {
			t.Fatalf("still %s after the maximum", r.Verdict)
		}
	}
}

func meanSD(p []float64) (mean, sd float64) {
	square := 0.0
	for i, x := range p {
		s := float64(i) / float64(len(p)-1)
		mean += x * s
		square += x * s * s
	}
	return mean, math.Sqrt(square - mean*mean)
}

// A test errs at most as often as it says, whatever the game, and its estimate
// covers the truth in at least 93 % of all runs, whatever their verdict. A share of n runs is within 2.6 binomial standard errors of
// its chance in 99 of 100 cases.
func TestSimulatedErrorRates(t *testing.T) {
	n := *runs
	if suite.Few() {
		n = min(n, 8)
	}
	within := 2.6 * math.Sqrt(.05*.95/float64(n))
	least := .93 - 2.6*math.Sqrt(.05*.95/float64(n))
	if n >= 1000 {
		least = .93
	}
	for c, s := range sources() {
		for _, h := range []Hypotheses{{Logistic, 0, 30}, {Normalized, 0, 40}, {Normalized, -40, 0}, {Logistic, 0, 120}} {
			if n < 1000 && (h.Elo1 == 120 || s.seats > 2 && h.Elo0 < 0) {
				continue
			}
			test := Test{h, .05, .05, FewBlocks, 4000}
			every := int64(1)
			if s.seats > 2 {
				every = 8 // as a study looks, by batches
			}
			for _, elo := range []float64{h.Elo0, (h.Elo0 + h.Elo1) / 2, h.Elo1, 2*h.Elo1 - h.Elo0} {
				rng := rand.New(rand.NewPCG(uint64(c), math.Float64bits(elo+h.Elo0)))
				p := s.at(h.Model, elo)
				mean, sd := meanSD(p)
				truth := Elo(mean, s.seats)
				up, down, covered, high, blocks := 0, 0, 0, 0, int64(0)
				naive := 0.0
				for range n {
					b, r := play(t, test, s.seats, p, every, rng)
					blocks += b.N()
					switch r.Verdict {
					case H1:
						up++
					case H0:
						down++
					}
					u, err := test.Unbiased(b, every)
					if err != nil {
						t.Fatal(err)
					}
					naive += u.Naive.Elo.Value - truth
					if u.Elo.Value > truth {
						high++
					}
					if u.EloCI.Lo.Value <= truth && truth <= u.EloCI.Hi.Value {
						covered++
					}
				}
				share := func(k int) float64 { return float64(k) / float64(n) }
				plan, err := test.Plan(Truth{elo, sd, s.seats, s.seats}, every)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s, %s [%v, %v] at %v: H1 %.3f (%.3f) H0 %.3f (%.3f), blocks %.0f (%.0f); covered %.3f, above %.3f, naive off by %+.1f Elo",
					s.name, h.Model, h.Elo0, h.Elo1, elo, share(up), plan.H1, share(down), plan.H0,
					float64(blocks)/float64(n), plan.Blocks, share(covered), share(high), naive/float64(n))
				if elo == h.Elo0 && share(up) > test.Alpha+within {
					t.Errorf("%s, %v: H1 at Elo0 in %.3f of runs, expected at most %.3f", s.name, h, share(up), test.Alpha+within)
				}
				if elo == h.Elo1 && share(down) > test.Beta+within {
					t.Errorf("%s, %v: H0 at Elo1 in %.3f of runs, expected at most %.3f", s.name, h, share(down), test.Beta+within)
				}
				// A test that ends after a few blocks knows its variance too badly.
				if share(covered) < least && blocks >= int64(2*FewBlocks*n) {
					t.Errorf("%s, %v at %v: covered in %.3f of runs, expected at least %.3f", s.name, h, elo, share(covered), least)
				}
			}
		}
	}
}
