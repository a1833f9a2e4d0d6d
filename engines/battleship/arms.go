package battleship

import "math/bits"

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
