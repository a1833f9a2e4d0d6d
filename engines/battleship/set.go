package battleship

import (
	"iter"
	"math/bits"
)

// A Set is a set of squares of one board, a value of 32 bytes. The zero Set is
// empty. It is a struct and not an array because the compiler keeps small
// structs in registers and arrays in memory.
type Set struct{ w0, w1, w2, w3 uint64 }

// SetOf returns the set of the given squares.
func SetOf(squares ...Square) Set {
	var set Set
	for _, s := range squares {
		set.Add(s)
	}
	return set
}

// Has reports whether s is in the set.
func (a Set) Has(s Square) bool { return a.word(s)>>(s&63)&1 != 0 }

// word returns the word of a square. Like pair it takes no branch that depends
// on a square below 128: where the next shot goes is not for the processor to
// predict.
func (a Set) word(s Square) uint64 {
	w := a.w0
	if s&64 != 0 {
		w = a.w1
	}
	if s >= 128 {
		w = a.w2
		if s&64 != 0 {
			w = a.w3
		}
	}
	return w
}

// pair returns the bit of a square in the even or the odd word of its half.
func pair(s Square) (even, odd uint64) {
	bit := uint64(1) << (s & 63)
	odd = bit & -uint64(s>>6&1)
	return bit ^ odd, odd
}

// Add puts s into the set.
func (a *Set) Add(s Square) {
	even, odd := pair(s)
	if s < 128 {
		a.w0 |= even
		a.w1 |= odd
	} else {
		a.w2 |= even
		a.w3 |= odd
	}
}

// Remove takes s out of the set.
func (a *Set) Remove(s Square) {
	even, odd := pair(s)
	if s < 128 {
		a.w0 &^= even
		a.w1 &^= odd
	} else {
		a.w2 &^= even
		a.w3 &^= odd
	}
}

// And returns the squares in both sets.
func (a Set) And(b Set) Set { return Set{a.w0 & b.w0, a.w1 & b.w1, a.w2 & b.w2, a.w3 & b.w3} }

// Or returns the squares in either set.
func (a Set) Or(b Set) Set { return Set{a.w0 | b.w0, a.w1 | b.w1, a.w2 | b.w2, a.w3 | b.w3} }

// AndNot returns the squares of a that are not in b.
func (a Set) AndNot(b Set) Set { return Set{a.w0 &^ b.w0, a.w1 &^ b.w1, a.w2 &^ b.w2, a.w3 &^ b.w3} }

// Meets reports whether the sets share a square.
func (a Set) Meets(b Set) bool {
	return a.w0&b.w0|a.w1&b.w1|a.w2&b.w2|a.w3&b.w3 != 0
}

// Within reports whether every square of a is in b.
func (a Set) Within(b Set) bool {
	return a.w0&^b.w0|a.w1&^b.w1|a.w2&^b.w2|a.w3&^b.w3 == 0
}

// Empty reports whether the set has no squares.
func (a Set) Empty() bool { return a.w0|a.w1|a.w2|a.w3 == 0 }

// Len returns the number of squares in the set.
func (a Set) Len() int {
	n := bits.OnesCount64(a.w0) + bits.OnesCount64(a.w1)
	if a.w2|a.w3 != 0 {
		n += bits.OnesCount64(a.w2) + bits.OnesCount64(a.w3)
	}
	return n
}

// First returns the first square in board order; the set must not be empty.
func (a Set) First() Square {
	switch {
	case a.w0 != 0:
		return Square(bits.TrailingZeros64(a.w0))
	case a.w1 != 0:
		return Square(64 + bits.TrailingZeros64(a.w1))
	case a.w2 != 0:
		return Square(128 + bits.TrailingZeros64(a.w2))
	}
	return Square(192 + bits.TrailingZeros64(a.w3))
}

// Pop removes and returns the first square in board order; the set must not
// be empty.
func (a *Set) Pop() Square {
	switch {
	case a.w0 != 0:
		s := bits.TrailingZeros64(a.w0)
		a.w0 &= a.w0 - 1
		return Square(s)
	case a.w1 != 0:
		s := bits.TrailingZeros64(a.w1)
		a.w1 &= a.w1 - 1
		return Square(64 + s)
	case a.w2 != 0:
		s := bits.TrailingZeros64(a.w2)
		a.w2 &= a.w2 - 1
		return Square(128 + s)
	}
	s := bits.TrailingZeros64(a.w3)
	a.w3 &= a.w3 - 1
	return Square(192 + s)
}

// Nth returns the square with n others before it in board order, for
// 0 <= n < Len: with a random n, a random square of the set.
func (a Set) Nth(n int) Square {
	word, at := a.w0, 0
	if a.w2|a.w3 != 0 {
		if c := bits.OnesCount64(a.w0) + bits.OnesCount64(a.w1); n >= c {
			n -= c
			a.w0, a.w1, word, at = a.w2, a.w3, a.w2, 128
		}
	}
	if c := bits.OnesCount64(a.w0); n >= c {
		n -= c
		word = a.w1
		at += 64
	}
	return Square(at + nth(word, n))
}

// nth returns the position of the bit of x with n set bits below it. It takes
// no branch, as a random n would be mispredicted: the sums of the bytes up to
// each byte give the byte, the same within the byte gives the bit (S. Vigna,
// "Broadword implementation of rank/select queries", 2008).
func nth(x uint64, n int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	s := x - x>>1&0x5555555555555555
	s = s&0x3333333333333333 + s>>2&0x3333333333333333
	s = (s + s>>4) & 0x0f0f0f0f0f0f0f0f * ones
	byte8 := 8 * bits.OnesCount64((uint64(n)*ones|highs-s)&highs)
	rank := uint64(n) - s<<8>>(byte8&63)&0xff
	spread := (x >> (byte8 & 63) & 0xff * ones) & 0x8040201008040201
	s = (spread + 0x7f7f7f7f7f7f7f7f) >> 7 & ones * ones
	return byte8 + bits.OnesCount64((rank*ones|highs-s)&highs)
}

// All yields the squares in board order.
func (a Set) All() iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for !a.Empty() {
			if !yield(a.Pop()) {
				return
			}
		}
	}
}

// up moves every square k places towards the end of the board order, down k
// places towards its start; what leaves the 256 places is lost.
func (a Set) up(k uint) Set {
	for ; k >= 64; k -= 64 {
		a = Set{0, a.w0, a.w1, a.w2}
	}
	r := 64 - k
	return Set{a.w0 << k, a.w1<<k | a.w0>>r, a.w2<<k | a.w1>>r, a.w3<<k | a.w2>>r}
}

func (a Set) down(k uint) Set {
	for ; k >= 64; k -= 64 {
		a = Set{a.w1, a.w2, a.w3, 0}
	}
	l := 64 - k
	return Set{a.w0>>k | a.w1<<l, a.w1>>k | a.w2<<l, a.w2>>k | a.w3<<l, a.w3 >> k}
}
