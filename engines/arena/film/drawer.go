package film

import "sakusen/engines/arena"

// Scene is how a game is shown: what it brings for those who look at it, beside
// its rules and players.
type Scene struct {
	// Draw makes the drawer of one game; seats are the entrants' names by seat. If it is
	// nil the game is shown as lines of text.
	Draw func(rs *arena.Ruleset, seats []string, emit Emit) (Drawer, error)
	// Entrants are the players of an example worth watching, one for each seat, repeated if
	// there are fewer; Seed is its seed, decimal. If it is empty the strategies play in
	// turn with seed 1.
	Entrants []string
	Seed     string
	// Measure is what a frame's Standing is a share of, such as "squares of its fleet
	// afloat"; empty where frames have none.
	Measure string
	// Replays, unless nil, is the game's own kind of replay files, which need Draw.
	Replays *Replays
	// Recorded, unless nil, reads a game that the game's own Record has written. It needs
	// Draw.
	Recorded func(text string) (*Replay, error)
}

// Drawer turns the events of one game into frames.
type Drawer interface {
	// See takes the next event of the referee, a value of a type of the game's package, and
	// emits any number of frames for it. It ignores events of types that it does not know.
	// It returns an error of emit at once.
	See(event any) error
}

// Emit takes a frame, whose number it sets.
type Emit func(Frame) error
