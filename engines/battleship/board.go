package battleship

import (
	"fmt"
	"strconv"
)

// A Board is the geometry of one board size. It never changes once made and
// may be shared by any number of games and goroutines.
type Board struct {
	width, height int
	all           Set
	row           [MaxSquares]uint8
	column        [MaxSquares]uint8
	neighbours    [MaxSquares]Set
	starts        [2][MaxSide + 1]Set   // by orientation and length
	lines         [2][MaxSide + 1][]Set // by orientation, length and start
	rays          *rays                 // nil on boards of more than 128 squares
}

// NewBoard returns the board of width x height squares, 1 to 16 each.
func NewBoard(width, height int) (*Board, error) {
	if width < 1 || width > MaxSide || height < 1 || height > MaxSide {
		return nil, fmt.Errorf("board of %d x %d squares: each side must be from 1 to %d", width, height, MaxSide)
	}
	b := &Board{width: width, height: height}
	for s := range b.Squares() {
		b.row[s] = uint8(s / width)
		b.column[s] = uint8(s % width)
		b.all.Add(Square(s))
	}
	for s := range b.Squares() {
		b.neighbours[s] = b.Spread(SetOf(Square(s))).AndNot(SetOf(Square(s)))
	}
	for length := 1; length <= MaxSide; length++ {
		for _, vertical := range [2]bool{false, true} {
			lines := make([]Set, b.Squares())
			for s := range lines {
				if b.fits(Square(s), length, vertical) {
					b.starts[side(vertical)][length].Add(Square(s))
					for i := range length {
						lines[s].Add(b.along(Square(s), vertical, i))
					}
				}
			}
			b.lines[side(vertical)][length] = lines
		}
	}
	b.rays = newRays(b)
	return b, nil
}

func side(vertical bool) int {
	if vertical {
		return 1
	}
	return 0
}

func (b *Board) fits(start Square, length int, vertical bool) bool {
	if vertical {
		return b.Row(start)+length <= b.height
	}
	return b.Column(start)+length <= b.width
}

// along returns the square i steps right of s, or below it.
func (b *Board) along(s Square, vertical bool, i int) Square {
	if vertical {
		return s + Square(i*b.width)
	}
	return s + Square(i)
}

// Width returns the number of columns.
func (b *Board) Width() int { return b.width }

// Height returns the number of rows.
func (b *Board) Height() int { return b.height }

// Squares returns the number of squares.
func (b *Board) Squares() int { return b.width * b.height }

// All returns the set of all squares.
func (b *Board) All() Set { return b.all }

// At returns the square in the given column and row, both from 0.
func (b *Board) At(column, row int) Square { return Square(row*b.width + column) }

// Column returns the column of s from 0.
func (b *Board) Column(s Square) int { return int(b.column[s]) }

// Row returns the row of s from 0.
func (b *Board) Row(s Square) int { return int(b.row[s]) }

// Neighbours returns the squares that share an edge with s, two to four of
// them on a board at least two wide and high.
func (b *Board) Neighbours(s Square) Set { return b.neighbours[s] }

// Spread returns the squares of a and their neighbours along edges.
func (b *Board) Spread(a Set) Set {
	if b.width == 1 {
		return a.Or(a.up(1)).Or(a.down(1)).And(b.all)
	}
	var left, right Set // the first and the last column
	for row := range b.height {
		left.Add(b.At(0, row))
		right.Add(b.At(b.width-1, row))
	}
	w := uint(b.width)
	near := a.AndNot(right).up(1).Or(a.AndNot(left).down(1)).Or(a.up(w)).Or(a.down(w))
	return a.Or(near).And(b.all)
}

// Starts returns the squares on which a ship of the given length may start,
// going right or, vertical, down. A ship of length 1 starts either way on
// every square; use one way only.
func (b *Board) Starts(length int, vertical bool) Set {
	if length < 1 || length > MaxSide {
		return Set{}
	}
	return b.starts[side(vertical)][length]
}

// Line returns the squares of a ship of the given length from start going
// right or, vertical, down; the empty set if it does not fit the board.
func (b *Board) Line(start Square, length int, vertical bool) Set {
	return b.lines[side(vertical)][length][start]
}

// Name returns the name of s, such as e5.
func (b *Board) Name(s Square) string {
	return string(rune('a'+b.Column(s))) + strconv.Itoa(b.Row(s)+1)
}

// Parse returns the square of the given name.
func (b *Board) Parse(name string) (Square, error) {
	if len(name) >= 2 && len(name) <= 3 && name[1] != '0' {
		column := int(name[0]) - 'a'
		row := 0
		for _, digit := range []byte(name[1:]) {
			if digit < '0' || digit > '9' {
				row = -1
				break
			}
			row = 10*row + int(digit-'0')
		}
		if column >= 0 && column < b.width && row >= 1 && row <= b.height {
			return b.At(column, row-1), nil
		}
	}
	last := b.Name(Square(b.Squares() - 1))
	return 0, fmt.Errorf("square %q: want a column letter and a row number from a1 to %s", name, last)
}

// rays serve Arms on boards of at most 128 squares: the squares in each
// direction of a square, and how many they are. The nearest wall is the first
// or the last bit among them, so that nothing is walked along and no branch
// mispredicted.
type rays struct {
	squares [4][128]struct{ w0, w1 uint64 }
	room    [4][128]int
	row     [130]int // of square s at s+1; far out of the board at both ends
}

// newRays returns the rays of a board, nil if it has too many squares.
func newRays(b *Board) *rays {
	if b.Squares() > 128 {
		return nil
	}
	r := &rays{}
	r.row[0], r.row[129] = -MaxSquares, MaxSquares
	for s := range b.Squares() {
		r.row[s+1] = b.Row(Square(s))
		for d := range r.squares {
			var ray Set
			for at, ok := b.Step(Square(s), Direction(d)); ok; at, ok = b.Step(at, Direction(d)) {
				ray.Add(at)
			}
			r.squares[d][s].w0, r.squares[d][s].w1 = ray.w0, ray.w1
			r.room[d][s] = ray.Len()
		}
	}
	return r
}
