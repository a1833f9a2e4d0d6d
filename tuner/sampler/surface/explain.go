package surface

import (
	"math"
	"slices"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/shared"
)

const (
	// explainPlaces is the number of places of a range that are looked at, and halvings how often the
	// ends of what cannot be told apart are made more exact.
	explainPlaces, halvings = 41, 10
	// interactionMove is how far two parameters are moved when their interaction is measured, a
	// share of the range.
	interactionMove = 0.25
	oneSide         = 1.645 // normal deviate of 95 %, one-sided
	// leastInteraction is the least interaction that is told, Elo: less is rounding.
	leastInteraction = 0.1
	// leastRows is the least number of rows, for each feature but kinks, of which anything is told.
	leastRows = 0.5
)

// Explain implements tuner.Explainer by the posterior of the model.
func (s *Surface) Explain(v *tuner.View, at param.Values) []tuner.Known {
	if v.Seats == 0 {
		return nil
	}
	s.follow(v)
	if needed := s.model.size() - s.model.count[kink]; float64(len(s.rows)) < math.Max(leastRows*float64(needed), 8) {
		return nil
	}
	whole := *s.model
	whole.whole = true // what is told is about whole ranges
	e := &explainer{model: whole.fitted(s.rows), at: s.box.point(at)}
	out := make([]tuner.Known, len(s.space))
	for i := range s.space {
		out[i] = e.explain(i)
		e.rounder(&s.space[i], i, &out[i])
	}
	return out
}

// nearby is the share of a range within which a rounder number lies near, mostDigits what it has.
const nearby, mostDigits = 0.02, 3

// rounder finds the number with the fewest digits that lies near the answer's, where that has more.
func (e *explainer) rounder(d *tuner.Dimension, i int, k *tuner.Known) {
	best, err := strconv.ParseFloat(k.Best, 64)
	if err != nil || math.IsNaN(d.Place(k.Best)) {
		return
	}
	for digits := range mostDigits + 1 {
		x := 0.0
		if digits > 0 {
			x, _ = strconv.ParseFloat(strconv.FormatFloat(best, 'g', digits, 64), 64)
		}
		text := strconv.FormatFloat(x, 'f', -1, 64)
		switch {
		case x == best:
			return
		case x < d.Domain.Low || x > d.Domain.High || d.Number(d.Text(x)) != x || math.Abs(d.Place(text)-d.Place(k.Best)) > nearby:
			continue
		}
		y := slices.Clone(e.at)
		y[i] = e.axes[i].Place(text)
		below, sd := e.above(e.at, y)
		k.Rounder, k.Below, k.Most = text, below, below+oneSide*sd
		return
	}
}

// explainer tells what games show of each parameter about a point.
type explainer struct {
	*model
	at []float64
}

// alike reports whether a point is not known to be lower than the answer.
func (e *explainer) alike(y []float64) bool {
	h, sd := e.above(e.at, y)
	return h <= oneSide*sd
}

// idle returns the chance that a number does nothing, where as many numbers do as do not: by the
// density of no slope, no bend, no kinks and no products, in what is believed and before anything is
// seen (J. Dickey, The weighted likelihood ratio, 1971).
func (e *explainer) idle(a int) float64 {
	var rows [][]float64
	proof := 0.0
	ask := func(scale float64, features ...int) {
		phi := make([]float64, e.size())
		for _, k := range features {
			phi[k] = 1
		}
		rows = append(rows, phi)
		proof += math.Log(scale)
	}
	ask(e.scale[line], e.from[line]+a)
	ask(math.Hypot(e.scale[bend], e.mean[e.from[common]]), e.from[bend]+a, e.from[common])
	for k := range e.knots[a] {
		ask(e.scale[kink], e.from[kink]+e.kinks[a]+k)
	}
	for c := range e.numbers {
		if c != a && e.cross {
			i, j := max(a, c), min(a, c)
			ask(e.scale[product], e.from[product]+i*(i-1)/2+j)
		}
	}
	at, covariance := make([]float64, len(rows)), shared.NewSymmetric(len(rows))
	for i, phi := range rows {
		at[i] = shared.Dot(phi, e.mean)
		e.root.Forward(phi)
		for j := range i + 1 {
			covariance.Row(i)[j] = shared.Dot(phi, rows[j])
		}
	}
	logdet, ok := covariance.Factor()
	if !ok {
		return 0
	}
	covariance.Forward(at)
	proof -= (logdet + shared.Dot(at, at)) / 2
	return 1 / (1 + math.Exp(-proof))
}

