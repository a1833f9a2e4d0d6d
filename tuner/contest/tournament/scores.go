package tournament

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// scores adds up the score of each seat in each rotation, in units of
// 1/arena.Scale(seats), and its square.
type scores struct {
	seats int
	cells []scoreSum // [rotation][seat]
}

type scoreSum struct{ n, sum, squares int64 }

func newScores(seats int) scores { return scores{seats, make([]scoreSum, seats*seats)} }

func (s scores) at(rotation, seat int) *scoreSum { return &s.cells[rotation*s.seats+seat] }

func (s scores) add(r *arena.Run) {
	for b := range r.Blocks {
		for rotation := range r.Rotations {
			for seat := range r.Seats {
				x := r.Game(b, rotation, seat)[0]
				c := s.at(rotation, seat)
				c.n++
				c.sum += x
				c.squares += x * x
			}
		}
	}
}

// mean is the mean score of a game, [0, 1]. One seat of one rotation is one game
// a block, so its games are independent. Where all games had the same score the
// variance says nothing; then interval and error are Wilson's.
func (c *scoreSum) mean(scale int64) stats.MeanInterval {
	m := scaled(stats.Sums{N: c.n, X: float64(c.sum), XX: float64(c.squares)}.Mean(), 1/float64(scale))
	if c.n < 2 {
		return m
	}
	if m.SE.Value == 0 {
		w, err := stats.Wilson(math.Round(m.Mean.Value*float64(c.n)), float64(c.n), 0.95)
		if err == nil {
			m.SE, m.CI95 = stats.Known((w.Hi.Value-w.Lo.Value)/2/stats.Deviate95), w
		}
	}
	m.CI95.Lo.Value, m.CI95.Hi.Value = max(m.CI95.Lo.Value, 0), min(m.CI95.Hi.Value, 1)
	return m
}

// scaled multiplies a mean by a factor.
func scaled(m stats.MeanInterval, factor float64) stats.MeanInterval {
	by := func(n stats.Number, factor float64) stats.Number {
		if !n.Defined {
			return n
		}
		return stats.Known(n.Value * factor)
	}
	out := stats.MeanInterval{
		Mean: by(m.Mean, factor), SE: by(m.SE, math.Abs(factor)),
		CI95: stats.Interval{Lo: by(m.CI95.Lo, factor), Hi: by(m.CI95.Hi, factor)},
	}
	if factor < 0 {
		out.CI95.Lo, out.CI95.Hi = out.CI95.Hi, out.CI95.Lo
	}
	return out
}
