package film

import "sakusen/engines/arena"

// Scene is how a game is shown: what it brings for those who look at it, beside
// its rules and players.
type Scene struct {
	// Draw makes the drawer of one game; seats are the entrants' names by seat.
	// Nil: the game is told line by line.
	Draw func(rs *arena.Ruleset, seats []string, emit Emit) (Drawer, error)
	// Entrants make a game that is worth a look, one a seat and round again, with
	// Seed, decimal. Empty: the strategies in turn, seed 1.
	Entrants []string
	Seed     string
	// Replays, unless nil, is the game's own kind of replay files, which need Draw.
	Replays *Replays
}

// Drawer turns the events of one game into frames.
type Drawer interface {
	// See takes the next event of the referee, a value of a type of the game's
	// package, and emits as many frames as it makes, none among them. Events of
	// types that it does not know it ignores. It returns an error of emit at once.
	See(event any) error
}

// Emit takes a frame, whose number it sets.
type Emit func(Frame) error
