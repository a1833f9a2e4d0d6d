package pages

import "sakusen/tuner"

// triesOf is a point such as a study takes to try, empty where it takes none.
func triesOf(spec *tuner.Spec, state string, takes bool) string {
	switch tuner.State(state) {
	case tuner.Queued, tuner.Running, tuner.Paused, tuner.Failed:
	default:
		return ""
	}
	if !takes || spec.Evaluate != nil || len(spec.Tune.Params) == 0 {
		return ""
	}
	d := &spec.Tune.Params[0]
	return d.Name + "=" + d.Default
}
