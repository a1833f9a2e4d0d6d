package main

import (
	"strconv"
	"strings"
)

// A piece is 1 to 6 (pawn, knight, bishop, rook, queen, king), negative for black.
const (
	pawn = 1 + iota
	knight
	bishop
	rook
	queen
	king
)

// board is 0x88: file + 16 * rank.
type board struct {
	at      [128]int8
	kings   [2]int
	black   bool
	castles int // bits: white short, white long, black short, black long
	passed  int // square of an en passant capture, -1 for none
	fifty   int
}

type move struct{ from, to, promoted int }

func (m move) String() string {
	text := square(m.from) + square(m.to)
	if m.promoted != 0 {
		text += string(" pnbrqk"[m.promoted])
	}
	return text
}

func square(s int) string { return string(rune('a'+s&7)) + string(rune('1'+s>>4)) }

var (
	leaps  = map[int][]int{knight: {33, 31, 18, 14, -33, -31, -18, -14}, king: {1, -1, 16, -16, 17, 15, -17, -15}}
	slides = map[int][]int{bishop: {17, 15, -17, -15}, rook: {1, -1, 16, -16}, queen: {1, -1, 16, -16, 17, 15, -17, -15}}
)

func sign(black bool) int8 {
	if black {
		return -1
	}
	return 1
}

func abs(p int8) int {
	if p < 0 {
		return int(-p)
	}
	return int(p)
}

func index(black bool) int {
	if black {
		return 1
	}
	return 0
}

// attacked reports whether a side attacks a square.
func (b *board) attacked(s int, black bool) bool {
	side := sign(black)
	step := 16
	if black {
		step = -16
	}
	for _, d := range []int{step + 1, step - 1} {
		if at := s - d; at&0x88 == 0 && b.at[at] == side*pawn {
			return true
		}
	}
	for _, p := range []int{knight, king} {
		for _, d := range leaps[p] {
			if at := s + d; at&0x88 == 0 && b.at[at] == side*int8(p) {
				return true
			}
		}
	}
	for _, p := range []int{bishop, rook} {
		for _, d := range slides[p] {
			for at := s + d; at&0x88 == 0; at += d {
				if b.at[at] != 0 {
					if b.at[at] == side*int8(p) || b.at[at] == side*queen {
						return true
					}
					break
				}
			}
		}
	}
	return false
}

// moves returns the moves of the side to move, of which some leave its king attacked.
func (b *board) moves(captures bool) (all []move) {
	side := sign(b.black)
	add := func(from, to int) {
		if abs(b.at[from]) == pawn && (to>>4 == 7 || to>>4 == 0) {
			for _, p := range []int{queen, knight, rook, bishop} {
				all = append(all, move{from, to, p})
			}
			return
		}
		all = append(all, move{from, to, 0})
	}
	for from := range 128 {
		if from&0x88 != 0 || b.at[from]*side <= 0 {
			continue
		}
		p := abs(b.at[from])
		if p == pawn {
			step := 16 * int(side)
			if at := from + step; at&0x88 == 0 && b.at[at] == 0 && (!captures || at>>4 == 7 || at>>4 == 0) {
				add(from, at)
				home := 1
				if b.black {
					home = 6
				}
				if from>>4 == home && b.at[at+step] == 0 && !captures {
					add(from, at+step)
				}
			}
			for _, d := range []int{step + 1, step - 1} {
				if at := from + d; at&0x88 == 0 && (b.at[at]*side < 0 || at == b.passed) {
					add(from, at)
				}
			}
			continue
		}
		for _, d := range leaps[p] {
			if at := from + d; at&0x88 == 0 && (b.at[at]*side < 0 || b.at[at] == 0 && !captures) {
				add(from, at)
			}
		}
		for _, d := range slides[p] {
			for at := from + d; at&0x88 == 0; at += d {
				if b.at[at]*side < 0 || b.at[at] == 0 && !captures {
					add(from, at)
				}
				if b.at[at] != 0 {
					break
				}
			}
		}
	}
	if !captures {
		all = append(all, b.castling()...)
	}
	return all
}

func (b *board) castling() (all []move) {
	k, bits := b.kings[index(b.black)], b.castles
	if b.black {
		bits >>= 2
	}
	free := func(from, to int) bool {
		for s := from; s <= to; s++ {
			if b.at[s] != 0 {
				return false
			}
		}
		return true
	}
	safe := func(squares ...int) bool {
		for _, s := range squares {
			if b.attacked(s, !b.black) {
				return false
			}
		}
		return true
	}
	if bits&1 != 0 && free(k+1, k+2) && safe(k, k+1, k+2) {
		all = append(all, move{k, k + 2, 0})
	}
	if bits&2 != 0 && free(k-3, k-1) && safe(k, k-1, k-2) {
		all = append(all, move{k, k - 2, 0})
	}
	return all
}

