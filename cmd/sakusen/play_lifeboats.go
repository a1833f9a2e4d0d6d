package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
	"sakusen/strategies"
)

const lifeboatsHelp = `Type the number of a boat, or of a seat for an expulsion, to vote for it, or
  map    all boats again
  quit   leave the game
`

// personStrategy is the entrant of the person in the game that is played.
const personStrategy = "person"

// boatVoter is a person who votes at the desk. It is the strategy, its
// configuration and its player in one, as there is one person.
type boatVoter struct {
	*playing
	ctx  context.Context
	over bool  // the game that is told has ended
	err  error // why the person stopped voting
}

func (b *boatVoter) Declare(*param.Fields, *lifeboats.Rules)           {}
func (b *boatVoter) Player(*lifeboats.Rules) (lifeboats.Player, error) { return b, nil }
func (b *boatVoter) Model() lifeboats.Model                            { return nil }

// Vote asks the person until it names an option. One who has left votes for
// nothing, a fault that ends the game.
func (b *boatVoter) Vote(v *lifeboats.View) int {
	if b.over || b.err != nil {
		return -1
	}
	question := map[lifeboats.Phase]string{
		lifeboats.Leak: "which boat leaks", lifeboats.Advance: "which boat moves on",
	}[v.Phase]
	if v.Phase == lifeboats.Expel {
		question = fmt.Sprintf("boat %d is full: whose crew leaves", v.Boat)
	}
	for {
		var line string
		if line, b.err = b.desk.ask(b.ctx, question+" ("+options(v.Options())+")"); b.err != nil {
			return -1
		}
		switch line {
		case "map":
			b.desk.show("%s\n", v.Position)
			continue
		case "help":
			b.desk.show("%s", lifeboatsHelp)
			continue
		}
		if n, err := strconv.Atoi(line); err == nil && v.Options().Has(n) {
			return n
		}
		b.desk.show("expected one of %s, got %q (help tells what can be typed)\n", options(v.Options()), line)
	}
}

// options is a set as people read it.
func options(s lifeboats.Set) string {
	var out []string
	for ; s != 0; s = s.Rest() {
		out = append(out, strconv.Itoa(s.First()))
	}
	return strings.Join(out, " ")
}

// hostLifeboats plays a game with a person, who sees the others' votes when all
// are in. The chance is that of the match command's first block with the same
// seed.
func hostLifeboats(ctx context.Context, p *playing) error {
	person := &boatVoter{playing: p, ctx: ctx}
	all := append(strategies.Lifeboats(), arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		Name: personStrategy, Doc: "A person.", Source: "ours",
		New: func() arena.Config[lifeboats.Rules, lifeboats.Player] { return person },
	})
	rules, err := openRules(arena.Enter(lifeboats.Game(), all...), p.rules.Rules)
	if err != nil {
		return usage(err)
	}
	s, err := p.series(rules)
	if err != nil {
		return usage(err)
	}
	p.desk.show("You sit in seat %d of %d.\n%s", p.seat(), rules.Seats, lifeboatsHelp)
	s.Tell = func(_ int64, rotation int) func(string) {
		if rotation > 0 {
			person.over = true // one game is played of the block's
			return nil
		}
		return func(line string) {
			if person.err == nil {
				p.desk.show("%s\n", line)
			}
		}
	}
	_, err = arena.NewPool(1).Play(context.WithoutCancel(ctx), s, nil)
	if p.desk.failed != nil {
		err = fmt.Errorf("standard output: %w", p.desk.failed)
	}
	return errors.Join(person.err, err)
}
