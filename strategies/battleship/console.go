// The console seats a person at a game of Battleship in a terminal: it asks for
// the fleet and the shots, draws both boards as text and, on request, the exact
// probability of a ship on every square. The catalogue hands its Console to the
// command play.

package battleship

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/console"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/count"
)

// navy is one side of a game with a person: its fleet and what its shots have
// told it of the other's.
type navy struct {
	name   string
	fleet  []battleship.Placement
	ships  []battleship.Set
	covers battleship.Set
	view   battleship.View
	fired  int
}

// consoleGame is a game with a person in it.
type consoleGame struct {
	*console.Session
	strategies []arena.Strategy[battleship.Rules, battleship.Player]
	table      *battleship.Rules
	sides      [2]*navy
	player     battleship.Player // the other side's
	counter    *count.Counter
}

// Console returns where a person plays against one of the strategies.
func Console() *console.Console {
	return &console.Console{
		Rules: consoleRules,
		Host: func(ctx context.Context, s *console.Session) error {
			return (&consoleGame{Session: s, strategies: Strategies()}).host(ctx)
		},
		Switches: []console.Switch{{Name: consoleHeat, Usage: "show the exact probability of a ship on every square before each shot (battleship)"}},
	}
}

// consoleHeat is the switch that shows chances before each shot.
const consoleHeat = "heat"

const deployHelp = `Type the first square of the ship and right or down (b3 right), or
  random  a place at random for this ship and all after it
  again   all ships once more, from the first
  rules   the rules and the signs
  undo    take back the last ship
  quit    leave the game
`

const help = `Type a square (e5) to shoot at it, or
  map    both boards again
  heat   the exact probability of a ship on every square, percent
  rules  the rules and the signs
  undo   take back the last shot, and what was answered
  quit   leave the game
`

// consoleRules explains the game to a new player, before the first move.
const consoleRules = `Battleship: both sides hide a fleet, then shoot in turns at one square of the
other's board and are told whether it hit, and whether it sank a ship. Sink all ships
of the other side first. Ships lie along a row or a column and do not overlap;
those of the other side may touch, unless it is told otherwise.
Signs of the left board, what you know of the enemy:
  . not shot at   o water   x hit, the ship is afloat   # of a sunk ship
Signs of the right board, yours: A, B, C, ... your ships in the order in which you
placed them; * before a letter was hit; o is where the enemy hit water.
`

// host plays a game with a person. Fleets and shots of the entrant are those of
// the command match's first block with the same seed.
func (g *consoleGame) host(ctx context.Context) error {
	if err := g.open(); err != nil {
		return err
	}
	if err := g.deploy(ctx); err != nil {
		return err
	}
	g.Show("%s", help)
	for {
		for seat, side := range g.sides {
			var err error
			if seat == g.Seat() {
				err = g.ask(ctx, side)
			} else {
				err = g.answer(ctx, side, g.player.Shoot(&side.view))
			}
			if err != nil {
				return err
			}
			if side.view.Over() {
				return g.finish(side)
			}
		}
	}
}

// open makes the rules, the sides and the entrant's player.
func (g *consoleGame) open() error {
	var errs []error
	if g.table, errs = battleship.NewRules(g.Rules.Rules); len(errs) > 0 {
		return errors.Join(errs...)
	}
	g.counter = count.New(g.table.Board())
	fixture := arena.Fixture{Seed: g.Seed}
	for seat := range g.sides {
		n := &navy{name: g.Entrants[seat], fleet: make([]battleship.Placement, g.table.Fleet().Ships())}
		if seat == g.Seat() {
			n.name = "you"
		}
		n.view.Knowledge = battleship.NewKnowledge(g.table.Board(), g.table.Fleet())
		n.view.Chance = fixture.Stream(seat, battleship.Shooting)
		g.sides[seat] = n
	}
	other := 1 - g.Seat()
	var err error
	if g.player, err = g.opponent(g.Entrants[other]); err != nil {
		return &arena.UnfitError{Entrant: g.Entrants[other], Err: err}
	}
	chance := fixture.Stream(other, battleship.Placing)
	g.player.Place(&chance, g.sides[other].fleet)
	g.put(g.sides[other])
	g.player.Aim(&g.sides[other].view)
	return nil
}

// opponent makes the player of an entrant.
func (g *consoleGame) opponent(text string) (battleship.Player, error) {
	e, err := g.Rules.Entrant(text)
	if err != nil {
		return nil, err
	}
	for _, s := range g.strategies {
		if s.Name != e.Strategy {
			continue
		}
		return s.Player(g.table, e.Params)
	}
	return nil, fmt.Errorf("no strategy of battleship is named %q", e.Strategy)
}

// put fills in what a side's fleet covers.
func (g *consoleGame) put(n *navy) {
	for _, p := range n.fleet {
		line := g.table.Board().Covers(g.table.Fleet(), p)
		n.ships = append(n.ships, line)
		n.covers = n.covers.Or(line)
	}
}

