package battleship

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// mostStates is how many information states are kept, about 100 MiB.
const mostStates = 2_000_000

// moreSmall is how many times as many games small boards take, which cost next to nothing.
const moreSmall = 20

// fleetClasses are the classes of the rules and their lengths.
var fleetClasses = []struct {
	name   string
	length int
}{{"carrier", 5}, {"battleship", 4}, {"cruiser", 3}, {"submarine", 3}, {"destroyer", 2}}

// smallGame is a square board and the classes of its fleet.
type smallGame struct {
	side    int
	classes []string
}

// smallGames are those whose best attack is worked out.
var smallGames = []smallGame{
	{4, []string{"destroyer"}}, {4, []string{"cruiser"}}, {4, []string{"cruiser", "destroyer"}},
	{5, []string{"battleship"}}, {5, []string{"cruiser"}},
}

// exactly is a board's values as fractions, which survive JSON.
type exactly struct{ Bound, Misses, Best, Greedy, Placements string }

// bounds asks how far the attacks are from the best one, where fleets lie uniformly at
// random among all placements.
func bounds(game *arena.Game) experiment.Experiment {
	seed := uint64(2002)
	return experiment.Experiment{
		Name: "battleship-bounds",
		Doc: "Shots that no attack gets below at fleets drawn uniformly among all placements, the best attack's on small boards, " +
			"and those of EX, EX+ and MP.",
		Source: "ours; the game is that of " + source, Games: 100, Seed: &seed,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			return runBounds(ctx, game, o, add)
		},
	}
}

func runBounds(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	whole := smallGame{side: 10}
	for _, c := range fleetClasses {
		whole.classes = append(whole.classes, c.name)
	}
	for i, g := range append(smallGames[:len(smallGames):len(smallGames)], whole) {
		small := i < len(smallGames)
		e, err := experiment.RunCached(ctx, o, g.String(), func() (exactly, error) { return g.solve(small) })
		if err != nil {
			return fmt.Errorf("%s: %w", g, err)
		}
		bound := decimal(e.Bound)
		add(experiment.Row{Label: g.String(), Metric: "no attack below, shots", Measured: bound.value(), Note: e.Placements + " placements"})
		least, of := bound, "the bound"
		if small {
			least, of = decimal(e.Best), "the best"
			greedy := decimal(e.Greedy)
			add(experiment.Row{Label: g.String(), Metric: "best attack, shots", Measured: least.value(), Note: "exact"})
			add(experiment.Row{Label: g.String(), Metric: "likeliest square, shots", Measured: greedy.value(),
				Note: fmt.Sprintf("exact; %.4f more than the best", greedy-least)})
		}
		o.Rules = g.rules()
		blocks := o.Games
		if small {
			blocks *= moreSmall
		}
		s, err := newSides(game, o, blocks, 3)
		if err != nil {
			return err
		}
		s.done, s.of = 3*int64(i)*moreSmall*o.Games, 3*(int64(len(smallGames))*moreSmall+1)*o.Games
		for _, a := range []struct{ name, entrant string }{
			{"EX", "exact(place.draw=joint)"}, {"EX+", "foresight(place.draw=joint)"}, {"MP70", "mp(start_squares=70,place.draw=joint)"},
		} {
			m, err := s.mean(ctx, a.entrant, shotsToWin)
			if err != nil {
				return err
			}
			add(experiment.Row{Label: g.String(), Metric: a.name + ", shots", Measured: experiment.Number(m.Mean), CI: m.CI95,
				Note: fmt.Sprintf("%.2f more than %s", m.Mean.Value-float64(least), of)})
		}
	}
	return nil
}

func (g smallGame) solve(small bool) (e exactly, err error) {
	board, err := battleship.NewBoard(g.side, g.side)
	if err != nil {
		return e, err
	}
	fleet, err := battleship.NewFleet(g.ships()...)
	if err != nil {
		return e, err
	}
	b, err := newBound(board, fleet)
	if err != nil {
		return e, err
	}
	e.Bound, e.Misses, e.Placements = b.Shots.String(), b.Misses.String(), b.Placements.String()
	if small {
		s, err := solveBoard(board, fleet, mostStates)
		if err != nil {
			return e, err
		}
		e.Best, e.Greedy = s.shots().String(), s.greedyShots().String()
	}
	return e, nil
}

// String tells board and lengths: "4 x 4, ships of 3 2".
func (g smallGame) String() string {
	var lengths []string
	for _, s := range g.ships() {
		lengths = append(lengths, strconv.Itoa(s.Length))
	}
	return fmt.Sprintf("%d x %d, ships of %s", g.side, g.side, strings.Join(lengths, " "))
}

func (g smallGame) has(class string) bool {
	for _, c := range g.classes {
		if c == class {
			return true
		}
	}
	return false
}

func (g smallGame) ships() (all []battleship.Ship) {
	for _, c := range fleetClasses {
		if g.has(c.name) {
			all = append(all, battleship.Ship{Class: c.name, Length: c.length})
		}
	}
	return all
}

// rules are the game's, with the classes left out that it does not have.
func (g smallGame) rules() param.Values {
	all := param.Values{{Name: "width", Text: strconv.Itoa(g.side)}, {Name: "height", Text: strconv.Itoa(g.side)}}
	for _, c := range fleetClasses {
		if !g.has(c.name) {
			all = append(all, param.Value{Name: c.name + ".ships", Text: "0"})
		}
	}
	return all
}

// shots is a number of shots.
type shots float64

// decimal is a fraction's value.
func decimal(fraction string) shots {
	r, _ := new(big.Rat).SetString(fraction)
	x, _ := r.Float64()
	return shots(x)
}

// value has four digits behind the point.
func (s shots) value() experiment.Value {
	return experiment.Number(stats.Known(math.Round(float64(s)*1e4) / 1e4))
}
