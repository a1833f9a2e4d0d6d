package tuner

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/engines/arena"
)

// MetricVerdict compares the winner's metric with the baseline's on the same
// blocks, both against the same opponents.
type MetricVerdict struct {
	Name     string   `json:"name"`
	Winner   *float64 `json:"winner"`
	Baseline *float64 `json:"baseline"`
	// Gain is the improvement in the direction of the goal, with its two-sided
	// interval at level 1 - 2 alpha.
	Gain   *float64    `json:"gain"`
	GainCI *[2]float64 `json:"gain_ci"`
}

// compareMetric validates a metric objective: winner and baseline (the
// strategy's defaults where the study has none) play a fixed number of new
// blocks, and the gain's interval at this attempt's alpha decides. The two
// means are taken as independent, which common blocks make cautious.
func (st *Study) compareMetric(ctx context.Context, winner *Trial, opened attempt) (Validation, error) {
	s := st.Spec
	v := Validation{Trial: winner.Number, Attempt: opened.Attempt, Alpha: opened.Alpha, Verdict: "inconclusive"}
	base := s.baseline
	if s.Baseline == "" {
		var err error
		if base, err = s.entrant(-1, nil); err != nil {
			return v, err
		}
	}
	if winner.Entrant.Canonical() == base.Canonical() {
		v.Reason = "no information: the winner is the baseline itself"
		return v, nil
	}
	alone := Validation{}
	both := [2]Mean{}
	for i, e := range []arena.Entrant{winner.Entrant, base} {
		evidence, err := st.play(ctx, e, nil, opened.Seed, validationPhase, 0, s.Validation.MaxBlocks)
		if err != nil {
			return v, err
		}
		both[i] = s.estimate(evidence).Mean
		if i == 0 {
			v.Evidence, alone.Evidence = evidence[0], evidence[0]
		} else {
			v.Evidence.Games += evidence[0].Games
		}
	}
	gain, se := both[0].Value-both[1].Value, math.Hypot(both[0].Error, both[1].Error)
	if !s.maximize() {
		gain = -gain
	}
	half := distuv.UnitNormal.Quantile(1-opened.Alpha) * se
	v.Metric = &MetricVerdict{
		Name: s.Objective.Metric, Winner: finite(both[0].Value), Baseline: finite(both[1].Value),
		Gain: finite(gain), GainCI: &[2]float64{gain - half, gain + half},
	}
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
		v.Reason = fmt.Sprintf("gain in %s %s +- %s over %d blocks", s.Objective.Metric, number(gain), number(half), both[0].Blocks)
	}
	if st.withinLimits(&alone); alone.Verdict != "" {
		v.Verdict, v.Reason = alone.Verdict, alone.Reason
	}
	return v, nil
}
