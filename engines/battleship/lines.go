package battleship

// Ends returns the squares next to the ends of the lines of two or more
// squares of set, on the axis of the line.
func (b *Board) Ends(set Set) Set {
	w := uint(b.width)
	across := set.And(set.down(1)).And(b.starts[0][2]) // left squares of pairs
	down := set.And(set.down(w)).And(b.starts[1][2])   // upper squares of pairs
	left := across.down(1).And(b.starts[0][2])         // of which the right neighbour is in the row
	right := across.And(b.starts[0][3]).up(2)          // three fit
	above, below := down.down(w), down.up(2*w)
	return left.Or(right).Or(above).Or(below).And(b.all).AndNot(set)
}

// A Direction is one of the four ways along the axes.
type Direction uint8

// The directions, in the board order of a square's neighbours. Opposite ones
// add up to 3.
const (
	Up Direction = iota
	Left
	Right
	Down
)

// Step returns the square next to s in a direction, or false at the border.
func (b *Board) Step(s Square, d Direction) (Square, bool) {
	switch d {
	case Left:
		return s - 1, b.column[s] > 0
	case Right:
		return s + 1, int(b.column[s])+1 < b.width
	case Up:
		return s - Square(b.width), b.row[s] > 0
	default:
		return s + Square(b.width), int(b.row[s])+1 < b.height
	}
}

// Touching returns, for n = 0 to 3, the squares of which more than n
// neighbours along edges are in set.
func (b *Board) Touching(set Set) [4]Set {
	w := uint(b.width)
	from := [4]Set{
		set.down(1).And(b.starts[0][2]),
		set.And(b.starts[0][2]).up(1),
		set.down(w),
		set.up(w).And(b.all),
	}
	var more [4]Set
	for _, f := range from {
		for n := 3; n > 0; n-- {
			more[n] = more[n].Or(more[n-1].And(f))
		}
		more[0] = more[0].Or(f)
	}
	return more
}
