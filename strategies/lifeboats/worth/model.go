package worth

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
}

// lookAhead is what a full boat's leak is worth.
type lookAhead uint8

const (
	aboard lookAhead = iota
	optimistic
	expected
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
		m.full = expected
	}
	return m
}

// Advantages are V of every player in a position.
func (m *Model) Advantages(p *lifeboats.Position) lifeboats.Counts {
	var s state
	m.begin(p, &s)
	return s.v
}

// Lead is E of a player in a position as it is.
func (m *Model) Lead(p *lifeboats.Position, seat int) float64 {
	var s state
	m.begin(p, &s)
	return m.lead(&s.v, seat)
}

// state is a position as the model sees it before a vote.
type state struct {
	v     lifeboats.Counts            // advantages
	worth [8]float64                  // of boats afloat
	place [lifeboats.Distance + 1]int // rank at each distance
}

// begin works out the worth of boats and the advantages of players.
func (m *Model) begin(p *lifeboats.Position, s *state) {
	s.place[1] = 1
	s.place[2] = 1 + int(p.Fleet[1])
	s.place[3] = s.place[2] + int(p.Fleet[2])
	for q, n := range p.Saved {
		s.v[q] = float64(m.home * n)
	}
	for set := p.Afloat; set != 0; set = set.Rest() {
		b := set.First() % lifeboats.MaxBoats
		d := p.Steps[b] & 3
		w := m.steps[d] + m.leaks[p.Leaks[b]&7] + m.parties[p.Parties[b]&7] + m.rank[s.place[d]&15]
		s.worth[b] = w
		crew := &p.Crew[b]
		for q := range s.v {
			s.v[q] += float64(w * crew[q])
		}
	}
}

// Evaluate implements lifeboats.Model.
func (m *Model) Evaluate(p *lifeboats.Position, seat int, e *lifeboats.Values) {
	var s state
	m.begin(p, &s)
	switch p.Phase {
	case lifeboats.Leak:
		m.evaluateLeak(p, &s, seat, e)
	case lifeboats.Expel:
		b := p.Boat % lifeboats.MaxBoats
		for set := p.Options(); set != 0; set = set.Rest() {
			q := set.First() % lifeboats.MaxPlayers
			e[q] = m.expel(p, &s, b, q, seat)
		}
	default:
		m.evaluateAdvance(p, &s, seat, e)
	}
}

// evaluateLeak: a boat that stays afloat loses worth; with one that is lost,
// those behind it gain a place.
func (m *Model) evaluateLeak(p *lifeboats.Position, s *state, seat int, e *lifeboats.Values) {
	for set := p.Afloat; set != 0; set = set.Rest() {
		b := set.First() % lifeboats.MaxBoats
		l := p.Leaks[b] & 7
		if l == lifeboats.Leaks-1 {
			second, third := m.gain(p, s, int(p.Steps[b]&3))
			v := shifted(s, &p.Crew[b], -s.worth[b], p, second, third)
			e[b] = m.lead(&v, seat)
			continue
		}
		if m.full != aboard && p.Full(b) {
			e[b] = m.leakFull(p, s, b, seat)
			continue
		}
		change := m.leaks[l+1] - m.leaks[l]
		crew := &p.Crew[b]
		var v lifeboats.Counts
		for q := range v {
			v[q] = s.v[q] + float64(change*crew[q])
		}
		e[b] = m.lead(&v, seat)
	}
}

// gain is what the boats at distances 2 and 3 gain by a place when one at
// distance d leaves.
func (m *Model) gain(p *lifeboats.Position, s *state, d int) (second, third float64) {
	if d < 2 && p.Fleet[2] > 0 {
		second = m.rank[(s.place[2]-1)&15] - m.rank[s.place[2]&15]
	}
	if d < 3 && p.Fleet[3] > 0 {
		third = m.rank[(s.place[3]-1)&15] - m.rank[s.place[3]&15]
	}
	return second, third
}

// shifted is the advantages after a boat's worth and the ranks of those at
// distances 2 and 3 have changed.
func shifted(s *state, crew *lifeboats.Counts, change float64, p *lifeboats.Position, second, third float64) lifeboats.Counts {
	v := s.v
	for q := range v {
		v[q] += float64(change * crew[q])
	}
	if second != 0 {
		for q := range v {
			v[q] += float64(second * p.At[2][q])
		}
	}
	if third != 0 {
		for q := range v {
			v[q] += float64(third * p.At[3][q])
		}
	}
	return v
}

// evaluateAdvance: a boat that moves leaves those level with it a place behind;
// one that comes home lets all behind it gain one.
func (m *Model) evaluateAdvance(p *lifeboats.Position, s *state, seat int, e *lifeboats.Values) {
	for set := p.Afloat; set != 0; set = set.Rest() {
		b := set.First() % lifeboats.MaxBoats
		d := int(p.Steps[b] & 3)
		if d == 1 {
			second, third := m.gain(p, s, 1)
			v := shifted(s, &p.Crew[b], m.home-s.worth[b], p, second, third)
			e[b] = m.lead(&v, seat)
			continue
		}
		change := m.steps[(d-1)&3] - m.steps[d] + m.rank[s.place[(d-1)&3]&15] - m.rank[s.place[d]&15]
		behind := 0.0
		if p.Fleet[d] > 1 {
			// The boat's own crew is among that at its distance.
			behind = m.rank[(s.place[d]+1)&15] - m.rank[s.place[d]&15]
			change -= behind
		}
		crew, at := &p.Crew[b], &p.At[d]
		var v lifeboats.Counts
		for q := range v {
			v[q] = s.v[q] + float64(change*crew[q]) + float64(behind*at[q])
		}
		e[b] = m.lead(&v, seat)
	}
}

// expel is E after player q has lost one of the crew of boat b, and the seat
// is flooded.
func (m *Model) expel(p *lifeboats.Position, s *state, b, q, seat int) float64 {
	l, c := p.Leaks[b]&7, p.Parties[b]&7
	w := s.worth[b] + m.leaks[(l+1)&7] - m.leaks[l]
	if p.Crew[b][q] == 1 {
		w += m.parties[(c-1)&7] - m.parties[c]
	}
	v := s.v
	change := w - s.worth[b]
	for i, n := range p.Crew[b] {
		v[i] += float64(change * n)
	}
	v[q] -= w
	return m.lead(&v, seat)
}

// leakFull looks beyond the leak of a full boat to its expulsion.
func (m *Model) leakFull(p *lifeboats.Position, s *state, b, seat int) float64 {
	best, sum, crew := math.Inf(-1), 0.0, 0.0
	for q, n := range p.Crew[b] {
		if n == 0 {
			continue
		}
		x := m.expel(p, s, b, q, seat)
		best = math.Max(best, x)
		sum += float64(n * x)
		crew += n
	}
	if m.full == optimistic {
		return best
	}
	return sum / crew
}