// deploy asks the person for a fleet.
func (g *consoleGame) deploy(ctx context.Context) error {
	mine := g.sides[g.Seat()]
	board, fleet := g.table.Board(), g.table.Fleet()
	g.Show("Place your fleet on %d x %d squares: for each ship its first square and\nright or down (b3 right), or random for all that are left.\n", board.Width(), board.Height())
	var taken battleship.Set
	for i := 0; i < fleet.Ships(); {
		line, err := g.Ask(ctx, fmt.Sprintf("%s of %d squares", fleet.Ship(i).Class, fleet.Length(i)))
		if err != nil {
			return err
		}
		switch line {
		case "help":
			g.Aside()
			g.Show("%s", deployHelp)
			continue
		case "again":
			taken, i = battleship.Set{}, 0
			continue
		case "random":
			if err := g.scatter(mine, i); err != nil {
				g.Aside()
				g.Show("%v (again begins anew)\n", err)
				continue
			}
			i = fleet.Ships()
			continue
		}
		at, way, _ := strings.Cut(line, " ")
		p := battleship.Placement{Ship: i, Vertical: strings.TrimSpace(way) == "down"}
		if p.Start, err = board.Parse(at); err != nil {
			g.Aside()
			g.Show("%v (type help)\n", err)
			continue
		}
		if way = strings.TrimSpace(way); way != "down" && way != "right" && fleet.Length(i) > 1 {
			g.Aside()
			g.Show("expected right or down behind the square, as in %s right\n", at)
			continue
		}
		covers := board.Covers(fleet, p)
		if covers.Empty() || covers.Meets(taken) {
			g.Aside()
			g.Show("a ship of %d squares does not fit there\n", fleet.Length(i))
			continue
		}
		taken = taken.Or(covers)
		mine.fleet[i] = p
		i++
	}
	g.put(mine)
	return nil
}

// scatter draws the person's ships from the i-th on, the earlier ones staying.
func (g *consoleGame) scatter(mine *navy, i int) error {
	var group placement
	if err := param.Set(nil, func(f *param.Fields) { group.declare(f, g.table) }); err != nil {
		return err
	}
	placer, err := group.placer(g.table)
	if err != nil {
		return err
	}
	fixture := arena.Fixture{Seed: g.Seed}
	chance := fixture.Stream(g.Seat(), battleship.Placing)
	drawn := make([]battleship.Placement, len(mine.fleet))
	const tries = 1 << 20
	for range tries {
		placer.Place(&chance, drawn)
		copy(drawn, mine.fleet[:i])
		var all battleship.Set
		for _, p := range drawn {
			all = all.Or(g.table.Board().Covers(g.table.Fleet(), p))
		}
		if all.Len() == g.table.Fleet().Squares() {
			copy(mine.fleet, drawn)
			return nil
		}
	}
	return fmt.Errorf("no room is left for the %s and the ships after it", g.table.Fleet().Ship(i).Class)
}

// ask asks the person for a shot.
func (g *consoleGame) ask(ctx context.Context, mine *navy) error {
	g.show()
	if g.Is(consoleHeat) {
		g.showHeat(mine)
	}
	for {
		line, err := g.Ask(ctx, fmt.Sprintf("shot %d", mine.fired+1))
		if err != nil {
			return err
		}
		switch line {
		case "map":
			g.Aside()
			g.show()
			continue
		case "heat":
			g.Aside()
			g.showHeat(mine)
			continue
		case "help":
			g.Aside()
			g.Show("%s", help)
			continue
		}
		at, err := g.table.Board().Parse(line)
		if err == nil && mine.view.Shots().Has(at) {
			err = fmt.Errorf("%s has been shot at", line)
		}
		if err != nil {
			g.Aside()
			g.Show("%v (type help)\n", err)
			continue
		}
		return g.answer(ctx, mine, at)
	}
}

// answer records a shot and tells what came of it.
func (g *consoleGame) answer(ctx context.Context, side *navy, at battleship.Square) error {
	if ctx.Err() != nil {
		return console.ErrInterrupted
	}
	target := g.sides[0]
	if target == side {
		target = g.sides[1]
	}
	answer, word := battleship.Miss, "miss"
	for ship, line := range target.ships {
		if !line.Has(at) {
			continue
		}
		answer, word = battleship.Hit, "hit"
		if line.Within(side.view.Hits().Or(battleship.SetOf(at))) {
			answer = battleship.Sunk(g.table.Fleet().Alike(ship))
			word = g.table.Fleet().Ship(ship).Class + " sunk"
		}
	}
	side.view.Record(at, answer)
	side.fired++
	who := side.name + " shoots"
	if side == g.sides[g.Seat()] {
		who = "you shoot"
	}
	g.Show("%s at %s: %s\n", who, g.table.Board().Name(at), word)
	return nil
}

// finish writes who won and shows the other fleet.
func (g *consoleGame) finish(winner *navy) error {
	g.show()
	if winner == g.sides[g.Seat()] {
		g.Show("You win with %d shots.\n", winner.fired)
	} else {
		g.Show("%s wins with %d shots. Its fleet:\n%s", winner.name, winner.fired,
			g.draw(func(s battleship.Square) string { return cell(winner, s) }))
	}
	return g.Err()
}
