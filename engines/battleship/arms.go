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
