package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
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
	// peakSweeps is the number of times that all parameters are gone through for a peak.
	peakSweeps = 6
)

// surface is a model of scores: a quadratic in every number of more than one value, an
// effect of every choice, and, of few numbers, what two of them do together; fitted to
// duels, or to trials against the baseline.
type surface struct {
	t       *trials
	space   *space
	terms   []term
	against bool      // rows are trials against the baseline, whose score is 1/2
	origin  []float64 // where the baseline is, else the middle of the space
	known   bool      // the origin is the baseline
	fit     stats.Fit
	course  []look
}

// look is the model after so many trials.
type look struct {
	trials int
	fit    stats.Fit
}

// modelled tells whether a study's answer is that of a model of scores.
func (t *trials) modelled() bool {
	if t.log.Spec.Duels {
		return true
	}
	return t.scale.Elo && t.log.Several() == 0 && slices.Contains([]string{"surface", "cmaes", "spsa"}, t.log.Spec.Sampler.Name)
}

// learn fits the surface by least squares to all games; nil where there are too few,
// or where they do not tell all parameters apart.
func (t *trials) learn() *surface {
	if !t.modelled() || len(t.space.params) == 0 {
		return nil
	}
	m := &surface{t: t, space: t.space, against: !t.log.Spec.Duels}
	m.origin, m.known = t.space.origin()
	if m.against {
		m.terms = []term{{-1, func([]float64) float64 { return 1 }}}
	}
	var pairs []term
	var numbers []int
	for k := range t.space.params {
		m.terms = append(m.terms, t.space.effects(k)...)
		if d := &t.space.params[k]; d.Points() != 1 && t.space.axis(k, true).names == nil {
			for _, j := range numbers {
				pairs = append(pairs, term{-1, func(at []float64) float64 { return t.space.unit(j, at) * t.space.unit(k, at) }})
			}
			numbers = append(numbers, k)
		}
	}
	single := m.terms
	if len(numbers) <= crossed {
		m.terms = append(slices.Clone(single), pairs...)
	}
	if m.gather() {
		return m
	}
	if m.terms = single; len(pairs) > 0 && m.gather() {
		return m
	}
	return nil
}

// gather adds the rows one by one, keeps fits on the way, and tells whether there is one of
// all of them.
func (m *surface) gather() bool {
	log, rows := m.t.log, len(m.t.log.Duels)
	if m.against {
		rows = len(log.Trials)
	}
	least := modelRows * len(m.terms)
	sum, next := stats.NewNormals(len(m.terms)), least
	for i := range rows {
		row, blocks, trials := stats.Row{Value: math.NaN()}, int64(0), i+1
		if m.against {
			if t := &log.Trials[i]; t.Met > 0 { // what a model says of its answer is no game
				row.Value, blocks, row.Terms = t.Value, int64(t.Blocks), evaluate(m.terms, m.space.point(i))
			}
		} else {
			d := &log.Duels[i]
			row.Value, blocks, trials = d.Score, d.Blocks, max(d.A, d.B)+1
			row.Terms = m.less(m.space.point(d.A), m.space.point(d.B))
		}
		if !math.IsNaN(row.Value) && blocks > 0 {
			row.Value, row.Error = row.Value-0.5, blockNoise/math.Sqrt(float64(blocks))
			sum.Add(row)
		}
		if i+1 < next && i+1 < rows || rows < least {
			continue
		}
		next += max(1, (rows-least)/courseSteps)
		if fit, ok := sum.Fit(); ok {
			if n := len(m.course); n > 0 {
				trials = max(trials, m.course[n-1].trials)
			}
			m.course, m.fit = append(m.course, look{trials, fit}), fit
		}
	}
	return len(m.course) > 0
}

// less returns the terms of a point less those of another.
func (m *surface) less(at, other []float64) []float64 {
	terms := evaluate(m.terms, at)
	for i, x := range evaluate(m.terms, other) {
		terms[i] -= x
	}
	return terms
}

