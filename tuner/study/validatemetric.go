package study

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// compareMetric validates a metric objective. Winner and baseline (the strategy's defaults
// if the study has none) play a fixed number of new blocks, and the interval of the gain at
// this attempt's alpha decides. The gain of a relative metric is how far its ratio to the
// baseline's, on the same blocks, lies from 1. For any other metric the two means are
// treated as independent; since they share blocks, that is on the safe side.
func (st *Study) compareMetric(ctx context.Context, winner *tuner.Trial, opened entry.Attempt) (entry.Validation, error) {
	s, goal := st.Setup, st.Setup.Proved()
	v := entry.Validation{Trial: winner.Number, Attempt: opened.Attempt, Alpha: opened.Alpha, Verdict: "inconclusive"}
	base := s.BaselineEntrant
	if s.Baseline == "" {
		var err error
		if base, err = s.Candidate(-1, nil); err != nil {
			return v, err
		}
	}
	if winner.Entrant.Canonical() == base.Canonical() {
		v.Reason = tuner.ItIsTheBaseline
		return v, nil
	}
	evidence, err := st.play(ctx, winner.Entrant, nil, nil, opened.Seed, arena.Validation, 0, s.Validation.MaxBlocks)
	if err != nil {
		return v, err
	}
	v.Evidence = evidence[0]
	v.Evidence.Games = s.ReferenceGames(s.Validation.MaxBlocks)
	for _, e := range evidence {
		v.Evidence.Games += e.Games
	}
	for _, e := range evidence {
		if why := repeated(st, e); why != "" {
			v.Reason = why
			return v, nil
		}
	}
	least := fewest(evidence)
	mean := s.ValueOf(goal, evidence)
	gain, se := mean.Value-1, mean.Error
	v.Metric = &entry.MetricVerdict{Name: goal.Name(), Winner: numeral.Finite(mean.Value), Baseline: numeral.Finite(1)}
	if !goal.Relative {
		against, err := st.play(ctx, base, nil, nil, opened.Seed, arena.Validation, 0, s.Validation.MaxBlocks)
		if err != nil {
			return v, err
		}
		for _, e := range against {
			v.Evidence.Games += e.Games
		}
		least = min(least, fewest(against))
		other := s.ValueOf(goal, against)
		gain, se = mean.Value-other.Value, math.Hypot(mean.Error, other.Error)
		v.Metric.Baseline = numeral.Finite(other.Value)
	}
	if !goal.Maximize() {
		gain = -gain
	}
	if least < 2 {
		v.Reason = "no information: all blocks are the same games: nothing is left to chance"
		return v, nil
	}
	half := deviate(least, opened.Alpha) * se
	v.Metric.Gain, v.Metric.GainCI = numeral.Finite(gain), &[2]float64{gain - half, gain + half}
	switch {
	case !(se > 0):
		v.Metric.GainCI = nil
		v.Reason = "no information: the blocks do not vary"
	case gain-half > 0:
		v.Verdict = "pass"
	case gain+half < 0:
		v.Verdict = "fail"
	}
	if v.Reason == "" {
		v.Reason = fmt.Sprintf("gain in %s %s +- %s over %d blocks", goal.Name(), tuner.LogText(gain), tuner.LogText(half), mean.Blocks)
	}
	st.withinLimits(&v, s.Estimate(evidence))
	return v, nil
}

// fewest is the smallest number of different blocks against any opponent, where
// blocks repeat others; if none do, it is without bound.
func fewest(all []entry.Evidence) int64 {
	n := int64(math.MaxInt64)
	for i := range all {
		if d := all[i].Distinct; d > 0 {
			n = min(n, d)
		}
	}
	return n
}

// deviate is how many standard errors a gain must lie above 0 at this alpha: the
// normal quantile, or, where blocks repeat others and so many are different,
// Student's. It takes at least two.
func deviate(distinct int64, alpha float64) float64 {
	if distinct == math.MaxInt64 {
		return distuv.UnitNormal.Quantile(1 - alpha)
	}
	return distuv.StudentsT{Sigma: 1, Nu: float64(distinct - 1)}.Quantile(1 - alpha)
}
