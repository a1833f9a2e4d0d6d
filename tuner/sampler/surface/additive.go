package surface

import (
	"math"
	"slices"

	"sakusen/tuner/sampler/shared"
)

const (
	// finely is the distance, in lengths, of the places at which a number's own curve is
	// known.
	finely = 0.7
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

// newAdditive makes the curves; nil where that cannot be.
func newAdditive(b *basis, length float64, rough bool) *additive {
	u := &additive{length: length, rough: rough}
	for _, i := range b.numbers {
		c := curve{at: placesOf(b, i, length)}
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
	u.fillAll(b, [][]float64{b.origin()}, [][]float64{origin})
	u.origin = origin
	return u
}

// placesOf are the places at which the curve of a number is known: evenly over its range, or
// its values where they are fewer.
func placesOf(b *basis, i int, length float64) []float64 {
	var at []float64
	d, width := &b.space[i], b.high[i]-b.low[i]
	n := int(math.Ceil(width/(finely*length))) + 1
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

func (u *additive) fillAll(b *basis, at, phi [][]float64) {
	for row, x := range at {
		k := 0
		for a, i := range b.numbers {
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

func (u *additive) relief(b *basis, w []float64) relief {
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

func (r *additiveRelief) height(b *basis, plain float64, x []float64) (h float64, near bool) {
	h = plain - r.less
	k := 0
	for a, i := range b.numbers {
		for _, z := range r.curves[a].at {
			h += float64(r.alpha[k] * r.covariance(x[i]-z))
			k++
		}
	}
	return h, true
}
