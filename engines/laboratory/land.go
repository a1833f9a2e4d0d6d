package laboratory

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// land is a landscape: where numbers and choices lie, and what of the height is lost at a place.
type land struct {
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

// base returns the point of the baseline.
func (l *land) base() point {
	return l.point(func(n *number) float64 { return n.base }, func(c *choice) int { return c.base })
}

// top returns the highest point.
func (l *land) top() point {
	return l.point(func(n *number) float64 { return n.top }, func(c *choice) int { return c.top })
}

// active reports whether a condition holds.
func (l *land) active(w when, c []int) bool {
	return w.choice < 0 || c[w.choice] == w.value && l.active(l.choices[w.choice].when, c)
}

func (l *land) point(x func(*number) float64, c func(*choice) int) point {
	p := point{X: make([]float64, len(l.numbers)), C: make([]int, len(l.choices))}
	for i := range l.numbers {
		p.X[i] = x(&l.numbers[i])
	}
	for j := range l.choices {
		p.C[j] = c(&l.choices[j])
	}
	return p
}

// places returns where the numbers of a point lie.
func (l *land) places(p point) []float64 {
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

const (
	// A coordinate of the top lies between these distances from the default 1/2, so that
	// the gain of a parameter is neither a spike at the default nor always at the end of
	// the range.
	nearest, farthest = 0.15, 0.5
	// atEnd is the share of coordinates whose optimum is an end of the range.
	atEnd = 0.125
	// weightRange is how much more one parameter can matter than another.
	weightRange = 4

	bendDefault = 0.5

	integerTop = 20   // integers are 0..20
	logTop     = 1000 // logarithmic parameters are 1..1000
	letters    = "abcd"

	// letterLoss is what the worst letter costs, in squared units of distance:
	// as much as a numeric parameter at its default.
	letterLoss = 0.12

	rippleWaves = 5    // ripples over a range
	rippleDepth = 0.15 // of the height of the hill that they lie on
	lowerLoss   = 0.4  // of the second hill's top, of the first hill's loss at the default
	lowerSlope  = 0.5  // of the second hill, of the first's
	cliffEdge   = 0.05 // beyond the top
	cliffDepth  = 2    // headrooms
	flatLoss    = 1.2  // of the loss at the default
)

// forms returns the planted landscapes.
func forms() []string { return []string{"hill", "ridge", "ripples", "two_hills", "cliff", "plateau"} }

// planted is a top of numbers and choices that the rules name, and what is lost away from it.
type planted struct {
	rules  *Rules
	top    []float64 // places
	second []float64 // of the lower hill's top
	weight []float64
	best   []int
	letter [][len(letters)]float64 // loss by letter
	bend   float64
}

// newPlanted draws where the top lies.
func newPlanted(r *Rules) *land {
	l := &planted{rules: r}
	land := &land{}
	s := arena.NewStream(uint64(r.landscapeSeed), 0x6c6162)
	for i := range r.dimensions {
		offset := nearest + float64((farthest-nearest)*s.Float64())
		if s.Float64() < atEnd {
			offset = 0.5
		}
		if s.Bool() {
			offset = -offset
		}
		l.weight = append(l.weight, math.Pow(weightRange, s.Float64()-0.5))
		n := number{domain: param.Range(0, 1), base: 0.5, when: anyway, after: -1}
		switch {
		case i < r.integers:
			n.domain, n.base, n.whole = param.Range(0, integerTop), integerTop/2, true
		case i < r.integers+r.logs:
			n.domain, n.base = param.Log(1, logTop), math.Sqrt(logTop)
		}
		n.top = n.value(0.5 + offset)
		land.numbers = append(land.numbers, n)
		l.top = append(l.top, n.place(n.top))
		l.second = append(l.second, 0.5-float64(0.8*offset))
	}
	for range r.categories {
		best := 1 + s.IntN(len(letters)-1) // never the default
		order := [len(letters) - 1]float64{0.5, 0.8, 1}
		s.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		var losses [len(letters)]float64
		for k, at := 0, 0; k < len(letters); k++ {
			if k != best {
				losses[k] = letterLoss * order[at]
				at++
			}
		}
		l.best, l.letter = append(l.best, best), append(l.letter, losses)
		land.choices = append(land.choices, choice{values: len(letters), top: best, when: anyway})
	}
	l.bend = nearest + float64((1-2*nearest)*s.Float64())
	if r.conditional {
		land.numbers = append(land.numbers, number{
			name: "bend", domain: param.Range(0, 1), base: bendDefault, top: l.bend, when: when{0, l.best[0]}, after: -1,
		})
	}
	land.lost, land.height, land.scale = l.loss, r.headroom, 1
	base := land.base()
	if loss := l.loss(land.places(base), base.C); loss > 0 {
		land.scale = 1 / loss
	}
	return land
}

// loss returns 0 at the top and positive elsewhere.
func (l *planted) loss(u []float64, c []int) float64 {
	r := l.rules
	delta := make([]float64, len(l.top))
	first, second := 0.0, 0.0
	for i := range delta {
		delta[i] = u[i] - l.top[i]
		first += l.weight[i] * float64(delta[i]*delta[i])
		e := u[i] - l.second[i]
		second += l.weight[i] * float64(e*e)
	}
	switch r.form {
	case "ridge":
		for i := 1; i < r.dimensions; i++ {
			oblique := delta[i] + delta[i-1]
			first += float64(2 * float64(oblique*oblique))
		}
	case "ripples":
		for i := range r.dimensions {
			wave := (1 - math.Cos(2*math.Pi*rippleWaves*delta[i])) / 2
			first += float64(rippleDepth * letterLoss * wave)
		}
	case "two_hills":
		first = math.Min(first, float64(lowerLoss*l.atDefault())+float64(lowerSlope*second))
	case "cliff":
		if over := delta[0] * math.Copysign(1, l.top[0]-0.5); over > cliffEdge {
			first += float64(cliffDepth * l.atDefault())
		}
	case "plateau":
		first = math.Min(first, float64(flatLoss*l.atDefault()))
	}
	for j := range l.best {
		first += l.letter[j][c[j]]
	}
	if r.conditional {
		e := u[len(l.top)] - l.bend
		first += e * e
	}
	return first
}

// atDefault returns the quadratic loss of the default numbers.
func (l *planted) atDefault() float64 {
	sum := 0.0
	for i := range l.top {
		d := 0.5 - l.top[i]
		sum += l.weight[i] * float64(d*d)
	}
	return sum
}
