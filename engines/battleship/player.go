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
