package members

import (
	"math"
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/axis"
)

const (
	// mostSets is the most parameter sets that are listed, conditions aside.
	mostSets = 10_000
	// fewNumbers is the most members of a space of numbers alone: of more a surface knows more.
	fewNumbers = 64
)

// space is the members of a finite space.
type space struct {
	values []param.Values // where based is set, the first is the baseline
	index  map[string]int // by the text of their active values
	places [][]float64    // by member and dimension: in the range, or index; NaN where not active
	based  bool           // the baseline is a member, and its height is 0

	nominal, conditional []bool // by dimension
}

// list lists the members; nil where there are many.
func list(dimensions tuner.Space, v *tuner.View) *space {
	n := dimensions.Size()
	if n == 0 || n > mostSets {
		return nil
	}
	s := &space{index: map[string]int{}, based: v.Pinned}
	for _, d := range dimensions.Given(v.Fixed) {
		s.nominal = append(s.nominal, axis.Nominal(&d))
		s.conditional = append(s.conditional, len(d.When) > 0)
	}
	most := tuner.FewMembers
	if !slices.Contains(s.nominal, true) && !slices.Contains(s.conditional, true) {
		most = fewNumbers
	}
	if s.based {
		s.add(dimensions, v, v.Baseline)
	}
	for i := range n {
		if s.add(dimensions, v, dimensions.Ordered(v.Fixed, dimensions.Member(i))); len(s.values) > most {
			return nil
		}
	}
	return s
}

// add adds a member, unless it is there. What is not active stands at the baseline.
func (s *space) add(dimensions tuner.Space, v *tuner.View, values param.Values) {
	active := dimensions.Activate(v.Fixed, values)
	key := active.String()
	if _, ok := s.index[key]; ok {
		return
	}
	s.index[key] = len(s.values)
	all, places := make(param.Values, len(dimensions)), make([]float64, len(dimensions))
	for i := range dimensions {
		d := &dimensions[i]
		text, ok := active.Get(d.Name)
		places[i] = math.NaN()
		if ok {
			places[i] = axis.Place(d, text)
		} else if text, ok = v.Baseline.Get(d.Name); !ok {
			text = d.Point(0)
		}
		all[i] = param.Value{Name: d.Name, Text: text}
	}
	s.values, s.places = append(s.values, all), append(s.places, places)
}
