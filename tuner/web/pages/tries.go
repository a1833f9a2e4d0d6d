package pages

import "sakusen/tuner"

// triesOf is a point such as a study takes to try, empty where it takes none.
func triesOf(spec *tuner.Spec, state string, takes bool) string {
	switch tuner.State(state) {
	case tuner.Queued, tuner.Running, tuner.Paused, tuner.Failed:
	default:
		return ""
	}
	if !takes || spec.Evaluate != nil {
		return ""
	}
	for i := range spec.Tune.Params {
		if d := &spec.Tune.Params[i]; d.Points() != 1 {
			return d.Name + "=" + d.Default
		}
	}
	return ""
}
