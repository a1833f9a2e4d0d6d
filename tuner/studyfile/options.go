package studyfile

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/studyfile/yamlfile"
)

// anySpace stands for the space of a study that has mistakes: a sampler's options are
// checked all the same.
var anySpace = tuner.Space{{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Range(0, 1), Default: "0.5", Doc: "any"}}}

// plain is the sampler without those options that name a parameter of the space, as in
// start.NAME.
func plain(out tuner.SamplerSpec) tuner.SamplerSpec {
	out.Options = slices.DeleteFunc(slices.Clone(out.Options), func(v param.Value) bool { return strings.Contains(v.Name, ".") })
	return out
}

// readOptions reports every mistake of a sampler's options that its refusal tells, each
// where the option stands, and whether there was one.
func readOptions(d *yamlfile.Document, s tuner.SamplerSpec, places []*yaml.Node, refusal error) bool {
	if refusal == nil {
		return false
	}
	told := false
	for _, err := range yamlfile.Unjoin(refusal) {
		e, ok := errors.AsType[*param.Error](err)
		if !ok {
			continue
		}
		name := strings.TrimPrefix(e.Name, "options: ")
		if at := slices.IndexFunc(s.Options, func(v param.Value) bool { return v.Name == name }); at >= 0 {
			d.Declared(places[at], "sampler.options", &param.Error{Name: name, Got: e.Got, Want: e.Want, Unknown: e.Unknown, What: "option of " + s.Name})
			told = true
		}
	}
	return told
}
