package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sakusen/tuner/numeral"
)

// randomCounts draws histograms of very different sizes, empty cells included.
func randomCounts(rng *rand.Rand, cells int) []int64 {
	counts := make([]int64, cells)
	for i := range counts {
		if rng.IntN(4) > 0 {
			counts[i] = rng.Int64N(1 << (1 + rng.IntN(18)))
		}
	}
	return counts
}

// Seen from the other side, with the bounds turned round, a test says the
// opposite.
func TestLLRAntisymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		b := Pentanomial([5]int64(randomCounts(rng, 5)))
		if rng.IntN(3) == 0 {
			c := randomCounts(rng, 3)
			b = Trinomial(c[0], c[1], c[2])
		}
		e0 := 40 * (rng.Float64() - .5)
		e1 := e0 + .1 + 20*rng.Float64()
		for _, model := range models() {
			if model == Bayesian && b.Games == 2 {
				continue
			}
			one, _, err1 := Hypotheses{model, e0, e1}.LLR(b)
			two, _, err2 := Hypotheses{model, -e1, -e0}.LLR(b.reversed())
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if math.Abs(one+two) > 1e-7*(1+math.Abs(one)) {
				t.Fatalf("%s [%v,%v] %v: %v and %v", model, e0, e1, b.Counts, one, two)
			}
		}
	}
}

// One more double win never lowers the ratio, one more double loss never raises
// it. Under normalised bounds this is so while a double win lies within 1/t
// standard deviations of the mean, t the bound's distance in the same unit:
// beyond, it says more about the spread than about the strength.
func TestLLRMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20000 {
		counts := randomCounts(rng, 5)
		e0 := 40 * (rng.Float64() - .5)
		e1 := e0 + .1 + 20*rng.Float64()
		for _, model := range []Model{Normalized, Logistic} {
			h := Hypotheses{model, e0, e1}
			b := Pentanomial([5]int64(counts))
			m := b.Moments()
			far := 1 / math.Sqrt(m.Variance) // an upper bound of any block's distance
			if model == Normalized && !(far*perBlock(math.Max(math.Abs(e0), math.Abs(e1)), 2) < .5) {
				continue
			}
			llr, _, _ := h.LLR(b)
			b.Counts[4]++
			won, _, _ := h.LLR(b)
			b.Counts[4]--
			b.Counts[0]++
			lost, _, _ := h.LLR(b)
			b.Counts[0]--
			if slack := 1e-9 * (1 + math.Abs(llr)); won < llr-slack || lost > llr+slack {
				t.Fatalf("%s [%v,%v] %v: %v, WW %v, LL %v", model, e0, e1, counts, llr, won, lost)
			}
		}
	}
}

// The ratio does not change when empty cells are put between the cells of a
// histogram that has its ends, and five cells of one seat in three are the same
// multinomial as any.
func TestLLRRefined(t *testing.T) {
	coarse := Rotated(2, []int64{3, 10, 21, 14, 4})
	fine := Rotated(2, []int64{3, 0, 10, 0, 21, 0, 14, 0, 4})
	for _, model := range []Model{Normalized, Logistic} {
		h := Hypotheses{model, 0, 10}
		a, _, _ := h.LLR(coarse)
		b, _, _ := h.LLR(fine)
		if math.Abs(a-b) > 1e-12 {
			t.Errorf("%s: %v and %v", model, a, b)
		}
	}
}

