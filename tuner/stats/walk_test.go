package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Absorbed above, absorbed below and still running add up to 1, at any drift
// and time.
func TestWalkAddsUp(t *testing.T) {
	for _, w := range []walk{{-1, 1}, {-30, 30}, {-2, 50}, {-80, 1}} {
		for _, n := range []float64{.01, 1, 10, 100, 1e3, 1e4, 1e6, 1e9} {
			for _, drift := range []float64{-10, -1, -.1, -.01, -1e-4, 0, 1e-4, .01, .1, 1, 10} {
				up, down, in := w.hitUpper(n, drift), w.hitLower(n, drift), w.above(n, w.lower, drift)
				if math.Abs(up+down+in-1) > 1e-9 {
					t.Errorf("%+v, n %v, drift %v: %v + %v + %v", w, n, drift, up, down, in)
				}
			}
		}
	}
}

// After a long time the chance is that of the gambler's ruin.
func TestWalkRuin(t *testing.T) {
	w := walk{-20, 30}
	for _, drift := range []float64{-.05, -.01, .01, .05} {
		want := -math.Expm1(-2*drift*-w.lower) / -math.Expm1(-2*drift*(w.upper-w.lower))
		if got := w.hitUpper(1e8, drift); math.Abs(got-want) > 1e-12 {
			t.Errorf("drift %v: %v, expected %v", drift, got, want)
		}
	}
}

// A discrete walk with the corrected bounds, by simulation.
func TestWalkDiscrete(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const runs, n, every = 20000, 300, 4
	lower, upper, drift, x := -12.0, 18.0, .05, 3.0
	hits, ends := 0, 0
	for range runs {
		s := 0.0
		done := false
		for i := 1; i <= n && !done; i++ {
			s += rng.NormFloat64() + drift
			if i%every == 0 {
				if s >= upper {
					hits++
					done = true
				} else if s <= lower {
					done = true
				}
			}
		}
		if !done && s >= x {
			ends++
		}
	}
	beyond := overshoot * math.Sqrt(every)
	w := walk{lower - beyond, upper + beyond}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"above", float64(hits) / runs, w.hitUpper(n, drift)},
		{"running", float64(ends) / runs, w.above(n, x, drift)},
	} {
		// 20 000 runs: three standard errors are .011, and the correction is
		// good to about as much.
		if math.Abs(c.got-c.want) > .015 {
			t.Errorf("%s: simulated %.4f, computed %.4f", c.name, c.got, c.want)
		}
	}
}

// fishtest's estimate after a test uses the same ordering on the same motion,
// with another correction for the steps; its own pages agree with ours within a
// tenth of the interval.
func TestUnbiasedFishtest(t *testing.T) {
	for _, row := range []struct {
		test        Hypotheses
		penta       [5]int64
		elo, lo, hi float64
	}{
		{Hypotheses{Logistic, -3, 1}, [5]int64{10789, 19328, 33806, 19402, 10543}, -.992537, -3.488492, 1.488586},
		{Hypotheses{Logistic, .2, .9}, [5]int64{39, 2226, 31451, 2412, 40}, .865183, .168307, 1.540599},
		{Hypotheses{Normalized, .764, 3.439}, [5]int64{39, 2226, 31451, 2412, 40}, .865160, .168271, 1.540583},
		{Hypotheses{Normalized, 0, 4}, [5]int64{13, 37, 50, 25, 3}, -43.65779, -73.3972, -14.5429},
	} {
		u, err := Test{row.test, .05, .05, 0, Unlimited}.Unbiased(Pentanomial(row.penta), 1)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: %.4f [%.4f, %.4f], fishtest %.4f [%.4f, %.4f]", row.penta, u.Elo.Value, u.EloCI.Lo.Value, u.EloCI.Hi.Value, row.elo, row.lo, row.hi)
		within := (row.hi - row.lo) / 10
		if math.Abs(u.Elo.Value-row.elo) > within || math.Abs(u.EloCI.Lo.Value-row.lo) > within || math.Abs(u.EloCI.Hi.Value-row.hi) > within {
			t.Errorf("%v: too far from fishtest", row.penta)
		}
	}
}

// Any two-Elo window of normalised Elo at 5 % costs 159 942 games at either
// bound and 261 634 in the middle, in continuous time.
func TestPlanClosedForm(t *testing.T) {
	test := Test{Hypotheses{Normalized, 0, 2}, .05, .05, 0, Unlimited}
	for _, row := range []struct{ nelo, games, pass float64 }{{0, 159942, .05}, {1, 261634, .5}, {2, 159942, .95}} {
		c, err := test.Plan(Truth{row.nelo, .2, 2, 1}, 1)
		if err != nil {
			t.Fatal(err)
		}
		// One game is 0.58 of a standard deviation of overshoot out of 512.
		if math.Abs(c.Blocks/row.games-1) > .005 || math.Abs(c.H1-row.pass) > .001 || c.Inconclusive > 1e-9 {
			t.Errorf("%v nElo: %+v, expected %v games and %v", row.nelo, c, row.games, row.pass)
		}
	}
}

// vdbergh/pentanomial, README: a pentanomial test of [0, 10] Elo at a true 10
// passes .950 after 1809 games.
func TestPlanPentanomial(t *testing.T) {
	probs := []float64{.0159, .2189, .5303, .2189, .0159}
	variance := 0.0
	for i, p := range probs {
		d := float64(i)/4 - .5
		variance += p * d * d
	}
	c, err := Test{Hypotheses{Logistic, 0, 10}, .05, .05, 0, Unlimited}.Plan(Truth{10, math.Sqrt(variance), 2, 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", c)
	if math.Abs(c.H1-.95) > .005 || math.Abs(2*c.Blocks/1809-1) > .05 {
		t.Errorf("%+v, expected .950 and 1809 games", c)
	}
}

// The exact looks and the walk in continuous time tell the same of a test with
// many looks, and bounds out of reach leave the normal distribution.
func TestStagesMeetWalk(t *testing.T) {
	beyond := overshoot
	w := walk{-18, 22}
	constant := func(float64) (walk, bool) { return w, true }
	for _, x := range []float64{-5, 0, 9, 21.9} {
		s := newStages(constant, 1e4, 1, 1, 150)
		c := walk{w.lower - beyond, w.upper + beyond}
		for _, drift := range []float64{-.2, -.05, 0, .05, .1, .2} {
			a := s.atLeast(x, drift)
			b := c.hitUpper(150, drift) + c.above(150, x, drift)
			if math.Abs(a-b) > .005 {
				t.Errorf("x %v, drift %v: looks %.4f, continuous %.4f", x, drift, a, b)
			}
		}
	}
	far := func(float64) (walk, bool) { return walk{-1e7, 1e7}, true }
	for _, row := range []struct{ n, every, x float64 }{{150, 1, 5}, {150, 1, 1400}, {1600, 8, -30}, {64, 64, 3}} {
		s := newStages(far, math.Abs(row.x)+12*math.Sqrt(row.n), row.every, row.every, row.n)
		for _, z := range []float64{-3, -1, 0, 1, 2} {
			drift := (row.x + z*math.Sqrt(row.n)) / row.n
			want := math.Erfc(-z/math.Sqrt2) / 2
			if got := s.atLeast(row.x, drift); math.Abs(got-want) > .001 {
				t.Errorf("%+v, drift %v: %.5f, expected %.5f", row, drift, got, want)
			}
		}
	}
}
