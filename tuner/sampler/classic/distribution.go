package classic

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"sakusen/tuner/sampler/shared"
)

// distribution is the normal distribution of CMA-ES with all that adapts it
// (N. Hansen, "The CMA evolution strategy: a tutorial", 2016, arXiv 1604.00772;
// its numbers of equations below), on coordinates in [0, 1].
type distribution struct {
	strategy
	mean  []float64
	sigma float64
	scale []float64 // of the axes: above 1 where the margin widens one

	c       *mat.SymDense
	b       *mat.Dense // eigenvectors, in columns
	d       []float64  // square roots of the eigenvalues
	stale   int        // generations since the decomposition
	pathS   []float64
	pathC   []float64
	updates int
}

// strategy is the parameters of table 1 for n dimensions.
type strategy struct {
	n, lambda, mu int
	weights       []float64
	muEff         float64
	cs, ds, cc    float64
	c1, cmu, chi  float64
	lazy          int // generations between decompositions
}

// newStrategy is table 1 with its defaults, active (negative) weights included.
func newStrategy(n, lambda int) strategy {
	s := strategy{n: n, lambda: lambda, mu: lambda / 2, weights: make([]float64, lambda)}
	f := float64(n)
	var sum, squares, sumMinus, squaresMinus float64
	for i := range s.weights {
		w := math.Log(float64(lambda+1)/2) - math.Log(float64(i+1))
		s.weights[i] = w
		if i < s.mu {
			sum, squares = sum+w, squares+float64(w*w)
		} else {
			sumMinus, squaresMinus = sumMinus+w, squaresMinus+float64(w*w)
		}
	}
	s.muEff = sum * sum / squares
	muEffMinus := sumMinus * sumMinus / squaresMinus
	s.cs = (s.muEff + 2) / (f + s.muEff + 5)
	s.ds = 1 + 2*math.Max(0, math.Sqrt((s.muEff-1)/(f+1))-1) + s.cs
	s.cc = (4 + s.muEff/f) / (f + 4 + 2*s.muEff/f)
	s.c1 = 2 / (float64((f+1.3)*(f+1.3)) + s.muEff)
	s.cmu = math.Min(1-s.c1, 2*(0.25+s.muEff+1/s.muEff-2)/(float64((f+2)*(f+2))+s.muEff))
	s.chi = math.Sqrt(f) * (1 - 1/(4*f) + 1/(21*f*f))
	bound := math.Min(1+s.c1/s.cmu, 1+2*muEffMinus/(s.muEff+2))
	bound = math.Min(bound, (1-s.c1-s.cmu)/(f*s.cmu))
	for i, w := range s.weights {
		if w >= 0 {
			s.weights[i] = w / sum
		} else {
			s.weights[i] = w * bound / -sumMinus
		}
	}
	s.lazy = max(1, int(1/((s.c1+s.cmu)*f*10)))
	return s
}

func newDistribution(mean []float64, sigma float64, lambda int) *distribution {
	n := len(mean)
	x := &distribution{
		strategy: newStrategy(n, lambda), mean: mean, sigma: sigma,
		scale: make([]float64, n), c: mat.NewSymDense(n, nil), b: mat.NewDense(n, n, nil), d: make([]float64, n),
		pathS: make([]float64, n), pathC: make([]float64, n),
	}
	for i := range n {
		x.scale[i], x.d[i] = 1, 1
		x.c.SetSym(i, i, 1)
		x.b.Set(i, i, 1)
	}
	return x
}

// at is the point of a standard normal vector: m + sigma A B D z.
func (x *distribution) at(z []float64) []float64 {
	out := make([]float64, x.n)
	for i := range out {
		y := 0.0
		for k := range z {
			y += float64(x.b.At(i, k) * float64(x.d[k]*z[k]))
		}
		out[i] = x.mean[i] + float64(x.sigma*float64(x.scale[i]*y))
	}
	return out
}

