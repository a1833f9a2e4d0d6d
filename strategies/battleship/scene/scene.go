// Package scene draws Battleship: for each seat the board that it shoots at, with
// what its shots have told it and the exact chance of a ship on every other
// square, counted as `sakusen analyse battleship` counts it. The catalogue hands
// its Scene to whoever makes films (engines/arena/film).
package scene

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
	"sakusen/engines/battleship"
	"sakusen/strategies/battleship/count"
)

// Scene is how the game is shown.
func Scene() film.Scene {
	return film.Scene{Draw: newNavies, Measure: "chance to win if both shot at random from here on, exact", Entrants: []string{"MP70/ED2", "EX"}, Seed: "1"}
}

// navies draws a game of Battleship: for each seat the board that it shoots at,
// with what its shots have told it and the exact chance of a ship on every other
// square.
type navies struct {
	board   *battleship.Board
	fleet   *battleship.Fleet
	names   []string
	emit    film.Emit
	counter *count.Counter
	sides   [2]*fleetAt
}

// fleetAt is the board that one seat shoots at.
type fleetAt struct {
	seat      int
	enemy     []battleship.Placement
	shots     []battleship.Shot // all, those after the end of the game too
	knowledge *battleship.Knowledge
	shown     int                         // shots drawn
	turn      [battleship.MaxSquares]int  // of the shot at each square, from 1
	sunk      [battleship.MaxSquares]bool // the shot there sank a ship
	drawing   string
	hits      int // of its shots
}

func newNavies(rs *arena.Ruleset, seats []string, emit film.Emit) (film.Drawer, error) {
	rules, errs := battleship.NewRules(rs.Rules)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	n := &navies{board: rules.Board(), fleet: rules.Fleet(), names: seats, emit: emit, counter: count.New(rules.Board())}
	for seat := range n.sides {
		n.sides[seat] = &fleetAt{seat: seat, knowledge: battleship.NewKnowledge(n.board, n.fleet)}
	}
	return n, nil
}

// See implements film.Drawer. Nothing is drawn before the end, since each side's
// shots come in one piece.
func (n *navies) See(event any) error {
	switch e := event.(type) {
	case battleship.Placed:
		if e.Illegal {
			return n.emit(film.Frame{Seat: e.Seat, Text: n.names[e.Seat] + " places an impossible fleet."})
		}
		n.sides[1-e.Seat].enemy = e.Fleet
	case battleship.Shot:
		side := n.sides[e.Seat]
		side.shots = append(side.shots, e)
	case battleship.Decided:
		return n.tell(e)
	}
	return nil
}

// tell draws the game in the order of its turns.
func (n *navies) tell(end battleship.Decided) error {
	if n.sides[0].enemy == nil || n.sides[1].enemy == nil {
		return n.emit(film.Frame{Seat: end.Winner, Text: n.names[end.Winner] + " wins."})
	}
	for _, side := range n.sides {
		side.drawing = n.draw(side)
	}
	if err := n.frame(film.Nobody, "The fleets are placed."); err != nil {
		return err
	}
	for turn := range max(end.Shots[0], end.Shots[1]) + 1 {
		for seat, side := range n.sides {
			if turn >= len(side.shots) {
				continue
			}
			shot := side.shots[turn]
			if turn >= end.Shots[seat] && !(shot.Illegal && end.Winner != seat) {
				continue
			}
			if err := n.shoot(side, shot); err != nil {
				return err
			}
		}
	}
	text := fmt.Sprintf("%s wins after %s.", n.names[end.Winner], film.Plural(end.Shots[end.Winner], "shot"))
	if loser := n.sides[1-end.Winner]; len(loser.shots) > 0 && !loser.shots[len(loser.shots)-1].Illegal {
		text += fmt.Sprintf(" %s would have needed %d.", n.names[loser.seat], len(loser.shots))
	}
	last := n.still(end.Winner, text)
	last.Standing = []float64{0, 0}
	last.Standing[end.Winner] = 1
	return n.emit(last)
}

// shoot draws one shot.
func (n *navies) shoot(side *fleetAt, shot battleship.Shot) error {
	if shot.Illegal {
		return n.frame(side.seat, fmt.Sprintf("%s: shot %d is illegal.", n.names[side.seat], shot.Turn))
	}
	side.knowledge.Record(shot.At, shot.Answer)
	side.shown++
	side.turn[shot.At] = shot.Turn
	word, mark := "miss", ""
	if ship, ok := shot.Answer.Ship(); ok {
		side.sunk[shot.At] = true
		mark = "sunk"
		word = n.fleet.Ship(ship).Class + " sunk"
	} else if shot.Answer == battleship.Hit {
		word = "hit"
	}
	if word != "miss" {
		side.hits++
	}
	side.drawing = n.draw(side)
	f := n.still(side.seat, fmt.Sprintf("%s: shot %d at %s, %s.", n.names[side.seat], shot.Turn, n.board.Name(shot.At), word))
	f.Mark = mark
	return n.emit(f)
}

func (n *navies) frame(seat int, text string) error {
	return n.emit(n.still(seat, text))
}

// still is both boards as they are.
func (n *navies) still(seat int, text string) film.Frame {
	next, other := n.sides[0], n.sides[1]
	if next.shown > other.shown {
		next, other = other, next
	}
	whole, squares := n.fleet.Squares(), n.board.Squares()
	standing := make([]float64, 2)
	standing[next.seat] = chance([2]int{whole - next.hits, whole - other.hits}, [2]int{squares - next.shown, squares - other.shown})
	standing[other.seat] = 1 - standing[next.seat]
	return film.Frame{Seat: seat, Text: text, SVG: n.sides[0].drawing + n.sides[1].drawing, Standing: standing}
}

// chance is how likely the seat that shoots next is to sink the other fleet first, if from
// here on both shoot at squares drawn at random from those that they have not shot at. left
// are the squares of ships that the two still have to hit, open those that they have not
// shot at, the next to shoot first. It is exact: the last of m hits among u squares falls
// by shot t with probability C(t,m)/C(u,m).
func chance(left, open [2]int) float64 {
	win := 0.0
	for t := 0; t <= open[0]; t++ {
		// It ends with its shot t, before the other one's.
		win += (by(left[0], open[0], t) - by(left[0], open[0], t-1)) * (1 - by(left[1], open[1], t-1))
	}
	return min(1, max(0, win))
}

// by is the probability that m hits among u squares have fallen by shot t.
func by(m, u, t int) float64 {
	if t < m {
		return 0
	}
	p := 1.0
	for k := range m {
		p *= float64(t-k) / float64(u-k)
	}
	return p
}
