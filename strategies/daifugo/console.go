// The console seats a person among the players of Daifugo in a terminal: it tells
// the game line by line, shows the hands and asks for cards. The catalogue hands its
// Console to the command play.

package daifugo

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/console"
	"sakusen/engines/daifugo"
)

const help = `Type the number of a card to play it, or
  pass    play nothing
  hands   everybody's cards again
  rules   the rules
  undo    take back your last card
  quit    leave the game
`

const rules = `Daifugo, simplified, with open hands unless the rules hide them. Cards are numbers, and higher is stronger;
nobody has two alike. Whoever is rid of all cards first is the best.
On an empty table you must play a card. Otherwise play a higher card than the one
that lies there, or pass; who passed may play again later. When the turn comes
round to the player of the last card, the table clears, and that player leads.
`

// Console returns where a person plays among the strategies' players.
func Console() *console.Console {
	return &console.Console{Rules: rules, Host: func(ctx context.Context, s *console.Session) error { return host(ctx, s, Strategies()) }}
}

// hand is a person who plays at the console: strategy, configuration and player in one,
// since there is only one person.
type hand struct {
	*console.Session
	ctx  context.Context
	view *daifugo.View // what the person knows, while hands are hidden
	err  error         // why the person stopped playing
}

// ChooseBlind implements daifugo.Blind.
func (h *hand) ChooseBlind(v *daifugo.View, chance *arena.Stream) (daifugo.Move, int64) {
	h.view = v
	defer func() { h.view = nil }()
	p := v.Deal(chance) // only what is known of it is shown
	return h.Choose(&p, chance)
}

// Choose implements daifugo.Player: it asks the person until a move is legal. Who has
// left plays a card that no player has, a fault that ends the game.
func (h *hand) Choose(p *daifugo.Position, _ *arena.Stream) (daifugo.Move, int64) {
	if h.err != nil {
		return daifugo.MaxCards + 1, 0
	}
	h.table(p)
	for {
		var line string
		if line, h.err = h.Ask(h.ctx, "your card ("+choices(p)+")"); h.err != nil {
			return daifugo.MaxCards + 1, 0
		}
		switch line {
		case "hands":
			h.Aside()
			h.table(p)
			continue
		case "help":
			h.Aside()
			h.Show("%s", help)
			continue
		case "pass":
			if p.MayPass() {
				return daifugo.Pass, 0
			}
			h.Aside()
			h.Show("you lead: a card must be played on the empty table\n")
			continue
		}
		if n, err := strconv.Atoi(line); err == nil && n > 0 && n <= daifugo.MaxCards && p.Legal(daifugo.Move(n)) {
			return daifugo.Move(n), 0
		}
		h.Aside()
		h.Show("expected one of %s, got %q (type help)\n", choices(p), line)
	}
}

// table shows all players' cards and the cards on the table.
func (h *hand) table(p *daifugo.Position) {
	h.Show("\n")
	for seat := range p.Rules().Seats {
		who := fmt.Sprintf("seat %d", seat)
		if seat == h.Seat() {
			who = "you"
		}
		held := consoleCards(p.Hand(seat))
		if n := p.Hand(seat).Len(); h.view != nil && n > 0 && seat != p.Turn() {
			held = fmt.Sprintf("cards hidden, %d held; played %s", n, orNone(h.view.Played(seat)))
		}
		h.Show("%-7s %s\n", who, held)
	}
	if p.Table() == 0 {
		h.Show("the table is empty\n")
		return
	}
	who := fmt.Sprintf("seat %d", p.Last())
	if p.Last() == h.Seat() {
		who = "you"
	}
	h.Show("on the table: %d, of %s\n", p.Table(), who)
}

// consoleCards returns a hand as people read it.
func consoleCards(h daifugo.Hand) string {
	if h == 0 {
		return "out"
	}
	return strings.Trim(fmt.Sprint(h.Kinds()), "[]")
}

// orNone returns the cards that were played.
func orNone(h daifugo.Hand) string {
	if h == 0 {
		return "none"
	}
	return consoleCards(h)
}

// choices returns the legal moves.
func choices(p *daifugo.Position) string {
	var out []string
	for _, m := range p.Moves(nil) {
		out = append(out, m.String())
	}
	return strings.Join(out, " ")
}

// host plays a game with a person.
func host(ctx context.Context, s *console.Session, strategies []arena.Strategy[daifugo.Options, daifugo.Player]) error {
	person := &hand{Session: s, ctx: ctx}
	err := s.Play(ctx, console.WithPerson[daifugo.Options, daifugo.Player](daifugo.Game(), strategies, person), help, func() bool { return person.err != nil })
	return errors.Join(person.err, err)
}
