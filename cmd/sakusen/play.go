package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/arena"
	"sakusen/tuner/match"
)

// me is the entrant that is a person.
const me = "me"

// boardroom is a game at which a person may take a seat.
type boardroom struct {
	game string
	// host plays one game; p.entrants[p.seat()] is the person.
	host func(ctx context.Context, p *playing) error
	// tells says that host also tells a game without a person.
	tells bool
}

// boardrooms are the games at which a person may take a seat. Any other game,
// and these without a person, are told line by line.
func boardrooms() []boardroom {
	return []boardroom{
		{game: "battleship", host: hostBattleship},
		{game: "lifeboats", host: hostLifeboats},
		{game: "tubstap", host: hostTubstap, tells: true},
	}
}

// playing is one game as it is played or told.
type playing struct {
	record
	rules *arena.Ruleset
	desk  *desk
	heat  bool
	// colour says that boards are shown in colour.
	colour bool
	// replay, unless nil, is the game in the form of TUBSTAP's replay files.
	replay func([]byte) []byte
}

// seat is the person's seat, -1 if there is none.
func (p *playing) seat() int {
	for i, e := range p.entrants {
		if e == me {
			return i
		}
	}
	return -1
}

type playFlags struct {
	rules        []string
	seed         uint64
	heat         bool
	save, replay string
	sgf          string
}

