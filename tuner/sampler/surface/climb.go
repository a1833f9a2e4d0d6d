package surface

import (
	"math"

	"sakusen/engines/arena"
)

const (
	// width is the distance of a pair's ends from the iterate at the end of a search, a share of the
	// range: before, it is larger by (n/k)^narrowing after k of n blocks, up to widest.
	width, narrowing, widest = 0.2, 0.2, 0.45
	// rate is the part of a pair's half width by which a game that was won moves the iterate at the
	// end of a search of rateBlocks blocks of pairs; more blocks make it smaller, by the power
	// lessRate.
	rate, rateBlocks, lessRate = 0.025, 625, 0.35
	// alpha and stability are Spall's, by which the rate falls during a search. It is smaller by the
	// power widePower of how much wider pairs are than at the end.
	alpha, stability, widePower = 0.602, 0.1, 1.3
	// belowTarget is what the iterate may score against a pair's ends: where it scores more, pairs
	// get narrower. steering is by how much they do for each game.
	belowTarget, steering = 0.58, 0.03
	// centredEvery is the number of pairs of which one is the iterate and one end.
	centredEvery = 8
	// averaged is the share of the batches, the last ones, whose iterates are averaged.
	averaged = 0.2
	// metricDeviation is the difference of two scores that moves the iterate as far as a difference of
	// one standard deviation of a block's metric.
	metricDeviation = 0.35
)

// climb is simultaneous perturbation (J. Spall, Multivariate stochastic approximation using a
// simultaneous perturbation gradient approximation, 1992): two points at equal distance on both sides
// of an iterate, which moves towards the winner. It assumes nothing of the form of the ground.
type climb struct {
	*box
	at     []float64   // the iterate's numbers
	trail  [][]float64 // after each batch
	blocks float64     // of pairs so far
	of     float64     // in all
	factor float64     // of the width
	spread float64     // of a metric: the root of the sum of the squares of its differences
	seen   float64     // their number
}

func newClimb(b *box, blocks float64) *climb {
	return &climb{box: b, at: append([]float64(nil), b.centre...), of: blocks, factor: 1}
}

// gains returns the distance of a pair's ends from the iterate, and the part of it by which a game
// that was won moves the iterate.
func (c *climb) gains() (reach, step float64) {
	k := clamp(c.blocks, 1, c.of)
	reach = math.Min(width*math.Pow(c.of/k, narrowing), widest)
	step = rate * math.Pow(c.of/rateBlocks, -lessRate) * math.Pow(width/reach, widePower)
	step *= math.Pow((stability+1)/(stability+k/c.of), alpha)
	return reach * c.factor, step
}

// steer makes pairs narrower where the iterate scores more than belowTarget against their ends,
// and wider again where it scores less.
func (c *climb) steer(score, games float64) {
	c.factor = math.Min(c.factor*math.Exp(steering*(belowTarget-score)*games), 1)
}

// under returns the iterate with the choices of a point.
func (c *climb) under(x []float64) []float64 { return c.with(c.at, x) }

// with returns given numbers with the choices of a point.
func (c *climb) with(numbers, x []float64) []float64 {
	out := append([]float64(nil), x...)
	for _, i := range c.numbers {
		out[i] = numbers[i]
	}
	return out
}

// move moves the iterate towards a point by the games that it won, less those that it lost.
func (c *climb) move(x []float64, wins, step float64) {
	on := c.active(x)
	for _, i := range c.numbers {
		if on[i] {
			c.at[i] = c.hold(i, c.at[i]+float64(step*wins/2*(x[i]-c.at[i])))
		}
	}
}

// unit returns the factor by which a difference of two means moves the iterate as far as one of scores
// in a game of two: by the variance of a score among equals, or the deviation of a metric.
func (c *climb) unit(batch []row, mean float64, seats int, maximize bool) float64 {
	if seats > 0 {
		even := 1 / float64(seats)
		return 0.25 / float64(even*(1-even))
	}
	for i := range batch {
		c.spread, c.seen = math.Hypot(c.spread, batch[i].value-mean), c.seen+1
	}
	if c.spread == 0 {
		return 0
	}
	u := metricDeviation * math.Sqrt(c.seen/batch[0].blocks) / c.spread
	if !maximize {
		u = -u
	}
	return u
}

// keep adds where the climb stands to the trail.
func (c *climb) keep() { c.trail = append(c.trail, append([]float64(nil), c.at...)) }

// mean returns the mean of the last iterates with the choices of a point.
func (c *climb) mean(x []float64) []float64 {
	if len(c.trail) == 0 {
		return c.under(x)
	}
	last := c.trail[len(c.trail)-max(1, int(averaged*float64(len(c.trail)))):]
	sum := make([]float64, len(x))
	for _, at := range last {
		for _, i := range c.numbers {
			sum[i] += at[i] / float64(len(last))
		}
	}
	return c.with(sum, x)
}

// pair returns two points on both sides of the iterate, with the choices of two given points.
func (c *climb) pair(rng *arena.Stream, a, b []float64) (x, y []float64) {
	reach, _ := c.gains()
	x, y = c.under(a), c.under(b)
	for _, i := range c.numbers {
		d := reach
		if c.axes[i].Cells > 0 { // the cells between are played as well
			d *= 2 * rng.Float64()
		}
		if rng.Bool() {
			d = -d
		}
		round := rng.Float64() // both ends of a pair on a grid are rounded by one draw
		x[i], y[i] = c.side(i, x[i]+d, round), c.side(i, y[i]-d, round)
		if a := &c.axes[i]; a.Cells > 1 && x[i] == y[i] {
			k := a.Cell(x[i])
			if d > 0 && k < a.Cells-1 || k == 0 {
				x[i] = a.Middle(k + 1)
			} else {
				x[i] = a.Middle(k - 1)
			}
		}
	}
	return x, y
}

// side returns the coordinate that is played for one beside the iterate.
func (c *climb) side(i int, x, round float64) float64 {
	x = clamp(x, 0, 1)
	if a := &c.axes[i]; a.Cells > 0 {
		return a.Middle(a.Rounded(x, round))
	}
	return x
}
