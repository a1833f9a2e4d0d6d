package stats

import "math"

// walk is a Brownian motion of unit variance per block that starts at 0 between
// two absorbing bounds: the path of a test, measured in standard deviations of
// a block's score. Probabilities come from the method of images; the sums end
// where the terms no longer count.
// Source: D. Siegmund, Sequential Analysis (1985), chapters III and X;
// I. Karatzas, S. Shreve, Brownian Motion and Stochastic Calculus, section 2.8.
type walk struct{ lower, upper float64 } // lower < 0 < upper

// overshoot is how far a discrete walk of unit normal steps passes a bound on
// average, -zeta(1/2)/sqrt(2 pi): bounds of a walk looked at every m blocks act
// like bounds moved outwards by overshoot sqrt(m).
const overshoot = 0.5825971579390107

// images is the most terms of a sum on either side.
const images = 4000

// settled is the time, in squared widths, after which practically no walk is left: at most
// exp(-pi^2/2 settled) of them.
const settled = 100

// hitUpper is the chance of being absorbed above within the first n blocks,
// with the given drift per block.
func (w walk) hitUpper(n, drift float64) float64 {
	if n <= 0 {
		return 0
	}
	width := w.upper - w.lower
	n = min(n, settled*width*width)
	m, root := math.Abs(drift), math.Sqrt(n)
	sum := 0.0
	for i := range images {
		// The images of the bound at distance c above and below; the inverse
		// Gaussian distribution of each, tilted by the drift.
		term := 0.0
		for side := range 2 {
			c, sign := w.upper+2*float64(i)*width, 1.0
			if side == 1 {
				c, sign = 2*float64(i+1)*width-w.upper, -1.0
			}
			a := math.Exp(drift*w.upper - m*c + logPhi((m*n-c)/root))
			b := math.Exp(drift*w.upper + m*c + logPhi((-m*n-c)/root))
			term += sign * (a + b)
		}
		sum += term
		if math.Abs(term) < 1e-15 && 2*float64(i)*width > root {
			break
		}
	}
	return min(max(sum, 0), 1)
}

// hitLower is the same below.
func (w walk) hitLower(n, drift float64) float64 {
	return walk{-w.upper, -w.lower}.hitUpper(n, -drift)
}

// above is the chance of not being absorbed within n blocks and ending at x or
// higher.
func (w walk) above(n, x, drift float64) float64 {
	x = min(max(x, w.lower), w.upper)
	if n <= 0 {
		if x <= 0 {
			return 1
		}
		return 0
	}
	width, root := w.upper-w.lower, math.Sqrt(n)
	if n > settled*width*width {
		return 0
	}
	// One image at distance c adds e^(drift c) times the chance that it ends in
	// [x, upper].
	part := func(c float64) float64 {
		hi, lo := (w.upper-c-drift*n)/root, (x-c-drift*n)/root
		if lo > 0 { // the difference of the smaller tails
			hi, lo = -lo, -hi
		}
		p := logPhi(hi)
		q := logPhi(lo)
		return math.Exp(drift*c+p) * -math.Expm1(q-p)
	}
	sum := part(0) - part(2*w.upper)
	for i := 1; i < images; i++ {
		step := 2 * float64(i) * width
		term := part(step) - part(2*w.upper+step) + part(-step) - part(2*w.upper-step)
		sum += term
		if math.Abs(term) < 1e-15 && step > math.Abs(drift)*n && step > root {
			break
		}
	}
	return min(max(sum, 0), 1)
}

// logPhi is the logarithm of the normal distribution function, also far out.
func logPhi(x float64) float64 {
	if x > -30 {
		return math.Log(math.Erfc(-x/math.Sqrt2) / 2)
	}
	// Mills' ratio; the next term is below 1e-8 here.
	xx := x * x
	return -xx/2 - math.Log(-x) - math.Log(2*math.Pi)/2 + math.Log1p(-1/xx+3/(xx*xx)-15/(xx*xx*xx))
}
