// Package console lets a person play a game in a terminal: a Terminal shows text and asks for
// lines, and a Session is the game to play. A game's Console, on its line of the catalogue,
// plays sessions for the command play. Nothing here reads or writes by itself.
//
//	func host(ctx context.Context, s *console.Session) error {
//		s.Show("You sit in seat %d.\n", s.Seat())
//		line, err := s.Ask(ctx, "your move")
//		...
//	}
package console

import (
	"context"
	"errors"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Terminal shows a game to a person and asks for moves.
type Terminal interface {
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

// Console is how a person plays a game in a terminal.
type Console struct {
	// Rules explain the goal, the rules and the signs of the board, for a person who has
	// never seen the game.
	Rules string
	// Host plays one game to its end. The person of the session takes part in it.
	Host func(ctx context.Context, s *Session) error
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
	// Is reports whether a file is one of these.
	Is func(text []byte) bool
	// Tell prints the game in a file. rules holds only those options that a file leaves
	// open.
	Tell func(text []byte, rules param.Values, colour bool) (told string, warnings []string, err error)
}

// Me is the entrant that is a person, and Person the name of the strategy that
// sits for it in the game that is played.
const (
	Me     = "me"
	Person = "person"
)

// Session is one game to play, with a person or without. Its random numbers are those of the
// first block of the command match with the same seed.
type Session struct {
	Terminal
	Rules    *arena.Ruleset
	Entrants []string // texts by seat, Me for the person
	Seed     uint64
	On       []string // switches
	Colour   bool     // boards are shown in colour
	Date     string   // local date and time, 2006-01-02 15:04:05
	// Keep takes the game in the form of the game's own replay files, if it has one.
	Keep func(text []byte)
}

// Seat returns the person's seat, -1 if there is none.
func (s *Session) Seat() int { return slices.Index(s.Entrants, Me) }

// Is reports whether a switch is on.
func (s *Session) Is(on string) bool { return slices.Contains(s.On, on) }

// WithPerson returns a game with one more strategy, the person, which has no parameters.
func WithPerson[R, P any](d arena.Definition[R, P], strategies []arena.Strategy[R, P], person P) *arena.Game {
	return arena.Enter(d, append(slices.Clone(strategies), arena.Strategy[R, P]{
		Name: Person, Doc: "A person.", Source: "ours",
		New: func(*param.Fields, *R) arena.Maker[P] { return arena.Made(person) },
	})...)
}

// Series returns the session's game as a series of one block, of a game made by WithPerson.
func (s *Session) Series(game *arena.Game) (arena.Series, error) {
	rules, errs := game.Open(s.Rules.Rules)
	if len(errs) > 0 {
		return arena.Series{}, errs[0]
	}
	out := arena.Series{Ruleset: rules, Seed: s.Seed, Phase: arena.Match, To: 1}
	for _, text := range s.Entrants {
		if text == Me {
			text = Person
		}
		e, err := rules.Entrant(text)
		if err != nil {
			return out, err
		}
		out.Entrants = append(out.Entrants, e)
	}
	return out, nil
}

// Play plays the session's game to its end and prints it line by line. One of its players
// is the person. When stopped reports that the person has left or was interrupted, the
// person's next move is an illegal one, which ends the game, and nothing more is printed.
func (s *Session) Play(ctx context.Context, game *arena.Game, help string, stopped func() bool) error {
	played, err := s.Series(game)
	if err != nil {
		return err
	}
	s.Show("%s", help)
	played.Story = func(line string) {
		if !stopped() {
			s.Show("%s\n", line)
		}
	}
	_, err = arena.One(context.WithoutCancel(ctx), &played, 0, 0)
	if s.Err() != nil {
		return s.Err()
	}
	return err
}
