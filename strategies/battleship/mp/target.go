package mp

import "sakusen/engines/battleship"

// A Counter counts the fleet placements that agree with what a shooter knows,
// exactly: all of them, and for each square not shot at those that have a ship
// there.
type Counter interface {
	Count(k *battleship.Knowledge) (total uint64, squares *[battleship.MaxSquares]uint64)
}

// Best is the squares among unknown that hold a ship in the most placements.
func Best(unknown battleship.Set, squares *[battleship.MaxSquares]uint64) battleship.Set {
	var best battleship.Set
	most := uint64(0)
	for s := range unknown.All() {
		switch n := squares[s]; {
		case n > most:
			most, best = n, battleship.SetOf(s)
		case n == most:
			best.Add(s)
		}
	}
	return best
}
