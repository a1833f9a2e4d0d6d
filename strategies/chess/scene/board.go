package scene

import (
	"strings"

	"sakusen/engines/arena/film"
	"sakusen/engines/chess"
)

const (
	square = 10.0 // the side of a square
	margin = 6.0  // numbers and letters
)

// draw draws the board as it is, White below, with the squares of the last move.
func (t *table) draw(last chess.Move, moved bool) string {
	side := 8 * square
	s := film.NewSketch("chess", t.label(), margin+side+1, side+margin+1)
	for at := range chess.Square(64) {
		x, y := corner(at)
		class := "field"
		if (int(at)+int(at)/8)%2 == 0 {
			class = "field odd"
		}
		s.Rect(class, "", x, y, square, square)
		if moved && (at == last.From() || at == last.To()) {
			s.Rect("last", "", x, y, square, square)
		}
	}
	for i := range 8 {
		s.Text("axis middle", margin+square*(float64(i)+0.5), side+4.5, string(rune('a'+i)))
		s.Text("axis middle", 2.5, square*(float64(7-i)+0.5)+1.5, string(rune('1'+i)))
	}
	for at := range chess.Square(64) {
		if color, kind := t.now.Piece(at); kind != chess.None {
			man(s, color, kind, at)
		}
	}
	return s.String()
}

// label says whose turn it is, and who is in check.
func (t *table) label() string {
	text := "A chess board, " + t.now.Turn().String() + " to move"
	if t.now.Check() {
		text += " and in check"
	}
	return text
}

// corner is the upper left corner of a square.
func corner(at chess.Square) (x, y float64) {
	return margin + square*float64(at%8), square * float64(7-at/8)
}

// outlines are the pieces, as polygons on a square of side 10, y downwards.
var outlines = [...][][2]float64{
	chess.Pawn: {{3, 8.5}, {7, 8.5}, {6.4, 7.3}, {5.7, 5.2}, {6.3, 4.2}, {6, 2.9}, {5, 2.3}, {4, 2.9}, {3.7, 4.2}, {4.3, 5.2}, {3.6, 7.3}},
	chess.Knight: {{2.9, 8.5}, {7.4, 8.5}, {7.2, 6}, {6.8, 3.9}, {5.7, 2.5}, {4.7, 2.2}, {4.1, 1.4}, {3.8, 2.6}, {2.6, 4.6}, {2.3, 5.6},
		{3, 6.1}, {4.4, 5.1}, {5, 5.2}, {3.7, 6.7}, {3.1, 7.6}},
	chess.Bishop: {{2.7, 8.5}, {7.3, 8.5}, {6.7, 7.5}, {5.8, 7}, {6.6, 5.3}, {6.4, 4}, {5.4, 2.6}, {5.6, 1.9}, {5, 1.3}, {4.4, 1.9}, {4.6, 2.6},
		{3.6, 4}, {3.4, 5.3}, {4.2, 7}, {3.3, 7.5}},
	chess.Rook: {{2.5, 8.5}, {7.5, 8.5}, {7.1, 7.2}, {6.5, 6.8}, {6.5, 4}, {7.2, 3.4}, {7.2, 1.9}, {6.2, 1.9}, {6.2, 2.7}, {5.5, 2.7}, {5.5, 1.9},
		{4.5, 1.9}, {4.5, 2.7}, {3.8, 2.7}, {3.8, 1.9}, {2.8, 1.9}, {2.8, 3.4}, {3.5, 4}, {3.5, 6.8}, {2.9, 7.2}},
	chess.Queen: {{2.6, 8.5}, {7.4, 8.5}, {7.1, 7.2}, {8.3, 2.9}, {6.6, 5}, {6.3, 1.9}, {5, 4.6}, {3.7, 1.9}, {3.4, 5}, {1.7, 2.9}, {2.9, 7.2}},
	chess.King: {{2.6, 8.5}, {7.4, 8.5}, {7.1, 7.2}, {8, 5}, {6.9, 3.8}, {5.5, 4.6}, {5.4, 3}, {6.3, 3}, {6.3, 2.2}, {5.4, 2.2}, {5.4, 1.3},
		{4.6, 1.3}, {4.6, 2.2}, {3.7, 2.2}, {3.7, 3}, {4.6, 3}, {4.5, 4.6}, {3.1, 3.8}, {2, 5}, {2.9, 7.2}},
}

// kinds are the pieces in words.
var kinds = [...]string{chess.Pawn: "pawn", chess.Knight: "knight", chess.Bishop: "bishop", chess.Rook: "rook", chess.Queen: "queen", chess.King: "king"}

// man draws a piece.
func man(s *film.Sketch, color chess.Color, kind chess.Kind, at chess.Square) {
	x, y := corner(at)
	var d strings.Builder
	for i, p := range outlines[kind] {
		word := "L"
		if i == 0 {
			word = "M"
		}
		d.WriteString(word + film.Length(x+p[0]) + " " + film.Length(y+p[1]))
	}
	class := "man"
	if color == chess.Black {
		class = "man black"
	}
	s.Path(class, color.String()+" "+kinds[kind]+" on "+at.String(), d.String()+"Z")
}
