package insight

import (
	"cmp"
	"math"
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

const (
	// modelRows is the number of duels or trials for each term of a model below which
	// nothing is said.
	modelRows = 3
	// crossedNumbers is the number of numeric parameters up to which a model has what two
	// of them do together.
	crossedNumbers = 6
	// fading is the distance between two players, a share of the range of a number, at which
	// their duel has e^2 times less weight in the model. A score is bounded, a parabola is not.
	fading = 0.5
	// modelLooks is the number of times at which a model is looked at on the way.
	modelLooks = 24
	// rangePoints is the number of places of a number's range that are looked at.
	rangePoints = 41
	// peakSweeps is the number of times that all parameters are gone through for a peak.
	peakSweeps = 6
	// weakPrior is how many times as large as the values coefficients are taken to be
	// before anything is seen.
	weakPrior = 10
	// importanceRows is the number of rows below which all differences may be luck.
	importanceRows = 20
)

// Model is a linear model of what games told, over the parameters of a space: a quadratic in
// each number, an effect of each choice and, of few numbers, what two of them do together. It
// is fitted by least squares to the values of trials, or to the scores of duels.
type Model struct {
	Looks  []look    // the fits on the way, the last of all rows
	Origin []float64 // where the baseline is, or else the middle of the space
	Known  bool      // the origin is the baseline

	space tuner.Space
	terms []term
	duels bool
	rows  observations
	at    func(trial int) []float64 // a trial's place along each dimension
}

// look is the model after a number of trials.
type look struct {
	Trials int
	fit    stats.Fit
}

// observation is the value of trial a or, of a duel with trial b, the score of a less 1/2.
type observation struct {
	a, b                 int
	value, error, blocks float64
}

// observations are what games told, in their order.
type observations []observation

// add adds what so many blocks told, unless they told nothing.
func (o *observations) add(a, b int, value, standardError float64, blocks int64) {
	if !(standardError >= 0) {
		standardError = 0
	}
	if blocks > 0 && numeral.IsFinite(value) {
		*o = append(*o, observation{a, b, value, standardError, float64(blocks)})
	}
}

// term is a term of a model: the product of the places of one or two numbers, or whether a
// choice has a value. It is 0 where a parameter is not active.
type term struct {
	k      int // the parameter, -1 for the constant
	with   int // the other number, -1 where there is none
	choice int // the value's index, 0 for numbers
}

// newModel returns a model of rows without a fit.
func newModel(space tuner.Space, duels, pairs bool, rows observations, at func(int) []float64) *Model {
	m := &Model{space: space, duels: duels, rows: rows, at: at}
	if !duels { // else it cancels
		m.terms = []term{{-1, -1, 0}}
	}
	var numbers []int
	var crossed []term
	for k := range space {
		d, n := &space[k], space[k].Points()
		switch {
		case n == 1:
		case !numeric(d):
			for i := 1; i < n; i++ {
				m.terms = append(m.terms, term{k, -1, i})
			}
		default:
			if m.terms = append(m.terms, term{k, -1, 0}); n != 2 {
				m.terms = append(m.terms, term{k, k, 0})
			}
			for _, j := range numbers {
				crossed = append(crossed, term{j, k, 0})
			}
			numbers = append(numbers, k)
		}
	}
	if pairs && len(numbers) <= crossedNumbers && len(rows) >= modelRows*(len(m.terms)+len(crossed)) {
		m.terms = append(m.terms, crossed...)
	}
	return m
}

// numeric reports whether a parameter is a number.
func numeric(d *tuner.Dimension) bool { return d.Kind == param.Int || d.Kind == param.Float }

// unit returns where a number lies in its range, from -1 to 1; 0 where it is not active.
func unit(d *tuner.Dimension, x float64) float64 {
	low, high := d.Domain.Low, d.Domain.Top()
	if d.Domain.Log && low > 0 {
		x, low, high = math.Log(x), math.Log(low), math.Log(high)
	}
	if !(high > low) || math.IsNaN(x) {
		return 0
	}
	return 2*(x-low)/(high-low) - 1
}

// values returns the terms at a point.
func (m *Model) values(at []float64) []float64 {
	out := make([]float64, len(m.terms))
	for i, t := range m.terms {
		switch {
		case t.k < 0:
			out[i] = 1
		case t.choice > 0:
			if at[t.k] == float64(t.choice) {
				out[i] = 1
			}
		default:
			if out[i] = unit(&m.space[t.k], at[t.k]); t.with >= 0 {
				out[i] *= unit(&m.space[t.with], at[t.with])
			}
		}
	}
	return out
}

// less returns the terms at a point less those at another.
func (m *Model) less(at, other []float64) []float64 {
	terms := m.values(at)
	for i, x := range m.values(other) {
		terms[i] -= x
	}
	return terms
}

// weigh makes the errors of the rows what they are known to be: a few blocks that happen to
// be alike say little about their error, so that each row has one block of the average
// spread beside its own. It returns the error of coefficients before any row is seen.
func (m *Model) weigh() (prior float64) {
	spread, squares := 0.0, 0.0
	for _, r := range m.rows {
		spread += r.error * r.error * r.blocks / float64(len(m.rows))
		squares += r.value * r.value / float64(len(m.rows))
	}
	least := 1e-9 * max(math.Sqrt(squares), 1e-9) // exact values have no error
	for i := range m.rows {
		r := &m.rows[i]
		r.error = math.Sqrt((r.error*r.error*r.blocks*r.blocks+spread)/(r.blocks+1)/r.blocks + least*least)
	}
	return weakPrior * max(math.Sqrt(squares), 1e-9)
}

// learn fits the model to its rows, and to the first of them at a number of looks on the way.
// It is false where there are fewer rows than least.
func (m *Model) learn(least, looks int) bool {
	if len(m.rows) < least || len(m.terms) == 0 {
		return false
	}
	sum, next, trials := stats.NewNormals(len(m.terms)), least, 0
	sum.Suppose(m.weigh())
	for i, r := range m.rows {
		row := stats.Row{Value: r.value, Error: r.error}
		if r.b < 0 {
			row.Terms = m.values(m.at(r.a))
		} else {
			row.Terms = m.less(m.at(r.a), m.at(r.b))
			row.Error *= math.Exp(m.apart(r.a, r.b) / fading)
		}
		sum.Add(row)
		trials = max(trials, r.a+1, r.b+1)
		if i+1 < next && i+1 < len(m.rows) {
			continue
		}
		next += max(1, (len(m.rows)-least)/looks)
		if fit, ok := sum.Fit(); ok {
			m.Looks = append(m.Looks, look{trials, fit})
		}
	}
	return len(m.Looks) > 0
}

// apart returns the largest difference between two trials in a number, a share of its range.
func (m *Model) apart(a, b int) (far float64) {
	x, y := m.at(a), m.at(b)
	for k := range m.space {
		if d := &m.space[k]; numeric(d) {
			far = max(far, math.Abs(unit(d, x[k])-unit(d, y[k]))/2)
		}
	}
	return far
}

// last returns the fit to all rows.
func (m *Model) last() stats.Fit { return m.Looks[len(m.Looks)-1].fit }

// Height returns the value of a point with its standard error at a look: of duels the score
// above that of the origin, else a trial's value.
func (m *Model) Height(at []float64, look int) (value, standardError float64) {
	if m.duels {
		return m.Looks[look].fit.Contrast(m.less(at, m.Origin))
	}
	return m.Looks[look].fit.Contrast(m.values(at))
}

// Ladder returns the places of a parameter's range that are looked at.
func (m *Model) Ladder(k int) (xs []float64) {
	d := &m.space[k]
	if !numeric(d) {
		for i := range d.Points() {
			xs = append(xs, float64(i))
		}
		return xs
	}
	low, high := d.Domain.Low, d.Domain.Top()
	for i := range rangePoints {
		u := float64(i) / (rangePoints - 1)
		if d.Domain.Log && low > 0 {
			xs = append(xs, low*math.Pow(high/low, u))
		} else {
			xs = append(xs, low+u*(high-low))
		}
	}
	return xs
}

// Peak returns the best point at a look that is found by going through the parameters in turn.
func (m *Model) Peak(look int) []float64 {
	at := slices.Clone(m.Origin)
	best, _ := m.Height(at, look)
	for range peakSweeps {
		before := best
		for k := range at {
			here := at[k]
			for _, x := range m.Ladder(k) {
				at[k] = x
				if v, _ := m.Height(at, look); v > best {
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

// share is what a parameter explains of the differences between values, from 0 to 1.
type share struct {
	K     int // the parameter's number
	Name  string
	Share float64
}

// Importance returns the share of the variance of values, without the luck of their games,
// that is the variance of each parameter's own effect over the trials, the largest first, and
// the share of luck in all of it. Shares never add up to more than 1; one that chance could
// make is 0.
func (m *Model) Importance() (all []share, luck float64) {
	n := make([]float64, len(m.space))
	mean, squares, own := slices.Clone(n), slices.Clone(n), slices.Clone(n)
	weight, sum, square := 0.0, 0.0, 0.0
	fit := m.last()
	for _, r := range m.rows {
		w := 1 / (r.error * r.error)
		weight, sum, square = weight+w, sum+w*r.value, square+w*r.value*r.value
		for _, trial := range []int{r.a, r.b} {
			if trial < 0 {
				continue
			}
			at := m.at(trial)
			clear(own)
			for i, x := range m.values(at) {
				if t := m.terms[i]; t.k >= 0 && (t.with < 0 || t.with == t.k) {
					own[t.k] += fit.Coefficients[i] * x
				}
			}
			for k, x := range own {
				if !math.IsNaN(at[k]) { // it is active
					n[k], mean[k], squares[k] = n[k]+w, mean[k]+w*x, squares[k]+w*x*x
				}
			}
		}
	}
	noise, spread := float64(len(m.rows))/weight, square/weight-sum/weight*sum/weight
	if m.duels { // a duel has the variance of two trials
		noise, spread = noise/2, (square/weight)/2
	}
	luck = min(1, noise/spread)
	total := 0.0
	for k := range m.space {
		s := share{K: k, Name: m.space[k].Name}
		if n[k] > 0 {
			s.Share = squares[k]/n[k] - mean[k]*mean[k]/n[k]/n[k]
		}
		var own float64
		for _, t := range m.terms {
			if t.k == k && (t.with < 0 || t.with == k) {
				own++
			}
		}
		luck := noise / float64(len(m.rows)) // what a term explains where only chance is at work
		if s.Share -= own * luck; s.Share < 3*luck*math.Sqrt(2*own) {
			s.Share = 0
		}
		total += s.Share
		all = append(all, s)
	}
	if len(m.rows) < importanceRows || !(spread > 0) {
		luck = 1
	}
	for k := range all {
		all[k].Share /= max(total, spread-noise, math.SmallestNonzeroFloat64)
	}
	slices.SortStableFunc(all, func(a, b share) int { return cmp.Compare(b.Share, a.Share) })
	return all, luck
}

// ends returns the combinations of coefficients that say how much better an end of a number's
// range is than the range on average, and how steeply the values fall towards that end. It is
// false where the model does not have it.
func (m *Model) ends(k int, end float64) (better, falls []float64, ok bool) {
	better, falls = make([]float64, len(m.terms)), make([]float64, len(m.terms))
	for i, t := range m.terms {
		if t.k != k || t.choice > 0 {
			continue
		}
		ok = true
		switch t.with {
		case -1:
			better[i], falls[i] = end, -end
		case k:
			better[i], falls[i] = 1-1./3, -2
		}
	}
	return better, falls, ok
}

// Model returns a model of all games; nil where there are too few, or generations that play
// themselves.
func (c *Log) Model() *Model {
	var rows observations
	for i := range c.Trials {
		if t := &c.Trials[i]; t.Met > 0 && !c.Spec.Duels { // what a model says of its answer is no game
			rows.add(i, -1, t.Value, t.Error, int64(t.Blocks))
		}
	}
	for i := range c.Duels {
		d := &c.Duels[i]
		rows.add(d.A, d.B, d.Score-0.5, d.Noise, d.Blocks)
	}
	m := newModel(c.Spec.Tune.Params, c.Spec.Duels, true, rows, c.Point)
	m.from(c.Spec.Spec)
	if c.Spec.Evaluate != nil || !m.learn(modelRows*len(m.terms), modelLooks) {
		return nil
	}
	return m
}

// from places the origin at the baseline, if it plays the tuned strategy, else in the middle
// of the space. A parameter that a condition switches off has no place.
func (m *Model) from(spec *tuner.Spec) {
	base, same := Baseline(spec)
	for k := range m.space {
		d, x := &m.space[k], math.NaN()
		text, ok := base[d.Name]
		if text = d.Searched(text); !ok {
			text = d.Default
		}
		if same {
			x = d.Number(text)
		}
		if math.IsNaN(x) {
			if x, same = 0, false; numeric(d) {
				x = (d.Domain.Low + d.Domain.Top()) / 2
			}
		}
		m.Origin = append(m.Origin, x)
	}
	m.Known = same
}

// model returns the model of what the study knows of its candidates, more being better; nil
// where there are fewer rows than terms.
func (x *Search) model() *Model {
	sign := 1.0
	if !x.Setup.Maximize() {
		sign = -1
	}
	var rows observations
	for i, t := range x.Trials {
		if !x.Setup.Duels && t.State != entry.TrialFailed && len(t.Evidence) > 0 {
			rows.add(i, -1, sign*t.Estimate.Value, t.Estimate.Error, t.Blocks())
		}
	}
	for _, d := range x.Duels {
		rows.add(d.A, d.B, sign*(d.Score-0.5), d.Noise, d.Blocks)
	}
	space := x.Setup.Tune.Params
	m := newModel(space, x.Setup.Duels, false, rows, func(trial int) []float64 {
		at, played := make([]float64, len(space)), x.Trials[trial].Params.Values()
		for k := range space {
			at[k] = math.NaN()
			if text, ok := played.Get(space[k].Name); ok {
				at[k] = space[k].Number(text)
			}
		}
		return at
	})
	if !m.learn(len(m.terms), 1) {
		return nil
	}
	return m
}
