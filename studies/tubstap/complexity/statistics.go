package complexity

import (
	"math"

	"sakusen/tuner/stats"
)

// meanOf is the mean of independent values with its interval.
func meanOf(values []float64) stats.MeanInterval {
	s := stats.Sums{N: int64(len(values))}
	for _, x := range values {
		s.X += x
		s.XX += x * x
	}
	return s.Mean()
}

// jackknife is a statistic of games with the error that leaving out one game
// after another gives: positions of one game are not independent, games are.
// Source: B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans
// (1982), chapter 3.
func jackknife(games [][]Moment, of func([][]Moment) stats.Number) stats.MeanInterval {
	whole := of(games)
	n := len(games)
	if !whole.Defined || n < 2 {
		return stats.MeanInterval{Mean: whole}
	}
	var parts []float64
	mean := 0.0
	for i := range games {
		rest := append(append([][]Moment(nil), games[:i]...), games[i+1:]...)
		x := of(rest)
		if !x.Defined {
			return stats.MeanInterval{Mean: whole}
		}
		parts = append(parts, x.Value)
		mean += x.Value / float64(n)
	}
	sum := 0.0
	for _, x := range parts {
		sum += (x - mean) * (x - mean)
	}
	se := math.Sqrt(float64(n-1) / float64(n) * sum)
	return stats.MeanInterval{Mean: whole, SE: stats.Known(se), CI95: stats.Interval{
		Lo: stats.Known(whole.Value - stats.Deviate95*se), Hi: stats.Known(whole.Value + stats.Deviate95*se)}}
}

// correlation is Pearson's, of units and the logarithm of moves.
func correlation(games [][]Moment) stats.Number {
	var n, sx, sy, sxx, syy, sxy float64
	for _, g := range games {
		for _, m := range g {
			x, y := float64(m.Units), m.LogMoves
			n++
			sx, sy, sxx, syy, sxy = sx+x, sy+y, sxx+x*x, syy+y*y, sxy+x*y
		}
	}
	return stats.Known((n*sxy - sx*sy) / math.Sqrt((n*sxx-sx*sx)*(n*syy-sy*sy)))
}
