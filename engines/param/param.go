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

// String is the kind's name in messages and documents.
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

// Holds tells whether a canonical text satisfies the condition.
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

// Expected says what values are allowed: "an integer in 10..100".
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

// numeric tells whether the values are numbers.
func (p *Param) numeric() bool { return p.Kind == Int || p.Kind == Float }

// value is a number's canonical text as a number.
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

// Noun is what is declared under the name: a parameter, or what What says.
func (e *Error) Noun() string { return cmp.Or(e.What, "parameter") }

// Error reads "start_squares: expected an integer in 10..100, got 7", or "unknown
// parameter start (did you mean start_squares?)".
func (e *Error) Error() string {
	if e.Unknown {
		return fmt.Sprintf("unknown %s %s (%s)", e.Noun(), e.Name, e.Want)
	}
	return fmt.Sprintf("%s: expected %s, got %s", e.Name, e.Want, e.Got)
}

// Native is a canonical text as JSON has it: a number, a bool, or a string. A number
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

// Natives are values by name as JSON has them, by the kinds that a space declares; a
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
