package complexity

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

// Level is the complexity at one turn over games.
type Level struct {
	Turn     int // half-turns played
	Games    int // that last so long
	LogMoves stats.MeanInterval
}

// ByTurn is figure 4: the mean logarithm of the estimated legal moves, which is
// that of their geometric mean, turn by turn over the games that last so long.
func ByTurn(games [][]Moment) []Level {
	var values [][]float64
	for _, g := range games {
		for _, m := range g {
			for len(values) <= m.Turn {
				values = append(values, nil)
			}
			values[m.Turn] = append(values[m.Turn], m.LogMoves)
		}
	}
	var levels []Level
	for turn, v := range values {
		if len(v) > 0 {
			levels = append(levels, Level{turn, len(v), meanOf(v)})
		}
	}
	return levels
}

// Change is by how much the logarithm of moves differs between two turns, over
// the games that reach both.
func Change(games [][]Moment, from, to int) stats.MeanInterval {
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

// Column is the positions with one number of units in figure 7's scatter.
type Column struct {
	Units     int
	Positions int
	Low, High float64 // least and greatest log10 of moves
	LogMoves  stats.MeanInterval
}

// ByUnits is figure 7, column by column.
func ByUnits(games [][]Moment) []Column {
	columns := map[int]*Column{}
	for _, g := range games {
		for _, m := range g {
			c, ok := columns[m.Units]
			if !ok {
				c = &Column{Units: m.Units, Low: m.LogMoves, High: m.LogMoves}
				columns[m.Units] = c
			}
			c.Positions++
			c.Low, c.High = min(c.Low, m.LogMoves), max(c.High, m.LogMoves)
		}
	}
	var out []Column
	for _, c := range columns {
		c.LogMoves = jackknife(games, func(games [][]Moment) stats.Number {
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
	slices.SortFunc(out, func(a, b Column) int { return a.Units - b.Units })
	return out
}

// Correlation is that of units and log10 of moves over all positions.
func Correlation(games [][]Moment) stats.MeanInterval { return jackknife(games, correlation) }

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
