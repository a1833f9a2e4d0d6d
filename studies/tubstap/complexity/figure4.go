package complexity

import (
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
