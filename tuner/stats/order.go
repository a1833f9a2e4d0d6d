package stats

import "math"

// order is the stage-wise order of outcomes about one that was seen.
type order struct {
	s0    float64 // block score of the lower hypothesis
	mid   float64 // block score at which the path has no drift
	noise float64 // standard deviation of a block
	// atLeast is the chance of an outcome at least as good, given the drift of
	// the path: (score - mid)/noise per block.
	atLeast func(drift float64) float64
}

// order of the outcome of a test that is judged every `every` blocks. The
// blocks must not be silent.
func (t Test) order(b Blocks, r Result, every int64) order {
	m := b.dispersed()
	if m.Variance == 0 { // all won or all lost: take the regularised counts
		cells, _ := b.regular()
		ones := make([]float64, len(cells))
		for i := range ones {
			ones[i] = 1
		}
		mean, sd := spread(cells, ones)
		m.Mean, m.Variance = mean, sd*sd
	}
	n, sd, step, games := float64(m.N), math.Sqrt(m.Variance), float64(every), b.Games
	if b.Placed != nil {
		games = 1 // as in Hypotheses.placed
	}
	s0, s1 := t.scores(b, sd)
	o := order{s0: s0, mid: (s0 + s1) / 2, noise: math.Sqrt((n*m.Variance + 0.25) / (n + 1))}
	x := n * (m.Mean - o.mid) / o.noise

	first := step * math.Ceil(max(float64(t.MinBlocks), 1)/step)
	if (n-first)/step <= maxLooks {
		limit := math.Abs(x) + 12*math.Sqrt(n) // nothing comes here and back
		bounds := func(time float64) (walk, bool) { return t.boundsAt(time, (s1-s0)/sd, sd/o.noise, games) }
		if r.LLR <= r.Lower { // the same seen upside down
			s := newStages(func(time float64) (walk, bool) {
				w, ok := bounds(time)
				return walk{-w.upper, -w.lower}, ok
			}, limit, first, step, n)
			o.atLeast = func(drift float64) float64 { return 1 - s.atLeast(-x, -drift) }
			return o
		}
		s := newStages(bounds, limit, first, step, n)
		o.atLeast = func(drift float64) float64 { return s.atLeast(x, drift) }
		return o
	}
	path := t.path((s1-s0)/sd, sd/o.noise, every)
	switch {
	case r.LLR >= r.Upper:
		o.atLeast = func(drift float64) float64 { return path.hitUpper(n, drift) }
	case r.LLR <= r.Lower:
		o.atLeast = func(drift float64) float64 { return 1 - path.hitLower(n, drift) }
	default:
		o.atLeast = func(drift float64) float64 { return path.hitUpper(n, drift) + path.above(n, x, drift) }
	}
	return o
}

// path is the random walk that the log-likelihood ratio amounts to in the long
// run: Wald's bounds over the gap between the hypotheses in standard deviations
// of a block, moved outwards for looks every so many blocks. scale turns the
// standard deviations seen into those of the walk.
func (t Test) path(gap, scale float64, every int64) walk {
	lower, upper := Wald(t.Alpha, t.Beta)
	beyond := overshoot * math.Sqrt(float64(every))
	return walk{lower/gap*scale - beyond, upper/gap*scale + beyond}
}

// boundsAt are the bounds of the walk after n blocks. The ratio of hypotheses
// gap apart is nearly n g/2 ln((1 + (z+h)^2/g)/(1 + (z-h)^2/g)), z the mean from
// the middle in standard deviations, h half of the gap, g the games in a block
// under normalised bounds and else 1; it is Wald's, 2 n h z, only for small z.
// After few blocks no mean reaches the bounds.
func (t Test) boundsAt(n, gap, scale float64, games int) (walk, bool) {
	g := 1.0
	if t.Model == Normalized {
		g = float64(games)
	}
	h := gap / 2
	reach := func(bound float64) (float64, bool) {
		e := math.Expm1(2 * bound / (n * g)) // (1+(z+h)^2/g) = (1+e)(1+(z-h)^2/g)
		root := h*h*(2+e)*(2+e) - e*e*(h*h+g)
		z := e * (h*h + g) / (h*(2+e) + math.Sqrt(max(root, 0)))
		return n * z * scale, root >= 0
	}
	lower, upper := Wald(t.Alpha, t.Beta)
	up, above := reach(upper)
	down, below := reach(-lower)
	return walk{-down, up}, above || below
}
