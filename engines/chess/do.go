package chess

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
	for b := tables.pawn[p.turn^1][s&63] & p.by[Pawn] & p.side[p.turn]; b != 0; b = b.Rest() {
		if p.passable(b.First(), s) {
			p.passing = s
			return
		}
	}
}

// lost are the rights that are lost when something leaves or reaches a square.
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
