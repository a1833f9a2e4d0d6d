package battleship

import "sakusen/engines/arena"

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
	// Work is for the shooter to add to: the fleet placements that plain
	// enumeration would have visited for what the shooter has counted, that is
	// the numbers of placements found in all its positions.
	Work int64
}

// Purposes of the streams of a seat.
const (
	Placing arena.Purpose = iota
	Shooting
)
