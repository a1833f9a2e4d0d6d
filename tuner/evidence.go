package tuner

import (
	"math"

	"sakusen/engines/arena"
)

// Evidence is what a candidate's blocks against one opponent say, in integers:
// the candidate's part of a tally.
type Evidence struct {
	Blocks int64          `json:"blocks"`
	Games  int64          `json:"games"`
	Scores []int64        `json:"scores"` // see arena.EntrantTally
	Sums   []int64        `json:"sums,omitempty"`
	Cross  [][]arena.Wide `json:"cross,omitempty"`
	Digest uint64         `json:"digest,string"`
}

// evidenceOf takes the first entrant's part of a tally.
func evidenceOf(t arena.Tally) Evidence {
	e := t.Entrants[0]
	return Evidence{Blocks: t.Blocks, Games: t.Games, Scores: e.Scores, Sums: e.Sums, Cross: e.Cross, Digest: t.Digest}
}

// Mean is an estimate with its standard error, both with the block as unit.
// The error is NaN below two blocks.
type Mean struct {
	Value, Error float64
	Blocks       int64
}

// meanOf is the mean of n values with the given sum and sum of squares.
func meanOf(n int64, sum, squares float64) Mean {
	m := Mean{Value: math.NaN(), Error: math.NaN(), Blocks: n}
	if n == 0 {
		return m
	}
	m.Value = sum / float64(n)
	if n > 1 {
		variance := (squares - float64(sum*m.Value)) / float64(n-1)
		m.Error = math.Sqrt(math.Max(variance, 0) / float64(n))
	}
	return m
}

// score is the mean score per game, in [0, 1].
func (e *Evidence) score(seats int) Mean {
	unit := float64(int64(seats) * arena.Scale(seats))
	var sum, squares float64
	for i, n := range e.Scores {
		x := float64(i) / unit
		sum += float64(n) * x
		squares += float64(n) * x * x
	}
	return meanOf(e.Blocks, sum, squares)
}

// metric is the mean of a metric: per game, or the ratio of sums with the
// linearised error of the ratio estimator (Cochran, Sampling Techniques, 1977,
// section 6.4), the block as unit.
func (e *Evidence) metric(rs *arena.Ruleset, m arena.Metric) Mean {
	of := rs.Component(m.Of)
	scale := m.Factor()
	if m.Per == "" {
		// A block holds one game of the candidate for each seat.
		perGame := scale / float64(rs.Seats)
		mean := meanOf(e.Blocks, float64(e.Sums[of]), e.Cross[of][of].Float())
		mean.Value *= perGame
		mean.Error *= perGame
		return mean
	}
	per := rs.Component(m.Per)
	x, y := float64(e.Sums[of]), float64(e.Sums[per])
	mean := Mean{Value: math.NaN(), Error: math.NaN(), Blocks: e.Blocks}
	if y == 0 {
		return mean
	}
	ratio := x / y
	mean.Value = scale * ratio
	if n := float64(e.Blocks); n > 1 {
		cross := e.Cross[max(of, per)][min(of, per)].Float()
		residual := e.Cross[of][of].Float() - 2*ratio*cross + ratio*ratio*e.Cross[per][per].Float()
		mean.Error = scale * math.Sqrt(math.Max(residual, 0)*n/(n-1)) / math.Abs(y)
	}
	return mean
}

// Estimate is what a candidate's evidence is worth under the objective.
type Estimate struct {
	Mean
	Feasible bool
	// Limits are the means of the limited metrics, in the objective's order.
	Limits []Mean
}

// estimate judges the evidence against each opponent, in order.
func (s *Spec) estimate(all []Evidence) Estimate {
	est := Estimate{Feasible: true}
	means := make([]Mean, len(all))
	for i := range all {
		means[i] = s.value(&all[i])
	}
	est.Mean = means[0]
	if len(means) > 1 {
		est.Mean = combine(means, s.Objective.Over == "worst", s.maximize())
	}
	for _, l := range s.Objective.Limits {
		m, _ := s.ruleset.Metric(l.Metric) // checked when the file was read
		costs := make([]Mean, len(all))
		for i := range all {
			costs[i] = all[i].metric(s.ruleset, m)
		}
		cost := costs[0]
		if len(costs) > 1 {
			cost = combine(costs, false, false)
		}
		est.Limits = append(est.Limits, cost)
		if !(cost.Value <= l.Max) {
			est.Feasible = false
		}
	}
	return est
}

// value is the objective's quantity against one opponent.
func (s *Spec) value(e *Evidence) Mean {
	if s.Objective.Of == "score" {
		return e.score(s.ruleset.Seats)
	}
	m, _ := s.ruleset.Metric(s.Objective.Metric) // checked when the file was read
	return e.metric(s.ruleset, m)
}

// maximize tells whether larger values are better.
func (s *Spec) maximize() bool { return s.Objective.Goal != "minimize" }

// combine is the mean over opponents, or the worst of them.
func combine(means []Mean, worst, maximize bool) Mean {
	if worst {
		w := means[0]
		for _, m := range means[1:] {
			if (m.Value < w.Value) == maximize && m.Value != w.Value {
				w = m
			}
		}
		return w
	}
	out := Mean{Blocks: means[0].Blocks}
	for _, m := range means {
		out.Value += m.Value / float64(len(means))
		out.Error += m.Error * m.Error / float64(len(means)*len(means))
		out.Blocks = min(out.Blocks, m.Blocks)
	}
	out.Error = math.Sqrt(out.Error)
	return out
}
