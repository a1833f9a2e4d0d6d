package chart

import (
	"math"
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/stats"
)

const (
	// modelRows is the number of duels or trials for each term of a model below which
	// nothing is said.
	modelRows = 3
	// crossed is the number of numeric parameters up to which a model has what two of
	// them do together.
	crossed = 6
	// blockNoise is the standard deviation of a block's score between equals, by which
	// rows are weighted.
	blockNoise = 0.35
	// courseSteps is the number of times at which a model is looked at on the way.
	courseSteps = 24
	// modelPoints is the number of places of a range that are looked at.
	modelPoints = 41
)

// landscape is a model of scores: a quadratic in every number of more than one value, an
// effect of every choice, and, of few numbers, what two of them do together; fitted to
// duels, or to trials against the baseline.
type landscape struct {
	t       *terrain
	at      []int // of each parameter's first term
	terms   []int // of each parameter
	pairs   [][2]int
	against bool      // rows are trials against the baseline, whose score is 1/2
	origin  []float64 // where the baseline is, else the middle of the space
	known   bool      // the origin is the baseline
	n       int       // terms
	fit     stats.Fit
	course  []look
}

// look is the model after so many trials.
type look struct {
	trials int
	fit    stats.Fit
}

// modelled tells whether a study's answer is that of a model of scores.
func (t *terrain) modelled() bool {
	if t.log.Spec.Duels {
		return true
	}
	return Elo(t.log) && t.log.Several() == 0 && slices.Contains([]string{"surface", "cmaes", "spsa"}, t.log.Spec.Sampler.Name)
}

// learn fits the landscape by least squares to all games; nil where there are too few,
// or where they do not tell all parameters apart.
func (t *terrain) learn() *landscape {
	if !t.modelled() {
		return nil
	}
	var numbers []int
	for k := range t.space {
		if kind := t.space[k].Kind; (kind == param.Int || kind == param.Float) && t.space[k].Points() != 1 {
			numbers = append(numbers, k)
		}
	}
	var pairs [][2]int
	if len(numbers) <= crossed {
		for i, k := range numbers {
			for _, j := range numbers[:i] {
				pairs = append(pairs, [2]int{j, k})
			}
		}
		if m := t.fitted(pairs); m != nil {
			return m
		}
	}
	return t.fitted(nil)
}

// fitted fits a landscape in which these pairs of numbers do something together.
func (t *terrain) fitted(pairs [][2]int) *landscape {
	m := &landscape{t: t, against: !t.log.Spec.Duels, pairs: pairs}
	for k := range t.space {
		m.at = append(m.at, m.n)
		terms := 2
		switch d := &t.space[k]; {
		case d.Kind == param.Bool:
			terms = 1
		case d.Kind == param.Choice:
			terms = len(d.Choices) - 1
		case d.Points() == 1:
			terms = 0
		}
		m.terms = append(m.terms, terms)
		m.n += terms
	}
	m.n += len(pairs)
	m.origin, m.known = t.origin()
	rows := len(t.log.Duels)
	if m.against {
		m.n++
		rows = len(t.log.Trials)
	}
	if least := modelRows * m.n; len(t.space) > 0 && rows >= least {
		m.gather(rows, least)
	}
	if len(m.course) == 0 {
		return nil
	}
	m.fit = m.course[len(m.course)-1].fit
	return m
}

// gather adds the rows one by one and keeps fits on the way, from the least number of
// rows on.
func (m *landscape) gather(rows, least int) {
	sum, next := stats.NewNormals(m.n), least
	log := m.t.log
	for i := range rows {
		var terms []float64
		value, blocks, trials := math.NaN(), int64(0), i+1
		if m.against {
			if t := &log.Trials[i]; t.Met > 0 { // what a model says of its answer is no game
				value, blocks, terms = t.Value, int64(t.Blocks), m.row(m.t.places(i))
			}
		} else {
			d := &log.Duels[i]
			value, blocks, trials, terms = d.Score, d.Blocks, max(d.A, d.B)+1, m.row(m.t.places(d.A))
			for j, x := range m.row(m.t.places(d.B)) {
				terms[j] -= x
			}
		}
		if !math.IsNaN(value) && blocks > 0 {
			sum.Add(stats.Row{Value: value - 0.5, Error: blockNoise / math.Sqrt(float64(blocks)), Terms: terms})
		}
		if i+1 < next && i+1 < rows {
			continue
		}
		next += max(1, (rows-least)/courseSteps)
		if fit, ok := sum.Fit(); ok {
			if n := len(m.course); n > 0 {
				trials = max(trials, m.course[n-1].trials)
			}
			m.course = append(m.course, look{trials, fit})
		}
	}
}

