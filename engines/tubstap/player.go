package tubstap

import "sakusen/engines/arena"

// Player is a way to play: it is asked for one unit action after another
// until its turn is done. It may change the state it is shown as long as it
// puts it back.
type Player interface {
	// Turn begins a turn of the state's mover. chance is the seat's stream,
	// the same one for a whole game; it may be kept until the turn is done.
	Turn(s *State, chance *arena.Stream)
	// Act is the next action of the turn, of one unmoved unit.
	Act(s *State) Action
}
