package tuner

import (
	"fmt"
	"slices"

	"sakusen/engines/param"
)

// single.go is about tuned parameters whose range has one value. They are part of every
// trial, but no sampler sees them: it is shown the space of the others, and the single
// values are filled in after it has proposed.

// single tells whether the parameter has one value.
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
