package study

import (
	"slices"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// goalValues are the values of several objectives by name.
func goalValues(s *tuner.Setup, means []entry.Mean) []tuner.GoalValue {
	goals := s.Objective.Goals()
	out := make([]tuner.GoalValue, len(means))
	for i, m := range means {
		out[i] = tuner.GoalValue{Name: goals[i].Name(), Value: numeral.Finite(m.Value), Error: numeral.Finite(m.Error)}
	}
	return out
}

// frontier is the Pareto front of the trials that passed every rung, the best in the first
// objective first. The winner is added where others whose values are the search's have gone
// past it.
func (st *Study) frontier(winner *tuner.Trial) []tuner.FrontPoint {
	trials, all := st.complete()
	measured, final := map[*tuner.Trial]*tuner.Estimate{}, map[*tuner.Trial]*tuner.Estimate{}
	for i := range st.finals {
		final[st.finals[i].Trial] = &st.finals[i].Estimate
	}
	for i, t := range trials {
		if f := final[t]; f != nil {
			all[i] = f
		}
		measured[t] = all[i]
	}
	var on []*tuner.Trial
	for _, i := range st.Setup.Front(all) {
		on = append(on, trials[i])
	}
	if winner != nil && !slices.Contains(on, winner) {
		on = append(on, winner)
		if measured[winner] = final[winner]; measured[winner] == nil {
			measured[winner] = &winner.Estimate
		}
	}
	slices.SortStableFunc(on, func(a, b *tuner.Trial) int {
		return -slices.Compare(st.Setup.Merits(measured[a]), st.Setup.Merits(measured[b]))
	})
	out := []tuner.FrontPoint{}
	for _, t := range on {
		p := tuner.FrontPoint{Trial: t.Number, Params: t.Params.Map(), Values: goalValues(st.Setup, t.Estimate.Goals), Chosen: t == winner}
		if f := final[t]; f != nil {
			p.Final = goalValues(st.Setup, f.Goals)
		}
		out = append(out, p)
	}
	return out
}
