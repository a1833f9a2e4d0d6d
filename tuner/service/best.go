package service

import (
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
)

// StudyBest is a study's best with what is known of it.
type StudyBest struct {
	Trial    int         `json:"trial"`
	What     string      `json:"what"` // incumbent, claimed or validated
	Unit     string      `json:"unit"` // Elo, or the name of a metric; empty for a value of the objective
	Value    *float64    `json:"value"`
	Interval *[2]float64 `json:"ci95"`
	Verdict  string      `json:"verdict,omitempty"`
}

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
		out.Interval = rating.Around(*p.Value, rating.Deviate95**p.Error).Ends()
	}
	return out
}
