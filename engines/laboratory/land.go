package laboratory

import (
	"math"

	"sakusen/engines/param"
)

// Land is a landscape: where numbers and choices lie, and what of the height is lost at a place.
type Land struct {
	numbers []number
	choices []choice
	lost    func(u []float64, c []int) float64
	height  float64 // Elo that a player of the top has over the baseline in a game of two
	scale   float64 // share of the height that a unit of what is lost is
	// along are the directions in which players lie on the circle on which they beat one
	// another, and on that of the starts which suit them; nil where the first number alone counts.
	along [2][]float64
}

// number is a numeric parameter, x and its position where it has no name. Its place is where a value lies on a scale of 0 to 1
// on which the landscape is drawn.
type number struct {
	name   string
	domain param.Domain
	whole  bool
	bend   float64 // of the scale: 0 is straight
	base   float64 // value of the baseline
	top    float64 // value at the top
	when   when
	after  int // the number that this one may not lie below, -1 for none
}

// choice is a parameter of a few values, the first ones of the alphabet.
type choice struct {
	values, base, top int
	when              when
}

// when is a condition: the parameter is active while the choice has the value. A choice of
// -1 is no condition.
type when struct{ choice, value int }

var anyway = when{-1, 0}

// term is a share of the height that is lost away from the top. The choices select one of
// the hollows, counted with the first choice as the highest digit; without choices
// the least of all hollows is lost.
type term struct {
	choices []int
	hollows []hollow
	scale   float64 // share of the height that a unit of the hollows' loss is
}

// hollow is a place about which a term is least: the gap there, and the loss of the
// members' distances from their bottoms.
type hollow struct {
	gap     float64
	members []int
	bottom  []float64
	loss    loss // nil for the gap alone
}

// place returns where a value lies on the scale from 0 to 1.
func (n *number) place(x float64) float64 {
	low, high := n.domain.Low, n.domain.End()
	u := (x - low) / (high - low)
	if n.domain.Log {
		u = math.Log(x/low) / math.Log(high/low)
	}
	if n.bend != 0 {
		u = math.Expm1(-n.bend*u) / math.Expm1(-n.bend)
	}
	return u
}

// value returns the value nearest to a place that the number can take.
func (n *number) value(u float64) float64 {
	u = math.Min(math.Max(u, 0), 1)
	low, high := n.domain.Low, n.domain.End()
	if n.bend != 0 {
		u = -math.Log1p(u*math.Expm1(-n.bend)) / n.bend
	}
	x := low + u*(high-low)
	if n.domain.Log {
		x = low * math.Pow(high/low, u)
	}
	x = math.Min(math.Max(x, low), high)
	switch {
	case n.whole:
		x = math.Round(x)
	case n.domain.Step > 0:
		x = n.domain.Point(int(math.Round((x - low) / n.domain.Step)))
	}
	return x
}

// Base returns the point of the baseline.
func (l *Land) Base() Point {
	return l.point(func(n *number) float64 { return n.base }, func(c *choice) int { return c.base })
}

// Top returns the highest point.
func (l *Land) Top() Point {
	return l.point(func(n *number) float64 { return n.top }, func(c *choice) int { return c.top })
}

// active reports whether a condition holds.
func (l *Land) active(w when, c []int) bool {
	return w.choice < 0 || c[w.choice] == w.value && l.active(l.choices[w.choice].when, c)
}

func (l *Land) point(x func(*number) float64, c func(*choice) int) Point {
	p := Point{X: make([]float64, len(l.numbers)), C: make([]int, len(l.choices))}
	for i := range l.numbers {
		p.X[i] = x(&l.numbers[i])
	}
	for j := range l.choices {
		p.C[j] = c(&l.choices[j])
	}
	return p
}

// places returns where the numbers of a point lie.
func (l *Land) places(p Point) []float64 {
	u := make([]float64, len(l.numbers))
	for i := range u {
		u[i] = l.numbers[i].place(p.X[i])
	}
	return u
}

func (t *term) lost(u []float64, c []int, choices []choice) float64 {
	if len(t.choices) > 0 {
		at := 0
		for _, j := range t.choices {
			at = at*choices[j].values + c[j]
		}
		return t.scale * t.hollows[at].lost(u)
	}
	least := math.Inf(1)
	for i := range t.hollows {
		least = math.Min(least, t.hollows[i].lost(u))
	}
	return t.scale * least
}

func (h *hollow) lost(u []float64) float64 {
	if h.loss == nil {
		return h.gap
	}
	z := make([]float64, len(h.members))
	for k, i := range h.members {
		z[k] = u[i] - h.bottom[k]
	}
	return h.gap + h.loss(z)
}
