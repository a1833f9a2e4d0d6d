package web

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/studyfile/yamlfile"
)

// newStudy is the form that makes a study: what was declared, and what was typed.
type newStudy struct {
	Games      []string
	Game       service.GameInfo
	Strategies []service.StrategyInfo
	Strategy   service.StrategyInfo
	Samplers   []string
	Form       url.Values
	Errors     []mistake
	YAML       string
	Forecast   []string          // what it will take and can prove
	Check      bool              // nothing was to be submitted
	at         map[string]string // the fields from which keys of the file were written
	Changed    bool              // the game or the strategy is another one than the form's fields are of
}

// Value returns what was typed for a parameter, or its declared bound.
func (v *newStudy) Value(bound, name string, declared *float64) string {
	if v.Form.Has(bound + "." + name) {
		return v.Form.Get(bound + "." + name)
	}
	return numberText(declared)
}

// numberText returns a number as forms show it, empty where there is none.
func numberText(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}

// Chosen reports whether a parameter is tuned: its box is ticked, or values to try
// are typed in its row. Nothing that is typed is passed over.
func (v *newStudy) Chosen(name string) bool {
	return slices.Contains(v.Form["tune"], name) || v.ranged(name)
}

// ranged reports whether values to try are typed for a parameter, other than those
// that are declared.
func (v *newStudy) ranged(name string) bool {
	at := slices.IndexFunc(v.Strategy.Params, func(p service.ParamInfo) bool { return p.Name == name })
	if at < 0 {
		return false
	}
	for _, b := range boundsOf(&v.Strategy.Params[at]) {
		if v.bound(b, name) != "" {
			return true
		}
	}
	return v.typed("choices."+name) != ""
}

// declaredBound is a bound of a parameter's range as it is declared.
type declaredBound struct {
	key  string
	text string // empty where there is none
}

func boundsOf(p *service.ParamInfo) []declaredBound {
	return []declaredBound{{"low", numberText(p.Low)}, {"high", numberText(p.High)}, {"step", numberText(p.Step)}}
}

// bound returns what was typed for a bound of a parameter's range, empty where it is as
// it is declared.
func (v *newStudy) bound(b declaredBound, name string) string {
	if text := v.typed(b.key + "." + name); b.text != "" && text != b.text {
		return text
	}
	return ""
}

// typed returns what was typed in a field, without the spaces around it.
func (v *newStudy) typed(field string) string { return strings.TrimSpace(v.Form.Get(field)) }

// Checked reports whether the form is to be checked as soon as it is there: no answer of
// the server is shown yet.
func (v *newStudy) Checked() bool { return len(v.Errors) == 0 && v.YAML == "" }

// Refused reports whether the form was submitted and refused.
func (v *newStudy) Refused() bool { return len(v.Errors) > 0 && !v.Check }

// Shown names the game and the strategy whose fields the form has.
func (v *newStudy) Shown() string { return v.Game.Name + " " + v.Strategy.Name }