// height returns the score of a point above the baseline, or above the middle of the space,
// with its standard error.
func (m *surface) height(at []float64, fit *stats.Fit) (value, e float64) {
	if m.against {
		return fit.Contrast(evaluate(m.terms, at))
	}
	return fit.Contrast(m.less(at, m.origin))
}

// elo returns a score above the baseline's as Elo.
func (m *surface) elo(above float64) float64 {
	if m.t.log.Spec.Ruleset == nil || math.IsNaN(above) {
		return stats.EloError(0.5, 1) * above
	}
	return min(mostElo, max(-mostElo, stats.Elo(min(1, max(0, 0.5+above)), m.t.log.Spec.Ruleset.Seats)))
}

// band returns the Elo of a point with the ends of its 95 % interval.
func (m *surface) band(at []float64, fit *stats.Fit) (value, low, high float64) {
	v, e := m.height(at, fit)
	return m.elo(v), m.elo(v - stats.Deviate95*e), m.elo(v + stats.Deviate95*e)
}

// above says what the model's heights are above.
func (m *surface) above() string {
	if m.against || m.known {
		return "Elo above the baseline"
	}
	return "Elo above the middle of the space"
}

// ladder returns the places of a parameter's range that are looked at.
func (m *surface) ladder(k int) (xs []float64) {
	a := m.space.axis(k, true)
	n := modelPoints
	if a.names != nil {
		n = len(a.names)
	}
	for i := range n {
		x, u := float64(i), float64(i)/(modelPoints-1)
		switch {
		case a.log:
			x = a.low * math.Pow(a.top/a.low, u)
		case a.names == nil:
			x = a.low + u*(a.top-a.low)
		}
		xs = append(xs, x)
	}
	return xs
}

// peak returns the best point of a fit that is found by going through the parameters in turn.
func (m *surface) peak(fit *stats.Fit) []float64 {
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

// answer returns the point that the study answers with, or the model's peak by now.
func (m *surface) answer() []float64 {
	r := m.t.result
	if r == nil || r.Best == nil {
		return m.peak(&m.fit)
	}
	at := make([]float64, len(m.space.params))
	for k := range at {
		at[k] = math.NaN()
		if text, ok := r.Best.Params[m.space.params[k].Name]; ok {
			at[k] = m.space.params[k].Number(text)
		}
	}
	return at
}

// shares returns how much of what the model says each parameter does by itself: the variance
// of its effect over the trials.
func (m *surface) shares() []Bar {
	n, mean, squares := make([]float64, len(m.space.params)), make([]float64, len(m.space.params)), make([]float64, len(m.space.params))
	for i := range m.t.log.Trials {
		at := m.space.point(i)
		sums := make([]float64, len(at))
		for j, term := range m.terms {
			if term.k >= 0 {
				sums[term.k] += m.fit.Coefficients[j] * term.of(at)
			}
		}
		for k, x := range at {
			if !math.IsNaN(x) { // it is active
				n[k], mean[k], squares[k] = n[k]+1, mean[k]+sums[k], squares[k]+sums[k]*sums[k]
			}
		}
	}
	all, total := make([]Bar, len(n)), 0.0
	for k := range all {
		all[k].Name = m.space.params[k].Name
		if n[k] > 1 {
			all[k].Share = max(0, squares[k]/n[k]-mean[k]*mean[k]/n[k]/n[k])
		}
		total += all[k].Share
	}
	for k := range all {
		if total > 0 {
			all[k].Share /= total
		}
	}
	return ranked(all)
}

// known returns what the search has learnt of each parameter by its own model, those that
// matter most first: "23 ± 4 Elo", and the values that are as good.
func known(all []tuner.Known) (rows []Bar) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b tuner.Known) int { return cmp.Compare(b.Importance, a.Importance) })
	for i := range all {
		k := &all[i]
		var notes []string
		switch {
		case k.Idle:
			notes = append(notes, "counts only with "+k.When+", which the answer does not have")
		case len(k.Same) > 1:
			notes = append(notes, strings.Join(k.Same, ", "))
		case k.From != "" && k.From != k.To:
			notes = append(notes, brief(k.From)+" to "+brief(k.To))
		}
		if k.When != "" && !k.Idle {
			notes = append(notes, "counts only with "+k.When)
		}
		if k.With != "" {
			notes = append(notes, "depends on "+k.With)
		}
		r := Bar{Name: k.Name, Text: numeral.Typeset(k.Importance, stats.Deviate95*k.Error) + " Elo", Note: strings.Join(notes, "; ")}
		if most := all[0].Importance; most > 0 {
			r.Share = k.Importance / most
		}
		rows = append(rows, r)
	}
	return rows
}

