package ground

import (
	"math"
	"strconv"

	"sakusen/engines/param"
)

// Land is a landscape of players and the table at which they play.
type Land struct {
	Kind string
	Seed int

	numbers []number
	choices []choice
	terms   []term
	table   table
	height  float64 // of the top, Elo that a player of it has over the baseline in a game of two
	elo     float64 // of the top: its strength against the baseline
}

// number is a numeric parameter. Its place is where a value lies on a scale of 0 to 1
// on which the landscape is drawn.
type number struct {
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

var always = when{-1, 0}

// Point is a set of parameters: a value for every number and every choice, active or not.
type Point struct {
	X []float64
	C []int
}

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
	default:
		// Six digits, so that a value is the same on every processor.
		if x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64); x < low || x > high {
			x = math.Min(math.Max(x, low), high)
		}
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

// Elo returns the strength of the top against the baseline.
func (l *Land) Elo() float64 { return l.elo }

// Numbers returns the number of numeric parameters, those under conditions included.
func (l *Land) Numbers() int { return len(l.numbers) }

// Seats returns the number of players at the table.
func (l *Land) Seats() int { return l.table.seats }

// Starts returns the number of starting positions that the game tells of, 0 for no end of them.
func (l *Land) Starts() int {
	if l.table.declared {
		return l.table.starts
	}
	return 0
}

// Mixed reports whether there are parameters that are no numbers, Conditional whether some
// are active only under conditions.
func (l *Land) Mixed() bool { return len(l.choices) > 0 }

// Conditional reports whether some parameters are active only under conditions.
func (l *Land) Conditional() bool {
	for i := range l.numbers {
		if l.numbers[i].when != always {
			return true
		}
	}
	for i := range l.choices {
		if l.choices[i].when != always {
			return true
		}
	}
	return false
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

// Lost returns the share of the top's height that is lost at a point: 0 at the top, 1
// at the baseline, more where it is worse than that.
func (l *Land) Lost(p Point) float64 { return l.lost(l.places(p), p.C) }

func (l *Land) lost(u []float64, c []int) float64 {
	sum := 0.0
	for i := range l.terms {
		sum += l.terms[i].lost(u, c, l.choices)
	}
	return sum
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