// The exact search against a direct one: with the mean and the spread both
// given, the maximum is a two-parameter exponential tilt; the best over all
// means is the maximum under a normalised bound.
func TestDistanceIsMaximum(t *testing.T) {
	for _, row := range []struct {
		penta [5]int64
		t     float64
	}{
		{[5]int64{13, 37, 50, 25, 3}, .3}, {[5]int64{13, 37, 50, 25, 3}, -.8}, {[5]int64{10, 0, 0, 0, 0}, -2.03},
		{[5]int64{10, 0, 0, 0, 0}, -6.1}, {[5]int64{0, 0, 10, 0, 0}, .02}, {[5]int64{1, 0, 7, 0, 2}, 1},
	} {
		b := Pentanomial(row.penta)
		cells, _ := b.regular()
		d, w := make([]float64, 5), make([]float64, 5)
		if !atDistance(cells, .5, row.t, d, w) {
			t.Errorf("%v at %v: none found", row.penta, row.t)
			continue
		}
		log := func(w []float64) float64 {
			l := 0.0
			for i, c := range cells {
				l -= c.share * math.Log(w[i])
			}
			return l
		}
		mean, sd := spread(cells, w)
		if math.Abs((mean-.5)/sd-row.t) > 1e-8 {
			t.Errorf("%v: distance %v, expected %v", row.penta, (mean-.5)/sd, row.t)
		}
		found, best := log(w), math.Inf(-1)
		// Random distributions moved onto the constraint by mixing.
		rng := rand.New(rand.NewPCG(9, 10))
		for range 10000 {
			p := make([]float64, 5)
			total := 0.0
			for i, c := range cells {
				p[i] = c.share / w[i] * math.Exp(rng.NormFloat64()*.5)
				total += p[i]
			}
			for i := range p {
				p[i] /= total
			}
			// Mix with a point mass at an end until the distance is t.
			end := 4
			if distance(p) > row.t {
				end = 0
			}
			lo, hi := 0.0, 1.0
			for range 50 {
				mid := (lo + hi) / 2
				if (distance(mix(p, end, mid)) < row.t) == (end == 4) {
					lo = mid
				} else {
					hi = mid
				}
			}
			p = mix(p, end, lo)
			if math.Abs(distance(p)-row.t) > 1e-6 {
				continue
			}
			l := 0.0
			for i, c := range cells {
				l += c.share * math.Log(p[i]/c.share)
			}
			best = max(best, l)
		}
		if best > found+1e-6 {
			t.Errorf("%v at %v: likelihood %v, but %v is possible", row.penta, row.t, found, best)
		}
	}
}

func mix(p []float64, end int, weight float64) []float64 {
	q := make([]float64, len(p))
	for i := range p {
		q[i] = p[i] * (1 - weight)
	}
	q[end] += weight
	return q
}

func distance(p []float64) float64 {
	mean, v := 0.0, 0.0
	for i, x := range p {
		mean += x * float64(i) / 4
	}
	for i, x := range p {
		v += x * (float64(i)/4 - mean) * (float64(i)/4 - mean)
	}
	return (mean - .5) / math.Sqrt(v)
}

// FuzzCounts: any histogram, any bounds: finite numbers or named states.
func FuzzCounts(f *testing.F) {
	f.Add(int64(0), int64(0), int64(0), int64(0), int64(0), 0.0, 5.0, uint8(2))
	f.Add(int64(10), int64(0), int64(0), int64(0), int64(0), -1500.0, -500.0, uint8(2))
	f.Add(int64(0), int64(0), int64(10), int64(0), int64(0), 0.0, 5.0, uint8(3))
	f.Add(int64(0), int64(0), int64(0), int64(0), int64(5550), -2400.0, 2400.0, uint8(5))
	f.Add(int64(1)<<52, int64(0), int64(0), int64(1), int64(0), 0.0, 1e-9, uint8(1))
	f.Fuzz(func(t *testing.T, a, b, c, d, e int64, elo0, elo1 float64, seats uint8) {
		shapes := []Blocks{
			Pentanomial([5]int64{a, b, c, d, e}), Trinomial(a, b, c),
			Rotated(int(seats), []int64{a, 0, b, c, 0, 0, d, 0, 0, e, 0}), Rotated(int(seats), []int64{a, b}),
		}
		for _, blocks := range shapes {
			for _, model := range models() {
				test := Test{Hypotheses{model, elo0, elo1}, .05, .05, 0, Unlimited}
				r, err := test.Judge(blocks)
				if err != nil {
					continue
				}
				if !numeral.IsFinite(r.LLR) {
					t.Fatalf("%s [%v,%v] %v: LLR %v", model, elo0, elo1, blocks, r.LLR)
				}
				if model == Bayesian {
					continue
				}
				u, err := test.Unbiased(blocks, 8)
				if err != nil {
					t.Fatal(err)
				}
				// Marshalling refuses NaN; a Number never holds one.
				if _, err := json.Marshal(u); err != nil {
					t.Fatalf("%v: %v", blocks, err)
				}
				if u.Reason == "" && !(u.EloCI.Lo.Value <= u.Elo.Value && u.Elo.Value <= u.EloCI.Hi.Value) {
					t.Fatalf("%s [%v,%v] %v: %+v", model, elo0, elo1, blocks, u)
				}
			}
		}
	})
}

