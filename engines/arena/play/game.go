// Package play lets a person play a game in a terminal, or shows one. It knows no game: a
// game's console.Console, on its line of the catalogue, asks for moves and draws the board; games
// without one, and rooms without a person, are told line by line.
//
//	g, err := play.Open(games, rules, record)
//	err = g.Play(ctx, play.Streams{In: os.Stdin, Out: os.Stdout})
//	os.WriteFile("game.txt", g.Text(), 0o644)
package play

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/arena/console"
	"sakusen/engines/param"
	"sakusen/engines/plain"
)

// Game is one game that is to be played, with a person or without.
type Game struct {
	SavedGame
	On     []string // switches of the game's console
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

	rules   *arena.Ruleset
	console *console.Console
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
	g := &Game{SavedGame: r, rules: rules, console: game.Console}
	if g.console != nil && len(g.Entrants) == rules.Seats-1 && !slices.Contains(g.Entrants, console.Me) {
		g.Entrants = append([]string{console.Me}, g.Entrants...)
	}
	if len(g.Entrants) != rules.Seats {
		return nil, fmt.Errorf("%s takes %d entrants, got %d", r.Game, rules.Seats, len(g.Entrants))
	}
	people := 0
	for _, text := range g.Entrants {
		if text == console.Me {
			people++
		} else if _, err := rules.Entrant(text); err != nil {
			return nil, err
		}
	}
	if people > 0 && g.console == nil {
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

// seating returns the games that seat a person, sorted.
func seating(games catalogue.Games) []string {
	var names []string
	for _, g := range games {
		if g.Console != nil {
			names = append(names, g.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Play plays the game. The record has the person's lines then, whatever came of
// the game. The error is console.ErrInterrupted where the context has ended.
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
	if seat := slices.Index(g.Entrants, console.Me); g.console != nil && (seat >= 0 || g.console.Tells) {
		for err = console.ErrUndo; errors.Is(err, console.ErrUndo); {
			g.welcome(t, seat)
			err = g.console.Host(ctx, &console.Session{
				Terminal: t, Rules: g.rules, Entrants: g.Entrants, Seed: g.Seed, On: g.On, Colour: g.Colour, Date: g.Date,
				Keep: func(text []byte) { g.Replay = text },
			})
		}
		t.flush()
	} else {
		err = g.tell(ctx, t)
	}
	g.Lines, g.Broken = t.lines, t.ended
	if errors.Is(err, console.ErrLeft) {
		t.Show("The game is left here.\n")
		err = t.Err()
	}
	return err
}

// welcome returns who sits where, and what every game understands.
func (g *Game) welcome(t *terminal, seat int) {
	if seat < 0 {
		return
	}
	t.rules = g.console.Rules
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

// SavedGame is a game as a file keeps it: what was to be played, and what the
// person typed. Everything else follows from it.
//
//	sakusen game 1
//	game battleship
//	seed 7
//	rules width=8
//	entrant me
//	entrant EX
//	line random
//	line e5
type SavedGame struct {
	Game     string
	Rules    param.Values
	Entrants []string
	Seed     uint64
	Lines    []string // as typed, in order
}

const recordHead = "sakusen game 1"

// text returns the record as a file.
func (r *SavedGame) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\ngame %s\nseed %d\n", recordHead, r.Game, r.Seed)
	for _, v := range r.Rules {
		fmt.Fprintf(&b, "rules %s=%s\n", v.Name, v.Text)
	}
	for _, e := range r.Entrants {
		fmt.Fprintf(&b, "entrant %s\n", e)
	}
	for _, l := range r.Lines {
		fmt.Fprintf(&b, "line %s\n", l)
	}
	return b.Bytes()
}

// isRecord reports whether a text is a record and not a file of another kind.
func isRecord(text []byte) bool { return bytes.HasPrefix(text, []byte(recordHead)) }

// DrawSeed draws a seed that is short enough to be typed.
func DrawSeed() uint64 {
	var b [4]byte
	rand.Read(b[:]) // never fails
	return uint64(binary.BigEndian.Uint32(b[:]))
}

// Load reads a record from its file.
func Load(file string) (SavedGame, error) {
	text, err := plain.ReadFile(file, plain.MostRecord)
	if err != nil {
		return SavedGame{}, err
	}
	return readRecord(file, text)
}

// readRecord reads a record; the error names the file and the line.
func readRecord(file string, text []byte) (SavedGame, error) {
	var r SavedGame
	seen := map[string]bool{}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i, line := range lines {
		fail := func(format string, args ...any) (SavedGame, error) {
			return SavedGame{}, fmt.Errorf("%s:%d: %s", file, i+1, fmt.Sprintf(format, args...))
		}
		if i == 0 {
			if line != recordHead {
				return fail("expected %q, got %q", recordHead, line)
			}
			continue
		}
		key, value, _ := strings.Cut(line, " ")
		if (key == "game" || key == "seed") && seen[key] {
			return fail("expected %s once, got it twice", key)
		}
		seen[key] = true
		switch key {
		case "game":
			r.Game = value
		case "seed":
			n, err := param.ParseSeed(value)
			if err != nil {
				return fail("seed: %v", err)
			}
			r.Seed = uint64(n)
		case "rules":
			name, option, ok := strings.Cut(value, "=")
			if name = strings.TrimSpace(name); !ok || name == "" {
				return fail("rules: expected name=value, got %q", value)
			}
			r.Rules = append(r.Rules, param.Value{Name: name, Text: strings.TrimSpace(option)})
		case "entrant":
			r.Entrants = append(r.Entrants, value)
		case "line":
			r.Lines = append(r.Lines, value)
		default:
			return fail("expected game, seed, rules, entrant or line, got %q", key)
		}
	}
	for _, key := range []string{"game", "seed", "entrant"} {
		if !seen[key] {
			return SavedGame{}, fmt.Errorf("%s: expected a line that begins with %s, got none", file, key)
		}
	}
	return r, nil
}

// ReplaysOf finds the game whose own replay file a text is; nil if it is one
// of our own records, or unknown.
func ReplaysOf(games catalogue.Games, text []byte) *console.Replays {
	if isRecord(text) {
		return nil
	}
	for _, g := range games {
		if g.Console != nil && g.Console.Replays != nil && g.Console.Replays.Is(text) {
			return g.Console.Replays
		}
	}
	return nil
}

// writers returns the games whose own replay files a flag names.
func writers(games catalogue.Games, flag string) []string {
	var names []string
	for _, g := range games {
		if g.Console != nil && g.Console.Replays != nil && g.Console.Replays.Flag == flag {
			names = append(names, g.Name)
		}
	}
	return names
}

// ReplaysHelp describes the games' own replay files: the end of a help text.
func ReplaysHelp(games catalogue.Games) string {
	var text strings.Builder
	for _, g := range games {
		if g.Console != nil && g.Console.Replays != nil {
			fmt.Fprintf(&text, " --replay also tells %s,\nwhich --%s writes.", g.Console.Replays.Doc, g.Console.Replays.Flag)
		}
	}
	return text.String()
}

// Keepable reports, before a game is played, why it could not be saved in the named
// files: its record, and replay files of games by their flags. Empty names are none.
func Keepable(games catalogue.Games, game, record string, replays map[string]*string) error {
	errs := []error{flagged("save", record)}
	for _, flag := range slices.Sorted(maps.Keys(replays)) {
		if *replays[flag] == "" {
			continue
		}
		if writers := writers(games, flag); !slices.Contains(writers, game) {
			return fmt.Errorf("--%s: expected a game of %s, got %s", flag, strings.Join(writers, ", "), game)
		}
		errs = append(errs, flagged(flag, *replays[flag]))
	}
	return errors.Join(errs...)
}

func flagged(flag, file string) error {
	if err := writable(file); err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}

// Keep saves a game that was played: its record, where that is named or the game was
// broken off, and its replay. kept is the record's file of a game that can be gone on
// with; write writes a replay's file as a whole.
func (g *Game) Keep(record string, replays map[string]*string, write func(file string, text []byte) error) (kept string, err error) {
	if g.Broken && record == "" && len(g.Lines) > 0 {
		record = fmt.Sprintf("%s-%d.play", g.SavedGame.Game, g.Seed)
	}
	if record != "" {
		err = os.WriteFile(record, g.text(), 0o644)
	}
	for _, file := range replays { // one at most, by Keepable
		if *file != "" && g.Replay != nil {
			err = errors.Join(err, write(*file, g.Replay))
		}
	}
	if !g.Broken {
		record = ""
	}
	return record, err
}

// writable reports why a game could not be saved in a file, before it is played.
// No file, "", is no reason.
func writable(file string) error {
	if file == "" {
		return nil
	}
	if there, err := os.Stat(file); err == nil && there.IsDir() {
		return fmt.Errorf("expected a file, %s is a folder", file)
	}
	if there, err := os.Stat(filepath.Dir(file)); err != nil || !there.IsDir() {
		return fmt.Errorf("expected a file in a folder that exists, got %s", file)
	}
	return nil
}
