package tuner

import (
	"fmt"
	"strings"

	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// Worth is what a study's ways to let games tell more were worth in it: how many times the
// games the same certainty would have taken without each. Above 1 it helped, below it hurt;
// nil is not known.
type Worth struct {
	// Blocks is what it was worth that candidates met the same blocks, when two of them
	// are compared, with its 95 % interval; see [Common].
	Blocks   *float64    `json:"common_blocks"`
	BlocksCI *[2]float64 `json:"common_blocks_ci95"`
	// Duels is what duels are worth in place of games against the baseline on the same
	// blocks: 4 (1 - correlation). A duel tells the difference of two candidates by one game
	// where otherwise each of them plays one, and both have errors.
	Duels   *float64    `json:"duels"`
	DuelsCI *[2]float64 `json:"duels_ci95"`
	// Seats is what it was worth that a block has each entrant in every seat under the
	// same chance: the variance of single games over that of the block's mean score, times
	// the games in it. Of the validation.
	Seats *float64 `json:"seats"`
	// Pairs is what it was worth that every game of the validation was compared with every
	// other; nil where the verdict is by the games as they were played.
	Pairs *float64 `json:"all_pairs"`
}

// worth is nil where nothing is known of it.
func worth(s *Setup, c *Common, v *entry.Validation) *Worth {
	w := &Worth{}
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
	if *w == (Worth{}) {
		return nil
	}
	return w
}

// mostTold is the largest end of an interval that is told to people in figures.
const mostTold = 100

// String tells it to people.
func (w *Worth) String() string {
	var parts []string
	times := func(x *float64) string { return fmt.Sprintf("%.2f times the games", *x) }
	within := func(ci *[2]float64) string {
		if ci == nil {
			return ""
		}
		if ci[1] > mostTold {
			return fmt.Sprintf(" [%.2f, more than %d]", ci[0], mostTold)
		}
		return fmt.Sprintf(" [%.2f, %.2f]", ci[0], ci[1])
	}
	if w.Blocks != nil {
		parts = append(parts, "the same blocks for all candidates were worth "+times(w.Blocks)+within(w.BlocksCI)+", where candidates are compared")
	}
	if w.Duels != nil {
		parts = append(parts, "duels of candidates would be worth "+times(w.Duels)+within(w.DuelsCI)+", if two candidates meet each other as evenly as each meets the baseline")
	}
	if w.Seats != nil {
		parts = append(parts, "playing each block from every seat was worth "+times(w.Seats))
	}
	if w.Pairs != nil {
		parts = append(parts, "comparing every game with every other was worth "+times(w.Pairs)+" of the validation")
	}
	return strings.Join(parts, "; ")
}