// Tunes returns which parameters the form tunes.
func (v *newStudy) Tunes() string {
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

// Open reports whether something was typed, or is wrong, in one of some fields, named whole or by
// how they begin, such as rule. A name that the form has proposed was not typed.
func (v *newStudy) Open(fields ...string) bool {
	in := func(name string) bool {
		return slices.ContainsFunc(fields, func(f string) bool { return name == f || strings.HasSuffix(f, ".") && strings.HasPrefix(name, f) })
	}
	for name := range v.Form {
		kind, parameter, _ := strings.Cut(name, ".")
		declared := slices.Contains([]string{"low", "high", "step"}, kind) && !v.ranged(parameter)
		if v.typed(name) != "" && in(name) && !declared && !(name == "name" && proposed(v.typed(name), v.Shown())) {
			return true
		}
	}
	return slices.ContainsFunc(v.Errors, func(m mistake) bool { return in(m.Field) })
}

// Bad returns the attributes of a field in which a mistake is.
func (v *newStudy) Bad(field string) template.HTMLAttr {
	return formKey{Wrong: told(v.Errors, field)}.Bad()
}

// Said returns the mistake in a field as HTML, to be shown beside it.
func (v *newStudy) Said(field string) template.HTML {
	return formKey{Wrong: told(v.Errors, field)}.Said()
}

// told returns the mistake in a field, empty for none.
func told(all []mistake, field string) string {
	for _, m := range all {
		if m.Field == field {
			return m.Text
		}
	}
	return ""
}

// formKey is a key of the study file as the form asks for it.
type formKey struct {
	Field, Label, Help string
	Value, Hint        string
	Mode               string   // of the keyboard
	Words              []string // where there are few
	Wrong              string   // the mistake in it
}

// Bad returns the attributes of the field where a mistake is in it.
func (k formKey) Bad() template.HTMLAttr {
	if k.Wrong == "" {
		return ""
	}
	return ` aria-invalid="true"`
}

// Said returns the mistake as HTML, to be shown beside the field.
func (k formKey) Said() template.HTML {
	if k.Wrong == "" {
		return ""
	}
	return template.HTML(`<small class="bad said">` + template.HTMLEscapeString(k.Wrong) + `</small>`)
}

// other returns the form's field of a key that has none of its own, "key." and its path; empty
// for those that one field cannot hold.
func other(k *yamlfile.Key) string {
	t := k.Type()
	plain := slices.Contains([]string{"word", "number", "integer", "text", "seed", "entrant"}, t.Kind) && (!t.List || t.Kind != "entrant") || t.Kind == "values" && !t.List
	if k.Field != "" || !plain || strings.Contains(k.Path, "[]") || slices.Contains([]string{"version", "rules", "tune.fix", "objective.of"}, k.Path) {
		return ""
	}
	return "key." + k.Path
}

// Others returns the keys that have no field of their own.
func (v *newStudy) Others() (out []formKey) {
	for _, k := range studyfile.Keys(nil) {
		if field := other(&k); field != "" {
			one := v.Key(k.Path)
			one.Field, one.Label, one.Value, one.Wrong = field, k.Path, v.Form.Get(field), told(v.Errors, field)
			out = append(out, one)
		}
	}
	return out
}

// Key returns a key by its path in the file: what is said of it, and what was typed.
func (v *newStudy) Key(path string) formKey {
	k := keyWith(func(k yamlfile.Key) bool { return k.Path == path })
	t := k.Type()
	out := formKey{Field: k.Field, Label: k.Label, Help: strings.ReplaceAll(studyfile.Plain(k.Doc), "`", ""), Value: v.Form.Get(k.Field), Hint: "as fits", Words: t.Words, Wrong: told(v.Errors, k.Field)}
	switch path {
	case "sampler.name":
		out.Words = v.Samplers
	case "validation.gain_elo": // the form asks for the second bound alone
		out.Help = "the smallest gain that is worth having: a study fails if its games show less"
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

// mistake is one in a form, with the field that it is in where that is known.
type mistake struct {
	Field, Text string
	Free        []string // names in place of one that is taken
}

// formPlace matches the place of a mistake in the file that a form makes, which its user
// has not seen.
var formPlace = regexp.MustCompile(`^form\.yaml:[0-9]+:[0-9]+: (?:([A-Za-z0-9_.\[\]]+): )?`)

// fieldOfKey returns the form's field of a key of the file, without the indexes of lists.
func fieldOfKey(key string) string {
	if key == "priority" { // of the queue, and in no file
		return key
	}
	return keyWith(func(k yamlfile.Key) bool { return k.Path == key }).Field
}

// keyWith returns the first key of which something holds, an empty one where there is none.
func keyWith(holds func(yamlfile.Key) bool) yamlfile.Key {
	keys := studyfile.Keys(nil)
	if i := slices.IndexFunc(keys, holds); i >= 0 {
		return keys[i]
	}
	return yamlfile.Key{}
}

// placed returns a mistake that was found in a form's file, in the field from which its key was written.
func placed(text string, field func(key string) string) mistake {
	m := mistake{Text: text}
	if at := formPlace.FindStringSubmatch(text); at != nil {
		m.Text = strings.TrimPrefix(text, at[0])
		if m.Field = field(at[1]); m.Field == "" && at[1] != "" {
			m.Text = at[1] + ": " + m.Text
		}
	} else if key, rest, ok := strings.Cut(text, ": "); ok && field(key) != "" {
		m = mistake{Field: field(key), Text: rest}
	}
	return m
}

// Wrong adds the mistakes that were found in the form's file, each with its field.
func (v *newStudy) Wrong(mistakes ...string) {
	for _, text := range mistakes {
		m := placed(text, v.fieldOf)
		if m.Field == "" && strings.HasPrefix(text, "study ") { // one of that name is there
			m.Field = "name"
		}
		v.Errors = append(v.Errors, m)
	}
}

// unused reports whether something was typed that is in no file, and adds that as a mistake.
func (v *newStudy) unused() bool {
	if v.typed("filler") == "" || v.typed("mode") == "pool" {
		return false
	}
	v.Errors = append(v.Errors, mistake{Field: "filler", Text: "only a pool has seats to fill: choose the pool under Candidates meet, or leave this empty"})
	return true
}

// fieldOf returns the form's field from which a key of the file was written, or that within which it
// stands; empty where it has none.
func (v *newStudy) fieldOf(key string) string {
	for ; key != ""; key = key[:max(0, strings.LastIndexAny(key, ".["))] {
		if field := cmp.Or(v.at[key], fieldOfKey(key)); field != "" {
			return field
		}
	}
	return ""
}

// Label names the field for people.
func (m mistake) Label() string {
	kind, name, ok := strings.Cut(m.Field, ".")
	switch {
	case ok && fieldWords[kind] != "":
		return name + ", " + fieldWords[kind]
	case ok:
		return name
	case kind == "priority":
		return "Priority"
	}
	return keyWith(func(k yamlfile.Key) bool { return k.Field == m.Field && k.Field != "" }).Label
}

// fieldWords say what a field of a parameter or a metric is.
var fieldWords = map[string]string{
	"low": "from", "high": "to", "fix": "fixed at", "step": "step",
	"max": "at most", "min": "at least", "ratio": "at most times the baseline's",
}

// File returns the form as a study file, key by key of its table; what is left empty is left
// to the defaults.
func (v *newStudy) File() (string, error) {
	f := studyfile.NewEdit()
	v.at = map[string]string{}
	for _, k := range studyfile.Keys(nil) {
		switch k.Path {
		case "game":
			f.Set(k.Path, v.Game.Name)
		case "rules":
			f.Values(k.Path, v.values(k.Path, "rule.", v.Game.Rules))
		case "baseline":
			base := v.typed("baseline")
			if base == "" && v.typed("mode") != "pool" {
				base = v.Strategy.Name // itself as it is now
			}
			f.Set(k.Path, base)
		case "tune.strategy":
			f.Set(k.Path, v.Strategy.Name)
		case "tune.fix":
			f.Values(k.Path, v.values(k.Path, "fix.", v.Strategy.Params))
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
			for i, line := range lines(v.typed("begin")) {
				f.Point(i, studyfile.ParsePoint(line))
			}
		default:
			if k.Field != "" && k.Values != "mapping" {
				f.Set(k.Path, k.Typed(v.typed(k.Field)))
			} else if field := other(&k); v.typed(field) != "" {
				v.at[k.Path] = field
				switch t := k.Type(); {
				case t.Kind == "values":
					f.Values(k.Path, studyfile.ParsePoint(v.typed(field)))
				case t.List:
					for i, text := range strings.Split(v.typed(field), ",") {
						f.Set(fmt.Sprintf("%s[%d]", k.Path, i), text)
					}
				default:
					f.Set(k.Path, k.Typed(v.typed(field)))
				}
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
func (v *newStudy) values(path, prefix string, params []service.ParamInfo) (out param.Values) {
	for i := range params {
		if text := v.typed(prefix + params[i].Name); text != "" {
			out = append(out, param.Value{Name: params[i].Name, Text: text})
			v.at[path+"."+params[i].Name] = prefix + params[i].Name
		}
	}
	return out
}

// limits writes the limits that were typed.
func (v *newStudy) limits(f *studyfile.Edit) {
	n := 0
	for _, m := range v.Game.Metrics {
		limit := fmt.Sprintf("objective.limits[%d]", n)
		for _, kind := range []string{"max", "min", "ratio"} {
			if text := v.typed(kind + "." + m.Name); text != "" {
				key := limit + "." + strings.Replace(kind, "ratio", "max_ratio", 1)
				f.Set(limit+".metric", m.Name)
				f.Set(key, text)
				v.at[key] = kind + "." + m.Name
				v.at[limit] = cmp.Or(v.at[limit], v.at[key])
			}
		}
		if v.at[limit] != "" {
			n++
		}
	}
}

// params writes the parameters that are tuned. Bounds as they are declared are left out:
// with one, a parameter could not be tuned on its declared scale alone.
func (v *newStudy) params(f *studyfile.Edit) {
	n := 0
	for _, p := range v.Strategy.Params {
		if !v.Chosen(p.Name) {
			continue
		}
		path := fmt.Sprintf("tune.params[%d]", n)
		n++
		f.Set(path+".name", p.Name)
		v.at[path] = "tune." + p.Name
		if v.typed("fix."+p.Name) != "" {
			v.at[path+".name"] = "fix." + p.Name
		}
		for _, b := range boundsOf(&p) {
			f.Set(path+"."+b.key, v.bound(b, p.Name))
			v.at[path+"."+b.key] = b.key + "." + p.Name
		}
		v.at[path+".choices"] = "choices." + p.Name
		i := 0
		for c := range strings.SplitSeq(v.typed("choices."+p.Name), ",") {
			if c = strings.TrimSpace(c); c != "" {
				f.Set(fmt.Sprintf("%s.choices[%d]", path, i), c)
				i++
			}
		}
	}
}