// places is where a trial is, along each parameter.
func (t *terrain) places(trial int) []float64 {
	out := make([]float64, len(t.space))
	for k := range out {
		out[k] = t.log.Place(trial, k)
	}
	return out
}

// origin is where the baseline is, if it plays the tuned strategy, else the middle of
// the space. A parameter that a condition switches off has no place.
func (t *terrain) origin() (at []float64, known bool) {
	base, same := Baseline(t.log.Spec.Spec)
	for k := range t.space {
		d := &t.space[k]
		text, ok := base[d.Name]
		if text = d.Searched(text); !ok {
			text = d.Default
		}
		x := math.NaN()
		if same {
			x = d.Number(text)
		}
		if math.IsNaN(x) {
			if x = 0; d.Kind == param.Int || d.Kind == param.Float {
				x = (d.Domain.Low + d.Domain.Top()) / 2
			}
			same = false
		}
		at = append(at, x)
	}
	return at, same
}

// row are the terms of a point.
func (m *landscape) row(at []float64) []float64 {
	out := make([]float64, m.n)
	for k := range at {
		m.basis(k, at[k], out[m.at[k]:])
	}
	end := m.n - len(m.pairs)
	if m.against {
		end--
		out[m.n-1] = 1
	}
	for i, p := range m.pairs {
		if x, y := at[p[0]], at[p[1]]; !math.IsNaN(x) && !math.IsNaN(y) {
			out[end+i] = scaledTo(&m.t.space[p[0]], x) * scaledTo(&m.t.space[p[1]], y)
		}
	}
	return out
}

// basis fills in the terms of one parameter at a place, 0 where it is not active.
func (m *landscape) basis(k int, x float64, out []float64) {
	if math.IsNaN(x) || m.terms[k] == 0 {
		return
	}
	switch d := &m.t.space[k]; d.Kind {
	case param.Bool:
		out[0] = x
	case param.Choice:
		if i := int(x); i > 0 && i <= m.terms[k] {
			out[i-1] = 1
		}
	default:
		u := scaledTo(d, x)
		out[0], out[1] = u, u*u
	}
}

// scaledTo is a number as -1 to 1 over its range.
func scaledTo(d *tuner.Dimension, x float64) float64 {
	low, high := d.Domain.Low, d.Domain.Top()
	if d.Domain.Log && low > 0 {
		x, low, high = math.Log(x), math.Log(low), math.Log(high)
	}
	if !(high > low) {
		return 0
	}
	return 2*(x-low)/(high-low) - 1
}

// height is the score of a point above the baseline, or above the middle of the space,
// with its standard error.
func (m *landscape) height(at []float64, fit *stats.Fit) (value, e float64) {
	terms := m.row(at)
	if !m.against {
		for j, x := range m.row(m.origin) {
			terms[j] -= x
		}
	}
	return fit.Contrast(terms)
}

// ladder are the places of a parameter's range that are looked at.
func (m *landscape) ladder(k int) (xs []float64) {
	d := &m.t.space[k]
	switch d.Kind {
	case param.Bool:
		return []float64{0, 1}
	case param.Choice:
		for i := range d.Choices {
			xs = append(xs, float64(i))
		}
		return xs
	}
	low, high := d.Domain.Low, d.Domain.Top()
	for i := range modelPoints {
		u := float64(i) / (modelPoints - 1)
		x := low + u*(high-low)
		if d.Domain.Log && low > 0 {
			x = low * math.Pow(high/low, u)
		}
		xs = append(xs, x)
	}
	return xs
}

// peakSweeps is the number of times that all parameters are gone through for a peak.
const peakSweeps = 6

// peak is the best point of a fit that is found by going through the parameters in turn.
func (m *landscape) peak(fit *stats.Fit) []float64 {
	at := slices.Clone(m.origin)
	best, _ := m.height(at, fit)
	for range peakSweeps {
		before := best
		for k := range at {
			here := at[k]
			for _, x := range m.ladder(k) {
				at[k] = x
				if v, _ := m.height(at, fit); v > best {
					best, here = v, x
				}
			}
			at[k] = here
		}
		if best == before {
			break
		}
	}
	return at
}
