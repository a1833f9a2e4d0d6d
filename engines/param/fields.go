package param

import (
	"fmt"
	"strconv"
)

// Fields collects the declarations of one configuration and binds them to its
// variables. The zero value is not useful; see Bind.
type Fields struct {
	set *set
	// prefix and when are those of the group and branch being declared.
	prefix string
	when   []Condition
}

// set is shared by the Fields of all groups and branches of a declaration.
type set struct {
	params []Param
	assign []func(text string) // writes the parsed canonical text to the variable
	index  map[string]int
	err    error // the first mistake in the declaration
}

// Bind runs a declaration. The error is a mistake in the declaration itself: a
// name used twice, a default outside its domain, a missing description.
func Bind(declare func(*Fields)) (*Fields, error) {
	f := &Fields{set: &set{index: map[string]int{}}}
	declare(f)
	if f.set.err != nil {
		return nil, f.set.err
	}
	for i := range f.set.params {
		f.set.assign[i](f.set.params[i].Default)
	}
	return f, nil
}

// Option changes a declared parameter.
type Option func(*Param)

// Fixed keeps a parameter out of tuning unless a study names it: a convention,
// a budget.
func Fixed() Option { return func(p *Param) { p.Fixed = true } }

// Beyond lets a choice take further texts in play, such as a file's content;
// tuning keeps to those listed. want says what they are; canonical returns the
// text to be hashed and bound, or an error that reads after "expected".
func Beyond(want string, canonical func(text string) (string, error)) Option {
	return func(p *Param) { p.beyond = &beyond{want, canonical} }
}

// Int declares an integer.
func (f *Fields) Int(v *int, name string, def int, d Domain, doc string, opts ...Option) {
	f.add(Param{Name: name, Kind: Int, Doc: doc, Default: strconv.Itoa(def), Domain: d}, opts, func(t string) {
		n, _ := strconv.ParseInt(t, 10, 64) // canonical text always parses
		*v = int(n)
	})
}

// Float declares a real number.
func (f *Fields) Float(v *float64, name string, def float64, d Domain, doc string, opts ...Option) {
	f.add(Param{Name: name, Kind: Float, Doc: doc, Default: number(def), Domain: d}, opts, func(t string) {
		*v, _ = strconv.ParseFloat(t, 64)
	})
}

// Bool declares a switch.
func (f *Fields) Bool(v *bool, name string, def bool, doc string, opts ...Option) {
	f.add(Param{Name: name, Kind: Bool, Doc: doc, Default: strconv.FormatBool(def)}, opts, func(t string) {
		*v = t == "true"
	})
}

// Choice declares one of several names.
func (f *Fields) Choice(v *string, name, def string, choices []string, doc string, opts ...Option) {
	f.add(Param{Name: name, Kind: Choice, Doc: doc, Default: def, Choices: choices}, opts, func(t string) { *v = t })
}

// When declares parameters that are active only while the parameter name, of
// the same group and declared before, has the given value.
func (f *Fields) When(name, value string, declare func(*Fields)) {
	full := f.prefix + name
	i, ok := f.set.index[full]
	if !ok {
		f.fail(fmt.Errorf("parameter %s is used as a condition before it is declared", full))
		return
	}
	text, err := f.set.params[i].Canonical(value)
	if err != nil {
		f.fail(fmt.Errorf("condition: %w", err))
		return
	}
	when := append(append([]Condition(nil), f.when...), Condition{full, text})
	declare(&Fields{set: f.set, prefix: f.prefix, when: when})
}

// Group declares parameters under a common prefix: Group("place", ...) makes
// place.kind of kind.
func (f *Fields) Group(name string, declare func(*Fields)) {
	declare(&Fields{set: f.set, prefix: f.prefix + name + ".", when: f.when})
}

// Params are the declared parameters in the order of declaration.
func (f *Fields) Params() []Param { return f.set.params }

// Lookup finds a declared parameter by its canonical name.
func (f *Fields) Lookup(name string) (*Param, bool) {
	i, ok := f.set.index[name]
	if !ok {
		return nil, false
	}
	return &f.set.params[i], true
}

func (f *Fields) add(p Param, opts []Option, assign func(string)) {
	p.Name = f.prefix + p.Name
	p.When = f.when
	for _, o := range opts {
		o(&p)
	}
	if _, twice := f.set.index[p.Name]; twice {
		f.fail(fmt.Errorf("parameter %s is declared twice", p.Name))
		return
	}
	if err := p.check(); err != nil {
		f.fail(err)
		return
	}
	p.Default, _ = p.Canonical(p.Default)
	f.set.index[p.Name] = len(f.set.params)
	f.set.params = append(f.set.params, p)
	f.set.assign = append(f.set.assign, assign)
}

func (f *Fields) fail(err error) {
	if f.set.err == nil {
		f.set.err = err
	}
}
