package changepoint

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// compare tests x[from:at] against x[at:to] by Student's two-sided t-test with
// a pooled variance.
func compare(x []float64, from, at, to int) Point {
	left, leftVar := moments(x[from:at])
	right, rightVar := moments(x[at:to])
	n, m := float64(at-from), float64(to-at)
	return Point{Index: at, P: tTest(left, leftVar, n, right, rightVar, m), Before: left, After: right}
}

// tTest is the p of the test: NaN where both sides are constant and equal, 0
// where they are constant and differ, 1 for two values.
func tTest(mean1, var1, n1, mean2, var2, n2 float64) float64 {
	df := n1 + n2 - 2
	if df <= 0 {
		return 1
	}
	pooled := ((n1-1)*var1 + (n2-1)*var2) / df
	t := (mean1 - mean2) / math.Sqrt(pooled*(1/n1+1/n2))
	switch {
	case math.IsNaN(t):
		return t
	case math.IsInf(t, 0):
		return 0
	}
	return mathext.RegIncBeta(df/2, 0.5, df/(df+t*t))
}

// moments are the mean and the variance of a population. Equal values have
// exactly their value and 0, whatever the rounding of their sum.
func moments(x []float64) (mean, variance float64) {
	equal := true
	for _, v := range x {
		mean += v
		equal = equal && v == x[0]
	}
	if equal {
		return x[0], 0
	}
	mean /= float64(len(x))
	for _, v := range x {
		variance += (v - mean) * (v - mean)
	}
	return mean, variance / float64(len(x))
}
