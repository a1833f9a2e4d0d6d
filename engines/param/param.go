package param

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind is the type of a parameter's values.
type Kind int

// The kinds of parameters.
const (
	Int Kind = iota
	Float
	Bool
	Choice
)

var kindNames = [...]string{"int", "float", "bool", "choice"}

// String returns the kind's name in messages and documents.
func (k Kind) String() string { return kindNames[k] }

// MarshalText writes the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a kind's name.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("kind: expected one of %s, got %q", strings.Join(kindNames[:], ", "), text)
	}
	*k = Kind(i)
	return nil
}

// Condition says that a parameter is active only while another, declared
// before it, has the given canonical value, or one of several.
type Condition struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Or are further values that are accepted, if there are several.
	Or []string `json:"or,omitempty"`
}

// Holds reports whether a canonical text satisfies the condition.
func (c Condition) Holds(text string) bool { return text == c.Value || slices.Contains(c.Or, text) }

// String reads "kind=packed" or "kind=packed or kind=mixed".
func (c Condition) String() string {
	out := c.Name + "=" + c.Value
	for _, v := range c.Or {
		out += " or " + c.Name + "=" + v
	}
	return out
}

// Param is one declared parameter, without the variable it is bound to.
type Param struct {
	Name    string      `json:"name"` // canonical, with its group: "place.kind"
	Kind    Kind        `json:"kind"`
	Doc     string      `json:"-"`       // what it is, with its unit
	Default string      `json:"default"` // canonical text
	Domain  Domain      `json:"domain"`  // Int and Float
	Choices []string    `json:"choices,omitempty"`
	When    []Condition `json:"when,omitempty"`  // all must hold
	Fixed   bool        `json:"fixed,omitempty"` // not tuned unless a study names it
	// Open says that no range is declared: a study that tunes the number gives one.
	Open bool `json:"open,omitempty"`
	// AtLeast names another number that this one must not be below while both are
	// active; empty for none.
	AtLeast string `json:"at_least,omitempty"`

	beyond *beyond // texts besides Choices; never tuned
	later  bool
}

// beyond describes the texts that a choice accepts besides those it lists.
type beyond struct {
	want      string
	canonical func(text string) (string, error)
}

// Canonical parses a value as a person writes it and returns its canonical
// text: decimal integers, shortest floats, true or false, the choice itself.
// The error is an *Error that says what was expected.
func (p *Param) Canonical(text string) (string, error) {
	t := strings.TrimSpace(text)
	bad := &Error{Name: p.Name, Got: text, Want: p.Expected()}
	switch p.Kind {
	case Int:
		n, err := strconv.ParseInt(t, 10, 64)
		if err != nil {
			// A study file may say 1e3, a sampler 70.0.
			x, ferr := strconv.ParseFloat(t, 64)
			if ferr != nil || x != math.Trunc(x) || math.Abs(x) > exact {
				return "", bad
			}
			n = int64(x)
		}
		if n < -exact || n > exact || float64(n) < p.Domain.Low || float64(n) > p.Domain.High {
			return "", bad
		}
		return strconv.FormatInt(n, 10), nil
	case Float:
		x, err := strconv.ParseFloat(t, 64)
		if err != nil || !(x >= p.Domain.Low && x <= p.Domain.High) {
			return "", bad
		}
		return number(x), nil
	case Bool:
		if t != "true" && t != "false" {
			return "", bad
		}
		return t, nil
	default:
		for _, c := range []string{text, t} { // a choice may have blanks at its ends
			if slices.Contains(p.Choices, c) {
				return c, nil
			}
		}
		if p.beyond == nil {
			return "", bad
		}
		other, err := p.beyond.canonical(t)
		if err != nil {
			bad.Want = err.Error()
			return "", bad
		}
		return other, nil
	}
}

