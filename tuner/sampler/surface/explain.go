package surface

import (
	"math"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/shared"
)

const (
	// explainPlaces is the number of places of a range that are looked at, of a range
	// of fewer values all.
	explainPlaces = 41
	// interactionMove is how far two parameters are moved when their interaction is
	// measured, a share of the range.
	interactionMove = 0.25
	oneSide         = 1.645 // normal deviate of 95 %, one-sided
	// leastInteraction is the least interaction that is told, Elo: less is rounding.
	leastInteraction = 0.1
	// halvings is how often the ends of what cannot be told apart are made more exact.
	halvings = 10
)

var _ tuner.Explainer = (*Surface)(nil)

// Explain implements tuner.Explainer by the posterior of the surface.
func (s *Surface) Explain(v *tuner.View, at param.Values) []tuner.Known {
	if v.Seats == 0 {
		return nil
	}
	s.view = v
	s.fit()
	if len(s.rows) < 2*s.basis.plain/3 || len(s.rows) < fewBatches {
		return nil
	}
	e := &explainer{model: s.model, at: s.basis.point(at), here: make([]float64, s.basis.size)}
	s.basis.fill(e.at, e.here)
	out := make([]tuner.Known, len(s.space))
	for i := range s.space {
		out[i] = e.explain(i)
	}
	return out
}

// explainer tells what games show of each parameter about a point.
type explainer struct {
	*model
	at, here []float64 // the point, and its features
}

// explain returns what is known of one parameter.
func (e *explainer) explain(i int) tuner.Known {
	b, d, x := e.basis, &e.space[i], e.at
	k := tuner.Known{Name: d.Name, Best: b.text(i, x[i])}
	var places []float64
	if shared.Nominal(d) {
		for l := range d.Points() {
			places = append(places, float64(l))
		}
	} else {
		for n := range explainPlaces {
			places = append(places, b.low[i]+(b.high[i]-b.low[i])*float64(n)/(explainPlaces-1))
		}
	}
	mean := make([]float64, b.size)
	same := make([]bool, len(places))
	y := append([]float64(nil), x...)
	phi := make([]float64, b.size)
	nearest := 0
	for n, z := range places {
		y[i] = z
		e.below(y, phi)
		for j := range phi {
			mean[j] += phi[j] / float64(len(places))
		}
		same[n] = e.alike(phi)
		if math.Abs(z-x[i]) < math.Abs(places[nearest]-x[i]) {
			nearest = n
		}
	}
	k.Importance, k.Error = shared.Dot(mean, e.now.mean), math.Sqrt(e.now.variance(mean))
	if shared.Nominal(d) {
		for n, z := range places {
			if same[n] || z == x[i] {
				k.Same = append(k.Same, b.text(i, z))
			}
		}
	} else {
		from, to := nearest, nearest
		for from > 0 && same[from-1] {
			from--
		}
		for to+1 < len(places) && same[to+1] {
			to++
		}
		ends := [2]float64{math.Min(places[from], x[i]), math.Max(places[to], x[i])}
		beyond := [2]int{from - 1, to + 1}
		for side, n := range beyond {
			if n < 0 || n >= len(places) {
				continue
			}
			in, out := ends[side], places[n]
			for range halvings {
				y[i] = (in + out) / 2
				e.below(y, phi)
				if e.alike(phi) {
					in = y[i]
				} else {
					out = y[i]
				}
			}
			ends[side] = in
		}
		k.From, k.To = b.text(i, ends[0]), b.text(i, ends[1])
	}
	e.interact(&k, i)
	return k
}

// below writes the features of the point less those of another.
func (e *explainer) below(y, phi []float64) {
	e.basis.fill(y, phi)
	for j := range phi {
		phi[j] = e.here[j] - phi[j]
	}
}

// alike reports whether a height is not known to be lower than the answer's, phi being the
// answer's features less its own.
func (e *explainer) alike(phi []float64) bool {
	return shared.Dot(phi, e.now.mean) <= oneSide*math.Sqrt(e.now.variance(phi))
}

// interact finds the number whose move changes most what a number's move does, where that is
// clear at level .05 for all pairs of numbers together (Bonferroni).
func (e *explainer) interact(k *tuner.Known, i int) {
	b, x := e.basis, e.at
	if shared.Nominal(&e.space[i]) {
		return
	}
	moved := func(i int) float64 { // towards the farther end
		if b.high[i]-x[i] > x[i]-b.low[i] {
			return math.Min(x[i]+interactionMove, b.high[i])
		}
		return math.Max(x[i]-interactionMove, b.low[i])
	}
	n := float64(len(b.numbers))
	sure := math.Sqrt2 * math.Erfinv(1-0.05/math.Max(1, n*(n-1)/2))
	most := leastInteraction
	phi, sum := make([]float64, b.size), make([]float64, b.size)
	y := append([]float64(nil), x...)
	for _, j := range b.numbers {
		if j == i {
			continue
		}
		clear(sum)
		for n, sign := range [4]float64{1, -1, -1, 1} { // neither, the first, the second, both
			y[i], y[j] = x[i], x[j]
			if n&1 != 0 {
				y[i] = moved(i)
			}
			if n&2 != 0 {
				y[j] = moved(j)
			}
			b.fill(y, phi)
			for f := range phi {
				sum[f] += float64(sign * phi[f])
			}
		}
		y[i], y[j] = x[i], x[j]
		size := shared.Dot(sum, e.now.mean)
		if math.Abs(size) > most && math.Abs(size) > sure*math.Sqrt(e.now.variance(sum)) {
			most = math.Abs(size)
			k.With, k.Interaction = e.space[j].Name, &size
		}
	}
}
