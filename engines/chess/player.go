package chess

import "sakusen/engines/arena"

// A Player is asked for moves. It is used by one goroutine for many games, in any
// seat; nothing it keeps from one game may change the next.
type Player interface {
	// Begin tells of a new game. An error means that no game can be played at all:
	// a program that cannot be started.
	Begin(v *View) error
	// Move is asked for in the position v.Line.Now(), which has legal moves.
	Move(v *View) Reply
	// End tells that the game is over, also where a fault has ended it.
	End(v *View)
}

// Reply is what a player answers.
type Reply struct {
	Move Move
	// Fault is why there is no move: Crashed, Stalled, OutOfTime or Garbled. A move
	// that is not legal is found by the referee.
	Fault Ending
	// Said is the player's own text about its fault, for people.
	Said string
	// Score is the player's evaluation for its own side, in hundredths of a pawn; it counts
	// only if Scored. A mate in n moves is Mate-n, being mated n-Mate.
	Score  int
	Scored bool
	Depth  int   // plies searched, 0 where nothing is said
	Nodes  int64 // nodes searched, 0 where nothing is said
	// Spent is the time that the move took, milliseconds; it counts only where the
	// limit has a clock.
	Spent int64
}

// Mate is above every score that is not one of a mate.
const Mate = 100000

// View is what a player sees: everything, since chess hides nothing.
type View struct {
	Line  *Line
	Side  Color // the player's
	Limit Limit
	// Clock is the time left to each side, milliseconds, where the limit has one.
	Clock [2]int64
	// Chance is the seat's stream.
	Chance *arena.Stream
}
