package classic

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/sampler/shared"
)

// parzen is a multivariate Parzen estimator: a mixture of one product kernel an
// observation and a uniform prior. The kernel is a normal density truncated to
// [0, 1] where the axis is continuous, its integral over a cell where it has
// cells, and a smoothed count where it is nominal. All observations share one
// bandwidth an axis, which follows their spread.
type parzen struct {
	axes    []shared.Axis
	kernels []kernels // by axis
	count   int       // observations, each of weight 1
	prior   float64   // weight of the prior
	scratch []float64
}

// kernels are those of one axis.
type kernels struct {
	sigma  float64   // bandwidth
	at     []float64 // coordinates, by observation
	norm   []float64 // logarithm of the density's scale, by observation
	cells  []int     // the observations' cells
	centre []int     // cells that occur
	of     []int     // index into centre, by observation
	index  map[int]int
	mass   []float64 // scratch: by centre
	same   float64   // nominal: the chance of the observation's own value
	other  float64   // and of each of the others
}

const (
	// narrow is the bandwidth in units of Scott's rule. That rule is made for observations
	// that fill one hump; good parameter sets lie in several, smaller ones.
	narrow = 0.5
	// clip divided by one more than the number of observations is the least bandwidth, and
	// least bounds that, as shares of the axis. So the estimator does not collapse onto its own
	// proposals (the magic clip of Bergstra et al. 2011; Watanabe 2023, section 3.3).
	clip  = 0.5
	least = 0.01
	// reach of a kernel beyond its own cell: with half a cell, the next value
	// keeps a chance of 16 % on either side.
	reach = 0.5
)

// newParzen fits the estimator to observations, one coordinate an axis each;
// prior is the prior's weight in observations.
func newParzen(axes []shared.Axis, points [][]float64, prior float64) *parzen {
	p := &parzen{axes: axes, kernels: make([]kernels, len(axes)), prior: prior}
	n := float64(len(points))
	scott := narrow * math.Pow(n+1, -1/float64(len(axes)+4))
	for j := range axes {
		k := &p.kernels[j]
		a := &axes[j]
		if a.Nominal {
			e := 1 / math.Max(n, 1)
			k.other = e / (1 + float64(float64(a.Cells)*e))
			k.same = 1 - float64(float64(a.Cells-1)*k.other)
		} else {
			floor := math.Max(least, clip/(n+1))
			if a.Cells > 0 {
				floor = math.Max(floor, reach/float64(a.Cells))
			}
			k.sigma = math.Min(math.Max(scott*spread(points, j), floor), 1)
		}
		if a.Cells > 0 {
			k.index = map[int]int{}
		}
	}
	for _, x := range points {
		p.add(x)
	}
	return p
}

// spread returns the standard deviation of coordinates, of which the uniform prior
// counts as one.
func spread(points [][]float64, j int) float64 {
	n, mean := float64(len(points)), 0.0
	for _, x := range points {
		mean += x[j] / n
	}
	v := 1.0 / 12
	for _, x := range points {
		v += float64((x[j] - mean) * (x[j] - mean))
	}
	return math.Sqrt(v / (n + 1))
}

// add adds an observation; the bandwidths stay.
func (p *parzen) add(x []float64) {
	for j := range p.axes {
		a, k := &p.axes[j], &p.kernels[j]
		k.at = append(k.at, x[j])
		if a.Cells > 0 {
			c := a.Cell(x[j])
			at, ok := k.index[c]
			if !ok {
				at = len(k.centre)
				k.index[c] = at
				k.centre, k.mass = append(k.centre, c), append(k.mass, 0)
			}
			k.cells, k.of = append(k.cells, c), append(k.of, at)
		}
		if a.Nominal {
			continue
		}
		norm := -math.Log(shared.NormalBetween(-x[j]/k.sigma, (1-x[j])/k.sigma))
		if a.Cells == 0 {
			norm -= math.Log(k.sigma * math.Sqrt(2*math.Pi))
		}
		k.norm = append(k.norm, norm)
	}
	p.count++
	p.scratch = append(p.scratch, 0)
}

// draw draws a point.
func (p *parzen) draw(s *arena.Stream) []float64 {
	out := make([]float64, len(p.axes))
	i := min(int(s.Float64()*(float64(p.count)+p.prior)), p.count) // p.count is the prior
	for j := range p.axes {
		a, k := &p.axes[j], &p.kernels[j]
		switch {
		case i == p.count:
			out[j] = a.Snap(s.Float64())
		case a.Nominal:
			out[j] = k.at[i]
			if v := s.Float64() - k.same; v >= 0 && a.Cells > 1 {
				c := int(v / k.other)
				if c >= k.cells[i] {
					c++
				}
				out[j] = a.Middle(min(c, a.Cells-1))
			}
		default:
			out[j] = a.Snap(shared.TruncatedNormal(s, k.at[i], k.sigma))
		}
	}
	return out
}

// density returns the logarithm of the density at a point, of the mass of its cell
// on axes that have cells.
func (p *parzen) density(x []float64) float64 {
	logs := p.scratch
	clear(logs)
	prior := math.Log(p.prior)
	for j := range p.axes {
		prior += p.kernels[j].add(&p.axes[j], x[j], logs)
	}
	top := prior
	for _, l := range logs {
		top = math.Max(top, l)
	}
	sum := math.Exp(prior - top)
	for _, l := range logs {
		if l-top > -40 { // less is lost beside 1
			sum += math.Exp(l - top)
		}
	}
	return top + math.Log(sum/(float64(p.count)+p.prior))
}

// add adds one axis's logarithms at a coordinate to those of all observations,
// and returns the prior's.
func (k *kernels) add(a *shared.Axis, x float64, logs []float64) float64 {
	switch {
	case a.Nominal:
		c, same, other := a.Cell(x), math.Log(k.same), math.Log(k.other)
		for i, own := range k.cells {
			if own == c {
				logs[i] += same
			} else {
				logs[i] += other
			}
		}
		return -math.Log(float64(a.Cells))
	case a.Cells > 0:
		from, to := a.Edges(a.Cell(x))
		for i, c := range k.centre {
			mu := a.Middle(c)
			k.mass[i] = math.Log(math.Max(shared.NormalBetween((from-mu)/k.sigma, (to-mu)/k.sigma), math.SmallestNonzeroFloat64))
		}
		for i := range k.at {
			logs[i] += k.mass[k.of[i]] + k.norm[i]
		}
		return math.Log(to - from)
	default:
		for i, mu := range k.at {
			z := (x - mu) / k.sigma
			logs[i] += k.norm[i] - float64(0.5*float64(z*z))
		}
		return 0
	}
}
