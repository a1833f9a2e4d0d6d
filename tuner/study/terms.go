package study

import (
	"math"
	"slices"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// terms turns parameter sets into the terms of a linear model: 1; place and squared place
// of every numeric parameter on a scale from 0 to 1; an indicator of every value of a
// choice but the first. All terms of an inactive parameter are 0.
type terms struct {
	space  tuner.Space
	duels  bool  // no constant term: it cancels in differences
	from   []int // first term of each dimension
	square []bool
	values [][]string // of choices and switches: the values seen, without the first
	n      int
}

// terms are those of this study's space, as far as its trials tell them apart.
func (st *Study) terms() *terms {
	x := &terms{space: st.Setup.Tune.Params, duels: st.Setup.Duels}
	if !x.duels {
		x.n = 1
	}
	for i := range x.space {
		d := &x.space[i]
		var met []string
		for _, t := range st.trials {
			if text, ok := t.Params.Get(d.Name); ok && !slices.Contains(met, text) && len(met) < 64 {
				met = append(met, text)
			}
		}
		x.from = append(x.from, x.n)
		x.square = append(x.square, false)
		x.values = append(x.values, nil)
		switch {
		case len(met) < 2:
		case d.Kind == param.Bool || d.Kind == param.Choice:
			x.values[i] = met[1:]
			x.n += len(met) - 1
		default:
			x.square[i] = len(met) > 2
			x.n++
			if x.square[i] {
				x.n++
			}
		}
	}
	return x
}

// of is the terms of a trial.
func (x *terms) of(t *tuner.Trial) []float64 {
	row := make([]float64, x.n)
	if !x.duels {
		row[0] = 1
	}
	for i := range x.space {
		d := &x.space[i]
		text, ok := t.Params.Get(d.Name)
		if !ok || x.width(i) == 0 {
			continue
		}
		if x.values[i] != nil {
			if k := slices.Index(x.values[i], text); k >= 0 {
				row[x.from[i]+k] = 1
			}
			continue
		}
		u := place(d, text)
		row[x.from[i]] = u
		if x.square[i] {
			row[x.from[i]+1] = u * u
		}
	}
	return row
}

// difference is the terms of one trial less those of another.
func (x *terms) difference(a, b *tuner.Trial) []float64 {
	row, other := x.of(a), x.of(b)
	for i := range row {
		row[i] -= other[i]
	}
	return row
}

// width is the number of terms of a dimension.
func (x *terms) width(i int) int {
	if i+1 < len(x.from) {
		return x.from[i+1] - x.from[i]
	}
	return x.n - x.from[i]
}

// contrasts are the combinations of coefficients that say how much better an end
// of a numeric parameter's range is than the range on average, and how steeply
// the values fall towards that end. It is false where the trials do not vary it.
func (x *terms) contrasts(i int, upper bool) (better, falls []float64, ok bool) {
	if x.width(i) == 0 || x.values[i] != nil {
		return nil, nil, false
	}
	better, falls = make([]float64, x.n), make([]float64, x.n)
	end, outwards := 0.0, -1.0
	if upper {
		end, outwards = 1, 1
	}
	better[x.from[i]], falls[x.from[i]] = end-0.5, -outwards
	if x.square[i] {
		better[x.from[i]+1], falls[x.from[i]+1] = end*end-1./3, -outwards*2*end
	}
	return better, falls, true
}

// place is where a value lies in its range, from 0 to 1.
func place(d *tuner.Dimension, text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	low, high := d.Domain.Low, d.Domain.Top()
	if d.Domain.Log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	if err != nil || !(high > low) {
		return 0
	}
	return (v - low) / (high - low)
}
