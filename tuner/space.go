package tuner

import (
	"math"
	"slices"
	"strconv"

	"sakusen/engines/param"
)

// Dimension is one tuned parameter: as declared, with its range narrowed by the
// study.
type Dimension struct {
	param.Param
	// IntScale, where it is not 0, says that the parameter is an integer of an engine which
	// is searched as a real number: see Played.
	IntScale float64 `json:"int_scale,omitempty"`
	foreign  bool    // values are as goptuna gives them to the program: see SpaceOf
}

// Space is the tuned parameters in the order of declaration.
type Space []Dimension

// Size is the number of parameter sets of a finite space, 0 where a dimension
// is continuous or there are more than a million. Conditions make the true
// number smaller; see Count.
func (s Space) Size() int {
	n := 1
	for i := range s {
		k := s[i].Points()
		if k == 0 || n > 1e6/k {
			return 0
		}
		n *= k
	}
	return n
}

// Points is the number of values that tuning visits, 0 if they are not a
// finite list.
func (d *Dimension) Points() int {
	switch d.Kind {
	case param.Bool:
		return 2
	case param.Choice:
		return len(d.Choices)
	case param.Int:
		if d.Domain.Log || d.Domain.Step == 0 {
			return int(d.Domain.High-d.Domain.Low) + 1
		}
		return d.Domain.Points()
	default:
		if d.Domain.Low == d.Domain.High {
			return 1
		}
		return d.Domain.Points()
	}
}

// Point is the canonical text of the i-th value, i in [0, Points()).
func (d *Dimension) Point(i int) string {
	switch d.Kind {
	case param.Bool:
		return strconv.FormatBool(i == 1)
	case param.Choice:
		return d.Choices[i]
	}
	x := d.Domain.Low + float64(i)
	if d.Domain.Step > 0 {
		x = d.Domain.Point(i)
	}
	return d.Text(x)
}

// Text is the canonical text of a number, rounded to an integer where the
// parameter is one, and held inside the range.
func (d *Dimension) Text(x float64) string {
	if d.Kind == param.Int {
		return strconv.FormatInt(int64(math.Round(math.Min(math.Max(x, d.Domain.Low), d.Domain.High))), 10)
	}
	if math.Abs(x*d.IntScale) < 1e-6 && d.IntScale != 0 {
		x = 0 // but for the error of a step such as 1/3
	}
	t, err := d.Canonical(strconv.FormatFloat(d.Domain.Round(x), 'g', -1, 64))
	if err != nil {
		panic("tuner: " + err.Error()) // x lies in the range
	}
	return t
}

// Number is a canonical text as a number: numbers as they are, choices and
// switches by index.
func (d *Dimension) Number(text string) float64 {
	switch d.Kind {
	case param.Bool:
		if text == "true" {
			return 1
		}
		return 0
	case param.Choice:
		for i, c := range d.Choices {
			if c == text {
				return float64(i)
			}
		}
		return math.NaN()
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// Activate keeps, of a proposal for the whole space, the values that are active
// together with the fixed ones.
func (s Space) Activate(fixed, proposed param.Values) param.Values {
	var out param.Values
	lookup := func(name string) (string, bool) {
		if t, ok := out.Get(name); ok {
			return t, true
		}
		return fixed.Get(name)
	}
	for i := range s {
		if t, ok := proposed.Get(s[i].Name); ok && s[i].Active(lookup) {
			out = append(out, param.Value{Name: s[i].Name, Text: t})
		}
	}
	return out
}

// Given is the space without the conditions that the fixed values meet: what is
// left is conditional indeed.
func (s Space) Given(fixed param.Values) Space {
	out := slices.Clone(s)
	for i := range out {
		out[i].When = slices.DeleteFunc(slices.Clone(out[i].When), func(c param.Condition) bool {
			text, ok := fixed.Get(c.Name)
			return ok && c.Holds(text)
		})
	}
	return out
}

// FewMembers is the most members of a finite space of which each is a parameter set to be known
// by itself: a study of so few is searched by a model of its members.
const FewMembers = 256

// Member is the i-th parameter set of a finite space, i in [0, Size()), the
// last dimension varying fastest; conditions are not looked at.
func (s Space) Member(i int) param.Values {
	out := make(param.Values, len(s))
	for k := len(s) - 1; k >= 0; k-- {
		n := s[k].Points()
		out[k] = param.Value{Name: s[k].Name, Text: s[k].Point(i % n)}
		i /= n
	}
	return out
}
