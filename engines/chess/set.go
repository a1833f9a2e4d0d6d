package chess

import "math/bits"

// Square is a square of the board: a1 is 0, b1 is 1, h8 is 63.
type Square int8

// noSquare stands where there is no square.
const noSquare Square = 64

// at is the square of a file and a rank, both from 0.
func at(file, rank int) Square { return Square(rank*8 + file) }

// File is the square's file, a is 0.
func (s Square) File() int { return int(s) & 7 }

// rank is the square's rank from White's side, from 0.
func (s Square) rank() int { return int(s) >> 3 }

// String is the square as players write it, "-" for no square.
func (s Square) String() string {
	if s < 0 || s >= noSquare {
		return "-"
	}
	return string([]byte{'a' + byte(s.File()), '1' + byte(s.rank())})
}

// parseSquare reads a square such as "e4".
func parseSquare(text string) (Square, bool) {
	if len(text) != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8' {
		return noSquare, false
	}
	return at(int(text[0]-'a'), int(text[1]-'1')), true
}

// Set is a set of squares, a bit for each.
type Set uint64

// one is the set of a single square.
func one(s Square) Set { return 1 << (uint(s) & 63) }

// Has tells whether a square is in the set.
func (b Set) Has(s Square) bool { return b>>(uint(s)&63)&1 == 1 }

// Len is the number of squares.
func (b Set) Len() int { return bits.OnesCount64(uint64(b)) }

// First is the lowest square of a set that is not empty.
func (b Set) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Rest is the set without its lowest square.
func (b Set) Rest() Set { return b & (b - 1) }

// Sets of squares that rules speak of.
const (
	fileA Set = 0x0101010101010101
	fileH Set = fileA << 7
	dark  Set = 0xAA55AA55AA55AA55 // squares of the colour of a1
)
