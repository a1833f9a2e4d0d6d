package tuner

import (
	"fmt"
	"math"

	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
)

// Resolution is how well the games of a validation tell two players apart:
// openings, deals, maps and rules can be chosen for it. Its unit is normalised Elo,
// a difference of the mean score in standard deviations of a game (M. Van den
// Bergh, Normalized Elo, 2020), so that games of different luck compare.
type Resolution struct {
	// NormalizedElo is that of the winner, with its 95 % interval.
	NormalizedElo *float64    `json:"normalized_elo"`
	CI95          *[2]float64 `json:"ci95"`
	// PerElo is the normalised Elo that one Elo between these players is worth.
	PerElo *float64 `json:"per_elo"`
	// Games are those after which a difference of 10 Elo is twice its standard error.
	Games *float64 `json:"games_for_10_elo"`
}

// usualGain is the difference, in Elo, for which a resolution tells the games.
const usualGain = 10

// resolution is nil where the blocks say nothing of it: none, or all alike.
func resolution(b rating.Blocks) *Resolution {
	e, m := b.Estimate(), b.Moments()
	if !e.NElo.Defined || !e.NEloErr.Defined {
		return nil
	}
	s := m.Mean
	slope := math.Ln10 / 400 * s * (1 - s) // of the score by Elo
	unit := 800 / math.Ln10
	per := slope / math.Sqrt(float64(b.Games)*m.Variance) * unit
	if !(per > 0) {
		return nil
	}
	games := math.Pow(2*unit/(usualGain*per), 2)
	return &Resolution{
		NormalizedElo: numeral.Finite(e.NElo.Value), CI95: &[2]float64{e.NElo.Value - e.NEloErr.Value, e.NElo.Value + e.NEloErr.Value},
		PerElo: numeral.Finite(per), Games: numeral.Finite(games),
	}
}

// String is for people.
func (r *Resolution) String() string {
	return fmt.Sprintf("%+.1f [%+.1f, %+.1f] normalised Elo; one Elo is %.2f of it, and 10 Elo are two standard errors after %.0f games",
		*r.NormalizedElo, r.CI95[0], r.CI95[1], *r.PerElo, *r.Games)
}
