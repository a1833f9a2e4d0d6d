package arena_test

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// diceRules are the rules of dice, a game small enough to be calculated: everybody throws once, may
// throw again, and the highest number wins. Seat 0 wins ties under first=true.
type diceRules struct {
	players int
	first   bool
}

type dicePlayer interface {
	again(first int, s *arena.Stream) bool
}

type threshold struct{ below int }

func (c *threshold) Declare(f *param.Fields, r *diceRules) {
	f.Int(&c.below, "below", 3, param.Range(0, 7), "throws again below this number, pips")
}
func (c *threshold) Player(*diceRules) (dicePlayer, error) { return c, nil }
func (c *threshold) again(first int, _ *arena.Stream) bool { return first < c.below }

type coin struct{}

func (coin) Declare(*param.Fields, *diceRules)     {}
func (coin) Player(*diceRules) (dicePlayer, error) { return coin{}, nil }
func (coin) again(_ int, s *arena.Stream) bool     { return s.Bool() }

type diceReferee struct{ rules *diceRules }

const (
	throwing arena.Purpose = iota
	deciding
)

func (d diceReferee) Play(fx *arena.Fixture, players []dicePlayer, out *arena.Outcome) error {
	best, at := 0, make([]int, len(players))
	for seat, p := range players {
		dice, mind := fx.Stream(seat, throwing), fx.Stream(seat, deciding)
		n := 1 + dice.IntN(6)
		if p.again(n, &mind) {
			n = 1 + dice.IntN(6)
			out.Count(seat, 0, 1)
			out.Transcript.Add(7) // no number of pips
		}
		out.Count(seat, 1, int64(n))
		out.Transcript.Add(uint64(n))
		if fx.Story != nil {
			fx.Story(fmt.Sprintf("seat %d throws %d", seat, n))
		}
		at[seat] = n
		best = max(best, n)
	}
	if d.rules.first && at[0] == best {
		out.Win(0)
		return nil
	}
	out.Share(func(s int) bool { return at[s] == best })
	return nil
}

func dice() *arena.Game {
	return arena.Enter(arena.Definition[diceRules, dicePlayer]{
		Name: "dice", Doc: "The highest throw wins.", Source: "ours",
		Declare: func(r *diceRules, f *param.Fields) {
			f.Int(&r.players, "players", 2, param.Range(2, 5), "players")
			f.Bool(&r.first, "first", false, "the first seat wins ties")
		},
		Seats:       func(r *diceRules) int { return r.players },
		SeatsOption: "players",
		Components:  []string{"rethrows", "pips"},
		Metrics: []arena.Metric{
			{Name: "pips", Doc: "last throw, pips", Of: "pips"},
			{Name: "rethrow_share", Doc: "rethrows for each pip", Of: "rethrows", Per: "pips", Scale: 100},
		},
		PaperName: func(text string) (string, param.Values, bool) {
			var n int
			if _, err := fmt.Sscanf(text, "T%d", &n); err != nil {
				return "", nil, false
			}
			return "threshold", param.Values{{Name: "below", Text: fmt.Sprint(n)}}, true
		},
		Referee: func(r *diceRules) (arena.Referee[dicePlayer], error) { return diceReferee{r}, nil },
	},
		arena.Strategy[diceRules, dicePlayer]{Name: "coin", Doc: "Throws again at random.", Source: "ours",
			New: func(f *param.Fields, r *diceRules) arena.Maker[dicePlayer] {
				c := coin{}
				c.Declare(f, r)
				return func() (dicePlayer, error) { return c.Player(r) }
			}},
		arena.Strategy[diceRules, dicePlayer]{Name: "threshold", Doc: "Throws again below a number.", Source: "ours",
			New: func(f *param.Fields, r *diceRules) arena.Maker[dicePlayer] {
				c := &threshold{}
				c.Declare(f, r)
				return func() (dicePlayer, error) { return c.Player(r) }
			}},
	)
}
