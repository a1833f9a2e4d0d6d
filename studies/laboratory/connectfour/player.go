package connectfour

import (
	"math"
	"math/bits"

	"sakusen/engines/arena"
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

// declare declares a player. The defaults are those of the baseline: the usual first
// evaluation, in which the middle, twos and threes count, and the enemy's a little less.
func declare(f *param.Fields, _ *rules) arena.Maker[*player] {
	w := &weights{}
	f.Float(&w.Centre, "centre", 6, param.Range(-10, 10), "a disc in the middle column")
	f.Float(&w.Inner, "inner", 4, param.Range(-10, 10), "a disc in a column beside the middle")
	f.Float(&w.Open, "open", 0, param.Range(-2, 4), "a row of four that can still be filled")
	f.Float(&w.Twos, "twos", 6, param.Range(-4, 8), "a row of four that has exactly two of the side's discs and none of the enemy's")
	f.Float(&w.Other, "other", 10, param.Range(-5, 15), "an empty cell that makes four in the rows that fall to the other side; 10 in the others")
	f.Float(&w.Stacked, "stacked", 0, param.Range(-10, 20), "two cells that make four on top of each other")
	f.Float(&w.Mobility, "mobility", 0, param.Range(-5, 10), "a column in which a move gives the enemy no four")
	f.Float(&w.Enemy, "enemy", 0.8, param.Range(0, 2), "how much the enemy's features count, of one's own")
	return func() (*player, error) { return &player{own: w.worth(1), enemy: w.worth(w.Enemy)}, nil }
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

// player searches two plies: its move and the answer. It sees fours that can be
// made at once, and never leaves one or ends in a position that does where it can
// be helped.
type player struct{ own, enemy worth }

// won is more than any position is worth.
const won = 1 << 40

// move is the player's move: of several that are as good, one is drawn.
func (p *player) move(b board, first bool, chance *arena.Stream) uint64 {
	if four := b.playable() & completing(b.own, b.taken); four != 0 {
		return four & -four
	}
	moves := b.safe()
	if moves == 0 {
		moves = b.playable() // lost, unless the other does not see it
		return moves & -moves
	}
	if moves&(moves-1) == 0 {
		return moves
	}
	fall := oddRows
	if !first {
		fall = cells ^ oddRows
	}
	best, chosen, alike := -won-1, uint64(0), 0
	for _, c := range fromCentre {
		move := moves & column(c)
		if move == 0 {
			continue
		}
		value := p.answered(b.after(move), fall, best)
		switch {
		case value > best:
			best, chosen, alike = value, move, 1
		case value == best:
			alike++
			if chance.IntN(alike) == 0 {
				chosen = move
			}
		}
	}
	return chosen
}

// answered is what a position is worth to the player after the best answer, or
// some number below least as soon as it is that.
func (p *player) answered(b board, fall uint64, least int) int {
	answers := b.safe()
	if answers == 0 {
		if b.playable() == 0 {
			return 0
		}
		return won
	}
	worst := won
	for _, c := range fromCentre {
		move := answers & column(c)
		if move == 0 {
			continue
		}
		taken := b.taken | move
		mine, theirs := b.enemy(), b.own|move
		ours, fours := completing(mine, taken), completing(theirs, taken)
		value := p.own.of(mine, theirs, ours, fours, fall) - p.enemy.of(theirs, mine, fours, ours, cells^fall)
		if value < worst {
			if worst = value; worst < least {
				return worst
			}
		}
	}
	return worst
}

// fromCentre are the columns, the middle one first.
var fromCentre = [columns]int{3, 2, 4, 1, 5, 0, 6}

func column(c int) uint64 { return (1<<rows - 1) << (c * height) }

// index is the number of a move's column.
func index(move uint64) int { return bits.TrailingZeros64(move) / height }
