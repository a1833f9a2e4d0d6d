package consent

import (
	"fmt"

	"sakusen/engines/arena"
)

// spread is all openings of go that place stones of both colours in turns on points
// that are not at the edge. So few stones there capture nothing in any order, so that
// no rules are needed.
type spread struct {
	size, inner   int // lines of the board, and without the outer ones
	stones, black int
	total         int64
	step, from    int64 // the order in which they are dealt out, a permutation
}

func newSpread(size, stones int, seed uint64) spread {
	s := spread{size: size, inner: size - 2, stones: stones, black: (stones + 1) / 2}
	s.total = choose(s.inner*s.inner, stones) * choose(stones, s.black)
	chance := arena.NewStream(seed, 0)
	s.from = int64(chance.Uint64() % uint64(s.total))
	for s.step = 1 + int64(chance.Uint64()%uint64(s.total)); gcd(s.step, s.total) != 1; {
		s.step++
	}
	return s
}

// moves are the vertices of an opening, Black's first.
func (s *spread) moves(index int64) []string {
	// total stays below 1e11 for 6 stones on 25 lines; the product is taken in parts.
	rank := (mulmod(index%s.total, s.step%s.total, s.total) + s.from) % s.total
	colours := choose(s.stones, s.black)
	points := combination(rank/colours, s.inner*s.inner, s.stones)
	isBlack := map[int]bool{}
	for _, i := range combination(rank%colours, s.stones, s.black) {
		isBlack[i] = true
	}
	var sides [2][]string
	for i, p := range points {
		side := 1
		if isBlack[i] {
			side = 0
		}
		sides[side] = append(sides[side], vertex(p%s.inner+1, p/s.inner+1))
	}
	var moves []string
	for i := range s.stones {
		moves = append(moves, sides[i%2][i/2])
	}
	return moves
}

// vertex is a point as GTP writes it: letters without I, lines from 1.
func vertex(column, line int) string {
	return fmt.Sprintf("%c%d", "ABCDEFGHJKLMNOPQRSTUVWXYZ"[column], line+1)
}

// combination is the rank-th set of k of the numbers below n, in order.
func combination(rank int64, n, k int) []int {
	var set []int
	for at := 0; len(set) < k; at++ {
		if with := choose(n-at-1, k-len(set)-1); rank < with {
			set = append(set, at)
		} else {
			rank -= with
		}
	}
	return set
}

// choose is the number of sets of k of n things.
func choose(n, k int) int64 {
	if k < 0 || k > n {
		return 0
	}
	c := int64(1)
	for i := range int64(k) {
		c = c * (int64(n) - i) / (i + 1)
	}
	return c
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// mulmod is a*b mod m without leaving 64 bits.
func mulmod(a, b, m int64) int64 {
	r := int64(0)
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			r = (r + a) % m
		}
		a = a * 2 % m
	}
	return r
}
