package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"sakusen/engines/suite"
)

// Among the means that are told since the first measurement came out well, the estimate by
// both measurements is right on average and its interval holds the truth, wherever that lies;
// the usual mean of both is too high.
func TestSelected(t *testing.T) {
	n := 10000
	if suite.Few() {
		n = 500
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ truth, first, second float64 }{{0, 1, 2}, {0, 1, 0.5}, {1, 1, 3}, {2, 1, 2}, {-1, 1, 1}, {5, 1, 4}} {
		told, sum, squares, plain, held := 0.0, 0.0, 0.0, 0.0, 0.0
		const least = 1.5
		for told < float64(n) {
			x := c.truth + c.first*rng.NormFloat64()
			if x < least {
				continue
			}
			s := Selected{X: x, XError: c.first, Least: least, Y: c.truth + c.second*rng.NormFloat64(), YError: c.second}
			mean, ci := s.Estimate()
			told++
			sum += mean - c.truth
			squares += (mean - c.truth) * (mean - c.truth)
			vx, vy := c.first*c.first, c.second*c.second
			plain += (vy*s.X+vx*s.Y)/(vx+vy) - c.truth
			if ci.Lo.Value <= c.truth && c.truth <= ci.Hi.Value {
				held++
			}
		}
		se := math.Sqrt(squares) / told
		if bias := sum / told; math.Abs(bias) > 4*se {
			t.Errorf("%+v: off by %.4f +- %.4f on average", c, bias, se)
		}
		if share := held / told; math.Abs(share-0.95) > 4*math.Sqrt(0.95*0.05/told) {
			t.Errorf("%+v: the truth is inside %.4f of the intervals", c, share)
		}
		if c.truth < least && plain/told < 4*se {
			t.Errorf("%+v: the usual mean is off by %.4f: nothing is tested", c, plain/told)
		}
	}
}

// Far above what was asked for, the estimate is the usual mean of both measurements, and far
// below it, which only luck explains, the second one.
func TestSelectedAtItsEnds(t *testing.T) {
	if mean, ci := (Selected{X: 9, XError: 1, Y: 10, YError: 1}).Estimate(); math.Abs(mean-9.5) > 1e-9 || math.Abs(ci.Lo.Value-9.5+Deviate95/math.Sqrt2) > 1e-6 || math.Abs(ci.Hi.Value-9.5-Deviate95/math.Sqrt2) > 1e-6 {
		t.Errorf("%v %v", mean, ci)
	}
	if mean, ci := (Selected{X: 8.01, XError: 1, Least: 8, Y: 0, YError: 1}).Estimate(); math.Abs(mean) > 0.3 || ci.Lo.Value > -1.5 || ci.Hi.Value < 1.5 {
		t.Errorf("%v %v", mean, ci)
	}
	if mean, ci := (Selected{X: 1, Least: 0.5, Y: 2, YError: 1}).Estimate(); mean != 2 || ci.Defined() {
		t.Errorf("without an error: %v %v", mean, ci)
	}
}
