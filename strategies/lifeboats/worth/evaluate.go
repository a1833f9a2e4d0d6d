package worth

import (
	"math"

	"sakusen/engines/lifeboats"
)

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

// Favour implements lifeboats.Model. The weighted mean of the opponents grows
// with X, so the two whole exponents around X bound every option by a few
// multiplications, and only options that may be the best need powers: 1.4 of 4
// on average, and none at all where one is left.
func (m *Model) Favour(p *lifeboats.Position, seat int) lifeboats.Set {
	options := p.Options()
	if options.Rest() == 0 {
		return options
	}
	if m.whole == 2 && m.players == 5 && m.full == aboard {
		return m.favourSquares(p, seat, options)
	}
	if m.whole > 0 || m.x == 0 || m.x >= maxWhole || m.full != aboard {
		var e lifeboats.Values
		m.Evaluate(p, seat, &e)
		return lifeboats.Best(&e, options)
	}
	var s state
	var next follow
	var high, e lifeboats.Values
	m.begin(p, &s)
	m.after(p, &s, &next)
	floor := math.Inf(-1)
	below := int(m.x)
	for set := options; set != 0; set = set.Rest() {
		o := set.First() & (lifeboats.Slots - 1)
		v := &next[o]
		mine := v[seat]
		v[seat] = v[0] // as lead does
		small, large := m.bounds(v, below)
		high[o] = mine - small
		e[o] = mine // until the opponents are known
		floor = max(floor, mine-large)
	}
	floor -= (lifeboats.Near + slack) * max(1, math.Abs(floor))
	var contenders lifeboats.Set
	for set := options; set != 0; set = set.Rest() {
		if o := set.First(); high[o&(lifeboats.Slots-1)] >= floor {
			contenders = contenders.With(o)
		}
	}
	if contenders.Rest() == 0 {
		return contenders
	}
	for set := contenders; set != 0; set = set.Rest() {
		o := set.First() & (lifeboats.Slots - 1)
		e[o] -= m.opponents(&next[o])
	}
	return lifeboats.Best(&e, contenders)
}

// favourSquares is Favour of five players with X = 2: what Evaluate, opponents
// and lifeboats.Best do, in one loop.
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
