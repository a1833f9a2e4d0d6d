package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sakusen/engines/suite"
)

// racer draws the lengths of one side, rounded to whole shots; luck is that of its seat in
// a block, which the other side has in the block's other game.
type racer func(rng *rand.Rand, luck float64) int64

func normal(mean, sd, common float64) racer {
	return func(rng *rand.Rand, luck float64) int64 {
		return int64(math.Round(mean + common*luck + sd*rng.NormFloat64()))
	}
}

// skewed returns a racer that is short on most days and long on others, of the given median.
func skewed(median, spread float64) racer {
	return func(rng *rand.Rand, _ float64) int64 {
		return int64(math.Round(median + spread*(rng.ExpFloat64()-math.Ln2)))
	}
}

// gambler returns 30 with the given chance, and else 60.
func gambler(chance float64) racer {
	return func(rng *rand.Rand, _ float64) int64 {
		if rng.Float64() < chance {
			return 30
		}
		return 60
	}
}

// pairing is two sides of a race.
type pairing struct {
	name          string
	first, second racer
}

func (p pairing) block(rng *rand.Rand) Lengths {
	near, far := rng.NormFloat64(), rng.NormFloat64() // of the two seats
	return Lengths{
		First:  [2]int64{p.first(rng, near), p.first(rng, far)},
		Second: [2]int64{p.second(rng, far), p.second(rng, near)},
	}
}

// truth returns the score of the first, by many games.
func (p pairing) truth(rng *rand.Rand) float64 {
	const n = 2_000_000
	sum := 0.0
	for range n {
		a, b := p.first(rng, rng.NormFloat64()), p.second(rng, rng.NormFloat64())
		switch {
		case a < b:
			sum++
		case a == b:
			sum += 0.5
		}
	}
	return sum / n
}

func equals() []pairing {
	return []pairing{
		{"shots as of Battleship", normal(45, 10, 0), normal(45, 10, 0)},
		{"luck of seats", normal(45, 6, 8), normal(45, 6, 8)},
		{"many ties", normal(45, 1.5, 0), normal(45, 1.5, 0)},
		{"one erratic", normal(45, 20, 0), normal(45, 4, 0)},
		{"a gambler", gambler(0.5), normal(45, 4, 0)},
		{"skewed", skewed(45, 12), skewed(45, 12)},
	}
}

// played returns the histogram of the scores of the games themselves.
func played(blocks []Lengths) Blocks {
	b := Pentanomial([5]int64{})
	b.Counts = make([]int64, 5)
	for _, l := range blocks {
		cell := 0
		if l.First[0] <= l.Second[0] {
			cell += 2
		}
		if l.First[1] < l.Second[1] {
			cell += 2
		}
		b.Counts[cell]++
	}
	return b
}

// withPairs returns the same judged by all pairs.
func withPairs(blocks []Lengths) Blocks {
	b := played(blocks)
	b.Placed = Place(slices.Values(blocks))
	return b
}

// TestPlacedGroup plays validations of races at known strengths, judged by the games and
// by all pairs of them. The published numbers are those of
// go test ./tuner/stats -run PlacedGroup -runs 4000 -v
func TestPlacedGroup(t *testing.T) {
	type outcome struct{ pass, fail, held, blocks float64 }
	cases := equals()
	equal := len(cases)
	for _, gain := range []float64{0.75, 1.5, 3} { // shots
		cases = append(cases, pairing{"better by " + bare(gain) + " shots", normal(45-gain, 10, 0), normal(45, 10, 0)})
	}
	for at, p := range cases {
		rng := rand.New(rand.NewPCG(7, uint64(at)))
		truth := 0.5
		if at >= equal {
			truth = p.truth(rng)
		}
		for _, g := range []Group{
			{Elo1: 10, Seats: 2, Alpha: 0.0152, Beta: 0.05, MaxBlocks: 60},
			{Elo1: 10, Seats: 2, Alpha: 0.0152, Beta: 0.05, MaxBlocks: 550},
			{Elo1: 10, Seats: 2, Alpha: 0.0152, Beta: 0.05, MaxBlocks: 2000},
		} {
			if suite.Few() && g.MaxBlocks > 60 {
				continue
			}
			plan := groupOf(t, g)
			n := float64(*runs)
			var by [2]outcome
			for range *runs {
				var all []Lengths
				ended := [2]bool{}
				for _, to := range plan.Looks() {
					for int64(len(all)) < to {
						all = append(all, p.block(rng))
					}
					for way, b := range []Blocks{played(all), withPairs(all)} {
						if ended[way] {
							continue
						}
						l, err := plan.Judge(b)
						if err != nil {
							t.Fatal(err)
						}
						if ended[way] = l.Done(); !ended[way] {
							continue
						}
						o := &by[way]
						o.blocks += float64(to) / n
						switch l.Verdict {
						case H1:
							o.pass += 1 / n
						case H0:
							o.fail += 1 / n
						}
						u, err := plan.Unbiased(b)
						if err != nil {
							t.Fatal(err)
						}
						if u.ScoreCI.Lo.Value <= truth && truth <= u.ScoreCI.Hi.Value {
							o.held += 1 / n
						}
					}
					if ended[0] && ended[1] {
						break
					}
				}
			}
			t.Logf("%s (%+.1f Elo), %d blocks: games pass %.3f, fail %.3f, held %.3f, %.0f blocks; all pairs pass %.3f, fail %.3f, held %.3f, %.0f blocks",
				p.name, Elo(truth, 2), g.MaxBlocks, by[0].pass, by[0].fail, by[0].held, by[0].blocks, by[1].pass, by[1].fail, by[1].held, by[1].blocks)
			if tolerance := 4 * math.Sqrt(g.Alpha/n); at < equal && by[1].pass > g.Alpha+tolerance {
				t.Errorf("%s, %d blocks: %.3f of equals pass", p.name, g.MaxBlocks, by[1].pass)
			}
			if tolerance := 4 * math.Sqrt(0.05*0.95/n); by[1].held < 0.94-tolerance || by[1].held > 0.96+tolerance {
				t.Errorf("%s, %d blocks: %.3f of the intervals hold the truth", p.name, g.MaxBlocks, by[1].held)
			}
		}
	}
}

