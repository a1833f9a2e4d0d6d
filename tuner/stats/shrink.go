package stats

import (
	"fmt"
	"math"

	"sakusen/tuner/numeral"
)

// Noisy is a mean with the variance of its error: for a mean of n blocks the
// variance of a block over n. Of candidates on common blocks take the variance
// times 1 - correlation: the luck of the blocks is common to all.
type Noisy struct{ Mean, Variance float64 }

// Shrunken is a set of noisy means drawn towards their centre.
type Shrunken struct {
	Centre float64 // the mean of the truths
	Spread float64 // their standard deviation, 0 when noise explains all
	// Means are the expected truths, given what was seen; Errors their standard
	// deviations.
	Means, Errors []float64
}

// Shrink estimates the truths behind noisy means by empirical Bayes: truths are
// normal about a centre, and both centre and spread come from the means. What a
// sampler learns is this and not the mean that was seen, whose best is the
// luckiest. The spread is the one at which the weighted squares of the means
// about their centre are what they should be, one less than their number.
// Source: C. Morris, JASA 78 (1983); R. C. Paule, J. Mandel (1982).
func Shrink(means []Noisy) (Shrunken, error) {
	for i, m := range means {
		if !numeral.IsFinite(m.Mean) || !(m.Variance >= 0) || !numeral.IsFinite(m.Variance) {
			return Shrunken{}, fmt.Errorf("means: expected a finite mean and a variance of at least 0 at %d, got %v and %v", i, m.Mean, m.Variance)
		}
	}
	var s Shrunken
	if len(means) == 0 {
		return s, nil
	}
	// Exact means would have infinite weight.
	lowest, highest := means[0].Mean, means[0].Mean
	for _, m := range means {
		lowest, highest = min(lowest, m.Mean), max(highest, m.Mean)
	}
	span := highest - lowest
	floor := max(span*span*1e-12, 1e-300)
	centre := func(spread float64) (c, squares float64) {
		weights := 0.0
		for _, m := range means {
			w := 1 / (max(m.Variance, floor) + spread)
			weights += w
			c += w * (m.Mean - lowest)
		}
		c = lowest + c/weights
		for _, m := range means {
			squares += (m.Mean - c) * (m.Mean - c) / (max(m.Variance, floor) + spread)
		}
		return c, squares
	}
	// The squares fall as the spread rises.
	spread := 0.0
	if _, squares := centre(0); squares > float64(len(means)-1) {
		lo, hi := 0.0, span*span
		for range 100 {
			spread = (lo + hi) / 2
			if _, squares := centre(spread); squares > float64(len(means)-1) {
				lo = spread
			} else {
				hi = spread
			}
		}
	}
	s.Centre, _ = centre(spread)
	s.Spread = math.Sqrt(spread)
	for _, m := range means {
		trust := 1.0 // in what was seen
		if m.Variance > 0 {
			trust = spread / (spread + m.Variance)
		}
		s.Means = append(s.Means, s.Centre+trust*(m.Mean-s.Centre))
		s.Errors = append(s.Errors, math.Sqrt(trust*m.Variance))
	}
	return s, nil
}
