package param

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Declared is a parameter of a program from elsewhere, as a handshake, the registry or a
// study file declares it; the fields are those of `sakusen game strategies --json`.
type Declared struct {
	Name    string   `json:"name" yaml:"name"`
	Kind    string   `json:"kind" yaml:"kind"` // int, float, bool, choice
	Doc     string   `json:"doc" yaml:"doc"`
	Default Text     `json:"default" yaml:"default"`
	Low     float64  `json:"low" yaml:"low"`
	High    float64  `json:"high" yaml:"high"`
	Step    float64  `json:"step" yaml:"step"`
	Log     bool     `json:"log" yaml:"log"`
	Choices []string `json:"choices" yaml:"choices"`
}

// Text is a value, written as a text, a number or a switch.
type Text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *Text) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, (*string)(t))
	}
	*t = Text(b)
	return nil
}

// Check finds mistakes.
func (p *Declared) Check() error {
	_, err := Bind(func(f *Fields) { p.Declare(f) })
	return err
}

// Declare declares the parameter; the function that it returns gives its value as
// JSON, once one is assigned.
func (p *Declared) Declare(f *Fields) (value func() json.RawMessage) {
	doc := p.Doc
	if doc == "" {
		doc = "parameter of the program"
	}
	d := Domain{Low: p.Low, High: p.High, Step: p.Step, Log: p.Log}
	refuse := func(want string) func() json.RawMessage {
		f.Refuse(fmt.Errorf("parameter %q of kind %q: expected %s", p.Name, p.Kind, want))
		return func() json.RawMessage { return nil }
	}
	if p.Name == "" || strings.ContainsAny(p.Name, `(),="`) {
		return refuse(`a name without ( ) , = and "`)
	}
	switch p.Kind {
	case "int":
		def, err := strconv.Atoi(string(p.Default))
		if x, err2 := strconv.ParseFloat(string(p.Default), 64); err != nil && err2 == nil && x == math.Trunc(x) && math.Abs(x) <= exact {
			def, err = int(x), nil // 5.0 is an integer too
		}
		if err != nil {
			return refuse("an integer by default, got " + string(p.Default))
		}
		v := new(int)
		f.Int(v, p.Name, def, d, doc)
		return func() json.RawMessage { return strconv.AppendInt(nil, int64(*v), 10) }
	case "float":
		def, err := strconv.ParseFloat(string(p.Default), 64)
		if err != nil {
			return refuse("a number by default, got " + string(p.Default))
		}
		v := new(float64)
		f.Float(v, p.Name, def, d, doc)
		return func() json.RawMessage { return strconv.AppendFloat(nil, *v, 'g', -1, 64) }
	case "bool":
		if p.Default != "true" && p.Default != "false" {
			return refuse("true or false by default, got " + string(p.Default))
		}
		v := new(bool)
		f.Bool(v, p.Name, p.Default == "true", doc)
		return func() json.RawMessage { return strconv.AppendBool(nil, *v) }
	case "choice":
		if !slices.Contains(p.Choices, string(p.Default)) {
			return refuse("a default among its choices, got " + string(p.Default))
		}
		v := new(string)
		f.Choice(v, p.Name, string(p.Default), p.Choices, doc)
		return func() json.RawMessage { text, _ := json.Marshal(*v); return text }
	}
	return refuse("int, float, bool or choice")
}

// Fields collects the declarations of one configuration and binds them to its
// variables. The zero value is not useful; see Bind.
type Fields struct {
	set *set
	// prefix and when are the group and the condition that are being declared.
	prefix string
	when   []Condition
}

// set is shared by the Fields of all groups and branches of a declaration.
type set struct {
	params []Param
	assign []func(text string) // writes the parsed canonical text to the variable
	index  map[string]int
	bound  map[any]string    // the name that each variable is bound to
	absent map[string]string // why there is none of a name, by lower-case names
	err    error             // the first mistake in the declaration
}

