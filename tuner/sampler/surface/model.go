package surface

import (
	"math"

	"sakusen/tuner/sampler/shared"
)

// row is what was seen of a point against the opponents, or of two that met each other.
type row struct {
	x, y   []float64 // y is nil against the opponents
	value  float64   // mean of the blocks: a score of x in [0, 1], or a metric
	noise  float64   // its standard error, NaN where it is not known
	blocks float64
	number int  // of the pair or, where y is nil, of the proposal; below 0 for neither
	begun  bool // of an earlier study
}

// model is a Bayesian regression of all games on the features: heights in Elo.
type model struct {
	*features
	seats    int // of a score; 0 for a metric
	maximize bool
	circle   bool // what is seen against the centre counts most
	whole    bool // what lies far below the top counts like all else

	mean  []float64         // of the weights
	root  *shared.Symmetric // Cholesky factor of their precision
	scale [groups]float64   // standard deviations of the weights before anything is seen
	best  float64           // height of the top
	noise float64           // variance of a block: of its score, or of its height by a metric
	unit  float64           // of a metric: the amount that counts like one Elo, negative to minimise
	zero  float64           // of a metric: its value at height 0
	sum   []float64         // for the features of one point
}

const (
	ln10over400 = math.Ln10 / 400
	// guessedNoise is the variance of a block's score that counts as guessedBlocks blocks.
	guessedNoise, guessedBlocks = 0.06, 20
	// metricNoise is the least standard deviation of a block's metric, in what counts like Elo.
	metricNoise = 0.5
	// steepest bounds, in Elo, the heights at which a score is linearised.
	steepest = 600
	// farBelow, in Elo: what lies d > farBelow under the top counts exp(1 - d/farBelow), as no hill is a
	// parabola far from its top. The top is at most farBelow above the highest place that was played.
	farBelow = 100
	// usualScale and leastScale, in Elo, are the scale of weights at first, and the least. A metric is
	// scaled so that its standard deviation counts like usualScale.
	usualScale, leastScale = 50, 8
	// free is the scale of weights about which nothing is assumed, Elo.
	free = 2000
	// passes of Fisher's scoring.
	passes = 3
)

func newModel(f *features, seats int, maximize bool) *model {
	m := &model{features: f, seats: seats, maximize: maximize, unit: 1, sum: make([]float64, f.size())}
	for g := range m.scale {
		m.scale[g] = usualScale
	}
	m.scale[line], m.scale[bend], m.scale[product] = 2*usualScale, 2*usualScale, 2*usualScale
	m.scale[common], m.scale[one] = free, free
	m.fit(nil)
	return m
}

// fitted returns the model of rows that begins where this one stands, which stays as it is.
func (m *model) fitted(rows []row) *model {
	o := *m
	o.fit(rows)
	return &o
}

// height returns that of a point on the surface of given weights.
func (m *model) height(w, x []float64) float64 {
	clear(m.sum)
	m.add(m.sum, x, 1)
	return shared.Dot(m.sum, w)
}

// above returns by how much a point lies above another, and the standard error; other is nil for
// height 0.
func (m *model) above(x, other []float64) (height, sd float64) {
	phi := make([]float64, m.size())
	m.add(phi, x, 1)
	if other != nil {
		m.add(phi, other, -1)
	}
	return m.seen(phi)
}

// seen returns the height of features, and its standard error. It overwrites them.
func (m *model) seen(phi []float64) (height, sd float64) {
	height = shared.Dot(phi, m.mean)
	m.root.Forward(phi)
	return height, math.Sqrt(shared.Dot(phi, phi))
}

// fit fits rows by Fisher's scoring: each is linearised at the height that the pass before gave it.
func (m *model) fit(rows []row) {
	m.measure(rows)
	if m.mean == nil {
		m.mean = make([]float64, m.size())
	}
	phi, side := make([]float64, m.size()), make([]float64, m.size())
	for range passes {
		xx, xy := shared.NewSymmetric(m.size()), make([]float64, m.size())
		highest := 0.0
		for i := range rows {
			r := &rows[i]
			clear(phi)
			m.add(phi, r.x, 1)
			h := shared.Dot(phi, m.mean)
			lowest := h
			highest = math.Max(highest, h)
			if r.y != nil {
				clear(side)
				m.add(side, r.y, 1)
				other := shared.Dot(side, m.mean)
				lowest = math.Min(h, other)
				h -= other
				for k := range phi {
					phi[k] -= side[k]
				}
			}
			y, variance := m.linear(r, h)
			w := 1 / variance
			if below := m.best - lowest - farBelow; below > 0 && !m.whole {
				w *= math.Exp(-math.Min(below/farBelow, 20))
			}
			if m.circle && r.y != nil && !m.atCentre(r.y) {
				w *= duelWeight
			}
			xx.Add(phi, w)
			for k, f := range phi {
				xy[k] += float64(float64(w*y) * f)
			}
		}
		m.solve(xx, xy)
		top := append([]float64(nil), m.centre...)
		for range sweeps {
			if m.sweep(m.mean, top, m.centre, 1) < stillness {
				break
			}
		}
		m.best = math.Min(m.height(m.mean, top), highest+farBelow)
	}
}

