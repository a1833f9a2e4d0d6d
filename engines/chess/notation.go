package chess

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// StartFEN is the position in which games of chess begin.
const StartFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// Start returns the position in which games of chess begin.
func Start() Position {
	p, err := ParseFEN(StartFEN)
	if err != nil {
		panic(err) // a constant of this package that does not parse is a bug
	}
	return p
}

// ParseFEN reads a position in Forsyth and Edwards' notation. The counts of moves
// may be left out. A position that play cannot go on from is refused: a king too
// few or too many, pawns on the last ranks, the side that is not to move in check.
func ParseFEN(text string) (Position, error) {
	fields := strings.Fields(text)
	if len(fields) < 4 || len(fields) > 6 {
		return Position{}, fmt.Errorf("position %.100q: expected 4 to 6 fields, got %d", text, len(fields))
	}
	p := fenReader{Position{passing: noSquare, number: 1}}
	err := p.readBoard(fields[0])
	if err == nil {
		err = p.readTurn(fields[1])
	}
	if err == nil {
		err = p.readRights(fields[2])
	}
	if err == nil {
		err = p.check()
	}
	if err == nil {
		err = p.readPassing(fields[3])
	}
	for i, count := range []*int{&p.quiet, &p.number} {
		if err == nil && len(fields) > 4+i {
			if *count, err = strconv.Atoi(fields[4+i]); err != nil || *count < 0 || *count > 10000 {
				err = fmt.Errorf("expected a count of moves in 0..10000, got %q", fields[4+i])
			}
		}
	}
	if err != nil {
		return Position{}, fmt.Errorf("position %.100q: %w", text, err)
	}
	p.number = max(p.number, 1)
	p.key = p.wholeKey()
	return p.Position, nil
}

// fenReader fills a position field by field.
type fenReader struct{ Position }

func (p *fenReader) readBoard(text string) error {
	ranks := strings.Split(text, "/")
	if len(ranks) != 8 {
		return fmt.Errorf("expected 8 ranks, got %d", len(ranks))
	}
	for i, rank := range ranks {
		file := 0
		for _, c := range []byte(rank) {
			if c >= '1' && c <= '8' {
				file += int(c - '0')
				continue
			}
			k, side := kindOf(c&^0x20), Black
			if c < 'a' {
				side = White
			}
			if k == None || file > 7 {
				return fmt.Errorf("rank %d: expected pieces and numbers that make 8 squares, got %q", 8-i, rank)
			}
			p.put(side, k, at(file, 7-i))
			file++
		}
		if file != 8 {
			return fmt.Errorf("rank %d: expected 8 squares, got %q", 8-i, rank)
		}
	}
	return nil
}

func (p *fenReader) readTurn(text string) error {
	switch text {
	case "w":
		p.turn = White
	case "b":
		p.turn = Black
	default:
		return fmt.Errorf("expected w or b to move, got %q", text)
	}
	return nil
}

// rightLetters are the rights as written, in their order.
const rightLetters = "KQkq"

func (p *fenReader) readRights(text string) error {
	if text == "-" {
		return nil
	}
	for _, c := range text {
		i := strings.IndexRune(rightLetters, c)
		if i < 0 {
			i = strings.IndexRune("HAha", c) // the rooks' files, as Shredder writes them
		}
		if i < 0 {
			return fmt.Errorf("expected castling rights as KQkq or -, got %q", text)
		}
		king, rook, side := Square(4), Square(7), White
		if i >= 2 {
			king, rook, side = 60, 63, Black
		}
		if i%2 == 1 {
			rook -= 7
		}
		if !p.Squares(side, King).has(king) || !p.Squares(side, Rook).has(rook) {
			return fmt.Errorf("castling right %c: expected king and rook on their first squares", c)
		}
		p.rights |= 1 << i
	}
	return nil
}

func (p *fenReader) check() error {
	for c := range p.side {
		if n := (p.by[King] & p.side[c]).Len(); n != 1 {
			return fmt.Errorf("expected one king of %s, got %d", Color(c), n)
		}
	}
	if p.by[Pawn]&0xFF000000000000FF != 0 {
		return errors.New("expected no pawn on the first or last rank")
	}
	if p.attackers(p.king(p.turn^1), p.turn, p.side[0]|p.side[1]) != 0 {
		return fmt.Errorf("expected %s, who is not to move, not in check", p.turn^1)
	}
	return nil
}

func (p *fenReader) readPassing(text string) error {
	if text == "-" {
		return nil
	}
	s, ok := parseSquare(text)
	rank := 5
	if p.turn == Black {
		rank = 2
	}
	if !ok || s.rank() != rank {
		return fmt.Errorf("expected the square that a pawn has jumped, or -, got %q", text)
	}
	if p.Squares(p.turn^1, Pawn).has(s^8) && p.kind(s) == None {
		p.allowPassing(s)
	}
	return nil
}

// FEN writes the position.
func (p *Position) FEN() string {
	b := make([]byte, 0, 90)
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for file := range 8 {
			c, k := p.Piece(at(file, rank))
			if k == None {
				empty++
				continue
			}
			if empty > 0 {
				b = append(b, '0'+empty)
				empty = 0
			}
			letter := k.letter()
			if c == Black {
				letter |= 0x20
			}
			b = append(b, letter)
		}
		if empty > 0 {
			b = append(b, '0'+empty)
		}
		if rank > 0 {
			b = append(b, '/')
		}
	}
	b = append(b, ' ', "wb"[p.turn], ' ')
	if p.rights == 0 {
		b = append(b, '-')
	}
	for i := range rightLetters {
		if p.rights>>i&1 == 1 {
			b = append(b, rightLetters[i])
		}
	}
	b = append(b, ' ')
	b = append(b, p.passing.String()...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(p.quiet), 10)
	b = append(b, ' ')
	return string(strconv.AppendInt(b, int64(p.number), 10))
}

