package tuner

import (
	"slices"

	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// GoalValue is one of several objectives with a candidate's value.
type GoalValue struct {
	Name  string   `json:"name"`
	Value *float64 `json:"value"`
	Error *float64 `json:"standard_error"`
}

// FrontPoint is a candidate that no other is better than, or as good as and
// better in one, by what the final measured of those that were in it, and by what the
// search saw of the others.
type FrontPoint struct {
	Trial  int               `json:"trial"`
	Params map[string]string `json:"params"`
	Values []GoalValue       `json:"values"`
	// Final are the values on the final's seeds, if the point was in the final.
	Final []GoalValue `json:"final,omitempty"`
	// Chosen marks the one that was validated.
	Chosen bool `json:"chosen,omitempty"`
}

// Measured are the values by which the point is on the front: the final's where it was in
// the final.
func (p *FrontPoint) Measured() []GoalValue {
	if p.Final != nil {
		return p.Final
	}
	return p.Values
}

// goalValues are the values of several objectives by name.
func goalValues(s *Setup, means []entry.Mean) []GoalValue {
	goals := s.Objective.Goals()
	out := make([]GoalValue, len(means))
	for i, m := range means {
		out[i] = GoalValue{goals[i].Name(), numeral.Finite(m.Value), numeral.Finite(m.Error)}
	}
	return out
}

// frontier is the Pareto front of the trials that passed every rung, the best in the first
// objective first. The winner is added where others whose values are the search's have gone
// past it.
func (st *Study) frontier(winner *Trial) []FrontPoint {
	trials, all := st.complete()
	measured, final := map[*Trial]*Estimate{}, map[*Trial]*Estimate{}
	for i := range st.finals {
		final[st.finals[i].Trial] = &st.finals[i].Estimate
	}
	for i, t := range trials {
		if f := final[t]; f != nil {
			all[i] = f
		}
		measured[t] = all[i]
	}
	var on []*Trial
	for _, i := range st.Setup.Front(all) {
		on = append(on, trials[i])
	}
	if winner != nil && !slices.Contains(on, winner) {
		on = append(on, winner)
		if measured[winner] = final[winner]; measured[winner] == nil {
			measured[winner] = &winner.Estimate
		}
	}
	slices.SortStableFunc(on, func(a, b *Trial) int {
		return -slices.Compare(st.Setup.Merits(measured[a]), st.Setup.Merits(measured[b]))
	})
	out := []FrontPoint{}
	for _, t := range on {
		p := FrontPoint{Trial: t.Number, Params: t.Params.Map(), Values: goalValues(st.Setup, t.Estimate.Goals), Chosen: t == winner}
		if f := final[t]; f != nil {
			p.Final = goalValues(st.Setup, f.Goals)
		}
		out = append(out, p)
	}
	return out
}
