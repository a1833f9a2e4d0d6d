package sampler_test

import (
	"fmt"
	"math"
	"testing"

	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/tuner"
)

// hartmann6 returns the six-dimensional function of Hartmann; its least value is
// -3.32237.
func hartmann6(x []float64) float64 {
	a := [4][6]float64{{10, 3, 17, 3.5, 1.7, 8}, {.05, 10, 17, .1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, .05, 10, .1, 14}}
	p := [4][6]float64{{1312, 1696, 5569, 124, 8283, 5886}, {2329, 4135, 8307, 3736, 1004, 9991}, {2348, 1451, 3522, 2883, 3047, 6650}, {4047, 8828, 8732, 5743, 1091, 381}}
	sum := 0.0
	for i, alpha := range []float64{1, 1.2, 3, 3.2} {
		e := 0.0
		for j, v := range x {
			e += a[i][j] * (v - p[i][j]/1e4) * (v - p[i][j]/1e4)
		}
		sum -= alpha * math.Exp(-e)
	}
	return sum
}

// The bounds are published: Hyperopt's own test of its TPE
// (hyperopt/tests/unit/test_tpe.py, class TestOpt, its functions in
// test_domains.py) must fall below its thresholds with one seed; the means of
// scikit-optimize's forest_minimize after 200 calls, ten runs, are in its
// benchmarks/README.md. Ours falls below them with the median, and the mean, of
// 20 seeds and its defaults. The distractor, a spike beside a long slope, is the
// exception: Hyperopt's test has settings of its own for it, and ours finds the
// spike with some seeds only.
func TestTPEBesidesPublished(t *testing.T) {
	suite.All(t)
	number := func(v param.Values, k int) float64 {
		return (&tuner.Dimension{Param: param.Param{Kind: param.Float}}).Number(v[k].Text)
	}
	real := func(name string, low, high float64) tuner.Dimension {
		return tuner.Dimension{Param: param.Param{Name: name, Kind: param.Float, Domain: param.Range(low, high)}}
	}
	for _, c := range []struct {
		name        string
		evaluations int
		below       float64
		space       tuner.Space
		at          func(v param.Values) float64
	}{
		{"branin (scikit-optimize's forest; Hyperopt asks for 0.7)", 200, 0.515, tuner.Space{real("x", -5, 10), real("y", 0, 15)}, func(v param.Values) float64 {
			return branin([]float64{number(v, 0), number(v, 1)})
		}},
		{"hartmann6 (scikit-optimize's forest)", 200, -3.151, reals(6, 0, 1), func(v param.Values) float64 {
			return hartmann6([]float64{number(v, 0), number(v, 1), number(v, 2), number(v, 3), number(v, 4), number(v, 5)})
		}},
		{"quadratic1", 1000, 1e-5, tuner.Space{real("x", -5, 5)}, func(v param.Values) float64 {
			return (number(v, 0) - 3) * (number(v, 0) - 3)
		}},
		{"distractor", 100, -1.96, tuner.Space{real("x", -15, 15)}, func(v param.Values) float64 {
			x := number(v, 0)
			return -1/(1+math.Exp(-x)) - 2*math.Exp(-(x+10)*(x+10))
		}},
		{"gauss_wave", 50, -2, tuner.Space{real("x", -20, 20), {Param: param.Param{Name: "curve", Kind: param.Choice, Choices: []string{"plain", "shifted"}}}},
			func(v param.Values) float64 {
				x := number(v, 0)
				if v[1].Text == "shifted" {
					x += math.Pi
				}
				return -math.Sin(x) - 2*math.Exp(-x*x/25)
			}},
	} {
		var found []float64
		seeds := 20
		if c.evaluations > 200 {
			seeds = 2
		}
		for seed := range seeds {
			p := proposer(t, "tpe", uint64(seed+1), c.space)
			view := &tuner.View{Space: c.space}
			best := math.Inf(1)
			for i := range c.evaluations {
				v, _, err := p.Propose(view, i)
				if err != nil {
					t.Fatal(err)
				}
				loss := c.at(v)
				best = math.Min(best, loss)
				view.Told = append(view.Told, tuner.Told{Number: i, Draw: i, Params: v, Proposed: v, Value: loss})
			}
			found = append(found, best)
		}
		mean, hits := 0.0, 0
		for _, x := range found {
			mean += x / float64(len(found))
			if x < c.below {
				hits++
			}
		}
		text := fmt.Sprintf("%s, %d evaluations: median %.6g, mean %.6g, %d of %d seeds below %g",
			c.name, c.evaluations, median(found), mean, hits, seeds, c.below)
		t.Log(text)
		if c.name == "distractor" {
			continue
		}
		if median(found) >= c.below || mean >= c.below {
			t.Error(text)
		}
	}
}
