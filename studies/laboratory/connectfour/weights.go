package connectfour

import (
	"math"
	"math/bits"

	"sakusen/engines/param"
)

// weights are an evaluation: what a position is worth to a side, where an empty
// cell that makes four counts useful in the rows that fall to the side, odd ones to
// the first player and even ones to the second.
type weights struct {
	Centre   float64 // a disc in the middle column
	Inner    float64 // a disc beside it
	Open     float64 // a row of four that can still be filled
	Twos     float64 // one that has exactly two of the side's discs
	Other    float64 // an empty cell that makes four, in the rows of the other side
	Stacked  float64 // two cells that make four on top of each other
	Mobility float64 // a column in which a move gives the enemy no four
	Enemy    float64 // how much the enemy's features count, of one's own
}

// useful is what an empty cell that makes four is worth in the side's rows: the
// unit in which the weights are given.
const useful = 10

// Declare implements arena.Config. The defaults are those of the baseline: the
// usual first evaluation, in which the middle, twos and threes count, and the
// enemy's a little less.
func (w *weights) Declare(f *param.Fields, _ *rules) {
	f.Float(&w.Centre, "centre", 6, param.Range(-10, 10), "a disc in the middle column")
	f.Float(&w.Inner, "inner", 4, param.Range(-10, 10), "a disc in a column beside the middle")
	f.Float(&w.Open, "open", 0, param.Range(-2, 4), "a row of four that can still be filled")
	f.Float(&w.Twos, "twos", 6, param.Range(-4, 8), "a row of four that has exactly two of the side's discs and none of the enemy's")
	f.Float(&w.Other, "other", 10, param.Range(-5, 15), "an empty cell that makes four in the rows that fall to the other side; 10 in the others")
	f.Float(&w.Stacked, "stacked", 0, param.Range(-10, 20), "two cells that make four on top of each other")
	f.Float(&w.Mobility, "mobility", 0, param.Range(-5, 10), "a column in which a move gives the enemy no four")
	f.Float(&w.Enemy, "enemy", 0.8, param.Range(0, 2), "how much the enemy's features count, of one's own")
}

// fine is the number of steps of a unit in which positions are counted, so that
// play is the same on every machine.
const fine = 1000

// worth is Weights for one side's features, in steps.
type worth struct{ centre, inner, open, twos, useful, other, stacked, mobility int }

func (w *weights) worth(share float64) worth {
	step := func(x float64) int { return int(math.Round(float64(x*share) * fine)) }
	return worth{
		step(w.Centre), step(w.Inner), step(w.Open), step(w.Twos),
		step(useful), step(w.Other), step(w.Stacked), step(w.Mobility),
	}
}

// of is what a position is worth to the side with the discs own, whose fours are
// in ours, and the enemy's in theirs; odd are the rows that fall to it.
func (w *worth) of(own, enemy, ours, theirs, fall uint64) int {
	open, twos := lines(own, enemy)
	count := bits.OnesCount64
	playable := (own | enemy) + bottom
	return w.centre*count(own&centre) + w.inner*count(own&inner) + w.open*open + w.twos*twos +
		w.useful*count(ours&fall) + w.other*count(ours&^fall) + w.stacked*count(ours&(ours<<1)) +
		w.mobility*count(playable&cells&^(theirs>>1))
}
