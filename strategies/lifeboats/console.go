// The console seats a person among the players of Lifeboats in a terminal: it
// tells the game line by line and asks for votes. The catalogue hands its Console to
// the command play.

package lifeboats

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/console"
	"sakusen/engines/lifeboats"
)

const help = `Type the number of a boat, or of a seat for an expulsion, to vote for it, or
  map    all boats again
  rules  the rules and the signs
  undo   take back your last vote
  quit   leave the game
`

// rules explain the game to a person who has never seen it.
const rules = `Lifeboats. Every player has seven crew, spread over boats of six seats. Save more
of yours than the others save of theirs. Nothing happens but votes, which are told
when all are in:
  which boat leaks      if it is full, a second vote decides whose crew leaves it;
                        at its fourth leak a boat is lost with all aboard
  which boat moves on   after three steps it is home, and its crew is saved
A boat is told as
  boat 2: 3 to go, 1 flooded, crew 1 0 2
three steps from home, one leak; "crew" counts the crew of seat 0, seat 1, seat 2
and so on, from left to right. Your seat is named above.
`

// Console returns where a person votes among the strategies' players.
func Console() *console.Console {
	return &console.Console{Rules: rules, Host: func(ctx context.Context, s *console.Session) error { return host(ctx, s, Strategies()) }}
}

// consoleVoter is a person who votes at the console. It is strategy, configuration and player in one,
// since there is only one person.
type consoleVoter struct {
	*console.Session
	ctx context.Context
	err error // why the person stopped voting
}

func (b *consoleVoter) Model() lifeboats.Model { return nil }

// Vote asks the person until one of the options is named. A person who has left votes for
// no option, a fault that ends the game.
func (b *consoleVoter) Vote(v *lifeboats.View) int {
	if b.err != nil {
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
		if line, b.err = b.Ask(b.ctx, question+" ("+options(v.Options())+")"); b.err != nil {
			return -1
		}
		switch line {
		case "map":
			b.Aside()
			b.Show("%s\n", v.Position)
			continue
		case "help":
			b.Aside()
			b.Show("%s", help)
			continue
		}
		if n, err := strconv.Atoi(line); err == nil && v.Options().Has(n) {
			return n
		}
		b.Aside()
		b.Show("expected one of %s, got %q (type help)\n", options(v.Options()), line)
	}
}

// options returns a set as people read it.
func options(s lifeboats.Set) string {
	var out []string
	for ; s != 0; s = s.Rest() {
		out = append(out, strconv.Itoa(s.First()))
	}
	return strings.Join(out, " ")
}

// host plays a game with a person, who sees the others' votes when all are in.
func host(ctx context.Context, s *console.Session, strategies []arena.Strategy[lifeboats.Rules, lifeboats.Player]) error {
	person := &consoleVoter{Session: s, ctx: ctx}
	err := s.Play(ctx, console.WithPerson[lifeboats.Rules, lifeboats.Player](lifeboats.Game(), strategies, person), help, func() bool { return person.err != nil })
	return errors.Join(person.err, err)
}
