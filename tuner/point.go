package tuner

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/param"
)

// Receiver is a Record through which points may be given to a study that runs. A point
// that is asked is in the log, so that a resumed study does not depend on when it came.
type Receiver interface {
	// Given are the points so far, in the order in which they came; each has one value
	// for every dimension.
	Given(ctx context.Context) ([]param.Values, error)
}

// AttrGiven is the attribute of a trial whose point a person gave: the point's number, from
// 0.
const AttrGiven = "given"

// Point returns a point of the study's space with the named values. The others are the
// baseline's where it plays the tuned strategy, and the defaults elsewhere, moved to the
// nearest that the search visits. An error is a [*param.Error] for the value that cannot be.
func (s *Setup) Point(named param.Values) (param.Values, error) {
	space, fixed := s.Tune.Params, s.Tune.Fix
	if err := space.named(named); err != nil {
		return nil, err
	}
	out := make(param.Values, len(space))
	for i := range space {
		d := &space[i]
		out[i] = param.Value{Name: d.Name, Text: s.Usual(d)}
		if text, ok := named.Get(d.Name); ok {
			var err error
			if out[i].Text, err = d.visits(text); err != nil {
				return nil, err
			}
		}
	}
	ordered := space.Ordered(fixed, out)
	active := space.Activate(fixed, ordered)
	for _, v := range named {
		before, _ := out.Get(v.Name)
		if after, _ := ordered.Get(v.Name); after != before {
			return nil, &param.Error{Name: v.Name, Want: "a value that keeps the order of the parameters, such as " + after, Got: v.Text}
		}
		if _, ok := active.Get(v.Name); !ok {
			var needs []string
			for _, c := range space.dimension(v.Name).When {
				needs = append(needs, c.String())
			}
			return nil, &param.Error{Name: v.Name, Want: "a parameter that is active here: it needs " + strings.Join(needs, " and "), Got: v.Text}
		}
	}
	if _, err := s.Candidate(-1, active); err != nil {
		return nil, fmt.Errorf("a point that can be played: %w", err)
	}
	if at := s.BaselinePoint(); s.Duels && at != nil && space.Activate(fixed, at).Hash() == active.Hash() {
		return nil, &param.Error{Name: "point", Want: "another than the baseline, which a point that is given plays first", Got: named.String()}
	}
	return ordered, nil
}

// named returns what is wrong with the names of values: a [*param.Error] for one that is not
// tuned or is there twice.
func (s Space) named(values param.Values) error {
	for i, v := range values {
		if s.dimension(v.Name) == nil {
			var names []string
			for k := range s {
				names = append(names, s[k].Name)
			}
			want := "a tuned parameter, one of " + strings.Join(names, ", ")
			if near, ok := param.Nearest(v.Name, names); ok {
				want = "a tuned parameter (did you mean " + near + "?)"
			}
			return &param.Error{Name: v.Name, Want: want, Got: v.Name}
		}
		if _, twice := values[:i].Get(v.Name); twice {
			return &param.Error{Name: v.Name, Want: "each parameter once", Got: v.Name + " a second time"}
		}
	}
	return nil
}

// Usual returns the value of a dimension that is not named.
func (s *Setup) Usual(d *Dimension) string {
	text := d.Default
	if s.BaselineEntrant.Strategy == s.Tune.Strategy {
		if own, ok := s.BaselineEntrant.Params.Get(d.Name); ok {
			text = d.Searched(own)
		}
	}
	switch {
	case d.Kind == param.Bool:
		return text
	case d.Kind == param.Choice && d.Holds(text):
		return text
	case d.Kind == param.Choice:
		return d.Point(0)
	}
	return d.Text(d.visited(math.Min(math.Max(d.Number(text), d.Domain.Low), d.Domain.High)))
}

