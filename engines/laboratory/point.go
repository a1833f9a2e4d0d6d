package laboratory

import (
	"math"

	"sakusen/engines/param"
)

const (
	integerTop = 20   // integers are 0..20
	logTop     = 1000 // logarithmic parameters are 1..1000
	letters    = "abcd"
)

// Point is a place in the space of parameters.
type Point struct {
	// X are the numeric parameters as declared: integers first, then logarithmic
	// ones, then those in 0..1.
	X [MaxDimensions]float64
	// C are the choices, as indices of letters.
	C [MaxCategories]int
	// Bend is the conditional parameter, in 0..1.
	Bend float64
}

// Domain is the range of the i-th numeric parameter, with its default, and
// whether it is an integer.
func (r *Rules) Domain(i int) (d param.Domain, def float64, integer bool) {
	switch {
	case i < r.integers:
		return param.Range(0, integerTop), integerTop / 2, true
	case i < r.integers+r.logs:
		return param.Log(1, logTop), math.Sqrt(logTop), false
	}
	return param.Range(0, 1), 0.5, false
}

// Dimensions is the number of numeric parameters.
func (r *Rules) Dimensions() int { return r.dimensions }

// Categories is the number of choices.
func (r *Rules) Categories() int { return r.categories }

// Letters are the values of a choice.
func Letters() []string { return []string{"a", "b", "c", "d"} }

// Conditional is the letter of c1 with which bend is active, empty where there
// is no such parameter.
func (r *Rules) Conditional() string {
	if !r.conditional {
		return ""
	}
	return letters[r.land.best[0] : r.land.best[0]+1]
}

// Default is the point of the default parameters, the baseline of the headroom.
func (r *Rules) Default() Point {
	var p Point
	for i := range r.dimensions {
		_, p.X[i], _ = r.Domain(i)
	}
	p.Bend = bendDefault
	return p
}

// Top is the planted optimum.
func (r *Rules) Top() Point {
	var p Point
	for i := range r.dimensions {
		p.X[i] = r.value(i, r.land.top[i])
	}
	for j := range r.categories {
		p.C[j] = r.land.best[j]
	}
	p.Bend = r.land.bend
	return p
}

// unit is a numeric parameter on the scale 0..1.
func (r *Rules) unit(i int, x float64) float64 {
	switch {
	case i < r.integers:
		return x / integerTop
	case i < r.integers+r.logs:
		return math.Log(x) / math.Log(logTop)
	}
	return x
}

// value is the parameter at a place on the scale 0..1.
func (r *Rules) value(i int, u float64) float64 {
	switch {
	case i < r.integers:
		return math.Round(u * integerTop)
	case i < r.integers+r.logs:
		return math.Min(math.Pow(logTop, u), logTop)
	}
	return u
}
