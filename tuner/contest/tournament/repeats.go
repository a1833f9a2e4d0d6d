package tournament

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// repeats counts the different blocks of a pairing: players without chance who begin from
// few starts repeat their games, and a repetition is no further evidence. It is nil in
// games where equal games are coincidences.
type repeats struct {
	seen   arena.Seen
	blocks int64
}

func newRepeats(rs *arena.Ruleset) *repeats {
	if rs.Game.FreshChance {
		return nil
	}
	return &repeats{}
}

func (r *repeats) add(run *arena.Run) {
	if r == nil {
		return
	}
	r.seen.Add(run)
	r.blocks += int64(run.Blocks)
}

// distinct is the number of different blocks, 0 where all are.
func (r *repeats) distinct() int64 {
	if r == nil || r.seen.Blocks() >= r.blocks {
		return 0
	}
	return r.seen.Blocks()
}

// growth is the factor by which repetitions make a standard error larger: as in
// stats.Blocks, only different blocks count, and few of them by Student's
// distribution. It is infinite where all blocks are the same.
func (r *repeats) growth() float64 {
	d := r.distinct()
	switch d {
	case 0:
		return 1
	case 1:
		return math.Inf(1)
	}
	return math.Sqrt(float64(r.blocks)/float64(d-1)) * stats.Care(d)
}

// widened is a mean with the error that follows from its different blocks; without an error
// if there is a single block.
func (r *repeats) widened(m stats.MeanInterval) stats.MeanInterval {
	growth := r.growth()
	switch {
	case growth == 1 || !m.SE.Defined:
		return m
	case math.IsInf(growth, 1):
		return stats.MeanInterval{Mean: m.Mean}
	}
	out := stats.MeanInterval{Mean: m.Mean, SE: stats.Known(m.SE.Value * growth)}
	away := func(end stats.Number) stats.Number {
		if !end.Defined {
			return end
		}
		return stats.Known(m.Mean.Value + growth*(end.Value-m.Mean.Value))
	}
	out.CI95 = stats.Interval{Lo: away(m.CI95.Lo), Hi: away(m.CI95.Hi)}
	return out
}
