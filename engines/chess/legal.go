package chess

import "math/bits"

// This file answers which squares a piece attacks. Bishops, and rooks along
// files, use the subtraction of the blocked ray from both ends ("hyperbola
// quintessence", G. Osborne and A. Leonard, 2007); ranks have a table.

// tables are worked out once when the program starts, and only read.
var tables = newTables()

type tableSet struct {
	knight, king         [64]set
	pawn                 [2][64]set // by the pawn's colour
	file, rising, fallen [64]set    // lines through a square, without it
	rank                 [8][64]byte
	between, line        [64][64]set
}

func newTables() *tableSet {
	t := &tableSet{}
	for s := range Square(64) {
		t.knight[s] = steps(s, [][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}})
		t.king[s] = steps(s, [][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}})
		t.pawn[White][s] = steps(s, [][2]int{{-1, 1}, {1, 1}})
		t.pawn[Black][s] = steps(s, [][2]int{{-1, -1}, {1, -1}})
		t.file[s] = ray(s, 0, 1) | ray(s, 0, -1)
		t.rising[s] = ray(s, 1, 1) | ray(s, -1, -1)
		t.fallen[s] = ray(s, 1, -1) | ray(s, -1, 1)
	}
	for file := range 8 {
		for inner := range 64 {
			t.rank[file][inner] = rankAttacks(file, inner<<1)
		}
	}
	for s := range Square(64) {
		for _, d := range [][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}} {
			whole := ray(s, d[0], d[1]) | ray(s, -d[0], -d[1]) | one(s)
			for r := ray(s, d[0], d[1]); r != 0; r = r.rest() {
				to := r.first()
				t.line[s][to] = whole
				t.between[s][to] = ray(s, d[0], d[1]) & ray(to, -d[0], -d[1])
			}
		}
	}
	return t
}

// steps returns the squares on the board that single steps reach.
func steps(s Square, by [][2]int) (b set) {
	for _, d := range by {
		if f, r := s.file()+d[0], s.rank()+d[1]; f >= 0 && f < 8 && r >= 0 && r < 8 {
			b |= one(at(f, r))
		}
	}
	return b
}

// ray returns the squares from s to the edge, without s.
func ray(s Square, df, dr int) (b set) {
	for f, r := s.file()+df, s.rank()+dr; f >= 0 && f < 8 && r >= 0 && r < 8; f, r = f+df, r+dr {
		b |= one(at(f, r))
	}
	return b
}

// rankAttacks returns what a rook attacks along a rank whose files are occupied.
func rankAttacks(file, occupied int) byte {
	var b byte
	for f := file + 1; f < 8; f++ {
		b |= 1 << f
		if occupied>>f&1 == 1 {
			break
		}
	}
	for f := file - 1; f >= 0; f-- {
		b |= 1 << f
		if occupied>>f&1 == 1 {
			break
		}
	}
	return b
}

// along returns what a piece on s attacks on one line. No rank may be given: swapping
// bytes turns files and diagonals round, and leaves ranks as they are.
func along(line set, s Square, occupied set) set {
	o := uint64(occupied & line)
	at := uint64(one(s))
	forward := o - 2*at
	backward := bits.ReverseBytes64(bits.ReverseBytes64(o) - 2*bits.ReverseBytes64(at))
	return set(forward^backward) & line
}

func bishopAttacks(s Square, occupied set) set {
	return along(tables.rising[s&63], s, occupied) | along(tables.fallen[s&63], s, occupied)
}

func rookAttacks(s Square, occupied set) set {
	shift := uint(s) & 56
	inner := uint64(occupied) >> shift >> 1 & 63
	return along(tables.file[s&63], s, occupied) | set(tables.rank[s&7][inner])<<shift
}

// attacks returns what a piece of a kind, no pawn, attacks from s.
func attacks(k Kind, s Square, occupied set) set {
	switch k {
	case Knight:
		return tables.knight[s&63]
	case Bishop:
		return bishopAttacks(s, occupied)
	case Rook:
		return rookAttacks(s, occupied)
	case Queen:
		return bishopAttacks(s, occupied) | rookAttacks(s, occupied)
	case King:
		return tables.king[s&63]
	}
	return 0
}

