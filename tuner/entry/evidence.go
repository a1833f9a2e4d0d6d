package entry

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// Evidence is what a candidate's blocks against one opponent say, in integers:
// the candidate's part of a tally.
type Evidence struct {
	Blocks int64          `json:"blocks"`
	Games  int64          `json:"games"`
	Scores []int64        `json:"scores"` // see arena.EntrantTally
	Sums   []int64        `json:"sums,omitempty"`
	Cross  [][]arena.Wide `json:"cross,omitempty"`
	Digest uint64         `json:"digest,string"`
	// Distinct is the number of different blocks, by transcript, if some repeat others;
	// absent if all are different. Errors and tests use it.
	Distinct int64 `json:"distinct,omitempty"`
	// Base is what the baseline did in the candidate's place, if the objective needs it.
	Base *BaseSums `json:"base,omitempty"`
	// Faults are the games that a player's program did not play to their end; absent where
	// there are none.
	Faults *Faults `json:"faults,omitempty"`
}

// NewEvidence takes the first entrant's part of a tally.
func NewEvidence(s arena.Series, t arena.Tally) Evidence {
	e := t.Entrants[0]
	return Evidence{Blocks: t.Blocks, Games: t.Games, Scores: e.Scores, Sums: e.Sums, Cross: e.Cross, Digest: t.Digest, Faults: newFaults(s, &t)}
}

// Effective returns the number of blocks that are evidence: the different ones.
func (e *Evidence) Effective() int64 {
	if e.Distinct > 0 {
		return e.Distinct
	}
	return e.Blocks
}

// SetDistinct notes that so many of the blocks are different.
func (e *Evidence) SetDistinct(n int64) {
	e.Distinct = 0
	if n < e.Blocks {
		e.Distinct = max(n, 1)
	}
}

// Plus returns the evidence of both: disjoint blocks against the same opponent, of
// which none is taken to repeat one of the others; see SetDistinct.
func (e Evidence) Plus(f Evidence) Evidence {
	out := e.with(f, 1)
	out.Faults = e.Faults.Plus(f.Faults)
	out.SetDistinct(e.Effective() + f.Effective())
	return out
}

// Less returns the evidence e without the blocks of f, which it contains.
func (e Evidence) Less(f Evidence) Evidence {
	out := e.with(f, -1)
	out.Faults = e.Faults.less(f.Faults)
	if e.Distinct > 0 {
		out.SetDistinct(e.Effective() - f.Effective())
	}
	return out
}

// with returns the sums of e and sign times those of f.
func (e Evidence) with(f Evidence, sign int64) Evidence {
	out := Evidence{Blocks: e.Blocks + sign*f.Blocks, Games: e.Games + sign*f.Games, Digest: e.Digest + uint64(sign)*f.Digest,
		Scores: sums(e.Scores, f.Scores, sign), Sums: sums(e.Sums, f.Sums, sign), Cross: make([][]arena.Wide, len(e.Cross))}
	for i := range e.Cross {
		out.Cross[i] = wideSums(e.Cross[i], f.Cross[i], sign)
	}
	if b, c := e.Base, f.Base; b != nil && c != nil {
		out.Base = &BaseSums{sums(b.Sums, c.Sums, sign), wideSums(b.Squares, c.Squares, sign), wideSums(b.Cross, c.Cross, sign)}
	}
	return out
}

// sums returns a and sign times b, element by element.
func sums(a, b []int64, sign int64) []int64 {
	out := make([]int64, len(a))
	for i := range a {
		out[i] = a[i] + sign*b[i]
	}
	return out
}

// wideSums does the same of wide integers.
func wideSums(a, b []arena.Wide, sign int64) []arena.Wide {
	out := make([]arena.Wide, len(a))
	for i := range a {
		if out[i] = a[i].Plus(b[i]); sign < 0 {
			out[i] = a[i].Minus(b[i])
		}
	}
	return out
}

// Sample returns the blocks as the statistics take them, of a game with so many seats.
func (e *Evidence) Sample(seats int) stats.Blocks {
	b := stats.Rotated(seats, e.Scores)
	b.Distinct = e.Distinct
	return b
}

// BaseSums is what the baseline did in the candidate's place: on the same
// blocks, against the same opponent. All are sums over blocks, by component.
type BaseSums struct {
	Sums    []int64      `json:"sums"`
	Squares []arena.Wide `json:"squares"`
	Cross   []arena.Wide `json:"cross"` // products with the candidate's
}

// Ratio returns a metric's mean over the baseline's on the same blocks, with the
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

// Mean is an estimate with its standard error, both with the block as unit.
// The error is NaN below two blocks.
type Mean struct {
	Value, Error float64
	Blocks       int64
}

// meanOf returns the mean of n values with the given sum and sum of squares.
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

// Score returns the mean score per game, in [0, 1].
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

// Metric returns the mean of a metric: per game, or the ratio of sums with the
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

// ratio returns the ratio of two sums over blocks, NaN where the second is 0.
func (e *Evidence) ratio(scale float64, s stats.Sums) Mean {
	s.N, s.Distinct = e.Blocks, e.Distinct
	r := s.Ratio(scale)
	return Mean{Value: r.Mean.Or(math.NaN()), Error: r.SE.Or(math.NaN()), Blocks: e.Blocks}
}
