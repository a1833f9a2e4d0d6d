package shared

import (
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

// Generations finds the told trials by what they played. The zero value is an index of
// nothing; it is brought up to date when it is asked.
type Generations struct {
	trials map[string]int
	known  int // told trials in it
}

// Values returns the values of the n individuals that were proposed from the draw
// first on, false where one has none yet. An individual whose parameter set was
// tried before has no trial of its own: its value is that of the earlier trial.
// played is what the i-th individual plays.
func (x *Generations) Values(v *tuner.View, first, n int, played func(i int) param.Values) ([]float64, bool) {
	values, found := make([]float64, n), make([]bool, n)
	for i := len(v.Told) - 1; i >= 0 && v.Told[i].Draw >= first; i-- {
		if k := v.Told[i].Draw - first; k < n {
			values[k], found[k] = v.Told[i].Value, true
		}
	}
	for i := range values {
		if found[i] {
			continue
		}
		if x.trials == nil {
			x.trials = map[string]int{}
		}
		for ; x.known < len(v.Told); x.known++ {
			x.trials[v.Told[x.known].Params.String()] = x.known
		}
		at, ok := x.trials[v.Space.Activate(v.Fixed, played(i)).String()]
		if !ok {
			return nil, false
		}
		values[i] = v.Told[at].Value
	}
	return values, true
}

// Ranking returns the indexes of values from the best, ties by index, undefined ones
// last.
func Ranking(values []float64, up bool) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := values[a], values[b]
		switch {
		case math.IsNaN(x) || math.IsNaN(y):
			return compareBool(math.IsNaN(x), math.IsNaN(y))
		case x == y:
			return 0
		case (x > y) == up:
			return -1
		}
		return 1
	})
	return order
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// normalBelow returns the chance that a standard normal number lies below z.
func normalBelow(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

// NormalBetween returns the chance that it lies between a and b, a <= b, exact in the
// tails too.
func NormalBetween(a, b float64) float64 {
	if a > 0 {
		a, b = -b, -a
	}
	return normalBelow(b) - normalBelow(a)
}

// normalQuantile returns the inverse of normalBelow.
func normalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// TruncatedNormal draws from a normal distribution with its centre in [0, 1] held
// inside [0, 1]: by inversion, from one number of the stream.
func TruncatedNormal(s *arena.Stream, centre, sigma float64) float64 {
	low, high := normalBelow(-centre/sigma), normalBelow((1-centre)/sigma)
	x := centre + float64(sigma*normalQuantile(low+float64(s.Float64()*(high-low))))
	return math.Min(math.Max(x, 0), 1)
}

// Normal draws from the standard normal distribution.
func Normal(s *arena.Stream) float64 {
	return normalQuantile((float64(s.Uint64()>>12) + 0.5) * 0x1p-52)
}
