package web

import (
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// The point to try is of a parameter that has more than one value.
func TestTries(t *testing.T) {
	number := func(name string, low float64) tuner.Dimension {
		return tuner.Dimension{Param: param.Param{Name: name, Kind: param.Int, Default: "5", Domain: param.Range(low, 5)}}
	}
	spec := &tuner.Spec{}
	spec.Tune.Params = tuner.Space{number("one", 5), number("many", 1)}
	if got := triesOf(spec, string(tuner.Running), true); got != "many=5" {
		t.Errorf("a point to try: %q", got)
	}
	spec.Tune.Params = spec.Tune.Params[:1]
	if got := triesOf(spec, string(tuner.Running), true); got != "" {
		t.Errorf("a point to try of a single value: %q", got)
	}
}
