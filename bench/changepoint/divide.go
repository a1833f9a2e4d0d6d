package changepoint

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// segment is a part of the series without a change point so far, the best
// place to split it, and where the new level ends by the statistic.
type segment struct {
	from, to int
	at, end  int
	q        float64
}

// leastLevel is the number of values from which a level is tested without what follows it.
const leastLevel = 4

// splits reports whether the t-test between the two sides gives a p of at most maxP. What follows
// the new level may cancel it: where a slowdown stands until a gain, the mean behind it is as
// before. So the new level alone is tested too, with p multiplied by the number of places at which
// a level can begin and end.
func (s segment) splits(x []float64, maxP float64) bool {
	// 0/0 in the t-test is NaN and no change.
	if compare(x, s.from, s.at, s.to).P <= maxP {
		return true
	}
	n := float64(s.to - s.from)
	return s.end < s.to && s.end-s.at >= leastLevel && compare(x, s.from, s.at, s.end).P*n*(n-1)/2 <= maxP
}

// divide splits a series where the energy statistic is largest, again and
// again, for as long as the t-test agrees (splits). It returns the indexes of first values of new levels, in order; there is
// no window and no merging.
func divide(x []float64, maxP float64) []int {
	segments := []segment{candidate(x, 0, len(x))}
	for {
		best := -1
		for k, s := range segments {
			if s.to-s.from > 1 && (best < 0 || s.q > segments[best].q) {
				best = k
			}
		}
		if best < 0 {
			break
		}
		s := segments[best]
		if !s.splits(x, maxP) {
			break
		}
		segments = slices.Replace(segments, best, best+1, candidate(x, s.from, s.at), candidate(x, s.at, s.to))
	}
	var indexes []int
	for _, s := range segments[1:] {
		indexes = append(indexes, s.from)
	}
	return indexes
}

// candidate finds the split tau and the end kappa, from < tau < kappa <= to,
// that maximise the energy statistic of x[from:tau] against x[tau:kappa]; the
// first of equals, by tau and then by kappa.
//
// With n and m values on the sides, a the sum of distances between them, b and c
// those inside each, the statistic is 2/(n+m) (a - m b/(n-1) - n c/(m-1)).
// Rows are visited from the last tau to the first: then the distances inside
// x[tau:kappa] grow by additions alone and lose no digits.
func candidate(x []float64, from, to int) segment {
	n := to - from
	s := segment{from: from, to: to, q: math.Inf(-1)}
	if n < 2 {
		return s
	}
	x = x[from:to]
	// inside[k] is the sum of distances inside x[0:k], inverse[k] is 1/k, or 0
	// where a side of one value has no distances inside.
	inside, inverse := make([]float64, n+1), make([]float64, n+1)
	for k := 1; k < n; k++ {
		sum := 0.0
		for _, v := range x[:k] {
			sum += math.Abs(v - x[k])
		}
		inside[k+1] = inside[k] + sum
		inverse[k] = 1 / float64(k)
	}
	inverse[n] = 1 / float64(n)
	column := make([]float64, n) // of k: distances from x[tau:k] to x[k]
	for tau := n - 1; tau >= 1; tau-- {
		left := inside[tau]
		rightShare, leftShare := float64(tau), left*inverse[tau-1]
		right, best, end, pivot := 0.0, math.Inf(-1), n, x[tau]
		for kappa := tau + 1; kappa <= n; kappa++ {
			if k := kappa - 1; k > tau {
				column[k] += math.Abs(pivot - x[k])
				right += column[k]
			}
			m := kappa - tau
			between := inside[kappa] - left - right
			q := 2 * inverse[kappa] * (between - float64(m)*leftShare - rightShare*right*inverse[m-1])
			if q > best {
				best, end = q, kappa
			}
		}
		if best >= s.q {
			s.q, s.at, s.end = best, from+tau, from+end
		}
	}
	return s
}

// Found holds the change points of a series of numbers.
type Found struct {
	Changepoints []int   `json:"changepoints"` // indexes of first values of new levels, from 0
	Points       []Point `json:"points"`
	Strongest    *Split  `json:"strongest"` // null for fewer than two values
}

// Split is where a series splits best as a whole, a change or not.
type Split struct {
	Index  int     `json:"index"`
	Energy float64 `json:"energy"`
}

// Find returns the change points of a series, and where it splits best.
func Find(x []float64, o Options) (*Found, error) {
	points, err := Detect(x, o)
	if err != nil {
		return nil, err
	}
	f := &Found{Changepoints: []int{}, Points: append([]Point{}, points...)}
	for _, p := range points {
		f.Changepoints = append(f.Changepoints, p.Index)
	}
	if index, energy := strongest(x); index > 0 {
		f.Strongest = &Split{index, energy}
	}
	return f, nil
}

// strongest returns the place where a series splits best as a whole, from its first to its last
// value, and the energy statistic there, nm/(n+m) times the energy distance; whether it is a
// change is not asked. A series of fewer than two values has none: index 0.
//
// Source: Matteson and James 2014, equation 2.5, with means over all pairs.
func strongest(x []float64) (index int, t float64) {
	n := len(x)
	suffix := make([]float64, n+1) // of k: distances inside x[k:]
	for k := n - 1; k >= 0; k-- {
		sum := 0.0
		for _, v := range x[k+1:] {
			sum += math.Abs(v - x[k])
		}
		suffix[k] = suffix[k+1] + sum
	}
	prefix := 0.0
	for tau := 1; tau < n; tau++ {
		for _, v := range x[:tau-1] {
			prefix += math.Abs(v - x[tau-1])
		}
		a, b := float64(tau), float64(n-tau)
		between := suffix[0] - prefix - suffix[tau]
		energy := 2*between/(a*b) - 2*prefix/(a*a) - 2*suffix[tau]/(b*b)
		if q := energy * a * b / (a + b); q > t || index == 0 {
			index, t = tau, q
		}
	}
	return index, t
}

// compare tests x[from:at] against x[at:to] by Student's two-sided t-test with
// a pooled variance.
func compare(x []float64, from, at, to int) Point {
	left, leftVar := moments(x[from:at])
	right, rightVar := moments(x[at:to])
	n, m := float64(at-from), float64(to-at)
	return Point{Index: at, P: tTest(left, leftVar, n, right, rightVar, m), Before: left, After: right, Magnitude: magnitude(left, right)}
}

// tTest returns the p of the test: NaN where both sides are constant and equal, 0
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

// moments returns the mean and the variance of a population. Equal values have
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
