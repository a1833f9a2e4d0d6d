// Package desk is what a game needs to seat a person in a terminal: a Desk that
// shows text and asks for lines, and the Sitting that is to be played. A game
// brings a Room, which hosts sittings, on its line of the catalogue; the command
// play opens it. Nothing here reads or writes by itself.
//
//	func host(ctx context.Context, s *desk.Sitting) error {
//		s.Show("You sit in seat %d.\n", s.Seat())
//		line, err := s.Ask(ctx, "your move")
//		...
//	}
package desk

import (
	"context"
	"errors"

	"sakusen/engines/param"
)

// Desk is where a person sits.
type Desk interface {
	// Show prints. If that fails, the next Ask and Err return the error.
	Show(format string, args ...any)
	// Ask asks for a line that is not empty, and returns it in lower case. The error is
	// ErrLeft where the person has left, ErrUndo where a line is taken back, and
	// ErrInterrupted where the context has ended.
	Ask(ctx context.Context, prompt string) (string, error)
	// Aside says that the last line asked for help, or was a mistake: it is no part of
	// the game, so undo takes back the one before it.
	Aside()
	// Err is why something could not be shown, or nil.
	Err() error
}

var (
	// ErrLeft says that the person has left the game.
	ErrLeft = errors.New("the game is left")
	// ErrInterrupted says that the program is to end.
	ErrInterrupted = errors.New("interrupted")
	// ErrUndo says that the person takes back a line: the game begins again, with the
	// lines before it.
	ErrUndo = errors.New("taken back")
)

// Room is a game at which a person may take a seat.
type Room struct {
	// Rules are the goal, the rules and the signs of the board, for somebody who has
	// never seen the game.
	Rules string
	// Host plays one game to its end. The person of the sitting takes part in it.
	Host func(ctx context.Context, s *Sitting) error
	// Tells says that Host also plays games without a person. Otherwise such games are
	// printed line by line.
	Tells bool
	// Switches are what the person may switch on in the command line.
	Switches []Switch
	// Replays, unless nil, is the game's own kind of replay files.
	Replays *Replays
}

// Switch is a flag of the command line without a value.
type Switch struct{ Name, Usage string }

// Replays is a game's own kind of replay files, as the terminal writes and tells
// them.
type Replays struct {
	Doc         string // whose files these are: "TUBSTAP's own replay files (.sgf)"
	Flag, Usage string // of the command line, which names the file to write
	// Is tells such a file from others.
	Is func(text []byte) bool
	// Tell prints the game in a file. rules holds only those options that a file leaves
	// open.
	Tell func(text []byte, rules param.Values, colour bool) (told string, warnings []string, err error)
}
