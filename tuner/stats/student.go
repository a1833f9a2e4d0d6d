package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// OfRuns is the mean of a few independent runs, each one number, with Student's
// 95 % interval. SE is the half-width in units of the normal deviate, so that
// whoever multiplies it by 1.96 gets the interval; both are undefined for fewer
// than two runs.
func OfRuns(runs []float64) MeanInterval {
	n := float64(len(runs))
	if n == 0 {
		return MeanInterval{}
	}
	sum := 0.0
	for _, x := range runs {
		sum += x
	}
	mean := sum / n
	if n < 2 {
		return MeanInterval{Mean: Known(mean)}
	}
	squares := 0.0
	for _, x := range runs {
		squares += (x - mean) * (x - mean)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return Normal(mean, t/Deviate95*math.Sqrt(squares/(n-1)/n))
}
