package surface

import (
	"math"
	"slices"

	"sakusen/tuner/sampler/dense"
)

const (
	// otherLevel is the distance squared that another value of a choice is worth.
	otherLevel = 0.05
	// mostBumps is the most points that bumps stand at, and apart their least
	// distance, in lengths.
	mostBumps = 64
	apart     = 0.35
	// mostBumpy is the largest number of numeric parameters for which bumps are looked for:
	// with more, the points are too few to cover the space.
	mostBumpy = 12
	// leastOwn keeps the covariance of the bumps definite.
	leastOwn = 1e-6
)

// bumps is what a quadratic cannot follow: a Gaussian process of squared
// exponential covariance, known by its heights at a few points (the subset of
// regressors; C. Rasmussen, C. Williams, Gaussian processes for machine learning,
// 2006, section 8.3.1). The features are white: their weights are independent
// before anything is seen. At the baseline they are 0.
type bumps struct {
	at     [][]float64
	length float64
	rough  bool             // covariance of Matern with 3/2 in place of squared exponential
	root   *dense.Symmetric // of the covariance of the heights at the points
	origin []float64        // the features at the baseline
}

// newBumps chooses the points among those that were played, from the highest
// down, none near another.
func newBumps(b *basis, points [][]float64, height []float64, length float64) *bumps {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case height[i] > height[j]:
			return -1
		case height[i] < height[j]:
			return 1
		}
		return 0
	})
	u := &bumps{length: length}
	least := float64(apart*length) * float64(apart*length)
	for _, i := range order {
		if len(u.at) == mostBumps {
			break
		}
		if !slices.ContainsFunc(u.at, func(z []float64) bool { return b.distance(z, points[i]) < least }) {
			u.at = append(u.at, points[i])
		}
	}
	if !u.whiten(b) {
		return nil
	}
	return u
}

// whiten factors the covariance at the points; false where it cannot.
func (u *bumps) whiten(b *basis) bool {
	u.root = dense.New(len(u.at))
	for i, x := range u.at {
		row := u.root.Row(i)
		for j, z := range u.at[:i+1] {
			row[j] = u.covariance(b, x, z)
		}
		row[i] += leastOwn
	}
	if _, ok := u.root.Factor(); !ok {
		return false
	}
	u.origin = make([]float64, len(u.at))
	origin := make([]float64, len(u.at))
	u.fill(b, b.origin(), origin)
	u.origin = origin
	return true
}

func (u *bumps) covariance(b *basis, x, z []float64) float64 {
	d := b.distance(x, z)
	if u.rough {
		r := math.Sqrt(3*d) / u.length
		return (1 + r) * math.Exp(-r)
	}
	return math.Exp(-d / float64(2*u.length*u.length))
}

// fill writes a point's features.
func (u *bumps) fill(b *basis, x, phi []float64) { u.fillAll(b, [][]float64{x}, [][]float64{phi}) }

// fillAll writes those of several points.
func (u *bumps) fillAll(b *basis, at, phi [][]float64) {
	for k, x := range at {
		for i, z := range u.at {
			phi[k][i] = u.covariance(b, x, z)
		}
	}
	u.root.ForwardAll(phi)
	for _, f := range phi {
		for i, o := range u.origin {
			f[i] -= o
		}
	}
}

// shape is a surface of given weights, made ready for its height to be asked often.
type shape struct {
	b     *basis
	w     []float64
	alpha []float64 // of the bumps, by point
	less  float64   // the bumps' height at the baseline
	phi   []float64

	members []*shape  // unless empty, the height is the mean of theirs
	weights []float64 // of the members
}

func (b *basis) shape(w []float64) *shape {
	s := &shape{b: b, w: w[:b.plain], phi: make([]float64, b.plain)}
	if u := b.bumps; u != nil {
		s.alpha = slices.Clone(w[b.plain:])
		s.less = dense.Dot(s.alpha, u.origin)
		u.root.Backward(s.alpha)
	}
	return s
}

// height is that of a point; near tells whether it lies where a bump stands.
func (s *shape) height(x []float64) (h float64, near bool) {
	b := s.b
	if len(s.members) > 0 {
		sum := 0.0
		near = true
		for i, m := range s.members {
			g, close := m.height(x)
			h += float64(s.weights[i] * g)
			sum += s.weights[i]
			near = near && close
		}
		return h / sum, near
	}
	u := b.bumps
	b.fillPlain(x, s.phi)
	h = dense.Dot(s.w, s.phi) - s.less
	if u == nil {
		return h, true
	}
	scale := 1 / float64(2*u.length*u.length)
	for i, z := range u.at {
		r := b.distance(x, z) * scale
		if r < 0.5 {
			near = true
		}
		switch {
		case u.rough:
			r = math.Sqrt(6 * r)
			h += float64(s.alpha[i] * (1 + r) * math.Exp(-r))
		case r < 20:
			h += float64(s.alpha[i] * math.Exp(-r))
		}
	}
	return h, near
}
