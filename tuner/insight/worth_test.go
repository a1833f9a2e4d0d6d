package insight

import (
	"math"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// In blocks of two games that are both won or both lost one half of the time, seats are
// worth nothing; a correlation of .5 makes common blocks worth twice the games, and duels
// too, as 4 (1 - .5) = 2.
func TestWorth(t *testing.T) {
	rho, factor, one := 0.5, 2.0, 0.25
	s := &tuner.Setup{Spec: &tuner.Spec{Objective: tuner.Objective{Of: "score", Over: "mean"}}, Rulesets: tuner.Rulesets{Ruleset: &arena.Ruleset{Seats: 2}}}
	v := &entry.Validation{
		Evidence: entry.Evidence{Blocks: 400, Scores: []int64{100, 0, 200, 0, 100}}, GameVariance: &one,
		Pairs: &stats.Placed{Score: 0.5, Variance: 0.1},
	}
	w := (&Search{Setup: s}).Worth(&tuner.Common{Correlation: &rho, Factor: &factor, CI95: &[2]float64{0.25, 0.75}}, v)
	for name, x := range map[string][2]float64{
		"blocks": {*w.Blocks, 2}, "blocks, low": {w.BlocksCI[0], 4. / 3}, "blocks, high": {w.BlocksCI[1], 4},
		"duels": {*w.Duels, 2}, "duels, low": {w.DuelsCI[0], 1}, "duels, high": {w.DuelsCI[1], 3},
		"seats": {*w.Seats, 1}, "all pairs": {*w.Pairs, 1.25},
	} {
		if math.Abs(x[0]-x[1]) > 1e-9 {
			t.Errorf("%s: %v, expected %v", name, x[0], x[1])
		}
	}
	if text := w.String(); !strings.Contains(text, "were worth 2.00 times the games [1.33, 4.00]") {
		t.Error(text)
	}
	// The second seat won both games of all blocks: single games vary, blocks do not.
	v.Evidence.Scores, v.Pairs = []int64{0, 0, 399, 0, 1}, nil
	if w := (&Search{Setup: s}).Worth(nil, v); w.Blocks != nil || *w.Seats < 10 {
		t.Errorf("%+v", w)
	}
	v.Evidence.Distinct = 3
	if w := (&Search{Setup: s}).Worth(nil, v); w != nil {
		t.Errorf("repeated blocks tell %s", w)
	}
	if w := (&Search{Setup: s}).Worth(nil, nil); w != nil {
		t.Errorf("nothing tells %s", w)
	}
}