// Expected reports what values are allowed: "an integer in 10..100".
func (p *Param) Expected() string {
	switch p.Kind {
	case Int:
		return "an integer in " + number(p.Domain.Low) + ".." + number(p.Domain.High)
	case Float:
		if p.Open {
			return "a number"
		}
		return "a number in " + number(p.Domain.Low) + ".." + number(p.Domain.High)
	case Bool:
		return "true or false"
	default:
		if p.beyond != nil {
			return "one of " + strings.Join(p.Choices, ", ") + ", or " + p.beyond.want
		}
		return "one of " + strings.Join(p.Choices, ", ")
	}
}

// numeric reports whether the values are numbers.
func (p *Param) numeric() bool { return p.Kind == Int || p.Kind == Float }

// value returns a number's canonical text as a number.
func value(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64) // canonical text always parses
	return x
}

// check returns what is wrong with a declaration, or nil.
func (p *Param) check() error {
	if p.Doc == "" {
		return fmt.Errorf("parameter %s has no documentation", p.Name)
	}
	if p.Kind == Int || p.Kind == Float {
		if err := p.Domain.check(p.Kind); err != nil {
			return fmt.Errorf("parameter %s: domain %s: %w", p.Name, p.Domain, err)
		}
		d := p.Domain
		if p.Kind == Int && (d.Low != math.Trunc(d.Low) || d.High != math.Trunc(d.High) || d.Step != math.Trunc(d.Step)) {
			return fmt.Errorf("parameter %s: domain %s has ends or a step that are no integers", p.Name, d)
		}
	}
	if p.Kind == Choice && len(p.Choices) == 0 {
		return fmt.Errorf("parameter %s has no choices", p.Name)
	}
	if _, err := p.Canonical(p.Default); err != nil {
		return fmt.Errorf("default: %w", err)
	}
	return nil
}

// Error is a value that a declared parameter cannot take, or a name that is
// not declared.
type Error struct {
	Name string // parameter
	Got  string // as given
	Want string // what was expected
	// Unknown says that no parameter of that name is declared; Want then suggests one, such
	// as "did you mean width?".
	Unknown bool
	// What is declared under that name; empty for a parameter.
	What string
}

// Noun returns what is declared under the name: a parameter, or what What says.
func (e *Error) Noun() string { return cmp.Or(e.What, "parameter") }

// Error reads "start_squares: expected an integer in 10..100, got 7", or "unknown
// parameter start (did you mean start_squares?)".
func (e *Error) Error() string {
	if e.Unknown {
		return fmt.Sprintf("unknown %s %s (%s)", e.Noun(), e.Name, e.Want)
	}
	want, more, _ := strings.Cut(e.Want, "\n") // what is wrong in a file, a line each
	return strings.TrimSuffix(fmt.Sprintf("%s: expected %s, got %s\n%s", e.Name, want, cmp.Or(e.Got, `""`), more), "\n")
}

// Native returns a canonical text as JSON has it: a number, a bool, or a string. A number
// that others may not hold exactly, one beyond 2^53, and one that JSON cannot write
// stay texts.
func (k Kind) Native(text string) any {
	switch k {
	case Bool:
		if on, err := strconv.ParseBool(text); err == nil {
			return on
		}
	case Int:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= -exact && n <= exact {
			return n
		}
	case Float:
		if x, err := strconv.ParseFloat(text, 64); err == nil && json.Valid([]byte(text)) {
			return x
		}
	}
	return text
}

// Natives returns values by name as JSON has them, by the kinds that a space declares; a
// value that it does not declare is a text.
func Natives(values Values, space []Param) map[string]any {
	out := make(map[string]any, len(values))
	for _, v := range values {
		out[v.Name] = v.Text
		for i := range space {
			if space[i].Name == v.Name {
				out[v.Name] = space[i].Kind.Native(v.Text)
			}
		}
	}
	return out
}

// Domain is the set of values that a number may take: the closed interval
// [Low, High]. Step, where positive, is the spacing at which tuning looks;
// play accepts every value of the interval. Log asks tuning to treat ratios,
// not differences, as equal.
type Domain struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Step float64 `json:"step,omitempty"`
	Log  bool    `json:"log,omitempty"`
}

// exact bounds what a real number counts exactly: the absolute value of an integer
// parameter, and the steps of a range.
const exact = 1 << 53

