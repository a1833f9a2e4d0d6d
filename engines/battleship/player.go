package battleship

import (
	"fmt"
	"strings"

	"sakusen/engines/arena"
)

// A Player places a fleet and shoots at another. It is used by one goroutine
// for many games; nothing it keeps from one game may change the next.
type Player interface {
	// Place says where the fleet goes, one placement for each ship in the
	// fleet's order. Ships may touch; a ship that leaves the board or overlaps
	// another is a fault. chance is the seat's stream for placing.
	Place(chance *arena.Stream, fleet []Placement)
	// Aim is called once before the first shot of a game.
	Aim(v *View)
	// Shoot chooses the next square; a square shot before is a fault.
	Shoot(v *View) Square
}

// A View is what a shooter sees: the answers to its shots and what follows
// from them. The enemy's board is not in it.
type View struct {
	// Knowledge is kept by the referee and must not be changed.
	*Knowledge
	// Chance is the seat's stream for shooting.
	Chance arena.Stream
	work   uint64 // placements visited
}

// workCap bounds the work counted for one side of one game, placements, so
// that sums over millions of games stay within 64 bits.
const workCap = 1_000_000_000_000

// Visit adds to the work of the shooter's side: the fleet placements, high
// and low 64 bits, that plain enumeration would have visited to find what the
// shooter has counted, which is the number found. Above a million million
// placements a game nothing more is added.
func (v *View) Visit(high, low uint64) {
	if high != 0 || low > workCap {
		low = workCap
	}
	v.work = min(v.work+low, workCap)
}

// Purposes of the streams of a seat.
const (
	Placing arena.Purpose = iota
	Shooting
)

// Placed is shown to whoever watches a game: a seat has placed its fleet.
type Placed struct {
	Seat    int
	Fleet   []Placement
	Illegal bool // it loses the game
}

// Shot is shown to whoever watches a game: a seat has shot. All shots of seat 0
// until the enemy fleet is sunk come before those of seat 1: no attack depends
// on the other, and the referee plays each to its end.
type Shot struct {
	Seat    int
	Turn    int // of the seat, from 1
	At      Square
	Answer  Answer
	Illegal bool // a square off the board or shot before; there is no answer
}

// Decided is shown to whoever watches a game, at its end.
type Decided struct {
	Winner int
	Shots  [2]int // shots of each seat up to the end; later ones are no part of the game
}

// tell tells the game as it was played to people: the fleets, then the shots
// in turn.
func (ref *referee) tell(story func(string), last, winner int) {
	for seat := range ref.sides {
		ref.tellFleet(story, seat)
	}
	for turn := 1; turn <= ref.sides[last].end; turn++ {
		for seat, s := range &ref.sides {
			switch {
			case turn <= s.fired:
				story(fmt.Sprintf("shot %d of seat %d: %s, %s", turn, seat, ref.rules.board.Name(s.shots[turn-1]), ref.word(s.answers[turn-1])))
			case s.illegal:
				story(fmt.Sprintf("shot %d of seat %d is illegal", turn, seat))
			}
			if turn == ref.sides[last].end && seat == last {
				break
			}
		}
	}
	for seat, s := range &ref.sides {
		if seat != winner && !s.illegal {
			story(fmt.Sprintf("seat %d would have needed %d shots", seat, s.fired))
		}
	}
	story(fmt.Sprintf("seat %d wins", winner))
}

// tellFleet draws a seat's board, one letter for each ship.
func (ref *referee) tellFleet(story func(string), seat int) {
	s, b := ref.sides[seat], ref.rules.board
	var names []string
	for i := range ref.rules.fleet.Ships() {
		names = append(names, fmt.Sprintf("%c %s", 'A'+i, ref.rules.fleet.Ship(i).Class))
	}
	story(fmt.Sprintf("fleet of seat %d: %s", seat, strings.Join(names, ", ")))
	for row := range b.Height() {
		line := make([]byte, b.Width())
		for column := range line {
			line[column] = '.'
			if ship := s.ship[b.At(column, row)]; ship != 0 {
				line[column] = 'A' + ship - 1
			}
		}
		story(fmt.Sprintf("%2d %s", row+1, line))
	}
}

// tellFault tells of a fleet that was placed against the rules.
func (ref *referee) tellFault(fx *arena.Fixture, loser int) {
	if fx.Story != nil {
		fx.Story(fmt.Sprintf("seat %d places an impossible fleet", loser))
		fx.Story(fmt.Sprintf("seat %d wins", 1-loser))
	}
}

// word is an answer as people say it.
func (ref *referee) word(a Answer) string {
	if ship, ok := a.Ship(); ok {
		return ref.rules.fleet.Ship(ship).Class + " sunk"
	}
	if a == Hit {
		return "hit"
	}
	return "miss"
}
