// Scene draws chess: the board after each move, with what the player thought
// of it where it told. Films are made of it (engines/arena/film).

package chess

import (
	"fmt"
	"math"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
	"sakusen/engines/chess"
)

// Scene returns how the game is shown.
func Scene() film.Scene {
	return film.Scene{Draw: newTable, Recorded: openRecorded, Measure: "expected share of the point by material alone, 1 / (1 + 10^(-lead in pawns / 4))", Entrants: []string{"random", "random"}, Seed: "1"}
}

// table draws a game.
type table struct {
	names []string
	emit  film.Emit
	now   chess.Position // before the next move
}

func newTable(_ *arena.Ruleset, seats []string, emit film.Emit) (film.Drawer, error) {
	return &table{names: seats, emit: emit}, nil
}

// See implements film.Drawer.
func (t *table) See(event any) error {
	switch e := event.(type) {
	case chess.Began:
		return t.begin(e)
	case chess.Moved:
		seat := int(t.now.Turn())
		text := fmt.Sprintf("%s%s by %s", numbered(&t.now), e.SAN, t.names[seat])
		t.now = e.Position
		f := t.still(seat, text+thought(&e.Reply)+".", t.draw(e.Move, true))
		if strings.Contains(e.SAN, "x") {
			f.Mark = "taken"
		}
		return t.emit(f)
	case chess.Ended:
		loser := int(t.now.Turn())
		text, seat := "A draw: "+e.Ending.String(), film.Nobody
		if e.Ending.Decided() {
			text, seat = fmt.Sprintf("%s wins: %s", t.names[1-loser], e.Ending), 1-loser
		}
		if e.Said != "" {
			text += " (" + film.Clean(e.Said, 200) + ")"
		}
		f := t.still(seat, text+".", t.draw(0, false))
		f.Standing = []float64{0.5, 0.5}
		if seat != film.Nobody {
			f.Standing[seat], f.Standing[1-seat] = 1, 0
		}
		return t.emit(f)
	}
	return nil
}

// begin draws the position in which the players begin.
func (t *table) begin(e chess.Began) error {
	t.now = e.Start
	text := ""
	for _, m := range e.Opening {
		text += " " + t.now.SAN(m)
		t.now.Do(m)
	}
	if text != "" {
		text = " The opening is" + text + "."
	}
	return t.emit(t.still(film.Nobody, fmt.Sprintf("%s has White, %s has Black, %s.%s", t.names[0], t.names[1], e.Limit, text), t.draw(0, false)))
}

// still returns the position as it is.
func (t *table) still(seat int, text, drawing string) film.Frame {
	f := film.Frame{Seat: seat, Text: text, SVG: drawing}
	lead := 0
	for kind, worth := range map[chess.Kind]int{chess.Pawn: 1, chess.Knight: 3, chess.Bishop: 3, chess.Rook: 5, chess.Queen: 9} {
		lead += worth * (t.now.Squares(chess.White, kind).Len() - t.now.Squares(chess.Black, kind).Len())
	}
	white := expected(lead)
	f.Standing = []float64{white, 1 - white}
	return f
}

// expected returns White's expected share of the point by a lead in material, pawns.
// Source: Chess Programming Wiki, "Pawn Advantage, Win Percentage, and Elo": a curve
// through the results of many games.
func expected(lead int) float64 { return 1 / (1 + math.Pow(10, -float64(lead)/4)) }

// numbered returns the number of the move to come, as "12. " or "12... ".
func numbered(p *chess.Position) string {
	if p.Turn() == chess.White {
		return fmt.Sprintf("%d. ", p.Number())
	}
	return fmt.Sprintf("%d... ", p.Number())
}

// thought returns what a player told of its move, for its own side.
func thought(r *chess.Reply) string {
	text := ""
	switch {
	case !r.Scored:
	case r.Score > chess.Mate-1000:
		text = fmt.Sprintf(", which sees mate in %d", chess.Mate-r.Score)
	case r.Score < -chess.Mate+1000:
		text = fmt.Sprintf(", which sees itself mated in %d", chess.Mate+r.Score)
	default:
		text = fmt.Sprintf(", which thinks itself at %+.2f", float64(r.Score)/100)
	}
	if r.Scored && r.Depth > 0 {
		text += fmt.Sprintf(" at depth %d", r.Depth)
	}
	return text
}

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

// label reports whose turn it is, and who is in check.
func (t *table) label() string {
	text := "A chess board, " + t.now.Turn().String() + " to move"
	if t.now.Check() {
		text += " and in check"
	}
	return text
}

// corner returns the upper left corner of a square.
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

// openRecorded reads a game that was kept because it cannot be played again.
func openRecorded(text string) (*film.Replay, error) {
	r, err := chess.ReadRecord(text)
	if err != nil {
		return nil, err
	}
	scores := map[string][]float64{"1-0": {1, 0}, "0-1": {0, 1}, "1/2-1/2": {0.5, 0.5}}
	return &film.Replay{Seats: r.Players[:], Scores: scores[r.Result()], Digest: r.Digest(), Show: r.Events}, nil
}
