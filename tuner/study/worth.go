package study

import (
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// worth is nil where nothing is known of it.
func worth(s *tuner.Setup, c *tuner.Common, v *entry.Validation) *tuner.Worth {
	w := &tuner.Worth{}
	if c != nil && c.Correlation != nil && s.Proved().Of == "score" {
		w.Blocks, w.Duels = c.Factor, nil
		ends := func(of func(rho float64) float64, low, high float64) *[2]float64 {
			return &[2]float64{of(low), of(high)}
		}
		blocks := func(rho float64) float64 { return 1 / (1 - rho) }
		duels := func(rho float64) float64 { return 4 * (1 - rho) }
		if c.CI95 != nil && c.CI95[1] < 1 {
			w.BlocksCI = ends(blocks, c.CI95[0], c.CI95[1])
		}
		if s.Ruleset.Seats == 2 {
			w.Duels = numeral.Finite(duels(*c.Correlation))
			if c.CI95 != nil {
				w.DuelsCI = ends(duels, c.CI95[1], c.CI95[0])
			}
		}
	}
	if v != nil && v.Metric == nil && v.Evidence.Distinct == 0 {
		played := blocksOf(s, v.Evidence).Moments().Variance
		if v.GameVariance != nil && played > 0 {
			w.Seats = numeral.Finite(*v.GameVariance / float64(s.Ruleset.Seats) / played)
		}
		if v.Pairs != nil {
			w.Pairs = numeral.Finite(played / v.Pairs.Variance)
		}
	}
	if *w == (tuner.Worth{}) {
		return nil
	}
	return w
}
