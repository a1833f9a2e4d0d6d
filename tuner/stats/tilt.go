package stats

import "math"

// cell is one value that a block's score takes and its share of the blocks.
type cell struct{ value, share float64 }

// zeroCell is what a cell without blocks counts, in blocks, so that every
// hypothesis has a likelihood. The value is fishtest's.
const zeroCell = 1e-3

// regular is the distribution of block scores with empty cells regularised, and its total
// in blocks. In histograms of up to 5 cells (the trinomial and the pentanomial) every empty
// cell is given a small count, as fishtest does; in finer ones only the first and the last
// are, which is enough for a mean on either side of every hypothesis. Several hundred cells
// that cannot occur would weigh as much as real blocks.
func (b Blocks) regular() ([]cell, float64) {
	last := len(b.Counts) - 1
	cells := make([]cell, 0, 5)
	total := 0.0
	for i, c := range b.Counts {
		n := float64(c)
		if c == 0 {
			if last > 4 && i > 0 && i < last {
				continue
			}
			n = zeroCell
		}
		cells = append(cells, cell{b.score(i), n})
		total += n
	}
	for i := range cells {
		cells[i].share /= total
	}
	return cells, total
}

// tilt finds the maximum likelihood distribution among those with
// sum p_i d_i = 0, given the observed shares: p_i = share_i/w_i with weights
// w_i = 1 + theta d_i, where theta solves sum share_i d_i/(1 + theta d_i) = 0.
// It fills w and reports false when the d do not straddle 0.
//
// The sum falls monotonically in theta between the poles, so there is one
// root. It may lie within 1e-18 of a pole (all blocks won, a hypothesis of
// equality), where 1 + theta d loses every digit; so the unknown is u, the
// weight of the outermost cell on the side of the root, and is searched on a
// logarithmic scale.
func tilt(cells []cell, d, w []float64) bool {
	lo, hi, mean := 0, 0, 0.0
	for i, c := range cells {
		if d[i] < d[lo] {
			lo = i
		}
		if d[i] > d[hi] {
			hi = i
		}
		mean += c.share * d[i]
	}
	if !(d[lo] < 0 && d[hi] > 0) {
		return false
	}
	end, far := lo, hi
	if mean < 0 {
		end, far = hi, lo
	}
	// With r = d_i/d_end the weight is (1 - r) + u r, and the equation for u
	// in (0, 1], divided by d_end, is g(u) = sum share_i r/(1 - r + u r) = 0;
	// g falls in u where r > 0 and where r < 0 alike.
	eval := func(u float64) (g, slope float64) {
		for i, c := range cells {
			r := d[i] / d[end]
			q := r / ((1 - r) + u*r)
			g += c.share * q
			slope -= c.share * q * q
		}
		return g, slope
	}
	// share_end/u <= -sum of the negative terms <= |r_far| bounds u below.
	low, high := min(cells[end].share/max(-d[far]/d[end], 1), 1), 1.0
	u := high
	for range 200 {
		g, slope := eval(u)
		if g > 0 {
			low = u
		} else {
			high = u
		}
		next := u - g/slope
		if !(next > low && next < high) {
			next = math.Sqrt(low * high)
		}
		if math.Abs(next-u) <= 1e-15*u || next == low || next == high {
			u = next
			break
		}
		u = next
	}
	for i := range cells {
		r := d[i] / d[end]
		w[i] = (1 - r) + u*r
		if !(w[i] > 0) {
			return false
		}
	}
	return true
}

// atMean is tilt for the hypothesis that the mean is s.
func atMean(cells []cell, s float64, d, w []float64) bool {
	for i, c := range cells {
		d[i] = c.value - s
	}
	return tilt(cells, d, w)
}

// atDistance is the maximum likelihood distribution among those whose mean
// lies t standard deviations above null. At the maximum
// p_i = share_i/(1 + theta h_i) with
// h_i = a_i - null - t sigma (1 + ((a_i - mu)/sigma)^2)/2,
// where mu and sigma are the distribution's own: a fixed point, reached by
// iteration. It reports false when none is reached.
// Source: Van den Bergh, "Normalized Elo", section on the GSPRT.
//
// The iteration starts at t = 0 and goes to a far bound in steps, each from the
// distribution of the last. Tried and given up: from the observed distribution
// it fails on all lost blocks, whose spread is nearly nothing; from the even
// one, fishtest's start, on a third of the bounds beyond 100 normalised Elo.
func atDistance(cells []cell, null, t float64, d, w []float64) bool {
	if !atMean(cells, null, d, w) {
		return false
	}
	mu, sigma := spread(cells, w)
	reached, step := 0.0, t
	for reached != t {
		next := reached + step
		if math.Abs(step) >= math.Abs(t-reached) {
			next = t
		}
		if m, s, ok := settle(cells, null, next, mu, sigma, d, w); ok {
			mu, sigma, reached = m, s, next
			continue
		}
		if step /= 2; math.Abs(step) < math.Abs(t)/64 {
			return false
		}
	}
	return true
}

// settle iterates from a distribution with the given mean and deviation.
func settle(cells []cell, null, t, mu, sigma float64, d, w []float64) (mean, sd float64, ok bool) {
	for range 100 {
		for i, c := range cells {
			z := (c.value - mu) / sigma
			d[i] = c.value - null - t*sigma*(1+z*z)/2
		}
		if !tilt(cells, d, w) {
			return 0, 0, false
		}
		m, s := spread(cells, w)
		if !(s > 0) {
			return 0, 0, false
		}
		done := math.Abs(m-mu) <= 1e-13 && math.Abs(s-sigma) <= 1e-13*sigma
		mu, sigma = m, s
		if done {
			return m, s, math.Abs(m-null-t*s) <= 1e-9
		}
	}
	return 0, 0, false
}

// spread is the mean and standard deviation of the distribution share/w.
func spread(cells []cell, w []float64) (mean, sd float64) {
	total := 0.0
	for i, c := range cells {
		total += c.share / w[i]
		mean += c.share / w[i] * c.value
	}
	mean /= total
	variance := 0.0
	for i, c := range cells {
		variance += c.share / w[i] * (c.value - mean) * (c.value - mean)
	}
	return mean, math.Sqrt(variance / total)
}
