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
	typed := func(field string) string { return strings.TrimSpace(v.Form.Get(field)) }
	values := func(prefix string, params []service.ParamInfo) param.Values {
		var out param.Values
		for i := range params {
			if text := typed(prefix + params[i].Name); text != "" && !v.Chosen(params[i].Name) {
				out = append(out, param.Value{Name: params[i].Name, Text: text})
			}
		}
		return out
	}
	f := studyfile.Form{
		Name: typed("name"), Doc: typed("doc"), Game: v.Game.Name, Rules: values("rule.", v.Game.Rules),
		Strategy: v.Strategy.Name, Fix: values("fix.", v.Strategy.Params), Baseline: typed("baseline"),
		Mode: typed("mode"), Filler: typed("filler"), Metric: typed("metric"),
		Trials: typed("trials"), Games: typed("games"),
		Sampler: typed("sampler"), Seed: typed("seed"), Batch: typed("batch"), Race: typed("race"),
	}
	for _, p := range v.Strategy.Params {
		if !v.Chosen(p.Name) {
			continue
		}
		// Bounds that equal the declared ones are left out: a parameter with bounds would
		// no longer be tuned on its declared scale.
		bound := func(key string, declared *float64) string {
			if text := strings.TrimSpace(v.Value(key, p.Name, declared)); declared != nil && text != numberText(declared) {
				return text
			}
			return ""
		}
		one := studyfile.FormParam{Name: p.Name, Low: bound("low", p.Low), High: bound("high", p.High), Step: bound("step", p.Step)}
		for _, c := range strings.Split(typed("choices."+p.Name), ",") {
			if c = strings.TrimSpace(c); c != "" {
				one.Choices = append(one.Choices, c)
			}
		}
		f.Params = append(f.Params, one)
	}
	return f.Text()
}
