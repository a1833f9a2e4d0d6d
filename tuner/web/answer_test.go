package web

import (
	"strings"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// An undecided validation says what was missing, and what its proof would take: also
// where the interval alone would say yes.
func TestUndecided(t *testing.T) {
	test := &entry.TestResult{Above: 2.2, Needs: 2.61}
	reason := "undecided after 150 blocks; to prove the +11.6 Elo that were seen, if they are true, takes about 6645 different blocks"
	for _, c := range []struct {
		low  float64
		want []string
	}{
		{-60, []string{"does not mean no", "too few to tell", "2.2 standard errors above 0 Elo; a pass needs 2.6", "about 6700 different blocks"}},
		{43.9, []string{"The interval alone would say yes, but", "every attempt", "which is 0.0125 in this one", "a pass needs 2.6"}},
	} {
		got := undecided(0, &tuner.ValidationReport{CI95: &[2]float64{c.low, 120}, Alpha: 0.0125, Test: test, Reason: reason})
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("an interval from %g: %q lacks %q", c.low, got, want)
			}
		}
	}
	if got := undecided(0, &tuner.ValidationReport{Reason: "x; more games are needed"}); !strings.HasSuffix(got, "More games are needed.") {
		t.Errorf("%q", got)
	}
}
