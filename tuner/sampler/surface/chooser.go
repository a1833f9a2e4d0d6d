package surface

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/sampler/shared"
)

const (
	// leastBend is the least curvature, Elo over a squared range, that a parameter is
	// assumed to have when the gain from knowing its slope is weighed.
	leastBend = 5
	// centreJitter is how far the centre of a pair may lie from the believed optimum,
	// shares of a range: pairs about one centre show the slope there and not how
	// it changes.
	centreJitter = 0.1
	// leastOwnScale is the scale of what is seen against the baseline alone above
	// which half of the duels are against it.
	leastOwnScale = 32
	// anchorHeight is how high, in Elo, the believed top is when all of the model's duels
	// would be against the baseline, and mostAnchor the most that are: what
	// is far above the baseline may beat others like it by what does not help against the
	// baseline.
	anchorHeight = 300
	mostAnchor   = 0.6
)

// chooser makes the model's own proposals.
type chooser struct{ *model }

// propose returns the point of a draw; of a pair in a duel, of one side.
func (c chooser) propose(draw int) []float64 {
	v, b := c.view, c.basis
	pair := v.Plan.Duels
	key := uint64(draw)
	if pair {
		key /= 2
	}
	rng := arena.NewStream(c.seed, key)
	noise := make([]float64, b.size)
	normals(&rng, noise)
	weights := c.now.draw(noise)
	centre := b.shape(weights).peak(c.top)
	near, far := c.near, c.far
	share := clamp(c.summit/anchorHeight, c.anchor, mostAnchor)
	if u := b.bumps; u != nil {
		far = math.Max(near, math.Min(far, u.reach()))
	}
	if float64(v.Plan.Played+v.Plan.Begun) < c.warm*float64(v.Plan.Games+v.Plan.Begun) {
		for _, i := range b.numbers {
			centre[i] = 0 // around the baseline
		}
		share, near, far = 2*share, c.near, c.far
	}
	if c.now.scales.own > leastOwnScale {
		share = math.Max(share, 0.5)
	}
	if c.onlyBaseline() {
		share = 1
	} else {
		share = math.Max(share, c.whole.discord)
	}
	against := pair && v.Baseline != nil && rng.Float64() < share
	if against && rng.Bool() {
		far = math.Min(far, 2*near)
	}
	d := c.designAt(centre, weights)
	var best [2][]float64
	most := math.Inf(-1)
	for range c.tries {
		jitter := near * math.Pow(far/near, rng.Float64())
		corners := rng.Bool()
		try := [2][]float64{c.candidate(&rng, centre, jitter, corners), nil}
		switch {
		case against:
			try[1] = b.origin()
		case pair:
			try = c.mirrored(&rng, centre, jitter, corners)
		}
		if gain := d.gain(try); gain > most {
			best, most = try, gain
		}
	}
	if pair && draw%2 == 1 {
		return best[1]
	}
	return best[0]
}

// step returns one coordinate's jitter: to either side by as much as it is, or any
// part of it.
func step(rng *arena.Stream, jitter float64, corners bool) float64 {
	u := float64(2*rng.Float64()) - 1
	if corners {
		return math.Copysign(jitter, u)
	}
	return float64(jitter * u)
}

// candidate returns a point about the centre, inside the box.
func (c chooser) candidate(rng *arena.Stream, centre []float64, jitter float64, corners bool) []float64 {
	b := c.basis
	x := make([]float64, len(centre))
	for _, i := range b.numbers {
		x[i] = clamp(centre[i]+step(rng, jitter, corners), b.low[i], b.high[i])
	}
	for _, i := range b.choices {
		x[i] = c.drawChoice(rng, i, centre[i])
	}
	return x
}

