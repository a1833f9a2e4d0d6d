package surface

import (
	"math"
	"slices"

	"sakusen/tuner/sampler/shared"
)

const (
	// mostBumps is the most points at which bumps stand, and leastUnknown
	// the share of the variance that they may leave unknown at a point that was played.
	mostBumps    = 96
	leastUnknown = 0.02
	// fadeBelow, in Elo, is how far below the best a point counts 1/e, and leastPoint what any
	// point counts at least.
	fadeBelow  = 100
	leastPoint = 0.05
)

// rivalFit is a family that was tried, and the logarithm of its evidence.
type rivalFit struct {
	bumps bumps // nil of the quadratic alone
	proof float64
}

// family is a kind of bumps that is tried: how far they reach, and how rough they are.
type family struct {
	length   float64
	rough    bool
	additive bool // a curve a number
}

// families returns those that are compared by their evidence: surfaces of all numbers together,
// shortest first, then curves of each number.
func (b *box) families() []family {
	f := math.Sqrt(math.Max(1, float64(len(b.numbers))) / 2)
	var all []family
	for _, length := range [4]float64{0.1, 0.2, 0.3, 0.5} {
		all = append(all, family{length: length * f})
	}
	for _, length := range [2]float64{0.3, 0.6} {
		all = append(all, family{length: length * f, rough: true})
	}
	if len(b.numbers) > 1 {
		all = append(all, family{length: 0.1, additive: true}, family{length: 0.25, additive: true}, family{length: 0.3, rough: true, additive: true})
	}
	return all
}

// bumps returns the family's, nil where they cannot be made.
func (f family) bumps(b *box, points [][]float64, height []float64) bumps {
	if f.additive {
		if u := f.curves(b); u != nil {
			return u
		}
	} else if u := f.field(b, points, height); u != nil {
		return u
	}
	return nil
}

// field chooses the points at which bumps stand by a pivoted Cholesky factor of
// their covariance at all points that were played (S. Fine, K. Scheinberg, Efficient SVM
// training using low-rank kernel representations, 2001): each time the point whose
// height the points before it leave least known, those far below the best counting less.
func (f family) field(b *box, points [][]float64, height []float64) *field {
	u := &field{box: b, length: f.length, rough: f.rough}
	best := slices.Max(height)
	candidates := make([]pivot, len(points)) // those that may still be chosen
	for i, h := range height {
		candidates[i] = pivot{at: points[i], left: 1, counts: math.Max(leastPoint, math.Exp((h-best)/fadeBelow))}
	}
	slices.SortStableFunc(candidates, func(p, q pivot) int { return slices.Compare(p.at, q.at) })
	candidates = slices.CompactFunc(candidates, func(p, q pivot) bool { return slices.Equal(p.at, q.at) })
	for len(u.at) < mostBumps {
		at, most, n := 0, 0.0, 0
		for i := range candidates {
			worth := float64(candidates[i].left * candidates[i].counts)
			if worth < leastUnknown || candidates[i].left < 1e-9 {
				continue // what is left falls, so that it is never chosen
			}
			if worth > most {
				at, most = n, worth
			}
			candidates[n], candidates[i] = candidates[i], candidates[n]
			n++
		}
		if candidates = candidates[:n]; n == 0 {
			break
		}
		p := candidates[at]
		u.at = append(u.at, p.at)
		scale := 1 / math.Sqrt(p.left)
		for i := range candidates {
			q := &candidates[i]
			c := u.covariance(q.at, p.at)
			for k, x := range p.column {
				c -= float64(q.column[k] * x)
			}
			x := float64(c * scale)
			q.column = append(q.column, x)
			q.left -= float64(x * x)
		}
		candidates[at].left = 0
	}
	if len(u.at) == 0 || !u.whiten() {
		return nil
	}
	return u
}

// pivot is a point at which a bump may stand.
type pivot struct {
	at           []float64
	column       []float64 // its row of the factor so far
	left, counts float64   // variance that is left unknown, and how much the point counts
}

const (
	// placeStep is the distance, in lengths, of the places at which a number's own curve is
	// known.
	placeStep = 0.7
	// leastFar is how far from a peak it is worth looking where each number has a curve of
	// its own, a share of the range.
	leastFar = 0.3
)

// additive is bumps that are a sum of one curve a number (T. Hastie, R. Tibshirani,
// Generalized additive models, 1990): each a Gaussian process known by its heights at places
// over the number's whole range. What is learnt of a number's curve is learnt wherever the
// others stand, so that a bend, a cliff or a second top in one of many numbers is found by
// games spread over the box.
type additive struct {
	box    *box
	curves []curve // by number
	length float64
	rough  bool
	origin []float64 // the features at the baseline
}

// curve is what is known of one number's.
type curve struct {
	at   []float64         // coordinates
	root *shared.Symmetric // of the covariance of the heights there
}

