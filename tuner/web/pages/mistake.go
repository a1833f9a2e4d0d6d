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

// limitAt is the place of a limit in the file.
var limitAt = regexp.MustCompile(`^objective\.limits\[([0-9]+)\](?:\.([a-z_]+))?`)

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
	if field := formFields[key]; field != "" {
		return field
	}
	for list, field := range map[string]string{"pool": "pool", "begin": "begin", "validation.gain_elo": "gain"} {
		if strings.HasPrefix(key, list+"[") {
			return field
		}
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
		if kind := map[string]string{"max": "max.", "min": "min.", "max_ratio": "ratio."}[key]; kind != "" {
			return kind + m.Name
		}
		return first
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
	case "max":
		return name + ", at most"
	case "min":
		return name + ", at least"
	case "ratio":
		return name + ", at most times the baseline's"
	}
	return name
}

// formLabels are the fields as the page calls them.
var formLabels = map[string]string{
	"name": "Name", "doc": "Question", "baseline": "Baseline", "game": "Game", "strategy": "Strategy", "metric": "Objective",
	"mode": "Candidates meet", "filler": "Filler", "games": "Games at most", "trials": "Trials at most", "sampler": "Sampler",
	"seed": "Seed", "batch": "Batch", "race": "Race", "gain": "Gain to prove", "proof": "Blocks of the proof", "priority": "Priority", "pool": "Pool",
	"begin": "Points to try first", "begin_from": "Games of an earlier study",
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
