package tuner

import "sakusen/tuner/numeral"

import (
	"slices"

	"sakusen/tuner/entry"
)

// GoalValue is one of several objectives with a candidate's value.
type GoalValue struct {
	Name  string   `json:"name"`
	Value *float64 `json:"value"`
	Error *float64 `json:"standard_error"`
}

// FrontPoint is a candidate that no other is better than, or as good as and
// better in one, by what the search saw of both.
type FrontPoint struct {
	Trial  int               `json:"trial"`
	Params map[string]string `json:"params"`
	Values []GoalValue       `json:"values"`
	// Final are the values on the final's seeds, if the point was in the final.
	Final []GoalValue `json:"final,omitempty"`
	// Chosen marks the one that was validated.
	Chosen bool `json:"chosen,omitempty"`
}

// goalValues are the values of several objectives by name.
func (s *Spec) goalValues(means []entry.Mean) []GoalValue {
	goals := s.Objective.Goals()
	out := make([]GoalValue, len(means))
	for i, m := range means {
		out[i] = GoalValue{goals[i].Name(), numeral.Finite(m.Value), numeral.Finite(m.Error)}
	}
	return out
}

// frontier is the Pareto front of the trials that passed every rung, the best in the first
// objective first. The winner is added if it was on the front before the final and is
// behind it now.
func (st *Study) frontier(winner *Trial) []FrontPoint {
	trials, all := st.complete()
	var on []*Trial
	for _, i := range st.Setup.front(all) {
		on = append(on, trials[i])
	}
	if winner != nil && !slices.Contains(on, winner) {
		on = append(on, winner)
	}
	slices.SortStableFunc(on, func(a, b *Trial) int {
		return -slices.Compare(st.Setup.point(&a.Estimate), st.Setup.point(&b.Estimate))
	})
	out := []FrontPoint{}
	for _, t := range on {
		p := FrontPoint{Trial: t.Number, Params: t.Params.Map(), Values: st.Setup.goalValues(t.Estimate.Goals), Chosen: t == winner}
		for _, f := range st.finals {
			if f.Trial == t {
				p.Final = st.Setup.goalValues(f.Estimate.Goals)
			}
		}
		out = append(out, p)
	}
	return out
}
