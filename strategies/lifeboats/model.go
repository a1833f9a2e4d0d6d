// The model by which players of Lifeboats judge a position: the worth of each
// boat, from it the advantage of each player, and from them how far ahead a
// player is of the others, the strongest counting most. It is all that a level-0
// player knows, and what others predict it by.
//
//	B = A[steps to go] + L[leaks] + C[players aboard] + R[rank]   a boat afloat
//	B = D                                                         a boat home
//	V = sum over boats of B x crew aboard                         of a player
//	E = V - sum over opponents r of V_r^X V_r / sum over s of V_s^X
//
// With X = 0 the opponents' mean is what counts, with large X the best of them.
// L[0], C[1] and the last rank's R are 0, the origin of the scale; multiplying
// all weights by a positive number changes no vote.
//
//	m := lifeboats.New(&weights, rules.Players())
//	var e lifeboats.Values
//	m.Evaluate(position, seat, &e)
//
// A vote changes one boat and the ranks of some others, so each option's
// advantages are the present ones plus a multiple of the boat's crew and of the
// crew at each distance; nothing is copied or summed again. The powers are
// multiplications for whole X to 16. For others, bounds and chords leave out all
// options but those that are tied or hardly differ, whose powers are two table
// look-ups with short polynomials (about 1e-13 relative).
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), section 3, formulas 1 to 3. The
// clipping of negative advantages, and what a full boat's leak is worth, are our own
// choices, because the paper does not say.

package lifeboats

import (
	"math"

	"sakusen/engines/lifeboats"
)

// Model evaluates positions with fixed weights. It implements lifeboats.Model
// and is immutable.
type Model struct {
	players int
	steps   [lifeboats.Distance + 1]float64
	leaks   [8]float64
	parties [8]float64
	rank    [16]float64 // beyond the last place 0
	home    float64
	x       float64
	whole   int // X where it is a whole number from 1 to maxWhole, else 0
	full    lookAhead
	curve   *chords // of t^X, for five players whose X lies between two whole numbers
}

// lookAhead is what a full boat's leak is worth.
type lookAhead uint8

const (
	aboard lookAhead = iota
	optimistic
	worthExpected
)

// maxWhole is the largest exponent that is multiplied out. With weights up to a
// million, advantages up to 4e7 stay below 1e130, and those above the least that
// counts, 1e-9, above 1e-154.
const maxWhole = 16

// New makes a model for a number of players.
func New(w *Weights, players int) *Model {
	m := &Model{players: players, home: w.Home, x: math.Max(w.X, 0), steps: w.Steps}
	copy(m.leaks[:], w.Leaks[:])
	copy(m.parties[2:players+1], w.Parties[2:])
	copy(m.rank[1:players+1], w.Rank[1:])
	m.steps[0], m.leaks[0] = 0, 0
	if m.x >= 1 && m.x <= maxWhole && m.x == math.Trunc(m.x) {
		m.whole = int(m.x)
	}
	switch w.Full {
	case "optimistic":
		m.full = optimistic
	case "expected":
		m.full = worthExpected
	}
	if players == 5 && m.full == aboard && m.whole == 0 && m.x > 0 && m.x < maxWhole {
		m.curve = newChords(m.x)
	}
	return m
}

// Advantages returns V of every player in a position.
func (m *Model) Advantages(p *lifeboats.Position) lifeboats.Counts {
	var s state
	m.begin(p, &s)
	return s.v
}

// Lead returns E of a player in a position as it is.
func (m *Model) Lead(p *lifeboats.Position, seat int) float64 {
	var s state
	m.begin(p, &s)
	return m.lead(&s.v, seat)
}

// state is a position as the model sees it before a vote.
type state struct {
	v     lifeboats.Counts            // advantages
	worth [lifeboats.Slots]float64    // of boats afloat
	place [lifeboats.Distance + 1]int // rank at each distance
}

// begin works out the worth of boats and the advantages of players.
func (m *Model) begin(p *lifeboats.Position, s *state) {
	s.place[1] = 1
	s.place[2] = 1 + int(p.Fleet[1])
	s.place[3] = s.place[2] + int(p.Fleet[2])
	// Six sums in registers: written to memory boat by boat they take twice as
	// long.
	var v0, v1, v2, v3, v4, v5 float64
	if p.Home != 0 {
		n := &p.Saved
		v0, v1, v2 = float64(m.home*n[0]), float64(m.home*n[1]), float64(m.home*n[2])
		v3, v4, v5 = float64(m.home*n[3]), float64(m.home*n[4]), float64(m.home*n[5])
	}
	for set := p.Afloat; set != 0; set = set.Rest() {
		b := set.First() & (lifeboats.Slots - 1)
		d := p.Steps[b] & 3
		w := m.steps[d] + m.leaks[p.Leaks[b]&7] + m.parties[p.Parties[b]&7] + m.rank[s.place[d]&15]
		s.worth[b] = w
		n := &p.Crew[b]
		v0, v1, v2 = v0+float64(w*n[0]), v1+float64(w*n[1]), v2+float64(w*n[2])
		v3, v4, v5 = v3+float64(w*n[3]), v4+float64(w*n[4]), v5+float64(w*n[5])
	}
	s.v = lifeboats.Counts{v0, v1, v2, v3, v4, v5}
}

