package pages

import (
	"fmt"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/studyfile"
)

// File returns the form as a study file, key by key of its table; what is left empty is left
// to the defaults.
func (v *NewStudy) File() (string, error) {
	f := studyfile.NewEdit()
	for _, k := range studyfile.Keys(nil) {
		switch k.Path {
		case "game":
			f.Set(k.Path, v.Game.Name)
		case "rules":
			f.Values(k.Path, v.values("rule.", v.Game.Rules))
		case "tune.strategy":
			f.Set(k.Path, v.Strategy.Name)
		case "tune.fix":
			f.Values(k.Path, v.values("fix.", v.Strategy.Params))
		case "tune.params":
			v.params(f)
		case "pool":
			for i, e := range lines(v.typed("pool")) {
				f.Set(fmt.Sprintf("pool[%d]", i), e)
			}
		case "evaluate.filler":
			if v.typed("mode") != "" {
				f.Set(k.Path, v.typed("filler"))
			}
		case "objective.metric":
			if metric := v.typed("metric"); metric != "" {
				f.Set("objective.of", "metric")
				f.Set(k.Path, metric)
			}
		case "objective.limits":
			v.limits(f)
		case "validation.gain_elo":
			if gain := v.typed("gain"); gain != "" {
				f.Set("validation.gain_elo[0]", "0")
				f.Set("validation.gain_elo[1]", gain)
			}
		case "begin":
			var points []param.Values
			for _, line := range lines(v.typed("begin")) {
				points = append(points, studyfile.ParsePoint(line))
			}
			f.Points(points)
		default:
			if k.Field != "" && k.Values != "mapping" {
				f.Set(k.Path, v.typed(k.Field))
			}
		}
	}
	return f.Text()
}

// lines returns the lines of a text that are not empty.
func lines(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// values returns what was typed for some parameters.
func (v *NewStudy) values(prefix string, params []service.ParamInfo) (out param.Values) {
	for i := range params {
		if text := v.typed(prefix + params[i].Name); text != "" {
			out = append(out, param.Value{Name: params[i].Name, Text: text})
		}
	}
	return out
}

// limits writes the limits that were typed.
func (v *NewStudy) limits(f *studyfile.Edit) {
	n := 0
	for _, m := range v.Game.Metrics {
		path, typed := fmt.Sprintf("objective.limits[%d].", n), false
		for _, kind := range []string{"max", "min", "ratio"} {
			if text := v.typed(kind + "." + m.Name); text != "" {
				f.Set(path+"metric", m.Name)
				f.Set(path+limitKeys[kind], text)
				typed = true
			}
		}
		if typed {
			n++
		}
	}
}

// limitKeys are the keys of a limit by the form's fields.
var limitKeys = map[string]string{"max": "max", "min": "min", "ratio": "max_ratio"}

// params writes the parameters that are tuned. Bounds as they are declared are left out:
// with one, a parameter could not be tuned on its declared scale alone.
func (v *NewStudy) params(f *studyfile.Edit) {
	n := 0
	for _, p := range v.Strategy.Params {
		if !v.Chosen(p.Name) {
			continue
		}
		path := fmt.Sprintf("tune.params[%d].", n)
		n++
		f.Set(path+"name", p.Name)
		f.Set(path+"low", v.bound("low", p.Name, p.Low))
		f.Set(path+"high", v.bound("high", p.Name, p.High))
		f.Set(path+"step", v.bound("step", p.Name, p.Step))
		i := 0
		for c := range strings.SplitSeq(v.typed("choices."+p.Name), ",") {
			if c = strings.TrimSpace(c); c != "" {
				f.Set(fmt.Sprintf("%schoices[%d]", path, i), c)
				i++
			}
		}
	}
}
