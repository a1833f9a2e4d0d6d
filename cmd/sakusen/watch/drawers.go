package watch

import "sakusen/engines/arena"

// Drawer turns the events of one game into frames.
type Drawer interface {
	// See takes the next event of the referee, a value of a type of the game's
	// package, and emits as many frames as it makes, none among them. Events of
	// types that it does not know it ignores. It returns an error of emit at once.
	See(event any) error
}

// Emit takes a frame, whose number it sets.
type Emit func(Frame) error

// drawing is a line of the table of drawers.
type drawing struct {
	game string
	// open makes the drawer of one game; seats are the names by seat.
	open func(rs *arena.Ruleset, seats []string, emit Emit) (Drawer, error)
}

// drawings is the table: a line for each game that is drawn.
func drawings() []drawing {
	return []drawing{
		{"battleship", newNavies},
		{"daifugo", newCards},
		{"tubstap", newTubstap},
		{"lifeboats", newLifeboats},
	}
}

// drawerOf makes the drawer of a game; nil where it is told instead.
func drawerOf(rs *arena.Ruleset, seats []string, emit Emit) (Drawer, error) {
	for _, d := range drawings() {
		if d.game == rs.Game.Name {
			return d.open(rs, seats, emit)
		}
	}
	return nil, nil
}