// curvePlaces returns the places at which the curve of a number is known: evenly over its range, or
// its values where they are fewer.
func (b *box) curvePlaces(i int, length float64) []float64 {
	var at []float64
	d, width := &b.space[i], b.high[i]-b.low[i]
	n := int(math.Ceil(width/(placeStep*length))) + 1
	if values := d.Points(); values > 0 && values <= n {
		for k := range values {
			at = append(at, shared.Place(d, d.Point(k))-b.centre[i])
		}
		return at
	}
	for k := range n {
		at = append(at, b.low[i]+width*float64(k)/float64(max(1, n-1)))
	}
	return at
}

// curves makes the curves; nil where that cannot be.
func (f family) curves(b *box) *additive {
	u := &additive{box: b, length: f.length, rough: f.rough}
	for _, i := range b.numbers {
		c := curve{at: b.curvePlaces(i, f.length)}
		n := len(c.at)
		c.root = shared.NewSymmetric(n)
		for k, x := range c.at {
			row := c.root.Row(k)
			for j, z := range c.at[:k+1] {
				row[j] = u.covariance(x - z)
			}
			row[k] += leastOwn
		}
		if _, ok := c.root.Factor(); !ok {
			return nil
		}
		u.curves = append(u.curves, c)
	}
	u.origin = make([]float64, u.count())
	origin := make([]float64, u.count())
	u.fillAll([][]float64{u.box.origin()}, [][]float64{origin})
	u.origin = origin
	return u
}

func (u *additive) covariance(d float64) float64 {
	if u.rough {
		r := math.Sqrt(3) * math.Abs(d) / u.length
		return (1 + r) * math.Exp(-r)
	}
	return math.Exp(-float64(d*d) / float64(2*u.length*u.length))
}

func (u *additive) count() int {
	n := 0
	for i := range u.curves {
		n += len(u.curves[i].at)
	}
	return n
}

func (u *additive) fillAll(at, phi [][]float64) {
	for row, x := range at {
		k := 0
		for a, i := range u.box.numbers {
			c := &u.curves[a]
			part := phi[row][k : k+len(c.at)]
			for j, z := range c.at {
				part[j] = u.covariance(x[i] - z)
			}
			c.root.Forward(part)
			k += len(c.at)
		}
		for i, o := range u.origin {
			phi[row][i] -= o
		}
	}
}

func (u *additive) reach() float64         { return math.Max(leastFar, 2*u.length) }
func (u *additive) starts() [][]float64    { return nil }
func (u *additive) places(a int) []float64 { return u.curves[a].at }

func (u *additive) relief(w []float64) relief {
	r := &additiveRelief{u, slices.Clone(w), shared.Dot(w, u.origin)}
	k := 0
	for i := range u.curves {
		c := &u.curves[i]
		c.root.Backward(r.alpha[k : k+len(c.at)])
		k += len(c.at)
	}
	return r
}

// additiveRelief is curves of given weights.
type additiveRelief struct {
	*additive
	alpha []float64 // by place
	less  float64   // the height at the baseline
}

func (r *additiveRelief) height(plain float64, x []float64) (h float64, near bool) {
	h = plain - r.less
	k := 0
	for a, i := range r.box.numbers {
		for _, z := range r.curves[a].at {
			h += float64(r.alpha[k] * r.covariance(x[i]-z))
			k++
		}
	}
	return h, true
}

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
	box    *box
	at     [][]float64
	length float64
	rough  bool              // covariance of Matern with 3/2 in place of squared exponential
	root   *shared.Symmetric // of the covariance of the heights at the points
	origin []float64         // the features at the baseline
}

// whiten factors the covariance at the points; false where it cannot.
func (u *field) whiten() bool {
	u.root = shared.NewSymmetric(len(u.at))
	for i, x := range u.at {
		row := u.root.Row(i)
		for j, z := range u.at[:i+1] {
			row[j] = u.covariance(x, z)
		}
		row[i] += leastOwn
	}
	if _, ok := u.root.Factor(); !ok {
		return false
	}
	u.origin = make([]float64, len(u.at))
	origin := make([]float64, len(u.at))
	u.fillAll([][]float64{u.box.origin()}, [][]float64{origin})
	u.origin = origin
	return true
}

func (u *field) covariance(x, z []float64) float64 {
	d := u.box.distance(x, z)
	if u.rough {
		r := math.Sqrt(3*d) / u.length
		return (1 + r) * math.Exp(-r)
	}
	return math.Exp(-d / float64(2*u.length*u.length))
}

// fillAll writes those of several points.
func (u *field) fillAll(at, phi [][]float64) {
	for k, x := range at {
		for i, z := range u.at {
			phi[k][i] = u.covariance(x, z)
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

func (u *field) relief(w []float64) relief {
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

func (r *fieldRelief) height(plain float64, x []float64) (h float64, near bool) {
	h = plain - r.less
	scale := 1 / float64(2*r.length*r.length)
	for i, z := range r.at {
		d := r.box.distance(x, z) * scale
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
