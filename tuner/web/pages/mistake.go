package pages

import (
	"regexp"
	"strconv"
	"strings"
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

// formFields are the form's fields by the file's keys.
var formFields = map[string]string{
	"name": "name", "doc": "doc", "baseline": "baseline", "game": "game", "tune.strategy": "strategy", "objective.metric": "metric",
	"evaluate.mode": "mode", "evaluate.filler": "filler", "budget.games": "games", "budget.trials": "trials", "sampler.name": "sampler",
	"sampler.seed": "seed", "sampler.batch": "batch", "race.method": "race", "race": "race", "validation.gain_elo": "gain",
	"validation.max_blocks": "proof", "priority": "priority", "pool": "pool",
	"begin": "begin", "begin_from": "begin_from",
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
		} else if key, rest, ok := strings.Cut(text, ": "); ok && formFields[key] != "" {
			m = Mistake{formFields[key], rest}
		} else if strings.HasPrefix(text, "study ") { // one of that name is there
			m.Field = "name"
		}
		v.Errors = append(v.Errors, m)
	}
}

// fieldOf is the form's field of a key of the file, empty where it has none.
func (v *NewStudy) fieldOf(key string) string {
	if field := formFields[key]; field != "" {
		return field
	}
	for _, list := range []string{"pool", "begin"} {
		if strings.HasPrefix(key, list+"[") {
			return list
		}
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

// Label names the field for people.
func (m Mistake) Label() string {
	kind, name, ok := strings.Cut(m.Field, ".")
	if !ok {
		return formLabels[m.Field]
	}
	switch kind {
	case "low":
		return name + ", from"
	case "high":
		return name + ", to"
	case "fix":
		return name + ", fixed at"
	case "step":
		return name + ", step"
	}
	return name
}

// formLabels are the fields as the page calls them.
var formLabels = map[string]string{
	"name": "Name", "doc": "Question", "baseline": "Baseline", "game": "Game", "strategy": "Strategy", "metric": "Objective",
	"mode": "Candidates meet", "filler": "Filler", "games": "Games at most", "trials": "Trials at most", "sampler": "Sampler",
	"seed": "Seed", "batch": "Batch", "race": "Race", "gain": "Gain to prove", "proof": "Blocks of the proof", "priority": "Priority", "pool": "Pool",
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
