package lifeboats

import (
	"math"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
)

// least is the advantage above which an opponent is weighed; if no opponent has that much,
// their plain mean counts.
const least = 1e-9

// lead returns E: the seat's advantage less the weighted mean of its opponents'. The first
// player takes the seat's place in v, so that the opponents are those from 1 on.
func (m *Model) lead(v *lifeboats.Counts, seat int) float64 {
	mine := v[seat]
	v[seat] = v[0]
	return mine - m.opponents(v)
}

// opponents returns the mean of v[1:players], each with weight V^X.
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

// weighted returns opponents in its general form.
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

// bounds returns opponents with the exponents below and below + 1, for weights that
// are no whole number between them.
func (m *Model) bounds(v *lifeboats.Counts, below int) (small, large float64) {
	if m.players == 5 && below > 0 {
		a, b, c, d := max(v[1], 0), max(v[2], 0), max(v[3], 0), max(v[4], 0)
		aa, bb, cc, dd := float64(a*a), float64(b*b), float64(c*c), float64(d*d)
		pa, pb, pc, pd := aa, bb, cc, dd
		if below != 2 {
			pa, pb, pc, pd = whole(a, below), whole(b, below), whole(c, below), whole(d, below)
		}
		first, second := (pa+pb)+(pc+pd), (float64(pa*a)+float64(pb*b))+(float64(pc*c)+float64(pd*d))
		third := (float64(pa*aa) + float64(pb*bb)) + (float64(pc*cc) + float64(pd*dd))
		if large = third / second; large > 4*least {
			return second / first, large
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

// afterLeak returns the value after a leak: a boat that stays afloat loses worth, all
// players still aboard; with one that is lost, those behind it gain a place.
func (m *Model) afterLeak(p *lifeboats.Position, s *state, b int, v *lifeboats.Counts) {
	l := p.Leaks[b] & 7
	crew := &p.Crew[b]
	if l == lifeboats.Leaks-1 {
		m.withdraw(p, s, b, -s.worth[b], v)
		return
	}
	change := m.leaks[l+1] - m.leaks[l]
	plus(v, &s.v, change, crew)
}

// plus writes s + w n to v; written out, it takes half the time of a loop.
func plus(v, s *lifeboats.Counts, w float64, n *lifeboats.Counts) {
	v[0], v[1], v[2] = s[0]+float64(w*n[0]), s[1]+float64(w*n[1]), s[2]+float64(w*n[2])
	v[3], v[4], v[5] = s[3]+float64(w*n[3]), s[4]+float64(w*n[4]), s[5]+float64(w*n[5])
}

// withdraw takes boat b out of the boats afloat: its worth changes, and those
// behind it gain a place.
func (m *Model) withdraw(p *lifeboats.Position, s *state, b int, change float64, v *lifeboats.Counts) {
	plus(v, &s.v, change, &p.Crew[b])
	for d := int(p.Steps[b]) + 1; d <= lifeboats.Distance; d++ {
		if p.Fleet[d] == 0 {
			continue
		}
		gain := m.rank[(s.place[d]-1)&15] - m.rank[s.place[d]&15]
		plus(v, v, gain, &p.At[d])
	}
}

// afterAdvance returns the value after an advance: a boat that moves leaves those level
// with it a place behind; one that reaches its home lets all behind it gain one.
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
	plus(v, &s.v, change, &p.Crew[b])
	if behind != 0 {
		plus(v, v, behind, &p.At[d])
	}
}

// afterExpulsion returns the value after an expulsion: player q has lost one of the crew of
// boat b, and the seat is flooded.
func (m *Model) afterExpulsion(p *lifeboats.Position, s *state, b, q int, v *lifeboats.Counts) {
	l, c := p.Leaks[b]&7, p.Parties[b]&7
	change := m.leaks[(l+1)&7] - m.leaks[l]
	if p.Crew[b][q] == 1 {
		change += m.parties[(c-1)&7] - m.parties[c]
	}
	plus(v, &s.v, change, &p.Crew[b])
	v[q] -= s.worth[b] + change
}

// Weights are the numbers of an evaluation, 17 for five players. Index 0 of
// the arrays is unused.
type Weights struct {
	Steps   [lifeboats.Distance + 1]float64   // A1..A3, by steps to go
	Leaks   [lifeboats.Leaks]float64          // L1..L3, by seats flooded
	Parties [lifeboats.MaxPlayers + 1]float64 // C2..C6, by players aboard
	Rank    [lifeboats.MaxPlayers + 1]float64 // R1..R6, by place among the boats afloat
	Home    float64                           // D
	X       float64                           // exponent; below 0 it counts as 0
	Full    string                            // what a full boat's leak is worth: aboard, optimistic or expected
}

// Span bounds every weight and X.
const Span = 100

// declare binds the weights; C and R go up to the number of players.
func (w *Weights) declare(f *param.Fields, r *lifeboats.Rules) {
	start := Default()
	defaults := start.fields(r.Players())
	fields := w.fields(r.Players())
	domain := param.Range(-Span, Span)
	for _, name := range Names(r.Players()) {
		f.Float(fields[name], name, *defaults[name], domain, document(name))
	}
	f.Choice(&w.Full, "full_boat", "aboard", []string{"aboard", "optimistic", "expected"},
		"how the leak of a full boat is judged before somebody is expelled: as if nobody were, as if the one were who suits best, or by the mean over all who may be", param.Fixed())
}

// weighing declares weights, and returns what makes a player of their model.
func weighing(f *param.Fields, r *lifeboats.Rules, player func(*Model) lifeboats.Player) arena.Maker[lifeboats.Player] {
	var w Weights
	w.declare(f, r)
	return func() (lifeboats.Player, error) {
		normal := w.Normal()
		return player(New(&normal, r.Players())), nil
	}
}

// Names returns the names of the weights for a number of players, in the order of
// the paper.
func Names(players int) []string {
	var out []string
	list := func(letter string, from, to int) {
		for i := from; i <= to; i++ {
			out = append(out, letter+strconv.Itoa(i))
		}
	}
	list("A", 1, lifeboats.Distance)
	list("L", 1, lifeboats.Leaks-1)
	list("C", 2, players)
	list("R", 1, players)
	return append(out, "D", "X")
}

// fields returns the weights for a number of players by name.
func (w *Weights) fields(players int) map[string]*float64 {
	out := map[string]*float64{"D": &w.Home, "X": &w.X}
	for _, name := range Names(players) {
		i := int(name[len(name)-1] - '0')
		switch name[0] {
		case 'A':
			out[name] = &w.Steps[i]
		case 'L':
			out[name] = &w.Leaks[i]
		case 'C':
			out[name] = &w.Parties[i]
		case 'R':
			out[name] = &w.Rank[i]
		}
	}
	return out
}

// document reports what a weight is.
func document(name string) string {
	switch name[0] {
	case 'A':
		return "worth of a boat with " + name[1:] + " to go, a weight"
	case 'L':
		return "worth of a boat with " + name[1:] + " flooded, seats, a weight"
	case 'C':
		return "worth of a boat with crew of " + name[1:] + " players, a weight"
	case 'R':
		return "worth of a boat in place " + name[1:] + " of those afloat, a weight"
	case 'D':
		return "worth of a boat home, a weight"
	}
	return "how much more the stronger opponents count, an exponent; 0 counts all alike"
}

// Default returns the weights of an evolved player: the mean of the parents of
// generation 79 of the study lifeboats-evolution with seed 1, each scaled to a
// largest weight of 1, rounded to hundredths. Over 10 000 games it wins .789 of
// the games against four random voters. C6 and R6, which only six players have,
// are guesses.
func Default() Weights {
	return Weights{
		Steps:   [4]float64{0, 0.38, 0.15, -0.08},
		Leaks:   [4]float64{0, -0.07, -0.21, -0.45},
		Parties: [7]float64{0, 0, 0.01, 0.15, 0.25, 0.19, 0.19},
		Rank:    [7]float64{0, 0.41, 0.35, 0.24, 0.27, 0.44, 0.3},
		Home:    1, X: 2.76, Full: "aboard",
	}
}

// lists returns the weights but D, with their unused fields.
func (w *Weights) lists() [4][]float64 {
	return [4][]float64{w.Steps[:], w.Leaks[:], w.Parties[:], w.Rank[:]}
}

// Scaled returns the weights times a positive factor; X is no weight and stays.
func (w Weights) Scaled(factor float64) Weights {
	for _, list := range w.lists() {
		for i := range list {
			list[i] *= factor
		}
	}
	w.Home *= factor
	return w
}

// Normal returns the weights scaled so that the largest has the size 1, which is how
// they are played: what counts as tied then does not depend on their scale.
// Weights that are all 0 stay so.
func (w Weights) Normal() Weights {
	size := math.Abs(w.Home)
	for _, list := range w.lists() {
		for _, x := range list {
			size = math.Max(size, math.Abs(x))
		}
	}
	if size == 0 {
		return w
	}
	return w.Scaled(1 / size)
}

// A curve holds the tables of power; it is filled once and only read.
type curve struct {
	centre [128]struct{ inverse, log float64 } // of 1 + (i + 1/2)/128, log to base 2
	root   [64]float64                         // 2^(i/64)
}

var tables = newCurve()

func newCurve() *curve {
	c := &curve{}
	for i := range c.centre {
		x := 1 + (float64(i)+0.5)/128
		c.centre[i].inverse, c.centre[i].log = 1/x, math.Log2(x)
	}
	for i := range c.root {
		c.root[i] = math.Exp2(float64(i) / 64)
	}
	return c
}

// power returns t^x for t in [0, 1] and x > 0, within 1e-12 relative for x to 100;
// below 2^-1000 it is 0. math.Pow takes about five times as long, because it
// serves all of the plane to the last bit.
func power(t, x float64) float64 {
	if t < 1e-300 {
		return 0
	}
	bits := math.Float64bits(t)
	c := &tables.centre[bits>>45&127]
	// t = 2^e m with m in [1, 2), and m = centre (1 + r) with |r| < 1/256.
	r := float64(math.Float64frombits(bits&(1<<52-1)|1023<<52)*c.inverse) - 1
	r2 := float64(r * r)
	ln := r + float64(r2*(float64(r*(1./3))-0.5)) + float64(float64(r2*r2)*(float64(r*(1./5))-0.25))
	y := float64(x * (float64(int(bits>>52)-1023) + c.log + float64(ln*math.Log2E)))
	if y < -1000 {
		return 0
	}
	// 2^y = 2^(k/64) 2^f with |f| <= 1/128.
	k := int(float64(y*64)+(1<<20)+0.5) - 1<<20
	f := float64((y - float64(float64(k)*(1./64))) * math.Ln2)
	f2 := float64(f * f)
	e := 1 + f + float64(f2*(0.5+float64(f*(1./6)))) + float64(float64(f2*f2)*(1./24+float64(f*(1./120))))
	return float64(float64(e*tables.root[k&63]) * math.Float64frombits(uint64(1023+k>>6)<<52))
}
