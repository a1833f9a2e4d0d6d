package tuner

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
)

// boundLevel is the one-sided level of over: lower_bound, and boundSpan its
// normal deviate.
const (
	boundLevel = 0.95
	boundSpan  = 1.6448536269514722
)

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

// Excess is by how much a candidate exceeds each limit of the objective.
func (s *Setup) Excess(e *Estimate) []Excess {
	var out []Excess
	for i := range s.Objective.Limits {
		out = append(out, s.Objective.Limits[i].excess(e.Limits[i].Value, e.Ratios[i].Value)...)
	}
	return out
}

// Fits tells whether evidence counts what the rules count: it may be of other code.
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

// MetricOf is a metric that was checked when the file was read.
func (s *Setup) MetricOf(name string) arena.Metric {
	m, _ := s.Ruleset.Metric(name)
	return m
}

// ValueOf is one objective's value.
func (s *Setup) ValueOf(o *Objective, all []entry.Evidence) entry.Mean {
	return Over(all, o.Over, o.Maximize(), func(e *entry.Evidence) entry.Mean { return s.against(o, e) })
}

// against is one objective's value against one opponent.
func (s *Setup) against(o *Objective, e *entry.Evidence) entry.Mean {
	switch {
	case o.Of == "score":
		return e.Score(s.Ruleset.Seats)
	case o.Relative:
		return e.Ratio(s.Ruleset, s.MetricOf(o.Metric))
	}
	return e.Metric(s.Ruleset, s.MetricOf(o.Metric))
}

// Over joins what the evidence against each opponent says: the mean, the worst,
// or a confidence bound on the bad side of the mean.
func Over(all []entry.Evidence, how string, maximize bool, value func(e *entry.Evidence) entry.Mean) entry.Mean {
	means := make([]entry.Mean, len(all))
	for i := range all {
		means[i] = value(&all[i])
	}
	switch {
	case how == "lower_bound":
		return lowerBound(means, maximize)
	case len(means) == 1:
		return means[0]
	case how == "worst":
		return worst(means, maximize)
	}
	return meanOver(means)
}

// worst is the mean against the opponent against whom the candidate does worst.
func worst(means []entry.Mean, maximize bool) entry.Mean {
	w := means[0]
	for _, m := range means[1:] {
		if (m.Value < w.Value) == maximize && m.Value != w.Value {
			w = m
		}
	}
	return w
}

// meanOver is the mean over opponents, whose blocks are independent.
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

// lowerBound is the mean over opponents less 1.645 standard errors (plus them, if less is
// better): the mean exceeds it with a confidence of 95 %. The opponents count as a sample
// of all that could be met, so the standard error is that of their spread, or that of the
// blocks if it is larger. The bound rewards a candidate that does equally well against
// every opponent, and one that was measured well.
func lowerBound(means []entry.Mean, maximize bool) entry.Mean {
	m := meanOver(means)
	se := m.Error
	if n := float64(len(means)); n > 1 {
		spread := 0.0
		for _, x := range means {
			spread += (x.Value - m.Value) * (x.Value - m.Value)
		}
		if spread = math.Sqrt(spread / (n * (n - 1))); math.IsNaN(se) || spread > se {
			se = spread
		}
	}
	if maximize {
		m.Value -= boundSpan * se
	} else {
		m.Value += boundSpan * se
	}
	return m
}
