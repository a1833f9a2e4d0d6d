package view

import (
	"fmt"
	"math"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// believed is what the search thought of its winner, and how far the validation is from
// that. A winner that the search took for weaker than the baseline is called so.
func believed(spec *tuner.Spec, r *tuner.Result) string {
	if r.Best == nil {
		return ""
	}
	text := "believed in " + belief(spec, r.Best) + weaker(r.Best)
	v := r.Validation
	if v == nil || v.Shrinkage == nil {
		return text + "."
	}
	width, unit := half(v.CI95), " Elo"
	if v.Metric != nil {
		width, unit = half(v.Metric.GainCI), ""
	}
	by, word := numeral.Rounded(math.Abs(*v.Shrinkage), width)+unit, "less"
	if *v.Shrinkage < 0 {
		word = "more"
	}
	if ofPoints(r.Best) && beliefWidth(r.Best) == 0 { // too few blocks to know how far off it is
		return text + fmt.Sprintf("; the validation measured %s %s.", by, word)
	}
	if byChance(r.Best, v, width) {
		return text + fmt.Sprintf("; the validation measured %s %s, which may be chance.", by, word)
	}
	if *v.Shrinkage > 0 {
		word += ": the best of many looks better than it is"
	} else {
		word += ", which chance alone does not explain"
	}
	return text + fmt.Sprintf("; the validation measured %s %s.", by, word)
}

// belief is what the search claims of its winner.
func belief(spec *tuner.Spec, b *tuner.Best) string {
	if !ofPoints(b) {
		return claim(spec, b)
	}
	return fmt.Sprintf("%s Elo (%.1f %% of the points)", Claimed(b), 100**b.Claimed.Score)
}

// ofPoints tells whether a claim is one of points won against the baseline.
func ofPoints(b *tuner.Best) bool {
	return b.Objectives == nil && b.Claimed.Score != nil && b.Claimed.Elo != nil
}

// weaker says of a claim below the baseline that it is one, and whether its error allows
// the contrary.
func weaker(b *tuner.Best) string {
	if !ofPoints(b) || *b.Claimed.Elo >= 0 {
		return ""
	}
	text := ", weaker than the baseline"
	width := beliefWidth(b)
	if width == 0 {
		return text
	}
	// Elo of another score lies as far from that of two seats as the claim does.
	seats := *b.Claimed.Elo - stats.Elo(*b.Claimed.Score, 2)
	most := stats.Elo(*b.Claimed.Score+width, 2) + seats
	if *b.Claimed.Score-width <= 0 {
		return text + fmt.Sprintf(" (with 95 %% confidence below %+.0f)", most)
	}
	return text + fmt.Sprintf(" (with 95 %% confidence between %+.0f and %+.0f)", stats.Elo(*b.Claimed.Score-width, 2)+seats, most)
}

// byChance tells whether the validation lies within the errors of both from the claim.
// Points are compared as such: far from one half an error in Elo is no longer even.
func byChance(b *tuner.Best, v *tuner.ValidationReport, width float64) bool {
	apart := math.Abs(*v.Shrinkage)
	if v.Metric == nil && ofPoints(b) && v.Score != nil && v.ScoreCI != nil {
		apart, width = math.Abs(*b.Claimed.Score-*v.Score), half(v.ScoreCI)
		return apart <= math.Hypot(width, beliefWidth(b))
	}
	return apart <= math.Hypot(width, beliefError(b))
}

// beliefWidth is the half-width of the 95 % interval of a claim's value, 0 where its error
// is not known.
func beliefWidth(b *tuner.Best) float64 {
	if e := numeral.OrNaN(b.Error); !math.IsNaN(e) {
		return stats.Deviate95 * e
	}
	return 0
}

// beliefError is the half-width of a claim's 95 % interval, in the unit in which it is
// told.
func beliefError(b *tuner.Best) float64 {
	width := beliefWidth(b)
	if b.Claimed.Score != nil {
		return stats.EloError(*b.Claimed.Score, width)
	}
	return width
}