// brief returns a number with three digits, any other text as it is.
func brief(text string) string {
	var x float64
	if n, err := fmt.Sscan(text, &x); n == 1 && err == nil && len(text) > 5 {
		return numeral.Page(fmt.Sprintf("%.3g", x))
	}
	return text
}

const (
	// importanceTrials is the number of trials below which nothing is said about
	// what parameters do.
	importanceTrials = 20
	// mostLuck is the share of luck above which nothing is said of the rest.
	mostLuck = 0.95
)

// importance returns the share of the variance of trials' values, without the luck of
// their games, that each parameter explains: a model of the effects of each is fitted by
// least squares, and a parameter's share is the covariance of its effect with the values.
// Such shares add up to what the model explains (Pratt, 1987), and never to more than all.
// Trials count by their blocks: those that were stopped early are mostly luck.
func (t *trials) importance() (all []Bar, luck string) {
	rows, total, mean, noise := []stats.Row{}, 0.0, 0.0, 0.0
	terms := []term{{-1, func([]float64) float64 { return 1 }}}
	for k := range t.space.params {
		terms = append(terms, t.space.effects(k)...)
	}
	for i := range t.log.Trials {
		if line := &t.log.Trials[i]; !math.IsNaN(line.Value) {
			w := float64(max(1, line.Blocks))
			rows = append(rows, stats.Row{Value: line.Value, Error: 1 / math.Sqrt(w), Terms: evaluate(terms, t.space.point(i))})
			total, mean = total+w, mean+w*line.Value
			if !math.IsNaN(line.Error) {
				noise += w * line.Error * line.Error
			}
		}
	}
	sum, spread := stats.NewNormals(len(terms)), 0.0
	for j := range terms { // what no row tells is taken to be nothing, and keeps nothing else from being told
		row := stats.Row{Error: 1, Terms: make([]float64, len(terms))}
		row.Terms[j] = 1
		sum.Add(row)
	}
	for i := range rows {
		r := &rows[i]
		r.Value -= mean / total
		spread += r.Value * r.Value / (r.Error * r.Error)
		sum.Add(*r)
	}
	chance := min(1, noise/spread)
	fit, ok := sum.Fit()
	if !ok || len(rows) < importanceTrials || !(spread > 0) || chance > mostLuck {
		return nil, ""
	}
	explained := 0.0
	for k := range t.space.params {
		c, n := 0.0, 0.0
		for j, term := range terms {
			if term.k == k {
				n++
				for _, r := range rows {
					c += fit.Coefficients[j] * r.Terms[j] * r.Value / (r.Error * r.Error) / spread
				}
			}
		}
		// As many random terms would explain some of it as well.
		share := max(0, c-n/float64(len(rows))*(1-min(1, c)))
		explained += share
		all = append(all, Bar{Name: t.space.params[k].Name, Share: share})
	}
	for k := range all {
		all[k].Share /= max(explained, 1-chance) // of what is not luck
	}
	return ranked(all), fmt.Sprintf("Of the differences between trials' values %.0f %% are luck of the games. What is missing to 100 %% is what parameters do together, or too little to tell.", 100*chance)
}