// after returns the board after a move; false where that leaves the own king attacked.
func (b *board) after(m move) (n board, legal bool) {
	n = *b
	p := n.at[m.from]
	n.fifty++
	if n.at[m.to] != 0 || abs(p) == pawn {
		n.fifty = 0
	}
	n.at[m.from], n.at[m.to], n.passed = 0, p, -1
	switch abs(p) {
	case pawn:
		if m.to == b.passed {
			n.at[m.to-16*int(sign(b.black))] = 0
		}
		if d := m.to - m.from; d == 32 || d == -32 {
			n.passed = m.from + d/2
		}
		if m.promoted != 0 {
			n.at[m.to] = int8(m.promoted) * sign(b.black)
		}
	case king:
		n.kings[index(b.black)] = m.to
		switch m.to - m.from {
		case 2:
			n.at[m.to+1], n.at[m.to-1] = 0, n.at[m.to+1]
		case -2:
			n.at[m.to-2], n.at[m.to+1] = 0, n.at[m.to-2]
		}
	}
	for s, bits := range map[int]int{4: 3, 7: 1, 0: 2, 116: 12, 119: 4, 112: 8} {
		if m.from == s || m.to == s {
			n.castles &^= bits
		}
	}
	n.black = !b.black
	return n, !n.attacked(n.kings[index(b.black)], n.black)
}

// fen sets a position.
func (b *board) fen(text string) {
	*b = board{passed: -1}
	f := append(strings.Fields(text), "w", "-", "-", "0")
	s := 112
	for _, c := range f[0] {
		switch {
		case c == '/':
			s = (s>>4 - 1) << 4
		case c >= '1' && c <= '8':
			s += int(c - '0')
		default:
			p := int8(strings.IndexRune("pnbrqk", c|32) + 1)
			if c >= 'a' {
				p = -p
			}
			if abs(p) == king {
				b.kings[index(p < 0)] = s
			}
			b.at[s] = p
			s++
		}
	}
	b.black = f[1] == "b"
	for i, c := range "KQkq" {
		if strings.ContainsRune(f[2], c) {
			b.castles |= 1 << i
		}
	}
	if len(f[3]) == 2 {
		b.passed = int(f[3][0]-'a') + 16*int(f[3][1]-'1')
	}
	b.fifty, _ = strconv.Atoi(f[4])
}

const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// weights are the options: value, least, most.
var weights = map[string]*[3]int{
	"Pawn": {100, 50, 200}, "Knight": {300, 100, 600}, "Bishop": {310, 100, 600}, "Rook": {500, 200, 900}, "Queen": {900, 400, 1600},
	"Centre": {4, 0, 30}, "Mobility": {2, 0, 20}, "Passed": {8, 0, 60}, "Doubled": {10, 0, 60}, "Shelter": {6, 0, 40},
}

var names = []string{"Pawn", "Knight", "Bishop", "Rook", "Queen", "Centre", "Mobility", "Passed", "Doubled", "Shelter"}

// evaluate returns how far the side to move is ahead, hundredths of a pawn.
func (b *board) evaluate() int {
	value := [7]int{0, weights["Pawn"][0], weights["Knight"][0], weights["Bishop"][0], weights["Rook"][0], weights["Queen"][0], 0}
	centre, passed, doubled, shelter, mobility := weights["Centre"][0], weights["Passed"][0], weights["Doubled"][0], weights["Shelter"][0], weights["Mobility"][0]
	sum := 0
	var files [2][8]int
	for s := range 128 {
		p := b.at[s]
		if s&0x88 != 0 || p == 0 {
			continue
		}
		side, kind := int(1), abs(p)
		if p < 0 {
			side = -1
		}
		sum += side * value[kind]
		file, rank := s&7, s>>4
		near := min(file, 7-file) + min(rank, 7-rank)
		switch kind {
		case pawn:
			files[index(p < 0)][file]++
			if p < 0 {
				rank = 7 - rank
			}
			sum += side * (passed*(rank-1)/2 + centre*near/2)
		case knight, bishop, queen:
			sum += side * centre * near
		}
		for _, d := range slides[kind] {
			for at := s + d; at&0x88 == 0 && b.at[at] == 0; at += d {
				sum += side * mobility
			}
		}
	}
	for file := range 8 {
		sum -= doubled * (max(files[0][file]-1, 0) - max(files[1][file]-1, 0))
	}
	for i, k := range b.kings {
		step, side := 16, 1
		if i == 1 {
			step, side = -16, -1
		}
		for _, d := range []int{step - 1, step, step + 1} {
			if at := k + d; at&0x88 == 0 && b.at[at] == int8(side*pawn) {
				sum += side * shelter
			}
		}
	}
	if b.black {
		return -sum
	}
	return sum
}
