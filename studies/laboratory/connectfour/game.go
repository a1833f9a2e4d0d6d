// Package connectfour is Connect Four with players that look two plies ahead and
// judge positions by eight weights: a real game on which searches are compared,
// so fast that what they find can be measured by tens of thousands of games.
//
// Players drop discs into seven columns of six cells in turn; the first with four
// in a row wins (J. D. Allen, The Complete Book of Connect 4, 2010). A game begins
// after eight random moves, the same for both games of a block.
//
//	game, err := connectfour.Catalogue().Game("connect-four")
package connectfour

import (
	"fmt"
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

// Catalogue is Connect Four alone.
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

// start is a position after the opening in which nobody has won or wins at once.
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