func TestValidation(t *testing.T) {
	good := Test{Hypotheses{Normalized, 0, 2}, .05, .05, 0, 100}
	blocks := Pentanomial([5]int64{1, 2, 3, 2, 1})
	if _, err := good.Judge(blocks); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		field  string
		change func(*Test, *Blocks)
	}{
		{"model", func(t *Test, _ *Blocks) { t.Model = "gauss" }},
		{"model", func(t *Test, _ *Blocks) { t.Model = Bayesian }},
		{"elo0", func(t *Test, _ *Blocks) { t.Elo0 = math.NaN() }},
		{"elo1", func(t *Test, _ *Blocks) { t.Elo1 = math.Inf(1) }},
		{"elo1", func(t *Test, _ *Blocks) { t.Elo1 = 0 }},
		{"alpha", func(t *Test, _ *Blocks) { t.Alpha = 0 }},
		{"beta", func(t *Test, _ *Blocks) { t.Beta = .6 }},
		{"max_blocks", func(t *Test, _ *Blocks) { t.MaxBlocks = 0 }},
		{"counts", func(_ *Test, b *Blocks) { b.Counts[1] = -1 }},
		{"counts", func(_ *Test, b *Blocks) { b.Counts[1], b.Counts[2] = math.MaxInt64, math.MaxInt64 }},
		{"counts", func(_ *Test, b *Blocks) { b.Counts = nil }},
		{"seats", func(_ *Test, b *Blocks) { b.Seats = 1 }},
		{"games", func(_ *Test, b *Blocks) { b.Games = 0 }},
	} {
		test, b := good, Pentanomial([5]int64{1, 2, 3, 2, 1})
		row.change(&test, &b)
		_, err := test.Judge(b)
		if err == nil || len(err.Error()) < len(row.field) || err.Error()[:len(row.field)] != row.field {
			t.Errorf("%s: error %v", row.field, err)
		}
	}
}

// Every end of a test, and the states that are no end.
func TestVerdicts(t *testing.T) {
	for _, row := range []struct {
		penta   [5]int64
		max     int64
		verdict Verdict
	}{
		{[5]int64{20, 1334, 3810, 1569, 35}, 100000, H1},
		{[5]int64{35, 1569, 3810, 1334, 20}, 100000, H0},
		{[5]int64{2, 13, 38, 15, 3}, 100000, Continue},
		{[5]int64{2, 13, 38, 15, 3}, 71, Inconclusive},
		{[5]int64{0, 0, 0, 0, 0}, 71, NoInformation},
		{[5]int64{0, 0, 70, 0, 0}, 71, NoInformation},
		{[5]int64{0, 0, 71, 0, 0}, 71, Inconclusive},
		{[5]int64{0, 0, 0, 0, 5550}, 100000, H1},
		{[5]int64{5550, 0, 0, 0, 0}, 100000, H0},
	} {
		r, err := Test{Hypotheses{Normalized, 0, 2}, .05, .05, 0, row.max}.Judge(Pentanomial(row.penta))
		if err != nil || r.Verdict != row.verdict || r.Reason == "" {
			t.Errorf("%v, at most %d: %+v, %v, expected %s", row.penta, row.max, r, err, row.verdict)
		}
		if over := row.verdict != Continue && row.verdict != NoInformation; r.Done() != over {
			t.Errorf("%v: done %v", row.penta, r.Done())
		}
	}
}

// How often the exact search fails: never for bounds that anybody uses.
func TestLLRExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	shapes := []func() Blocks{
		func() Blocks { return Pentanomial([5]int64(randomCounts(rng, 5))) },
		func() Blocks { c := randomCounts(rng, 3); return Trinomial(c[0], c[1], c[2]) },
		func() Blocks { return Rotated(3, randomCounts(rng, 19)) },
		func() Blocks { return Rotated(5, randomCounts(rng, 301)) },
		func() Blocks { // one cell only
			b := Rotated(2+rng.IntN(4), make([]int64, 5))
			b.Counts[rng.IntN(5)] = 1 + rng.Int64N(1000000)
			return b
		},
	}
	for _, reach := range []float64{5, 20, 200, 400, 1200} {
		inexact, n := 0, 0
		for range 150 {
			for _, shape := range shapes {
				e0 := reach * (2*rng.Float64() - 1)
				e1 := e0 + (reach-e0)*rng.Float64() + 1e-6
				b := shape()
				_, exact, err := Hypotheses{Normalized, e0, min(e1, reach)}.LLR(b)
				if err != nil {
					t.Fatal(err)
				}
				n++
				if !exact && b.Silent() == "" { // the silent are never judged
					inexact++
				}
			}
		}
		t.Logf("bounds within %v nElo: %d of %d inexact", reach, inexact, n)
		if reach <= 200 && inexact > 0 {
			t.Errorf("bounds within %v nElo: %d of %d inexact", reach, inexact, n)
		}
	}
}

// reversed returns the histogram seen from the other side of a game of two seats.
func (b Blocks) reversed() Blocks {
	b.Counts = slices.Clone(b.Counts)
	slices.Reverse(b.Counts)
	if p := b.Placed; p != nil {
		b.Placed = &Placed{1 - p.Score, p.Variance}
	}
	return b
}
