package surface

import "math"

const (
	// misfit is the standard deviation, in Elo, by which a surface may be wrong at its peak
	// before anything is seen there.
	misfit = 50
	// nearby is how far from its peak, in each number, a surface is held against
	// the games there, as a share of the range.
	nearby = 0.07
)

// claim is the believed value of a point: the height of the surface, corrected by what the
// games against the baseline near the point show. A surface that is right on the whole is
// often too high at its peak, since the peak was chosen for its height.
func (s *Surface) claim(x []float64) (height, sd float64) {
	b := s.basis
	phi := make([]float64, b.size)
	b.fill(x, phi)
	height = dot(phi, s.now.mean)
	variance := s.now.variance(phi)
	b.guess(s.rows, s.now.mean)
	scale := 1 / float64(2*nearby*nearby*math.Max(1, float64(len(b.numbers))))
	weights, sum, squares := 0.0, 0.0, 0.0
	for i := range s.rows {
		r := &s.rows[i]
		at, sign := r.at, 1.0
		switch {
		case r.other == nil || b.atCentre(r.other):
		case b.atCentre(r.at):
			at, sign = r.other, -1
		default:
			continue
		}
		near := math.Exp(-b.distance(at, x) * scale)
		if near < 1e-3 {
			continue
		}
		y, v := s.whole.link.linear(r, r.guess)
		w := near / v
		weights += w
		sum += float64(w * sign * (y - r.guess))
		squares += float64(w * w * v)
	}
	if weights == 0 {
		return height, math.Sqrt(variance + misfit*misfit)
	}
	// The mean residual has the error of its games; what they do not show of the misfit is
	// added.
	mean, noise := sum/weights, squares/(weights*weights)
	share := misfit * misfit / (misfit*misfit + noise)
	height += float64(share * mean)
	return height, math.Sqrt(float64((1-share)*variance) + float64(share*noise))
}
