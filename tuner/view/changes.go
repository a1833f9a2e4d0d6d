package view

import (
	"math"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
)

// Change is a parameter of an answer beside the baseline's.
type Change struct {
	Name, Doc     string
	Before, After string // rounded
	Exact         string // the answer's, as it is exported
	Changed       bool
	Range         string
	// Old and New are where both lie in the range, from 0 to 1; NaN of what is no number, or is
	// switched off.
	Old, New float64
}

// Changes returns the tuned parameters of an answer, as they are declared, beside those
// that the baseline has. same tells whether the baseline plays the tuned strategy;
// where it does not, they stand beside the strategy's defaults.
func Changes(spec *tuner.Spec, answer map[string]string) (rows []Change, same bool) {
	base, same := insight.Baseline(spec)
	for i := range spec.Tune.Params {
		d := &spec.Tune.Params[i]
		c := Change{Name: d.Name, Doc: d.Doc, Range: searched(d), Old: math.NaN(), New: math.NaN()}
		before, ok := base[d.Name]
		before = d.Searched(before)
		off := !ok && same && spec.Baseline != "" // a condition switches it off
		if !ok {
			before = d.Default
			if fixed, has := spec.Tune.Fix.Get(d.Name); has {
				before = fixed
			}
		}
		after, active := answer[d.Name]
		c.Before, c.Exact = Brief(d, before), after
		if c.After = Brief(d, after); !active {
			c.After = "off"
		}
		c.Changed = active && d.Played(after) != d.Played(before)
		if off {
			c.Before, c.Changed = "off", active
		}
		if d.Kind == param.Int || d.Kind == param.Float {
			if !off {
				c.Old = d.Place(before)
			}
			if active {
				c.New = d.Place(after)
			}
		}
		rows = append(rows, c)
	}
	return rows, same
}

// Brief returns a value of a parameter for people: of a long real number about a two-hundredth of
// its range, or on a logarithmic scale three digits; of a small one in a wide range two.
func Brief(d *tuner.Dimension, text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if d.Kind != param.Float || err != nil {
		return text
	}
	exact := numeral.Page(text)
	out := numeral.Page(strconv.FormatFloat(x, 'g', 3, 64))
	if spread := d.Domain.High - d.Domain.Low; !d.Domain.Log && spread > 0 {
		places := max(0, int(math.Ceil(-math.Log10(spread/200))))
		if x != 0 {
			places = max(places, min(places+2, 1-int(math.Floor(math.Log10(math.Abs(x))))))
		}
		out = numeral.Page(strconv.FormatFloat(x, 'f', places, 64))
		if strings.Contains(out, ".") {
			out = strings.TrimRight(strings.TrimRight(out, "0"), ".")
		}
	}
	if len(exact) <= max(len(out), 7) { // as answers, which are rounded before their proof
		return exact
	}
	return out
}

// searched returns the range or the list that was searched.
func searched(d *tuner.Dimension) string {
	text := ""
	switch d.Kind {
	case param.Int, param.Float:
		text = digits(d.Domain.Low) + " to " + digits(d.Domain.Top())
		if d.Domain.Log {
			text += ", log"
		}
	case param.Bool:
		text = "true, false"
	default:
		text = strings.Join(d.Choices, ", ")
	}
	if d.IntScale != 0 {
		text += ", set as the integer nearest to " + digits(d.IntScale) + " times it"
	}
	for _, c := range d.When {
		text += " if " + c.String()
	}
	return text
}

func digits(x float64) string { return numeral.Page(strconv.FormatFloat(x, 'g', 4, 64)) }

// mostSet is the most parameters of an answer that a table names.
const mostSet = 60