// SAN returns a legal move in standard algebraic notation, such as Nbd7, exd6, O-O or
// e8=Q#.
func (p *Position) SAN(m Move) string {
	from, to, kind := m.From(), m.To(), p.kind(m.From())
	b := make([]byte, 0, 8)
	switch {
	case kind == King && to-from == 2:
		b = append(b, "O-O"...)
	case kind == King && from-to == 2:
		b = append(b, "O-O-O"...)
	default:
		takes := p.kind(to) != None || kind == Pawn && from.file() != to.file()
		if kind != Pawn {
			b = append(b, kind.letter())
			b = append(b, p.origin(m)...)
		} else if takes {
			b = append(b, 'a'+byte(from.file()))
		}
		if takes {
			b = append(b, 'x')
		}
		b = append(b, to.String()...)
		if k := m.promote(); k != None {
			b = append(b, '=', k.letter())
		}
	}
	next := *p
	next.Do(m)
	if next.Check() {
		var buffer [256]Move
		if len(next.Legal(buffer[:0])) == 0 {
			return string(append(b, '#'))
		}
		b = append(b, '+')
	}
	return string(b)
}

// origin returns what must be added to a move when another piece of its kind can go to the
// same square: the file if that is enough, else the rank, else both.
func (p *Position) origin(m Move) string {
	var buffer [256]Move
	others, file, rank := false, false, false
	for _, o := range p.Legal(buffer[:0]) {
		if o.To() != m.To() || o.From() == m.From() || p.kind(o.From()) != p.kind(m.From()) {
			continue
		}
		others = true
		file = file || o.From().file() == m.From().file()
		rank = rank || o.From().rank() == m.From().rank()
	}
	name := m.From().String()
	switch {
	case !others:
		return ""
	case !file:
		return name[:1]
	case !rank:
		return name[1:]
	}
	return name
}

// signs are other signs for those in moves.
var signs = strings.NewReplacer("–", "-", "—", "-", "‑", "-", "−", "-", "×", "x", ":", "x", "(", "", ")", "",
	"♔", "K", "♕", "Q", "♖", "R", "♗", "B", "♘", "N", "♙", "", "♚", "K", "♛", "Q", "♜", "R", "♝", "B", "♞", "N", "♟", "", "\ufe0e", "", "\ufe0f", "")

// judgements are marks behind a move that say nothing of where it goes.
const judgements = "+#!?=-/±∓⩲⩱□∞~.,"

// parseSAN reads a move in standard algebraic notation. Marks of check, mate and
// judgement are not looked at, and more may be said of the origin than must be.
func (p *Position) parseSAN(text string) (Move, error) {
	t, _, _ := strings.Cut(text, "$")
	t = strings.TrimRight(signs.Replace(t), judgements)
	for _, passing := range []string{"e.p", "ep"} {
		t = strings.TrimRight(strings.TrimSuffix(t, passing), judgements)
	}
	var buffer [256]Move
	legal := p.Legal(buffer[:0])
	if castling := strings.NewReplacer("0", "O", "o", "O", "-", "").Replace(t); castling == "OO" || castling == "OOO" {
		by := Square(2)
		if len(castling) == 3 {
			by = -2
		}
		for _, m := range legal {
			if p.kind(m.From()) == King && m.To()-m.From() == by {
				return m, nil
			}
		}
		return 0, fmt.Errorf("move %q is not legal in %s", text, p.FEN())
	}
	want := sanParts{kind: Pawn, file: -1, rank: -1, to: noSquare}
	if !want.read(t) {
		return 0, fmt.Errorf("expected a move, got %q", text)
	}
	var found []Move
	for _, m := range legal {
		if want.fit(m, p.kind(m.From())) {
			found = append(found, m)
		}
	}
	if m, ok := ParseMove(strings.ToLower(strings.ReplaceAll(t, "-", ""))); ok && len(found) == 0 && slices.Contains(legal, m) {
		return m, nil // g1f3
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("move %q is not legal in %s", text, p.FEN())
	case 1:
		return found[0], nil
	}
	return 0, fmt.Errorf("move %q may be %s or %s in %s", text, found[0], found[1], p.FEN())
}

// sanParts are what a text says of a move.
type sanParts struct {
	kind       Kind
	file, rank int // of the origin, -1 where nothing is said
	to         Square
	promote    Kind
}

func (w *sanParts) read(t string) bool {
	if t != "" {
		if k := kindOf(t[0]); k != None {
			w.kind, t = k, t[1:]
		}
	}
	if n := len(t); n > 2 {
		if k := kindOf(t[n-1] &^ 0x20); k >= Knight && k <= Queen {
			w.promote, t = k, strings.TrimRight(t[:n-1], "=/")
		}
	}
	n := len(t)
	if n < 2 {
		return false
	}
	var ok bool
	if w.to, ok = parseSquare(t[n-2:]); !ok {
		return false
	}
	for _, c := range []byte(t[:n-2]) {
		switch {
		case c >= 'a' && c <= 'h':
			w.file = int(c - 'a')
		case c >= '1' && c <= '8':
			w.rank = int(c - '1')
		case c != 'x' && c != '-':
			return false
		}
	}
	return true
}

func (w *sanParts) fit(m Move, kind Kind) bool {
	return kind == w.kind && m.To() == w.to && m.promote() == w.promote &&
		(w.file < 0 || m.From().file() == w.file) && (w.rank < 0 || m.From().rank() == w.rank)
}
