package bench

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

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
	k := int(math.Floor(n*m/2 - z*math.Sqrt(n*m*(n+m+1)/12)))
	if k < 1 {
		return lo, hi
	}
	return kthRatio(old, new, k), kthRatio(old, new, len(old)*len(new)-k+1)
}

// kthRatio is the k-th smallest, from 1, of all new/old of sorted positive
// values. The ratios are counted, never listed: it bisects the bit patterns of
// positive numbers, which are in the numbers' order.
func kthRatio(old, new []float64, k int) float64 {
	lo := math.Float64bits(new[0] / old[len(old)-1])
	hi := math.Float64bits(new[len(new)-1] / old[0])
	for lo < hi {
		mid := lo + (hi-lo)/2
		at, count, below := math.Float64frombits(mid), 0, 0
		for _, a := range old { // the larger a is, the more ratios are below
			for below < len(new) && new[below]/a <= at {
				below++
			}
			count += below
		}
		if count >= k {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return math.Float64frombits(lo)
}

// leastP is the smallest p that a two-sided U-test of so many samples can give:
// 2 over the number of ways to choose n of n+m.
func leastP(n, m int) float64 {
	all, _ := math.Lgamma(float64(n + m + 1))
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(m + 1))
	return math.Min(1, 2*math.Exp(a+b-all))
}
