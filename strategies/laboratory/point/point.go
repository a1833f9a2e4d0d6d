// Package point plays the laboratory: its parameters are the coordinates of a
// point, and its strength is the height of the landscape there.
//
//	rules.Entrant("point(x1=0.3,x2=0.9)")
//	elo, err := point.Elo(spec.Rules, best.Values) // the truth about it
package point

import (
	"errors"

	"sakusen/engines/arena"
	"sakusen/engines/laboratory"
	"sakusen/engines/param"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[laboratory.Rules, *laboratory.Player] {
	return arena.Strategy[laboratory.Rules, *laboratory.Player]{
		Name:   "point",
		Doc:    "A point in the space of parameters, as strong as the landscape is high.",
		Source: "ours",
		New:    func() arena.Config[laboratory.Rules, *laboratory.Player] { return &config{} },
		// Away from the default parameters, whose height says nothing; 1 is a value of
		// every kind of number.
		Sign: param.Values{{Name: "x1", Text: "1"}},
	}
}

// config is a point as it is declared.
type config struct{ read func() laboratory.Point }

func (c *config) Declare(f *param.Fields, r *laboratory.Rules) { c.read = r.Declare(f) }

func (c *config) Player(r *laboratory.Rules) (*laboratory.Player, error) {
	return r.Player(c.read()), nil
}

// Elo is the true strength, Elo above the default parameters, of parameters
// under rules, both as canonical or written values.
func Elo(rules, values param.Values) (float64, error) {
	r, err := laboratory.Open(rules)
	if err != nil {
		return 0, err
	}
	c := &config{}
	f, err := param.Bind(func(f *param.Fields) { c.Declare(f, r) })
	if err != nil {
		return 0, err
	}
	if _, errs := f.Assign(values); len(errs) > 0 {
		return 0, errors.Join(errs...)
	}
	return r.Elo(r.Player(c.read())), nil
}
