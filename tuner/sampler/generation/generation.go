// Package generation is what samplers that work by generations have in common:
// the individuals of a generation are asked in one batch or in several, and when
// all of them have been told, their values are looked up and ranked.
//
//	values, ok := index.Values(view, first, len(genomes), played)
//	order := generation.Best(values, view.Maximize)
package generation

import (
	"sakusen/engines/param"
	"sakusen/tuner"
)

// Index finds the told trials by what they played. The zero value is an index of
// nothing; it is brought up to date when it is asked.
type Index struct {
	trials map[string]int
	known  int // told trials in it
}

// Values is the values of the n individuals that were proposed from the draw
// first on, false where one has none yet. An individual whose parameter set was
// tried before has no trial of its own: its value is that of the earlier trial.
// played is what the i-th individual plays.
func (x *Index) Values(v *tuner.View, first, n int, played func(i int) param.Values) ([]float64, bool) {
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
