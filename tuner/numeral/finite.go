package numeral

import "math"

// IsFinite tells whether x is a number, neither NaN nor infinite.
func IsFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Finite is a pointer to x, nil where x is NaN or infinite, which JSON cannot
// hold: there it is null.
func Finite(x float64) *float64 {
	if !IsFinite(x) {
		return nil
	}
	return &x
}

// OrNaN is what p points to, NaN where it points to nothing. It undoes [Finite].
func OrNaN(p *float64) float64 {
	if p == nil {
		return math.NaN()
	}
	return *p
}
