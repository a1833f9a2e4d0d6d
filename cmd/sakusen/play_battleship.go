package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/strategies/battleship/count"
	"sakusen/strategies/battleship/place"
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

// battleshipGame is a game with a person in it.
type battleshipGame struct {
	*playing
	table   *battleship.Rules
	sides   [2]*navy
	player  battleship.Player // the other side's
	counter *count.Counter
}

const deployHelp = `Type the first square of the ship and right or down (b3 right), or
  random  a place at random for this ship and all after it
  again   all ships once more, from the first
  quit    leave the game
`

const battleshipHelp = `Type a square (e5) to shoot at it, or
  map    both boards again
  heat   the exact probability of a ship on every square, percent
  quit   leave the game
`

// hostBattleship plays a game with a person. The chance is that of the match
// command's first block with the same seed: fleets and shots of the entrant are
// the same there.
func hostBattleship(ctx context.Context, p *playing) error {
	g := &battleshipGame{playing: p}
	if err := g.open(); err != nil {
		return usage(err)
	}
	if err := g.deploy(ctx); err != nil {
		return err
	}
	g.desk.show("%s", battleshipHelp)
	for {
		for seat, side := range g.sides {
			var err error
			if seat == g.seat() {
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
func (g *battleshipGame) open() error {
	definition := battleship.Game()
	g.table = &battleship.Rules{}
	f, err := param.Bind(func(f *param.Fields) { definition.Declare(g.table, f) })
	if err != nil {
		return err
	}
	if _, errs := f.Assign(g.record.rules); len(errs) > 0 {
		return errors.Join(errs...)
	}
	if err := definition.Check(g.table); err != nil {
		return err
	}
	g.counter = count.New(g.table.Board())
	fixture := arena.Fixture{Seed: g.seed}
	for seat := range g.sides {
		n := &navy{name: g.entrants[seat], fleet: make([]battleship.Placement, g.table.Fleet().Ships())}
		if seat == g.seat() {
			n.name = "you"
		}
		n.view.Knowledge = battleship.NewKnowledge(g.table.Board(), g.table.Fleet())
		n.view.Chance = fixture.Stream(seat, battleship.Shooting)
		g.sides[seat] = n
	}
	other := 1 - g.seat()
	if g.player, err = battleshipPlayer(g.rules, g.table, g.entrants[other]); err != nil {
		return err
	}
	chance := fixture.Stream(other, battleship.Placing)
	g.player.Place(&chance, g.sides[other].fleet)
	g.put(g.sides[other])
	g.player.Aim(&g.sides[other].view)
	return nil
}

// battleshipPlayer makes the player of an entrant.
func battleshipPlayer(rules *arena.Ruleset, table *battleship.Rules, text string) (battleship.Player, error) {
	e, err := rules.Entrant(text)
	if err != nil {
		return nil, err
	}
	for _, s := range strategies.Battleship() {
		if s.Name != e.Strategy {
			continue
		}
		c := s.New()
		f, err := param.Bind(func(f *param.Fields) { c.Declare(f, table) })
		if err != nil {
			return nil, err
		}
		if _, errs := f.Assign(e.Params); len(errs) > 0 {
			return nil, errors.Join(errs...)
		}
		return c.Player(table)
	}
	return nil, fmt.Errorf("no strategy of battleship is named %q", e.Strategy)
}

// put fills in what a side's fleet covers.
func (g *battleshipGame) put(n *navy) {
	for _, p := range n.fleet {
		line := g.table.Board().Covers(g.table.Fleet(), p)
		n.ships = append(n.ships, line)
		n.covers = n.covers.Or(line)
	}
}

// deploy asks the person for a fleet.
func (g *battleshipGame) deploy(ctx context.Context) error {
	mine := g.sides[g.seat()]
	board, fleet := g.table.Board(), g.table.Fleet()
	g.desk.show("Place your fleet on %d x %d squares: for each ship its first square and right or down\n(b3 right), or random for all that are left.\n", board.Width(), board.Height())
	var taken battleship.Set
	for i := 0; i < fleet.Ships(); {
		line, err := g.desk.ask(ctx, fmt.Sprintf("%s of %d squares", fleet.Ship(i).Class, fleet.Length(i)))
		if err != nil {
			return err
		}
		switch line {
		case "help":
			g.desk.show("%s", deployHelp)
			continue
		case "again":
			taken, i = battleship.Set{}, 0
			continue
		case "random":
			if err := g.scatter(mine, i); err != nil {
				g.desk.show("%v (again begins anew)\n", err)
				continue
			}
			i = fleet.Ships()
			continue
		}
		at, way, _ := strings.Cut(line, " ")
		p := battleship.Placement{Ship: i, Vertical: strings.TrimSpace(way) == "down"}
		if p.Start, err = board.Parse(at); err != nil {
			g.desk.show("%v (help tells what can be typed)\n", err)
			continue
		}
		if way = strings.TrimSpace(way); way != "down" && way != "right" && fleet.Length(i) > 1 {
			g.desk.show("expected right or down behind the square, got %q\n", way)
			continue
		}
		covers := board.Covers(fleet, p)
		if covers.Empty() || covers.Meets(taken) {
			g.desk.show("a ship of %d squares does not fit there\n", fleet.Length(i))
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
func (g *battleshipGame) scatter(mine *navy, i int) error {
	var group place.Group
	f, err := param.Bind(func(f *param.Fields) { group.Declare(f, g.table) })
	if err != nil {
		return err
	}
	if _, errs := f.Assign(nil); len(errs) > 0 {
		return errors.Join(errs...)
	}
	placer, err := group.Placer(g.table)
	if err != nil {
		return err
	}
	fixture := arena.Fixture{Seed: g.seed}
	chance := fixture.Stream(g.seat(), battleship.Placing)
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
func (g *battleshipGame) ask(ctx context.Context, mine *navy) error {
	g.show()
	if g.heat {
		g.showHeat(mine)
	}
	for {
		line, err := g.desk.ask(ctx, fmt.Sprintf("shot %d", mine.fired+1))
		if err != nil {
			return err
		}
		switch line {
		case "map":
			g.show()
			continue
		case "heat":
			g.showHeat(mine)
			continue
		case "help":
			g.desk.show("%s", battleshipHelp)
			continue
		}
		at, err := g.table.Board().Parse(line)
		if err == nil && mine.view.Shots().Has(at) {
			err = fmt.Errorf("%s has been shot at", line)
		}
		if err != nil {
			g.desk.show("%v (help tells what can be typed)\n", err)
			continue
		}
		return g.answer(ctx, mine, at)
	}
}

// answer records a shot and tells what came of it.
func (g *battleshipGame) answer(ctx context.Context, side *navy, at battleship.Square) error {
	if ctx.Err() != nil {
		return &coded{exitInterrupted, errors.New("interrupted")}
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
	if side == g.sides[g.seat()] {
		who = "you shoot"
	}
	g.desk.show("%s at %s: %s\n", who, g.table.Board().Name(at), word)
	return nil
}

// finish tells who won and shows the other fleet.
func (g *battleshipGame) finish(winner *navy) error {
	g.show()
	if winner == g.sides[g.seat()] {
		g.desk.show("You win with %d shots.\n", winner.fired)
	} else {
		g.desk.show("%s wins with %d shots. Its fleet:\n%s", winner.name, winner.fired,
			g.draw(func(s battleship.Square) string { return cell(winner, s) }))
	}
	if g.desk.failed != nil {
		return fmt.Errorf("standard output: %w", g.desk.failed)
	}
	return nil
}
