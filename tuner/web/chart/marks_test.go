package chart

import (
	"regexp"
	"strings"
	"testing"

	"sakusen/tuner"
)

// A test's ratio has its values at the looks, and a forest's rows their names, for scripts and files.
func TestDrawingsHaveTheirNumbers(t *testing.T) {
	if got := string(LLR([][2]float64{{200, 1.5}, {400, 2.97}}, -2.94, 2.94)); strings.Count(got, `data-v="`) != 6 || !strings.Contains(got, "LLR 2.97 after 400 games") {
		t.Error(got)
	}
	f := Forest{Unit: "Elo above the baseline", Gains: true}
	f.Add("Search", "32 blocks", 150, 63, 237, "thought")
	f.Add("Final", "60 blocks", 92, 45, 143, "measured")
	got := string(f.Draw())
	if !strings.Contains(got, "data-v=\"Search\t150\t63\t237\"") || !strings.Contains(got, "data-v=\"Final\t92\t45\t143\"") || !strings.Contains(got, "data-names=\"of\tElo above the baseline\"") {
		t.Error(got)
	}
}

// What the search of duels claims of its answer ends the drawing of what it thought best, and the
// effects of parameters are relative to the answer, where they are 0.
func TestDuelsClaimOnce(t *testing.T) {
	log := modelled(t, true)
	elo, score, half := 118.0, 0.66, 0.03
	r := &tuner.Result{Best: &tuner.Best{Trial: 799, Params: map[string]string{"x": "0.9", "y": "0.5"}, Error: &half, Claimed: tuner.Claim{Elo: &elo, Score: &score}}}
	v := Draw(log, Subject{Result: r}, Wanted{Tab: "summary"})
	if got := string(v.Best); !strings.Contains(got, "after 800 trials: +118 (") || v.Effect != "Elo against the answer" {
		t.Errorf("%s: %s", v.Effect, got)
	}
	if got := string(v.Model[0].Plot); !regexp.MustCompile(`x = 0\.9: (\+|−)?0 `).MatchString(got) {
		t.Error(got)
	}
}