// Legal appends the legal moves to a list. Their order is a function of the
// position.
func (p *Position) Legal(moves []Move) []Move {
	g := generator{p: p, us: p.turn, moves: moves}
	g.own, g.enemy = p.side[g.us], p.side[g.us^1]
	g.occupied = g.own | g.enemy
	g.king = p.king(g.us)
	g.kingMoves()
	checkers := p.attackers(g.king, g.us^1, g.occupied)
	if checkers.rest() != 0 {
		return g.moves // two checkers: only the king can move
	}
	g.target = ^g.own
	if checkers != 0 {
		g.target = checkers | tables.between[g.king&63][checkers.first()&63]
	} else {
		g.castle()
	}
	g.findPinned()
	for k := Knight; k <= Queen; k++ {
		for b := p.by[k] & g.own; b != 0; b = b.rest() {
			from := b.first()
			for to := attacks(k, from, g.occupied) & g.allowed(from); to != 0; to = to.rest() {
				g.moves = append(g.moves, newMove(from, to.first(), None))
			}
		}
	}
	g.pawns()
	return g.moves
}

// generator is what is known of a position while its moves are listed.
type generator struct {
	p                    *Position
	us                   Color
	own, enemy, occupied set
	king                 Square
	target               set // where a move of another piece than the king ends
	pinned               set
	moves                []Move
}

// allowed returns where a piece may go: not off the line on which it is pinned.
func (g *generator) allowed(from Square) set {
	if g.pinned.has(from) {
		return g.target & tables.line[g.king&63][from&63]
	}
	return g.target
}

func (g *generator) kingMoves() {
	without := g.occupied &^ one(g.king) // the king does not shield what is behind it
	for b := tables.king[g.king&63] &^ g.own; b != 0; b = b.rest() {
		if to := b.first(); g.p.attackers(to, g.us^1, without) == 0 {
			g.moves = append(g.moves, newMove(g.king, to, None))
		}
	}
}

func (g *generator) castle() {
	short, long := whiteShort, whiteLong
	if g.us == Black {
		short, long = blackShort, blackLong
	}
	safe := func(s Square) bool { return g.p.attackers(s, g.us^1, g.occupied) == 0 }
	k := g.king
	if g.p.rights&short != 0 && g.occupied&(one(k+1)|one(k+2)) == 0 && safe(k+1) && safe(k+2) {
		g.moves = append(g.moves, newMove(k, k+2, None))
	}
	if g.p.rights&long != 0 && g.occupied&(one(k-1)|one(k-2)|one(k-3)) == 0 && safe(k-1) && safe(k-2) {
		g.moves = append(g.moves, newMove(k, k-2, None))
	}
}

// findPinned finds own pieces that alone stand between the king and a slider.
func (g *generator) findPinned() {
	p := g.p
	snipers := bishopAttacks(g.king, g.enemy)&(p.by[Bishop]|p.by[Queen]) | rookAttacks(g.king, g.enemy)&(p.by[Rook]|p.by[Queen])
	for b := snipers & g.enemy; b != 0; b = b.rest() {
		if shield := tables.between[g.king&63][b.first()&63] & g.own; shield != 0 && shield.rest() == 0 {
			g.pinned |= shield
		}
	}
}

func (g *generator) pawns() {
	forward, last, home := Square(8), 7, 1
	if g.us == Black {
		forward, last, home = -8, 0, 6
	}
	for b := g.p.by[Pawn] & g.own; b != 0; b = b.rest() {
		from := b.first()
		allowed := g.allowed(from)
		to := tables.pawn[g.us][from&63] & g.enemy
		if step := from + forward; !g.occupied.has(step) {
			to |= one(step)
			if from.rank() == home && !g.occupied.has(step+forward) {
				to |= one(step + forward)
			}
		}
		for to &= allowed; to != 0; to = to.rest() {
			s := to.first()
			if s.rank() != last {
				g.moves = append(g.moves, newMove(from, s, None))
				continue
			}
			for k := Queen; k >= Knight; k-- {
				g.moves = append(g.moves, newMove(from, s, k))
			}
		}
		if s := g.p.passing; s != noSquare && tables.pawn[g.us][from&63].has(s) && g.p.passable(from, s) {
			g.moves = append(g.moves, newMove(from, s, None))
		}
	}
}

// passable reports whether the pawn on from can capture en passant on to without leaving its king
// in check. Two pawns leave a rank at once, so the usual test of pins is not enough.
func (p *Position) passable(from, to Square) bool {
	taken := to ^ 8
	occupied := (p.side[0]|p.side[1])&^(one(from)|one(taken)) | one(to)
	return p.attackers(p.king(p.turn), p.turn^1, occupied)&^one(taken) == 0
}
