package tuner

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// Objective says what a trial's value is, or, of: pareto, its values.
type Objective struct {
	Of     string `json:"of"`               // score, metric or pareto
	Metric string `json:"metric,omitempty"` // of a metric objective
	Goal   string `json:"goal,omitempty"`   // minimize or maximize, of a metric objective
	// Relative makes the value the metric's ratio to the mean that the baseline reaches in
	// the candidate's place, on the same blocks and against the same opponents.
	Relative bool    `json:"relative,omitempty"`
	Over     string  `json:"over"` // mean or worst, of baseline and pool
	Limits   []Limit `json:"limits,omitempty"`
	// Objectives are those of a Pareto objective, at least two. Weights choose the point of
	// the front that is validated; without them it is the knee.
	Objectives []Objective `json:"objectives,omitempty"`
	Weights    []float64   `json:"weights,omitempty"`
	// Knee is KneeOfGains of a Pareto objective without weights, else empty.
	Knee string `json:"knee,omitempty"`
}

// KneeOfGains takes the knee of those points of the front only that a validation may
// pass: they lie above what it asks for by at least their standard error. The whole front
// counts where no point does, and where what the baseline reaches is not known.
const KneeOfGains = "gains"

// Goals returns the objectives one by one: itself, where there is one.
func (o *Objective) Goals() []Objective {
	if o.Of == "pareto" && len(o.Objectives) > 0 {
		return o.Objectives
	}
	return []Objective{*o}
}

// Maximize reports whether larger values are better.
func (o *Objective) Maximize() bool { return o.Goal != "minimize" }

// Name returns what a value is called: score, a metric, a metric's ratio.
func (o *Objective) Name() string {
	switch {
	case o.Of == "pareto":
		return "pareto"
	case o.Of == "score":
		return "score"
	case o.Relative:
		return o.Metric + " ratio"
	}
	return o.Metric
}

// Limit makes a candidate infeasible whose mean of a metric, or its ratio to the
// baseline's mean on the same blocks, lies outside.
type Limit struct {
	Metric   string   `json:"metric"`
	Max      *float64 `json:"max,omitempty"`
	Min      *float64 `json:"min,omitempty"`
	MaxRatio *float64 `json:"max_ratio,omitempty"`
	MinRatio *float64 `json:"min_ratio,omitempty"`
}

// Relative reports whether the limit asks what the baseline does.
func (l *Limit) Relative() bool { return l.MaxRatio != nil || l.MinRatio != nil }

// String reads "work at most 1.5 times the baseline's".
func (l *Limit) String() string {
	var bounds []string
	add := func(bound *float64, what, of string) {
		if bound != nil {
			bounds = append(bounds, what+" "+numeral.Text(*bound)+of)
		}
	}
	add(l.Min, "at least", "")
	add(l.Max, "at most", "")
	add(l.MinRatio, "at least", " times the baseline's")
	add(l.MaxRatio, "at most", " times the baseline's")
	return l.Metric + " " + strings.Join(bounds, " and ")
}

// Exceeded returns how a mean, or its ratio to the baseline's, breaks the limit; "" if neither
// does. An undefined value breaks it. write turns numbers into text: LogText for a reason
// that the log keeps, numeral.Text for people.
func (l *Limit) Exceeded(mean, ratio float64, write func(float64) string) string {
	switch {
	case l.Max != nil && !(mean <= *l.Max):
		return fmt.Sprintf("%s %s exceeds its limit %s", l.Metric, write(mean), write(*l.Max))
	case l.Min != nil && !(mean >= *l.Min):
		return fmt.Sprintf("%s %s is below its limit %s", l.Metric, write(mean), write(*l.Min))
	case l.MaxRatio != nil && !(ratio <= *l.MaxRatio):
		return fmt.Sprintf("%s at %s of the baseline's exceeds its limit %s", l.Metric, write(ratio), write(*l.MaxRatio))
	case l.MinRatio != nil && !(ratio >= *l.MinRatio):
		return fmt.Sprintf("%s at %s of the baseline's is below its limit %s", l.Metric, write(ratio), write(*l.MinRatio))
	}
	return ""
}

// Broken describes for pages how a mean, or its ratio to the baseline's, breaks the limit; ""
// if neither does.
func (l *Limit) Broken(mean, ratio float64) string {
	return l.Exceeded(mean, ratio, func(x float64) string {
		if math.Abs(x) >= 1e4 {
			return numeral.Short(x, math.Abs(x)*4e-4)
		}
		return numeral.Page(LogText(x))
	})
}

// LimitValue is what the winner measured of a limited metric on the validation's blocks.
type LimitValue struct {
	Limit string   `json:"limit"` // in words, such as "work at most 1.5 times the baseline's"
	Value *float64 `json:"value"` // the mean or, of a limit on it, its ratio to the baseline's
	Error *float64 `json:"standard_error"`
}

// LimitValues returns what was measured of each limit of the objective.
func (o *Objective) LimitValues(e *Estimate) (out []LimitValue) {
	for i := range o.Limits {
		l, m := &o.Limits[i], e.Limits[i]
		if l.Relative() {
			m = e.Ratios[i]
		}
		out = append(out, LimitValue{l.String(), numeral.Finite(m.Value), numeral.Finite(m.Error)})
	}
	return out
}

// Excess is by how much a candidate exceeds a limit.
type Excess struct {
	Limit string  // in words, such as "shots at most 40"
	By    float64 // in the metric's unit, or of the ratio; at most 0 inside, 1 where undefined
}

