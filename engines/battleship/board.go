package battleship

import (
	"fmt"
	"math/bits"
	"strconv"
)

// MaxSide is the greatest width and height of a board, in squares.
const MaxSide = 16

// MaxSquares is the greatest number of squares of a board.
const MaxSquares = MaxSide * MaxSide

// A Square is a place on a board in board order, row by row: row * width +
// column, both from 0. Its name is the column's letter and the row's number
// from 1: on a board 10 wide, 0 is a1, 9 is j1 and 10 is a2.
type Square uint8

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

// Arms returns, by direction, the number of squares outside walls in an
// unbroken row from the one next to s on.
func (b *Board) Arms(s Square, walls Set) [4]int {
	if b.rays != nil {
		return b.rays.arms(s, walls)
	}
	var arms [4]int
	for d := range arms {
		for at, ok := b.Step(s, Direction(d)); ok && !walls.Has(at); at, ok = b.Step(at, Direction(d)) {
			arms[d]++
		}
	}
	return arms
}

func (r *rays) arms(s Square, walls Set) [4]int {
	s &= 127
	row := r.row[s+1]
	return [4]int{
		min(row-r.row[r.last(Up, s, walls)+1]-1, r.room[Up][s]),
		min(int(s)-r.last(Left, s, walls)-1, r.room[Left][s]),
		min(r.first(Right, s, walls)-int(s)-1, r.room[Right][s]),
		min(r.row[r.first(Down, s, walls)+1]-row-1, r.room[Down][s]),
	}
}

// first returns the first wall in a direction of s, 128 if there is none.
func (r *rays) first(d Direction, s Square, walls Set) int {
	ray := &r.squares[d][s]
	at := 64 + bits.TrailingZeros64(ray.w1&walls.w1)
	if w := ray.w0 & walls.w0; w != 0 {
		at = bits.TrailingZeros64(w)
	}
	return at
}

// last returns the last wall in a direction of s, -1 if there is none.
func (r *rays) last(d Direction, s Square, walls Set) int {
	ray := &r.squares[d][s]
	at := bits.Len64(ray.w0&walls.w0) - 1
	if w := ray.w1 & walls.w1; w != 0 {
		at = 63 + bits.Len64(w)
	}
	return at
}

// Fits returns the starts of the lines of the given length, 1 to 16, that lie
// in free.
func (b *Board) Fits(free Set, length int, vertical bool) Set {
	step := uint(1)
	if vertical {
		step = uint(b.width)
	}
	for have := 1; have < length; {
		more := min(have, length-have)
		free = free.And(free.down(step * uint(more)))
		have += more
	}
	return free.And(b.starts[side(vertical)][length])
}

// room returns the squares of free that lie in a straight run, across or
// down, of at least length squares of free.
//
// Whole boards are shifted at once, the distance doubling: first the lines
// that fit shrink to their starts, then the starts grow back to lines. Starts
// too near the edge are masked out in between, so nothing wraps around.
func (b *Board) room(free Set, length int) Set {
	if length <= 1 {
		return free
	}
	if b.width*b.height <= 128 {
		w0, w1 := b.room2(free.w0, free.w1, length)
		return Set{w0: w0, w1: w1}
	}
	across, down := b.Fits(free, length, false), b.Fits(free, length, true)
	w := uint(b.width)
	for have := 1; have < length; {
		more := min(have, length-have)
		across = across.Or(across.up(uint(more)))
		down = down.Or(down.up(w * uint(more)))
		have += more
	}
	return across.Or(down)
}

// room2 returns what Room returns, for boards of at most 128 squares. It runs after every
// miss of every game; on 10 x 10 it takes half the time of the general form.
func (b *Board) room2(f0, f1 uint64, length int) (uint64, uint64) {
	w := uint(b.width)
	a0, a1, d0, d1 := f0, f1, f0, f1
	for have := 1; have < length; {
		more := uint(min(have, length-have))
		a0, a1 = a0&(a0>>(more&63)|a1<<((64-more)&63)), a1&(a1>>(more&63))
		k := w * more
		d0, d1 = d0&(d0>>k|d1<<(64-k)|d1>>(k-64)), d1&(d1>>k)
		have += int(more)
	}
	s, t := &b.starts[0][length], &b.starts[1][length]
	a0, a1, d0, d1 = a0&s.w0, a1&s.w1, d0&t.w0, d1&t.w1
	for have := 1; have < length; {
		more := uint(min(have, length-have))
		a0, a1 = a0|a0<<(more&63), a1|a1<<(more&63)|a0>>((64-more)&63)
		k := w * more
		d0, d1 = d0|d0<<k, d1|d1<<k|d0>>(64-k)|d0<<(k-64)
		have += int(more)
	}
	return a0 | d0, a1 | d1
}
