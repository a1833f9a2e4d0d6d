package tubstap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/stats"
)

// level is the complexity at one turn over games.
type level struct {
	Turn     int // half-turns played
	Games    int // that last so long
	LogMoves stats.MeanInterval
}

// byTurn is figure 4: the mean logarithm of the estimated legal moves, which is
// that of their geometric mean, turn by turn over the games that last so long.
func byTurn(games [][]moment) []level {
	var values [][]float64
	for _, g := range games {
		for _, m := range g {
			for len(values) <= m.Turn {
				values = append(values, nil)
			}
			values[m.Turn] = append(values[m.Turn], m.LogMoves)
		}
	}
	var levels []level
	for turn, v := range values {
		if len(v) > 0 {
			levels = append(levels, level{turn, len(v), meanOf(v)})
		}
	}
	return levels
}

// change is by how much the logarithm of moves differs between two turns, over
// the games that reach both.
func change(games [][]moment, from, to int) stats.MeanInterval {
	var values []float64
	for _, g := range games {
		at := map[int]float64{}
		for _, m := range g {
			at[m.Turn] = m.LogMoves
		}
		a, began := at[from]
		b, lasted := at[to]
		if began && lasted {
			values = append(values, b-a)
		}
	}
	return meanOf(values)
}

// column is the positions with one number of units in figure 7's scatter.
type column struct {
	Units     int
	Positions int
	Low, High float64 // least and greatest log10 of moves
	LogMoves  stats.MeanInterval
}

// byUnits is figure 7, column by column.
func byUnits(games [][]moment) []column {
	columns := map[int]*column{}
	for _, g := range games {
		for _, m := range g {
			c, ok := columns[m.Units]
			if !ok {
				c = &column{Units: m.Units, Low: m.LogMoves, High: m.LogMoves}
				columns[m.Units] = c
			}
			c.Positions++
			c.Low, c.High = min(c.Low, m.LogMoves), max(c.High, m.LogMoves)
		}
	}
	var out []column
	for _, c := range columns {
		c.LogMoves = jackknife(games, func(games [][]moment) stats.Number {
			sum, n := 0.0, 0
			for _, g := range games {
				for _, m := range g {
					if m.Units == c.Units {
						sum += m.LogMoves
						n++
					}
				}
			}
			return stats.Known(sum / float64(n))
		})
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b column) int { return a.Units - b.Units })
	return out
}

// correlate is that of units and log10 of moves over all positions.
func correlate(games [][]moment) stats.MeanInterval { return jackknife(games, correlation) }

// yardstick is how often guided beats M-UCT's corrected tree with the same
// simulations on the held-out maps, map by map.
type yardstick struct {
	Maps   []string
	Scores []score
}

// measureYardstick plays it: guided was tuned on other maps.
func measureYardstick(ctx context.Context, game *arena.Game, host arena.Host, simulations, blocks int64, tell func(done, of, games int64)) (*yardstick, error) {
	maps := heldOutMaps()[:12]
	count := newCount(int64(len(maps))*blocks, tell)
	y := &yardstick{}
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
		s, err := meet(ctx, host, arena.Series{Ruleset: rs, Entrants: []arena.Entrant{guided, muct}, Seed: seed, To: blocks}, count)
		if err != nil {
			return nil, err
		}
		y.Maps = append(y.Maps, fmt.Sprintf("%d x %d, %d units, %d %% planes", d.Width, d.Height, d.Units, d.Planes))
		y.Scores = append(y.Scores, s)
	}
	return y, nil
}

// all is the mean over the maps, which are the unit of the interval.
func (y *yardstick) all() stats.MeanInterval {
	var values []float64
	for _, s := range y.Scores {
		values = append(values, s.estimate().Score.Value)
	}
	return meanOf(values)
}
