package rating_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sakusen/tuner/rating"
)

// The interval of the slope holds the truth in about 95 % of samples, and noise does not
// pull the estimate to 0.
func TestLinkHoldsTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const runs, lead, noise = 2000, 0.1, 0.12
	for _, slope := range []float64{-1, 0, 0.7, 1.4} {
		held, mean := 0, 0.0
		for range runs {
			pairs := make([]rating.Twice, 60)
			for i := range pairs {
				pairs[i] = rating.Twice{
					Cheap: lead + noise*rng.NormFloat64(), Dear: slope*lead + noise*rng.NormFloat64(),
					CheapNoise: noise * noise, DearNoise: noise * noise,
				}
			}
			l := rating.Link(pairs)
			if l.SlopeCI[0] <= slope && slope <= l.SlopeCI[1] {
				held++
			}
			mean += l.Slope / runs
		}
		if held < runs*93/100 || held > runs*98/100 || math.Abs(mean-slope) > 0.12 {
			t.Errorf("slope %g: %d of %d intervals hold it, mean %.3f", slope, held, runs, mean)
		}
	}
}

func TestLinkOfLittle(t *testing.T) {
	for _, pairs := range [][]rating.Twice{nil, {{Cheap: 0.1}}, make([]rating.Twice, 20), {{Cheap: -1, CheapNoise: 1}, {Cheap: 1, CheapNoise: 1}}} {
		if l := rating.Link(pairs); !math.IsNaN(l.Slope) {
			t.Errorf("%d pairs: %+v", len(pairs), l)
		}
	}
	sure := rating.Linked{Slope: 0.4, SlopeError: 0.01}
	vague := rating.Linked{Slope: -3, SlopeError: 5}
	if x := sure.Shrunk(); math.Abs(x-0.4) > 0.01 {
		t.Error(x)
	}
	if x := vague.Shrunk(); math.Abs(x-1) > 0.05 {
		t.Error(x)
	}
}
