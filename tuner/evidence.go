package tuner

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/rating"
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
	// Base is what the baseline did in the candidate's place, where the objective
	// asks for it.
	Base *BaseSums `json:"base,omitempty"`

	// first is the first block's transcripts, and varies tells whether another
	// block has others: known of what was played just now.
	first  uint64
	varies bool
}

// same tells whether all blocks are the same games, which count once however
// often they are played: nothing is left to chance.
func (e *Evidence) same() bool {
	return e.Blocks >= rating.FewBlocks && e.first != 0 && !e.varies
}

// watch notes the transcripts of a run.
func (e *Evidence) watch(r *arena.Run) {
	for b := 0; b < r.Blocks && !e.varies; b++ {
		var t arena.Transcript
		for _, d := range r.Digests[b*r.Rotations : (b+1)*r.Rotations] {
			t.Add(d)
		}
		sum := t.Sum() | 1 // not 0, which is nothing seen
		e.varies = e.first != 0 && e.first != sum
		e.first = sum
	}
}

// evidenceOf takes the first entrant's part of a tally.
func evidenceOf(t arena.Tally) Evidence {
	e := t.Entrants[0]
	return Evidence{Blocks: t.Blocks, Games: t.Games, Scores: e.Scores, Sums: e.Sums, Cross: e.Cross, Digest: t.Digest}
}

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

// score is the mean score per game, in [0, 1].
func (e *Evidence) score(seats int) Mean {
	unit := float64(int64(seats) * arena.Scale(seats))
	var sum, squares float64
	for i, n := range e.Scores {
		x := float64(i) / unit
		sum += float64(n) * x
		squares += float64(n) * x * x
	}
	return meanOf(e.Blocks, sum, squares)
}

// metric is the mean of a metric: per game, or the ratio of sums with the
// linearised error of the ratio estimator (Cochran, Sampling Techniques, 1977,
// section 6.4), the block as unit.
func (e *Evidence) metric(rs *arena.Ruleset, m arena.Metric) Mean {
	of := rs.Component(m.Of)
	scale := m.Factor()
	if m.Per == "" {
		// A block holds one game of the candidate for each seat.
		perGame := scale / float64(rs.Seats)
		mean := meanOf(e.Blocks, float64(e.Sums[of]), e.Cross[of][of].Float())
		mean.Value *= perGame
		mean.Error *= perGame
		return mean
	}
	per := rs.Component(m.Per)
	x, y := float64(e.Sums[of]), float64(e.Sums[per])
	mean := Mean{Value: math.NaN(), Error: math.NaN(), Blocks: e.Blocks}
	if y == 0 {
		return mean
	}
	ratio := x / y
	mean.Value = scale * ratio
	if n := float64(e.Blocks); n > 1 {
		cross := e.Cross[max(of, per)][min(of, per)].Float()
		residual := e.Cross[of][of].Float() - 2*ratio*cross + ratio*ratio*e.Cross[per][per].Float()
		mean.Error = scale * math.Sqrt(math.Max(residual, 0)*n/(n-1)) / math.Abs(y)
	}
	return mean
}
