package chess

// Color is a side.
type Color uint8

// The sides, which are also the seats.
const (
	White Color = iota
	Black
)

// Other is the opponent.
func (c Color) Other() Color { return c ^ 1 }

// String is "white" or "black".
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

// letter is the kind's capital letter.
func (k Kind) letter() byte { return letters[k] }

// kindOf is the kind of a capital letter, None for another one.
func kindOf(letter byte) Kind {
	for k := Pawn; k <= King; k++ {
		if letters[k] == letter {
			return k
		}
	}
	return None
}
