package numeral

import (
	"fmt"
	"math"
	"testing"
)

// Numbers for people have no exponents where digits do.
func TestText(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.5: "0.5", 0.59281: "0.5928", 1234.56: "1235", 9999.7: "10000", 52650: "52650", -52650.4: "-52650",
		2.6e6: "2600000", 1e-7: "1e-07",
	} {
		if got := Text(x); got != want {
			t.Errorf("Text(%g) = %q, want %q", x, got, want)
		}
	}
}

// A number ends where the second digit of its error does.
func TestPair(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x, err        float64
		value, margin string
	}{
		{41.237, 3.2, "41.2", "3.2"},
		{41.237, 3.249, "41.2", "3.2"},
		{0.592814, 0.0123, "0.593", "0.012"},
		{0.5, 0.0996, "0.50", "0.10"},
		{0.5, 0.1, "0.50", "0.10"},
		{52650.4, 1234, "52700", "1200"},
		{52650.4, 99.6, "52650", "100"},
		{-0.0004, 0.03, "0.000", "0.030"},
		{-12.34, 0.5, "-12.34", "0.50"},
		{7, 0, "7", "0"},
		{7, nan, "7", "NaN"},
		{7, math.Inf(1), "7", "+Inf"},
		{nan, 1, "NaN", "1"},
		{1.5e-12, 2.5e-13, "1.5e-12", "2.5e-13"},
		{3, 15, "3", "15"},
		{3, 150, "0", "150"},
	} {
		value, margin := Pair(c.x, c.err)
		if value != c.value || margin != c.margin {
			t.Errorf("Pair(%g, %g) = %q, %q, want %q, %q", c.x, c.err, value, margin, c.value, c.margin)
		}
	}
}

func TestInterval(t *testing.T) {
	if from, to := Interval(-3.0371, 9.4444); from != "-3.0" || to != "9.4" {
		t.Errorf("%s to %s, want -3.0 to 9.4", from, to)
	}
	if from, to := Interval(2, 2); from != "2" || to != "2" {
		t.Errorf("an interval of no width is %s to %s", from, to)
	}
}

func TestFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if Finite(x) != nil || IsFinite(x) {
			t.Errorf("%g is a number", x)
		}
	}
	if p := Finite(2.5); p == nil || OrNaN(p) != 2.5 || !math.IsNaN(OrNaN(nil)) {
		t.Error("2.5 is not given back")
	}
}

func ExamplePair() {
	value, half := Pair(41.237, 3.2)
	fmt.Println(value, "±", half)
	// Output: 41.2 ± 3.2
}
