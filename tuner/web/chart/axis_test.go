package chart

import (
	"testing"

	"sakusen/tuner/numeral"
)

// Marks have no exponents where digits do, and short ones where not.
func TestTick(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.25: "0.25", 999.9: "1000", 20000: "20000", -75600: "-75600", 2.5e6: "2.5e6", 1e12: "1e12"} {
		if got := tick(x); got != want {
			t.Errorf("tick(%g) = %q, want %q", x, got, want)
		}
	}
}

// A score that has no Elo is beyond the last one that is shown.
func TestBounded(t *testing.T) {
	for x, want := range map[float64]string{-400: "below \u2212400", 400: "above +400", 67: "+67", -18: "\u221218"} {
		if got := (Scale{Elo: true}).write(numeral.Signed, x, 6); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
}

// Values that lie decades apart stand on an axis of their logarithm, others do not.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		low, top float64
		log      bool
	}{{480, 1.1e8, true}, {1, 1000, true}, {1, 999, false}, {0, 1e9, false}, {-1e9, 1, false}} {
		if a := over("work", c.low, c.top).spread(); a.log != c.log || a.low != c.low || a.top != c.top {
			t.Errorf("%g to %g: %+v", c.low, c.top, a)
		}
	}
}
