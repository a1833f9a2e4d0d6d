package clitest

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// DiceGame returns a game small enough to be calculated by hand: every player throws a die
// and adds a bonus, the highest sum wins. What the program prints of it changes only when
// the program does.
func DiceGame() *arena.Game {
	return arena.Enter(arena.Definition[diceRules, *dicePlayer]{
		Name: "dice", Doc: "The highest throw wins.", Source: "ours", FreshChance: true,
		Declare: func(r *diceRules, f *param.Fields) {
			f.Int(&r.players, "players", 2, param.Range(2, 5), "players")
		},
		Seats:       func(r *diceRules) int { return r.players },
		SeatsOption: "players",
		Components:  []string{"sixes", "pips"},
		Metrics: []arena.Metric{
			{Name: "pips", Doc: "pips thrown, pips", Of: "pips"},
			{Name: "six_share", Doc: "100 x sixes / pips, percent", Of: "sixes", Per: "pips", Scale: 100, Lower: true},
		},
		Referee: func(*diceRules) (arena.Referee[*dicePlayer], error) { return diceReferee{}, nil },
	},
		arena.Strategy[diceRules, *dicePlayer]{Name: "plain", Doc: "Throws a die.", Source: "ours", New: plainDice},
		arena.Strategy[diceRules, *dicePlayer]{Name: "loaded", Doc: "Throws a die and adds a bonus.", Source: "ours", New: loadedDice},
	)
}

// lonelyGame has one seat and no winner: only its metric counts.
func lonelyGame() *arena.Game {
	return arena.Enter(arena.Definition[diceRules, *dicePlayer]{
		Name: "lonely", Doc: "One throw.", Source: "ours",
		Seats: func(*diceRules) int { return 1 }, Unscored: true, Components: []string{"sixes", "pips"},
		Metrics: []arena.Metric{{Name: "pips", Doc: "pips thrown, pips", Of: "pips"}},
		Referee: func(*diceRules) (arena.Referee[*dicePlayer], error) { return diceReferee{}, nil },
	}, arena.Strategy[diceRules, *dicePlayer]{Name: "plain", Doc: "Throws a die.", Source: "ours", New: plainDice})
}

type diceRules struct{ players int }

// dicePlayer throws a die: pips and a bonus.
type dicePlayer struct {
	kind  string
	bonus int
}

// plainDice returns a player without parameters.
func plainDice(*param.Fields, *diceRules) arena.Maker[*dicePlayer] {
	return arena.Made(&dicePlayer{})
}

// loadedDice returns one with two.
func loadedDice(f *param.Fields, _ *diceRules) arena.Maker[*dicePlayer] {
	c := &dicePlayer{}
	f.Choice(&c.kind, "kind", "fair", []string{"fair", "stuck", "high"}, "a fair die, or one that always shows a three or a five", param.Fixed())
	f.When("kind", "fair", func(f *param.Fields) {
		f.Int(&c.bonus, "bonus", 1, param.Grid(0, 6, 2), "added to the throw, pips")
	})
	return arena.Made(c)
}

func (c *dicePlayer) throw(s *arena.Stream) (pips, bonus int) {
	switch c.kind {
	case "stuck":
		return 3, 0
	case "high":
		return 5, 0
	}
	return 1 + s.IntN(6), c.bonus
}

type diceReferee struct{}

func (diceReferee) Play(fx *arena.Fixture, players []*dicePlayer, out *arena.Outcome) error {
	best, sums := 0, make([]int, len(players))
	for seat, p := range players {
		chance := fx.Stream(seat, 0)
		pips, bonus := p.throw(&chance)
		if pips == 6 {
			out.Count(seat, 0, 1)
		}
		out.Count(seat, 1, int64(pips))
		out.Transcript.Add(uint64(pips))
		sums[seat] = pips + bonus
		best = max(best, sums[seat])
		if fx.Story != nil {
			fx.Story(fmt.Sprintf("seat %d throws %d", seat, pips))
		}
	}
	out.Share(func(seat int) bool { return sums[seat] == best })
	return nil
}

const DiceCup = `version: 1
name: dice-cup
game: dice
entrants:
  - plain
  - {name: two, entrant: "loaded(bonus=2)"}
  - {name: six, entrant: "loaded(bonus=6)"}
selfplay: true
blocks: 60
seed: 3
`
