package pages

import (
	"html/template"
	"math"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/web/chart"
)

// change is a parameter of the answer beside the baseline's.
type change struct {
	Name, Doc     string
	Before, After string // rounded
	Exact         string // the answer's, as it is exported
	Changed       bool
	Place         template.HTML // where both lie in the range
	Range         string
}

// Changes are the tuned parameters of an answer, as they are declared, beside those
// that the baseline has. same tells whether the baseline plays the tuned strategy;
// where it does not, they stand beside the strategy's defaults.
func Changes(spec *tuner.Spec, answer map[string]string) (rows []change, same bool) {
	base, same := chart.Baseline(spec)
	for i := range spec.Tune.Params {
		d := &spec.Tune.Params[i]
		c := change{Name: d.Name, Doc: d.Doc, Range: rangeOf(d)}
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
		c.Before, c.Exact = Rounded(d, before), after
		if c.After = Rounded(d, after); !active {
			c.After = "off"
		}
		c.Changed = active && d.Played(after) != d.Played(before)
		if off {
			c.Before, c.Changed = "off", active
		}
		x, y := math.NaN(), math.NaN()
		if d.Kind == param.Int || d.Kind == param.Float {
			if !off {
				x = placeIn(d, before)
			}
			if active {
				y = placeIn(d, after)
			}
			c.Place = chart.Place(x, y)
		}
		rows = append(rows, c)
	}
	return rows, same
}

// placeIn is where a value lies in a parameter's range, 0 to 1.
func placeIn(d *tuner.Dimension, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	low, high := d.Domain.Low, d.Domain.Top()
	if d.Domain.Log && low > 0 {
		x, low, high = math.Log(x), math.Log(low), math.Log(high)
	}
	if !(high > low) {
		return math.NaN()
	}
	return (x - low) / (high - low)
}

// Rounded is a value for people: of a real number about a two-hundredth of its
// range, or on a logarithmic scale three digits; of a small one in a wide range two.
func Rounded(d *tuner.Dimension, text string) string {
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
	if len(exact) <= len(out) {
		return exact
	}
	return out
}

// rangeOf is the range or the list that was searched.
func rangeOf(d *tuner.Dimension) string {
	text := ""
	switch d.Kind {
	case param.Int, param.Float:
		text = short(d.Domain.Low) + " to " + short(d.Domain.Top())
		if d.Domain.Log {
			text += ", log"
		}
	case param.Bool:
		text = "true, false"
	default:
		text = strings.Join(d.Choices, ", ")
	}
	if d.IntScale != 0 {
		text += ", set as the integer nearest to " + short(d.IntScale) + " times it"
	}
	for _, c := range d.When {
		text += " if " + c.String()
	}
	return text
}

func short(x float64) string { return numeral.Page(strconv.FormatFloat(x, 'g', 4, 64)) }