// whiten is C^(-1/2) y.
func (x *distribution) whiten(y []float64) []float64 {
	t, out := make([]float64, x.n), make([]float64, x.n)
	for k := range t {
		for i := range y {
			t[k] += float64(x.b.At(i, k) * y[i])
		}
		t[k] /= x.d[k]
	}
	for i := range out {
		for k := range t {
			out[i] += float64(x.b.At(i, k) * t[k])
		}
	}
	return out
}

// tied is the weights of ranked members. Members with equal values share their weights, so
// that no order among them is made up. flat tells that all are equal.
func (s *strategy) tied(ranked []float64) (weights []float64, flat bool) {
	weights = make([]float64, s.lambda)
	for from := 0; from < s.lambda; {
		to, sum := from, 0.0
		for to < s.lambda && (ranked[to] == ranked[from] || math.IsNaN(ranked[to]) && math.IsNaN(ranked[from])) {
			sum += s.weights[to]
			to++
		}
		for i := from; i < to; i++ {
			weights[i] = sum / float64(to-from)
		}
		flat = to-from == s.lambda
		from = to
	}
	return weights, flat
}

// limits of sigma, as shares of the range: it stays where numbers still tell
// points apart.
const (
	leastSigma = 1e-13
	mostSigma  = 1
)

// take updates the distribution by a generation and its values.
func (x *distribution) take(members [][]float64, values []float64, up bool) {
	ranked, ordered := make([][]float64, len(values)), make([]float64, len(values))
	for i, m := range shared.Ranking(values, up) {
		ranked[i], ordered[i] = members[m], values[m]
	}
	x.update(ranked, ordered)
}

// copied is a copy that shares nothing which an update changes.
func (x *distribution) copied() *distribution {
	y := *x
	y.mean, y.scale, y.d = slices.Clone(x.mean), slices.Clone(x.scale), slices.Clone(x.d)
	y.pathS, y.pathC = slices.Clone(x.pathS), slices.Clone(x.pathC)
	y.c, y.b = mat.NewSymDense(x.n, nil), mat.DenseCopyOf(x.b)
	y.c.CopySym(x.c)
	return &y
}

// update takes in a generation, ranked from the best, with its values.
func (x *distribution) update(ranked [][]float64, values []float64) {
	weights, flat := x.tied(values)
	if flat { // nothing can be learned but that the steps are too short
		x.sigma = math.Min(x.sigma*math.Exp(0.2+x.cs/x.ds), mostSigma)
		return
	}
	ys := make([][]float64, len(ranked))
	step := make([]float64, x.n)
	for i, at := range ranked {
		ys[i] = make([]float64, x.n)
		for k := range at {
			ys[i][k] = (at[k] - x.mean[k]) / (x.sigma * x.scale[k])
			if weights[i] > 0 {
				step[k] += float64(weights[i] * ys[i][k])
			}
		}
	}
	for k := range x.mean {
		x.mean[k] += float64(x.sigma * float64(x.scale[k]*step[k]))
	}
	x.updates++
	// Step-size control, (43) and (44).
	norm := 0.0
	white := x.whiten(step)
	for k := range x.pathS {
		x.pathS[k] = float64((1-x.cs)*x.pathS[k]) + float64(math.Sqrt(x.cs*(2-x.cs)*x.muEff)*white[k])
		norm += float64(x.pathS[k] * x.pathS[k])
	}
	norm = math.Sqrt(norm)
	x.adapt(ys, weights, step, norm)
	x.sigma *= math.Exp(math.Min(1, x.cs/x.ds*(norm/x.chi-1)))
	x.sigma = math.Min(math.Max(x.sigma, leastSigma), mostSigma)
}

