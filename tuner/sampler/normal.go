package sampler

import (
	"math"

	"sakusen/engines/arena"
)

// below is the chance that a standard normal number lies below z.
func below(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

// between is the chance that it lies between a and b, a <= b, exact in the
// tails too.
func between(a, b float64) float64 {
	if a > 0 {
		a, b = -b, -a
	}
	return below(b) - below(a)
}

// quantile is the inverse of below.
func quantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// truncated draws from a normal distribution with its centre in [0, 1] held
// inside [0, 1]: by inversion, from one number of the stream.
func truncated(s *arena.Stream, centre, sigma float64) float64 {
	low, high := below(-centre/sigma), below((1-centre)/sigma)
	x := centre + float64(sigma*quantile(low+float64(s.Float64()*(high-low))))
	return math.Min(math.Max(x, 0), 1)
}

// gaussian draws from the standard normal distribution.
func gaussian(s *arena.Stream) float64 {
	return quantile((float64(s.Uint64()>>12) + 0.5) * 0x1p-52)
}
