// Desk seats a person at a game of TUBSTAP in a terminal: it draws the
// map at every turn, asks for orders, and keeps and tells TUBSTAP's own replay
// files (.sgf). The catalogue hands its Room to the command play.

package tubstap

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/arena/desk"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

const help = `Type what one unit does; columns and rows are those on the board:
  3 5,4        unit 3 goes to column 5, row 4
  3 5,4 x7     goes there and attacks unit 7
  3 x7         attacks unit 7 from where it stands
  3            stays
  moves 3      what unit 3 can do
  end          all units that have not acted stay
  map          the board again
  rules, undo, resign, quit
`

// rules are for somebody who has never seen the game.
const rules = `TUBSTAP: two armies on a map of squares. In your turn every unit of yours may act
once: it moves, and may then attack a unit of the other side; who is attacked and
lives, hits back if it can. Win by destroying the other army; when the turns are over, the
side with more HP wins, if the difference is large enough.
Signs of the board:
  . plain   * forest   ^ mountain   ~ sea   = road   % fortress   # wall
  F9        a unit after its terrain: a capital letter is Red, a small one Blue;
            then its HP, X for 10; ' says that it has acted
  F fighter, A attacker (planes); P panzer, U cannon, R anti-air, I infantry
Terrain protects units on the ground, some more than others. Below the board stand
the units of both sides: number:kind and HP@column,row. moves 3 tells what unit 3
can do, and how much each attack would hit for and take.
`

// battle is a game of TUBSTAP as it is played or told. It shows the board at
// every turn and keeps the game for a replay file.
type battle struct {
	*desk.Sitting
	ctx    context.Context
	game   *tubstap.Game // nil before the first turn
	turn   int           // the turn last shown, -1 before the first
	resign bool
	err    error // why the game stopped
}

// stopped is an action that no unit can do; it ends the game.
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
		b.Show("\n%s", s.Draw(b.Colour))
	}
}

// name is a seat's in the replay file.
func (b *battle) name(seat int) string {
	if b.Entrants[seat] == desk.Me {
		return desk.Person
	}
	return b.Entrants[seat]
}

// act keeps an action that is about to be done.
func (b *battle) act(a tubstap.Action) tubstap.Action {
	if b.ctx.Err() != nil && b.err == nil {
		b.err = desk.ErrInterrupted
	}
	if b.err != nil || b.resign {
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
	if c.err != nil {
		return
	}
	c.begin(s)
	c.player.Turn(s, chance)
}

// Act implements tubstap.Player.
func (c *commander) Act(s *tubstap.State) tubstap.Action {
	if c.err != nil {
		return stopped()
	}
	return c.act(c.player.Act(s))
}

// general is the person: strategy, configuration and player in one, as there is
// one person.
type general struct {
	*battle
	stay bool // the rest of the turn
}

// Turn implements tubstap.Player.
func (g *general) Turn(s *tubstap.State, _ *arena.Stream) {
	if g.err != nil {
		return
	}
	g.begin(s)
	g.stay = false
	g.Show("%s", roll(s))
}

// Room is where a person commands a side, or watches two strategies do so.
func Room() *desk.Room {
	return &desk.Room{
		Rules: rules,
		Host:  func(ctx context.Context, s *desk.Sitting) error { return host(ctx, s, Strategies()) },
		Tells: true,
		Replays: &desk.Replays{
			Doc:  "TUBSTAP's own replay files (.sgf)",
			Flag: "sgf", Usage: "keep the game as a TUBSTAP replay in this file (tubstap)",
			Is: isReplay, Tell: tellReplay,
		},
	}
}

// host plays a game with or without a person.
func host(ctx context.Context, s *desk.Sitting, strategies []tubstap.Strategy) error {
	b := &battle{Sitting: s, ctx: ctx, turn: -1}
	seen := slices.Clone(strategies)
	for i := range seen {
		of := seen[i].New
		seen[i].New = func(f *param.Fields, o *tubstap.Options) arena.Maker[tubstap.Player] {
			player := of(f, o)
			return func() (tubstap.Player, error) { p, err := player(); return &commander{b, p}, err }
		}
	}
	about := ""
	if seat := s.Seat(); seat >= 0 {
		about = fmt.Sprintf("You command %v.\n%s", tubstap.Team(seat), help)
	}
	err := s.Play(ctx, desk.Game[tubstap.Options, tubstap.Player](tubstap.Definition(), seen, &general{battle: b}), about, func() bool { return b.err != nil || b.resign })
	if b.resign {
		b.game.Resign()
		s.Show("%v resigns in turn %d\n", tubstap.Team(s.Seat()), b.turn)
	}
	if b.game != nil {
		b.game.Record.Date = s.Date
		s.Keep(b.game.Record.AppendText(nil))
	}
	if s.Err() != nil {
		err = s.Err()
	}
	return errors.Join(b.err, err)
}
