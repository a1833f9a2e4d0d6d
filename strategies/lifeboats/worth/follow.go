package worth

import "sakusen/engines/lifeboats"

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