// Range returns the closed interval from low to high.
func Range(low, high float64) Domain { return Domain{Low: low, High: high} }

// Grid returns the interval from low to high, tuned at low, low+step, ... The upper
// end is part of the grid only if the steps reach it.
func Grid(low, high, step float64) Domain { return Domain{Low: low, High: high, Step: step} }

// Log returns the interval from low to high (low > 0), tuned on a logarithmic scale.
func Log(low, high float64) Domain { return Domain{Low: low, High: high, Log: true} }

// Whole returns the range of integers from low to high, or as much of it as Exact allows.
func Whole(low, high int64) Domain {
	low, high = max(low, -exact), min(high, exact)
	if high-low > exact {
		low, high = max(low, -exact/2), min(high, exact/2)
	}
	return Range(float64(low), float64(high))
}

// check returns what is wrong with a declared domain of a kind of numbers, or nil.
func (d Domain) check(k Kind) error {
	switch {
	case math.IsNaN(d.High-d.Low) || math.IsInf(d.High-d.Low, 0): // also where an end is
		return fmt.Errorf("its ends and its width must be finite")
	case d.Low > d.High:
		return fmt.Errorf("its lower end %s is above its upper end %s", number(d.Low), number(d.High))
	case d.Log && d.Low <= 0:
		return fmt.Errorf("a logarithmic range needs a positive lower end, not %s", number(d.Low))
	case d.Step < 0 || math.IsNaN(d.Step):
		return fmt.Errorf("its step must be positive, not %s", number(d.Step))
	case d.Log && d.Step > 0:
		return fmt.Errorf("a range has a step or is logarithmic, not both")
	case k == Int && (math.Abs(d.Low) > exact || math.Abs(d.High) > exact):
		return fmt.Errorf("the ends of a range of integers must lie in -2^53..2^53")
	case d.Uncounted(k):
		return fmt.Errorf("it must have at most 2^53 steps")
	}
	return nil
}

// Uncounted reports whether a domain of a kind of numbers has more steps than a real number
// counts exactly. Integers without a step have steps of 1.
func (d Domain) Uncounted(k Kind) bool {
	step := d.Step
	if k == Int {
		step = max(step, 1)
	}
	return step > 0 && (d.High-d.Low)/step > exact
}

// Points returns the number of grid points, 0 where the domain has no step.
func (d Domain) Points() int {
	if d.Step <= 0 {
		return 0
	}
	return int(math.Floor((d.High-d.Low)/d.Step+1e-9)) + 1
}

// Point returns the i-th grid point, i in [0, Points()), as a trial has it: see Round.
func (d Domain) Point(i int) float64 { return d.Round(d.Low + float64(i)*d.Step) }

// Round returns the number at which a trial plays a number of a stepped range: without
// the rounding errors that multiplication leaves, such as 0.30000000000000004, and
// inside the range. In a range without a step it is the number, put inside.
func (d Domain) Round(x float64) float64 {
	x = math.Min(math.Max(x, d.Low), d.High)
	if d.Step <= 0 || x == math.Trunc(x) {
		return x
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	if err != nil || short < d.Low || short > d.High {
		return x // the range's own end has more digits
	}
	return short
}

// Top returns the largest value that tuning visits: the last grid point, or High. A trial
// at the top has exactly this value.
func (d Domain) Top() float64 {
	if n := d.Points(); n > 0 {
		return d.Point(n - 1)
	}
	return d.High
}

// End returns where the scale ends on which searches place the values of the range: Top
// but for an error of rounding. Digests of studies depend on that error.
func (d Domain) End() float64 {
	if n := d.Points(); n > 0 {
		return d.Low + float64(n-1)*d.Step
	}
	return d.High
}

// String describes the domain for people: "10..100 step 10".
func (d Domain) String() string {
	s := number(d.Low) + ".." + number(d.High)
	if d.Step > 0 {
		s += " step " + number(d.Step)
	}
	if d.Log {
		s += " log"
	}
	return s
}

// number returns the canonical text of a float: the shortest that reads back equal.
func number(x float64) string {
	if x == 0 {
		return "0" // and never "-0"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
