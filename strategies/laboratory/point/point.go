// Package point plays the laboratory: its parameters are the coordinates of a
// point, and its strength is the height of the landscape there.
//
//	rules.Entrant("point(x1=0.3,x2=0.9)")
//	elo, err := point.Elo(spec.Rules, best.Values) // the truth about it
package point

import (
	"errors"
	"fmt"

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
type config struct {
	numbers [laboratory.MaxDimensions]float64
	whole   [laboratory.MaxDimensions]int
	choices [laboratory.MaxCategories]string
	bend    float64
}

func (c *config) Declare(f *param.Fields, r *laboratory.Rules) {
	for i := range r.Dimensions() {
		domain, def, integer := r.Domain(i)
		name := fmt.Sprintf("x%d", i+1)
		if integer {
			f.Int(&c.whole[i], name, int(def), domain, "coordinate of the point")
		} else {
			f.Float(&c.numbers[i], name, def, domain, "coordinate of the point")
		}
	}
	for j := range r.Categories() {
		f.Choice(&c.choices[j], fmt.Sprintf("c%d", j+1), "a", laboratory.Letters(), "one of four letters, of which one is best")
	}
	if letter := r.Conditional(); letter != "" {
		f.When("c1", letter, func(f *param.Fields) {
			f.Float(&c.bend, "bend", 0.5, param.Range(0, 1), "coordinate that counts only with the best letter of c1")
		})
	}
}

func (c *config) Player(r *laboratory.Rules) (*laboratory.Player, error) {
	return r.Player(c.point(r)), nil
}

// point is the point that was declared.
func (c *config) point(r *laboratory.Rules) laboratory.Point {
	var p laboratory.Point
	for i := range r.Dimensions() {
		p.X[i] = c.numbers[i]
		if _, _, integer := r.Domain(i); integer {
			p.X[i] = float64(c.whole[i])
		}
	}
	for j := range r.Categories() {
		p.C[j] = int(c.choices[j][0] - 'a')
	}
	p.Bend = c.bend
	return p
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
	return r.Elo(r.Player(c.point(r))), nil
}
