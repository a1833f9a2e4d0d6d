package complexity

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/stats"
)

// Yardstick is how often guided beats M-UCT's corrected tree with the same
// simulations on the held-out maps, map by map.
type Yardstick struct {
	Maps   []string
	Scores []Score
}

// MeasureYardstick plays it: guided was tuned on other maps.
func MeasureYardstick(ctx context.Context, game *arena.Game, host arena.Host, simulations, blocks int64, tell func(done, of, games int64)) (*Yardstick, error) {
	maps := heldOutMaps()[:12]
	count := newCount(int64(len(maps))*blocks, tell)
	y := &Yardstick{}
	budget := param.Value{Name: "simulations", Text: strconv.FormatInt(simulations, 10)}
	for _, d := range maps {
		rs, errs := game.Open(rulesOf(d))
		if len(errs) > 0 {
			return nil, fmt.Errorf("tubstap: %w", errors.Join(errs...))
		}
		guided, err := rs.NewEntrant("guided", "guided", param.Values{budget})
		if err != nil {
			return nil, err
		}
		muct, err := rs.NewEntrant("muct", "muct", param.Values{budget, {Name: "mode", Text: "corrected"}})
		if err != nil {
			return nil, err
		}
		s, err := meet(ctx, host, arena.Series{Ruleset: rs, Entrants: []arena.Entrant{guided, muct}, Seed: Seed, To: blocks}, count)
		if err != nil {
			return nil, err
		}
		y.Maps = append(y.Maps, fmt.Sprintf("%d x %d, %d units, %d %% planes", d.Width, d.Height, d.Units, d.Planes))
		y.Scores = append(y.Scores, s)
	}
	return y, nil
}

// All is the mean over the maps, which are the unit of the interval.
func (y *Yardstick) All() stats.MeanInterval {
	var values []float64
	for _, s := range y.Scores {
		values = append(values, s.Estimate().Score.Value)
	}
	return meanOf(values)
}
