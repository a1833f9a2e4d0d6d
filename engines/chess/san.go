package chess

import (
	"fmt"
	"strings"
)

// SAN is a legal move in standard algebraic notation, such as Nbd7, exd6, O-O or
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

// origin is what must be added to a move when another piece of its kind can go to the same
// square: the file if that is enough, else the rank, else both.
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

// parseSAN reads a move in standard algebraic notation. Marks of check, mate and
// judgement are not looked at, and more may be said of the origin than must be.
func (p *Position) parseSAN(text string) (Move, error) {
	t := strings.TrimRight(text, "+#!?")
	var buffer [256]Move
	legal := p.Legal(buffer[:0])
	if t == "O-O" || t == "O-O-O" || t == "0-0" || t == "0-0-0" {
		by := Square(2)
		if len(t) == 5 {
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
		if k := kindOf(t[0]); k != None && k != Pawn {
			w.kind, t = k, t[1:]
		}
	}
	if n := len(t); n > 2 {
		if k := kindOf(t[n-1]); k >= Knight && k <= Queen {
			w.promote, t = k, strings.TrimSuffix(t[:n-1], "=")
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