// excess returns by how much a mean, or its ratio to the baseline's, exceeds the bounds.
func (l *Limit) excess(mean, ratio float64) (out []Excess) {
	add := func(bound *float64, what string, sign, x float64) {
		if bound == nil {
			return
		}
		by := sign * (x - *bound)
		if math.IsNaN(by) || math.IsInf(by, 0) {
			by = 1
		}
		out = append(out, Excess{fmt.Sprintf("%s %s %s", l.Metric, what, numeral.Text(*bound)), by})
	}
	add(l.Max, "at most", 1, mean)
	add(l.Min, "at least", -1, mean)
	add(l.MaxRatio, "of the baseline's at most", 1, ratio)
	add(l.MinRatio, "of the baseline's at least", -1, ratio)
	return out
}

// LogText returns a number in a text of the log, with four significant digits. The
// digest of a study covers such texts, so that this form must never change.
func LogText(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// Estimate is what a candidate's evidence is worth under the objective.
type Estimate struct {
	entry.Mean // of several objectives, the first
	Feasible   bool
	// Goals are the values of several objectives, in their order.
	Goals []entry.Mean
	// Limits are the means of the limited metrics, in the objective's order. Ratios are
	// those means divided by the baseline's, for limits on a ratio.
	Limits, Ratios []entry.Mean
}

// Estimate judges the evidence against each opponent, in order.
func (s *Setup) Estimate(all []entry.Evidence) Estimate {
	est := Estimate{Feasible: true}
	goals := s.Objective.Goals()
	values := make([]entry.Mean, len(goals))
	for i := range goals {
		values[i] = s.ValueOf(&goals[i], all)
	}
	est.Mean = values[0]
	if s.Pareto() {
		est.Goals = values
	}
	for i := range s.Objective.Limits {
		l := &s.Objective.Limits[i]
		cost := Over(all, "mean", false, func(e *entry.Evidence) entry.Mean { return e.Metric(s.Ruleset, s.MetricOf(l.Metric)) })
		ratio := entry.Mean{Value: math.NaN(), Error: math.NaN()}
		if l.Relative() {
			ratio = Over(all, "mean", false, func(e *entry.Evidence) entry.Mean { return e.Ratio(s.Ruleset, s.MetricOf(l.Metric)) })
		}
		est.Limits, est.Ratios = append(est.Limits, cost), append(est.Ratios, ratio)
		if l.Exceeded(cost.Value, ratio.Value, LogText) != "" {
			est.Feasible = false
		}
	}
	return est
}

// Excess returns by how much a candidate exceeds each limit of the objective.
func (s *Setup) Excess(e *Estimate) []Excess {
	var out []Excess
	for i := range s.Objective.Limits {
		out = append(out, s.Objective.Limits[i].excess(e.Limits[i].Value, e.Ratios[i].Value)...)
	}
	return out
}

// Fits reports whether evidence counts what the rules count: it may be of other code.
func (s *Setup) Fits(all []entry.Evidence) bool {
	n := len(s.Ruleset.Components)
	for i := range all {
		e := &all[i]
		if int64(len(e.Scores)) != int64(s.Ruleset.Seats)*arena.Scale(s.Ruleset.Seats)+1 || len(e.Sums) != n || len(e.Cross) != n {
			return false
		}
		for k := range e.Cross {
			if len(e.Cross[k]) != k+1 {
				return false
			}
		}
		if b := e.Base; b != nil && (len(b.Sums) != n || len(b.Cross) != n || len(b.Squares) != n) {
			return false
		}
	}
	return len(all) > 0
}

// MetricOf returns a metric that was checked when the file was read.
func (s *Setup) MetricOf(name string) arena.Metric {
	m, _ := s.Ruleset.Metric(name)
	return m
}

// ValueOf returns one objective's value.
func (s *Setup) ValueOf(o *Objective, all []entry.Evidence) entry.Mean {
	return Over(all, o.Over, o.Maximize(), func(e *entry.Evidence) entry.Mean { return s.against(o, e) })
}

// against returns one objective's value against one opponent.
func (s *Setup) against(o *Objective, e *entry.Evidence) entry.Mean {
	switch {
	case o.Of == "score":
		return e.Score(s.Ruleset.Seats)
	case o.Relative:
		return e.Ratio(s.Ruleset, s.MetricOf(o.Metric))
	}
	return e.Metric(s.Ruleset, s.MetricOf(o.Metric))
}

// Over joins what the evidence against each opponent says: the mean or the worst.
func Over(all []entry.Evidence, how string, maximize bool, value func(e *entry.Evidence) entry.Mean) entry.Mean {
	means := make([]entry.Mean, len(all))
	for i := range all {
		means[i] = value(&all[i])
	}
	switch {
	case len(means) == 1:
		return means[0]
	case how == "worst":
		return worst(means, maximize)
	}
	return meanOver(means)
}

// worst returns the mean against the opponent against whom the candidate does worst.
func worst(means []entry.Mean, maximize bool) entry.Mean {
	w := means[0]
	for _, m := range means[1:] {
		if (m.Value < w.Value) == maximize && m.Value != w.Value {
			w = m
		}
	}
	return w
}

// meanOver returns the mean over opponents, whose blocks are independent.
func meanOver(means []entry.Mean) entry.Mean {
	out := entry.Mean{Blocks: means[0].Blocks}
	for _, m := range means {
		out.Value += m.Value / float64(len(means))
		out.Error += m.Error * m.Error / float64(len(means)*len(means))
		out.Blocks = min(out.Blocks, m.Blocks)
	}
	out.Error = math.Sqrt(out.Error)
	return out
}
