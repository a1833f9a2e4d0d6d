// The console seats a person at a game of TUBSTAP in a terminal: it draws the
// map at every turn, asks for orders, and keeps and tells TUBSTAP's own replay
// files (.sgf). The catalogue hands its Console to the command play.

package tubstap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/console"
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

// rules explain the game to a person who has never seen it.
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
	*console.Session
	ctx    context.Context
	game   *tubstap.Game // nil before the first turn
	turn   int           // the turn last shown, -1 before the first
	resign bool
	err    error // why the game stopped
}

// stopped returns an action that no unit can do; it ends the game.
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

// name returns a seat's in the replay file.
func (b *battle) name(seat int) string {
	if b.Entrants[seat] == console.Me {
		return console.Person
	}
	return b.Entrants[seat]
}

// act keeps an action that is about to be done.
func (b *battle) act(a tubstap.Action) tubstap.Action {
	if b.ctx.Err() != nil && b.err == nil {
		b.err = console.ErrInterrupted
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

// Console returns where a person commands a side, or watches two strategies do so.
func Console() *console.Console {
	return &console.Console{
		Rules: rules,
		Host:  func(ctx context.Context, s *console.Session) error { return host(ctx, s, Strategies()) },
		Tells: true,
		Replays: &console.Replays{
			Doc:  "TUBSTAP's own replay files (.sgf)",
			Flag: "sgf", Usage: "keep the game as a TUBSTAP replay in this file (tubstap)",
			Is: isReplay, Tell: tellReplay,
		},
	}
}

// host plays a game with or without a person.
func host(ctx context.Context, s *console.Session, strategies []tubstap.Strategy) error {
	b := &battle{Session: s, ctx: ctx, turn: -1}
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
	err := s.Play(ctx, console.WithPerson[tubstap.Options, tubstap.Player](tubstap.Definition(), seen, &general{battle: b}), about, func() bool { return b.err != nil || b.resign })
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

// Act implements tubstap.Player: it asks the person until an order can be
// carried out. One who has left or resigned does what no unit can, which ends
// the game.
func (g *general) Act(s *tubstap.State) tubstap.Action {
	for g.err == nil && !g.resign {
		if g.stay {
			return g.act(staying(s, s.FirstUnmoved()))
		}
		var line string
		if line, g.err = g.Ask(g.ctx, fmt.Sprintf("%v (%s)", s.Mover(), waiting(s))); g.err != nil {
			break
		}
		switch line {
		case "map":
			g.Aside()
			g.Show("%s%s", s.Draw(g.Colour), roll(s))
			continue
		case "help":
			g.Aside()
			g.Show("%s", help)
			continue
		case "end":
			g.stay = true
			continue
		case "resign":
			g.resign = true
			continue
		}
		if line == "moves" {
			g.Aside()
			g.Show("moves of which unit? Type moves and its number, as in moves 3\n")
			continue
		}
		if id, ok := strings.CutPrefix(line, "moves "); ok {
			g.Aside()
			g.Show("%s", choices(s, id))
			continue
		}
		a, err := readOrder(s, line)
		if err != nil {
			g.Aside()
			g.Show("%v (type help)\n", err)
			continue
		}
		return g.act(a)
	}
	return stopped()
}

// staying returns the action of a unit that stays.
func staying(s *tubstap.State, id int) tubstap.Action {
	u := s.Unit(id)
	return tubstap.Action{Unit: int16(id), X: u.X, Y: u.Y, Target: tubstap.NoUnit}
}

// readOrder reads what a unit is to do, and checks it against the rules.
func readOrder(s *tubstap.State, line string) (tubstap.Action, error) {
	words := strings.Fields(line)
	id, err := strconv.Atoi(words[0])
	if err != nil || id < 0 || id >= s.Units() {
		return stopped(), fmt.Errorf("expected the number of a unit first (%s), got %q", waiting(s), words[0])
	}
	a := staying(s, id)
	for _, w := range words[1:] {
		if target, ok := strings.CutPrefix(w, "x"); ok {
			n, err := strconv.Atoi(target)
			if err != nil || n < 0 || n >= s.Units() {
				return stopped(), fmt.Errorf("expected x and the number of a unit, got %q", w)
			}
			a.Target = int16(n)
			continue
		}
		x, y, ok := strings.Cut(w, ",")
		column, errX := strconv.ParseInt(x, 10, 8)
		row, errY := strconv.ParseInt(y, 10, 8)
		if !ok || errors.Join(errX, errY) != nil {
			return stopped(), fmt.Errorf("expected column,row such as 5,4 or a target such as x7, got %q", w)
		}
		a.X, a.Y = int8(column), int8(row)
	}
	return a, s.Check(a)
}

// waiting returns the units that have not acted.
func waiting(s *tubstap.State) string {
	var out []string
	for id := range s.Units() {
		if s.Movable(id) {
			out = append(out, strconv.Itoa(id))
		}
	}
	return "units " + strings.Join(out, " ")
}

// roll returns the list of both sides' units.
func roll(s *tubstap.State) string {
	var b strings.Builder
	for _, team := range []tubstap.Team{tubstap.Red, tubstap.Blue} {
		fmt.Fprintf(&b, "%-5v", team)
		for id := range s.Units() {
			if u := s.Unit(id); u.Alive() && u.Team == team {
				fmt.Fprintf(&b, " %d:%s%d@%d,%d", id, u.Kind.Mark(), u.HP, u.X, u.Y)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// choices returns what a unit can do.
func choices(s *tubstap.State, text string) string {
	id, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || id < 0 || id >= s.Units() || !s.Movable(id) {
		return fmt.Sprintf("expected one of the %s, got %q\n", waiting(s), text)
	}
	var moves, attacks []string
	for _, a := range s.AppendAll(nil, id) {
		if a.Target == tubstap.NoUnit {
			moves = append(moves, fmt.Sprintf("%d,%d", a.X, a.Y))
			continue
		}
		damage, counter := s.Exchange(a)
		attacks = append(attacks, fmt.Sprintf("%d,%d x%d (hits for %d, takes %d)", a.X, a.Y, a.Target, damage, counter))
	}
	out := "moves: " + strings.Join(moves, " ") + "\n"
	if len(attacks) > 0 {
		out += "attacks: " + strings.Join(attacks, "; ") + "\n"
	}
	return out
}

// isReplay reports whether a file is a replay file.
func isReplay(text []byte) bool { return bytes.Contains(text, []byte("SIZEX[")) }

// tellReplay writes the game of a replay file, turn by turn. It is read whole before a line
// is told.
func tellReplay(text []byte, rules param.Values, colour bool) (told string, warnings []string, err error) {
	for _, v := range rules {
		if v.Name != "antiair_infantry" {
			return "", nil, fmt.Errorf("--rules: expected antiair_infantry, got %s (the file holds the map)", v.Name)
		}
	}
	var options tubstap.Options
	if err := param.Set(rules, options.Declare); err != nil {
		return "", nil, err
	}
	r, read, err := tubstap.ParseRecord(text)
	if err != nil {
		return "", nil, err
	}
	for _, w := range read {
		warnings = append(warnings, w.String())
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "red %s, blue %s", r.Red, r.Blue)
	if r.Date != "" {
		fmt.Fprintf(&b, ", %s", r.Date)
	}
	b.WriteByte('\n')
	n := 0
	end, err := r.Tell(options.Rules(), tubstap.Watch{
		Turn: func(s *tubstap.State) { fmt.Fprintf(&b, "\n%s", s.Draw(colour)) },
		Step: func(s *tubstap.State, step tubstap.Step) {
			what := "resigns"
			if step.Type == tubstap.TypeTurnEnd {
				what = "ends the turn"
			} else if step.Type != tubstap.TypeResign {
				act, _ := step.Action() // checked before it is told
				what = s.Describe(act)
			}
			fmt.Fprintf(&b, "turn %d, %v: %s\n", s.Counter(), s.Mover(), what)
			for _, c := range r.Remarks {
				if c.Step == n {
					fmt.Fprintf(&b, "  %s\n", c.Text)
				}
			}
			n++
		},
	})
	if err != nil {
		return "", nil, err
	}
	winner, ending := end.Result()
	result := fmt.Sprintf("%v, winner %v", ending, winner)
	if ending == tubstap.Running {
		result = "the record ends before the game does"
	}
	fmt.Fprintf(&b, "\n%s%s, HP %d to %d\n", end.Draw(colour), result, end.HP(tubstap.Red), end.HP(tubstap.Blue))
	return b.String(), warnings, nil
}
