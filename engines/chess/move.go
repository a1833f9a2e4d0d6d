package chess

// Move is a move: from where to where, and what a pawn becomes. A castling move
// is the king's, from e1 to g1. The zero Move is none.
type Move uint16

// newMove makes a move; promote is None unless a pawn reaches the last rank.
func newMove(from, to Square, promote Kind) Move {
	return Move(from) | Move(to)<<6 | Move(promote)<<12
}

// From is where the piece stood.
func (m Move) From() Square { return Square(m & 63) }

// To is where it goes.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// promote is what a pawn becomes, or None.
func (m Move) promote() Kind { return Kind(m >> 12 & 7) }

// String is the move in the notation of UCI: e2e4, e7e8q, 0000 for none.
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
