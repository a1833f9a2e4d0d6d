package consent

import (
	"sakusen/engines/arena"
	"sakusen/engines/chess"
)

// Strategy is a program as a strategy of these games.
type Strategy = arena.Strategy[Rules, Player]

// A Player is a program that owns the rules. It is used by one goroutine for many
// games, in any seat.
type Player interface {
	// Begin tells of a new game and of the moves of its opening. An error means that no
	// game can be played at all: a program that cannot be started.
	Begin(v *View) error
	// Move is asked for when it is the player's turn.
	Move(v *View) Reply
	// Told tells the player, whose turn it is not, of the last move. Refused says that it
	// takes the move for illegal.
	Told(v *View) Reply
	// Verdict is how the player sees the position after the last move.
	Verdict(v *View) Verdict
	// End tells that the game is over, also where a fault has ended it.
	End(v *View)
}

// View is what a player is told of the game.
type View struct {
	Rules *Rules
	Seat  int // the player's; seat 0 moves first
	// Start is the position from which the game begins, "startpos" or "fen ...", where
	// the game is not go.
	Start string
	// Moves are all moves, those of the opening included; Opening is how many those are.
	Moves   []string
	Opening int
	// Turn is the seat to move.
	Turn int
	// Clock is the time left to each side, milliseconds, where the limit has one.
	Clock [2]int64
}

// Reply is what a player answers to Move or Told.
type Reply struct {
	Move string
	// Resigned and Claims end the game: the player gives up, or claims to have won.
	Resigned, Claims bool
	// Refused says that the player takes the opponent's move for illegal.
	Refused bool
	Fault   chess.Ending // Crashed, Stalled, OutOfTime or Garbled
	Said    string       // for people
	Spent   int64        // milliseconds
}

// State is how a game stands.
type State int8

// The states.
const (
	Unknown State = iota // the program has no way to tell
	Open
	FirstWins
	SecondWins
	Drawn
)

var stateNames = [...]string{"unknown", "open", "the first player wins", "the second player wins", "a draw"}

// String is the state for people.
func (s State) String() string { return stateNames[s] }

// Verdict is how a program sees the position.
type Verdict struct {
	State State
	// Turn is the seat to move in an open game, -1 where the program does not tell.
	Turn  int
	Fault chess.Ending
	Said  string
}
