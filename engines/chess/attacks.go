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

// steps are the squares on the board that single steps reach.
func steps(s Square, by [][2]int) (b set) {
	for _, d := range by {
		if f, r := s.file()+d[0], s.rank()+d[1]; f >= 0 && f < 8 && r >= 0 && r < 8 {
			b |= one(at(f, r))
		}
	}
	return b
}

// ray is the squares from s to the edge, without s.
func ray(s Square, df, dr int) (b set) {
	for f, r := s.file()+df, s.rank()+dr; f >= 0 && f < 8 && r >= 0 && r < 8; f, r = f+df, r+dr {
		b |= one(at(f, r))
	}
	return b
}

// rankAttacks is what a rook attacks along a rank whose files are occupied.
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

// along is what a piece on s attacks on one line. No rank may be given: swapping
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

// attacks is what a piece of a kind, no pawn, attacks from s.
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
