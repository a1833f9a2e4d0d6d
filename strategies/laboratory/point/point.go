// Package point plays the laboratory: its parameters are the coordinates of a
// point, and its strength is the height of the landscape there.
//
//	rules.Entrant("point(x1=0.3,x2=0.9)")
//	elo, err := point.Elo(spec.Rules, best.Values) // the truth about it
package point

import (
	"sakusen/engines/arena"
	"sakusen/engines/laboratory"
	"sakusen/engines/param"
)

// Strategy returns the strategy's entry in the catalogue.
func Strategy() arena.Strategy[laboratory.Rules, *laboratory.Player] {
	return arena.Strategy[laboratory.Rules, *laboratory.Player]{
		Name:   "point",
		Doc:    "A point in the space of parameters, as strong as the landscape is high.",
		Source: "ours",
		New: func(f *param.Fields, r *laboratory.Rules) arena.Maker[*laboratory.Player] {
			read := r.Declare(f)
			return func() (*laboratory.Player, error) { return r.Player(read()), nil }
		},
		// Away from the default parameters, whose height says nothing; 1 is a value of
		// every kind of number.
		Sign: param.Values{{Name: "x1", Text: "1"}},
	}
}

// Elo returns the true strength, Elo above the default parameters, of parameters
// under rules, both as canonical or written values.
func Elo(rules, values param.Values) (float64, error) {
	r, err := laboratory.Open(rules)
	if err != nil {
		return 0, err
	}
	s := Strategy()
	p, err := s.Player(r, values)
	if err != nil {
		return 0, err
	}
	return r.Elo(p), nil
}