// adapt is the covariance matrix adaptation, (45) to (47).
func (x *distribution) adapt(ys [][]float64, weights, step []float64, norm float64) {
	h := 0.0
	if norm/math.Sqrt(1-math.Pow(1-x.cs, float64(2*x.updates))) < (1.4+2/float64(x.n+1))*x.chi {
		h = 1
	}
	for k := range x.pathC {
		x.pathC[k] = float64((1-x.cc)*x.pathC[k]) + float64(h*float64(math.Sqrt(x.cc*(2-x.cc)*x.muEff)*step[k]))
	}
	sum := 0.0
	used := make([]float64, len(weights))
	for i, w := range weights {
		sum += w
		used[i] = w
		if w < 0 {
			length := 0.0
			for _, v := range x.whiten(ys[i]) {
				length += float64(v * v)
			}
			used[i] = w * float64(x.n) / math.Max(length, 1e-12)
		}
	}
	keep := 1 + x.c1*(1-h)*x.cc*(2-x.cc) - x.c1 - x.cmu*sum
	for i := range x.n {
		for j := i; j < x.n; j++ {
			v := float64(keep*x.c.At(i, j)) + float64(x.c1*float64(x.pathC[i]*x.pathC[j]))
			for k, y := range ys {
				v += float64(x.cmu * float64(used[k]*float64(y[i]*y[j])))
			}
			x.c.SetSym(i, j, v)
		}
	}
	if x.stale++; x.stale >= x.lazy {
		x.decompose()
	}
}

// decompose finds the axes of the distribution. Where rounding has made the matrix not
// positive, or nearly so, its axes are kept at a least length, in the matrix too: what is
// updated and what the margin is computed from would otherwise come to have variances
// below 0, while points are still drawn.
func (x *distribution) decompose() {
	x.stale = 0
	var e mat.EigenSym
	if !e.Factorize(x.c, true) {
		return
	}
	values := e.Values(nil)
	least := values[x.n-1] * 1e-14
	if !(least > 0) {
		return
	}
	e.VectorsTo(x.b)
	for k, v := range values {
		x.d[k] = math.Sqrt(math.Max(v, least))
	}
	if values[0] >= least { // they ascend
		return
	}
	for i := range x.n {
		for j := i; j < x.n; j++ {
			v := 0.0
			for k, d := range x.d {
				v += float64(float64(x.b.At(i, k)*d) * float64(x.b.At(j, k)*d))
			}
			x.c.SetSym(i, j, v)
		}
	}
}

// keepMargin sees to it that on every axis with cells a draw leaves the mean's
// cell, to either side, with a chance of at least alpha: without it, steps freeze
// once sigma is small beside a cell. The mean is moved and the axis widened by as
// little as that takes (R. Hamano, S. Saito, M. Nomura and S. Shirakawa, "CMA-ES
// with margin", GECCO 2022, section 4).
func (x *distribution) keepMargin(axes []shared.Axis, alpha float64) {
	for j := range axes {
		a := &axes[j]
		if a.Cells < 2 {
			continue
		}
		s := x.sigma * math.Sqrt(x.c.At(j, j)) * x.scale[j]
		cell := a.Cell(x.mean[j])
		from, to := a.Edges(cell)
		switch cell {
		case 0:
			x.mean[j] = math.Max(x.mean[j], to-float64(s*-shared.NormalQuantile(alpha)))
			continue
		case a.Cells - 1:
			x.mean[j] = math.Min(x.mean[j], from+float64(s*-shared.NormalQuantile(alpha)))
			continue
		}
		low, high := shared.NormalBelow((from-x.mean[j])/s), shared.NormalBelow((x.mean[j]-to)/s)
		if low >= alpha && high >= alpha {
			continue
		}
		mid := 1 - low - high
		low1, high1 := math.Max(low, alpha), math.Max(high, alpha)
		rest := (1 - low1 - high1 - mid) / (low1 + high1 + mid - 3*alpha)
		zLow := -shared.NormalQuantile(low1 + float64(rest*(low1-alpha)))
		zHigh := -shared.NormalQuantile(high1 + float64(rest*(high1-alpha)))
		x.mean[j] = (float64(from*zHigh) + float64(to*zLow)) / (zLow + zHigh)
		x.scale[j] *= (to - from) / (zLow + zHigh) / s
	}
}