// explain returns what is known of one parameter.
func (e *explainer) explain(i int) tuner.Known {
	a, x := &e.axes[i], e.at
	k := tuner.Known{Name: a.Name, Best: e.text(i, x[i])}
	y := append([]float64(nil), x...)
	idle := 0.0
	if n := slices.Index(e.numbers, i); n >= 0 {
		idle = e.idle(n)
	}
	var places []float64
	if low, high := e.ends(i); a.Nominal {
		for v := range a.Cells {
			places = append(places, float64(v))
		}
	} else {
		for n := range explainPlaces {
			places = append(places, low+(high-low)*float64(n)/(explainPlaces-1))
		}
	}
	phi, same, nearest := make([]float64, e.size()), make([]bool, len(places)), 0
	for n, z := range places {
		y[i] = z
		e.add(phi, x, 1/float64(len(places)))
		e.add(phi, y, -1/float64(len(places)))
		same[n] = idle > 0.5 || e.alike(y)
		if math.Abs(z-x[i]) < math.Abs(places[nearest]-x[i]) {
			nearest = n
		}
	}
	k.Importance, k.Error = e.seen(phi)
	k.Importance *= 1 - idle
	if a.Nominal {
		for n, z := range places {
			if same[n] || z == x[i] {
				k.Same = append(k.Same, e.text(i, z))
			}
		}
		return k
	}
	from, to := nearest, nearest
	for from > 0 && same[from-1] {
		from--
	}
	for to+1 < len(places) && same[to+1] {
		to++
	}
	ends := [2]float64{math.Min(places[from], x[i]), math.Max(places[to], x[i])}
	for side, n := range [2]int{from - 1, to + 1} {
		if n < 0 || n >= len(places) {
			continue
		}
		in, out := ends[side], places[n]
		for range halvings {
			if y[i] = (in + out) / 2; e.alike(y) {
				in = y[i]
			} else {
				out = y[i]
			}
		}
		ends[side] = in
	}
	k.From, k.To = e.text(i, ends[0]), e.text(i, ends[1])
	if idle < 0.5 {
		e.interact(&k, i)
	}
	return k
}

// interact finds the number whose move changes most what a number's move does, where that is
// clear at level .05 for all pairs of numbers together (Bonferroni).
func (e *explainer) interact(k *tuner.Known, i int) {
	x := e.at
	moved := func(i int) float64 { // towards the farther end
		low, high := e.ends(i)
		if high-x[i] > x[i]-low {
			return math.Min(x[i]+interactionMove, high)
		}
		return math.Max(x[i]-interactionMove, low)
	}
	n := float64(len(e.numbers))
	sure := math.Sqrt2 * math.Erfinv(1-0.05/math.Max(1, n*(n-1)/2))
	most := leastInteraction
	y := append([]float64(nil), x...)
	for _, j := range e.numbers {
		if j == i {
			continue
		}
		phi := make([]float64, e.size())
		for n, sign := range [4]float64{1, -1, -1, 1} { // neither, the first, the second, both
			y[i], y[j] = x[i], x[j]
			if n&1 != 0 {
				y[i] = moved(i)
			}
			if n&2 != 0 {
				y[j] = moved(j)
			}
			e.add(phi, y, sign)
		}
		y[i], y[j] = x[i], x[j]
		if size, sd := e.seen(phi); math.Abs(size) > most && math.Abs(size) > sure*sd {
			most = math.Abs(size)
			k.With, k.Interaction = e.axes[j].Name, &size
		}
	}
}
