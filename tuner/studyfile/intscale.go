package studyfile

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/studyfile/yamlfile"
)

// readScale reads int_scale, by which an integer of an engine is tuned as a real
// number, and makes it one. It tells whether that could be done.
func (s *draft) readScale(d *tuner.Dimension, r *yamlfile.Document, scale *yaml.Node, choices []*yaml.Node, field string) bool {
	key := field + ".int_scale"
	if d.Kind != param.Int || s.Tune.Declare != nil || !s.Ruleset.Game.Outside(s.Tune.Strategy) {
		r.Fail(scale, key, "an integer of an engine, such as a spin option of UCI, by its name", fmt.Sprintf("%s, a parameter of %s of kind %s", d.Name, s.Tune.Strategy, d.Kind))
		return false
	}
	if choices != nil {
		r.Fail(scale, key, "int_scale or choices, not both", "both")
		return false
	}
	x, ok := r.Number(scale, key, 1e-9, 1e9)
	if ok {
		*d = tuner.Scaled(d.Param, x)
	}
	return ok
}