// visits returns the canonical text of a value that the search can visit.
func (d *Dimension) visits(given string) (string, error) {
	text, err := d.Canonical(given)
	if err != nil {
		return "", err
	}
	if !d.Holds(text) {
		want := fmt.Sprintf("a value in %s..%s, the range that is tuned", strconv.FormatFloat(d.Domain.Low, 'g', -1, 64), strconv.FormatFloat(d.Domain.High, 'g', -1, 64))
		if d.Kind == param.Choice {
			want = "one of " + strings.Join(d.Choices, ", ")
		}
		return "", &param.Error{Name: d.Name, Want: want, Got: given}
	}
	if d.Kind == param.Bool || d.Kind == param.Choice {
		return text, nil
	}
	x := d.Number(text)
	nearest := d.Text(d.visited(x))
	if math.Abs(d.Number(nearest)-x) > 1e-9*math.Max(1, math.Abs(x)) {
		return "", &param.Error{Name: d.Name, Want: "a value that the search visits, such as " + nearest, Got: given}
	}
	return nearest, nil
}

// BaselinePoint returns the baseline as a point of the space. It is nil if the baseline is
// another strategy, differs in what is not tuned, or lies outside the space.
func (s *Setup) BaselinePoint() param.Values {
	if s.Baseline == "" || s.BaselineEntrant.Strategy != s.Tune.Strategy {
		return nil
	}
	var at param.Values
	for i := range s.Tune.Params {
		d := &s.Tune.Params[i]
		text, ok := s.BaselineEntrant.Params.Get(d.Name)
		if text = d.Searched(text); !ok || !d.Holds(text) {
			return nil
		}
		at = append(at, param.Value{Name: d.Name, Text: text})
	}
	if e, err := s.Candidate(-1, at); err != nil || e.Canonical() != s.BaselineEntrant.Canonical() {
		return nil
	}
	return at
}

// Holds reports whether a canonical text lies in the range that is tuned; it may
// lie between the points of a grid.
func (d *Dimension) Holds(text string) bool {
	switch d.Kind {
	case param.Bool:
		return true
	case param.Choice:
		return slices.Contains(d.Choices, text)
	}
	x := d.Number(text)
	return x >= d.Domain.Low && x <= d.Domain.High
}

// Scaled returns an integer parameter as the real number x of which it is round(x*scale),
// scale > 0. The ends and the default are those of the integer, divided. A range
// without a step gets the distance at which the integer changes, 1/scale, so that each
// trial is another integer.
func Scaled(p param.Param, scale float64) Dimension {
	d := Dimension{Param: p, IntScale: scale}
	d.Kind = param.Float
	d.Domain.Low, d.Domain.High = p.Domain.Low/scale, p.Domain.High/scale
	if d.Domain.Step /= scale; d.Domain.Step == 0 && !d.Domain.Log {
		d.Domain.Step = 1 / scale
	}
	d.Default = d.Searched(p.Default)
	return d
}

// Played returns the text of a searched value as the strategy takes it: the value itself,
// or with a scale the integer nearest to value*scale, halves away from 0.
func (d *Dimension) Played(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if d.IntScale == 0 || err != nil {
		return text
	}
	return strconv.FormatInt(int64(math.Round(x*d.IntScale)), 10)
}

// Searched returns the text of a value that the strategy takes as a search has it: the
// value itself, or with a scale value/scale.
func (d *Dimension) Searched(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if d.IntScale == 0 || err != nil {
		return text
	}
	if x /= d.IntScale; d.Domain.Step > 0 && x >= d.Domain.Low && x <= d.Domain.High {
		x = d.Domain.Round(x) // as a trial has it
	}
	return strconv.FormatFloat(x+0, 'g', -1, 64) // + 0: never -0
}

// Native returns the parameter as the strategy declares it, in the range that is tuned.
func (d *Dimension) Native() param.Param {
	p := d.Param
	if d.IntScale == 0 {
		return p
	}
	p.Kind, p.Default = param.Int, d.Played(d.Default)
	p.Domain.Low, p.Domain.High = math.Round(p.Domain.Low*d.IntScale), math.Round(p.Domain.High*d.IntScale)
	p.Domain.Step = math.Round(p.Domain.Step * d.IntScale)
	if p.Domain.Step == 1 {
		p.Domain.Step = 0
	}
	return p
}

// played returns searched values as the strategy takes them; see [Dimension.Played].
func (s Space) played(values param.Values) param.Values {
	out := append(param.Values(nil), values...)
	for i := range out {
		if d := s.dimension(out[i].Name); d != nil {
			out[i].Text = d.Played(out[i].Text)
		}
	}
	return out
}
