package rating

import (
	"fmt"
	"math"
)

// Unbiased is an estimate that allows for early stopping: a test that stops
// when it looks good reports too much if its blocks are read like a fixed
// number of them.
type Unbiased struct {
	// Elo is above the truth as often as below; EloCI covers it in 95 % of all
	// runs, whatever their verdict.
	Elo   Number
	EloCI Interval
	// Score and ScoreCI are the same as block scores.
	Score   Number
	ScoreCI Interval
	// Naive is the estimate that takes the number of blocks as fixed.
	Naive Estimate
	// PValue is the chance, at Elo0, of an outcome at least as good.
	PValue Number
	Reason string // why the others are undefined, when they are
}

// Unbiased is the median-unbiased estimate after the test, judged every `every`
// blocks, has come to the given blocks. Outcomes are ordered stage-wise:
// stopping above early is best, stopping above late is next, then reaching the
// end with a higher mean, then stopping below late, then early. A test that is
// not over yet is read as if it ended here.
//
// The chance of an outcome at least as good as the one seen rises with the true
// score; the estimate is the score at which it is 1/2, the interval's ends
// those at which it is .025 and .975. The path is taken as a Brownian motion
// with the variance seen, the bounds moved outwards for the blocks between two
// looks.
// Source: Tsiatis, Rosner and Mehta (1984); Siegmund (1985), section IV.5.
func (t Test) Unbiased(b Blocks, every int64) (Unbiased, error) {
	if every < 1 {
		return Unbiased{}, fmt.Errorf("every: expected at least 1 block between looks, got %d", every)
	}
	r, err := t.Judge(b)
	if err != nil {
		return Unbiased{}, err
	}
	u := Unbiased{Naive: b.Estimate()}
	m := b.Moments()
	if m.N == 0 || b.Silent() != "" {
		u.Reason = "no information: " + b.Silent()
		return u, nil
	}
	if m.Variance == 0 { // all won or all lost: the variance of regularised counts
		cells, _ := b.regular()
		ones := make([]float64, len(cells))
		for i := range ones {
			ones[i] = 1
		}
		mean, sd := spread(cells, ones)
		m.Mean, m.Variance = mean, sd*sd
	}
	path, mid := t.path(b, math.Sqrt(m.Variance), every)
	sd, n := math.Sqrt(m.Variance), float64(m.N)
	atLeast := func(score float64) float64 {
		drift := (score - mid) / sd
		switch {
		case r.LLR >= r.Upper:
			return path.hitUpper(n, drift)
		case r.LLR <= r.Lower:
			return 1 - path.hitLower(n, drift)
		}
		return path.hitUpper(n, drift) + path.above(n, n*(m.Mean-mid)/sd, drift)
	}
	u.Score = Known(solve(atLeast, 0.5))
	u.ScoreCI = Interval{Known(solve(atLeast, 0.025)), Known(solve(atLeast, 0.975))}
	u.Elo = Known(Elo(u.Score.Value, b.Seats))
	u.EloCI = u.ScoreCI.elo(b.Seats)
	s0, _ := t.scores(b, sd)
	u.PValue = Known(min(max(atLeast(s0), 0), 1))
	return u, nil
}

// path is the random walk that the log-likelihood ratio amounts to, and the
// block score at which it has no drift.
func (t Test) path(b Blocks, sd float64, every int64) (walk, float64) {
	s0, s1 := t.scores(b, sd)
	lower, upper := Wald(t.Alpha, t.Beta)
	unit := sd / (s1 - s0) // Wald's ratio is the walk over this
	beyond := overshoot * math.Sqrt(float64(every))
	return walk{lower*unit - beyond, upper*unit + beyond}, (s0 + s1) / 2
}

// solve finds the score in [0, 1] at which a rising function takes a value, or
// the end that comes nearest.
func solve(rising func(float64) float64, value float64) float64 {
	lo, hi := 0.0, 1.0
	for range 60 {
		mid := (lo + hi) / 2
		if rising(mid) < value {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}
