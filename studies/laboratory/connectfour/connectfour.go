// Package connectfour is Connect Four with players that look two plies ahead and judge
// positions by eight weights. Searches are compared on it, as on a real game that is so fast
// that their answers can be measured by tens of thousands of games.
//
// Players drop discs into seven columns of six cells in turn; the first with four
// in a row wins (J. D. Allen, The Complete Book of Connect 4, 2010). A game begins
// after eight random moves, the same for both games of a block.
//
//	game, err := connectfour.Catalogue().Game("connect-four")
package connectfour

import (
	"fmt"
	"math"
	"math/bits"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// rules are those of Connect Four, which has no options.
type rules struct{}

// The chance of the opening, which belongs to no seat, and of each seat's draws
// between moves that are as good.
const (
	opening arena.Purpose = iota
	ties
)

// openingPlies is the number of random moves before the players begin: even, so
// that the first seat moves first.
const openingPlies = 8

// Catalogue returns a catalogue with only Connect Four.
func Catalogue() arena.Catalogue {
	return arena.Catalogue{arena.Enter(arena.Definition[rules, *player]{
		Name: "connect-four", Doc: "Two players drop discs into columns; four in a row win.",
		Source:     "Connect Four: H. Wexler and N. Strongin, 1974",
		Declare:    func(*rules, *param.Fields) {},
		Seats:      func(*rules) int { return 2 },
		Components: []string{"plies"},
		Metrics:    []arena.Metric{{Name: "plies", Doc: "moves of the player after the opening, plies a game", Of: "plies"}},
		Referee:    func(*rules) (arena.Referee[*player], error) { return referee{}, nil },
	}, arena.Strategy[rules, *player]{
		Name: "weights", Doc: "Looks two plies ahead and judges by eight weights.", Source: "ours",
		New: declare,
	})}
}

type referee struct{}

// Play implements arena.Referee.
func (referee) Play(fx *arena.Fixture, players []*player, out *arena.Outcome) error {
	chance := fx.Chance(opening)
	b := start(&chance)
	out.Transcript.Add(b.own)
	out.Transcript.Add(b.taken)
	draws := [2]arena.Stream{fx.Stream(0, ties), fx.Stream(1, ties)}
	for seat := 0; ; seat = 1 - seat {
		if b.playable() == 0 {
			out.Share(func(int) bool { return true })
			return nil
		}
		move := players[seat].move(b, seat == 0, &draws[seat])
		out.Counts(seat)[0]++
		out.Transcript.Add(uint64(index(move)))
		if fx.Story != nil {
			fx.Story(fmt.Sprintf("seat %d drops a disc into column %d", seat, index(move)+1))
		}
		if move&completing(b.own, b.taken) != 0 {
			out.Win(seat)
			return nil
		}
		b = b.after(move)
	}
}

// start returns a position after the opening in which no player has won or can win at once.
func start(chance *arena.Stream) board {
	for {
		b := board{}
		for range openingPlies {
			moves := b.playable()
			for n := chance.IntN(bits.OnesCount64(moves)); n > 0; n-- {
				moves &= moves - 1
			}
			move := moves & -moves
			if move&completing(b.own, b.taken) != 0 {
				b.taken = 0
				break
			}
			b = b.after(move)
		}
		if b.taken != 0 && b.safe() != 0 && b.playable()&completing(b.own, b.taken) == 0 {
			return b
		}
	}
}

const (
	columns = 7
	rows    = 6
	height  = rows + 1 // bits of a column: its cells from below, and one that stays empty
)

// board is a position as the side to move sees it. Bit column*height + row is a cell.
type board struct {
	own, taken uint64 // discs of the side to move, and of both
}

var (
	bottom  = everyColumn(1)
	cells   = everyColumn(1<<rows - 1)
	oddRows = everyColumn(0b010101) // rows 1, 3 and 5, counted from 1
	centre  = uint64(1<<rows-1) << (3 * height)
	inner   = uint64(1<<rows-1)<<(2*height) | uint64(1<<rows-1)<<(4*height)
)

// everyColumn puts the same bits into each column.
func everyColumn(column uint64) uint64 {
	all := uint64(0)
	for c := range columns {
		all |= column << (c * height)
	}
	return all
}

// enemy returns the discs of the side that moved last.
func (b board) enemy() uint64 { return b.own ^ b.taken }

// playable returns the lowest empty cells.
func (b board) playable() uint64 { return (b.taken + bottom) & cells }

// after returns the position after a move, seen by the other side.
func (b board) after(move uint64) board { return board{b.enemy(), b.taken | move} }

// completing returns the empty cells that make four in a row for a side with these
// discs (the shifts are those of P. Pons, Solving Connect 4, 2015).
func completing(own, taken uint64) uint64 {
	all := own << 1 & (own << 2) & (own << 3)
	for _, s := range [...]int{height, height - 1, height + 1} {
		p := own << s & (own << (2 * s))
		all |= p & (own << (3 * s))
		all |= p & (own >> s)
		p = own >> s & (own >> (2 * s))
		all |= p & (own << s)
		all |= p & (own >> (3 * s))
	}
	return all & (cells ^ taken)
}

// safe returns the moves of the side to move after which the other has no four at
// once: none where it has two, or one on top of a forced move. The side to move
// must have no four itself, or be asked for that first.
func (b board) safe() uint64 {
	moves, theirs := b.playable(), completing(b.enemy(), b.taken)
	if forced := moves & theirs; forced != 0 {
		if forced&(forced-1) != 0 {
			return 0
		}
		moves = forced
	}
	return moves &^ (theirs >> 1)
}

// lines returns how many rows of four a side can still fill, and in how many of them
// it has exactly two discs.
func lines(own, enemy uint64) (open, twos int) {
	free := cells &^ enemy
	for _, s := range [...]int{1, height, height - 1, height + 1} {
		starts := free & (free >> s)
		starts &= starts >> (2 * s)
		a, b := own, own>>s
		one, both := a^b, a&b
		oneLater, bothLater := one>>(2*s), both>>(2*s)
		two := both&^(oneLater|bothLater) | bothLater&^(one|both) | one&oneLater
		open += bits.OnesCount64(starts)
		twos += bits.OnesCount64(two & starts)
	}
	return open, twos
}

// weights are an evaluation, the worth of a position to a side. An empty cell that makes four
// counts useful in the rows that fall to the side, odd ones to the first player and even ones
// to the second.
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

// of returns what a position is worth to the side with the discs own, whose fours are
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

// move returns the player's move: of several that are as good, one is drawn.
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

// answered returns what a position is worth to the player after the best answer, or
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

// index returns the number of a move's column.
func index(move uint64) int { return bits.TrailingZeros64(move) / height }
