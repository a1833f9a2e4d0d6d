package complexity

import (
	"slices"

	"sakusen/tuner/stats"
)

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
