package pages

import (
	"strconv"
	"strings"

	"sakusen/tuner/service"
)

// File is the form as a study file. Texts are quoted, so that nothing that
// is typed becomes another key; what is left empty is left to the defaults.
func (v *NewStudy) File() string {
	t := &studyWriter{view: v}
	t.b.WriteString("version: 1\n")
	t.line("", "name", t.typed("name"))
	t.line("", "doc", t.typed("doc"))
	t.line("", "game", v.Game)
	t.values("", "rules", "rule.", v.Rules, func(p *service.Param) bool { return true })
	t.b.WriteString("tune:\n")
	t.line("  ", "strategy", v.Strategy)
	t.values("  ", "fix", "fix.", v.Params, func(p *service.Param) bool { return !p.Chosen })
	t.params()
	t.line("", "baseline", t.typed("baseline"))
	if mode := t.typed("mode"); mode != "" {
		t.b.WriteString("evaluate:\n")
		t.line("  ", "mode", mode)
		t.line("  ", "filler", t.typed("filler"))
	}
	if metric := t.typed("metric"); metric != "" {
		t.b.WriteString("objective:\n")
		t.line("  ", "of", "metric")
		t.line("  ", "metric", metric)
	}
	t.section("budget", "trials", "games")
	t.section("sampler", "sampler", "seed", "batch")
	if method := t.typed("race"); method != "" {
		t.b.WriteString("race:\n")
		t.line("  ", "method", method)
	}
	return t.b.String()
}

// studyWriter writes a form as a study file.
type studyWriter struct {
	b    strings.Builder
	view *NewStudy
}

func (t *studyWriter) typed(field string) string {
	return strings.TrimSpace(t.view.Form.Get(field))
}

func (t *studyWriter) line(indent, key, text string) {
	if text = strings.TrimSpace(text); text != "" {
		t.b.WriteString(indent + key + ": " + scalar(text) + "\n")
	}
}

// section writes a mapping of the fields that are filled in; the field "sampler"
// is the mapping's name.
func (t *studyWriter) section(section string, fields ...string) {
	begun := false
	for _, field := range fields {
		text := t.typed(field)
		if text == "" {
			continue
		}
		if !begun {
			t.b.WriteString(section + ":\n")
			begun = true
		}
		key := field
		if field == section {
			key = "name"
		}
		t.line("  ", key, text)
	}
}

// values writes the list of names and values that were given.
func (t *studyWriter) values(indent, key, prefix string, params []service.Param, counts func(*service.Param) bool) {
	begun := false
	for i := range params {
		p := &params[i]
		text := t.typed(prefix + p.Name)
		if text == "" || !counts(p) {
			continue
		}
		if !begun {
			t.b.WriteString(indent + key + ":\n")
			begun = true
		}
		t.b.WriteString(indent + "  - {name: " + scalar(p.Name) + ", value: " + scalar(text) + "}\n")
	}
}

// params writes the parameters to tune. Bounds as they are declared are left
// out: with one, a parameter could not be tuned on its declared scale alone.
func (t *studyWriter) params() {
	begun := false
	for _, p := range t.view.Params {
		if !p.Chosen {
			continue
		}
		if !begun {
			t.b.WriteString("  params:\n")
			begun = true
		}
		t.b.WriteString("    - name: " + scalar(p.Name) + "\n")
		for _, bound := range []struct{ key, declared string }{{"low", p.Low}, {"high", p.High}, {"step", p.Step}} {
			if text := strings.TrimSpace(t.view.Value(bound.key, p.Name, bound.declared)); bound.declared != "" && text != bound.declared {
				t.line("      ", bound.key, text)
			}
		}
		if choices := t.typed("choices." + p.Name); choices != "" {
			var list []string
			for _, c := range strings.Split(choices, ",") {
				if c = strings.TrimSpace(c); c != "" {
					list = append(list, scalar(c))
				}
			}
			t.b.WriteString("      choices: [" + strings.Join(list, ", ") + "]\n")
		}
	}
}

// scalar is a text as a YAML scalar: numbers and switches plain, everything else
// quoted.
func scalar(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil && !strings.ContainsAny(text, "xX_pPnNiI") {
		return text
	}
	if text == "true" || text == "false" {
		return text
	}
	return strconv.QuoteToASCII(text)
}
