package surface

import (
	"math"
	"slices"

	"sakusen/tuner/sampler/shared"
)

const (
	// mostBumpy is the largest number of numeric parameters for which bumps are looked for:
	// with more, the points are too few to cover the space.
	mostBumpy = 12
	// leastOwn keeps the covariance of the bumps definite.
	leastOwn = 1e-6
)

// field is bumps over the whole box, of squared exponential covariance or Matern's, known by
// their heights at points that were played (the subset of regressors; C. Rasmussen, C.
// Williams, Gaussian processes for machine learning, 2006, section 8.3.1).
type field struct {
	at     [][]float64
	length float64
	rough  bool              // covariance of Matern with 3/2 in place of squared exponential
	root   *shared.Symmetric // of the covariance of the heights at the points
	origin []float64         // the features at the baseline
}

// whiten factors the covariance at the points; false where it cannot.
func (u *field) whiten(b *basis) bool {
	u.root = shared.NewSymmetric(len(u.at))
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
	u.fillAll(b, [][]float64{b.origin()}, [][]float64{origin})
	u.origin = origin
	return true
}

func (u *field) covariance(b *basis, x, z []float64) float64 {
	d := b.distance(x, z)
	if u.rough {
		r := math.Sqrt(3*d) / u.length
		return (1 + r) * math.Exp(-r)
	}
	return math.Exp(-d / float64(2*u.length*u.length))
}

// fillAll writes those of several points.
func (u *field) fillAll(b *basis, at, phi [][]float64) {
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

func (u *field) count() int          { return len(u.at) }
func (u *field) reach() float64      { return 2 * u.length }
func (u *field) starts() [][]float64 { return u.at }
func (*field) places(int) []float64  { return nil }

func (u *field) relief(b *basis, w []float64) relief {
	alpha := slices.Clone(w)
	less := shared.Dot(alpha, u.origin)
	u.root.Backward(alpha)
	return &fieldRelief{u, alpha, less}
}

// fieldRelief is a field of given weights.
type fieldRelief struct {
	*field
	alpha []float64 // by point
	less  float64   // the height at the baseline
}

func (r *fieldRelief) height(b *basis, plain float64, x []float64) (h float64, near bool) {
	h = plain - r.less
	scale := 1 / float64(2*r.length*r.length)
	for i, z := range r.at {
		d := b.distance(x, z) * scale
		if d < 0.5 {
			near = true
		}
		switch {
		case r.rough:
			d = math.Sqrt(6 * d)
			h += float64(r.alpha[i] * (1 + d) * math.Exp(-d))
		case d < 20:
			h += float64(r.alpha[i] * math.Exp(-d))
		}
	}
	return h, near
}
