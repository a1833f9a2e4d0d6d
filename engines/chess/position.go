package chess

// Position is what stands where, whose turn it is, and what the rules remember:
// the rights to castle, the square of a pawn that may be taken in passing, and
// the counts of moves. It is a value: copy it to try a move.
type Position struct {
	by     [7]set // squares by kind
	side   [2]set // squares by colour
	turn   Color
	rights rights
	// passing is the square that a pawn has just jumped over, if a pawn of the other side
	// can legally capture it there; otherwise none. So positions with the same legal moves
	// are equal, as the rule of repetition wants.
	passing Square
	quiet   int // plies since a capture or a pawn's move
	number  int // of the move, from 1, raised after Black's
	key     uint64
}

// rights are the castling moves that neither king nor rook has lost.
type rights uint8

// The four rights.
const (
	whiteShort rights = 1 << iota
	whiteLong
	blackShort
	blackLong
)

// Turn returns the side to move.
func (p *Position) Turn() Color { return p.turn }

// Number returns the number of the move, from 1.
func (p *Position) Number() int { return p.number }

// Key distinguishes positions, but for one chance in 2^64: by pieces, side to
// move, castling rights and captures in passing, without the counts.
func (p *Position) Key() uint64 { return p.key }

// Squares returns those on which a side's pieces of a kind stand.
func (p *Position) Squares(c Color, k Kind) set { return p.by[k] & p.side[c&1] }

// Piece returns what stands on a square; the kind is None on an empty one.
func (p *Position) Piece(s Square) (Color, Kind) {
	c := White
	if p.side[Black].has(s) {
		c = Black
	}
	return c, p.kind(s)
}

func (p *Position) kind(s Square) Kind {
	if !(p.side[White] | p.side[Black]).has(s) {
		return None
	}
	for k := Pawn; k < King; k++ {
		if p.by[k].has(s) {
			return k
		}
	}
	return King
}

// put places a piece on an empty square, or takes away one that stands there.
func (p *Position) put(c Color, k Kind, s Square) {
	p.by[k] ^= one(s)
	p.side[c] ^= one(s)
	p.key ^= keys.piece[c][k][s&63]
}

// king returns the square of a side's king.
func (p *Position) king(c Color) Square { return (p.by[King] & p.side[c]).first() }

// attackers returns the pieces of one side that attack a square.
func (p *Position) attackers(s Square, by Color, occupied set) set {
	queens := p.by[Queen]
	return p.side[by] & (tables.pawn[by^1][s&63]&p.by[Pawn] |
		tables.knight[s&63]&p.by[Knight] |
		tables.king[s&63]&p.by[King] |
		bishopAttacks(s, occupied)&(p.by[Bishop]|queens) |
		rookAttacks(s, occupied)&(p.by[Rook]|queens))
}

// Check reports whether the side to move is in check.
func (p *Position) Check() bool {
	return p.attackers(p.king(p.turn), p.turn^1, p.side[0]|p.side[1]) != 0
}

// keys are the random numbers of Key (A. L. Zobrist, 1970), drawn once from a
// fixed seed.
var keys = newKeys()

type keySet struct {
	piece   [2][7][64]uint64
	rights  [16]uint64
	passing [65]uint64
	black   uint64
}

func newKeys() *keySet {
	k := &keySet{}
	state := uint64(0x5361_6b75_7365_6e21)
	draw := func() uint64 { // SplitMix64 (Steele, Lea and Flood, 2014)
		state += 0x9E3779B97F4A7C15
		z := state
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		return z ^ z>>31
	}
	for c := range k.piece {
		for kind := Pawn; kind <= King; kind++ {
			for s := range k.piece[c][kind] {
				k.piece[c][kind][s] = draw()
			}
		}
	}
	for i := range k.rights {
		k.rights[i] = draw()
	}
	for s := range 64 { // none for NoSquare
		k.passing[s] = draw()
	}
	k.black = draw()
	return k
}

// wholeKey returns what Key returns, computed from the position alone.
func (p *Position) wholeKey() uint64 {
	key := keys.rights[p.rights&15] ^ keys.passing[p.passing]
	if p.turn == Black {
		key ^= keys.black
	}
	for c := range p.side {
		for k := Pawn; k <= King; k++ {
			for b := p.by[k] & p.side[c]; b != 0; b = b.rest() {
				key ^= keys.piece[c][k][b.first()]
			}
		}
	}
	return key
}

// Do makes a legal move.
func (p *Position) Do(m Move) {
	from, to, us := m.From(), m.To(), p.turn
	kind := p.kind(from)
	p.key ^= keys.passing[p.passing] ^ keys.rights[p.rights&15]
	p.quiet++
	if taken := p.kind(to); taken != None {
		p.put(us^1, taken, to)
		p.quiet = 0
	}
	p.put(us, kind, from)
	passing := p.passing
	p.passing = noSquare
	switch kind {
	case Pawn:
		p.quiet = 0
		switch {
		case m.promote() != None:
			kind = m.promote()
		case to == passing:
			p.put(us^1, Pawn, to^8)
		case to-from == 16 || from-to == 16:
			passing = (from + to) / 2
		}
	case King:
		switch to - from {
		case 2:
			p.put(us, Rook, to+1)
			p.put(us, Rook, to-1)
		case -2:
			p.put(us, Rook, to-2)
			p.put(us, Rook, to+1)
		}
	}
	p.put(us, kind, to)
	p.rights &^= lost(from) | lost(to)
	p.turn ^= 1
	if us == Black {
		p.number++
	}
	if kind == Pawn && (to-from == 16 || from-to == 16) {
		p.allowPassing(passing)
	}
	p.key ^= keys.black ^ keys.rights[p.rights&15] ^ keys.passing[p.passing]
}

// allowPassing notes the square that a pawn has jumped, if a pawn of the side to
// move may take it there.
func (p *Position) allowPassing(s Square) {
	for b := tables.pawn[p.turn^1][s&63] & p.by[Pawn] & p.side[p.turn]; b != 0; b = b.rest() {
		if p.passable(b.first(), s) {
			p.passing = s
			return
		}
	}
}

// lost returns the rights that are lost when something leaves or reaches a square.
func lost(s Square) rights {
	switch s {
	case 0:
		return whiteLong
	case 4:
		return whiteShort | whiteLong
	case 7:
		return whiteShort
	case 56:
		return blackLong
	case 60:
		return blackShort | blackLong
	case 63:
		return blackShort
	}
	return 0
}