// Bind runs a declaration. The error is a mistake in the declaration itself: a
// name used twice, a default outside its domain, a missing description.
func Bind(declare func(*Fields)) (*Fields, error) {
	f := &Fields{set: &set{index: map[string]int{}, bound: map[any]string{}}}
	declare(f)
	if f.set.err != nil {
		return nil, f.set.err
	}
	for i := range f.set.params {
		f.set.assign[i](f.set.params[i].Default)
	}
	return f, nil
}

// Set runs a declaration and gives its variables values, and to the others their defaults.
func Set(values Values, declare func(*Fields)) error {
	f, err := Bind(declare)
	if err != nil {
		return err
	}
	_, errs := f.Assign(values)
	return errors.Join(errs...)
}

// List returns the parameters of a declaration, none where the declaration has a mistake.
func List(declare func(*Fields)) []Param {
	f, err := Bind(declare)
	if err != nil {
		return nil
	}
	return f.Params()
}

// Option changes a declared parameter.
type Option func(*Param)

// Fixed keeps a parameter out of tuning unless a study names it: a convention,
// a budget.
func Fixed() Option { return func(p *Param) { p.Fixed = true } }

// Later declares an option that canonical values leave out where it has its default, so that
// the hashes of those who do not use it do not depend on it.
func Later() Option { return func(p *Param) { p.later = true } }

// Open declares a number of which no range is known: its domain is all that it may be.
func Open() Option { return func(p *Param) { p.Open = true } }

// AtLeast declares that a number must not be below another one of the same group,
// declared before it: f.Int(&c.high, "high", 9, domain, doc, param.AtLeast("low")).
// Values that break it are refused, and no search proposes them.
func AtLeast(name string) Option { return func(p *Param) { p.AtLeast = name } }

// Beyond lets a choice take further texts in play, such as a file's content;
// tuning keeps to those listed. want says what they are; canonical returns the
// text to be hashed and bound, or an error that reads after "expected".
func Beyond(want string, canonical func(text string) (string, error)) Option {
	return func(p *Param) { p.beyond = &beyond{want, canonical} }
}

// Int declares an integer.
func (f *Fields) Int(v *int, name string, def int, d Domain, doc string, opts ...Option) {
	f.add(v, Param{Name: name, Kind: Int, Doc: doc, Default: strconv.Itoa(def), Domain: d}, opts, func(t string) {
		n, _ := strconv.ParseInt(t, 10, 64) // canonical text always parses
		*v = int(n)
	})
}

// Float declares a real number.
func (f *Fields) Float(v *float64, name string, def float64, d Domain, doc string, opts ...Option) {
	f.add(v, Param{Name: name, Kind: Float, Doc: doc, Default: number(def), Domain: d}, opts, func(t string) {
		*v, _ = strconv.ParseFloat(t, 64)
	})
}

// Bool declares a switch.
func (f *Fields) Bool(v *bool, name string, def bool, doc string, opts ...Option) {
	f.add(v, Param{Name: name, Kind: Bool, Doc: doc, Default: strconv.FormatBool(def)}, opts, func(t string) {
		*v = t == "true"
	})
}

// Choice declares one of several names.
func (f *Fields) Choice(v *string, name, def string, choices []string, doc string, opts ...Option) {
	f.add(v, Param{Name: name, Kind: Choice, Doc: doc, Default: def, Choices: choices}, opts, func(t string) { *v = t })
}

// When declares parameters that are active only while the parameter name, of
// the same group and declared before, has the given value.
func (f *Fields) When(name, value string, declare func(*Fields)) {
	f.WhenAny(name, []string{value}, declare)
}

