package main

import (
	"encoding/json"

	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
)

// bestStudy is the best of a study as lists show it: what validation found of
// the answer, or what the search claims of it, or the incumbent.
func bestStudy(l store.Listing) *service.StudyBest {
	if l.Summary != nil {
		var r tuner.Result
		if json.Unmarshal(l.Summary, &r) != nil || r.Best == nil {
			return nil
		}
		b := &service.StudyBest{Trial: r.Best.Trial, What: "claimed", Value: r.Best.Value}
		if r.Best.Claimed.Elo != nil {
			b.Unit, b.Value = "Elo", r.Best.Claimed.Elo
		}
		v := r.Validation
		switch {
		case v == nil:
			return b
		case v.Elo != nil:
			b.What, b.Unit, b.Value, b.Interval = "validated", "Elo", v.Elo, v.CI95
		case v.Metric != nil && v.Metric.Gain != nil:
			b.What, b.Unit, b.Value, b.Interval = "validated", "gain in "+v.Metric.Name, v.Metric.Gain, v.Metric.GainCI
		}
		b.Verdict = v.Verdict
		return b
	}
	if l.Incumbent == nil {
		return nil
	}
	var p struct {
		Trial int      `json:"trial"`
		Value *float64 `json:"value"`
		Bound *float64 `json:"bound"`
	}
	if json.Unmarshal(l.Incumbent, &p) != nil || p.Value == nil {
		return nil
	}
	b := &service.StudyBest{Trial: p.Trial, What: "incumbent", Value: p.Value}
	if p.Bound != nil && *p.Bound != *p.Value {
		half := *p.Value - *p.Bound // the bound is the pessimistic end
		if half < 0 {
			half = -half
		}
		b.Interval = &[2]float64{*p.Value - half, *p.Value + half}
	}
	return b
}
