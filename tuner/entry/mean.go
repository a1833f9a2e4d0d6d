package entry

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// Mean is an estimate with its standard error, both with the block as unit.
// The error is NaN below two blocks.
type Mean struct {
	Value, Error float64
	Blocks       int64
}

// meanOf is the mean of n values with the given sum and sum of squares.
func meanOf(n int64, sum, squares float64) Mean {
	m := Mean{Value: math.NaN(), Error: math.NaN(), Blocks: n}
	if n == 0 {
		return m
	}
	m.Value = sum / float64(n)
	if n > 1 {
		variance := (squares - float64(sum*m.Value)) / float64(n-1)
		m.Error = math.Sqrt(math.Max(variance, 0) / float64(n))
	}
	return m
}

// Score is the mean score per game, in [0, 1].
func (e *Evidence) Score(seats int) Mean {
	unit := float64(int64(seats) * arena.Scale(seats))
	var sum, squares float64
	for i, n := range e.Scores {
		x := float64(i) / unit
		sum += float64(n) * x
		squares += float64(n) * x * x
	}
	return e.widened(meanOf(e.Blocks, sum, squares))
}

// widened makes the error of a mean that of the different blocks alone.
func (e *Evidence) widened(m Mean) Mean {
	if e.Distinct > 1 {
		m.Error *= math.Sqrt(float64(e.Blocks-1) / float64(e.Distinct-1))
	}
	return m
}

// Metric is the mean of a metric: per game, or the ratio of sums with the
// linearised error of the ratio estimator (Cochran, Sampling Techniques, 1977,
// section 6.4), the block as unit.
func (e *Evidence) Metric(rs *arena.Ruleset, m arena.Metric) Mean {
	of := rs.Component(m.Of)
	scale := m.Factor()
	if m.Per == "" {
		// A block holds one game of the candidate for each seat.
		perGame := scale / float64(rs.Seats)
		mean := meanOf(e.Blocks, float64(e.Sums[of]), e.Cross[of][of].Float())
		mean.Value *= perGame
		mean.Error *= perGame
		return e.widened(mean)
	}
	per := rs.Component(m.Per)
	return e.ratio(scale, stats.Sums{
		X: float64(e.Sums[of]), Y: float64(e.Sums[per]),
		XX: e.Cross[of][of].Float(), XY: e.Cross[max(of, per)][min(of, per)].Float(), YY: e.Cross[per][per].Float(),
	})
}

// ratio is the ratio of two sums over blocks, NaN where the second is 0.
func (e *Evidence) ratio(scale float64, s stats.Sums) Mean {
	s.N, s.Distinct = e.Blocks, e.Distinct
	r := s.Ratio(scale)
	return Mean{Value: r.Mean.Or(math.NaN()), Error: r.SE.Or(math.NaN()), Blocks: e.Blocks}
}