func (a *app) playCommand() *cobra.Command {
	var f playFlags
	c := &cobra.Command{
		Use:   "play GAME ENTRANT...",
		Short: "Tells one game to a person, who may take a seat",
		Long: `Plays one game. Where every seat has an ENTRANT, the game is told line by line.
A person takes the seat of the entrant "me", or the first seat when one entrant
is missing; help at the prompt tells what can be typed.

With --save the game, the person's lines among it, is kept in a file that
--replay plays again. --replay also tells TUBSTAP's own replay files (.sgf),
which --sgf writes.`,
		Example: `  sakusen play battleship EX --heat
  sakusen play battleship MP70/ED2SP me --save game.txt
  sakusen play battleship EX MP70 --seed 7
  sakusen play tubstap me single --rules map=own02 --sgf game.sgf
  sakusen play --replay game.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			if text, err := os.ReadFile(f.replay); err == nil && isTubstapReplay(text) && len(args) == 0 {
				return a.tellTubstapReplay(f.replay, text, f.rules)
			}
			p, err := a.newPlay(c, &f, args)
			if err != nil {
				return usage(err)
			}
			return a.runPlay(c.Context(), p, &f)
		},
	}
	fs := c.Flags()
	fs.Uint64Var(&f.seed, "seed", 0, "seed of all chance (default: drawn, and printed)")
	fs.StringArrayVar(&f.rules, "rules", nil, "option of the rules, name=value (repeatable)")
	fs.BoolVar(&f.heat, "heat", false, "show the exact probability of a ship on every square before each shot (battleship)")
	fs.StringVar(&f.save, "save", "", "keep the game in this file")
	fs.StringVar(&f.sgf, "sgf", "", "keep the game as a TUBSTAP replay in this file (tubstap)")
	fs.StringVar(&f.replay, "replay", "", "play the game of this file again")
	return c
}

// newPlay reads the command line, or the file to replay; every error is bad
// usage.
func (a *app) newPlay(c *cobra.Command, f *playFlags, args []string) (*playing, error) {
	p := &playing{heat: f.heat, colour: a.colour()}
	switch {
	case a.flags.asJSON:
		return nil, errors.New("play: expected a person, got --json (match --json and analyse are for programs)")
	case f.replay != "":
		if len(args) > 0 || c.Flags().Changed("seed") || c.Flags().Changed("rules") || f.save != "" {
			return nil, errors.New("--replay: expected a file alone, which tells the game, its entrants and its seed")
		}
		text, err := os.ReadFile(f.replay)
		if err != nil {
			return nil, err
		}
		if p.record, err = readRecord(f.replay, text); err != nil {
			return nil, err
		}
	case len(args) < 2:
		return nil, fmt.Errorf("expected a game and its entrants, got %d arguments", len(args))
	default:
		rules, err := parseRules(f.rules)
		if err != nil {
			return nil, err
		}
		p.record = record{game: args[0], rules: rules, entrants: args[1:], seed: f.seed}
		if !c.Flags().Changed("seed") {
			var b [8]byte
			if _, err := rand.Read(b[:]); err != nil {
				return nil, err
			}
			p.seed = binary.BigEndian.Uint64(b[:]) >> 32 // short enough to be typed
		}
	}
	game, err := a.catalogueOf(".").Game(p.game)
	if err != nil {
		return nil, err
	}
	if p.rules, err = openRules(game, match.Seats(game, p.record.rules, len(p.entrants))); err != nil {
		return nil, err
	}
	if f.sgf != "" && p.game != "tubstap" {
		return nil, fmt.Errorf("--sgf: expected a game of tubstap, got %s", p.game)
	}
	if err := errors.Join(keepable("--save", f.save), keepable("--sgf", f.sgf)); err != nil {
		return nil, err
	}
	return p, p.check()
}

// keepable reports why a game could not be kept in a file, before it is played
// in vain.
func keepable(flag, file string) error {
	if file == "" {
		return nil
	}
	if there, err := os.Stat(file); err == nil && there.IsDir() {
		return fmt.Errorf("%s: expected a file, %s is a folder", flag, file)
	}
	if there, err := os.Stat(filepath.Dir(file)); err != nil || !there.IsDir() {
		return fmt.Errorf("%s: expected a file in a folder that exists, got %s", flag, file)
	}
	return nil
}

// check seats the person and reads the entrants.
func (p *playing) check() error {
	if _, ok := p.room(); ok && len(p.entrants) == p.rules.Seats-1 && p.seat() < 0 {
		p.entrants = append([]string{me}, p.entrants...)
	}
	if len(p.entrants) != p.rules.Seats {
		return fmt.Errorf("%s takes %d entrants, got %d", p.game, p.rules.Seats, len(p.entrants))
	}
	people := 0
	for _, text := range p.entrants {
		if text == me {
			people++
		} else if _, err := p.rules.Entrant(text); err != nil {
			return err
		}
	}
	if _, ok := p.room(); people > 0 && !ok {
		return fmt.Errorf("play %s: expected entrants in all seats, got %q, and only %s seat a person", p.game, me, strings.Join(roomNames(), ", "))
	}
	if people > 1 {
		return fmt.Errorf("play %s: expected one person, got %d", p.game, people)
	}
	return nil
}

func (p *playing) room() (boardroom, bool) {
	for _, b := range boardrooms() {
		if b.game == p.game {
			return b, true
		}
	}
	return boardroom{}, false
}

func roomNames() []string {
	var names []string
	for _, b := range boardrooms() {
		names = append(names, b.game)
	}
	return names
}

// series is the game under rules that know the person as a strategy.
func (p *playing) series(rules *arena.Ruleset) (arena.Series, error) {
	s := arena.Series{Ruleset: rules, Seed: p.seed, Phase: arena.Match, To: 1}
	for _, text := range p.entrants {
		if text == me {
			text = personStrategy
		}
		e, err := rules.Entrant(text)
		if err != nil {
			return s, err
		}
		s.Entrants = append(s.Entrants, e)
	}
	return s, nil
}

// runPlay plays, and keeps the record whatever comes of the game.
func (a *app) runPlay(ctx context.Context, p *playing, f *playFlags) error {
	p.desk = newDesk(a.in, a.out)
	if f.replay != "" {
		p.desk = replayDesk(p.lines, a.out)
	}
	defer p.desk.leave()
	a.say("seed %d", p.seed)
	var err error
	if room, ok := p.room(); ok && (p.seat() >= 0 || room.tells) {
		err = room.host(ctx, p)
	} else {
		err = a.tellGame(ctx, p)
	}
	if f.save != "" {
		p.lines = p.desk.lines
		if failed := os.WriteFile(f.save, p.text(), 0o644); failed != nil {
			return errors.Join(err, failed)
		}
	}
	if f.sgf != "" && p.replay != nil {
		if failed := writeWhole(f.sgf, p.replay(nil)); failed != nil {
			return errors.Join(err, failed)
		}
	}
	if errors.Is(err, errLeft) {
		_, err = fmt.Fprintln(a.out, "The game is left here.")
	}
	return err
}

// tellGame plays entrants in all seats and tells it.
func (a *app) tellGame(ctx context.Context, p *playing) error {
	s := arena.Series{Ruleset: p.rules, Seed: p.seed, Phase: arena.Match, To: 1}
	for _, text := range p.entrants {
		e, err := p.rules.Entrant(text)
		if err != nil {
			return usage(err)
		}
		s.Entrants = append(s.Entrants, e)
	}
	var failed error
	s.Tell = func(_ int64, rotation int) func(string) {
		if rotation > 0 {
			return nil // one game is told of the block's
		}
		return func(line string) {
			if failed == nil {
				_, failed = fmt.Fprintln(a.out, line)
			}
		}
	}
	_, err := arena.NewPool(1).Play(ctx, s, nil)
	if failed != nil {
		return fmt.Errorf("standard output: %w", failed)
	}
	return err
}
