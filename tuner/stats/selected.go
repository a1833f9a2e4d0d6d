package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Selected is a mean that was measured twice. X, with the standard error XError, is told only
// because it came out at Least or above, as that of a test of one look that passed; Y, with
// YError, was measured afterwards and is told however it came out.
type Selected struct {
	X, XError, Least float64
	Y, YError        float64
}

// Estimate returns the mean by both measurements: right on average among those that are told.
// It is the mean of Y over all ways in which the weighted sum of both may have come about
// with X at Least or above, as each of these is as likely whatever the truth (Rao and
// Blackwell): near Y where X hardly reached Least, and the usual mean of both where it is far
// above. The interval holds the truth in 95 % of those that are told. Source: A. Cohen and
// H. B. Sackrowitz, "Two stage conditionally unbiased estimators of the selected mean"
// (1989); J. Bowden and E. Glimm, "Unbiased estimation of selected treatment means in
// two-stage trials" (2008).
func (s Selected) Estimate() (mean float64, ci Interval) {
	vx, vy := s.XError*s.XError, s.YError*s.YError
	if !(vx > 0 && vy > 0) {
		return s.Y, Interval{}
	}
	both := (vy*s.X + vx*s.Y) / (vx + vy)
	root := math.Sqrt(vx + vy)
	w := (both - s.Least) * root / vx // of X given both, from Least, in standard deviations
	mean = both - vy/root*math.Exp(-w*w/2)/math.Sqrt(2*math.Pi)/distuv.UnitNormal.CDF(w)
	reach := selectedReach * s.YError
	end := func(chance float64) Number {
		return Known(solve(func(truth float64) float64 { return s.atLeast(both, truth) }, chance, min(both, s.Y)-reach, max(both, s.Y)+reach))
	}
	return mean, Interval{end(0.025), end(0.975)}
}

// selectedReach is how many standard errors of Y the ends of the interval lie away at most.
const selectedReach = 6

// atLeast returns the chance, among those that are told, that the weighted sum of both is so
// large or larger if the mean is as supposed.
func (s Selected) atLeast(both, truth float64) float64 {
	vx, vy := s.XError*s.XError, s.YError*s.YError
	sd := math.Sqrt(vx * vy / (vx + vy)) // of the sum
	given := vx / math.Sqrt(vx+vy)       // of X given the sum
	told := distuv.UnitNormal.CDF((truth - s.Least) / s.XError)
	if !(told > 0) {
		return 0
	}
	from, to := max(both, truth-9*sd), max(both, truth)+9*sd
	g, sum := newGrid(from, to, sd), 0.0
	for i, x := range g.x {
		d := (x - truth) / sd
		sum += g.weight[i] * math.Exp(-d*d/2) * distuv.UnitNormal.CDF((x-s.Least)/given)
	}
	return min(sum/(sd*math.Sqrt(2*math.Pi))/told, 1)
}
