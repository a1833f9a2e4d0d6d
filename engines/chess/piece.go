package chess

import (
	"math/bits"
)

// Square is a square of the board: a1 is 0, b1 is 1, h8 is 63.
type Square int8

// noSquare stands where there is no square.
const noSquare Square = 64

// at returns the square of a file and a rank, both from 0.
func at(file, rank int) Square { return Square(rank*8 + file) }

// file returns the square's file, a is 0.
func (s Square) file() int { return int(s) & 7 }

// rank returns the square's rank from White's side, from 0.
func (s Square) rank() int { return int(s) >> 3 }

// String returns the square as players write it, "-" for no square.
func (s Square) String() string {
	if s < 0 || s >= noSquare {
		return "-"
	}
	return string([]byte{'a' + byte(s.file()), '1' + byte(s.rank())})
}

// parseSquare reads a square such as "e4".
func parseSquare(text string) (Square, bool) {
	if len(text) != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8' {
		return noSquare, false
	}
	return at(int(text[0]-'a'), int(text[1]-'1')), true
}

// set is a set of squares, a bit for each.
type set uint64

// one returns the set of a single square.
func one(s Square) set { return 1 << (uint(s) & 63) }

// has reports whether a square is in the set.
func (b set) has(s Square) bool { return b>>(uint(s)&63)&1 == 1 }

// Len returns the number of squares.
func (b set) Len() int { return bits.OnesCount64(uint64(b)) }

// first returns the lowest square of a set that is not empty.
func (b set) first() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// rest returns the set without its lowest square.
func (b set) rest() set { return b & (b - 1) }

// dark is the squares of the colour of a1.
const dark set = 0xAA55AA55AA55AA55

// Color is a side.
type Color uint8

// The sides, which are also the seats.
const (
	White Color = iota
	Black
)

// String returns "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// Kind is a kind of piece.
type Kind uint8

// The kinds; None stands on an empty square.
const (
	None Kind = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

// letters are the kinds as written in moves.
const letters = " PNBRQK"

// letter returns the kind's capital letter.
func (k Kind) letter() byte { return letters[k] }

// kindOf returns the kind of a capital letter, None for another one.
func kindOf(letter byte) Kind {
	for k := Pawn; k <= King; k++ {
		if letters[k] == letter {
			return k
		}
	}
	return None
}

// Move is a move: from where to where, and what a pawn becomes. A castling move
// is the king's, from e1 to g1. The zero Move is none.
type Move uint16

// newMove makes a move; promote is None unless a pawn reaches the last rank.
func newMove(from, to Square, promote Kind) Move {
	return Move(from) | Move(to)<<6 | Move(promote)<<12
}

// From returns where the piece stood.
func (m Move) From() Square { return Square(m & 63) }

// To returns where it goes.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// promote returns what a pawn becomes, or None.
func (m Move) promote() Kind { return Kind(m >> 12 & 7) }

// String returns the move in the notation of UCI: e2e4, e7e8q, 0000 for none.
func (m Move) String() string {
	if m == 0 {
		return "0000"
	}
	text := m.From().String() + m.To().String()
	if k := m.promote(); k != None {
		text += string(k.letter() | 0x20)
	}
	return text
}

// ParseMove reads a move in the notation of UCI. Whether it is legal in a
// position is for Position.IsLegal to say.
func ParseMove(text string) (Move, bool) {
	if len(text) != 4 && len(text) != 5 {
		return 0, false
	}
	from, ok := parseSquare(text[:2])
	to, ok2 := parseSquare(text[2:4])
	if !ok || !ok2 || from == to {
		return 0, false
	}
	promote := None
	if len(text) == 5 {
		promote = kindOf(text[4] &^ 0x20)
		if text[4] < 'a' || promote < Knight || promote > Queen {
			return 0, false
		}
	}
	return newMove(from, to, promote), true
}
