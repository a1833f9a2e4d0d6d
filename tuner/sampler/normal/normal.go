// Package normal is the standard normal distribution as the samplers draw from
// it: by inversion, so that one number of a stream is one number drawn.
//
//	z := normal.Draw(&stream)
package normal

import (
	"math"

	"sakusen/engines/arena"
)

// Below is the chance that a standard normal number lies below z.
func Below(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

// Between is the chance that it lies between a and b, a <= b, exact in the
// tails too.
func Between(a, b float64) float64 {
	if a > 0 {
		a, b = -b, -a
	}
	return Below(b) - Below(a)
}

// Quantile is the inverse of Below.
func Quantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// Truncated draws from a normal distribution with its centre in [0, 1] held
// inside [0, 1]: by inversion, from one number of the stream.
func Truncated(s *arena.Stream, centre, sigma float64) float64 {
	low, high := Below(-centre/sigma), Below((1-centre)/sigma)
	x := centre + float64(sigma*Quantile(low+float64(s.Float64()*(high-low))))
	return math.Min(math.Max(x, 0), 1)
}

// Draw draws from the standard normal distribution.
func Draw(s *arena.Stream) float64 {
	return Quantile((float64(s.Uint64()>>12) + 0.5) * 0x1p-52)
}
