package model

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/strategies/battleship/place"
)

// least is the placements of a sample that have to agree for it to be believed.
// Fewer say nothing about the share of all that agree: with one of 2,000 the
// belief is off by orders of magnitude as often as there is one, which cost 0.5
// shots against R at a prior of one in a thousand.
const least = 25

// sample is a component known by placements drawn from it.
type sample struct {
	fleet  *battleship.Fleet
	n      int
	covers []battleship.Set // by placement
	lines  []battleship.Set // by placement and ship
	hits   [battleship.MaxSquares]int
}

func newSample(r *battleship.Rules, p *place.Placer, n int) *sample {
	s := &sample{fleet: r.Fleet(), n: n}
	chance := arena.NewStream(uint64(n), 0x504b)
	fleet := make([]battleship.Placement, s.fleet.Ships())
	for range n {
		p.Place(&chance, fleet)
		var all battleship.Set
		for _, at := range fleet {
			line := r.Board().Covers(s.fleet, at)
			s.lines = append(s.lines, line)
			all = all.Or(line)
		}
		s.covers = append(s.covers, all)
	}
	return s
}

// weigh implements component.
func (s *sample) weigh(k *battleship.Knowledge, share *[battleship.MaxSquares]float64) (agree float64, work uint64) {
	unshot, hits, misses := k.Unshot(), k.Hits(), k.Misses()
	for at := range unshot.All() {
		s.hits[at] = 0
	}
	found := 0
	ships := s.fleet.Ships()
	for i, all := range s.covers {
		if all.Meets(misses) || !hits.Within(all) || !s.agrees(k, s.lines[i*ships:(i+1)*ships], hits) {
			continue
		}
		found++
		for at := range all.AndNot(hits).All() {
			s.hits[at]++
		}
	}
	if found < least {
		return 0, uint64(found)
	}
	for at := range unshot.All() {
		share[at] = float64(s.hits[at]) / float64(found)
	}
	return float64(found) / float64(s.n), uint64(found)
}

// agrees reports whether ships that lie so would have sunk as they did: the
// ship on a square that sank one is of that class and was hit all over then,
// and no other is.
func (s *sample) agrees(k *battleship.Knowledge, lines []battleship.Set, hits battleship.Set) bool {
	sunk := 0
	for ship, line := range lines {
		if line.Within(hits) {
			sunk |= 1 << ship
		}
	}
	for i := range k.Sinkings() {
		sinking := k.Sinking(i)
		ok := false
		for ship, line := range lines {
			if line.Has(sinking.At) {
				ok = s.fleet.Alike(ship) == s.fleet.Alike(sinking.Ship) && line.Within(sinking.Hits)
				sunk &^= 1 << ship
				break
			}
		}
		if !ok {
			return false
		}
	}
	return sunk == 0
}