// mirrored returns two points that mirror each other about a third near the centre,
// moved into the box together.
func (c chooser) mirrored(rng *arena.Stream, centre []float64, jitter float64, corners bool) [2][]float64 {
	b := c.basis
	x, y := make([]float64, len(centre)), make([]float64, len(centre))
	for _, i := range b.numbers {
		d := step(rng, jitter, corners)
		d = clamp(d, (b.low[i]-b.high[i])/2, (b.high[i]-b.low[i])/2)
		about := clamp(centre[i]+step(rng, centreJitter, false), b.low[i]+math.Abs(d), b.high[i]-math.Abs(d))
		x[i], y[i] = about+d, about-d
	}
	for _, i := range b.choices {
		x[i], y[i] = c.drawChoice(rng, i, centre[i]), c.drawChoice(rng, i, centre[i])
	}
	return [2][]float64{x, y}
}

// design weighs what candidates would teach about the optimum.
type design struct {
	*model
	weights []float64   // of the drawn surface
	height  float64     // at the centre
	slopes  [][]float64 // whitened: features of the slopes there
	phi     [2][]float64
}

// designAt returns the weighing at a drawn optimum. Where the slope in one
// parameter is known with variance v and the bend is q, the answer misses that
// parameter's part of the height by v/(4|q|): the slopes so weighted are what
// observations should make certain.
func (c chooser) designAt(centre, weights []float64) *design {
	b := c.basis
	d := &design{model: c.model, weights: weights, phi: [2][]float64{make([]float64, b.size), make([]float64, b.size)}}
	if c.tries == 1 {
		return d
	}
	b.fill(centre, d.phi[0])
	d.height = shared.Dot(weights, d.phi[0])
	for _, i := range b.numbers {
		g, bend := b.slope(centre, weights, i, d.phi)
		f := 1 / math.Sqrt(4*math.Max(-bend, leastBend))
		for k := range g {
			g[k] *= f
		}
		c.now.root.Forward(g)
		d.slopes = append(d.slopes, g)
	}
	return d
}

// slope returns the features of the slope in a number at a point, and the bend of a
// surface there: exact without bumps, by differences with them.
func (b *basis) slope(at, weights []float64, i int, scratch [2][]float64) (g []float64, bend float64) {
	const step = 0.02
	x := append([]float64(nil), at...)
	g = make([]float64, b.size)
	x[i] = at[i] + step
	b.fill(x, scratch[0])
	x[i] = at[i] - step
	b.fill(x, scratch[1])
	bend = shared.Dot(weights, scratch[0]) + shared.Dot(weights, scratch[1])
	for k := range g {
		g[k] = (scratch[0][k] - scratch[1][k]) / (2 * step)
	}
	b.fill(at, scratch[0])
	bend -= 2 * shared.Dot(weights, scratch[0])
	return g, bend / (2 * step * step)
}

// gain returns by how much the expected loss of the answer from unknown slopes falls once a
// candidate, or a pair, has been played.
func (d *design) gain(try [2][]float64) float64 {
	phi := d.phi[0]
	d.basis.fill(try[0], phi)
	lowest := shared.Dot(d.weights, phi)
	if try[1] != nil {
		d.basis.fill(try[1], d.phi[1])
		lowest = math.Min(lowest, shared.Dot(d.weights, d.phi[1]))
		for k, x := range d.phi[1] {
			phi[k] -= x
		}
	}
	one := row{blocks: math.Max(1, float64(d.view.Plan.Blocks))}
	_, variance := d.whole.link.linear(&one, shared.Dot(d.weights, phi))
	variance *= fade(d.height - lowest)
	d.now.root.Forward(phi)
	sum := 0.0
	for _, g := range d.slopes {
		e := shared.Dot(g, phi)
		sum += float64(e * e)
	}
	return sum / (variance + shared.Dot(phi, phi))
}

// normals fills out with standard normal numbers (G. Box, M. Muller, 1958).
func normals(rng *arena.Stream, out []float64) {
	for i := range out {
		u, v := 1-rng.Float64(), rng.Float64()
		out[i] = math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*v)
	}
}
