package connectfour

import (
	"math/bits"

	"sakusen/engines/arena"
)

// player searches two plies: its move and the answer. It sees fours that can be
// made at once, and never leaves one or ends in a position that does where it can
// be helped.
type player struct{ own, enemy worth }

// Player implements arena.Config.
func (w *weights) Player(*rules) (*player, error) {
	return &player{own: w.worth(1), enemy: w.worth(w.Enemy)}, nil
}

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
