package pages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/service"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/studyfile/yamlfile"
)

// NewStudy is the form that makes a study: what was declared, and what was typed.
type NewStudy struct {
	Frame
	Games      []string
	Game       service.GameInfo
	Strategies []service.StrategyInfo
	Strategy   service.StrategyInfo
	Samplers   []string
	Form       url.Values
	Errors     []Mistake
	YAML       string
	Forecast   []string // what it will take and can prove
	Check      bool     // nothing was to be submitted
	Changed    bool     // the game or the strategy is another one than the form's fields are of
}

// Value is what was typed for a parameter, or its declared bound.
func (v *NewStudy) Value(bound, name string, declared *float64) string {
	if v.Form.Has(bound + "." + name) {
		return v.Form.Get(bound + "." + name)
	}
	return numberText(declared)
}

// numberText is a number as forms show it, empty where there is none.
func numberText(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}

// Chosen tells whether a parameter is tuned: its box is ticked, or values to try
// are typed in its row. Nothing that is typed is passed over.
func (v *NewStudy) Chosen(name string) bool {
	return slices.Contains(v.Form["tune"], name) || v.ranged(name)
}

// ranged tells whether values to try are typed for a parameter, other than those
// that are declared.
func (v *NewStudy) ranged(name string) bool {
	at := slices.IndexFunc(v.Strategy.Params, func(p service.ParamInfo) bool { return p.Name == name })
	if at < 0 {
		return false
	}
	p := &v.Strategy.Params[at]
	for bound, declared := range map[string]*float64{"low": p.Low, "high": p.High, "step": p.Step} {
		if v.bound(bound, name, declared) != "" {
			return true
		}
	}
	return v.typed("choices."+name) != ""
}

// bound is what was typed for a bound of a parameter's range, empty where it is as
// it is declared.
func (v *NewStudy) bound(key, name string, declared *float64) string {
	text := v.typed(key + "." + name)
	if declared == nil || text == numberText(declared) {
		return ""
	}
	return text
}

// typed is what was typed in a field, without the spaces around it.
func (v *NewStudy) typed(field string) string { return strings.TrimSpace(v.Form.Get(field)) }

// Checked tells whether the form is to be checked as soon as it is there: something
// was typed, and the server has not spoken.
func (v *NewStudy) Checked() bool { return v.typed("name") != "" && len(v.Errors) == 0 && !v.Changed }

// Refused tells whether the form was submitted in vain.
func (v *NewStudy) Refused() bool { return len(v.Errors) > 0 && !v.Check }

// Shown names the game and the strategy whose fields the form has.
func (v *NewStudy) Shown() string { return v.Game.Name + " " + v.Strategy.Name }

// Tunes says which parameters the form tunes.
func (v *NewStudy) Tunes() string {
	var names []string
	for i := range v.Strategy.Params {
		if name := v.Strategy.Params[i].Name; v.Chosen(name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return "Tunes every parameter that is worth tuning."
	}
	return "Tunes " + strings.Join(names, ", ") + "."
}

// RulesTyped tells that some rule is not left to the game.
func (v *NewStudy) RulesTyped() bool {
	return slices.ContainsFunc(v.Game.Rules, func(p service.ParamInfo) bool { return v.Form.Get("rule."+p.Name) != "" })
}

// FormKey is a key of the study file as the form asks for it.
type FormKey struct {
	Field, Label, Help string
	Value, Hint        string
	Mode               string   // of the keyboard
	Words              []string // where there are few
	Invalid            bool
}

// Key returns a key by its path in the file: what is said of it, and what was typed.
func (v *NewStudy) Key(path string) FormKey {
	keys := studyfile.Keys(nil)
	k := &keys[slices.IndexFunc(keys, func(k yamlfile.Key) bool { return k.Path == path })]
	t := k.Type()
	out := FormKey{Field: k.Field, Label: k.Label, Help: studyfile.Plain(k.Doc), Value: v.Form.Get(k.Field), Hint: "as fits", Words: t.Words, Invalid: v.Invalid(k.Field)}
	if path == "sampler.name" {
		out.Words = v.Samplers
	}
	switch t.Kind {
	case "integer", "seed":
		out.Mode = "numeric"
	case "number":
		out.Mode = "decimal"
	case "entrant":
		out.Hint = "an entrant"
	}
	if _, ok := k.Filled(); ok || t.List {
		out.Hint = strings.TrimSuffix(strings.TrimPrefix(k.Default, "[0, "), "]") // of a gain, the bound that is typed
	}
	return out
}

// BeginTyped tells that the study begins with something.
func (v *NewStudy) BeginTyped() bool { return v.typed("begin") != "" || v.typed("begin_from") != "" }

// LimitsTyped tells that there is a limit or a pool.
func (v *NewStudy) LimitsTyped() bool {
	return v.typed("pool") != "" || slices.ContainsFunc(v.Game.Metrics, func(m service.MetricInfo) bool {
		return v.typed("max."+m.Name) != "" || v.typed("min."+m.Name) != "" || v.typed("ratio."+m.Name) != ""
	})
}
