package surface

import (
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/shared"
)

// threeNumbers is a basis of a number, an integer of few values and one more number, the
// baseline off the middle.
func threeNumbers(t *testing.T) *basis {
	t.Helper()
	var space tuner.Space
	for _, p := range []param.Param{
		{Name: "x", Kind: param.Float, Domain: param.Range(0, 1)},
		{Name: "y", Kind: param.Int, Domain: param.Range(0, 3)},
		{Name: "z", Kind: param.Float, Domain: param.Range(0, 1)},
	} {
		space = append(space, tuner.Dimension{Param: p})
	}
	return newBasis(space, param.Values{{Name: "x", Text: "0.3"}, {Name: "y", Text: "1"}, {Name: "z", Text: "0.5"}}, 8, false, false)
}

// The features of curves are white: their products are the covariance of heights above the
// baseline's, which is a sum over the numbers; and a surface of given weights is what the
// weights make of the features.
func TestAdditiveFeatures(t *testing.T) {
	b := threeNumbers(t)
	rng := arena.NewStream(1, 2)
	point := func() []float64 {
		x := b.origin()
		for _, i := range b.numbers {
			x[i] = b.low[i] + (b.high[i]-b.low[i])*rng.Float64()
		}
		x[1] = shared.Place(&b.space[1], b.space[1].Point(rng.IntN(4))) - b.centre[1]
		return x
	}
	for _, f := range []struct {
		length float64
		rough  bool
		off    float64 // between the places, where heights are known by their neighbours
	}{{0.25, false, 0.02}, {0.3, true, 0.2}} {
		u := family{length: f.length, rough: f.rough}.curves(&b.box)
		if u == nil {
			t.Fatalf("%+v: no curves", f)
		}
		features := func(x []float64) []float64 {
			phi := make([]float64, u.count())
			u.fillAll([][]float64{x}, [][]float64{phi})
			return phi
		}
		for _, x := range features(b.origin()) {
			if math.Abs(x) > 1e-9 {
				t.Fatalf("%+v: the baseline has a height", f)
			}
		}
		weights := make([]float64, u.count())
		normals(&rng, weights)
		surface := u.relief(weights)
		for range 20 {
			x, z := point(), point()
			got, want, height := 0.0, 0.0, 0.0
			p, q := features(x), features(z)
			for k := range p {
				got += p[k] * q[k]
				height += p[k] * weights[k]
			}
			for _, i := range b.numbers {
				want += u.covariance(x[i]-z[i]) - u.covariance(x[i]) - u.covariance(z[i]) + 1
			}
			if math.Abs(got-want) > f.off {
				t.Errorf("%+v: the covariance of %v and %v is %.3f, want %.3f", f, x, z, got, want)
			}
			if h, near := surface.height(7, x); !near || math.Abs(h-7-height) > 1e-6 {
				t.Errorf("%+v: height %v at %v, want %v", f, h, x, height+7)
			}
		}
	}
}

// A second top in one number is found from the first, wherever the other numbers stand.
func TestAdditiveScan(t *testing.T) {
	b := threeNumbers(t)
	u := family{length: 0.1}.curves(&b.box)
	b.bumps, b.size = u, b.plain+u.count()
	// Weights whose curve in x is two bells, the farther one higher; the others are level.
	phi := make([]float64, b.size)
	w := make([]float64, b.size)
	for _, bell := range []struct{ at, height float64 }{{0, 20}, {0.6, 50}} {
		x := b.origin()
		x[0] = bell.at
		b.fill(x, phi)
		for k := b.plain; k < b.plain+len(u.curves[0].at); k++ {
			w[k] += bell.height * phi[k]
		}
	}
	if top := b.shape(w).peak(); math.Abs(top[0]-0.6) > 0.05 {
		t.Errorf("the peak is at %.2f of x, want 0.6", top[0])
	}
}
