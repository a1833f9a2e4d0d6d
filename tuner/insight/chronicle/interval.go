package chronicle

import (
	"math"

	"sakusen/tuner/stats"
)

// pseudoBlocks is how many blocks of an even game are added where the spread of a
// trial's blocks is estimated: a few blocks that happen to agree do not know it. With 8 the interval
// covers 93 % and more from two blocks on.
const pseudoBlocks = 8

// Interval is the 95 % interval of a value with its standard error over a number
// of blocks. That of a score is Wilson's (1927), for the number of independent
// games that has the same error: it lies in 0 to 1 and has a width whatever the
// blocks were. It is NaN where nothing is known.
func (c *Chronicle) Interval(value, standardError float64, blocks int64) (lo, hi float64) {
	if math.IsNaN(value) || math.IsNaN(standardError) {
		return math.NaN(), math.NaN()
	}
	if c.Spec.Objective.Of != "score" && c.Spec.Objective.Of != "" {
		if standardError == 0 && blocks < stats.FewBlocks {
			return math.NaN(), math.NaN()
		}
		return value - stats.Deviate95*standardError, value + stats.Deviate95*standardError
	}
	if blocks <= 0 { // a model's
		return max(0, value-stats.Deviate95*standardError), min(1, value+stats.Deviate95*standardError)
	}
	seats := 2.0
	if c.Spec.Ruleset != nil {
		seats = float64(c.Spec.Ruleset.Seats)
	}
	n := float64(blocks)
	middle := (value*n + 1/seats*pseudoBlocks) / (n + pseudoBlocks)
	even := middle * (1 - middle)
	spread := (n*standardError*standardError*n + pseudoBlocks*even/seats) / (n + pseudoBlocks) // of a block
	games := even / (spread / n)
	z2 := stats.Deviate95 * stats.Deviate95
	centre := (value + z2/(2*games)) / (1 + z2/games)
	half := stats.Deviate95 / (1 + z2/games) * math.Sqrt(value*(1-value)/games+z2/(4*games*games))
	return max(0, min(value, centre-half)), min(1, max(value, centre+half))
}
