package chart

import (
	"math"
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
)

// space is the parameters that a study tunes, with where its trials are along each.
type space struct {
	log    *insight.Chronicle
	params tuner.Space
}

// index returns the number of a parameter, -1 where none has that name.
func (s *space) index(name string) int {
	return slices.IndexFunc(s.params, func(d tuner.Dimension) bool { return d.Name == name })
}

// axis returns a parameter's axis over what the trials have tried, or, whole, over its
// range as it is declared.
func (s *space) axis(k int, whole bool) axis {
	d := &s.params[k]
	switch d.Kind {
	case param.Bool:
		return axis{name: d.Name, names: []string{"false", "true"}}
	case param.Choice:
		return axis{name: d.Name, names: d.Choices}
	}
	a := axis{name: d.Name, low: d.Domain.Low, top: d.Domain.Top(), log: d.Domain.Log && d.Domain.Low > 0, whole: d.Kind == param.Int}
	if whole {
		return a
	}
	if n := d.Points(); n > 1 && n <= sliceColumns && !d.Domain.Log {
		half := (a.top - a.low) / float64(n-1) / 2 // each value has a column of its own
		a.low, a.top = a.low-half, a.top+half
		return a
	}
	tried := over("")
	for i := range s.log.Trials {
		tried.reach(s.log.Place(i, k))
	}
	if a.wide = true; !tried.empty() {
		a.low, a.top, a.log = tried.low, tried.top, d.Domain.Log && tried.low > 0
	}
	return a
}

// place returns a place along a parameter for people.
func (s *space) place(k int, x float64) string {
	d := &s.params[k]
	if i := int(x); d.Kind == param.Choice && i >= 0 && i < len(d.Choices) {
		return d.Choices[i]
	}
	if d.Kind == param.Bool {
		return map[bool]string{true: "true", false: "false"}[x > 0.5]
	}
	return numeral.Page(numeral.Text(x))
}

// columns returns the number of columns into which a parameter is divided, at most so
// many: as many as a list has values.
func (s *space) columns(k, most int) int {
	if n := s.params[k].Points(); n > 0 && n <= most {
		return n
	}
	return most
}

// point returns where a trial is, along each parameter.
func (s *space) point(trial int) []float64 {
	out := make([]float64, len(s.params))
	for k := range out {
		out[k] = s.log.Place(trial, k)
	}
	return out
}

// origin returns where the baseline is, if it plays the tuned strategy, else the middle of
// the space. A parameter that a condition switches off has no place.
func (s *space) origin() (at []float64, known bool) {
	base, same := Baseline(s.log.Spec.Spec)
	for k := range s.params {
		d := &s.params[k]
		text, ok := base[d.Name]
		if text = d.Searched(text); !ok {
			text = d.Default
		}
		x := math.NaN()
		if same {
			x = d.Number(text)
		}
		if math.IsNaN(x) {
			if x = 0; d.Kind == param.Int || d.Kind == param.Float {
				x = (d.Domain.Low + d.Domain.Top()) / 2
			}
			same = false
		}
		at = append(at, x)
	}
	return at, same
}

// term is one of a model: what it is at a point, 0 where its parameter is not active.
type term struct {
	k  int // the parameter, -1 where it is not of one alone
	of func(at []float64) float64
}

// effects returns the terms of one parameter.
func (s *space) effects(k int) (out []term) {
	switch d := &s.params[k]; {
	case d.Kind == param.Bool:
		return []term{{k, func(at []float64) float64 { return max(0, at[k]) }}}
	case d.Kind == param.Choice:
		for i := 1; i < len(d.Choices); i++ {
			out = append(out, term{k, func(at []float64) float64 {
				if at[k] == float64(i) {
					return 1
				}
				return 0
			}})
		}
	case d.Points() != 1:
		out = []term{{k, func(at []float64) float64 { return s.unit(k, at) }}, {k, func(at []float64) float64 { return s.unit(k, at) * s.unit(k, at) }}}
	}
	return out
}

// unit returns a number of a point as -1 to 1 over its range, 0 where it is not active.
func (s *space) unit(k int, at []float64) float64 {
	x, d := at[k], &s.params[k]
	low, high := d.Domain.Low, d.Domain.Top()
	if d.Domain.Log && low > 0 {
		x, low, high = math.Log(x), math.Log(low), math.Log(high)
	}
	if !(high > low) || math.IsNaN(x) {
		return 0
	}
	return 2*(x-low)/(high-low) - 1
}

// evaluate returns the terms of a point.
func evaluate(terms []term, at []float64) []float64 {
	out := make([]float64, len(terms))
	for i := range terms {
		out[i] = terms[i].of(at)
	}
	return out
}