// measure finds the scale of a metric, and the variance of a block: of its score, or of a metric's height.
func (m *model) measure(rows []row) {
	sum, degrees, least := float64(guessedNoise*guessedBlocks), float64(guessedBlocks), guessedNoise/1000
	if m.seats == 0 {
		m.weigh(rows)
		sum, degrees, least = 0, 0, metricNoise*metricNoise
	}
	for i := range rows {
		if r := &rows[i]; r.blocks > 1 && !math.IsNaN(r.noise) {
			noise := r.noise / m.unit
			sum += float64((r.blocks - 1) * r.blocks * noise * noise)
			degrees += r.blocks - 1
		}
	}
	m.noise = math.Max(sum/math.Max(1, degrees), least)
}

// weigh finds the mean of a metric and the amount that counts like one Elo.
func (m *model) weigh(rows []row) {
	m.zero = 0
	for i := range rows {
		m.zero += rows[i].value / float64(len(rows))
	}
	spread := 0.0 // a root, as squares of a metric may be too large or too small for a number
	for i := range rows {
		spread = math.Hypot(spread, rows[i].value-m.zero)
	}
	if m.unit = spread / math.Sqrt(float64(len(rows))) / usualScale; !(m.unit > 0) {
		m.unit = 1
	}
	if !m.maximize {
		m.unit = -m.unit
	}
}

// score returns the value expected at a height, and its slope.
func (m *model) score(h float64) (value, slope float64) {
	if m.seats == 0 {
		return m.zero + float64(m.unit*h), m.unit
	}
	s := 1 / (1 + float64(float64(m.seats-1)*math.Exp(-ln10over400*h)))
	return s, float64(ln10over400 * s * (1 - s))
}

// linear returns what was seen, brought to the scale of heights, and its variance: y = h + (seen -
// expected)/slope.
func (m *model) linear(r *row, h float64) (y, variance float64) {
	if m.seats == 0 {
		return (r.value - m.zero) / m.unit, m.noise / r.blocks
	}
	s, slope := m.score(clamp(h, -steepest, steepest))
	even := 1 / float64(m.seats)
	v := m.noise * float64(s*(1-s)) / float64(even*(1-even)) / r.blocks
	return h + (r.value-s)/slope, v / float64(slope*slope)
}

// posterior is what is believed of the weights under given scales.
type posterior struct {
	mean  []float64
	root  *shared.Symmetric // Cholesky factor of the precision
	scale [groups]float64
	proof float64 // logarithm of the evidence, up to what does not depend on scales
}

// solve finds the posterior of the weights under the scales with the largest evidence (D. MacKay,
// Bayesian interpolation, 1992), climbing from those of before, one after the other. That of kinks
// stays small: with larger ones a steep smooth hill has its top anywhere.
func (m *model) solve(xx *shared.Symmetric, xy []float64) {
	best := m.under(m.scale, xx, xy)
	if best == nil {
		return // the rounding errors are too large: what was believed stands
	}
	for g := range m.scale {
		if group(g) == common || group(g) == one || !m.has(group(g)) {
			continue
		}
		for _, factor := range [2]float64{2, 0.5} {
			climbed := false
			for {
				scale := best.scale
				if scale[g] *= factor; scale[g] < leastScale || group(g) == kink && scale[g] > 2*usualScale && !m.circle || scale[g] > free {
					break
				}
				p := m.under(scale, xx, xy)
				if p == nil || p.proof <= best.proof {
					break
				}
				best, climbed = p, true
			}
			if climbed {
				break
			}
		}
	}
	m.mean, m.root, m.scale = best.mean, best.root, best.scale
}

// under returns the posterior under given scales, nil where it cannot be found.
func (m *model) under(scale [groups]float64, xx *shared.Symmetric, xy []float64) *posterior {
	p := &posterior{root: xx.Clone(), scale: scale, mean: append([]float64(nil), xy...)}
	for k, g := range m.group {
		p.root.Row(k)[k] += 1 / float64(scale[g]*scale[g])
		p.proof -= math.Log(scale[g])
	}
	logdet, ok := p.root.Factor()
	if !ok {
		return nil
	}
	p.root.Forward(p.mean)
	p.proof += (shared.Dot(p.mean, p.mean) - logdet) / 2
	p.root.Backward(p.mean)
	return p
}
