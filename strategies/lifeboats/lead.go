package lifeboats

import (
	"math"

	"sakusen/engines/lifeboats"
)

// least is the advantage above which an opponent is weighed; if no opponent has that much,
// their plain mean counts.
const least = 1e-9

// lead is E: the seat's advantage less the weighted mean of its opponents'. The
// first player takes the seat's place in v, so that the opponents are those from
// 1 on.
func (m *Model) lead(v *lifeboats.Counts, seat int) float64 {
	mine := v[seat]
	v[seat] = v[0]
	return mine - m.opponents(v)
}

// opponents is the mean of v[1:players], each with weight V^X.
func (m *Model) opponents(v *lifeboats.Counts) float64 {
	if m.players == 5 {
		// Four opponents in registers: nearly all games are of five.
		a, b, c, d := max(v[1], 0), max(v[2], 0), max(v[3], 0), max(v[4], 0)
		if m.whole == 2 {
			aa, bb, cc, dd := float64(a*a), float64(b*b), float64(c*c), float64(d*d)
			if den := (aa + bb) + (cc + dd); den > 4*least*least {
				return ((float64(aa*a) + float64(bb*b)) + (float64(cc*c) + float64(dd*d))) / den
			}
		} else if m.whole == 0 && m.x > 0 {
			// The largest, moved to the end, has weight one.
			a, d = min(a, d), max(a, d)
			b, d = min(b, d), max(b, d)
			c, d = min(c, d), max(c, d)
			if d > least {
				return float64(d * blend4(a/d, b/d, c/d, m.x))
			}
		}
	}
	return m.weighted(v)
}

// weighted is opponents in its general form.
func (m *Model) weighted(v *lifeboats.Counts) float64 {
	others := v[1:m.players]
	top, sum := 0.0, 0.0
	for _, x := range others {
		top = math.Max(top, x)
		sum += x
	}
	if m.x == 0 || top <= least {
		return sum / float64(len(others))
	}
	num, den := 0.0, 0.0
	for _, x := range others {
		if x <= 0 {
			continue
		}
		t := x / top
		w := 1.0
		if m.whole > 0 {
			w = whole(t, m.whole)
		} else if x < top {
			w = power(t, m.x)
		}
		num += float64(w * t)
		den += w
	}
	return float64(top * num / den)
}

// bounds are opponents with the exponents below and below + 1, for weights that
// are no whole number between them.
func (m *Model) bounds(v *lifeboats.Counts, below int) (small, large float64) {
	if m.players == 5 && below == 2 {
		a, b, c, d := max(v[1], 0), max(v[2], 0), max(v[3], 0), max(v[4], 0)
		aa, bb, cc, dd := float64(a*a), float64(b*b), float64(c*c), float64(d*d)
		if s2 := (aa + bb) + (cc + dd); s2 > 4*least*least {
			s3 := (float64(aa*a) + float64(bb*b)) + (float64(cc*c) + float64(dd*d))
			s4 := (float64(aa*aa) + float64(bb*bb)) + (float64(cc*cc) + float64(dd*dd))
			return s3 / s2, s4 / s3
		}
	}
	var s0, s1, s2, sum, top float64
	for _, x := range v[1:m.players] {
		sum += x
		x = max(x, 0)
		top = max(top, x)
		p := 1.0
		if x == 0 {
			p = 0
		}
		for range below {
			p = float64(p * x)
		}
		s0 += p
		p = float64(p * x)
		s1 += p
		s2 += float64(p * x)
	}
	if top <= least {
		mean := sum / float64(m.players-1)
		return mean, mean
	}
	return s1 / s0, s2 / s1
}

// whole is t to the n-th power by repeated squaring, n at least 1.
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

// blend4 is the weighted mean of a, b, c in [0, 1] and 1, with weights of their
// x-th powers.
func blend4(a, b, c, x float64) float64 {
	p, q, r := power(a, x), power(b, x), power(c, x)
	return (1 + float64(p*a) + float64(q*b) + float64(r*c)) / (1 + p + q + r)
}

