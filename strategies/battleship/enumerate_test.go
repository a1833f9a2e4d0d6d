package battleship

import (
	"sakusen/engines/battleship"
	"sakusen/strategies/battleship/count"
)

// enumeration counts placements by trying all of them. It is a counter.
type enumeration struct {
	k       *battleship.Knowledge
	ships   [battleship.MaxShips][]battleship.Set // candidates, one list for each ship not settled
	count   int
	total   uint64
	squares [battleship.MaxSquares]uint64
}

// Total implements counter. Ships of one class are told apart, so that each
// sunk one may be any of them.
func (e *enumeration) Total() count.Number { return count.Number{Lo: e.total * e.labels()} }

func (e *enumeration) labels() uint64 {
	ways, f := uint64(1), e.k.Fleet()
	for i := range f.Ships() {
		afloat, class := uint64(0), uint64(0)
		for j := range f.Ships() {
			if f.Alike(j) == i {
				class++
				if e.k.IsAfloat(j) {
					afloat++
				}
			}
		}
		for ; class > afloat; class-- {
			ways *= class
		}
	}
	return ways
}

// Best implements counter.
func (e *enumeration) Best() (battleship.Set, count.Number) {
	var best battleship.Set
	most := uint64(1)
	for s := range e.k.Unshot().All() {
		switch n := e.squares[s]; {
		case n > most:
			most, best = n, battleship.SetOf(s)
		case n == most:
			best.Add(s)
		}
	}
	return best, count.Number{Lo: most * e.labels()}
}

// Count implements counter.
func (e *enumeration) Count(k *battleship.Knowledge) {
	e.k, e.count, e.total = k, 0, 0
	clear(e.squares[:])
	board, fleet := k.Board(), k.Fleet()
	for i := range k.Sinkings() {
		s := k.Sinking(i)
		if s.Settled {
			continue
		}
		list := e.ships[e.count][:0]
		inside := k.Inside(s)
		for _, vertical := range [2]bool{false, true} {
			for start := range board.Fits(inside, fleet.Length(s.Ship), vertical).All() {
				if line := board.Line(start, fleet.Length(s.Ship), vertical); line.Has(s.At) {
					list = append(list, line)
				}
			}
		}
		e.ships[e.count] = list
		e.count++
	}
	free := k.Unknown().Or(k.Open()).AndNot(k.Sinks())
	for i := range fleet.Ships() {
		if !k.IsAfloat(i) {
			continue
		}
		list := e.ships[e.count][:0]
		for _, vertical := range [2]bool{false, true} {
			for start := range board.Fits(free, fleet.Length(i), vertical).All() {
				if line := board.Line(start, fleet.Length(i), vertical); !line.Within(k.Open()) {
					list = append(list, line)
				}
			}
		}
		e.ships[e.count] = list
		e.count++
	}
	e.place(0, battleship.Set{})
}

func (e *enumeration) place(ship int, taken battleship.Set) {
	if ship == e.count {
		if !e.k.Open().Within(taken) {
			return
		}
		e.total++
		for s := range taken.AndNot(e.k.Open()).All() {
			e.squares[s]++
		}
		return
	}
	for _, line := range e.ships[ship] {
		if !line.Meets(taken) {
			e.place(ship+1, taken.Or(line))
		}
	}
}
