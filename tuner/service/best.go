package service

import (
	"context"
	"encoding/json"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
)

// String tells people.
func (b *StudyBest) String() string {
	if b == nil || b.Value == nil {
		return ""
	}
	text, ends := numeral.Text(*b.Value), ""
	if ci := b.Interval; ci != nil {
		low, high := numeral.Interval(ci[0], ci[1])
		text, ends = numeral.Rounded(*b.Value, (ci[1]-ci[0])/2), " ["+low+", "+high+"]"
	}
	if b.Unit == "Elo" && *b.Value >= 0 {
		text = "+" + text
	}
	if b.Unit != "" {
		text += " " + b.Unit
	}
	return text + ends
}

// Best is what a list shows of a study: what runs now, or else what is stored.
func Best(s Study) *StudyBest {
	p := s.Progress
	if p == nil || p.Incumbent == nil || p.Value == nil {
		return s.Best
	}
	out := &StudyBest{Trial: *p.Incumbent, What: "incumbent", Value: p.Value}
	if p.Error != nil {
		out.Interval = stats.Around(*p.Value, stats.Deviate95**p.Error).Ends()
	}
	return out
}

// storedBest is the best result of a study for lists: what validation measured of the
// answer, or else what the search claims of it, or else the incumbent.
func storedBest(l store.Listing) *StudyBest {
	if l.Summary != nil {
		var r tuner.Result
		if json.Unmarshal(l.Summary, &r) != nil || r.Best == nil {
			return nil
		}
		b := &StudyBest{Trial: r.Best.Trial, What: "claimed", Value: r.Best.Value}
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
	b := &StudyBest{Trial: p.Trial, What: "incumbent", Value: p.Value}
	if p.Bound != nil && *p.Bound != *p.Value {
		half := *p.Value - *p.Bound // the bound is the pessimistic end
		if half < 0 {
			half = -half
		}
		b.Interval = &[2]float64{*p.Value - half, *p.Value + half}
	}
	return b
}

// foreignBest is the best trial of a study that another program keeps; nil where there is
// none.
func foreignBest(ctx context.Context, s *store.Store, l store.Listing) (*StudyBest, error) {
	t, found, err := s.Study(l.ID).BestTrial(ctx, l.Direction)
	if err != nil || !found {
		return nil, err
	}
	return &StudyBest{Trial: t.Number, What: "best", Value: &t.Value}, nil
}