// TestPlacedSPRT does so for sequential tests, looking every 8 blocks as match does. The
// published numbers are those of
// go test ./tuner/stats -run PlacedSPRT -runs 2000 -v -timeout 2h
func TestPlacedSPRT(t *testing.T) {
	type outcome struct{ h1, h0, held, blocks float64 }
	cases := equals()
	for i := range cases {
		cases[i].name += ", at Elo0"
	}
	equal := len(cases)
	for _, gain := range []float64{0.613, 1.225, 2.45} { // shots: about 12, 24 and 48 Elo
		cases = append(cases, pairing{"better by " + bare(gain) + " shots", normal(45-gain, 10, 0), normal(45, 10, 0)})
	}
	for at, p := range cases {
		rng := rand.New(rand.NewPCG(9, uint64(at)))
		truth := 0.5
		if at >= equal {
			truth = p.truth(rng)
		}
		for _, h := range []Hypotheses{{Logistic, 0, 30}, {Logistic, 0, 120}, {Normalized, 0, 40}} {
			if suite.Few() && h.Elo1 < 120 {
				continue
			}
			test := Test{Hypotheses: h, Alpha: 0.05, Beta: 0.05, MinBlocks: FewBlocks, MaxBlocks: 4000}
			n := float64(*runs)
			var by [2]outcome
			for range *runs {
				var all []Lengths
				for ended := [2]bool{}; !ended[0] || !ended[1]; {
					for range 8 {
						all = append(all, p.block(rng))
					}
					if len(all) < FewBlocks {
						continue
					}
					ways := []Blocks{played(all), {}}
					if !ended[1] {
						ways[1] = withPairs(all)
					}
					for way, b := range ways {
						if ended[way] {
							continue
						}
						r, err := test.Judge(b)
						if err != nil {
							t.Fatal(err)
						}
						if ended[way] = r.Done(); !ended[way] {
							continue
						}
						o := &by[way]
						o.blocks += float64(len(all)) / n
						switch r.Verdict {
						case H1:
							o.h1 += 1 / n
						case H0:
							o.h0 += 1 / n
						}
						u, err := test.Unbiased(b, 8)
						if err != nil {
							t.Fatal(err)
						}
						if u.ScoreCI.Lo.Value <= truth && truth <= u.ScoreCI.Hi.Value {
							o.held += 1 / n
						}
					}
				}
			}
			t.Logf("%s (%+.1f Elo), %s [%s, %s]: games H1 %.3f, H0 %.3f, held %.3f, %.0f blocks; all pairs H1 %.3f, H0 %.3f, held %.3f, %.0f blocks",
				p.name, Elo(truth, 2), h.Model, bare(h.Elo0), bare(h.Elo1), by[0].h1, by[0].h0, by[0].held, by[0].blocks, by[1].h1, by[1].h0, by[1].held, by[1].blocks)
			if tolerance := 4 * math.Sqrt(0.05*0.95/n); at < equal && by[1].h1 > 0.05+tolerance {
				t.Errorf("%s, %s [0, %s]: %.3f of equals are called better", p.name, h.Model, bare(h.Elo1), by[1].h1)
			}
		}
	}
}
