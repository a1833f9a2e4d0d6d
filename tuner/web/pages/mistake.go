package pages

import (
	"regexp"
	"strconv"
	"strings"

	"sakusen/tuner/studyfile"
)

// Mistake is one in a form, with the field that it is in where that is known.
type Mistake struct {
	Field, Text string
}

// formPlace is where a mistake stands in the file that a form makes, which nobody
// has seen.
var formPlace = regexp.MustCompile(`^form\.yaml:[0-9]+:[0-9]+: (?:([A-Za-z0-9_.\[\]]+): )?`)

// paramAt is the place of a tuned parameter in the file.
var paramAt = regexp.MustCompile(`^tune\.params\[([0-9]+)\](?:\.([a-z]+))?`)

// limitAt is the place of a limit in the file.
var limitAt = regexp.MustCompile(`^objective\.limits\[([0-9]+)\](?:\.([a-z_]+))?`)

// fieldOfKey returns the form's field of a key of the file, without the indexes of lists.
func fieldOfKey(key string) string {
	if key == "priority" { // of the queue, and in no file
		return key
	}
	for _, k := range studyfile.Keys(nil) {
		if k.Path == key {
			return k.Field
		}
	}
	return ""
}

// Wrong adds the mistakes that were found in the form's file, each with its field.
func (v *NewStudy) Wrong(mistakes ...string) {
	for _, text := range mistakes {
		m := Mistake{Text: text}
		if at := formPlace.FindStringSubmatch(text); at != nil {
			m.Text = strings.TrimPrefix(text, at[0])
			m.Field = v.fieldOf(at[1])
			if m.Field == "" && at[1] != "" {
				m.Text = at[1] + ": " + m.Text
			}
		} else if key, rest, ok := strings.Cut(text, ": "); ok && fieldOfKey(key) != "" {
			m = Mistake{fieldOfKey(key), rest}
		} else if strings.HasPrefix(text, "study ") { // one of that name is there
			m.Field = "name"
		}
		v.Errors = append(v.Errors, m)
	}
}

// Unused tells whether something was typed that is in no file, and adds that as a mistake.
func (v *NewStudy) Unused() bool {
	if v.typed("filler") == "" || v.typed("mode") == "pool" {
		return false
	}
	v.Errors = append(v.Errors, Mistake{"filler", "only a generation that is a pool has places to fill: choose it under Candidates meet, or leave this empty"})
	return true
}

// fieldOf is the form's field of a key of the file, empty where it has none.
func (v *NewStudy) fieldOf(key string) string {
	list, _, _ := strings.Cut(key, "[")
	if field := fieldOfKey(list); field != "" {
		return field
	}
	for at, kind := range map[string]string{"tune.fix.": "fix.", "rules.": "rule."} {
		if name, ok := strings.CutPrefix(key, at); ok {
			return kind + name
		}
	}
	if at := limitAt.FindStringSubmatch(key); at != nil {
		return v.limitField(at[1], at[2])
	}
	at := paramAt.FindStringSubmatch(key)
	if at == nil {
		return ""
	}
	n, err := strconv.Atoi(at[1])
	if err != nil {
		return ""
	}
	for i := range v.Strategy.Params {
		p := &v.Strategy.Params[i]
		if !v.Chosen(p.Name) {
			continue
		}
		if n--; n < 0 {
			switch at[2] {
			case "low", "high", "step", "choices":
				return at[2] + "." + p.Name
			case "name":
				if v.typed("fix."+p.Name) != "" {
					return "fix." + p.Name
				}
			}
			return "tune." + p.Name
		}
	}
	return ""
}

// limitField is the form's field of a limit of the file, by its place and its key.
func (v *NewStudy) limitField(place, key string) string {
	n, err := strconv.Atoi(place)
	for _, m := range v.Game.Metrics {
		first := ""
		for _, kind := range []string{"ratio.", "min.", "max."} {
			if v.typed(kind+m.Name) != "" {
				first = kind + m.Name
			}
		}
		if first == "" || err != nil {
			continue
		}
		if n--; n >= 0 {
			continue
		}
		for kind, of := range limitKeys {
			if of == key {
				return kind + "." + m.Name
			}
		}
		return first
	}
	return ""
}

// Label names the field for people.
func (m Mistake) Label() string {
	kind, name, ok := strings.Cut(m.Field, ".")
	switch {
	case ok && fieldWords[kind] != "":
		return name + ", " + fieldWords[kind]
	case ok:
		return name
	case kind == "priority":
		return "Priority"
	}
	for _, k := range studyfile.Keys(nil) {
		if k.Field == m.Field && k.Field != "" {
			return k.Label
		}
	}
	return ""
}

// fieldWords say what a field of a parameter or a metric is.
var fieldWords = map[string]string{
	"low": "from", "high": "to", "fix": "fixed at", "step": "step",
	"max": "at most", "min": "at least", "ratio": "at most times the baseline's",
}

// Invalid tells whether a mistake is in a field.
func (v *NewStudy) Invalid(field string) bool {
	for _, m := range v.Errors {
		if m.Field == field {
			return true
		}
	}
	return false
}
