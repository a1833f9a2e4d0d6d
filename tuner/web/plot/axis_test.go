package plot

import "testing"

// Marks have no exponents where digits do, and short ones where not.
func TestTick(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.25: "0.25", 999.9: "1000", 20000: "20000", -75600: "-75600", 2.5e6: "2.5e6", 1e12: "1e12"} {
		if got := tick(x); got != want {
			t.Errorf("tick(%g) = %q, want %q", x, got, want)
		}
	}
}
