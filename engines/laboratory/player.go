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

// Player is where a point stands. Nothing is asked of it during a game.
type Player struct {
	// Height is its strength, Elo above the default parameters.
	Height float64
	// Angle is its place on the circle on which players beat one another, radians.
	Angle float64
	// Cost is its mean cost of a game, units of work; the default costs 1000.
	Cost int64
	// Salt tells points apart; 0 is the default parameters.
	Salt uint64

	// Luck is the luck of a whole block, for or against the candidate, that the
	// place brings with it, Elo.
	Luck float64

	centis int64 // Height in hundredths
}

// Player is the player at a point.
func (r *Rules) Player(p Point) *Player {
	u := r.unit(0, p.X[0])
	out := &Player{
		Height: r.land.height(p),
		Angle:  2 * math.Pi * (u - 0.5),
		Cost:   int64(math.Round(1000 * math.Pow(2, 4*(u-0.5)))),
	}
	if r.form == storm {
		out.Luck = stormElo * u
	}
	d := r.Default()
	if !r.conditional || p.C[0] != r.land.best[0] {
		p.Bend = d.Bend
	}
	if p == d {
		out.Height, out.Luck = 0, 0
		return out
	}
	out.centis = int64(math.Round(100 * out.Height))
	h := uint64(1)
	for i := range r.dimensions {
		h = fold(h, math.Float64bits(p.X[i]))
	}
	for j := range r.categories {
		h = fold(h, uint64(p.C[j]))
	}
	out.Salt = fold(h, math.Float64bits(p.Bend)) | 1
	return out
}

// fold is a step of a hash.
func fold(h, x uint64) uint64 {
	h = (h ^ x) * 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// difference is the strength of a against b in a game of two, Elo, without the
// seats.
func (r *Rules) difference(a, b *Player) float64 {
	d := a.Height - b.Height
	if r.cycle > 0 {
		d += float64(r.cycle * math.Sin(a.Angle-b.Angle))
	}
	return d
}

// Elo is the true strength of a player against the default parameters in all
// other seats: the Elo of its expected block score, in closed form.
func (r *Rules) Elo(p *Player) float64 {
	s := r.Score(p)
	return 400 * math.Log10(s*float64(r.players-1)/(1-s))
}

// Score is a player's expected block score against the default parameters in all
// other seats. Draws do not enter: they take as much from the win as from the
// loss.
func (r *Rules) Score(p *Player) float64 {
	base := &Player{}
	d := r.difference(p, base)
	others := float64(r.players - 1)
	seat := theta(r.seatElo)
	sum := 0.0
	noise := r.noise + p.Luck
	for _, luck := range [...]float64{noise, -noise} {
		t := theta(d + luck)
		sum += t * seat / (t*seat + others)         // in the first seat
		sum += others * t / (t + others - 1 + seat) // in each of the others
	}
	return sum / (2 * float64(r.players))
}

// theta is the odds of an advantage in Elo.
func theta(elo float64) float64 { return math.Pow(10, elo/400) }
