// Package scene draws chess: the board after each move, with what the player thought
// of it where it told. The catalogue hands its Scene to whoever makes films
// (engines/arena/film).
package scene

import (
	"fmt"
	"math"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
	"sakusen/engines/chess"
)

// Scene is how the game is shown.
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

// still is the position as it is.
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

// expected is White's expected share of the point by a lead in material, pawns. Source:
// Chess Programming Wiki, "Pawn Advantage, Win Percentage, and Elo": a curve through the
// results of many games.
func expected(lead int) float64 { return 1 / (1 + math.Pow(10, -float64(lead)/4)) }

// numbered is the number of the move to come, as "12. " or "12... ".
func numbered(p *chess.Position) string {
	if p.Turn() == chess.White {
		return fmt.Sprintf("%d. ", p.Number())
	}
	return fmt.Sprintf("%d... ", p.Number())
}

// thought is what a player told of its move, for its own side.
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