// Evaluate implements lifeboats.Model.
func (m *Model) Evaluate(p *lifeboats.Position, seat int, e *lifeboats.Values) {
	var s state
	var next follow
	m.begin(p, &s)
	m.after(p, &s, &next)
	for set := p.Options(); set != 0; set = set.Rest() {
		o := set.First() & (lifeboats.Slots - 1)
		if m.full != aboard && p.Phase == lifeboats.Leak && p.Expels(o) {
			e[o] = m.leakFull(p, &s, o, seat)
			continue
		}
		e[o] = m.lead(&next[o], seat)
	}
}

// leakFull looks beyond the leak of a full boat to its expulsion.
func (m *Model) leakFull(p *lifeboats.Position, s *state, b, seat int) float64 {
	best, sum, crew := math.Inf(-1), 0.0, 0.0
	for q, n := range p.Crew[b] {
		if n == 0 {
			continue
		}
		var v lifeboats.Counts
		m.afterExpulsion(p, s, b, q, &v)
		x := m.lead(&v, seat)
		best = math.Max(best, x)
		sum += float64(n * x)
		crew += n
	}
	if m.full == optimistic {
		return best
	}
	return sum / crew
}

// slack covers the rounding of bounds, relative to the size of a value.
const slack = 1e-11

// Favour implements lifeboats.Model.
func (m *Model) Favour(p *lifeboats.Position, seat int) lifeboats.Set {
	options := p.Options()
	switch {
	case options.Rest() == 0:
		return options
	case m.full != aboard || m.x == 0 || m.x >= maxWhole:
	case m.whole == 0:
		return m.favourBetween(p, seat, options)
	case m.whole == 2 && m.players == 5:
		return m.favourSquares(p, seat, options)
	}
	var e lifeboats.Values
	m.Evaluate(p, seat, &e)
	return lifeboats.Best(&e, options)
}

// favourSquares returns Favour of five players with X = 2: what Evaluate, opponents and
// lifeboats.Best do, in one loop.
func (m *Model) favourSquares(p *lifeboats.Position, seat int, options lifeboats.Set) lifeboats.Set {
	var s state
	var next follow
	var e lifeboats.Values
	m.begin(p, &s)
	m.after(p, &s, &next)
	top := math.Inf(-1)
	for set := options; set != 0; set = set.Rest() {
		o := set.First() & (lifeboats.Slots - 1)
		v := &next[o]
		mine := v[seat]
		v[seat] = v[0]
		a, b, c, d := max(v[1], 0), max(v[2], 0), max(v[3], 0), max(v[4], 0)
		aa, bb, cc, dd := float64(a*a), float64(b*b), float64(c*c), float64(d*d)
		den := (aa + bb) + (cc + dd)
		if den > 4*least*least {
			e[o] = mine - ((float64(aa*a)+float64(bb*b))+(float64(cc*c)+float64(dd*d)))/den
		} else {
			e[o] = mine - m.weighted(v)
		}
		top = max(top, e[o])
	}
	floor := top - lifeboats.Near*max(1, math.Abs(top))
	var best lifeboats.Set
	for set := options; set != 0; set = set.Rest() {
		o := set.First() & (lifeboats.Slots - 1)
		near := lifeboats.Set(0)
		if e[o] >= floor {
			near = 1
		}
		best |= near << o
	}
	return best
}

