package battleship

import (
	"context"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

const source = "M. Sakuta and H. Iida, Evaluation of Attacking and Placing Strategies in a Classic Battleship Game, 2002"

// The components of a side of a game.
const (
	shotsToWin = 2
	placements = 3 // visited
)

// sides plays attacks at fleets, one side at a time: each entrant meets itself, so that
// it shoots at fleets placed by its own placement.
type sides struct {
	o       experiment.Options
	rules   *arena.Ruleset
	blocks  int64
	of      int64 // blocks in all
	done    int64
	tallies map[string]arena.Tally
}

func newSides(game *arena.Game, o experiment.Options, blocks, entrants int64) (*sides, error) {
	rules, err := game.OpenRules(o.Rules)
	return &sides{o: o, rules: rules, blocks: blocks, of: blocks * entrants, tallies: map[string]arena.Tally{}}, err
}

// mean is the mean of a component over both seats of an entrant against itself; the side of
// a game is the unit of its error.
func (s *sides) mean(ctx context.Context, entrant string, component int) (stats.MeanInterval, error) {
	tally, ok := s.tallies[entrant]
	if !ok {
		e, err := s.rules.Entrant(entrant)
		if err != nil {
			return stats.MeanInterval{}, fmt.Errorf("%s: %w", entrant, err)
		}
		began := s.done
		tally, err = s.o.Host.Play(ctx, arena.Series{Ruleset: s.rules, Entrants: []arena.Entrant{e, e}, Seed: *s.o.Seed, To: s.blocks}, func(run *arena.Run) error {
			s.done += int64(run.Blocks)
			if s.o.Progress != nil {
				s.o.Progress(s.done, s.of, int64(run.Blocks))
			}
			return nil
		})
		if err != nil {
			return stats.MeanInterval{}, err
		}
		s.done = began + s.blocks
		s.tallies[entrant] = tally
	}
	var sums stats.Sums
	for seat := range tally.Entrants {
		t := tally.Entrants[seat].Seats[seat]
		sums.N += t.Games
		sums.X += float64(t.Sums[component])
		sums.XX += t.Cross[component][component].Float()
	}
	return sums.Mean(), nil
}

// over is a divided by b, which are independent.
func over(a, b stats.MeanInterval) stats.MeanInterval {
	r := a.Mean.Value / b.Mean.Value
	return about(r, r*math.Hypot(a.SE.Value/a.Mean.Value, b.SE.Value/b.Mean.Value))
}

// about is a value with its standard error.
func about(value, se float64) stats.MeanInterval {
	return stats.MeanInterval{Mean: stats.Known(value), SE: stats.Known(se), CI95: stats.Around(value, stats.Deviate95*se)}
}
