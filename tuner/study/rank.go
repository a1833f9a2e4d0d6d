package study

import (
	"math"
	"sort"

	"sakusen/tuner"
)

// rank sorts trials from the best: feasible before infeasible, defined means
// before undefined ones, more rungs passed before fewer, then the better mean,
// then the lower number. It does not go by blocks: a trial that was proposed
// again has more of them and is no better.
func (st *Study) rank(trials []*tuner.Trial) {
	up := st.Setup.Maximize()
	place := map[*tuner.Trial]int{} // of several objectives
	if st.Setup.Pareto() {
		for i, p := range st.Setup.Places(tuner.Estimates(trials)) {
			place[trials[i]] = p
		}
	}
	sort.SliceStable(trials, func(i, j int) bool {
		a, b := trials[i], trials[j]
		switch {
		case a.Estimate.Feasible != b.Estimate.Feasible:
			return a.Estimate.Feasible
		case math.IsNaN(a.Estimate.Value) != math.IsNaN(b.Estimate.Value):
			return math.IsNaN(b.Estimate.Value)
		case a.Rung != b.Rung:
			return a.Rung > b.Rung
		case st.Setup.Pareto():
			return place[a] < place[b]
		case a.Estimate.Value != b.Estimate.Value && !math.IsNaN(a.Estimate.Value):
			return (a.Estimate.Value > b.Estimate.Value) == up
		}
		return a.Number < b.Number
	})
}

// scores is what a batch is ranked by; more is better and NaN is worse than all. It is the
// value or, with several objectives, the place in the order of fronts. Infeasible trials
// rank behind all others.
func (st *Study) scores(in []*tuner.Trial) []float64 {
	out := make([]float64, len(in))
	if st.Setup.Pareto() {
		for i, place := range st.Setup.Places(tuner.Estimates(in)) {
			out[i] = -float64(place)
		}
	} else {
		for i, t := range in {
			out[i] = t.Estimate.Value
			if !st.Setup.Maximize() {
				out[i] = -out[i]
			}
		}
	}
	for i, t := range in {
		if !t.Estimate.Feasible {
			out[i] = math.NaN()
		}
	}
	return out
}
