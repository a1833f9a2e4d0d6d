package laboratory

import (
	"math"
	"slices"
	"strconv"

	"sakusen/engines/param"
)

// point is a place in the space of parameters: a value for every number and every choice, active
// or not.
type point struct {
	X []float64
	C []int // positions of the values
}

// Declare binds the parameters of a point; read returns the one that they were given.
func (r *Rules) Declare(f *param.Fields) (read func() point) {
	l := r.land
	x, whole, c := make([]float64, len(l.numbers)), make([]int, len(l.numbers)), make([]string, len(l.choices))
	numbers := func(conditional bool) {
		for i := range l.numbers {
			n := &l.numbers[i]
			if (n.when != anyway) != conditional {
				continue
			}
			var opts []param.Option
			if n.after >= 0 {
				opts = append(opts, param.AtLeast(l.name(n.after)))
			}
			n.when.under(f, func(f *param.Fields) {
				if n.whole {
					f.Int(&whole[i], l.name(i), int(n.base), n.domain, "coordinate of the point", opts...)
				} else {
					f.Float(&x[i], l.name(i), n.base, n.domain, "coordinate of the point", opts...)
				}
			})
		}
	}
	numbers(false)
	for j := range l.choices {
		o := &l.choices[j]
		values := make([]string, o.values)
		for v := range values {
			values[v] = letter(v)
		}
		o.when.under(f, func(f *param.Fields) {
			f.Choice(&c[j], "c"+strconv.Itoa(j+1), letter(o.base), values, "one of a few letters, of which one is best")
		})
	}
	numbers(true)
	return func() point {
		p := point{X: append([]float64(nil), x...), C: make([]int, len(c))}
		for i := range x {
			if l.numbers[i].whole {
				p.X[i] = float64(whole[i])
			}
		}
		for j := range c {
			p.C[j] = int(c[j][0] - 'a')
		}
		return p
	}
}

// name returns the name of the i-th number.
func (l *land) name(i int) string {
	if n := l.numbers[i].name; n != "" {
		return n
	}
	return "x" + strconv.Itoa(i+1)
}

// under declares what is active under a condition.
func (w when) under(f *param.Fields, declare func(f *param.Fields)) {
	if w == anyway {
		declare(f)
		return
	}
	f.When("c"+strconv.Itoa(w.choice+1), letter(w.value), declare)
}

func letter(v int) string { return string(rune('a' + v)) }

// Default returns the point of the default parameters, the baseline of the headroom.
func (r *Rules) Default() point { return r.land.base() }

// Top returns the planted optimum.
func (r *Rules) Top() point { return r.land.top() }

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

	suited float64 // its place on the circle of the starting positions that suit it, radians
	centis int64   // Height in hundredths
}

// leastCentis bounds what is counted of a height.
const leastCentis = -1e8

// Player returns the player at a point.
func (r *Rules) Player(p point) *Player {
	l := r.land
	base, same := l.base(), true
	p = point{X: slices.Clone(p.X), C: slices.Clone(p.C)}
	for j := range l.choices {
		if !l.active(l.choices[j].when, p.C) {
			p.C[j] = base.C[j]
		}
		same = same && p.C[j] == base.C[j]
	}
	for i := range l.numbers {
		if !l.active(l.numbers[i].when, p.C) {
			p.X[i] = base.X[i]
		}
		same = same && p.X[i] == base.X[i]
	}
	u := l.places(p)
	out := &Player{
		Height: l.height * (1 - float64(l.scale*l.lost(u, p.C))),
		Angle:  2 * math.Pi * (u[0] - 0.5),
		Cost:   int64(math.Round(1000 * math.Pow(2, 4*(u[0]-0.5)))),
	}
	if l.along[0] != nil {
		b := l.places(base)
		for i := range u {
			b[i] = u[i] - b[i]
		}
		out.Angle, out.suited = 8*dot(b, l.along[0]), 8*dot(b, l.along[1])
	}
	if same {
		out.Height = 0
		return out
	}
	out.centis = int64(math.Round(math.Max(100*out.Height, leastCentis)))
	out.Salt = l.salt(p)
	return out
}

// salt distinguishes a point from others. Numbers under conditions come last, as they are declared.
func (l *land) salt(p point) uint64 {
	h, rest := uint64(1), []float64(nil)
	for i, x := range p.X {
		if l.numbers[i].when != anyway {
			rest = append(rest, x)
			continue
		}
		h = fold(h, math.Float64bits(x))
	}
	for _, c := range p.C {
		h = fold(h, uint64(c))
	}
	if rest == nil {
		rest = []float64{bendDefault} // which digests of games have from the first
	}
	for _, x := range rest {
		h = fold(h, math.Float64bits(x))
	}
	return h | 1
}

// fold returns a step of a hash.
func fold(h, x uint64) uint64 {
	h = (h ^ x) * 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// difference returns the strength of a against b in a game of two, Elo, without the
// seats. On a drawn landscape what players of the circle have over one another is counted so that
// nothing of it is left against the baseline, and the top stays the top.
func (r *Rules) difference(a, b *Player) float64 {
	d := a.Height - b.Height
	if r.cycle > 0 {
		d += float64(r.cycle * math.Sin(a.Angle-b.Angle))
		if r.land.along[0] != nil {
			d += r.cycle * (math.Sin(b.Angle) - math.Sin(a.Angle))
		}
	}
	return d
}

// Elo returns the true strength of a player against the default parameters in all
// other seats: the Elo of its expected block score, in closed form. Draws do not enter: they take
// as much from the win as from the loss.
func (r *Rules) Elo(p *Player) float64 {
	if p.Salt == 0 {
		return 0
	}
	return r.elo(r.difference(p, &Player{}), p.suited)
}

// endless is the number of positions that stand for no end of them.
const endless = 64

// elo returns the strength of a player that has so much over the baseline in a game of two without seats.
func (r *Rules) elo(d, suited float64) float64 {
	others, seat, sum, n := float64(r.players-1), theta(r.seatElo), 0.0, 1
	if r.swing > 0 {
		if n = r.starts; n == 0 {
			n = endless
		}
	}
	for k := range n {
		suits := r.suits(suited, float64(k)/float64(n))
		for _, luck := range [...]float64{r.noise, -r.noise} {
			t := theta(d + suits + luck)
			sum += t * seat / (t*seat + others)         // in the first seat
			sum += others * t / (t + others - 1 + seat) // in each of the others
		}
	}
	s := sum / float64(2*n*r.players)
	return 400 * math.Log10(s*others/(1-s))
}

// suits returns what a starting position, a place of 0..1 on their circle, gives a player, Elo.
func (t *table) suits(suited, start float64) float64 {
	return t.swing * math.Sin(suited-2*math.Pi*start)
}

// theta returns the odds of an advantage in Elo.
func theta(elo float64) float64 { return math.Pow(10, elo/400) }
