package entry

import (
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
}

// NewEvidence takes the first entrant's part of a tally.
func NewEvidence(t arena.Tally) Evidence {
	e := t.Entrants[0]
	return Evidence{Blocks: t.Blocks, Games: t.Games, Scores: e.Scores, Sums: e.Sums, Cross: e.Cross, Digest: t.Digest}
}

// Effective is the number of blocks that are evidence: the different ones.
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

// Plus is the evidence of both: disjoint blocks against the same opponent, of
// which none is taken to repeat one of the others; see SetDistinct.
func (e Evidence) Plus(f Evidence) Evidence {
	out := Evidence{Blocks: e.Blocks + f.Blocks, Games: e.Games + f.Games, Digest: e.Digest + f.Digest, Base: e.Base.plus(f.Base)}
	out.Scores = make([]int64, len(e.Scores))
	for i := range e.Scores {
		out.Scores[i] = e.Scores[i] + f.Scores[i]
	}
	out.Sums = make([]int64, len(e.Sums))
	out.Cross = make([][]arena.Wide, len(e.Cross))
	for i := range e.Sums {
		out.Sums[i] = e.Sums[i] + f.Sums[i]
		out.Cross[i] = make([]arena.Wide, i+1)
		for j := range out.Cross[i] {
			out.Cross[i][j] = e.Cross[i][j].Plus(f.Cross[i][j])
		}
	}
	out.SetDistinct(e.Effective() + f.Effective())
	return out
}

// Less is the evidence e without the blocks of f, which it contains.
func (e Evidence) Less(f Evidence) Evidence {
	out := Evidence{Blocks: e.Blocks - f.Blocks, Games: e.Games - f.Games, Digest: e.Digest - f.Digest, Base: e.Base.less(f.Base)}
	out.Scores = make([]int64, len(e.Scores))
	for i := range e.Scores {
		out.Scores[i] = e.Scores[i] - f.Scores[i]
	}
	out.Sums = make([]int64, len(e.Sums))
	out.Cross = make([][]arena.Wide, len(e.Cross))
	for i := range e.Sums {
		out.Sums[i] = e.Sums[i] - f.Sums[i]
		out.Cross[i] = make([]arena.Wide, i+1)
		for j := range out.Cross[i] {
			out.Cross[i][j] = e.Cross[i][j].Minus(f.Cross[i][j])
		}
	}
	if e.Distinct > 0 {
		out.SetDistinct(e.Effective() - f.Effective())
	}
	return out
}

// Sample returns the blocks as the statistics take them, of a game with so many seats.
func (e *Evidence) Sample(seats int) stats.Blocks {
	b := stats.Rotated(seats, e.Scores)
	b.Distinct = e.Distinct
	return b
}