// favourBetween returns Favour where X lies between two whole numbers, in three stages, each for
// the options that the one before has left. The first bounds the opponents'
// mean, which grows with X, by those of the two whole exponents; the second by chords of the
// curve t^X. Only the third takes powers: for options that are tied or hardly differ.
func (m *Model) favourBetween(p *lifeboats.Position, seat int, options lifeboats.Set) lifeboats.Set {
	var s state
	var next follow
	var high, e lifeboats.Values
	m.begin(p, &s)
	m.after(p, &s, &next)
	low := math.Inf(-1)
	below := int(m.x)
	for set := options; set != 0; set = set.Rest() {
		o := set.First() & (lifeboats.Slots - 1)
		v := &next[o]
		mine := v[seat]
		v[seat] = v[0] // as lead does
		small, large := m.bounds(v, below)
		e[o] = mine // until the opponents are known
		high[o] = mine - small
		low = max(low, mine-large)
	}
	left := contenders(&high, options, low)
	if left.Rest() == 0 {
		return left
	}
	if m.curve != nil {
		low = math.Inf(-1)
		for set := left; set != 0; set = set.Rest() {
			o := set.First() & (lifeboats.Slots - 1)
			low = max(low, m.narrow(&next[o], e[o], &high[o]))
		}
		if left = contenders(&high, left, low); left.Rest() == 0 {
			return left
		}
	}
	for set := left; set != 0; set = set.Rest() {
		o := set.First() & (lifeboats.Slots - 1)
		e[o] -= m.opponents(&next[o])
	}
	return lifeboats.Best(&e, left)
}

// contenders returns the options that may be among the best if each is at most its high and
// the best at least low.
func contenders(high *lifeboats.Values, options lifeboats.Set, low float64) lifeboats.Set {
	low -= (lifeboats.Near + slack) * max(1, math.Abs(low))
	var left lifeboats.Set
	for o, x := range high {
		near := lifeboats.Set(0)
		if x >= low {
			near = 1
		}
		left |= near << o
	}
	return left & options
}

// chords replaces t^X for t from 0 to 1 by straight lines between equally distant points.
type chords [2 * arcs]chord

const arcs = 64

// chord is the line at + slope t, which is off by at most off. The one behind the last is for 1.
type chord struct{ at, slope, off float64 }

// newChords returns the chords of t^x. Over an arc of width h a chord is off by at most h^2/8
// times the curvature x(x-1)t^(x-2), which is greatest at the upper end from x = 2 on, else at
// the lower; and by no more than the curve at the upper end.
func newChords(x float64) *chords {
	const h = 1. / arcs
	c := &chords{}
	before := 0.0
	for i := range arcs {
		lower, upper := float64(i)*h, float64(i+1)*h
		at := power(upper, x)
		slope := float64((at - before) * arcs)
		curvature := at / (upper * upper)
		if x < 2 && i > 0 {
			curvature = before / (lower * lower)
		}
		off := at
		if x >= 2 || i > 0 {
			off = min(at, math.Abs(x*(x-1))*curvature*h*h/8)
		}
		c[i] = chord{before - float64(slope*lower), slope, off + slack}
		before = at
	}
	c[arcs] = c[arcs-1]
	return c
}

// narrow lowers the bound of an option from above to what the chords tell, and returns the one
// from below; mine is the seat's own advantage. The weight of the strongest opponent is 1, and
// those of the others are off by what their chords are; the sum of the weights is at least 1, and
// the mean no further from any advantage than 0 and the strongest are apart.
func (m *Model) narrow(v *lifeboats.Counts, mine float64, high *float64) (low float64) {
	x, y, z, top := max(v[1], 0), max(v[2], 0), max(v[3], 0), max(v[4], 0)
	x, top = min(x, top), max(x, top)
	y, top = min(y, top), max(y, top)
	z, top = min(z, top), max(z, top)
	if top <= 4*least {
		return math.Inf(-1)
	}
	scale := 1 / top
	x, y, z = float64(x*scale), float64(y*scale), float64(z*scale)
	a, b, c := &m.curve[int(x*arcs)&(2*arcs-1)], &m.curve[int(y*arcs)&(2*arcs-1)], &m.curve[int(z*arcs)&(2*arcs-1)]
	p, q, r := a.at+float64(a.slope*x), b.at+float64(b.slope*y), c.at+float64(c.slope*z)
	e := mine - float64(top*(1+float64(p*x)+float64(q*y)+float64(r*z)))/(1+p+q+r)
	off := float64(top * (a.off + b.off + c.off))
	*high = min(*high, e+off)
	return e - off
}

// whole returns t to the n-th power by repeated squaring, n at least 1.
func whole(t float64, n int) float64 {
	r := 1.0
	for {
		if n&1 == 1 {
			r = float64(r * t)
		}
		n >>= 1
		if n == 0 {
			return r
		}
		t = float64(t * t)
	}
}

// blend4 returns the weighted mean of a, b, c in [0, 1] and 1, with weights of their
// x-th powers.
func blend4(a, b, c, x float64) float64 {
	p, q, r := power(a, x), power(b, x), power(c, x)
	return (1 + float64(p*a) + float64(q*b) + float64(r*c)) / (1 + p + q + r)
}
