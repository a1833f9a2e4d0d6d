package tuner

import (
	"fmt"
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

// Size returns the number of parameter sets of a finite space, 0 where a dimension
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

// Points returns the number of values that tuning visits, 0 if they are not a
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

// Point returns the canonical text of the i-th value, i in [0, Points()).
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

// Text returns the canonical text of a number, rounded to an integer where the
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

// Number returns a canonical text as a number: numbers as they are, choices and
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

// rounded returns a value with the fewest digits, four or more, that move a real number without
// a step by at most a thousandth of its range; a default as declared.
func (d *Dimension) rounded(text string) string {
	x := d.Number(text)
	for digits := 4; digits < 17 && d.Kind == param.Float && d.Domain.Step == 0 && text != d.Default; digits++ {
		near, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
		short := d.Text(math.Min(math.Max(near, d.Domain.Low), d.Domain.High))
		if math.Abs(d.Place(short)-d.Place(text)) <= 1e-3 && len(short) < len(text) {
			return short
		}
	}
	return text
}

// Rounded returns a proposal without digits of which games cannot tell, if it is in order so.
func (s Space) Rounded(fixed, proposed param.Values) param.Values {
	out := slices.Clone(proposed)
	for i := range out {
		if d := s.dimension(out[i].Name); d != nil {
			out[i].Text = d.rounded(out[i].Text)
		}
	}
	if s.Ordered(fixed, out).String() != out.String() {
		return proposed
	}
	return out
}

// Place returns where a number lies in its range, from 0 to 1, by the logarithm where the range is
// one of logarithms; NaN of what is no number, and of a range without a width.
func (d *Dimension) Place(text string) float64 {
	if d.Kind != param.Int && d.Kind != param.Float {
		return math.NaN()
	}
	x, low, high := d.Number(text), d.Domain.Low, d.Domain.Top()
	if d.Domain.Log && low > 0 {
		x, low, high = math.Log(x), math.Log(low), math.Log(high)
	}
	if !(high > low) {
		return math.NaN()
	}
	return (x - low) / (high - low)
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

// Defaults returns the values that the strategy declares, as far as they are active with the fixed ones.
func (s Space) Defaults(fixed param.Values) param.Values {
	out := make(param.Values, len(s))
	for i := range s {
		out[i] = param.Value{Name: s[i].Name, Text: s[i].Default}
	}
	return s.Activate(fixed, out)
}

// Given returns the space without the conditions that the fixed values meet: what is
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

// FewMembers is the most members of a finite space with choices whose parameter sets meet the
// baseline by default: of so few each can be known by itself.
const FewMembers = 256

// Member returns the i-th parameter set of a finite space, i in [0, Size()), the
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

// Ordered repairs a proposal in which a number lies below another one that it must
// not be below (param.AtLeast): both move to the middle between them, held on what
// tuning visits of their ranges. So every sampler proposes what can be played, and
// is told what was played. Numbers that are not active, with which anything goes,
// stay as they are; against a fixed value only the tuned number moves.
func (s Space) Ordered(fixed, proposed param.Values) param.Values {
	if !s.ordered() {
		return proposed
	}
	active := s.Activate(fixed, proposed)
	out := append(param.Values(nil), proposed...)
	place := map[string]int{} // of a tuned, active number among the values
	for i, v := range out {
		if _, ok := active.Get(v.Name); ok {
			place[v.Name] = i
		}
	}
	number := func(d *Dimension) float64 { return d.Number(out[place[d.Name]].Text) }
	set := func(d *Dimension, x float64) { out[place[d.Name]].Text = d.Text(d.visited(x)) }
	// In a chain of three or more numbers the middle ones may move back and forth; after a
	// few rounds what is still out of order is moved up.
	for round := range orderRounds {
		for i := range s {
			high := &s[i]
			if _, ok := place[high.Name]; high.AtLeast == "" || !ok || high.Kind == param.Choice {
				continue
			}
			if text, ok := fixed.Get(high.AtLeast); ok {
				if least := high.Number(text); number(high) < least {
					set(high, least)
				}
				continue
			}
			low := s.dimension(high.AtLeast)
			if low == nil || low.Kind == param.Choice {
				continue
			}
			if _, ok := place[low.Name]; !ok || number(high) >= number(low) {
				continue
			}
			if round < orderRounds-1 {
				middle := (number(high) + number(low)) / 2
				set(high, middle)
				set(low, middle)
			}
			if number(high) < number(low) {
				set(high, high.above(number(low)))
			}
			if number(high) < number(low) { // the range ends below
				set(low, low.below(number(high)))
			}
		}
	}
	return out
}

// countLimit bounds the walk of Count.
const countLimit = 1 << 16

// Count returns the number of distinct active parameter sets of a finite space, 0
// where the space is not finite or too large to be walked.
func (s Space) Count(fixed param.Values) int {
	n := s.Size()
	if n == 0 || n > countLimit {
		return 0
	}
	seen := make(map[string]bool, n)
	for i := range n {
		seen[s.Activate(fixed, s.Ordered(fixed, s.Member(i))).String()] = true
	}
	return len(seen)
}

const orderRounds = 8

// ordered reports whether any number must not be below another.
func (s Space) ordered() bool {
	for i := range s {
		if s[i].AtLeast != "" {
			return true
		}
	}
	return false
}

// dimension returns the parameter of a name, nil where it is not tuned.
func (s Space) dimension(name string) *Dimension {
	for i := range s {
		if s[i].Name == name {
			return &s[i]
		}
	}
	return nil
}

// visited returns the nearest number that tuning visits.
func (d *Dimension) visited(x float64) float64 { return d.cell(x, math.Round) }

// above returns the nearest one that is not below a number, and below the nearest that is
// not above.
func (d *Dimension) above(x float64) float64 { return d.cell(x, math.Ceil) }

func (d *Dimension) below(x float64) float64 { return d.cell(x, math.Floor) }

func (d *Dimension) cell(x float64, round func(float64) float64) float64 {
	step := d.Domain.Step
	if d.Kind == param.Int && (step == 0 || d.Domain.Log) {
		return round(x)
	}
	if step == 0 || d.Domain.Log {
		return x
	}
	const slack = 1e-9 // a number on the grid must not move to the next cell because of a rounding error
	n := (x - d.Domain.Low) / step
	if near := math.Round(n); math.Abs(n-near) < slack {
		n = near
	}
	n = math.Min(math.Max(round(n), 0), float64(d.Domain.Points()-1))
	return d.Domain.Point(int(n))
}

// single reports whether the parameter has one value. It is then part of every trial, but no
// sampler sees it: the value is filled in after it has proposed.
func (d *Dimension) single() bool { return d.Points() == 1 }

// Searched returns the space that samplers see, the parameters with more than one value,
// and the values that stand still: the fixed ones with those single values that are active
// in every trial. A condition on a single value gives way to the conditions of that value.
func (s Space) Searched(fixed param.Values) (Space, param.Values) {
	if !slices.ContainsFunc(s, func(d Dimension) bool { return d.single() }) {
		return s, fixed
	}
	searched, still := Space{}, slices.Clone(fixed)
	singles := map[string]Dimension{}
	for _, d := range s {
		var when []param.Condition
		for _, c := range d.When {
			if on, ok := singles[c.Name]; ok && c.Holds(on.Point(0)) {
				when = append(when, on.When...)
			} else {
				when = append(when, c)
			}
		}
		d.When = when
		if !d.single() {
			searched = append(searched, d)
			continue
		}
		singles[d.Name] = d
		if len(Space{d}.Given(fixed)[0].When) == 0 {
			still = append(still, param.Value{Name: d.Name, Text: d.Point(0)})
		}
	}
	return searched, still
}

// Whole returns a proposal with the single values of the space filled in.
func (s Space) Whole(proposed param.Values) param.Values {
	if len(proposed) == len(s) {
		return proposed
	}
	out := make(param.Values, 0, len(s))
	for i := range s {
		text, ok := proposed.Get(s[i].Name)
		if !ok && s[i].single() {
			text, ok = s[i].Point(0), true
		}
		if ok {
			out = append(out, param.Value{Name: s[i].Name, Text: text})
		}
	}
	return out
}

// CheckProposal returns what is wrong with a sampler's proposal, which has each parameter of more
// than one value once, active or not, as canonical text in the range that is tuned.
func (s Space) CheckProposal(values param.Values) error {
	if err := s.named(values); err != nil {
		return fmt.Errorf("proposes %w", err)
	}
	for i := range s {
		d := &s[i]
		got, ok := values.Get(d.Name)
		if !ok && d.single() {
			continue
		}
		text, err := d.Canonical(got)
		switch {
		case !ok:
			return fmt.Errorf("proposes %s: expected a value of %s as well", values, d.Name)
		case err != nil || !d.Holds(text):
			return fmt.Errorf("proposes %s=%s: expected %s", d.Name, got, d.Expected())
		case text != got:
			return fmt.Errorf("proposes %s=%s: expected %s, the canonical text", d.Name, got, text)
		}
	}
	return nil
}

// Shown returns those of the values that a sampler sees.
func (s Space) Shown(values param.Values) param.Values {
	var out param.Values
	for _, v := range values {
		if d := s.dimension(v.Name); d == nil || !d.single() {
			out = append(out, v)
		}
	}
	return out
}