// follow is the advantages in the positions that follow each option.
type follow [lifeboats.Slots]lifeboats.Counts

// after works out the advantages that follow every option of p.
func (m *Model) after(p *lifeboats.Position, s *state, next *follow) {
	switch p.Phase {
	case lifeboats.Leak:
		for set := p.Afloat; set != 0; set = set.Rest() {
			b := set.First() & (lifeboats.Slots - 1)
			m.afterLeak(p, s, b, &next[b])
		}
	case lifeboats.Expel:
		for set := p.Options(); set != 0; set = set.Rest() {
			q := set.First()
			m.afterExpulsion(p, s, p.Boat&(lifeboats.Slots-1), q, &next[q])
		}
	default:
		for set := p.Afloat; set != 0; set = set.Rest() {
			b := set.First() & (lifeboats.Slots - 1)
			m.afterAdvance(p, s, b, &next[b])
		}
	}
}

// afterLeak: a boat that stays afloat loses worth, everybody still aboard; with
// one that is lost, those behind it gain a place.
func (m *Model) afterLeak(p *lifeboats.Position, s *state, b int, v *lifeboats.Counts) {
	l := p.Leaks[b] & 7
	crew := &p.Crew[b]
	if l == lifeboats.Leaks-1 {
		m.withdraw(p, s, b, -s.worth[b], v)
		return
	}
	change := m.leaks[l+1] - m.leaks[l]
	for q := range v {
		v[q] = s.v[q] + float64(change*crew[q])
	}
}

// withdraw takes boat b out of the boats afloat: its worth changes, and those
// behind it gain a place.
func (m *Model) withdraw(p *lifeboats.Position, s *state, b int, change float64, v *lifeboats.Counts) {
	crew := &p.Crew[b]
	for q := range v {
		v[q] = s.v[q] + float64(change*crew[q])
	}
	for d := int(p.Steps[b]) + 1; d <= lifeboats.Distance; d++ {
		if p.Fleet[d] == 0 {
			continue
		}
		gain := m.rank[(s.place[d]-1)&15] - m.rank[s.place[d]&15]
		at := &p.At[d]
		for q := range v {
			v[q] += float64(gain * at[q])
		}
	}
}

// afterAdvance: a boat that moves leaves those level with it a place behind;
// one that comes home lets all behind it gain one.
func (m *Model) afterAdvance(p *lifeboats.Position, s *state, b int, v *lifeboats.Counts) {
	d := int(p.Steps[b] & 3)
	if d == 1 {
		m.withdraw(p, s, b, m.home-s.worth[b], v)
		return
	}
	change := m.steps[(d-1)&3] - m.steps[d] + m.rank[s.place[(d-1)&3]&15] - m.rank[s.place[d]&15]
	behind := 0.0
	if p.Fleet[d] > 1 {
		// The boat's own crew is among that at its distance.
		behind = m.rank[(s.place[d]+1)&15] - m.rank[s.place[d]&15]
		change -= behind
	}
	crew, at := &p.Crew[b], &p.At[d]
	for q := range v {
		v[q] = s.v[q] + float64(change*crew[q]) + float64(behind*at[q])
	}
}

// afterExpulsion: player q has lost one of the crew of boat b, and the seat is
// flooded.
func (m *Model) afterExpulsion(p *lifeboats.Position, s *state, b, q int, v *lifeboats.Counts) {
	l, c := p.Leaks[b]&7, p.Parties[b]&7
	change := m.leaks[(l+1)&7] - m.leaks[l]
	if p.Crew[b][q] == 1 {
		change += m.parties[(c-1)&7] - m.parties[c]
	}
	crew := &p.Crew[b]
	for i := range v {
		v[i] = s.v[i] + float64(change*crew[i])
	}
	v[q] -= s.worth[b] + change
}
