package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	"sakusen/strategies"
)

const tubstapHelp = `Type what one unit does; columns and rows are those on the board:
  3 5,4        unit 3 goes to column 5, row 4
  3 5,4 x7     goes there and attacks unit 7
  3 x7         attacks unit 7 from where it stands
  3            stays
  moves 3      what unit 3 can do
  end          all units that have not acted stay
  map          the board again
  resign, quit
`

// battle is a game of TUBSTAP as it is played or told. It shows the board at
// every turn and keeps the game for a replay file.
type battle struct {
	*playing
	ctx    context.Context
	game   *tubstap.Game // nil before the first turn
	turn   int           // the turn last shown, -1 before the first
	over   bool          // the game that is told has ended
	resign bool
	err    error // why the game stopped
}

// stopped is an action that no unit can do: it ends the game.
func stopped() tubstap.Action { return tubstap.Action{Unit: -1, Target: tubstap.NoUnit} }

// begin shows a turn.
func (b *battle) begin(s *tubstap.State) {
	if b.game == nil {
		m := *s.Map()
		m.Units = nil
		for id := range s.Units() {
			m.Units = append(m.Units, s.Unit(id))
		}
		b.game = tubstap.NewGame(m.Start(s.Rules()))
		b.game.Record.Red, b.game.Record.Blue = b.name(0), b.name(1)
	}
	if b.turn != s.Counter() {
		b.turn = s.Counter()
		b.desk.show("\n%s", s.Draw(b.colour))
	}
}

// name is a seat's in the replay file.
func (b *battle) name(seat int) string {
	if b.entrants[seat] == me {
		return personStrategy
	}
	return b.entrants[seat]
}

// act keeps an action that is about to be done.
func (b *battle) act(a tubstap.Action) tubstap.Action {
	if b.ctx.Err() != nil && b.err == nil {
		b.err = &coded{exitInterrupted, errors.New("interrupted")}
	}
	if b.over || b.err != nil || b.resign {
		return stopped()
	}
	if err := b.game.Play(a); err != nil {
		b.err = err
	}
	return a
}

// commander is one seat: a strategy's player, watched.
type commander struct {
	*battle
	player tubstap.Player
}

// Turn implements tubstap.Player.
func (c *commander) Turn(s *tubstap.State, chance *arena.Stream) {
	if c.over || c.err != nil {
		return
	}
	c.begin(s)
	c.player.Turn(s, chance)
}

// Act implements tubstap.Player.
func (c *commander) Act(s *tubstap.State) tubstap.Action {
	if c.over || c.err != nil {
		return stopped()
	}
	return c.act(c.player.Act(s))
}

// watched makes the players of a strategy, watched.
type watched struct {
	arena.Config[tubstap.Options, tubstap.Player]
	battle *battle
}

// Player implements arena.Config.
func (w watched) Player(o *tubstap.Options) (tubstap.Player, error) {
	p, err := w.Config.Player(o)
	return &commander{w.battle, p}, err
}

// general is the person: strategy, configuration and player in one, as there is
// one person.
type general struct {
	*battle
	stay bool // the rest of the turn
}

// Declare implements arena.Config.
func (g *general) Declare(*param.Fields, *tubstap.Options) {}

// Player implements arena.Config.
func (g *general) Player(*tubstap.Options) (tubstap.Player, error) { return g, nil }

// Turn implements tubstap.Player.
func (g *general) Turn(s *tubstap.State, _ *arena.Stream) {
	if g.over || g.err != nil {
		return
	}
	g.begin(s)
	g.stay = false
	g.desk.show("%s", roll(s))
}

// strategies are those of the catalogue, watched, and the person.
func (b *battle) strategies() []tubstap.Strategy {
	all := strategies.Tubstap()
	for i := range all {
		made := all[i].New
		all[i].New = func() arena.Config[tubstap.Options, tubstap.Player] { return watched{made(), b} }
	}
	person := &general{battle: b}
	return append(all, tubstap.Strategy{
		Name: personStrategy, Doc: "A person.", Source: "ours",
		New: func() arena.Config[tubstap.Options, tubstap.Player] { return person },
	})
}

// hostTubstap plays a game with or without a person. The chance is that of the
// match command's first block with the same seed.
func hostTubstap(ctx context.Context, p *playing) error {
	b := &battle{playing: p, ctx: ctx, turn: -1}
	rules, err := openRules(arena.Enter(tubstap.Definition(nil), b.strategies()...), p.rules.Rules)
	if err != nil {
		return usage(err)
	}
	s, err := p.series(rules)
	if err != nil {
		return usage(err)
	}
	if seat := p.seat(); seat >= 0 {
		p.desk.show("You command %v.\n%s", tubstap.Team(seat), tubstapHelp)
	}
	s.Tell = func(_ int64, rotation int) func(string) {
		if rotation > 0 {
			b.over = true // one game is played of the block's
			return nil
		}
		return func(line string) {
			if b.err == nil && !b.resign {
				p.desk.show("%s\n", line)
			}
		}
	}
	_, err = arena.NewPool(1).Play(context.WithoutCancel(ctx), s, nil)
	if b.resign {
		b.game.Resign()
		p.desk.show("%v resigns in turn %d\n", tubstap.Team(p.seat()), b.turn)
	}
	if b.game != nil {
		b.game.Record.Date = time.Now().Format(tubstapDate)
		p.replay = b.game.Record.AppendText
	}
	if p.desk.failed != nil {
		err = fmt.Errorf("standard output: %w", p.desk.failed)
	}
	return errors.Join(b.err, err)
}
