package web

import "testing"

// Numbers for people have no exponents where digits do.
func TestNumbersForPeople(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.5: "0.5", 0.59281: "0.5928", 1234.56: "1235", 9999.7: "10000", 52650: "52650", -52650.4: "-52650",
		2.6e6: "2600000", 1e-7: "1e-07",
	} {
		if got := show(x); got != want {
			t.Errorf("show(%g) = %q, want %q", x, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0", 0.25: "0.25", 999.9: "1000", 20000: "20000", -75600: "-75600", 2.5e6: "2.5e6", 1e12: "1e12"} {
		if got := tick(x); got != want {
			t.Errorf("tick(%g) = %q, want %q", x, got, want)
		}
	}
}
