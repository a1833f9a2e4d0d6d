package bench

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// manyRatios is the number of pairs above which the interval of the ratio is
// taken from the two medians' order statistics alone.
const manyRatios = 1 << 20

// ratioInterval bounds the factor between two sorted samples of positive
// values: the ratios new/old of all pairs, cut at the ranks where the U-test
// would begin to reject, by its normal approximation. It is Hodges and Lehmann's
// shift interval on logarithms. With too few samples, or values that are not
// positive, nothing is known: 0 and +Inf.
//
// Source: Hollander, Wolfe and Chicken 2014, "Nonparametric Statistical
// Methods", section 4.3.
func ratioInterval(old, new []float64, confidence float64) (lo, hi float64) {
	lo, hi = 0, math.Inf(1)
	if old[0] == old[len(old)-1] && new[0] == new[len(new)-1] && old[0] == new[0] {
		return 1, 1
	}
	if old[0] <= 0 || new[0] <= 0 {
		return lo, hi
	}
	n, m := float64(len(old)), float64(len(new))
	z := distuv.UnitNormal.Quantile(1 - (1-confidence)/2)
	if len(old)*len(new) > manyRatios {
		a := int(n/2 - z*math.Sqrt(n)/2)
		b := int(m/2 - z*math.Sqrt(m)/2)
		return new[b] / old[len(old)-1-a], new[len(new)-1-b] / old[a]
	}
	k := int(math.Floor(n*m/2 - z*math.Sqrt(n*m*(n+m+1)/12)))
	if k < 1 {
		return lo, hi
	}
	ratios := make([]float64, 0, len(old)*len(new))
	for _, a := range old {
		for _, b := range new {
			ratios = append(ratios, b/a)
		}
	}
	slices.Sort(ratios)
	return ratios[k-1], ratios[len(ratios)-k]
}

// leastP is the smallest p that a two-sided U-test of so many samples can give:
// 2 over the number of ways to choose n of n+m.
func leastP(n, m int) float64 {
	all, _ := math.Lgamma(float64(n + m + 1))
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(m + 1))
	return math.Min(1, 2*math.Exp(a+b-all))
}
