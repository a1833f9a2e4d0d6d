package pages

import (
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/studyfile"
)

// File is the form as a study file; what is left empty is left to the
// defaults.
func (v *NewStudy) File() (string, error) {
	values := func(prefix string, params []service.ParamInfo) param.Values {
		var out param.Values
		for i := range params {
			if text := v.typed(prefix + params[i].Name); text != "" {
				out = append(out, param.Value{Name: params[i].Name, Text: text})
			}
		}
		return out
	}
	f := studyfile.Form{
		Name: v.typed("name"), Doc: v.typed("doc"), Game: v.Game.Name, Rules: values("rule.", v.Game.Rules),
		Strategy: v.Strategy.Name, Fix: values("fix.", v.Strategy.Params), Baseline: v.typed("baseline"),
		Mode: v.typed("mode"), Filler: v.typed("filler"), Metric: v.typed("metric"),
		Trials: v.typed("trials"), Games: v.typed("games"),
		Sampler: v.typed("sampler"), Seed: v.typed("seed"), Batch: v.typed("batch"), Race: v.typed("race"),
		Gain: v.typed("gain"), Proof: v.typed("proof"),
	}
	f.BeginFrom = v.typed("begin_from")
	for _, line := range strings.Split(v.typed("begin"), "\n") {
		if strings.TrimSpace(line) != "" {
			f.Begin = append(f.Begin, studyfile.ParsePoint(line))
		}
	}
	f.Pool = append(f.Pool, strings.Split(v.typed("pool"), "\n")...)
	for _, m := range v.Game.Metrics {
		f.Limits = append(f.Limits, studyfile.FormLimit{Metric: m.Name, Max: v.typed("max." + m.Name), Min: v.typed("min." + m.Name), MaxRatio: v.typed("ratio." + m.Name)})
	}
	for _, p := range v.Strategy.Params {
		if !v.Chosen(p.Name) {
			continue
		}
		// Bounds as they are declared are left out: with one, a parameter could not
		// be tuned on its declared scale alone.
		one := studyfile.FormParam{Name: p.Name, Low: v.bound("low", p.Name, p.Low), High: v.bound("high", p.Name, p.High), Step: v.bound("step", p.Name, p.Step)}
		for _, c := range strings.Split(v.typed("choices."+p.Name), ",") {
			if c = strings.TrimSpace(c); c != "" {
				one.Choices = append(one.Choices, c)
			}
		}
		f.Params = append(f.Params, one)
	}
	return f.Text()
}
