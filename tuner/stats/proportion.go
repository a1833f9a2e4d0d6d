package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Wilson is the score interval of a proportion: successes out of trials (both
// counts of independent events), level in (0, 1). Undefined without trials.
// Source: E. B. Wilson, JASA 22 (1927); R. G. Newcombe, Statistics in Medicine
// 17 (1998), method 3.
func Wilson(successes, trials, level float64) (Interval, error) {
	switch {
	case !(trials >= 0) || trials > float64(maxCount):
		return Interval{}, fmt.Errorf("trials: expected a number in [0, 2^53], got %v", trials)
	case !(successes >= 0 && successes <= trials):
		return Interval{}, fmt.Errorf("successes: expected a number in [0, trials], got %v", successes)
	case !(level > 0 && level < 1):
		return Interval{}, fmt.Errorf("level: expected a number inside (0, 1), got %v", level)
	}
	if trials == 0 {
		return Interval{}, nil
	}
	z := deviate(level)
	p, zz := successes/trials, z*z/trials
	centre := (p + zz/2) / (1 + zz)
	half := math.Sqrt(zz*p*(1-p)+zz*zz/4) / (1 + zz)
	// The ends are exact where all or nothing succeeded.
	lo, hi := max(centre-half, 0), min(centre+half, 1)
	if successes == 0 {
		lo = 0
	}
	if successes == trials {
		hi = 1
	}
	return Interval{Known(lo), Known(hi)}, nil
}

// deviate is the normal deviate of a two-sided interval. A level that rounds
// to 1 in float64 halves is held just below.
func deviate(level float64) float64 {
	tail := max((1-level)/2, 1e-300)
	return -distuv.UnitNormal.Quantile(tail)
}
