package chart

import (
	"strings"

	"sakusen/tuner"
)

// Baseline is the parameters of the baseline, as far as its canonical text names
// them, and whether it plays the tuned strategy.
func Baseline(spec *tuner.Spec) (map[string]string, bool) {
	out := map[string]string{}
	name, rest, _ := strings.Cut(spec.Baseline, "(")
	if spec.Baseline != "" && name != spec.Tune.Strategy {
		return out, false
	}
	for _, part := range strings.Split(strings.TrimSuffix(rest, ")"), ",") {
		if key, value, ok := strings.Cut(part, "="); ok {
			out[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return out, true
}
