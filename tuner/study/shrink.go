package study

import (
	"math"

	"sakusen/tuner"
	"sakusen/tuner/stats"
)

// shrink moves the trials' values towards their common mean, the noisier the further: what
// samplers learn from. Values without an error stay as they are.
func shrink(trials []*tuner.Trial) ([]float64, error) {
	out := make([]float64, len(trials))
	var noisy []stats.Noisy
	var at []int
	for i, t := range trials {
		out[i] = t.Estimate.Value
		if e := t.Estimate.Error; !math.IsNaN(e) && !math.IsNaN(out[i]) {
			noisy, at = append(noisy, stats.Noisy{Mean: out[i], Variance: e * e}), append(at, i)
		}
	}
	s, err := stats.Shrink(noisy)
	for i, m := range s.Means {
		out[at[i]] = m
	}
	return out, err
}
