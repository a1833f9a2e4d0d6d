package mp

import (
	"sakusen/engines/battleship"
)

// enumeration counts placements by trying all of them.
type enumeration struct {
	k       *battleship.Knowledge
	ships   [battleship.MaxShips][]battleship.Set // candidates, one list for each ship not settled
	count   int
	total   uint64
	squares [battleship.MaxSquares]uint64
}

// Count implements Counter.
func (e *enumeration) Count(k *battleship.Knowledge) (total uint64, squares *[battleship.MaxSquares]uint64) {
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
	return e.total, &e.squares
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