// WhenAny declares parameters that are active while the parameter name has any
// of the given values.
func (f *Fields) WhenAny(name string, values []string, declare func(*Fields)) {
	full := f.prefix + name
	i, ok := f.set.index[full]
	if !ok {
		f.fail(fmt.Errorf("parameter %s is used as a condition before it is declared", full))
		return
	}
	if len(values) == 0 {
		f.fail(fmt.Errorf("condition: expected at least one value of %s", full))
		return
	}
	texts := make([]string, len(values))
	for k, value := range values {
		var err error
		if texts[k], err = f.set.params[i].Canonical(value); err != nil {
			f.fail(fmt.Errorf("condition: %w", err))
			return
		}
	}
	c := Condition{Name: full, Value: texts[0]}
	if len(texts) > 1 {
		c.Or = texts[1:]
	}
	when := append(append([]Condition(nil), f.when...), c)
	declare(&Fields{set: f.set, prefix: f.prefix, when: when})
}

// Group declares parameters under a common prefix: Group("place", ...) makes
// place.kind of kind.
func (f *Fields) Group(name string, declare func(*Fields)) {
	declare(&Fields{set: f.set, prefix: f.prefix + name + ".", when: f.when})
}

// Params returns the declared parameters in the order of declaration.
func (f *Fields) Params() []Param { return f.set.params }

// Lookup finds a declared parameter by its canonical name.
func (f *Fields) Lookup(name string) (*Param, bool) {
	i, ok := f.set.index[name]
	if !ok {
		return nil, false
	}
	return &f.set.params[i], true
}

func (f *Fields) add(variable any, p Param, opts []Option, assign func(string)) {
	p.Name = f.prefix + p.Name
	p.When = f.when
	for _, o := range opts {
		o(&p)
	}
	if _, twice := f.set.index[p.Name]; twice {
		f.fail(fmt.Errorf("parameter %s is declared twice", p.Name))
		return
	}
	// Assign writes every parameter's variable, with the default where it is not
	// active: of two names for one variable the later would always win.
	if other, twice := f.set.bound[variable]; twice {
		f.fail(fmt.Errorf("parameters %s and %s are bound to the same variable: give each its own", other, p.Name))
		return
	}
	f.set.bound[variable] = p.Name
	if err := p.check(); err != nil {
		f.fail(err)
		return
	}
	if p.AtLeast != "" && !f.ordered(&p) {
		return
	}
	p.Default, _ = p.Canonical(p.Default)
	f.set.index[p.Name] = len(f.set.params)
	f.set.params = append(f.set.params, p)
	f.set.assign = append(f.set.assign, assign)
}

// Absent returns why there is no parameter of a name, whatever its case: who gives it a value is
// told.
func (f *Fields) Absent(name, why string) {
	if f.set.absent == nil {
		f.set.absent = map[string]string{}
	}
	f.set.absent[strings.ToLower(name)] = why
}

// WhyAbsent returns why there is no parameter of a name, empty where that is not known.
func (f *Fields) WhyAbsent(name string) string { return f.set.absent[strings.ToLower(name)] }

// Refuse records that nothing can be declared, and why: a program that was asked for
// its parameters has not answered. Bind returns the error.
func (f *Fields) Refuse(err error) { f.fail(err) }

func (f *Fields) fail(err error) {
	if f.set.err == nil {
		f.set.err = err
	}
}

// ordered gives AtLeast its full name, and tells whether it names a number.
func (f *Fields) ordered(p *Param) bool {
	full := f.prefix + p.AtLeast
	i, ok := f.set.index[full]
	if !ok {
		f.fail(fmt.Errorf("parameter %s must be at least %s, which is not declared before it", p.Name, full))
		return false
	}
	other := &f.set.params[i]
	if !p.numeric() || !other.numeric() {
		f.fail(fmt.Errorf("parameter %s must be at least %s: only numbers have an order", p.Name, full))
		return false
	}
	p.AtLeast = full
	if value(p.Default) < value(other.Default) {
		f.fail(fmt.Errorf("parameter %s must be at least %s, and its default %s is below %s", p.Name, full, p.Default, other.Default))
		return false
	}
	return true
}
