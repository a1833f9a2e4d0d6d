package study

import (
	"math"

	"sakusen/tuner"
)

// learned is the value that samplers learn from each of these trials: the mean, drawn towards the
// mean of all; with several objectives, the trial's place in the order of fronts, from 1
// for the best to 0 for the last. A candidate outside the limits counts as no better than
// the worst inside, so that no sampler is drawn to where the limits are broken.
func (st *Study) learned(trials []*tuner.Trial) ([]float64, error) {
	if st.Setup.Pareto() {
		out := make([]float64, len(trials))
		for i, place := range st.Setup.Places(tuner.Estimates(trials)) {
			out[i] = 1 - float64(place)/float64(max(1, len(trials)-1))
		}
		return out, nil
	}
	out, err := shrink(trials)
	if err != nil || len(st.Setup.Objective.Limits) == 0 {
		return out, err
	}
	up, worst := st.Setup.Maximize(), math.NaN()
	for i, t := range trials {
		if t.Estimate.Feasible && !math.IsNaN(out[i]) && (math.IsNaN(worst) || (out[i] < worst) == up) {
			worst = out[i]
		}
	}
	for i, t := range trials {
		if !t.Estimate.Feasible && !math.IsNaN(worst) && (out[i] > worst) == up {
			out[i] = worst
		}
	}
	return out, nil
}
