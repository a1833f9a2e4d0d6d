package chess

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// StartFEN is the position in which games of chess begin.
const StartFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// Start is the position in which games of chess begin.
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
		return Position{}, fmt.Errorf("position %q: expected 4 to 6 fields, got %d", text, len(fields))
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
		return Position{}, fmt.Errorf("position %q: %w", text, err)
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
