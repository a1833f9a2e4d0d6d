package entry

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// BaseSums is what the baseline did in the candidate's place: on the same
// blocks, against the same opponent. All are sums over blocks, by component.
type BaseSums struct {
	Sums    []int64      `json:"sums"`
	Squares []arena.Wide `json:"squares"`
	Cross   []arena.Wide `json:"cross"` // products with the candidate's
}

// plus is the sums of both: disjoint blocks.
func (b *BaseSums) plus(c *BaseSums) *BaseSums {
	if b == nil || c == nil {
		return nil
	}
	n := len(b.Sums)
	out := &BaseSums{Sums: make([]int64, n), Squares: make([]arena.Wide, n), Cross: make([]arena.Wide, n)}
	for i := range n {
		out.Sums[i] = b.Sums[i] + c.Sums[i]
		out.Squares[i] = b.Squares[i].Plus(c.Squares[i])
		out.Cross[i] = b.Cross[i].Plus(c.Cross[i])
	}
	return out
}

// less is the sums b without those of c, which are part of them.
func (b *BaseSums) less(c *BaseSums) *BaseSums {
	if b == nil || c == nil {
		return nil
	}
	n := len(b.Sums)
	out := &BaseSums{Sums: make([]int64, n), Squares: make([]arena.Wide, n), Cross: make([]arena.Wide, n)}
	for i := range n {
		out.Sums[i] = b.Sums[i] - c.Sums[i]
		out.Squares[i] = b.Squares[i].Minus(c.Squares[i])
		out.Cross[i] = b.Cross[i].Minus(c.Cross[i])
	}
	return out
}

// Ratio is a metric's mean over the baseline's on the same blocks, with the
// linearised error of the ratio estimator: what common blocks have in common
// cancels (Cochran, Sampling Techniques, 1977, section 6.4).
func (e *Evidence) Ratio(rs *arena.Ruleset, m arena.Metric) Mean {
	if e.Base == nil {
		return Mean{Value: math.NaN(), Error: math.NaN(), Blocks: e.Blocks}
	}
	of := rs.Component(m.Of)
	return e.ratio(1, stats.Sums{
		X: float64(e.Sums[of]), Y: float64(e.Base.Sums[of]),
		XX: e.Cross[of][of].Float(), XY: e.Base.Cross[of].Float(), YY: e.Base.Squares[of].Float(),
	})
}
