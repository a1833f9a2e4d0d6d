// Package play lets a person play a game in a terminal, or tells one to him. It
// knows no game: a game's desk.Room, on its line of the catalogue, asks for moves
// and draws the board; games without one, and rooms without a person, are told
// line by line.
//
//	g, err := play.Open(games, rules, record)
//	err = g.Play(ctx, play.Streams{In: os.Stdin, Out: os.Stdout})
//	os.WriteFile("game.txt", g.Text(), 0o644)
package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/arena/desk"
)

// Game is one game that is to be played, with a person or without.
type Game struct {
	SavedGame
	On     []string // switches of the game's room
	Colour bool     // boards are shown in colour
	Date   string   // local date and time, 2006-01-02 15:04:05
	Again  bool     // the person's lines are those of the record
	Resume bool     // the person goes on after the lines of the record

	// Replay is the game in the form of the game's own replay files, once it was
	// played; nil where it has none.
	Replay []byte
	// Broken says that the input ended, or the program was interrupted, before the game
	// was over or the person left it.
	Broken bool

	rules *arena.Ruleset
	room  *desk.Room
}

// Streams are what a person reads and types.
type Streams struct {
	In  io.Reader
	Out io.Writer
}

// Open checks a record against the rules under which it is to be played, seats
// the person and reads the entrants.
func Open(games catalogue.Games, rules *arena.Ruleset, r SavedGame) (*Game, error) {
	game, err := games.Game(r.Game)
	if err != nil {
		return nil, err
	}
	g := &Game{SavedGame: r, rules: rules, room: game.Room}
	if g.room != nil && len(g.Entrants) == rules.Seats-1 && !slices.Contains(g.Entrants, desk.Me) {
		g.Entrants = append([]string{desk.Me}, g.Entrants...)
	}
	if len(g.Entrants) != rules.Seats {
		return nil, fmt.Errorf("%s takes %d entrants, got %d", r.Game, rules.Seats, len(g.Entrants))
	}
	people := 0
	for _, text := range g.Entrants {
		if text == desk.Me {
			people++
		} else if _, err := rules.Entrant(text); err != nil {
			return nil, err
		}
	}
	if people > 0 && g.room == nil {
		others := "no game of this program seats a person"
		if seats := seating(games); len(seats) > 0 {
			others = "of the games of this program " + strings.Join(seats, ", ") + " seat a person"
		}
		return nil, fmt.Errorf("play %s: a person cannot take a seat in this game: name an entrant for every seat, to watch (%s)", r.Game, others)
	}
	if people > 1 {
		return nil, fmt.Errorf("play %s: expected one person, got %d", r.Game, people)
	}
	return g, nil
}

// seating is the games that seat a person, sorted.
func seating(games catalogue.Games) []string {
	var names []string
	for _, g := range games {
		if g.Room != nil {
			names = append(names, g.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Play plays the game. The record has the person's lines then, whatever came of
// the game. The error is desk.ErrInterrupted where the context has ended.
func (g *Game) Play(ctx context.Context, at Streams) error {
	t := newTerminal(at.In, at.Out)
	if g.Again {
		t = replayTerminal(g.Lines, at.Out)
	}
	defer t.leave()
	if g.Resume {
		t.begin(slices.DeleteFunc(slices.Clone(g.Lines), func(line string) bool { return line == "quit" }))
	}
	var err error
	if seat := slices.Index(g.Entrants, desk.Me); g.room != nil && (seat >= 0 || g.room.Tells) {
		for err = desk.ErrUndo; errors.Is(err, desk.ErrUndo); {
			g.welcome(t, seat)
			err = g.room.Host(ctx, &desk.Sitting{
				Desk: t, Rules: g.rules, Entrants: g.Entrants, Seed: g.Seed, On: g.On, Colour: g.Colour, Date: g.Date,
				Keep: func(text []byte) { g.Replay = text },
			})
		}
		t.flush()
	} else {
		err = g.tell(ctx, t)
	}
	g.Lines, g.Broken = t.lines, t.ended
	if errors.Is(err, desk.ErrLeft) {
		t.Show("The game is left here.\n")
		err = t.Err()
	}
	return err
}

// welcome says who sits where, and what every game understands.
func (g *Game) welcome(t *terminal, seat int) {
	if seat < 0 {
		return
	}
	t.rules = g.room.Rules
	for i, entrant := range g.Entrants {
		if i == seat {
			entrant = "you"
		}
		t.Show("seat %d: %s\n", i, entrant)
	}
	t.Show("Type rules for the rules and signs, help for what to type, undo to take back.\n\n")
}

// tell plays entrants in all seats and tells the game.
func (g *Game) tell(ctx context.Context, t *terminal) error {
	s := arena.Series{Ruleset: g.rules, Seed: g.Seed, Phase: arena.Match, To: 1}
	for _, text := range g.Entrants {
		e, err := g.rules.Entrant(text)
		if err != nil {
			return err
		}
		s.Entrants = append(s.Entrants, e)
	}
	s.Story = func(line string) { t.Show("%s\n", line) }
	_, err := arena.One(ctx, &s, 0, 0)
	return errors.Join(t.Err(), err)
}
