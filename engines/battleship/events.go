package battleship

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
