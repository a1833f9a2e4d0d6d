package insight

import (
	"math"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// In blocks of two games that are both won or both lost one half of the time, seats are worth
// nothing. A correlation of .5 makes common blocks worth twice the games, and duels too, as 4
// (1 - .5) = 2.
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

// Averages of a model whose claim of the answer games of the proof contradict have an error as
// large as the claim is off, and the model's interactions are not told; luck alone changes nothing.
func TestRefutedModel(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	space := tuner.Space{{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Domain{Low: 0, High: 1}}}}
	s := &tuner.Setup{Spec: &tuner.Spec{}}
	s.Tune.Params = space
	winner := &tuner.Trial{Params: param.Values{{Name: "x", Text: "1"}}.Pack(param.Packed{})}
	for measured, off := range map[float64]float64{480: 359, 130: 0} {
		r := &tuner.Result{
			Best:       &tuner.Best{Claimed: tuner.Claim{Score: number(.66), Elo: number(115)}, Error: number(.02)},
			Validation: &tuner.ValidationReport{Elo: number(measured), CI95: &[2]float64{measured - 50, measured + 50}, Shrinkage: number(115 - measured)},
			Parameters: []tuner.Known{{Name: "x", Best: "1", From: "0.8", To: "1", Importance: 60, Error: 9, With: "y", Interaction: number(40)}},
		}
		Qualify(r, s, winner)
		if off == 0 { // what setting it back costs is more than luck and the average, by 240
			back := tuner.Result{Parameters: []tuner.Known{{Name: "x", Importance: 60, Error: 9}}, SetBack: []tuner.SetBack{{Parameters: []string{"x"}, Lost: number(400), CI95: &[2]float64{300, 500}}}}
			if Qualify(&back, s, winner); math.Abs(back.Parameters[0].Error-240) > 1 {
				t.Errorf("set back: %+v", back.Parameters[0])
			}
		}
		if k := r.Parameters[0]; math.Abs(k.Error-math.Hypot(9, off)) > 5 || (k.With == "") != (off > 0) || (Refuted(s.Spec, r) == "") != (off == 0) {
			t.Errorf("measured %+.0f: %+v, %q", measured, k, Refuted(s.Spec, r))
		}
	}
}

// Where nearly all games against the baseline were won, by the model's claim or by games after it,
// nothing is told of which values are best; in duels the games are between candidates.
func TestSaturatedModel(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		name              string
		claimed, measured float64
		duels, saturated  bool
	}{
		{"usual", 0.91, 0.94, false, false}, {"claimed", 0.9999, 0.9, false, true}, {"measured", 0.93, 0.96, false, true}, {"duels", 0.96, 0.99, true, false},
	} {
		s := &tuner.Setup{Spec: &tuner.Spec{Duels: c.duels}}
		s.Tune.Params = tuner.Space{{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Domain{Low: 0, High: 1}}}}
		r := &tuner.Result{
			Best:       &tuner.Best{Claimed: tuner.Claim{Score: number(c.claimed)}},
			Validation: &tuner.ValidationReport{Score: number(c.measured)},
			Parameters: []tuner.Known{{Name: "x", Best: "0.01", From: "0", To: "0.02", Importance: 900, Error: 9}},
		}
		Qualify(r, s, &tuner.Trial{Params: param.Values{{Name: "x", Text: "0.01"}}.Pack(param.Packed{})})
		if k := &r.Parameters[0]; k.Tells() == c.saturated || (Refuted(s.Spec, r) != "") != c.saturated {
			t.Errorf("%s: %+v, %q", c.name, k, Refuted(s.Spec, r))
		}
	}
}
