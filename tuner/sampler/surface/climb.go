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
	// alpha and stability are Spall's: before the end the rate is larger, and smaller by the power
	// widePower of how much wider pairs are.
	alpha, stability, widePower = 0.602, 0.1, 1.3
	// belowTarget is what the iterate may score against a pair's ends: where it scores more, pairs
	// get narrower. steering is by how much they do for each 32 games, steerMemory what is left of
	// what was seen after each time, and steerPrior the games that count for the target.
	belowTarget, steering, steerMemory, steerPrior = 0.58, 2.0, 0.7, 16
	leastFactor                                    = 0.02
	// centredEvery is the number of pairs of which one is the iterate and one end; of the first
	// firstCentred pairs half are.
	centredEvery, firstCentred = 8, 16
	// averaged is the share of the batches, the last ones, whose iterates are averaged.
	averaged = 0.2
	// metricDeviation is the standard deviation of a block's score that a metric's stands for.
	metricDeviation = 0.35
)

// place is where a climb stands: the numbers, and what each value of a choice adds to them.
type place struct {
	at  []float64
	own map[[2]int][]float64 // by choice and value
}

// climb is simultaneous perturbation (J. Spall, Multivariate stochastic approximation using a
// simultaneous perturbation gradient approximation, 1992): two points at equal distance on both sides
// of an iterate, which moves towards the winner. It is right wherever up is up.
type climb struct {
	*box
	place
	trail  []place    // after each batch
	blocks float64    // of pairs so far
	of     float64    // in all
	factor float64    // of the width
	lost   [2]float64 // what the iterate scored against ends, and the games
	spread [2]float64 // squares of a metric's differences, and their number
}

func newClimb(b *box, blocks float64) *climb {
	return &climb{box: b, place: place{append([]float64(nil), b.centre...), map[[2]int][]float64{}}, of: blocks, factor: 1}
}

// centred reports whether a pair is the iterate and one end, which tells how much is lost there.
func (s *Surface) centred(pair int) bool {
	return s.view.Plan.Duels && (pair%centredEvery == 0 || pair < firstCentred && pair%2 == 0)
}

// progress returns the share of the search that was seen.
func (c *climb) progress() float64 { return c.blocks / c.of }

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
	c.lost[0] = float64(c.lost[0]*steerMemory) + float64(score*games)
	c.lost[1] = float64(c.lost[1]*steerMemory) + games
	mean := (c.lost[0] + belowTarget*steerPrior) / (c.lost[1] + steerPrior)
	c.factor = clamp(c.factor*math.Exp(steering*(belowTarget-mean)*games/32), leastFactor, 1)
}

// jump moves the iterate under the choices of a point to the point.
func (c *climb) jump(x []float64) {
	at := c.under(c.box, x)
	for _, i := range c.numbers {
		c.at[i] += x[i] - at[i]
	}
}

// now returns where the climb stands.
func (c *climb) now() place { return c.place }

// under returns the iterate with the choices of a point.
func (p place) under(b *box, x []float64) []float64 {
	out := append([]float64(nil), x...)
	for _, i := range b.numbers {
		out[i] = p.at[i]
	}
	for _, j := range b.choices {
		if own := p.own[[2]int{j, int(x[j])}]; own != nil {
			for _, i := range b.numbers {
				out[i] += own[i]
			}
		}
	}
	for _, i := range b.numbers {
		out[i] = b.hold(i, out[i])
	}
	return out
}

// move moves the iterate under a point's choices towards the point by the games that it won, less
// those that it lost: in equal parts what all values of the choices have in common, and what each
// adds to it.
func (c *climb) move(x []float64, wins, step float64) {
	on, at := c.active(x), c.under(c.box, x)
	var own [][]float64
	for _, j := range c.choices {
		if !on[j] {
			continue
		}
		key := [2]int{j, int(x[j])}
		if c.own[key] == nil {
			c.own[key] = make([]float64, len(x))
		}
		own = append(own, c.own[key])
	}
	step *= wins / 2 / float64(1+len(own))
	for _, i := range c.numbers {
		if !on[i] {
			continue
		}
		d := float64(step * (x[i] - at[i]))
		c.at[i] = c.hold(i, c.at[i]+d)
		for _, o := range own {
			o[i] = clamp(o[i]+d, -0.5, 0.5)
		}
	}
}

// unit returns how many wins less losses a difference counts: of a score by its variance between
// equals, of a metric by the spread of what was seen.
func (c *climb) unit(batch []row, mean float64, seats int, maximize bool) float64 {
	if seats > 0 {
		even := 1 / float64(seats)
		return 0.25 / float64(even*(1-even))
	}
	for i := range batch {
		e := batch[i].value - mean
		c.spread[0], c.spread[1] = c.spread[0]+float64(e*e), c.spread[1]+1
	}
	if c.spread[0] == 0 {
		return 0
	}
	u := metricDeviation / math.Sqrt(batch[0].blocks*c.spread[0]/c.spread[1])
	if !maximize {
		u = -u
	}
	return u
}

// keep adds where the climb stands to the trail.
func (c *climb) keep() {
	p := place{append([]float64(nil), c.at...), make(map[[2]int][]float64, len(c.own))}
	for k, o := range c.own {
		p.own[k] = append([]float64(nil), o...)
	}
	c.trail = append(c.trail, p)
}

// mean returns the mean of the last iterates with the choices of a point.
func (c *climb) mean(x []float64) []float64 {
	if len(c.trail) == 0 {
		return c.under(c.box, x)
	}
	last := c.trail[len(c.trail)-max(1, int(averaged*float64(len(c.trail)))):]
	out := append([]float64(nil), x...)
	for _, i := range c.numbers {
		out[i] = 0
	}
	for _, p := range last {
		y := p.under(c.box, x)
		for _, i := range c.numbers {
			out[i] += y[i] / float64(len(last))
		}
	}
	return out
}

// pair returns two points on both sides of the iterate, with the choices of two given points.
func (c *climb) pair(rng *arena.Stream, a, b []float64) (x, y []float64) {
	reach, _ := c.gains()
	x, y = c.under(c.box, a), c.under(c.box, b)
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
